//! The first state: positions that satisfy the joints or are in equilibrium, then velocities, then accelerations
//! and multipliers.

pub(crate) mod approach;
mod assemble;
pub(crate) mod contact_continuation;
pub(crate) mod initial;

pub(crate) mod equilibrium;
pub(crate) mod given;
mod jammed;
mod locked;
mod placement;
mod slid;
mod strained;
mod undetermined;
pub(crate) mod velocities;

pub use equilibrium::equilibrium;
pub use jammed::jammed;
pub use locked::{Overloaded, locked_beyond_friction};
pub use slid::slid;
pub use strained::strained;

use self::equilibrium::{loads_resist, settle};
use self::initial::put_in_place;
use self::velocities::Velocities;
use crate::checked::Analysis;
use crate::message::figure;
use crate::newton::{Failure, Newton, fault};
use crate::solve::stepper::Stepper;
use crate::system::{RigidMotions, State, System, SystemFault, Tuning};

/// The consistent state at t = 0 for the given inputs (one per `Checked::inputs`).
///
/// # Errors
/// When the mechanism is singular or cannot start; the message says which part.
pub fn start(system: &System, inputs: &[f64]) -> Result<State, SystemFault> {
    start_tuned(system, inputs, Tuning::of(&system.model))
}

/// [`start()`] with other numbers than the file's beside the system.
///
/// # Errors
/// As [`start()`].
pub fn start_tuned(system: &System, inputs: &[f64], tuning: Tuning) -> Result<State, SystemFault> {
    Stepper::new(system).start(system, inputs, tuning)
}

/// [`start_tuned`] solved down to rounding instead of the solver's tolerances: for differences of
/// starts.
///
/// # Errors
/// As [`start()`].
pub fn start_to_rounding(
    system: &System, inputs: &[f64], tuning: Tuning,
) -> Result<State, SystemFault> {
    let mut stepper = Stepper::new(system);
    stepper.integrator.newton.corrections.to_rounding = true;
    stepper.start(system, inputs, tuning)
}

impl Stepper {
    /// [`start()`]; the solution for the accelerations is then in the iterate.
    pub(crate) fn start(
        &mut self, system: &System, inputs: &[f64], tuning: Tuning,
    ) -> Result<State, SystemFault> {
        let mobility = RigidMotions::of(system).are_resisted();
        if system.model.solver.analysis == Analysis::Dynamic {
            mobility.clone()?;
        }
        let mut initial = State::initial(system, inputs);
        initial.tuning = tuning;
        let mut state = put_in_place(system, initial, &mut self.integrator.newton)?;
        let newton = &mut self.integrator.newton;
        match system.model.solver.analysis {
            Analysis::QuasiStatic => {
                settle(system, newton, &mut state, None)?;
                loads_resist(system, newton, mobility)?;
            }
            Analysis::Dynamic => {
                if let Some(fixed_sliders) = system.model.start.equilibrium {
                    settle(system, newton, &mut state, Some(fixed_sliders))?;
                }
                // What rounding has left open would be a force.
                self.discontinuity(system).impulses().close_positions(&mut state);
                let newton = &mut self.integrator.newton;
                Velocities { system, newton }.set_and_open(&mut state)?;
                self.search.note_touching(system, &state);
                let outcome = self.set_regimes_or_jam(system, &mut state);
                let newton = &mut self.integrator.newton;
                outcome.map_err(|failure| cannot_start(system, newton, &state, failure))?;
            }
        }
        self.integrator.report(system, &mut state);
        state.begin_journal();
        system.energy().renew_all(&mut state);
        // What jams at once has lost its energy within the start.
        let lost = state.energy.impact_loss - state.energy.input_work;
        state.energy.start = state.energy.mechanical + state.friction_stored() + lost;
        Ok(state)
    }
}

/// The start has met with `failure`: whether the solver's step, of which it takes a part, is far too long.
pub(super) fn too_long_to_start(
    system: &System, newton: &mut Newton, state: &State, failure: &Failure,
) -> Option<SystemFault> {
    let step = system.model.solver.step;
    let why = newton.too_long(system, state, step, failure)?;
    Some(SystemFault(format!(
        "the mechanism cannot start: `solver.step` is {} s, far too long: {why}",
        figure(step)
    )))
}

/// What a start without accelerations says.
fn cannot_start(
    system: &System, newton: &mut Newton, state: &State, failure: Failure,
) -> SystemFault {
    let too_long = too_long_to_start(system, newton, state, &failure);
    too_long.unwrap_or_else(|| {
        let SystemFault(text) = fault(system, "cannot start", &failure);
        SystemFault(match failure {
            Failure::Singular { .. } | Failure::Bristles { .. } => text,
            _ => text + ", or reduce `solver.step`",
        })
    })
}
