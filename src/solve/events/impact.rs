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
//! with y = ġ of a contact and the rate of the way that is left to a stop, and the coefficient of restitution
//! e of the joint. S = M + K τ² over a solver's step τ, which stands for the mass of unknowns that have none;
//! where K would then give kinetic energy back that is not there, a shorter τ takes its place. Positions are
//! closed before in the same metric, and accelerations start afresh.

use super::rows::{Kind, friction_limit};
use crate::joints::regime::{Regime, Sense};
use crate::linear::Singular;
use crate::numerics::positions::Positions;
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::{SHORTENINGS, VELOCITY_ROUNDING};
use crate::system::{Along, Constraint, SliderState, State, System, add_contact};

/// τ of an attempt, where `h` was too long for those before.
fn shortened(h: f64, attempt: usize) -> f64 {
    h * 0.1_f64.powi(attempt as i32)
}

/// What closes the velocities of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Closing {
    /// An impact: joints; contacts and stops are rows.
    Impact,
    /// Joints, stops and contacts but for those that something meets: what the time integration is off them by
    /// its own error is no impact.
    Settled,
    /// Places: what meets a stop or a kink keeps its s.
    Places,
    /// Friction: joints, contacts and stops, and what sticks exactly stands still.
    Caught,
}

impl Stepper {
    /// Contacts and stops that may act after an impact: those that do, and those that have just been left, perhaps too
    /// slowly for a flight that a step resolves.
    pub(crate) fn note_parted(&mut self, system: &System, state: &State) {
        self.note_touching(system, state);
        for row in &self.search.rows.list {
            let (slider, kind) = row.of();
            match kind {
                Kind::Normal => self.search.sliders[slider].touching = true,
                Kind::Stop(end) => self.search.sliders[slider].stop = Some(end),
                Kind::Opening | Kind::Friction | Kind::Pressing => {}
            }
        }
    }

    /// Takes from contacts that go on what the time integration has left of a velocity across their paths.
    pub(crate) fn close_settled(&mut self, system: &System, state: &mut State, h: f64) {
        let all = system.sliders.iter().zip(&state.sliders);
        let mut all = all.zip(&self.search.sliders);
        let settled = all.any(|((slider, own), tried)| {
            slider.side.is_some() && !own.regime.is_open() && !tried.meets
        });
        if settled {
            self.close_velocities(system, state, h, Closing::Settled);
        }
    }

    /// Gives `state` the velocities after an impact over a time `h`, and its contacts and stops the regimes
    /// that go with them.
    pub(crate) fn impact(&mut self, system: &System, state: &mut State, h: f64, bounces: bool) {
        let found = self.without_gain(system, state, |stepper, state, attempt| {
            let bounces_now = bounces && attempt == 0;
            let h = shortened(h, attempt - usize::from(bounces && attempt > 0));
            stepper.strike(system, state, h, bounces_now)?;
            Ok(h)
        });
        if let Ok(loss) = found {
            state.energy.impact_loss += loss;
            self.part(system, state);
        }
    }

    /// Changes the velocities of `state` by `jump`, which gets the number of the attempt and returns the time over which it took
    /// them to change, until that makes no kinetic energy; returns what it loses, J, and books the work of the motions.
    ///
    /// # Errors
    /// Where the equations are singular; the velocities are then as before.
    fn without_gain(
        &mut self,
        system: &System,
        state: &mut State,
        mut jump: impl FnMut(&mut Stepper, &mut State, usize) -> Result<f64, Singular>,
    ) -> Result<f64, Singular> {
        let before = system.kinetic_energy(state);
        self.search.before.copy_from_slice(&state.velocity);
        let mut attempt = 0;
        loop {
            let h = jump(self, state, attempt).inspect_err(|_| {
                state.velocity.copy_from_slice(&self.search.before);
            })?;
            let work = self.impulse_work(system, state, h);
            let loss = before + work - system.kinetic_energy(state);
            if loss >= -VELOCITY_ROUNDING * (before + work.abs()) || attempt == SHORTENINGS {
                state.energy.input_work += work;
                return Ok(loss);
            }
            state.velocity.copy_from_slice(&self.search.before);
            attempt += 1;
        }
    }

    /// Finds the impulses over a time `h` and adds what they change to the velocities.
    fn strike(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        bounces: bool,
    ) -> Result<(), Singular> {
        self.impulses(system, state, h, Closing::Impact)?;
        self.find_rows(system, state);
        self.search.rows.open();
        self.close_joints(system, state)?;
        self.set_rows(system, |stepper, r, change| {
            let (j, kind) = stepper.search.rows.list[r].of();
            let tried = &stepper.search.sliders[j];
            let velocity = change + stepper.row_before(r, system, state);
            let restitution = match kind {
                Kind::Normal | Kind::Stop(_) if bounces && !tried.hardly => {
                    system.sliders[j].restitution
                }
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
        })?;
        self.close_joints(system, state)?;
        self.add_jump(system, state);
        Ok(())
    }

    /// The rows of an impact: contacts that touch, and stops at which sliders stand.
    fn find_rows(&mut self, system: &System, state: &State) {
        self.search.rows.clear();
        for (j, slider) in system.sliders.iter().enumerate() {
            let regime = state.sliders[j].regime;
            let place = system.kinematics(j, &self.at.q, None);
            if let Regime::AtStop(end) = regime {
                self.search.rows.add_stop(j, place, end);
            }
            if regime.is_open() {
                continue;
            }
            let normal = slider
                .side
                .map(|_| self.search.rows.add_normal(j, place, 0.0));
            if slider.impact_friction {
                self.search.rows.add_friction(j, place, normal);
            }
        }
    }

    /// Solves the factored equations for the change of the velocities by the impulses of the rows, with what closes the joints.
    ///
    /// # Errors
    /// Where the equations are singular.
    fn close_joints(&mut self, system: &System, state: &State) -> Result<(), Singular> {
        self.load_rows(system);
        self.close_rates(system, state);
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
        let direction = row.direction(system);
        direction.iter().zip(rate).map(|(d, c)| d * c).sum()
    }

    /// The right-hand side that closes the velocities of the joints in the equations.
    fn close_rates(&mut self, system: &System, state: &State) {
        let (_, y) = self.corrections.room();
        for (j, slider) in system.sliders.iter().enumerate() {
            if self.at.sliders[j].constraint != Constraint::Open {
                let k = system.kinematics(j, &state.q, None);
                let gap = k.gap_of(&slider.path, &state.velocity, &slider.unknowns);
                for i in 0..slider.conditions() {
                    y[slider.border + 1 + i] = -gap[i];
                }
            }
        }
        system.pin_rates(&state.q, &state.velocity, -1.0, y);
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
                system.foot_rate(j, &state.q, &state.velocity)
            } else if own.constraint != Constraint::Open && own.keeps_place() {
                0.0
            } else if own.constraint == Constraint::Open {
                system.sliding_rate(j, &state.q, &state.velocity)
            } else {
                y[slider.border]
            };
        }
    }

    /// Opens contacts and leaves stops where the velocities of `state` lead off them; what stays has none.
    fn part(&mut self, system: &System, state: &mut State) {
        for r in 0..self.search.rows.list.len() {
            let (j, kind) = self.search.rows.list[r].of();
            let slider = &system.sliders[j];
            let (leaves, s) = match kind {
                Kind::Opening | Kind::Friction | Kind::Pressing => continue,
                Kind::Normal => (system.leaving(j, &state.q, &state.velocity), None),
                Kind::Stop(end) => {
                    let s = slider.coordinate;
                    (-end.outward() * state.velocity[s], Some(s))
                }
            };
            let leaves = leaves
                > system
                    .rest_speed()
                    .max(VELOCITY_ROUNDING * self.fastest(system));
            let own = &mut state.sliders[j];
            match (s, leaves) {
                (None, true) => {
                    *own = SliderState::lifted();
                    state.multipliers[j] = [0.0; 3];
                }
                (Some(s), true) if !own.regime.is_open() => {
                    own.regime = Regime::Slip(Sense::of(state.velocity[s]));
                }
                (Some(s), false) if !own.regime.is_open() => state.velocity[s] = 0.0,
                _ => {}
            }
        }
    }

    /// The largest velocity of a node before the impact, m/s.
    fn fastest(&self, system: &System) -> f64 {
        let nodal = self.search.before[..system.nodal].iter();
        nodal.fold(0.0, |a, v| a.max(v.abs()))
    }

    /// Closes the velocities of `state` over a time `h`: what is `closing` does not move any more.
    pub(crate) fn close_velocities(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        closing: Closing,
    ) {
        self.search.rows.clear();
        self.search.rows.open();
        let found = self.without_gain(system, state, |stepper, state, attempt| {
            let h = shortened(h, attempt);
            stepper.impulses(system, state, h, closing)?;
            stepper.close_joints(system, state)?;
            stepper.add_jump(system, state);
            Ok(h)
        });
        if let Ok(loss) = found {
            state.energy.numerical_dissipation += loss;
        }
    }

    /// Closes the joints of `state` by displacements in the ratio of those that impulses over a time
    /// `h` would leave.
    pub(crate) fn close_positions(&mut self, system: &System, state: &mut State, h: f64) {
        if self.impulses(system, state, h, Closing::Places).is_err() {
            return;
        }
        let (x, y) = self.corrections.room();
        x.fill(0.0);
        y.fill(0.0);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            if own.constraint != Constraint::Open {
                let k = system.kinematics(j, &self.at.q, own.from);
                let open = k.constraint(&state.multipliers[j]);
                for i in 0..slider.conditions() {
                    y[slider.border + 1 + i] = -open[i];
                }
            }
        }
        system.pin_gaps(&self.at.q, -1.0, y);
        if self.work.matrix.solve(x, y).is_err() {
            return;
        }
        for (dq, &u) in x.iter().zip(&system.unknown) {
            state.q.add(u, *dq);
        }
        for slider in &system.sliders {
            state.q.add(slider.coordinate, y[slider.border]);
        }
        system.renew_elastic(state);
    }

    /// Factors the equations of impulses over a time `h`.
    fn impulses(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        closing: Closing,
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
                Closing::Impact | Closing::Settled => false,
            };
            own.along = if keeps { Along::Stick } else { Along::Free };
            let row = system.sliders[j].side.is_some();
            own.constraint = match (closing, own.constraint) {
                (_, Constraint::Open) => Constraint::Open,
                (Closing::Impact, _) if row => Constraint::Open,
                (Closing::Settled, _) if meets => Constraint::Open,
                (Closing::Impact, Constraint::Stop(_)) => Constraint::Path,
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
        system.add_follower_change(&state.q, jump, &self.at.follower_loads, None, rows);
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &contact[slider.border + 1..][..slider.conditions()];
            let mut multipliers = self.search.rows.multipliers[j];
            (multipliers.iter_mut().zip(own)).for_each(|(all, own)| *all += own);
            let k = system.kinematics(j, &state.q, None);
            add_contact(slider, &k, &multipliers, rows);
        }
        system.add_pin_forces(&state.q, system.of_pins(contact), rows);
        let driven = system.driven(state);
        let power: f64 = driven.map(|(_, u)| rows[u] * state.velocity[u]).sum();
        h * h * power
    }
}

impl System {
    /// ṡ of a slider on its path when the unknowns move with the velocities `rates`, m/s.
    fn sliding_rate(&self, j: usize, q: &Positions, rates: &[f64]) -> f64 {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, q, None);
        let [x, y, _] = k.gap_of(&slider.path, rates, &slider.unknowns);
        let square = k.tangent[0] * k.tangent[0] + k.tangent[1] * k.tangent[1];
        (x * k.tangent[0] + y * k.tangent[1]) / square
    }
}
