//! Steps in which no instants are looked for.
//!
//! Events can follow each other without end in a finite time, as the bounces of a ball do. After so many that
//! a step has room for, its rest is one implicit Euler step,
//!
//! ```text
//! q₁ = q₀ + τ q̇₁,    M (q̇₁ − q̇₀) = τ f(q₁, q̇₁)
//! ```
//!
//! with the conditions of contacts, stops and friction at its end: 0 ≤ g₁ ⟂ λ₁ ≥ 0, and friction against the way
//! that is slid. None of them gives energy in it, and what they have closed meets in an impact without restitution.

use super::alpha::Weights;
use super::impact::Closing;
use super::stepper::{Jump, Rejected, Rest, Solved, Stepper};
use crate::system::{Along, Constraint, SlidingVelocity, State, System};

impl Stepper {
    /// Takes the `rest` of a step.
    pub(super) fn take_by_kernel(
        &mut self,
        system: &System,
        state: &mut State,
        rest: Rest,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let weights = std::mem::replace(&mut self.weights, Weights::EULER);
        state.algorithmic.fill(0.0);
        let outcome = self.solve_kernel_step(system, state, rest, watch);
        self.weights = weights;
        outcome?;
        let h = system.model.solver.step;
        for (meets, (was, is)) in
            (self.impacts.meets.iter_mut()).zip(self.crossing.regimes.iter().zip(&state.sliders))
        {
            *meets =
                was.is_open() != is.regime.is_open() || was.is_stopped() != is.regime.is_stopped();
        }
        self.close_settled(system, state, h);
        self.impact(system, state, h, false);
        for (slider, now) in system.sliders.iter().zip(&state.sliders) {
            if slider.cuts && now.regime.sticks() {
                state.velocity[slider.coordinate] = 0.0;
            }
        }
        self.note_parted(system, state);
        self.close_velocities(system, state, h, Closing::Caught);
        if self.set_regimes(system, state).is_err() {
            self.go_on_from_rest(state);
        }
        self.note(system, state);
        Ok(())
    }

    fn solve_kernel_step(
        &mut self,
        system: &System,
        state: &mut State,
        rest: Rest,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let (length, end) = (rest.length, rest.end);
        self.predict(system, state, length, end);
        self.at.complementary = true;
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &mut self.at.sliders[j];
            own.from = None;
            if slider.cuts && own.constraint != Constraint::Open {
                own.along = Along::Law;
                own.velocity = SlidingVelocity::mean(length, own.before);
            }
        }
        self.solve_step(system, length)?;
        self.finish(system, state, length, end, Jump::Transition, watch)
    }
}
