//! A two-node bar without rotations, the least of all kinds of elements, for tests of what holds for
//! any kind.
//!
//! ```text
//! U = ½ EA L E²,   E = ½ (|Y₂ − Y₁|²/L² − 1)
//! ```

use super::kernel::Kernel;

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
        a[0].hypot(a[1])
    }

    fn force_and_tangent(
        &self,
        q: &[f64; 4],
        force: &mut [f64; 4],
        tangent: &mut [[f64; 4]; 4],
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
