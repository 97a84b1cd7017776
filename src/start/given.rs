//! Given initial velocities that the joints determine already.
//!
//! A slider has two velocities and one freedom: who writes both `vx` and `vy` says one thing twice.
//! What the joints make of the others is then compared with what was written, not imposed.

use crate::message::{figure, rounded};
use crate::solve::stepper::Stepper;
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
                    given.push(Given { unknown, value, arm: arm(system, unknown) });
                }
            }
        }
        given
    }

    /// Its size, m/s; of rotations at the distance of the mechanism's size.
    fn speed(&self) -> f64 {
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

impl Stepper {
    /// Splits the given velocities into those that are independent of each other and of the
    /// joints, and the rest. The fastest are taken first: what follows from a fast one loses no
    /// digits.
    pub(crate) fn split_given(
        &mut self, system: &System, mut given: Vec<Given>,
    ) -> GivenVelocities {
        given.sort_by(|a, b| b.speed().total_cmp(&a.speed()));
        // Where already the joints alone cannot be solved for, nothing is learned by leaving out.
        if given.is_empty() || self.can_impose(system, &given) || !self.can_impose(system, &[]) {
            return GivenVelocities { imposed: given, rest: Vec::new() };
        }
        let [mut imposed, mut rest] = [Vec::new(), Vec::new()];
        for one in given {
            imposed.push(one);
            if !self.can_impose(system, &imposed) {
                rest.extend(imposed.pop());
            }
        }
        GivenVelocities { imposed, rest }
    }

    fn can_impose(&mut self, system: &System, given: &[Given]) -> bool {
        let step = system.model.solver.step;
        self.at.leave_friction_out();
        system.residual_and_tangent(&self.at, &mut self.work, Some(1.0 / (step * step)));
        let pinned = given.iter().filter_map(|one| system.equation.of(one.unknown));
        pinned.for_each(|e| self.work.matrix.pin(e));
        self.work.matrix.factor().is_ok()
    }
}
