//! A compressible neo-Hookean law in plane strain, for tests of what holds for any law.
//!
//! ```text
//! u = ½ μ (tr C − 2 − 2 ln J) + ½ λ (ln J)²,   C = 1 + 2E,   J = √det C
//! S = μ (1 − C⁻¹) + λ ln J C⁻¹
//! ```

use num_dual::DualNum;

use super::law::{Across, Law, Strain};

/// Lamé's constants, Pa.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NeoHooke {
    pub mu: f64,
    pub lambda: f64,
}

impl NeoHooke {
    pub fn samples() -> Vec<NeoHooke> {
        vec![NeoHooke {
            mu: 1.1,
            lambda: 2.3,
        }]
    }
}

impl Law for NeoHooke {
    const LEAST_STRETCH: f64 = 0.0;

    fn summary(&self) -> String {
        format!(
            "neo-Hooke, mu = {} Pa, lambda = {} Pa",
            self.mu, self.lambda
        )
    }

    fn energy<D: DualNum<Primitive = f64> + Copy>(&self, [x, y, xy]: Strain<D>) -> D {
        let log = log_j([x, y, xy]);
        (x + y - log) * self.mu + log * log * (0.5 * self.lambda)
    }

    fn stress<D: DualNum<Primitive = f64> + Copy>(&self, [x, y, xy]: Strain<D>) -> [D; 3] {
        let log = log_j([x, y, xy]);
        let by = (log * self.lambda - self.mu) / (log * 2.0).exp();
        let [xx, yy] = [y, x].map(|e| by * (e * 2.0 + 1.0) + self.mu);
        [xx, yy, -by * xy]
    }

    fn across<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> Across<D> {
        Across {
            stretch_squared: D::from(1.0),
            stress: log_j(strain) * self.lambda,
        }
    }
}

fn log_j<D: DualNum<Primitive = f64> + Copy>([x, y, xy]: Strain<D>) -> D {
    ((x * 2.0 + 1.0) * (y * 2.0 + 1.0) - xy * xy).ln() * 0.5
}
