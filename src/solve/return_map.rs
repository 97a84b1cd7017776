//! Steps in which sliders begin to stick and to slide again and again.
//!
//! Contact forces that tremble can give more transitions than a step has room for. The rest of such a
//! step is solved by the law's return map, which asks at the end of the step only who sticks; what sticks
//! there is at rest, and the accelerations start afresh.

use super::impact::Closing;
use super::stepper::{Jump, Rejected, Solved, Stepper};
use crate::system::{Along, Constraint, Instant, SlidingVelocity, State, System};

impl Stepper {
    /// Takes the `rest` of a step, to `end`, without looking for transitions.
    pub(super) fn take_by_return_map(
        &mut self,
        system: &System,
        state: &mut State,
        rest: f64,
        end: Instant,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        self.predict(system, state, rest, end);
        self.at.complementary = true;
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &mut self.at.sliders[j];
            if slider.cuts && own.constraint != Constraint::Open {
                own.along = Along::Law;
                own.velocity = SlidingVelocity::mean(rest, own.before);
            }
        }
        self.solve_step(system, rest)?;
        self.finish(system, state, rest, end, Jump::Transition, watch)?;
        for (slider, now) in system.sliders.iter().zip(&state.sliders) {
            if slider.cuts && now.regime.sticks() {
                state.velocity[slider.coordinate] = 0.0;
            }
        }
        self.close_velocities(system, state, system.model.solver.step, Closing::Caught);
        if self.set_regimes(system, state).is_err() {
            self.go_on_from_rest(state);
        }
        self.note(system, state);
        Ok(())
    }
}
