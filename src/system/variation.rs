//! Small changes: of the residual, of the loads, of the outputs.
//!
//! A change of a state is itself written as a [`State`], that of an iterate as an [`Iterate`]:
//! every number stands for the change of the number in its place.

use num_dual::{Dual2_64, Dual64, DualNum};

use super::{Along, Constraint, Group, Iterate, State, System};
use crate::laws::friction::{Contact, Response};
use crate::model::checked::{Analysis, Energy, Input, Output};
use crate::nodes::Node;

/// Room for the change of a residual.
#[derive(Debug, Clone)]
pub(crate) struct Residual {
    /// Change of the equations of the nodal unknowns; on prescribed ones the change of the reaction.
    pub nodal: Vec<f64>,
    pub border: Vec<f64>,
    /// M q̈ where the residual was varied last.
    pub inertia: Vec<f64>,
    change: Vec<f64>,
}

impl Residual {
    pub fn new(system: &System) -> Residual {
        Residual {
            nodal: vec![0.0; system.nodal],
            border: vec![0.0; system.border],
            inertia: vec![0.0; system.nodal],
            change: vec![0.0; system.nodal],
        }
    }
}

impl System {
    /// Change of the residual at `at` by the change `by` of positions, sliding coordinates,
    /// multipliers, accelerations, velocities, loads and of s and the laws' memory at the beginning of the step,
    /// and by the changes `friction[j]` of the numbers of slider j's friction law.
    pub(crate) fn residual_change(
        &self,
        at: &Iterate,
        by: &Iterate,
        friction: &[Vec<f64>],
        out: &mut Residual,
    ) {
        self.inertia_forces(&at.acceleration, &mut out.inertia);
        self.inertia_forces(&by.acceleration, &mut out.change);
        self.tangent_times(&at.q, &by.q, 0.0, &mut out.nodal);
        let change = Some(&by.following[..]);
        self.add_following_change(&at.q, &by.q, &at.following, change, &mut out.nodal);
        for ((r, m), f) in (out.nodal.iter_mut().zip(&out.change)).zip(&by.external) {
            *r += m - f;
        }
        self.add_damping_change(at, by, &mut out.nodal);
        for (j, slider) in self.sliders.iter().enumerate() {
            let (own, change_of) = (&at.sliders[j], &by.sliders[j]);
            if own.constraint == Constraint::Open {
                // No force; s follows the others, see `foot_change`.
                out.border[slider.border..=slider.border + slider.unknowns.len()].fill(0.0);
                continue;
            }
            let (k, row, response) = self.sliding(j, at, &out.inertia);
            let (multipliers, change) = (&own.multipliers, &change_of.multipliers);
            let ds = by.q[slider.coordinate];
            let slopes = [k.tangent[0], k.tangent[1], k.spin[0]];
            let mut sliding = row.by_s * ds + row.by_origin * change_of.velocity.origin;
            if own.constraint == Constraint::Path && own.along != Along::Free {
                let (seen, _) = self.contact(j, &k, at, &out.inertia);
                let remembered = Contact {
                    memory: change_of.memory,
                    ..Contact::default()
                };
                let change =
                    (at.tuning.friction(j)).change(&seen, &response, &remembered, &friction[j]);
                sliding += change.force;
            }
            let nodes = k.point.carriers(&slider.path);
            for (i, &u) in slider.unknowns.iter().enumerate() {
                out.nodal[u] += change[i];
                let (weights, by_slope) = if i < 2 {
                    (&k.point.position, row.by_tangent[i])
                } else {
                    (&k.point.rotation, row.by_spin)
                };
                let mut gap = by.q[u] - slopes[i] * ds;
                for (l, node) in nodes.iter().enumerate() {
                    let Some(u) = node.unknown(i) else { continue };
                    let (w, slope) = (weights[0][l], weights[1][l]);
                    out.nodal[u] -= w * change[i] + slope * multipliers[i] * ds;
                    gap -= w * by.q[u];
                    sliding += by_slope * slope * by.q[u];
                }
                sliding += row.by_multipliers[i] * change[i];
                if i < 2 && slider.friction.feels_inertia {
                    sliding += row.by_resultant * out.change[u] * k.tangent[i];
                }
                out.border[slider.border + 1 + i] = gap;
            }
            if let Some(rough) = &k.rough {
                let turns = k.turns(&slider.path, &by.q);
                let slope = rough.tangent_change(turns);
                for (i, lever) in rough.lever.into_iter().enumerate() {
                    out.border[slider.border + 1 + i] -= lever * turns[0];
                    sliding += row.by_tangent[i] * slope[i];
                }
                for (l, node) in nodes.iter().enumerate() {
                    let Some(rotation) = node.rotation else {
                        continue;
                    };
                    let weights = [0, 1].map(|d| k.point.rotation[d][l]);
                    let by_s = rough.tangent_change(weights);
                    for i in 0..2 {
                        out.nodal[rotation] +=
                            weights[0] * multipliers[i] * rough.height[i] * turns[0]
                                - weights[0] * change[i] * rough.lever[i]
                                - multipliers[i] * by_s[i] * ds;
                    }
                }
            }
            out.border[slider.border] = sliding;
        }
    }

    /// Changes of what the law with memory of slider `j` remembers, of its work over the step and of
    /// what it stores, where `inertia` is M q̈.
    pub(crate) fn memory_change(
        &self,
        j: usize,
        at: &Iterate,
        by: &Iterate,
        inertia: &[f64],
        numbers: &[f64],
    ) -> Response {
        let (own, change_of) = (&at.sliders[j], &by.sliders[j]);
        if !self.sliders[j].friction.remembers || own.constraint != Constraint::Path {
            return Response::default();
        }
        let (k, _, response) = self.sliding(j, at, inertia);
        let (seen, _) = self.contact(j, &k, at, inertia);
        let (now, change) = (
            (&at.q[..], &own.multipliers),
            (&by.q[..], &change_of.multipliers),
        );
        let slid = by.q[self.sliders[j].coordinate] - change_of.velocity.origin;
        let by = Contact {
            velocity: own.velocity.factor * slid,
            normal_force: self.normal_force_change(j, own.decided.element, now, change),
            memory: change_of.memory,
            ..Contact::default()
        };
        (at.tuning.friction(j)).change(&seen, &response, &by, numbers)
    }

    /// Change of F_f of slider `j`: on the path and outside stops the row of s says F_f = Q_s.
    pub(crate) fn friction_change(&self, j: usize, at: &Iterate, by: &Iterate) -> f64 {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        if !slider.friction.rubs || own.constraint != Constraint::Path {
            return 0.0;
        }
        let k = self.kinematics(j, &at.q, own.decided.element);
        let (multipliers, ds) = (&own.multipliers, by.q[slider.coordinate]);
        let mut change = k.tangential_force(&by.sliders[j].multipliers)
            + ds * (multipliers[0] * k.bend[0]
                + multipliers[1] * k.bend[1]
                + multipliers[2] * k.spin[1]);
        let forces = &multipliers[..slider.unknowns.len()];
        for (l, node) in k.point.carriers(&slider.path).iter().enumerate() {
            for (i, multiplier) in forces.iter().enumerate() {
                let weights = if i < 2 {
                    &k.point.position
                } else {
                    &k.point.rotation
                };
                let moved = node.unknown(i).map_or(0.0, |u| by.q[u]);
                change += multiplier * weights[1][l] * moved;
            }
        }
        if let Some(rough) = &k.rough {
            let slope = rough.tangent_change(k.turns(&slider.path, &by.q));
            change += multipliers[0] * slope[0] + multipliers[1] * slope[1];
        }
        change
    }

    /// Change of the external forces at `time` by the changes `input(i)` of the inputs.
    pub(crate) fn external_change(&self, time: f64, input: impl Fn(usize) -> f64, out: &mut [f64]) {
        out.fill(0.0);
        for (i, variable) in self.model.inputs.iter().enumerate() {
            let change = input(i);
            match variable.input {
                Input::Load { load, component } => {
                    if let Some(u) = self.loads[load].unknowns[component] {
                        out[u] += change * self.model.loads[load].history.at(time)[0];
                    }
                }
                Input::Gravity { component } => {
                    for &(u, mass) in &self.weight[component] {
                        out[u] += mass * change;
                    }
                }
                Input::LineLoad { load, component } => {
                    self.dead_load_change(load, component, time, change, out);
                }
                Input::MotionPosition { .. }
                | Input::MotionRate { .. }
                | Input::MotionAcceleration { .. } => {}
            }
        }
    }

    /// Change of gravity by the changes `input(i)` of the inputs.
    pub(crate) fn gravity_by(&self, input: impl Fn(usize) -> f64) -> [f64; 2] {
        (self.gravity_inputs).map(|given_by| given_by.map_or(0.0, &input))
    }

    /// Change of an output by the change `by` of `state`; 0 for what jumps.
    pub fn output_change(&self, state: &State, by: &State, output: Output) -> f64 {
        match output {
            Output::SliderPosition(j) => by.q[self.sliders[j].coordinate],
            Output::SliderVelocity(j) => by.velocity[self.sliders[j].coordinate],
            Output::NormalForce(j) => {
                let now = (&state.q[..], &state.multipliers[j]);
                let change = (&by.q[..], &by.multipliers[j]);
                self.normal_force_change(j, None, now, change)
            }
            Output::EndForce { slider: j, front } => {
                let now = (&state.q[..], &state.multipliers[j]);
                let change = (&by.q[..], &by.multipliers[j]);
                let [normal, levered] = self.pressing_of(j, None, now, change);
                0.5 * (normal.eps + if front { levered.eps } else { -levered.eps })
            }
            Output::Gap(j) => self.gap_rate(j, state, &by.q),
            Output::FrictionForce(j) => by.sliders[j].friction,
            Output::MicroDisplacement(j) => by.sliders[j].memory[0],
            Output::FrictionPower(j) => {
                let s = self.sliders[j].coordinate;
                by.sliders[j].friction * state.velocity[s]
                    + state.sliders[j].friction * by.velocity[s]
            }
            Output::Probe(id) => {
                let place = |u: usize| Dual64::new(state.q[u], by.q[u]);
                self.probe(self.model.probes[id].kind, place).eps
            }
            Output::Energy(energy) => self.energy_change(state, by, energy),
            Output::SupportReaction { support, direction } => {
                let place = |u: usize| Dual64::new(state.q[u], by.q[u]);
                let force = |u: usize| Dual64::new(state.reactions[u], by.reactions[u]);
                self.support_reaction(support, direction, place, force).eps
            }
            Output::Sticking(_)
            | Output::Regime(_)
            | Output::Transitions(_)
            | Output::TransitionTime(_)
            | Output::EquivalentDamping(_)
            | Output::EquivalentStiffness(_)
            | Output::Counter(_) => 0.0,
            // Linear in the state.
            Output::Moment(_)
            | Output::DissipatedEnergy(_)
            | Output::PointPosition { .. }
            | Output::PointVelocity { .. }
            | Output::PointAcceleration { .. }
            | Output::MotionReaction(_)
            | Output::MotionPosition(_) => self.read(by, output),
        }
    }

    /// First and second time derivative of an output at the end of a step, as far as the state
    /// holds them: those of positions, and the first of velocities.
    pub fn output_rates(&self, state: &State, output: Output) -> [Option<f64>; 2] {
        match output {
            Output::SliderPosition(j) => {
                let s = self.sliders[j].coordinate;
                [Some(state.velocity[s]), Some(state.acceleration[s])]
            }
            Output::SliderVelocity(j) => {
                [Some(state.acceleration[self.sliders[j].coordinate]), None]
            }
            Output::PointPosition { point, direction } => {
                let of = |output: Output| Some(self.read(state, output));
                [
                    of(Output::PointVelocity { point, direction }),
                    of(Output::PointAcceleration { point, direction }),
                ]
            }
            Output::PointVelocity { point, direction } => {
                let acceleration = Output::PointAcceleration { point, direction };
                [Some(self.read(state, acceleration)), None]
            }
            Output::Probe(id) => {
                let place =
                    |u: usize| Dual2_64::new(state.q[u], state.velocity[u], state.acceleration[u]);
                let value = self.probe(self.model.probes[id].kind, place);
                [Some(value.v1), Some(value.v2)]
            }
            Output::DissipatedEnergy(j) if !self.sliders[j].friction.remembers => {
                [Some(self.read(state, Output::FrictionPower(j))), None]
            }
            Output::Gap(j) => [Some(self.gap_rate(j, state, &state.velocity)), None],
            // It jumps; a mean slope says nothing.
            Output::TransitionTime(_) => [Some(0.0), Some(0.0)],
            Output::MotionPosition(m) => {
                let motion = state.motions[m];
                let going = if motion.released { 0.0 } else { 1.0 };
                [Some(going * motion.rate), Some(going * motion.acceleration)]
            }
            _ => [None; 2],
        }
    }

    /// Change of F_N of slider `j` where q and λ change.
    fn normal_force_change(
        &self,
        j: usize,
        kept: Option<usize>,
        now: (&[f64], &[f64; 3]),
        change: (&[f64], &[f64; 3]),
    ) -> f64 {
        let [normal, levered] = self.pressing_of(j, kept, now, change);
        let larger = if levered.re.abs() > normal.re.abs() {
            levered
        } else {
            normal
        };
        larger.eps * larger.re.signum()
    }

    /// λ·n, with n normal to the current path, and 2λ₃/L, with their changes.
    fn pressing_of(
        &self,
        j: usize,
        kept: Option<usize>,
        (q, multipliers): (&[f64], &[f64; 3]),
        (by_q, by_multipliers): (&[f64], &[f64; 3]),
    ) -> [Dual64; 2] {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, q, kept);
        let nodes = k.point.carriers(&slider.path);
        let rough = k.rough.map_or([0.0; 2], |rough| {
            rough.tangent_change(k.turns(&slider.path, by_q))
        });
        let [x, y] = [0, 1].map(|i| {
            let bend = k.bend[i] * by_q[slider.coordinate];
            let turn = |(l, node): (usize, &Node)| k.point.position[1][l] * by_q[node.position[i]];
            let change: f64 = nodes.iter().enumerate().map(turn).sum();
            Dual64::new(k.tangent[i], bend + change + rough[i])
        });
        let force = |i: usize| Dual64::new(multipliers[i], by_multipliers[i]);
        let normal = (force(1) * x - force(0) * y) / (x * x + y * y).sqrt();
        [normal, force(2) * slider.leverage]
    }

    fn energy_change(&self, state: &State, by: &State, energy: Energy) -> f64 {
        let part = |part| self.energy_change(state, by, part);
        match energy {
            Energy::Kinetic if self.model.solver.analysis == Analysis::QuasiStatic => 0.0,
            Energy::Kinetic => self
                .mass
                .triplet_iter()
                .map(|(i, j, m)| m * state.velocity[i] * by.velocity[j])
                .sum(),
            Energy::Strain => self.strain_change(state, by),
            Energy::Potential => {
                let gravity = self.gravity(|i| state.reached[i][0]);
                let change = self.gravity_by(|i| by.reached[i][0]);
                self.potential(&state.q, change) + self.lift(gravity, |u| by.q[u])
            }
            Energy::InputWork => by.books.input_work,
            Energy::FrictionWork => by.friction_work(),
            Energy::FrictionStored => by.friction_stored(),
            Energy::DampingWork => by.books.damping_work,
            Energy::NumericalDissipation => by.books.numerical_dissipation,
            Energy::ImpactLoss => by.books.impact_loss,
            Energy::Balance => {
                by.books.start + by.books.input_work
                    - by.friction_work()
                    - by.books.damping_work
                    - by.books.numerical_dissipation
                    - by.books.impact_loss
                    - part(Energy::Kinetic)
                    - part(Energy::Strain)
                    - part(Energy::Potential)
            }
        }
    }

    fn strain_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = 0.0;
        for Group { elements, .. } in &self.groups {
            elements.forces(&state.q, |found| sum += found.work(&by.q));
        }
        sum
    }
}
