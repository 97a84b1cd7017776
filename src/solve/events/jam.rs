//! Sliders that jam at an instant: sliding has no acceleration there.
//!
//! The force that presses a slider grows with its friction, so that no force balances it as it slides (Painlevé's paradox). An impulse then stops it. Which
//! sliders stop is what the implicit Euler method finds over a short time, in which finite forces change next to nothing. These come to rest, and those that
//! slide on have the friction of what presses them at once.

use super::impact::Closing;
use crate::joints::regime::Regime;
use crate::newton::{Failure, friction_agrees};
use crate::solve::scheme::Scheme;
use crate::solve::stepper::Stepper;
use crate::solve::tolerances::{AT_ONCE, HALVINGS_BEFORE_SWITCH};
use crate::system::{Instant, Span, State, System};

impl Stepper {
    /// Gives `state` the regimes that its velocities ask for and the accelerations; where sliding has none, what jams is at rest before.
    ///
    /// # Errors
    /// Where no accelerations exist.
    pub(crate) fn set_regimes_or_jam(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), Failure> {
        let mut outcome = self.discontinuity(system).set_regimes(state);
        for _ in 0..system.sliders.len() {
            let newton = &self.integrator.newton;
            let agrees = || friction_agrees(system, &newton.at, &newton.work);
            if outcome.is_err() || agrees() {
                break;
            }
            // Forces that are no solution would be a stiffness of what they turn with.
            state.multipliers.fill([0.0; 3]);
            state.pins.fill([0.0; 2]);
            if !self.find_jammed(system, state) {
                return self.discontinuity(system).set_regimes(state);
            }
            self.discontinuity(system).impulses().close_velocities(state, Closing::Jam);
            outcome = self.discontinuity(system).set_regimes(state);
        }
        outcome
    }

    /// Lets those sliders stick in `state` that come to rest at once; whether there are any.
    fn find_jammed(&mut self, system: &System, state: &mut State) -> bool {
        let length = AT_ONCE * state.step();
        let end = Instant { time: state.time + length, elapsed: length, elapsed_before: 0.0 };
        self.integrator.scheme = Scheme::Euler;
        let span = Span { length, end, halvings: HALVINGS_BEFORE_SWITCH };
        let solved = self.integrator.attempt(system, state, span).is_ok();
        self.integrator.scheme = Scheme::Alpha;
        let mut any = false;
        let found = self.integrator.newton.work.sliders.iter();
        for ((slider, own), found) in system.sliders.iter().zip(&mut state.sliders).zip(found) {
            let slides = slider.cuts && matches!(own.regime, Regime::Slip(_));
            if solved && slides && found.state.regime.sticks() {
                own.regime = Regime::Stick;
                any = true;
            }
        }
        any
    }
}
