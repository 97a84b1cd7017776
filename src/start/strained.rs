//! Initial velocities that contradict each other, so that they strain elastic members.

use crate::checked::Analysis;
use crate::message::rounded;
use crate::system::{State, System};

/// So many times the kinetic energy of the start is strained in one step by velocities that contradict each other. What follows from those that are
/// given, by the least sum of both, strains no more than it moves.
const CONTRADICTS: f64 = 10.0;

/// Warnings of initial velocities that would store more than the kinetic energy of a `start` in elastic parts within one step.
pub fn strained(system: &System, start: &State) -> Option<String> {
    let model = &system.model;
    if model.solver.analysis != Analysis::Dynamic || model.start.given.is_empty() {
        return None;
    }
    let step = model.solver.step;
    let parts = system.groups.strained_by(&start.q, &start.velocity);
    let all = step * step * parts.iter().map(|(_, energy)| energy).sum::<f64>();
    let kinetic = system.energy().kinetic(start);
    let (worst, _) = parts.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (all > CONTRADICTS * kinetic).then(|| {
        format!(
            "the velocities of [initial.points] contradict each other: in one step of {} s they store {} J of strain, most of it in {}, and the kinetic \
             energy is {} J; leave out one of those that stretch or bend it, and it follows from the others",
            rounded(step, 4),
            rounded(all, 3),
            worst.name(model),
            rounded(kinetic, 3),
        )
    })
}
