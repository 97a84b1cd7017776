//! Velocities that follow the positions through the time integration.

use crate::numerics::positions::{Position, Positions};

/// Velocities of the nodal unknowns as damping sees them.
#[derive(Debug, Clone)]
pub struct Flow {
    pub origin: Positions,
    /// ∂q̇/∂q, 1/s; 0 where damping is left out: in statics and in impacts.
    pub factor: f64,
}

impl Flow {
    pub(crate) fn velocity(&self, u: usize, q: Position) -> f64 {
        self.factor * q.displacement_from(self.origin.get(u))
    }

    /// Lets unknown `u` have a `velocity` where it is at `q`.
    pub(crate) fn regularisation(&mut self, u: usize, q: Position, velocity: f64) {
        if self.factor != 0.0 {
            self.origin.set(u, q.plus(-velocity / self.factor));
        }
    }
}
