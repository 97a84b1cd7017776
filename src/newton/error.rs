//! What the matrix of a stage lets through of an error.

use super::Corrections;
use super::criteria::{largest_change, rounding_of_forces};
use crate::system::{Iterate, System, Workspace};

impl Corrections {
    /// z of [S Gᵀ; G 0] [z; ·] = [f M e; 0] with `factor` f and the `error` e of each unknown, in the room; returns the largest relative to the
    /// mechanism's size (or rad). Infinite where the factored matrix is singular.
    pub(crate) fn filter(
        &mut self, system: &System, at: &Iterate, work: &mut Workspace, factor: f64,
        error: impl Fn(usize) -> f64,
    ) -> f64 {
        self.shift.fill(0.0);
        for &u in (system.unknown.iter()).filter(|&&u| at.driven[u].is_none()) {
            self.shift[u] = error(u);
        }
        system.mass.forces(&self.shift, &mut self.carried);
        for (x, &u) in self.interior.iter_mut().zip(&system.unknown) {
            *x = match at.driven[u] {
                None => factor * self.carried[u],
                Some(_) => 0.0,
            };
        }
        self.border.fill(0.0);
        self.solutions += 1;
        let (x, y) = (&mut self.interior, &mut self.border);
        match work.matrix.solve(x, y) {
            Ok(()) => largest_change(system, x, y),
            Err(_) => f64::INFINITY,
        }
    }

    /// The largest force on a node that the displacement of the nodes in the room makes beyond what is rounding, N.
    pub(crate) fn force_over(
        &mut self, system: &System, at: &mut Iterate, work: &mut Workspace,
    ) -> f64 {
        self.carried.copy_from_slice(&work.residual);
        self.move_nodes(system, at, 1.0);
        system.residual(at, work);
        let free = (system.unknown.iter()).filter(|&&u| at.driven[u].is_none());
        let most =
            free.fold(0.0_f64, |most, &u| most.max((work.residual[u] - self.carried[u]).abs()));
        let over = most - rounding_of_forces(system, work);
        self.move_nodes(system, at, -1.0);
        system.residual(at, work);
        over.max(0.0)
    }

    /// Moves the nodes by `times` the displacement in the room, at the same velocities.
    fn move_nodes(&self, system: &System, at: &mut Iterate, times: f64) {
        for (x, &u) in self.interior.iter().zip(&system.unknown) {
            if at.driven[u].is_none() {
                at.q.add(u, times * x);
                at.flow.origin.add(u, times * x);
            }
        }
    }
}
