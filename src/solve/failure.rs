//! Why there is no solution, in words.

use super::newton::Failure;
use super::stepper::StepFault;
use crate::system::{System, SystemFault};

/// Of a start or a static equilibrium: the mechanism that `what`.
pub(super) fn fault(system: &System, what: &str, failure: &Failure) -> SystemFault {
    SystemFault(match failure {
        // What is free as drawn was refused before.
        Failure::Singular { motion } => format!(
            "the mechanism {what}: {}; or loads and motions ask for more than it can bear in one \
             step",
            system.describe_motion(motion)
        ),
        Failure::NotConverged { residual, .. } => format!(
            "the mechanism {what}: Newton left an imbalance of {residual:.3e} N; check that the \
             joints can be closed and that the loads at t = 0 are not a shock (give them a \
             `history.ramp`)"
        ),
        Failure::Crushed { element } => format!(
            "the mechanism {what}: {}; check that the joints can be closed and that the loads at \
             t = 0 are not a shock (give them a `history.ramp`)",
            system.describe_crushed(*element)
        ),
        Failure::Bristles { reason } => format!(
            "the mechanism {what}: the friction forces of the joints with bounded bristles cannot be found together: \
             {reason}; if nothing but their friction holds the mechanism, it is overloaded"
        ),
        Failure::Diverged { .. } => format!(
            "the mechanism {what}: Newton diverged; check that the joints can be closed and that \
             the loads at t = 0 are not a shock (give them a `history.ramp`)"
        ),
    })
}

/// Of a step of length `h` from `time` that no halving made possible.
pub(super) fn explain(system: &System, time: f64, h: f64, failure: &Failure) -> StepFault {
    let steps = format!("step of {h:.3e} s from t = {time:.9} s");
    let message = match failure {
        Failure::NotConverged {
            iterations,
            residual,
        } => format!(
            "{steps}: Newton stopped at iteration {iterations} with an imbalance of \
             {residual:.3e} N after halving `solver.step` {} times; reduce `solver.step`, raise \
             `solver.max_iterations`, or look for a mechanism that locks",
            system.model.solver.max_halvings
        ),
        Failure::Crushed { element } => format!(
            "{steps}: in the only equilibrium found, also after halving `solver.step` {} times, \
             {}; reduce `solver.step`, apply loads more slowly, or use a stiffer member if it is \
             overloaded",
            system.model.solver.max_halvings,
            system.describe_crushed(*element)
        ),
        Failure::Bristles { reason } => format!(
            "{steps}: the friction forces of the joints with bounded bristles cannot be found together, also after \
             halving `solver.step` {} times: {reason}; if nothing but their friction holds the \
             mechanism, it is overloaded",
            system.model.solver.max_halvings
        ),
        Failure::Diverged { iterations } => format!(
            "{steps}: Newton diverged at iteration {iterations} although `solver.step` was \
             halved {} times; reduce `solver.step` or check loads and stiffnesses",
            system.model.solver.max_halvings
        ),
        Failure::Singular { motion } => format!(
            "{steps}: the equations are singular; {}",
            system.describe_motion(motion)
        ),
    };
    StepFault { message }
}
