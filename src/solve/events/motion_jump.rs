//! Velocities that jump because a motion that an input drives does.
//!
//! A motion whose rate jumps gives an impulse to all that follows it by inertia, by joints, or by a stiffness that a step does not resolve. With the
//! S of an [impact](super::impact), joints closed and the jump of the driven velocities Δq̇_d known,
//!
//! ```text
//! S Δq̇ + Jᵀ Λ = 0,    J Δq̇ = 0,    Δq̇_d given.
//! ```
//!
//! This is linear in Δq̇_d. Contacts, stops and what sticks take part as long as the forces that they have can bear Λ/τ over the step τ that follows: else a
//! motion on straight lines between communication points would lift off and break away at each of them. Where they cannot bear it, the
//! motions jump without them, and then all of them meet it as an impact.

use super::impact::{Closing, Impulses};
use crate::joints::regime::Regime;
use crate::joints::slider::Kinematics;
use crate::linear::Singular;
use crate::newton::Newton;
use crate::numerics::positions::Positions;
use crate::solve::tolerances::NO_PULL;
use crate::system::{Along, Constraint, Iterate, Slider, State, System, Workspace};

impl Impulses<'_> {
    /// Gives `state` the velocities behind the jump of those of its motions. Whether what sliders do goes on; otherwise their regimes and all
    /// accelerations are to be found afresh.
    pub(crate) fn jump_rates(&mut self, state: &mut State) -> bool {
        let system = self.system;
        let before = system.energy().kinetic(state);
        self.search.begin(system, state);
        self.rows.imposed.fill([0.0; 3]);
        let followed = self.follow_motions(state, Closing::Held);
        let goes_on = followed.is_ok() && self.goes_on(state);
        if !goes_on {
            match self.follow_motions(state, Closing::Impact { bounces: true }) {
                Ok(()) => self.keep_imposed(),
                Err(Singular) => system.motions.rate_jumps(state, &mut self.rows.jump),
            }
        }
        (state.velocity.iter_mut().zip(&self.rows.jump)).for_each(|(v, jump)| *v += jump);
        system.motions.jump_rates(state);
        let gained = system.energy().kinetic(state) - before;
        state.energy.input_work += gained;
        state.energy.kinetic += gained;
        state.energy.mechanical += gained;
        if !goes_on {
            self.strike(state, true);
            self.rows.imposed.fill([0.0; 3]);
        }
        goes_on
    }

    /// Finds how the velocities of `state` jump with those of its motions, where joints are closed as `closing` says.
    fn follow_motions(&mut self, state: &State, closing: Closing) -> Result<(), Singular> {
        let h = state.step();
        self.impulses(state, h, closing)?;
        self.system.motions.rate_jumps(state, &mut self.rows.jump);
        self.newton.follow_rates(self.system, &state.q, h, &mut self.rows.jump)
    }

    /// Whether no slider slides the other way by the last response, and what touches, stops and sticks can bear it over the step that follows.
    fn goes_on(&mut self, state: &State) -> bool {
        let (system, h) = (self.system, state.step());
        let Newton { at, work, corrections } = &mut *self.newton;
        let (_, impulses) = corrections.room();
        let rounding = NO_PULL * work.force_scale;
        (0..system.sliders.len()).all(|j| {
            if at.sliders[j].constraint == Constraint::Open {
                return true;
            }
            let slider = &system.sliders[j];
            let mut by = [0.0; 3];
            let impulse = &impulses[slider.border + 1..][..slider.conditions()];
            // The equations are those of impulses over h².
            (by.iter_mut().zip(impulse)).for_each(|(force, impulse)| *force = h * impulse);
            at.sliders[j].multipliers = [0, 1, 2].map(|i| state.multipliers[j][i] + by[i]);
            let has_friction = slider.impact_friction
                && at.sliders[j].along == Along::Free
                && by.iter().any(|force| force.abs() > rounding);
            let k = system.sliders.place(j, &at.q);
            !has_friction
                && !slider.turns(state, self.rows.jump[slider.coordinate])
                && !slider.leaves_under(at, &k, [&state.multipliers[j], &by], rounding)
                && system.sliders[j].beyond(at, || k, 0.0) <= 0.0
        })
    }

    /// Keeps the impulses of joints that the last response has, for the friction that they cause.
    fn keep_imposed(&mut self) {
        let (_, impulses) = self.newton.corrections.room();
        for (imposed, slider) in self.rows.imposed.iter_mut().zip(&self.system.sliders) {
            let impulse = &impulses[slider.border + 1..][..slider.conditions()];
            imposed[..impulse.len()].copy_from_slice(impulse);
        }
    }

    /// Factors the equations with which velocities have followed the motions of `state` that go on.
    ///
    /// # Errors
    /// Where they are singular.
    pub(crate) fn factor_motion_jump(&mut self, state: &State) -> Result<(), Singular> {
        self.impulses(state, state.step(), Closing::Held)
    }
}

impl Slider {
    /// Whether it slides the other way, or not at all, where its velocity in `state` jumps by `jump` (m/s).
    fn turns(&self, state: &State, jump: f64) -> bool {
        match state.sliders[self.index].regime {
            Regime::Slip(sense) if self.cuts && jump != 0.0 => {
                sense.sign() * (state.velocity[self.coordinate] + jump) <= 0.0
            }
            _ => false,
        }
    }

    /// Whether it lifts off its path or leaves its stop by the forces `by` beside those `before`, or bounces off for longer than a step.
    fn leaves_under(
        &self, at: &Iterate, k: &Kinematics, [before, by]: [&[f64; 3]; 2], rounding: f64,
    ) -> bool {
        let presses = |multipliers: &[f64; 3]| match at.sliders[self.index].constraint {
            Constraint::Stop(end) => end.outward() * k.tangential_force(multipliers),
            _ if self.side.is_none() => 0.0,
            _ => -self.opening_force(&at.q, multipliers),
        };
        let [before, by] = [presses(before), presses(by)];
        before + by < -rounding || self.restitution * by > before.max(0.0) + rounding
    }
}

impl Newton {
    /// Adds to the `rates` of what motions drive, at `q`, those of all that follows them by the factored equations of impulses over a time `h`.
    ///
    /// # Errors
    /// Where they have no solution.
    pub(crate) fn follow_rates(
        &mut self, system: &System, q: &Positions, h: f64, rates: &mut [f64],
    ) -> Result<(), Singular> {
        let Newton { at, work, corrections } = self;
        let Workspace { residual, tangents, matrix, .. } = work;
        system.tangent_times(q, rates, 1.0 / (h * h), residual, tangents);
        system.loads.lines.add_product(q, rates, &at.follower_loads, residual);
        system.springs.add_product(at, rates, residual);
        corrections.load_nodal(system, at, residual);
        let (x, y) = corrections.room();
        y.fill(0.0);
        system.close_joints(at, q, rates, y);
        matrix.solve(x, y)?;
        for (follows, &u) in x.iter().zip(&system.unknown) {
            rates[u] += follows;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            rates[slider.coordinate] = match at.sliders[j].constraint {
                Constraint::Open => system.sliders[j].closest_point_rate(q, rates),
                _ => y[slider.border],
            };
        }
        Ok(())
    }
}
