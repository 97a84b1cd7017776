//! Impacts: a slider meets its end stop, a kink of its path, or its path itself.
//!
//! The step is cut at the instant; see `judge.rs`. There all impulses are found together: joints that
//! hold are in the equations S, and what is unilateral is a row of the complementarity problem of
//! [impulses](crate::linear::impulses), contacts that touch and stops at which a slider stands,
//!
//! ```text
//! S (q̇⁺ − q̇⁻) + Jᵀ Λ = 0,    ċ(q̇⁺, ṡ⁺) = 0,    0 ≤ y⁺ + e y⁻ ⟂ p ≥ 0
//! ```
//!
//! with y = ġ of a contact and the rate of the way that is left to a stop, and the coefficient of restitution e of the joint. S = M + K τ²
//! over a solver's step τ, which stands for the mass of unknowns that have none; where K would then give kinetic energy back that is not
//! there, a shorter τ takes its place. Positions are closed before in the same metric, and accelerations start afresh.

use super::rows::{Kind, Rows, friction_limit};
use super::search::Search;
use crate::joints::regime::{Regime, Sense};
use crate::linear::Singular;
use crate::newton::Newton;
use crate::numerics::positions::Positions;
use crate::solve::tolerances::{SHORTENINGS, VELOCITY_ROUNDING};
use crate::system::{Along, Constraint, Iterate, Slider, SliderState, State, System, Workspace};

/// Velocities and positions of a state that jump: the impulses at an instant.
pub(crate) struct Impulses<'a> {
    pub system: &'a System,
    pub newton: &'a mut Newton,
    pub search: &'a mut Search,
    pub rows: &'a mut Rows,
}

/// What closes the velocities of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// An impact: joints; contacts and stops are rows, which may bounce.
    Impact { bounces: bool },
    /// Joints, stops and contacts but for those that something meets: what the time integration is off them by its own error is no impact.
    Settled,
    /// Places: what meets a stop or a kink keeps its s.
    Places,
    /// Friction: joints, contacts and stops, and what sticks is exactly at rest.
    Caught,
    /// A jump of motions: joints, contacts and stops, and what sticks goes on.
    Held,
    /// Sliders that jam: joints, stops, and what sticks is exactly at rest; what slides has friction, and contacts on which it does are rows.
    Jam,
}

impl Closing {
    /// Whether it is an impact, which loses energy and opens contacts.
    fn strikes(self) -> bool {
        matches!(self, Closing::Impact { .. } | Closing::Jam)
    }
}

impl Impulses<'_> {
    /// Gives `state` the velocities after an impact, and its contacts and stops the regimes that go with them. Contacts that go on first
    /// lose what the time integration has left of a velocity across their paths. What has just been left may act again afterwards: perhaps
    /// it is too slow for a flight that a step resolves.
    pub(crate) fn impact(&mut self, state: &mut State, bounces: bool) {
        let system = self.system;
        let all = system.sliders.iter().zip(&state.sliders);
        let mut all = all.zip(&self.search.sliders);
        if all.any(|((slider, own), tried)| {
            slider.side.is_some() && !own.regime.is_open() && !tried.meets
        }) {
            self.close_velocities(state, Closing::Settled);
        }
        self.strike(state, bounces);
    }

    /// [`Impulses::impact`] where velocities across paths are no error of the time integration.
    pub(super) fn strike(&mut self, state: &mut State, bounces: bool) {
        let system = self.system;
        self.close_velocities(state, Closing::Impact { bounces });
        self.search.note_touching(system, state);
        for row in &self.rows.list {
            match row.kind {
                Kind::Normal => self.search.sliders[row.slider].touching = true,
                Kind::Stop(end) => self.search.sliders[row.slider].stop = Some(end),
                Kind::Opening | Kind::Friction | Kind::Pressing => {}
            }
        }
    }

    /// Closes the velocities of `state`: what is `closing` does not move any more. Where impulses over a step would make kinetic energy,
    /// their time is shortened; where that does not help, they do not bounce. Where the equations are singular velocities stay as they are.
    pub(crate) fn close_velocities(&mut self, state: &mut State, closing: Closing) {
        let system = self.system;
        let before = system.energy().kinetic(state);
        self.rows.before.copy_from_slice(&state.velocity);
        let may_bounce = closing == Closing::Impact { bounces: true };
        let step = state.step();
        let times: [f64; SHORTENINGS + 1] = std::array::from_fn(|k| step * 0.1_f64.powi(k as i32));
        let attempts = [true, false].into_iter().filter(|bounces| may_bounce || !bounces);
        for (bounces, h) in attempts.flat_map(|bounces| times.map(|h| (bounces, h))) {
            let found = self.find_velocities(state, h, closing, bounces);
            if found.is_err() {
                state.velocity.copy_from_slice(&self.rows.before);
                return;
            }
            let work = self.impulse_work(state, h);
            let loss = before + work - system.energy().kinetic(state);
            let last = !bounces && h == times[SHORTENINGS];
            if loss >= -VELOCITY_ROUNDING * (before + work.abs()) || last {
                state.energy.input_work += work;
                if closing.strikes() {
                    state.energy.impact_loss += loss;
                    self.separate(state);
                } else {
                    state.energy.numerical_dissipation += loss;
                }
                return;
            }
            state.velocity.copy_from_slice(&self.rows.before);
        }
    }

    /// Finds the impulses over a time `h` and adds what they change to the velocities.
    fn find_velocities(
        &mut self, state: &mut State, h: f64, closing: Closing, bounces: bool,
    ) -> Result<(), Singular> {
        self.rows.clear();
        self.impulses(state, h, closing)?;
        if closing.strikes() {
            self.find_rows(state, closing);
        }
        self.rows.open();
        self.close_joints(state)?;
        if !self.rows.list.is_empty() {
            self.find_impulses(state, h, bounces)?;
            self.close_joints(state)?;
        }
        self.add_jump(state);
        Ok(())
    }

    /// Finds the impulses of the rows over a time `h`.
    fn find_impulses(&mut self, state: &State, h: f64, bounces: bool) -> Result<(), Singular> {
        let system = self.system;
        let search = &*self.search;
        self.rows.set(system, self.newton, |row, at, change| {
            let velocity = change + row.velocity_before(system, at, state);
            let bounces = bounces && !search.sliders[row.slider].hardly;
            let restitution = match row.kind {
                Kind::Normal | Kind::Stop(_) if bounces => system.sliders[row.slider].restitution,
                _ => 0.0,
            };
            velocity + restitution * velocity.min(0.0)
        })?;
        self.rows.press_imposed(system);
        let least = f64::MIN_POSITIVE.max(1e-12 * self.fastest() / (h * h));
        let scale = self.newton.work.force_scale;
        self.rows.find_forces(system, scale, |j, pressing, slides| {
            let rate = state.velocity[system.sliders[j].coordinate].abs();
            let slides = slides || rate > system.rest_speed();
            let speed = system.sliders.place(j, &state.q).stretch * rate;
            // The equations are those of impulses over h².
            let pressing = h * pressing.max(least);
            friction_limit((system, state), j, pressing, speed, slides)
        })
    }

    /// The rows of an impact: contacts that touch, and stops at which sliders stand.
    fn find_rows(&mut self, state: &State, closing: Closing) {
        let system = self.system;
        for (j, slider) in system.sliders.iter().enumerate() {
            let jams = closing == Closing::Jam;
            let stop = match state.sliders[j].regime {
                Regime::Stick | Regime::AtStop(_) if jams => continue,
                Regime::AtStop(end) => Some(end),
                regime if regime.is_open() => continue,
                _ => None,
            };
            let place = system.sliders.place(j, &self.newton.at.q);
            let contact = slider.side.map(|_| (Kind::Normal, 0.0));
            let friction = slider.impact_friction || jams && slider.cuts;
            // What slides on is not at rest where it could be.
            self.rows.add_slider(j, place, stop, contact, (friction, jams));
        }
    }

    /// Solves the factored equations for the change of the velocities by the impulses of the rows, with what closes the joints.
    fn close_joints(&mut self, state: &State) -> Result<(), Singular> {
        let system = self.system;
        self.rows.load(system, self.newton);
        let Newton { at, corrections, .. } = &mut *self.newton;
        system.close_joints(at, &state.q, &state.velocity, corrections.room().1);
        self.rows.respond(system, self.newton)
    }

    /// Adds the last response to the velocities.
    fn add_jump(&mut self, state: &mut State) {
        let system = self.system;
        for (v, dv) in state.velocity.iter_mut().zip(&self.rows.jump) {
            *v += dv;
        }
        let (_, y) = self.newton.corrections.room();
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.newton.at.sliders[j];
            state.velocity[slider.coordinate] = if state.sliders[j].regime.is_open() {
                system.sliders[j].closest_point_rate(&state.q, &state.velocity)
            } else if own.constraint != Constraint::Open && own.keeps_place() {
                0.0
            } else if own.constraint == Constraint::Open {
                system.sliders[j].sliding_rate(&state.q, &state.velocity)
            } else {
                y[slider.border]
            };
        }
    }

    /// Opens contacts and leaves stops where the velocities of `state` lead off them; what stays has none.
    fn separate(&mut self, state: &mut State) {
        let system = self.system;
        let rest = (system.rest_speed()).max(VELOCITY_ROUNDING * self.fastest());
        for row in &self.rows.list {
            let j = row.slider;
            let s = system.sliders[j].coordinate;
            match row.kind {
                Kind::Normal if system.sliders[j].leaving(&state.q, &state.velocity) > rest => {
                    state.sliders[j] = SliderState::lifted();
                    state.multipliers[j] = [0.0; 3];
                }
                Kind::Stop(end) if !state.sliders[j].regime.is_open() => {
                    let v = &mut state.velocity[s];
                    if -end.outward() * *v > rest {
                        state.sliders[j].regime = Regime::Slip(Sense::of(*v));
                    } else {
                        *v = 0.0;
                    }
                }
                _ => {}
            }
        }
    }

    /// The largest velocity of a node before the impact, m/s.
    fn fastest(&self) -> f64 {
        let nodal = self.rows.before[..self.system.nodal].iter();
        nodal.fold(0.0, |a, v| a.max(v.abs()))
    }

    /// Closes the joints of `state` by displacements in the ratio of those that impulses over a step would leave.
    pub(crate) fn close_positions(&mut self, state: &mut State) {
        let system = self.system;
        if self.impulses(state, state.step(), Closing::Places).is_err() {
            return;
        }
        let Newton { at, work, corrections } = &mut *self.newton;
        let (x, y) = corrections.room();
        x.fill(0.0);
        y.fill(0.0);
        for (j, slider) in system.sliders.iter().enumerate() {
            if at.sliders[j].constraint != Constraint::Open {
                let k = system.sliders[j].kinematics(&at.q, at.sliders[j].from);
                let open = k.constraint(&state.multipliers[j]);
                for i in 0..slider.conditions() {
                    y[slider.border + 1 + i] = -open[i];
                }
            }
        }
        system.pins.gaps(&at.q, -1.0, y);
        if work.matrix.solve(x, y).is_err() {
            return;
        }
        for (dq, &u) in x.iter().zip(&system.unknown) {
            state.q.add(u, *dq);
        }
        for slider in &system.sliders {
            state.q.add(slider.coordinate, y[slider.border]);
        }
        system.energy().renew_all(state);
    }

    /// Factors the equations of impulses over a time `h`.
    pub(super) fn impulses(
        &mut self, state: &State, h: f64, closing: Closing,
    ) -> Result<(), Singular> {
        let system = self.system;
        self.newton.load_state(system, state, h);
        for (j, own) in self.newton.at.sliders.iter_mut().enumerate() {
            own.multipliers = [0.0; 3];
            let meets = self.search.sliders[j].meets;
            let keeps = match closing {
                Closing::Caught | Closing::Held | Closing::Jam => own.along == Along::Stick,
                // What touches down is put onto its path wherever that is: two corners of one rigid body cannot both keep
                // their s and leave anything to be solved for.
                Closing::Places => meets && !self.search.sliders[j].regime.is_open(),
                Closing::Impact { .. } | Closing::Settled => false,
            };
            own.along = if keeps { Along::Stick } else { Along::Free };
            let row = system.sliders[j].side.is_some();
            own.constraint = match (closing, own.constraint) {
                (_, Constraint::Open) => Constraint::Open,
                (Closing::Impact { .. }, _) if row => Constraint::Open,
                (Closing::Jam, Constraint::Path) if row && !keeps => Constraint::Open,
                (Closing::Settled, _) if meets => Constraint::Open,
                (Closing::Impact { .. }, Constraint::Stop(_)) => Constraint::Path,
                (_, same) => same,
            };
        }
        if closing == Closing::Caught && system.feels_velocity() {
            // What dampers join in a step stops as one body: otherwise they carry what is left between its parts, D Δq̇.
            self.newton.load_velocities(system, state, 1.0 / h);
        }
        // As at the start, K Δt² stands for the mass of unknowns that have none.
        system.factored_tangent(&mut self.newton.at, &mut self.newton.work, Some(1.0 / (h * h)))
    }

    /// Work of the impulses with which the motions keep up their velocities, J: what the last response leaves in the
    /// rows of the unknowns that they prescribe.
    fn impulse_work(&mut self, state: &State, h: f64) -> f64 {
        let system = self.system;
        let (_, contact) = self.newton.corrections.room();
        let jump = &self.rows.jump;
        // Both sides of the equations over Δt², as they were solved.
        let Workspace { residual: rows, tangents, .. } = &mut self.newton.work;
        system.tangent_times(&state.q, jump, 1.0 / (h * h), rows, tangents);
        system.loads.lines.add_product(&state.q, jump, &self.newton.at.follower_loads, rows);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &contact[slider.border + 1..][..slider.conditions()];
            let mut multipliers = self.rows.multipliers[j];
            (multipliers.iter_mut().zip(own)).for_each(|(all, own)| *all += own);
            let k = system.sliders[j].kinematics(&state.q, None);
            slider.add_forces(&k, &multipliers, rows);
        }
        system.pins.add_forces(&state.q, system.pins.of_border(contact), rows);
        let driven = system.motions.driven(state);
        let power: f64 = driven.map(|(_, u)| rows[u] * state.velocity[u]).sum();
        h * h * power
    }
}

impl System {
    /// Puts into the border `y` what closes the joints that are closed in `at`, where the unknowns move from `q` with the velocities `rates`.
    pub(crate) fn close_joints(&self, at: &Iterate, q: &Positions, rates: &[f64], y: &mut [f64]) {
        let closed = |j: &usize| at.sliders[*j].constraint != Constraint::Open;
        for j in (0..self.sliders.len()).filter(closed) {
            let (slider, k) = (&self.sliders[j], self.sliders[j].kinematics(q, None));
            let gap = k.gap_of(&slider.path, rates, &slider.unknowns);
            for i in 0..slider.conditions() {
                y[slider.border + 1 + i] = -gap[i];
            }
        }
        self.pins.rates(q, rates, -1.0, y);
    }
}

impl Slider {
    /// ṡ of it on its path when the unknowns move with the velocities `rates`, m/s.
    fn sliding_rate(&self, q: &Positions, rates: &[f64]) -> f64 {
        let k = self.kinematics(q, None);
        let [x, y, _] = k.gap_of(&self.path, rates, &self.unknowns);
        let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
        (x * k.tangent[0] + y * k.tangent[1]) / square
    }
}
