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
    /// What makes it a speed: of rotations the size of the mechanism, m.
    arm: f64,
}

/// Given velocities that are independent of each other and of the joints, and the rest.
pub(crate) struct GivenVelocities {
    pub imposed: Vec<Given>,
    pub rest: Vec<Given>,
}

impl Given {
    /// The velocities of \[initial.points\] and \[initial.bodies\] that nothing prescribes.
    pub fn all(system: &System, driven: &[Option<f64>]) -> Vec<Given> {
        let mut given: Vec<Given> = Vec::new();
        for &(target, direction, value) in &system.model.start.given {
            for unknown in system.nodes.of_target(target, direction) {
                let free = system.equation.has(unknown) && driven[unknown].is_none();
                // Members share the nodes at which they meet, and points may have velocities of their own.
                if free && given.iter().all(|other| other.unknown != unknown) {
                    given.push(Given::of(system, unknown, value));
                }
            }
        }
        given
    }

    /// The velocity `value` (m/s or rad/s) of a free unknown.
    pub fn of(system: &System, unknown: usize, value: f64) -> Given {
        Given { unknown, value, arm: arm(system, unknown) }
    }

    /// Its size, m/s; of rotations at the distance of the mechanism's size.
    pub fn speed(&self) -> f64 {
        self.value.abs() * self.arm
    }
}

impl GivenVelocities {
    /// Holds velocities that were not imposed against those of `state`.
    ///
    /// # Errors
    /// When one differs; the message says by how much.
    pub fn agree_with(&self, system: &System, state: &State) -> Result<(), SystemFault> {
        let given = self.imposed.iter().chain(&self.rest).map(Given::speed);
        let all = (state.velocity[..system.nodal].iter().enumerate())
            .map(|(u, v)| v.abs() * arm(system, u));
        let allowed =
            TOLERANCE * given.fold(0.0, f64::max) + VELOCITY_TOLERANCE * all.fold(0.0, f64::max);
        for given in &self.rest {
            let made = state.velocity[given.unknown];
            let off = (made - given.value).abs();
            if off * given.arm > allowed {
                let unit = if system.is_rotation[given.unknown] { "rad/s" } else { "m/s" };
                return Err(SystemFault(format!(
                    "the velocities of [initial.points] do not fit the joints: that of {} is \
                     given as {} {unit}, and the joints and the other velocities make it \
                     {} {unit}, a difference of {} {unit}; leave one of them out",
                    system.model.name_of_unknown(given.unknown, &system.nodes),
                    figure(given.value),
                    rounded(made, 7),
                    rounded(off, 4),
                )));
            }
        }
        Ok(())
    }
}

/// The distance at which a rotation is a speed, m; 1 of a translation.
fn arm(system: &System, unknown: usize) -> f64 {
    if system.is_rotation[unknown] { system.size } else { 1.0 }
}
