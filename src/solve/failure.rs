//! Why a step cannot be taken, in words.

use super::stepper::StepFault;
use super::tolerances::MOST_SUBSTEPS;
use crate::message::rounded;
use crate::newton::Failure;
use crate::system::{State, System};

/// What lets a mechanism move that jams.
const CURES_OF_JAMS: &str = "; take less friction, change lengths or angles so that the joint is pushed more along its path, or drive it by a load. \
     `coulisse run --list` over the coefficient of friction finds the limit";

/// Of a step of length `h` from `state` that no halving made possible, and that may be `too_long`.
pub(super) fn explain(
    system: &System, state: &State, h: f64, failure: &Failure, too_long: Option<String>,
) -> StepFault {
    let solver = &system.model.solver;
    let (halved, more) = match solver.max_halvings {
        0 => (String::new(), ", allow `solver.max_halvings`"),
        n => (format!(", after halving `solver.step` {n} times"), ""),
    };
    let lower = match system.is_dynamic() {
        false => {
            "; nor is there an equilibrium to be found that lies lower: behind a limit point (`coulisse static` finds \
             these), or where a slider breaks away, nothing may support the loads"
        }
        true => "",
    };
    let advice = match failure {
        Failure::Singular { .. } | Failure::Bristles { .. } => lower.to_string(),
        Failure::Crushed { .. } => format!(
            "; reduce `solver.step`{more}, apply loads more slowly, or use a stiffer member if it \
             is overloaded"
        ),
        Failure::Contradiction { .. } => String::new(),
        Failure::Energy { .. } => format!(
            "; reduce `solver.step`{more}, or look for a mechanism that jams against what drives it, or for a member that is \
             overloaded"
        ),
        Failure::NotConverged { left, .. } if left.depth.is_some() => String::new(),
        Failure::NotConverged { .. } | Failure::Diverged { .. } => format!(
            "; reduce `solver.step`{more}, raise `solver.max_iterations`, apply loads more slowly, \
             or look for a mechanism that locks{lower}"
        ),
    };
    let seen = failure.describe(system);
    let jam = match failure {
        Failure::Contradiction { .. } | Failure::Bristles { .. } => None,
        _ => system.jam(state),
    };
    let why = match (system.dead_position(&state.q), too_long, jam) {
        (Some(why), ..) => why,
        (None, Some(why), _) => format!("it is far too long: {why}{lower}"),
        (None, None, Some(jam)) => format!("{jam}; at last, {seen}{CURES_OF_JAMS}"),
        (None, None, None) => seen + &advice,
    };
    StepFault(format!(
        "step of {} s from t = {} s{halved}: {why}",
        rounded(h, 4),
        rounded(state.time, 10)
    ))
}

/// Of a communication step that has come to `time` after as many steps as it may take, the last of length `h`.
pub(super) fn endless(system: &System, time: f64, h: f64) -> StepFault {
    let step = rounded(system.model.solver.step, 4);
    StepFault(format!(
        "at t = {} s {MOST_SUBSTEPS} steps of this communication step are tried, and the last one is {} s long (`solver.step`: \
         {step} s); take shorter communication steps, allow fewer `solver.max_halvings`, or find out what makes so many steps fail",
        rounded(time, 10),
        rounded(h, 4)
    ))
}
