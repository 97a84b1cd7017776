//! The least change that meets inequalities, as far as they can be met together.
//!
//! ```text
//! min ½ |d|² + |v|²/(2 η),    v = max(0, A d − c)
//! ```
//!
//! With the forces u = v/η of the inequalities d = −Aᵀ u, and
//!
//! ```text
//! w = (A Aᵀ + η) u + c,    0 ≤ w ⟂ u ≥ 0
//! ```
//!
//! is a linear complementarity problem with a positive definite matrix, which has exactly one solution, and it is found ([`mlcp`](super::mlcp)).
//! Inequalities that contradict each other share what they miss in the least squares, and all others are met as if those were not there.

use super::mlcp::{Form, Mlcp, Problem, Unsolved};

/// η as a share of the largest diagonal entry of A Aᵀ: what a met inequality yields by, relative to c.
const YIELDS: f64 = 1e-9;

/// Inequalities A d ≤ c, and room for a number of them.
#[derive(Debug, Clone)]
pub struct LeastChange {
    /// Entries of d.
    width: usize,
    /// A by rows.
    slopes: Vec<f64>,
    /// c.
    slack: Vec<f64>,
    /// A Aᵀ + η by rows.
    matrix: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    change: Vec<f64>,
    mlcp: Mlcp,
}

impl LeastChange {
    /// Room for so many inequalities, and as many entries of d.
    pub fn new(rows: usize) -> LeastChange {
        LeastChange {
            width: 0,
            slopes: Vec::with_capacity(rows * rows),
            slack: Vec::with_capacity(rows),
            matrix: Vec::with_capacity(rows * rows),
            lower: Vec::with_capacity(rows),
            upper: Vec::with_capacity(rows),
            change: Vec::with_capacity(rows),
            mlcp: Mlcp::new(rows),
        }
    }

    /// Forgets all inequalities; d has `width` entries from now on.
    pub fn begin(&mut self, width: usize) {
        self.width = width;
        self.slopes.clear();
        self.slack.clear();
    }

    /// Adds the inequality whose row of A has the entries `slope(k)` and whose c is `slack`.
    pub fn add(&mut self, slack: f64, slope: impl FnMut(usize) -> f64) {
        self.slack.push(slack);
        self.slopes.extend((0..self.width).map(slope));
    }

    /// Finds d; zero where nothing changes any row. No memory is allocated.
    ///
    /// # Errors
    /// [`Unsolved`] where a number is none.
    pub fn solve(&mut self) -> Result<&[f64], Unsolved> {
        let (rows, width) = (self.slack.len(), self.width);
        let row = |r: usize| &self.slopes[r * width..][..width];
        self.matrix.clear();
        for r in 0..rows {
            let products =
                (0..rows).map(|c| row(r).iter().zip(row(c)).map(|(a, b)| a * b).sum::<f64>());
            self.matrix.extend(products);
        }
        let largest = (0..rows).fold(0.0, |most, r| f64::max(most, self.matrix[r * rows + r]));
        self.change.clear();
        self.change.resize(width, 0.0);
        if largest == 0.0 {
            return Ok(&self.change);
        }
        (0..rows).for_each(|r| self.matrix[r * rows + r] += YIELDS * largest);
        for (bounds, bound) in [(&mut self.lower, 0.0), (&mut self.upper, f64::INFINITY)] {
            bounds.clear();
            bounds.resize(rows, bound);
        }
        self.mlcp.set_order(rows);
        self.mlcp.active_mut().fill(super::mlcp::Bound::Lower);
        self.mlcp.solve(&Problem {
            form: Form::Direct,
            matrix: &self.matrix,
            constant: &self.slack,
            lower: &self.lower,
            upper: &self.upper,
            coulomb: &[],
        })?;
        for (u, slopes) in self.mlcp.x().iter().zip(self.slopes.chunks_exact(width)) {
            (self.change.iter_mut().zip(slopes)).for_each(|(d, a)| *d -= a * u);
        }
        Ok(&self.change)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solved<const N: usize>(inequalities: &[([f64; N], f64)]) -> Vec<f64> {
        let mut problem = LeastChange::new(inequalities.len().max(N));
        problem.begin(N);
        for (slopes, slack) in inequalities {
            problem.add(*slack, |k| slopes[k]);
        }
        problem.solve().expect("d").to_vec()
    }

    #[test]
    fn it_is_the_nearest_point_of_what_the_inequalities_leave() {
        // d₁ + d₂ ≥ 2 and d₁ ≤ 0.5 leave the corner (0.5, 1.5); without the second it is (1, 1), and what is met already moves nothing.
        let corner = solved(&[([-1.0, -1.0], -2.0), ([1.0, 0.0], 0.5), ([0.0, 1.0], 7.0)]);
        assert!((corner[0] - 0.5).abs() < 1e-7 && (corner[1] - 1.5).abs() < 1e-7, "{corner:?}");
        let side = solved(&[([-1.0, -1.0], -2.0), ([1.0, 0.0], 5.0)]);
        assert!((side[0] - 1.0).abs() < 1e-7 && (side[1] - 1.0).abs() < 1e-7, "{side:?}");
        assert_eq!(solved(&[([1.0, 2.0], 1.0)]), [0.0, 0.0]);
    }

    #[test]
    fn what_contradicts_itself_leaves_the_others_met() {
        // d₁ ≥ 1 and d₁ ≤ −3 meet halfway, as far as they are even; d₂ ≥ 2 is met all the same.
        let found = solved(&[([-1.0, 0.0], -1.0), ([1.0, 0.0], -3.0), ([0.0, -1.0], -2.0)]);
        assert!((found[0] + 1.0).abs() < 1e-6 && (found[1] - 2.0).abs() < 1e-6, "{found:?}");
    }
}
