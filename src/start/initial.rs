//! The mechanism where its motions begin.

use super::assemble::Assembly;
use super::placement::Placement;
use crate::newton::Newton;
use crate::system::{Instant, Iterate, SliderState, State, System, SystemFault};

/// The beginning of the first step.
pub(crate) const START: Instant = Instant::of_communication(0.0);

/// The mechanism in the initial configuration, with motions where they begin and joints closed.
///
/// # Errors
/// When it cannot be assembled.
pub(crate) fn initial_in_place(
    system: &System, inputs: &[f64], newton: &mut Newton,
) -> Result<State, SystemFault> {
    put_in_place(system, State::initial(system, inputs), newton)
}

/// Puts the mechanism in the initial configuration where its motions begin and closes its joints.
///
/// # Errors
/// When it cannot be assembled.
pub(super) fn put_in_place(
    system: &System, mut state: State, newton: &mut Newton,
) -> Result<State, SystemFault> {
    for m in 0..system.motions.len() {
        let motion = system.motions.state_at(m, &state, START);
        state.motions[m] = motion;
    }
    Placement::of(system).open_contacts(&mut state)?;
    let all = place(system, newton, &state);
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
        if let Ok(placed) = place(system, newton, &without) {
            return Ok(placed);
        }
    }
    Err(refused)
}

/// Closes the joints of the mechanism in the initial configuration, `state`, where it is.
///
/// # Errors
/// Where they do not close near there.
fn place(system: &System, newton: &mut Newton, state: &State) -> Result<State, SystemFault> {
    let mut placed = state.clone();
    // What an attempt before has left there.
    newton.at = Iterate::new(system);
    Assembly { system, newton }.assemble(&mut placed)?;
    let placement = Placement::of(system);
    placement.keeps_sides(&mut placed)?;
    placement.is_near(&placed, state)?;
    Ok(placed)
}
