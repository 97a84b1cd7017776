//! The mechanism where its motions begin.

use crate::solve::stepper::Stepper;
use crate::system::{Instant, State, System, SystemFault};

/// The beginning of the first step.
pub(crate) const START: Instant = Instant {
    time: 0.0,
    elapsed: 0.0,
    elapsed_before: 0.0,
};

/// The mechanism as drawn, with motions where they begin and joints closed.
///
/// # Errors
/// When it cannot be assembled.
pub(crate) fn as_drawn_in_place(
    system: &System,
    inputs: &[f64],
    stepper: &mut Stepper,
) -> Result<State, SystemFault> {
    put_in_place(system, State::as_drawn(system, inputs), stepper)
}

/// Puts the mechanism as drawn where its motions begin and closes its joints.
///
/// # Errors
/// When it cannot be assembled.
pub(super) fn put_in_place(
    system: &System,
    mut state: State,
    stepper: &mut Stepper,
) -> Result<State, SystemFault> {
    for m in 0..system.motions.len() {
        let motion = system.motion_at(m, &state, START);
        state.motions[m] = motion;
        stepper.motions[m] = motion;
    }
    stepper.open_drawn(system, &mut state)?;
    stepper.assemble(system, &mut state)?;
    system.stays_on_its_side(&mut state)?;
    Ok(state)
}
