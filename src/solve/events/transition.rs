//! Steps that are cut where a slider begins to stick or to slide, lifts off or touches down, meets a stop or a kink.
//!
//! Under a law that is set-valued at rest, in a step a slider either sticks, ds = 0 with |Q_s| ≤ μ_s F_N, or slides with the law's force
//! F_f = F_dry(|ṡ|) sgn ṡ and its viscous part, where ṡ is the velocity of the time integration at
//! the step's end and not (s − s_t)/Δt, so that the method keeps its order. A step over which that
//! changes is cut there:
//!
//! - a slider that sticks breaks away where |Q_s| reaches μ_s F_N,
//! - one that slides comes to rest where ṡ changes its sign.
//!
//! A contact that can open is closed over a whole step, or open, and a stop holds a slider or does not. The
//! step is cut, too,
//!
//! - where a closed contact, or a stop that holds, would begin to pull, or a slider leaves its path at an end,
//! - where the gap of an open contact vanishes, a slider reaches a stop, or a kink of its path: an impact.
//!
//! Where friction changes, an implicit
//! step says what sticks and slides from there on, see `implicit.rs`. Otherwise the accelerations start afresh, and which of
//! the sliders at rest stick is what fits together: none that sticks carries more than it bears, none that slides is driven
//! back. All sliders together.

use super::contact::{leave_path, turn_over};
use super::impact::Closing;
use super::search::Condition;
use crate::joints::regime::{Regime, Sense};
use crate::solve::stepper::Stepper;
use crate::system::{State, System};

impl Stepper {
    /// Gives the sliders that are at an event a new regime, and `state` the velocities and accelerations that
    /// go with it.
    pub(crate) fn change_regimes(&mut self, system: &System, state: &mut State) {
        self.note_touching(system, state);
        for (j, slider) in system.sliders.iter().enumerate() {
            let there = |condition| self.search.is_there(condition, j);
            let s = slider.coordinate;
            let mut meets = false;
            let flies = state.sliders[j].regime.is_open();
            if there(Condition::Contact) && flies && system.has_missed(j, &state.q) {
                state.sliders[j].regime = Regime::Passed;
            } else if there(Condition::Contact) {
                // What leaves its path meets nothing on it.
                meets = flies;
                self.search.sliders[j].touching = true;
                turn_over(state, j);
            } else if there(Condition::Kink) {
                meets = true;
                if let Some(kink) = self.search.sliders[j].kink {
                    state.q.set(s, kink.behind());
                }
            } else if there(Condition::Stop) && slider.leaves() {
                self.search.sliders[j].touching = false;
                leave_path(system, state, j);
            } else if there(Condition::Stop) {
                let regime = state.sliders[j].regime;
                state.sliders[j].regime = match (regime, slider.stop_near(state.q[s])) {
                    (Regime::AtStop(_), _) | (_, None) => Regime::default(),
                    (_, Some(end)) => {
                        meets = true;
                        state.q.set(s, slider.path.end(end));
                        Regime::AtStop(end)
                    }
                };
            }
            self.search.sliders[j].meets = meets;
        }
        if self.search.sliders.iter().any(|own| own.meets) {
            // What stands at a stop or a kink stays there exactly.
            let h = state.step();
            self.close_positions(system, state, h);
            self.close_settled(system, state, h);
            self.impact(system, state, h, true);
            self.note_parted(system, state);
            let _ = self.set_regimes(system, state);
            system.renew_energy(state);
            return;
        }
        let mut caught = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            if !self.search.is_there(Condition::Friction, j) || state.sliders[j].regime.is_open() {
                continue;
            }
            state.sliders[j].regime = if state.sliders[j].regime.sticks() {
                Regime::Slip(Sense::pushed(self.search.sliders[j].pull))
            } else {
                state.velocity[slider.coordinate] = 0.0;
                caught = true;
                Regime::Stick
            };
        }
        if caught {
            // At the border of a step it was not quite at rest, nor are the nodes then.
            let h = state.step();
            self.close_velocities(system, state, h, Closing::Caught);
        }
        let _ = self.agree(system, state);
        system.renew_energy(state);
    }
}
