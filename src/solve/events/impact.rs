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

use super::rows::{Kind, Row, friction_limit};
use crate::joints::regime::{Regime, Sense};
use crate::linear::Singular;
use crate::numerics::positions::Positions;
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::{SHORTENINGS, VELOCITY_ROUNDING};
use crate::system::{Along, Constraint, Slider, SliderState, State, System};

/// What closes the velocities of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// An impact: joints; contacts and stops are rows, which may bounce.
    Impact { bounces: bool },
    /// Joints, stops and contacts but for those that something meets: what the time integration is off them by its own error is no impact.
    Settled,
    /// Places: what meets a stop or a kink keeps its s.
    Places,
    /// Friction: joints, contacts and stops, and what sticks exactly stands still.
    Caught,
}

impl Stepper {
    /// Gives `state` the velocities after an impact, and its contacts and stops the regimes that go with them. Contacts that go on first
    /// lose what the time integration has left of a velocity across their paths. What has just been left may act again afterwards: perhaps
    /// it is too slow for a flight that a step resolves.
    pub(crate) fn impact(&mut self, system: &System, state: &mut State, bounces: bool) {
        let all = system.sliders.iter().zip(&state.sliders);
        let mut all = all.zip(&self.search.sliders);
        if all.any(|((slider, own), tried)| {
            slider.side.is_some() && !own.regime.is_open() && !tried.meets
        }) {
            self.close_velocities(system, state, Closing::Settled);
        }
        self.close_velocities(system, state, Closing::Impact { bounces });
        self.note_touching(system, state);
        for row in &self.search.rows.list {
            match row.kind {
                Kind::Normal => self.search.sliders[row.slider].touching = true,
                Kind::Stop(end) => self.search.sliders[row.slider].stop = Some(end),
                Kind::Opening | Kind::Friction | Kind::Pressing => {}
            }
        }
    }

    /// Closes the velocities of `state`: what is `closing` does not move any more. Where impulses over a step would make kinetic energy,
    /// they do not bounce, then their time is shortened. Where the equations are singular velocities stay as they are.
    pub(crate) fn close_velocities(
        &mut self, system: &System, state: &mut State, closing: Closing,
    ) {
        let before = system.energy().kinetic(state);
        self.search.before.copy_from_slice(&state.velocity);
        let bounces = closing == Closing::Impact { bounces: true };
        for attempt in 0..=SHORTENINGS {
            let shortened = attempt.saturating_sub(usize::from(bounces));
            let h = state.step() * 0.1_f64.powi(shortened as i32);
            let found = self.strike(system, state, h, closing, bounces && attempt == 0);
            if found.is_err() {
                state.velocity.copy_from_slice(&self.search.before);
                return;
            }
            let work = self.impulse_work(system, state, h);
            let loss = before + work - system.energy().kinetic(state);
            if loss >= -VELOCITY_ROUNDING * (before + work.abs()) || attempt == SHORTENINGS {
                state.energy.input_work += work;
                if matches!(closing, Closing::Impact { .. }) {
                    state.energy.impact_loss += loss;
                    self.part(system, state);
                } else {
                    state.energy.numerical_dissipation += loss;
                }
                return;
            }
            state.velocity.copy_from_slice(&self.search.before);
        }
    }

    /// Finds the impulses over a time `h` and adds what they change to the velocities.
    fn strike(
        &mut self, system: &System, state: &mut State, h: f64, closing: Closing, bounces: bool,
    ) -> Result<(), Singular> {
        self.search.rows.clear();
        self.impulses(system, state, h, closing)?;
        if matches!(closing, Closing::Impact { .. }) {
            self.find_rows(system, state);
        }
        self.search.rows.open();
        self.close_joints(system, state)?;
        if !self.search.rows.list.is_empty() {
            self.find_impulses(system, state, h, bounces)?;
            self.close_joints(system, state)?;
        }
        self.add_jump(system, state);
        Ok(())
    }

    /// Finds the impulses of the rows over a time `h`.
    fn find_impulses(
        &mut self, system: &System, state: &State, h: f64, bounces: bool,
    ) -> Result<(), Singular> {
        self.set_rows(system, |stepper, r, change| {
            let Row { slider, kind, .. } = stepper.search.rows.list[r];
            let velocity = change + stepper.row_before(r, system, state);
            let bounces = bounces && !stepper.search.sliders[slider].hardly;
            let restitution = match kind {
                Kind::Normal | Kind::Stop(_) if bounces => system.sliders[slider].restitution,
                _ => 0.0,
            };
            velocity + restitution * velocity.min(0.0)
        })?;
        let least = f64::MIN_POSITIVE.max(1e-12 * self.fastest(system) / (h * h));
        let scale = self.work.force_scale;
        (self.search.rows).find_forces(system, scale, |j, pressing, slides| {
            let speed = state.velocity[system.sliders[j].coordinate].abs();
            let slides = slides || speed > system.rest_speed();
            // The equations are those of impulses over h².
            let pressing = h * pressing.max(least);
            friction_limit(state.tuning.friction(j), pressing, speed, slides)
        })
    }

    /// The rows of an impact: contacts that touch, and stops at which sliders stand.
    fn find_rows(&mut self, system: &System, state: &State) {
        for (j, slider) in system.sliders.iter().enumerate() {
            let stop = match state.sliders[j].regime {
                Regime::AtStop(end) => Some(end),
                regime if regime.is_open() => continue,
                _ => None,
            };
            let place = system.sliders[j].kinematics(&self.at.q, None);
            let contact = slider.side.map(|_| (Kind::Normal, 0.0));
            let friction = slider.impact_friction;
            self.search.rows.add_slider(j, place, stop, contact, friction);
        }
    }

    /// Solves the factored equations for the change of the velocities by the impulses of the rows, with what closes the joints.
    fn close_joints(&mut self, system: &System, state: &State) -> Result<(), Singular> {
        self.load_rows(system);
        let (_, y) = self.corrections.room();
        for (j, slider) in system.sliders.iter().enumerate() {
            if self.at.sliders[j].constraint != Constraint::Open {
                let k = system.sliders[j].kinematics(&state.q, None);
                let gap = k.gap_of(&slider.path, &state.velocity, &slider.unknowns);
                for i in 0..slider.conditions() {
                    y[slider.border + 1 + i] = -gap[i];
                }
            }
        }
        system.pins.rates(&state.q, &state.velocity, -1.0, y);
        self.respond(system)
    }

    /// Velocity of row `r` before the impact; of what acts in the row of s it comes with the joints.
    fn row_before(&self, r: usize, system: &System, state: &State) -> f64 {
        let row = &self.search.rows.list[r];
        let slider = &system.sliders[row.slider];
        if self.at.sliders[row.slider].constraint != Constraint::Open {
            return 0.0;
        }
        let rate = (row.place).gap_of(&slider.path, &state.velocity, &slider.unknowns);
        row.measure(system, rate)
    }

    /// Adds the last response to the velocities.
    fn add_jump(&mut self, system: &System, state: &mut State) {
        for (v, dv) in state.velocity.iter_mut().zip(&self.search.rows.jump) {
            *v += dv;
        }
        let (_, y) = self.corrections.room();
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
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
    fn part(&mut self, system: &System, state: &mut State) {
        let rest = (system.rest_speed()).max(VELOCITY_ROUNDING * self.fastest(system));
        for row in &self.search.rows.list {
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
    fn fastest(&self, system: &System) -> f64 {
        let nodal = self.search.before[..system.nodal].iter();
        nodal.fold(0.0, |a, v| a.max(v.abs()))
    }

    /// Closes the joints of `state` by displacements in the ratio of those that impulses over a step would leave.
    pub(crate) fn close_positions(&mut self, system: &System, state: &mut State) {
        let h = state.step();
        if self.impulses(system, state, h, Closing::Places).is_err() {
            return;
        }
        let (x, y) = self.corrections.room();
        x.fill(0.0);
        y.fill(0.0);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            if own.constraint != Constraint::Open {
                let k = system.sliders[j].kinematics(&self.at.q, own.from);
                let open = k.constraint(&state.multipliers[j]);
                for i in 0..slider.conditions() {
                    y[slider.border + 1 + i] = -open[i];
                }
            }
        }
        system.pins.gaps(&self.at.q, -1.0, y);
        if self.work.matrix.solve(x, y).is_err() {
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
    fn impulses(
        &mut self, system: &System, state: &State, h: f64, closing: Closing,
    ) -> Result<(), Singular> {
        self.load_state(system, state, h);
        for (j, own) in self.at.sliders.iter_mut().enumerate() {
            own.multipliers = [0.0; 3];
            let meets = self.search.sliders[j].meets;
            let keeps = match closing {
                Closing::Caught => own.along == Along::Stick,
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
                (Closing::Settled, _) if meets => Constraint::Open,
                (Closing::Impact { .. }, Constraint::Stop(_)) => Constraint::Path,
                (_, same) => same,
            };
        }
        // As at the start, K Δt² stands for the mass of unknowns that have none.
        system.factored_tangent(&mut self.at, &mut self.work, Some(1.0 / (h * h)))
    }

    /// Work of the impulses with which the motions keep up their velocities, J: what the last response leaves in the
    /// rows of the unknowns that they prescribe.
    fn impulse_work(&mut self, system: &System, state: &State, h: f64) -> f64 {
        let (_, contact) = self.corrections.room();
        let jump = &self.search.rows.jump;
        // Both sides of the equations over Δt², as they were solved.
        let rows = &mut self.work.residual;
        system.tangent_times(&state.q, jump, 1.0 / (h * h), rows);
        system.loads.lines.add_product(&state.q, jump, &self.at.follower_loads, rows);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &contact[slider.border + 1..][..slider.conditions()];
            let mut multipliers = self.search.rows.multipliers[j];
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

impl Slider {
    /// ṡ of a slider on its path when the unknowns move with the velocities `rates`, m/s.
    fn sliding_rate(&self, q: &Positions, rates: &[f64]) -> f64 {
        let k = self.kinematics(q, None);
        let [x, y, _] = k.gap_of(&self.path, rates, &self.unknowns);
        let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
        (x * k.tangent[0] + y * k.tangent[1]) / square
    }
}
