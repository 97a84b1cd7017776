//! The mechanism where its motions begin.

use crate::checked::Side;
use crate::joints::regime::Regime;
use crate::message::rounded;
use crate::model::wrong_side;
use crate::numerics::positions::Positions;
use crate::solve::stepper::Stepper;
use crate::system::{Instant, Iterate, SliderState, State, System, SystemFault};

/// The beginning of the first step.
pub(crate) const START: Instant = Instant::of_communication(0.0);

/// Share of the mechanism's size by which any point may move where joints are closed.
const NEAR: f64 = 0.02;

/// So many times √(g/L) of it more, for a gap g.
const STRETCHES: f64 = 4.0;

/// The mechanism in the initial configuration, with motions where they begin and joints closed.
///
/// # Errors
/// When it cannot be assembled.
pub(crate) fn initial_in_place(
    system: &System, inputs: &[f64], stepper: &mut Stepper,
) -> Result<State, SystemFault> {
    put_in_place(system, State::initial(system, inputs), stepper)
}

/// Puts the mechanism in the initial configuration where its motions begin and closes its joints.
///
/// # Errors
/// When it cannot be assembled.
pub(super) fn put_in_place(
    system: &System, mut state: State, stepper: &mut Stepper,
) -> Result<State, SystemFault> {
    for m in 0..system.motions.len() {
        let motion = system.motions.state_at(m, &state, START);
        state.motions[m] = motion;
        stepper.motions[m] = motion;
    }
    system.open_drawn(&mut state)?;
    let all = stepper.place(system, &state);
    let Err(refused) = all else {
        return all;
    };
    // More contacts than a rigid part can touch with, one of them on a rough path: one is off its path.
    for j in 0..system.sliders.len() {
        if system.sliders[j].side.is_none() || state.sliders[j].regime.is_open() {
            continue;
        }
        let mut without = state.clone();
        without.sliders[j] = SliderState::lifted();
        if let Ok(placed) = stepper.place(system, &without) {
            return Ok(placed);
        }
    }
    Err(refused)
}

impl Stepper {
    /// Closes the joints of the mechanism in the initial configuration, `state`, where it is.
    ///
    /// # Errors
    /// Where they do not close near there.
    fn place(&mut self, system: &System, state: &State) -> Result<State, SystemFault> {
        let mut placed = state.clone();
        // What an attempt before has left there.
        self.at = Iterate::new(system);
        self.assemble(system, &mut placed)?;
        system.stays_on_its_side(&mut placed)?;
        system.is_near(&placed, state)?;
        Ok(placed)
    }
}

impl System {
    /// Which of the contacts that can open are open at the start: those that are drawn with a gap.
    ///
    /// # Errors
    /// When a slider is on the wrong side of its path.
    fn open_drawn(&self, state: &mut State) -> Result<(), SystemFault> {
        let initial = Positions::from(&self.initial[..]);
        for (j, slider) in self.sliders.iter().enumerate() {
            let Some(side) = slider.side else { continue };
            // Drawn on the axis or on the surface of a rough path: both mean on the path.
            let near = self.sliders[j].initial_reach();
            if slider.starts_on_axis(&initial) {
                continue;
            }
            let gap = self.sliders[j].move_to_closest_point(&mut state.q);
            let regime = self.sliders[j].regime_in_air(&state.q, false);
            if gap > near || (regime == Regime::Passed && gap < -near) {
                state.sliders[j] = SliderState { regime, ..SliderState::lifted() };
            } else if gap < -near {
                let s = state.q[slider.coordinate];
                return Err(self.on_the_wrong_side(j, -gap, s, side));
            }
        }
        Ok(())
    }

    /// Looks whether open contacts are on their side of their paths where the motions have put them.
    ///
    /// # Errors
    /// When one is not.
    fn stays_on_its_side(&self, state: &mut State) -> Result<(), SystemFault> {
        for (j, slider) in self.sliders.iter().enumerate() {
            if let (Some(side), true) = (slider.side, state.sliders[j].regime.is_open()) {
                let gap = self.sliders[j].move_to_closest_point(&mut state.q);
                let regime = self.sliders[j].regime_in_air(&state.q, false);
                state.sliders[j].regime = regime;
                if regime == Regime::Open && gap < -self.sliders[j].initial_reach() {
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

    /// Whether the mechanism is where it was `drawn`, as far as its gaps tell: a gap g moves what is near a dead centre of the size L by
    /// about √(g L), and what it moves farther has found another place, behind the hills of a rough path, say. Where motions lead it is not asked.
    ///
    /// # Errors
    /// Says which point is elsewhere.
    fn is_near(&self, placed: &State, drawn: &State) -> Result<(), SystemFault> {
        if drawn.motions.iter().any(|motion| motion.value != 0.0) {
            return Ok(());
        }
        let gap = self.largest_gap(drawn);
        let allowed = self.size * (NEAR + STRETCHES * (gap / self.size).sqrt());
        let moved = |[x, y]: [usize; 2]| {
            let way = |u: usize| placed.q.way(u, &drawn.q);
            way(x).hypot(way(y))
        };
        let positions = self.nodes.positions();
        let farthest = positions.max_by(|a, b| moved(*a).total_cmp(&moved(*b)));
        let Some(position) = farthest.filter(|position| moved(*position) > allowed) else {
            return Ok(());
        };
        Err(SystemFault(format!(
            "the mechanism cannot be assembled at t = 0 near the initial configuration: its joints are open by up to {} m and close only with {} moved by \
             {} m (allowed: {} m); place its points so that they are closed, or leave one of them out where one part cannot \
             be on the paths of all (a rigid bar on three wheels, one of them on a rough path)",
            rounded(gap, 3),
            self.name_of(position[0]),
            rounded(moved(position), 3),
            rounded(allowed, 2),
        )))
    }
}
