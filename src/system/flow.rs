//! Velocities that follow the positions through the time integration.

/// Velocities of the nodal unknowns as damping sees them.
#[derive(Debug, Clone)]
pub struct Flow {
    pub origin: Vec<f64>,
    /// ∂q̇/∂q, 1/s; 0 where damping is left out: in statics and in impacts.
    pub factor: f64,
}

impl Flow {
    pub(crate) fn velocity(&self, u: usize, q: f64) -> f64 {
        self.factor * (q - self.origin[u])
    }

    /// Lets unknown `u` have a `velocity` where it is at `q`.
    pub(crate) fn give(&mut self, u: usize, q: f64, velocity: f64) {
        if self.factor != 0.0 {
            self.origin[u] = q - velocity / self.factor;
        }
    }
}
