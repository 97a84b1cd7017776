//! Residual and tangent of the equations of motion at one iterate.
//!
//! ```text
//! M q̈ + D q̇ + F_int(q) − F_ext + (∂c/∂q)ᵀ λ = 0  nodal unknowns
//! F_f(v, F_N, F_R) − Q_s               = 0        each sliding coordinate
//! c(q, s)                              = 0        each multiplier
//! ```
//!
//! (Siqueira & Coda 2023, Eq. 25, at the end of the step: see [`crate::solve::alpha`] for why
//! that is the same as their Eq. 38.)

use fearless_simd::dispatch;

use super::numbers::Number;
use super::sparse::{add_scaled, largest};
use super::{
    Along, Branch, Constraint, Group, Iterate, MassFactor, Slid, Slider, SliderState, Sliding,
    StaticFriction, System, Term, Workspace,
};
use crate::elements::group::Tangents;
use crate::joints::blend::Weights;
use crate::joints::path::TurnedBy;
use crate::joints::regime::{End, Sense};
use crate::joints::slider::{Kinematics, SlidingRow, contact};
use crate::laws::friction::{Contact, Response};
use crate::linear::Singular;
use crate::numerics::lanes::level;
use crate::numerics::positions::{Position, Positions};

/// Share of inertia in what rounding does to forces, see [`Workspace::stiffness`]: a single difference of positions is all of it that
/// is rounded. What a step of 1e-8 s lets pass with it is of the size of the joint forces' noise, and no more.
const INERTIA: f64 = 1.0 / 64.0;

impl System {
    /// Residual and the factored tangent, with all of damping; redundant constraints are [regularised](System::regularise).
    ///
    /// # Errors
    /// Where the tangent is singular all the same.
    pub(crate) fn factored_tangent(
        &self, at: &mut Iterate, work: &mut Workspace, mass_factor: MassFactor,
    ) -> Result<(), Singular> {
        loop {
            self.residual_and_tangent(at, work, mass_factor);
            if let Some(damped) = self.damped(at.flow.factor) {
                damped.add_skew_tangent(&self.equation, at, work);
            }
            let factored = work.matrix.factor();
            if factored.is_ok() || !self.regularise(at, mass_factor) {
                return factored;
            }
        }
    }

    /// Residual only.
    pub fn residual(&self, at: &Iterate, work: &mut Workspace) {
        self.evaluate(at, work, None);
    }

    /// Residual and the tangent of the linear system, with q̈ varying as `mass_factor`·q.
    pub fn residual_and_tangent(
        &self, at: &Iterate, work: &mut Workspace, mass_factor: MassFactor,
    ) {
        self.evaluate(at, work, Some(mass_factor));
    }

    fn evaluate(&self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>) {
        self.find_passive(at, work, tangent.is_some());
        self.add_inertia_and_joints(at, work, tangent);
    }

    /// The residual where nothing but accelerations and the forces of joints differs from the last evaluation, and the `tangent` where K of the last
    /// one serves.
    pub(crate) fn evaluate_joints(
        &self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>,
    ) {
        work.residual.copy_from_slice(&work.passive);
        if tangent.is_some() {
            work.matrix.clear_border();
        }
        self.add_inertia_and_joints(at, work, tangent);
    }

    /// Finds the forces that follow from positions and velocities alone, and with the `tangent` K; they are then in the residual and in the matrix, too.
    pub(crate) fn find_passive(&self, at: &Iterate, work: &mut Workspace, tangent: bool) {
        if tangent {
            self.set_constant_damping(at, work.matrix.restart());
            work.mass_factor = 0.0;
        }
        let mut scale = self.find_elastic(at, work, tangent);
        let forces = work.elastic.iter().zip(&at.external);
        for (r, (e, f)) in work.residual.iter_mut().zip(forces) {
            *r = e - f;
        }
        let mut loads = largest(&at.external);
        if let Some(damped) = self.damped(at.flow.factor) {
            scale = scale.max(damped.evaluate(&self.equation, at, work, tangent));
        }
        loads = loads.max(self.line_loads.evaluate(&self.equation, at, work, tangent));
        scale = scale.max(self.surfaces.add_forces(at, work, &self.equation, tangent));
        loads = loads.max(self.springs.evaluate(&self.equation, at, work, tangent));
        work.passive.copy_from_slice(&work.residual);
        work.passive_scale = scale.max(loads);
        work.load_scale = loads;
        if tangent {
            work.matrix.take_diagonal(&mut work.stiffness);
            for stiffness in &mut work.stiffness {
                *stiffness = stiffness.abs();
            }
        }
    }

    /// Puts `factor` times M beside K.
    fn put_mass(&self, factor: f64, work: &mut Workspace) {
        let more = factor - work.mass_factor;
        work.mass_factor = factor;
        add_scaled(&mut work.matrix.interior.values, more, &self.free_mass);
        for (e, stiffness) in work.stiffness.iter_mut().enumerate() {
            *stiffness += INERTIA * more * self.free_mass[self.layout.diagonal(e)];
        }
    }

    fn add_inertia_and_joints(
        &self, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>,
    ) {
        self.inertia_forces(&at.acceleration, &mut work.inertia_forces);
        (work.residual.iter_mut().zip(&work.inertia_forces)).for_each(|(r, force)| *r += force);
        let mut scale = work.passive_scale.max(largest(&work.inertia_forces));
        for j in 0..self.sliders.len() {
            self.add_slider(j, at, work, tangent);
            let [a, b, _] = at.sliders[j].multipliers;
            scale = scale.max(a.abs()).max(b.abs());
        }
        if let Some(factor) = tangent {
            self.put_mass(factor.unwrap_or(0.0), work);
        }
        scale = scale.max(self.pins.evaluate(&self.equation, at, work, tangent.is_some()));
        scale = scale.max(self.hinges.evaluate(&self.equation, at, work, tangent.is_some()));
        self.pins.gaps(&at.q, 1.0, &mut work.border);
        if tangent.is_some() {
            (work.matrix).take_coupled(&work.stiffness, &mut work.borne);
            for (e, &u) in self.unknown.iter().enumerate() {
                if at.driven[u].is_some() {
                    work.matrix.pin(e);
                }
            }
        }
        work.force_scale = scale;
    }

    /// M q̈ on the nodal unknowns.
    pub(crate) fn inertia_forces(&self, acceleration: &[f64], out: &mut [f64]) {
        dispatch!(level(), _ => {
            (self.mass).product(0.0, |u| acceleration[u], |u, force| out[u] = force);
        });
    }

    /// (K + `mass_factor`·M) v on the nodal unknowns.
    pub(crate) fn tangent_times(
        &self, q: &Positions, v: &[f64], mass_factor: f64, out: &mut [f64],
    ) {
        self.inertia_forces(v, out);
        out.iter_mut().for_each(|f| *f *= mass_factor);
        for Group { elements, .. } in &self.groups {
            elements.tangents(q, Tangents::All, |found| found.add_product(v, out));
        }
    }

    /// Where slider `j` stands on its path at `s`.
    pub(crate) fn kinematics(&self, j: usize, q: &Positions, kept: Option<usize>) -> Kinematics {
        let slider = &self.sliders[j];
        if slider.carries_friction_of_edge() {
            return self.kinematics_of_edge(slider, q);
        }
        if slider.path.is_free() {
            return slider.kinematics_of_way(q);
        }
        let s = q.get(slider.coordinate);
        let element = kept.unwrap_or_else(|| slider.path.element_at(s.rounded));
        let point = slider.path.point_on(element, s);
        Kinematics::at(&slider.path, point, q, &slider.unknowns)
    }

    /// Kinematics, friction and the linearised row of s of slider `j`, where `inertia_forces` is M q̈.
    pub(super) fn sliding(
        &self, j: usize, at: &Iterate, inertia_forces: &[f64],
    ) -> (Kinematics, SlidingRow, Response) {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let k = self.kinematics(j, &at.q, own.decided.element);
        let s = at.q.get(slider.coordinate);
        match own.constraint {
            // Nothing depends on s: it follows when everything else is known.
            Constraint::Open => return (k, SlidingRow::kept_at(s, s), Response::default()),
            Constraint::Stop(end) => {
                let row =
                    SlidingRow { by_origin: 0.0, ..SlidingRow::kept_at(s, slider.path.end(end)) };
                return (k, row, Response::default());
            }
            Constraint::Path => {}
        }
        let multipliers = &own.multipliers;
        if own.along == Along::Stick {
            let response = Response {
                force: k.tangential_force(multipliers),
                sticking: true,
                ..Response::default()
            };
            return (k, SlidingRow::kept_at(s, own.before), response);
        }
        let (seen, inertia_force) = self.contact(j, &k, at, inertia_forces);
        let respond = |normal_force| {
            let seen = Contact { normal_force, ..seen };
            let response = match own.along {
                Along::Free => Response::default(),
                Along::Slip(sense) => at.tuning.friction(j).slide(&seen, sense.sign()),
                // Anything up to the static friction holds it, and its motion does, too.
                Along::Driven(Sense::Neither) => Response { sticking: true, ..Response::default() },
                Along::Driven(sense) => at.tuning.friction(j).slide(&seen, sense.sign()),
                Along::Law | Along::Stick => self.law(j, &seen, at),
            };
            let by_velocity = match at.rises {
                true => response.by_velocity.max(0.0),
                false => response.by_velocity,
            };
            Response { by_velocity, ..response }
        };
        let normal = k.signed_normal_force(multipliers);
        let (pressing, response) = slider.bearing.press(normal, multipliers[2], respond);
        let row = SlidingRow::with_friction(
            &k,
            multipliers,
            &pressing,
            &response,
            inertia_force,
            own.velocity.factor,
        );
        (k, row, response)
    }

    /// Answer of the friction law of slider `j`, which may be looked for together with others'.
    fn law(&self, j: usize, seen: &Contact, at: &Iterate) -> Response {
        let (law, decided) = (at.tuning.friction(j), &at.sliders[j].decided);
        let together = at.together && self.sliders[j].friction.bounded;
        let bounded = together.then(|| law.bounded(seen, decided.bristles.sign()));
        bounded
            .flatten()
            .unwrap_or_else(|| if decided.reverses { law.hold(seen) } else { law.respond(seen) })
    }

    /// What the friction law of slider `j` sees, and the slider's inertia force as far as it does.
    pub(super) fn contact(
        &self, j: usize, k: &Kinematics, at: &Iterate, inertia_forces: &[f64],
    ) -> (Contact, [f64; 2]) {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let inertia_force = if slider.friction.feels_inertia {
            [0, 1].map(|axis| inertia_forces[slider.unknowns[axis]])
        } else {
            [0.0; 2]
        };
        let velocity = own.velocity.at(at.q.get(slider.coordinate));
        let stick_stiffness = slider.mass / at.step;
        let seen = Contact {
            step: at.step,
            memory: own.memory,
            ..contact(
                k,
                &own.multipliers,
                slider.bearing,
                inertia_force,
                velocity,
                stick_stiffness,
                own.decided.static_friction == StaticFriction::Holds,
            )
        };
        (seen, inertia_force)
    }

    fn add_slider(
        &self, j: usize, at: &Iterate, work: &mut Workspace, tangent: Option<MassFactor>,
    ) {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let multipliers = &own.multipliers;
        let (k, row, response) = self.sliding(j, at, &work.inertia_forces);
        work.placed[j] = k;
        let (slips, holds) = match response.bristles {
            Some(_) => (own.decided.bristles, own.decided.bristles == Sense::Neither),
            None => (Sense::of(response.force), response.sticking),
        };
        work.sliders[j] = Slid {
            state: SliderState {
                regime: own.regime(Sense::of(response.force), response.sticking),
                friction: response.force,
                memory: response.memory,
            },
            work: response.work,
            stored: response.stored,
            branch: Branch {
                element: k.point.element,
                regime: own.regime(slips, holds),
                constraint: own.constraint,
                along: own.along,
            },
            bristles: response.bristles.unwrap_or_default(),
        };

        add_contact(slider, &k, multipliers, &mut work.residual);
        work.border[slider.border] = row.residual;
        // 0 ≤ gap ⊥ λ ≥ 0: either the gap is closed or there is no force.
        let mut closed = match own.constraint {
            Constraint::Open => *multipliers,
            _ => k.constraint(multipliers),
        };
        (closed.iter_mut().zip(own.regularised())).for_each(|(c, gives)| *c -= gives);
        let count = slider.conditions();
        work.border[slider.border + 1..][..count].copy_from_slice(&closed[..count]);
        if slider.carries_friction_of_edge() {
            self.add_friction_of_edge(j, at, &mut work.border);
        }
        if let Some(mass_factor) = tangent {
            self.add_slider_tangent(j, &k, &row, at, mass_factor, work);
        }
    }

    fn add_slider_tangent(
        &self, j: usize, k: &Kinematics, row: &SlidingRow, at: &Iterate, mass_factor: MassFactor,
        work: &mut Workspace,
    ) {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let multipliers = &own.multipliers;
        let sliding = slider.border;
        let matrix = &mut work.matrix;
        if own.constraint == Constraint::Open {
            (0..=slider.unknowns.len())
                .for_each(|i| matrix.add_corner(sliding + i, sliding + i, 1.0));
            return;
        }
        // Without friction and stop the row of s is its column transposed.
        let own_row = has_own_row(slider, own);
        if own_row {
            matrix.give_own_row(sliding);
        }
        matrix.add_corner(sliding, sliding, row.by_s);
        if slider.carries_friction_of_edge() {
            (0..2).for_each(|i| matrix.add_corner(sliding, sliding + 1 + i, row.by_multipliers[i]));
            self.add_friction_of_edge_tangent(j, at, matrix);
            return;
        }
        let slopes = k.slopes(multipliers);
        for (i, &u) in slider.unknowns.iter().enumerate() {
            let constraint = sliding + 1 + i;
            if let Some(e) = self.equation.of(u) {
                matrix.add_column(e, constraint, 1.0);
            }
            matrix.add_corner(constraint, sliding, -slopes[i]);
            matrix.add_corner(constraint, constraint, -own.compliance[i]);
            matrix.add_corner(sliding, constraint, row.by_multipliers[i]);
        }
        if slider.unknowns.len() == 3 {
            matrix.add_corner(sliding + 3, sliding + 3, -k.flexibility[0]);
        }
        let path_nodes = k.point.carriers(&slider.path);
        let forces = &multipliers[..slider.unknowns.len()];
        for (l, node) in path_nodes.iter().enumerate() {
            for (i, multiplier) in forces.iter().enumerate() {
                let Some(e) = node.unknown(i).and_then(|u| self.equation.of(u)) else {
                    continue;
                };
                let (weights, by_slope) = if i < 2 {
                    (&k.point.position[..], row.by_tangent[i])
                } else {
                    (&k.point.rotation[..], row.by_spin)
                };
                matrix.add_column(e, sliding + 1 + i, -weights[0][l]);
                matrix.add_column(e, sliding, -weights[1][l] * multiplier);
                if own_row {
                    matrix.add_row(sliding, e, weights[1][l] * by_slope);
                }
            }
        }
        self.add_roughness_tangent(j, k, row, at, matrix);
        // F_R contains the slider's inertia force, which follows q through the integration.
        let (Some(factor), true) = (mass_factor, slider.friction.feels_inertia) else {
            return;
        };
        if row.by_resultant == 0.0 {
            return;
        }
        let (offsets, columns, values) = self.mass.csr_data();
        for i in 0..2 {
            let u = slider.unknowns[i];
            for entry in offsets[u]..offsets[u + 1] {
                if let Some(e) = self.equation.of(columns[entry]) {
                    let value = row.by_resultant * factor * values[entry] * k.tangent[i];
                    matrix.add_row(sliding, e, value);
                }
            }
        }
    }

    /// s at which slider `j` stays in this step; `None` where it follows from the forces along its path.
    pub(crate) fn kept_place(&self, j: usize, at: &Iterate) -> Option<Position> {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        match (own.constraint, own.along) {
            (Constraint::Open, _) => Some(at.q.get(slider.coordinate)),
            (Constraint::Stop(end), _) => Some(slider.path.end(end).into()),
            (Constraint::Path, Along::Stick) => Some(own.before),
            (Constraint::Path, _) => None,
        }
    }

    /// The constraints of slider `j` at this iterate: where the solution decides on stops, that at an end of
    /// its path begins to hold it where it is beyond, and ceases where the stop would have to pull.
    pub(crate) fn constraint_at(&self, j: usize, at: &Iterate) -> Constraint {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        if !slider.ends.stops() || !at.complementary {
            return own.constraint;
        }
        let (s, length) = (at.q[slider.coordinate], slider.path.length());
        match own.constraint {
            Constraint::Path if s > length && slider.ends.stops_at(End::Last) => {
                Constraint::Stop(End::Last)
            }
            Constraint::Path if s < 0.0 && slider.ends.stops_at(End::First) => {
                Constraint::Stop(End::First)
            }
            Constraint::Open | Constraint::Path => own.constraint,
            Constraint::Stop(end) => {
                let k = self.kinematics(j, &at.q, own.decided.element);
                let push = k.tangential_force(&own.multipliers) * end.outward();
                if push < 0.0 { Constraint::Path } else { own.constraint }
            }
        }
    }
}

/// Hands (∂c/∂q)ᵀ λ in the rows of the slider and of its path to `add`, where what turns under the slider has the `lever`
/// ∂Y/∂φ and `turn` is ∂φ by an unknown.
pub(crate) fn each_contact_force<D: Number>(
    slider: &Slider, k: &Kinematics, multipliers: &[D; 3], weight: impl Fn(&[Weights], usize) -> D,
    lever: Option<[D; 2]>, turn: impl Fn(TurnedBy) -> D, mut add: impl FnMut(usize, D),
) {
    for (&u, multiplier) in slider.unknowns.iter().zip(multipliers) {
        add(u, *multiplier);
    }
    let path_nodes = k.point.carriers(&slider.path);
    for (l, node) in path_nodes.iter().enumerate() {
        let share = weight(&k.point.position, l);
        for (u, multiplier) in node.position.into_iter().zip(multipliers) {
            add(u, -(share * *multiplier));
        }
        if let Some(u) = node.rotation {
            add(u, -(weight(&k.point.rotation, l) * multipliers[2]));
        }
    }
    if let Some(lever) = lever {
        let moment = multipliers[0] * lever[0] + multipliers[1] * lever[1];
        for by in slider.path.turned_by(k.point.element) {
            add(by.unknown, -(turn(by) * moment));
        }
    }
}

/// Hands (∂c/∂q)ᵀ λ in the rows of the slider and of its path to `add`.
pub(super) fn each_force(
    slider: &Slider, k: &Kinematics, multipliers: &[f64; 3], add: impl FnMut(usize, f64),
) {
    let arm = k.arm.unwrap_or_default();
    let lever = k.arm.map(|arm| arm.lever);
    let weight = |weights: &[Weights], l: usize| weights[0][l];
    let turn = |by: TurnedBy| arm.turning.by(&k.point, by)[0];
    each_contact_force(slider, k, multipliers, weight, lever, turn, add);
}

/// Adds (∂c/∂q)ᵀ λ to the rows of the slider and of its path.
pub(crate) fn add_contact(
    slider: &Slider, k: &Kinematics, multipliers: &[f64; 3], residual: &mut [f64],
) {
    each_force(slider, k, multipliers, |u, force| residual[u] += force);
}

/// Whether the row of s is not its column transposed.
pub(super) fn has_own_row(slider: &Slider, own: &Sliding) -> bool {
    slider.friction.acts || own.keeps_place()
}

/// λ·a of the first two multipliers.
pub(super) fn dot(multipliers: &[f64; 3], a: [f64; 2]) -> f64 {
    multipliers[0] * a[0] + multipliers[1] * a[1]
}
