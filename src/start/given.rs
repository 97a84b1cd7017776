//! Given initial velocities that the joints determine already.
//!
//! A slider has two velocities and one freedom: who writes both `vx` and `vy` says one thing twice.
//! What the joints make of the others is then compared with what was written, not imposed.

use crate::message::{figure, rounded};
use crate::system::{State, System, SystemFault};

/// Largest difference between a velocity that is given and the one that the joints make of the
/// others, relative to the fastest one given; digits that were rounded away are no contradiction.
const TOLERANCE: f64 = 1e-4;

/// Largest difference relative to the fastest velocity of the mechanism: what solving for it may leave.
const VELOCITY_TOLERANCE: f64 = 1e-9;

/// The velocity of a free unknown in the model file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Given {
    pub unknown: usize,
    /// m/s or rad/s.
    pub value: f64,
}

impl System {
    /// The velocities of \[initial.points\] and \[initial.bodies\] that nothing prescribes.
    pub(crate) fn given_velocities(&self, driven: &[Option<f64>]) -> Vec<Given> {
        let mut given: Vec<Given> = Vec::new();
        for &(target, direction, value) in &self.model.start.given {
            for unknown in self.nodes.of_target(target, direction) {
                let free = self.equation.has(unknown) && driven[unknown].is_none();
                // Members share the nodes at which they meet, and points may have velocities of their own.
                if free && given.iter().all(|other| other.unknown != unknown) {
                    given.push(Given { unknown, value });
                }
            }
        }
        given
    }

    /// Size of a given velocity, m/s; rotations at the distance of the mechanism's size.
    pub(super) fn speed(&self, given: &Given) -> f64 {
        given.value.abs() * self.arm(given.unknown)
    }

    fn arm(&self, unknown: usize) -> f64 {
        if self.is_rotation[unknown] { self.size } else { 1.0 }
    }

    /// Contents velocities that were not imposed against those of `state`.
    ///
    /// # Errors
    /// When one differs; the message says by how much.
    pub(super) fn compare_given(
        &self, state: &State, imposed: &[Given], rest: &[Given],
    ) -> Result<(), SystemFault> {
        let given = imposed.iter().chain(rest).map(|g| self.speed(g));
        let all =
            (state.velocity[..self.nodal].iter().enumerate()).map(|(u, v)| v.abs() * self.arm(u));
        let allowed =
            TOLERANCE * given.fold(0.0, f64::max) + VELOCITY_TOLERANCE * all.fold(0.0, f64::max);
        for given in rest {
            let made = state.velocity[given.unknown];
            let off = (made - given.value).abs();
            if off * self.arm(given.unknown) > allowed {
                let unit = if self.is_rotation[given.unknown] { "rad/s" } else { "m/s" };
                return Err(SystemFault(format!(
                    "the velocities of [initial.points] do not fit the joints: that of {} is \
                     given as {} {unit}, and the joints and the other velocities make it \
                     {} {unit}, a difference of {} {unit}; leave one of them out",
                    self.model.name_of_unknown(given.unknown, &self.nodes),
                    figure(given.value),
                    rounded(made, 7),
                    rounded(off, 4),
                )));
            }
        }
        Ok(())
    }
}
