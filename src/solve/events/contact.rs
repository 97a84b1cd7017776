//! Contacts that open and close, and sliders that leave their paths at an end.
//!
//! Lifting off and touching down are found inside the step with the other events, see `judge.rs`; a
//! touch-down is an impact, see `impact.rs`. Which of those that touch stay closed afterwards, see `accelerations.rs`.

use crate::joints::regime::{End, Regime};
use crate::model::checked::Side;
use crate::model::wrong_side;
use crate::solve::stepper::Stepper;
use crate::system::{Constraint, SliderState, State, System, SystemFault};

impl System {
    /// Whether something in a step can make it end early.
    pub(crate) fn has_events(&self) -> bool {
        self.sliders.iter().any(|slider| {
            slider.cuts
                || slider.creeps
                || slider.side.is_some()
                || slider.ends.breaks_off()
                || slider.kinks
        })
    }
}

impl System {
    /// Looks whether open contacts are on their side of their paths where the motions have put them.
    ///
    /// # Errors
    /// When one is not.
    pub(crate) fn stays_on_its_side(&self, state: &mut State) -> Result<(), SystemFault> {
        for (j, slider) in self.sliders.iter().enumerate() {
            if let (Some(side), true) = (slider.side, state.sliders[j].regime.is_open()) {
                let gap = self.place_foot(j, &mut state.q);
                let regime = self.regime_in_air(j, &state.q, false);
                state.sliders[j].regime = regime;
                if regime == Regime::Open && gap < -self.near_as_drawn(j) {
                    return Err(self.on_the_wrong_side(j, -gap, state.q[slider.coordinate], side));
                }
            }
        }
        Ok(())
    }

    fn on_the_wrong_side(&self, j: usize, depth: f64, s: f64, side: Side) -> SystemFault {
        let described = &self.model.sliders[j];
        SystemFault(wrong_side(
            &self.model.path_of_slider(j),
            &self.model.points[described.point].name,
            depth,
            s,
            side,
        ))
    }
}

impl SliderState {
    /// Off its path; bristles forget.
    pub(crate) fn lifted() -> SliderState {
        SliderState {
            regime: Regime::Open,
            ..SliderState::default()
        }
    }
}

impl Stepper {
    /// The contacts that may take part in what happens at `state`: those that are closed.
    pub(crate) fn note_touching(&mut self, system: &System, state: &State) {
        for (tried, (slider, own)) in
            (self.search.sliders.iter_mut()).zip(system.sliders.iter().zip(&state.sliders))
        {
            tried.touching = slider.side.is_some() && !own.regime.is_open();
            let (s, v) = (
                state.q.get(slider.coordinate),
                state.velocity[slider.coordinate],
            );
            let there = |end: &End| slider.beyond_end(*end, s).abs() <= slider.rounding();
            tried.stop = match own.regime {
                Regime::AtStop(end) => Some(end),
                _ if v.abs() <= system.rest_speed() => slider.stop_near(s.rounded).filter(there),
                _ => None,
            };
        }
    }

    /// Gives s of contacts whose foot has jumped, or is at a corner or an end, the rate of the foot there: the
    /// quadrature of the step knows nothing of it. What has passed an end is kept.
    pub(crate) fn follow_feet(&self, system: &System, state: &mut State) {
        for (j, slider) in system.sliders.iter().enumerate() {
            let own = &self.at.sliders[j];
            if own.constraint != Constraint::Open {
                continue;
            }
            state.sliders[j].regime = system.regime_in_air(j, &state.q, own.passed);
            if own.strayed {
                let s = slider.coordinate;
                state.velocity[s] = system.foot_rate(j, &state.q, &state.velocity);
                state.acceleration[s] = 0.0;
                state.algorithmic[s] = 0.0;
            }
        }
    }

    /// Which of the contacts that can open are open at the start: those that are drawn with a gap.
    ///
    /// # Errors
    /// When a slider is on the wrong side of its path.
    pub(crate) fn open_drawn(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), SystemFault> {
        for (j, slider) in system.sliders.iter().enumerate() {
            let Some(side) = slider.side else { continue };
            // Drawn on the axis or on the surface of a rough path: both mean on the path.
            let near = system.near_as_drawn(j);
            if system.is_drawn_on_axis(j) {
                continue;
            }
            let gap = system.place_foot(j, &mut state.q);
            let regime = system.regime_in_air(j, &state.q, false);
            if gap > near || (regime == Regime::Passed && gap < -near) {
                state.sliders[j] = SliderState {
                    regime,
                    ..SliderState::lifted()
                };
            } else if gap < -near {
                let s = state.q[slider.coordinate];
                return Err(system.on_the_wrong_side(j, -gap, s, side));
            }
        }
        Ok(())
    }

    /// Velocities at the start. Where those that are given lead a slider off its path, it leaves it.
    pub(crate) fn set_velocities_and_contacts(
        &mut self,
        system: &System,
        state: &mut State,
    ) -> Result<(), SystemFault> {
        let Err(fault) = self.set_velocities(system, state) else {
            return Ok(());
        };
        let mut any = false;
        for (slider, described) in state.sliders.iter_mut().zip(&system.model.sliders) {
            let given = system
                .model
                .start
                .given
                .iter()
                .map(|(target, _, _)| *target);
            let is_given = system.model.is_among(described.point, given);
            if described.side.is_some() && !slider.regime.is_open() && is_given {
                *slider = SliderState::lifted();
                any = true;
            }
        }
        if !any || self.set_velocities(system, state).is_err() {
            return Err(fault);
        }
        Ok(())
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
        for &u in &slider.unknowns {
            state.velocity[u] = 0.0;
            state.acceleration[u] = 0.0;
            state.algorithmic[u] = 0.0;
        }
        system.follow_motions(state);
    }
    state.sliders[j] = SliderState {
        regime: Regime::Passed,
        ..SliderState::default()
    };
}
