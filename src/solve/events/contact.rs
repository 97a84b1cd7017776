//! Contacts that open and close, and sliders that leave their paths at an end.
//!
//! Lifting off and touching down are found inside the step with the other events, see `judge.rs`; a
//! touch-down is an impact, see `impact.rs`. Which of those that touch stay closed afterwards, see `accelerations.rs`.

use super::search::Search;
use crate::joints::regime::{End, Regime};
use crate::newton::Newton;
use crate::system::{Constraint, SliderJoints, SliderState, State, System};

impl SliderJoints {
    /// Whether something of them in a step can make it end early.
    pub(crate) fn have_events(&self) -> bool {
        self.iter().any(|slider| {
            slider.cuts
                || slider.creeps
                || slider.side.is_some()
                || slider.ends.breaks_off()
                || slider.kinks
        })
    }
}

impl SliderState {
    /// Off its path; bristles forget.
    pub(crate) fn lifted() -> SliderState {
        SliderState { regime: Regime::Open, ..SliderState::default() }
    }
}

impl Newton {
    /// Gives s of contacts whose nearest place has jumped, or is at a corner or an end, the rate of the nearest place there: the
    /// quadrature of the step knows nothing of it. What has passed an end is kept.
    pub(crate) fn follow_closest_points(&self, system: &System, state: &mut State) {
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            if own.constraint != Constraint::Open {
                continue;
            }
            state.sliders[j].regime = system.sliders[j].regime_in_air(&state.q, own.passed);
            if own.strayed {
                let s = slider.coordinate;
                state.velocity[s] = system.sliders[j].closest_point_rate(&state.q, &state.velocity);
                state.acceleration[s] = 0.0;
                state.algorithmic[s] = 0.0;
            }
        }
    }
}

impl Search {
    /// The contacts that may take part in what happens at `state`: those that are closed.
    pub fn note_touching(&mut self, system: &System, state: &State) {
        let all = system.sliders.iter().zip(&state.sliders);
        for (tried, (slider, own)) in self.sliders.iter_mut().zip(all) {
            let s = state.q.get(slider.coordinate);
            let rests = state.velocity[slider.coordinate].abs() <= system.rest_speed();
            let there = |end: &End| slider.beyond_end(*end, s).abs() <= slider.rounding();
            tried.touching = slider.side.is_some() && !own.regime.is_open();
            tried.stop = match own.regime {
                Regime::AtStop(end) => Some(end),
                _ if rests => slider.stop_near(s.rounded).filter(there),
                _ => None,
            };
        }
    }
}

/// Opens a contact that is closed, closes one that is open.
pub(super) fn turn_over(state: &mut State, j: usize) {
    state.multipliers[j] = [0.0; 3];
    state.sliders[j] = if state.sliders[j].regime.is_open() {
        SliderState::default()
    } else {
        SliderState::lifted()
    };
}

/// Lets slider `j` go where it is at an end of its path. One that can lift off is beyond the end from then on, and lands again
/// if it comes back.
pub(super) fn leave_path(system: &System, state: &mut State, j: usize) {
    let slider = &system.sliders[j];
    let s = slider.coordinate;
    state.q.set(s, slider.path.end(slider.end_near(state.q[s])));
    state.velocity[s] = 0.0;
    state.multipliers[j] = [0.0; 3];
    if slider.bare {
        slider.unknowns.iter().for_each(|&u| state.rest(u));
        system.motions.give_rates(state);
    }
    state.sliders[j] = SliderState { regime: Regime::Passed, ..SliderState::default() };
}
