//! Initial velocities that contradict each other, so that they strain elastic members.

use crate::checked::Analysis;
use crate::elements::group::{TangentRoom, Tangents};
use crate::message::rounded;
use crate::system::{Group, State, System};

/// So many times the kinetic energy of the start is strained in one step by velocities that contradict each other. What follows from those that are
/// given, by the least sum of both, strains no more than it moves.
const CONTRADICTS: f64 = 10.0;

/// Warnings of initial velocities that would store more than the kinetic energy of a `start` in elastic parts within one step.
pub fn strained(system: &System, start: &State) -> Option<String> {
    let model = &system.model;
    if model.solver.analysis != Analysis::Dynamic || model.start.given.is_empty() {
        return None;
    }
    let (step, v) = (model.solver.step, &start.velocity);
    let (mut room, mut force) = (TangentRoom::default(), vec![0.0; system.nodal]);
    // ½ h² q̇ᵀ K q̇ of each part.
    let mut energy = |group: &Group| {
        force.fill(0.0);
        let tangents = &mut room;
        (group.elements)
            .tangents(&start.q, Tangents::All, tangents, |k| k.add_product(v, &mut force));
        let power: f64 = force.iter().zip(v).map(|(f, v)| f * v).sum();
        0.5 * step * step * power
    };
    let parts = system.groups.iter().map(|group| (energy(group), group.owner));
    let parts: Vec<_> = parts.collect();
    let all: f64 = parts.iter().map(|(energy, _)| energy).sum();
    let kinetic = system.energy().kinetic(start);
    let (_, worst) = parts.iter().max_by(|a, b| a.0.total_cmp(&b.0))?;
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
