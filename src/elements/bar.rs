//! A two-node bar without rotations, the least of all kinds of elements, for tests of what holds for
//! any kind.
//!
//! ```text
//! U = ½ EA L E²,   E = ½ (|Y₂ − Y₁|²/L² − 1)
//! ```

use num_dual::DualNum;

use super::kernel::{Half, Kernel, Viscous};
use crate::numerics::hypot::hypot;

/// What all bars of a block share.
#[derive(Debug, Clone)]
pub struct BarKernel {
    /// EA, N.
    pub stiffness: f64,
    /// Initial length L, m.
    pub length: f64,
    /// Mass per length, kg/m.
    pub density: f64,
}

impl BarKernel {
    /// (Y₂ − Y₁)/L and E.
    fn strain(&self, [x1, y1, x2, y2]: &[f64; 4]) -> ([f64; 2], f64) {
        let a = [(x2 - x1) / self.length, (y2 - y1) / self.length];
        (a, 0.5 * (a[0] * a[0] + a[1] * a[1] - 1.0))
    }
}

impl Kernel<4> for BarKernel {
    const LEAST_STRETCH: f64 = 0.1;

    fn crushed() -> String {
        "has less than a tenth of its length".to_string()
    }

    fn energy(&self, q: &[f64; 4]) -> f64 {
        let (_, e) = self.strain(q);
        0.5 * self.stiffness * self.length * e * e
    }

    fn force(&self, q: &[f64; 4], force: &mut [f64; 4]) -> f64 {
        let (a, e) = self.strain(q);
        let pull = a.map(|a| self.stiffness * e * a);
        *force = [-pull[0], -pull[1], pull[0], pull[1]];
        hypot(a[0], a[1])
    }

    fn force_and_tangent(
        &self, q: &[f64; 4], force: &mut [f64; 4], tangent: &mut [[f64; 4]; 4],
    ) -> f64 {
        let (a, e) = self.strain(q);
        for (i, row) in tangent.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                let side = if i / 2 == j / 2 { 1.0 } else { -1.0 };
                let isotropic = if i % 2 == j % 2 { e } else { 0.0 };
                *entry = side * self.stiffness / self.length * (isotropic + a[i % 2] * a[j % 2]);
            }
        }
        self.force(q, force)
    }

    fn mass(&self, factor: f64) -> [[f64; 4]; 4] {
        let whole = factor * self.density * self.length;
        let share = |i: usize, j: usize| match (i % 2 == j % 2, i == j) {
            (false, _) => 0.0,
            (true, true) => whole / 3.0,
            (true, false) => whole / 6.0,
        };
        std::array::from_fn(|i| std::array::from_fn(|j| share(i, j)))
    }
}

impl Viscous<4> for BarKernel {
    fn viscous_force<D: DualNum<Primitive = f64> + Copy>(
        &self, q: &[D; 4], v: &[D; 4], _: f64,
    ) -> [D; 4] {
        let along = |q: &[D; 4]| [(q[2] - q[0]) / self.length, (q[3] - q[1]) / self.length];
        let (a, rate) = (along(q), along(v));
        let pull = a.map(|component| component * (dot(a, rate) * self.stiffness));
        [-pull[0], -pull[1], pull[0], pull[1]]
    }

    fn viscous_tangent(
        &self, [q, v]: [&[f64; 4]; 2], [coefficient, factor, circling]: [f64; 3], half: Half,
        tangent: &mut [[f64; 4]; 4],
    ) -> [f64; 4] {
        let along = |q: &[f64; 4]| [(q[2] - q[0]) / self.length, (q[3] - q[1]) / self.length];
        let (a, rate) = (along(q), along(v));
        let scale = coefficient * self.stiffness;
        let stress = scale * dot(a, rate);
        let whole = |i: usize, j: usize| {
            let side = if i / 2 == j / 2 { 1.0 } else { -1.0 };
            let isotropic = if i % 2 == j % 2 { stress } else { 0.0 };
            let changes = a[i % 2] * (factor * a[j % 2] + rate[j % 2]);
            side / self.length * (isotropic + scale * changes)
        };
        for (i, row) in tangent.iter_mut().enumerate() {
            for (j, entry) in row.iter_mut().enumerate() {
                *entry = 0.5
                    * match half {
                        Half::Symmetric => whole(i, j) + whole(j, i),
                        Half::Skew => whole(i, j) - whole(j, i),
                    };
            }
        }
        self.viscous_force(q, v, circling).map(|f| coefficient * f)
    }
}

fn dot<D: DualNum<Primitive = f64> + Copy>(a: [D; 2], b: [D; 2]) -> D {
    a[0] * b[0] + a[1] * b[1]
}
