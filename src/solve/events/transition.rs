//! Steps that are cut where a slider begins to stick or to slide, lifts off or touches down, meets a stop or a kink.
//!
//! Under a law that is set-valued at rest a slider sticks over a step, ds = 0 with |Q_s| ≤ μ_s F_N, or slides with the law's force
//! F_f = F_dry(|ṡ|) sgn ṡ and its viscous part, where ṡ is the velocity of the time integration at the step's end and not (s − s_t)/Δt, so that
//! the method keeps its order. A contact that can open is closed over a whole step, or open, and a stop holds a slider or does not. Where one of
//! the conditions of `search.rs` is broken the step is cut.
//!
//! There accelerations start afresh, after an impact where a gap vanishes or a slider reaches a stop or a kink, with sets that fit together, see
//! `accelerations.rs`. Where what then sticks and slides does not last to the end of the step, as where stiffness answers it within, an
//! implicit step says what sticks and slides, see `implicit.rs`.

use super::accelerations::Discontinuity;
use super::contact::{leave_path, turn_over};
use super::search::Condition;
use crate::joints::regime::{Regime, Sense};
use crate::system::State;

impl Discontinuity<'_> {
    /// Gives the sliders that are at an event a new regime, and `state` the velocities and accelerations that go with it.
    pub(crate) fn change_regimes(&mut self, state: &mut State) {
        let system = self.system;
        self.search.note_touching(system, state);
        for (j, slider) in system.sliders.iter().enumerate() {
            let there = |condition| self.search.is_there(condition, j);
            let s = slider.coordinate;
            let mut meets = false;
            let flies = state.sliders[j].regime.is_open();
            if there(Condition::Contact) && flies && system.sliders[j].has_missed(&state.q) {
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
            self.impulses().close_positions(state);
            self.impulses().impact(state, true);
            let _ = self.set_regimes(state);
            system.energy().renew(state);
            return;
        }
        for j in 0..system.sliders.len() {
            if !self.search.is_there(Condition::Friction, j) || state.sliders[j].regime.is_open() {
                continue;
            }
            state.sliders[j].regime = if state.sliders[j].regime.sticks() {
                self.search.sliders[j].breaks_away = self.search.breaks_away;
                Regime::Slip(Sense::pushed(self.search.sliders[j].pull))
            } else {
                self.search.sliders[j].arrives = true;
                Regime::Stick
            };
        }
        let _ = self.agree(state);
        for own in &mut self.search.sliders {
            (own.breaks_away, own.arrives) = (false, false);
        }
        system.energy().renew(state);
    }
}
