//! The skew part of an unsymmetric matrix, beside a factored one.
//!
//! Follower loads make the tangent A = M + N with M symmetric (and bordered) and N skew,
//! with entries at the loaded unknowns only. M is factored; what N does to a solution is found in the
//! forces w = N x,
//!
//! ```text
//! x = M⁻¹ (b − w),    (1 + N M⁻¹) w = N M⁻¹ b
//! ```
//!
//! by GMRES (Saad & Schultz 1986). Each of its few iterations costs one solution with the factored M.

use nalgebra::DMatrix;

/// Length of the Krylov space, after which the iteration begins anew.
const SPACE: usize = 30;

/// Restarts of it.
const RESTARTS: usize = 10;

/// Residual of w that ends the iteration, relative to the right-hand side.
const TOLERANCE: f64 = 1e-13;

/// N with room for its solution.
#[derive(Debug, Clone, Default)]
pub struct Skew {
    order: usize,
    /// (row, column, value); the entry at (column, row) has the other sign.
    entries: Vec<(usize, usize, f64)>,
    /// Orthonormal vectors, one after the other.
    basis: Vec<f64>,
    /// Columns of the Hessenberg matrix, rotated to a triangle.
    triangle: Vec<f64>,
    rotations: Vec<[f64; 2]>,
    right: Vec<f64>,
    forces: Vec<f64>,
    product: Vec<f64>,
    border: Vec<f64>,
}

impl Skew {
    /// Room for `pairs` of entries in a matrix of `order` rows beside a `border`; without pairs none is
    /// taken.
    pub fn new(order: usize, border: usize, pairs: usize) -> Skew {
        if pairs == 0 {
            return Skew::default();
        }
        Skew {
            order,
            entries: Vec::with_capacity(pairs),
            basis: vec![0.0; order * (SPACE + 1)],
            triangle: vec![0.0; (SPACE + 1) * SPACE],
            rotations: vec![[0.0; 2]; SPACE],
            right: vec![0.0; SPACE + 1],
            forces: vec![0.0; order],
            product: vec![0.0; order],
            border: vec![0.0; border],
        }
    }

    /// Whether N is zero.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Makes N zero.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// Adds a pair of entries.
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.entries.push((row, column, value));
        }
    }

    /// out = N x.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        Self::product(&self.entries, x, out);
    }

    /// Whether det(1 + N M⁻¹) is negative, where `inner` applies M⁻¹: whether det(M + N) and det M have
    /// different signs. Takes a solution for each row with entries, and memory.
    pub fn turns_sign(&self, mut inner: impl FnMut(&mut [f64])) -> bool {
        let mut rows: Vec<usize> = (self.entries.iter())
            .flat_map(|&(a, b, _)| [a, b])
            .collect();
        rows.sort_unstable();
        rows.dedup();
        let mut matrix = DMatrix::<f64>::identity(rows.len(), rows.len());
        let (mut x, mut forces) = (vec![0.0; self.order], vec![0.0; self.order]);
        for (j, &row) in rows.iter().enumerate() {
            x.fill(0.0);
            x[row] = 1.0;
            inner(&mut x);
            self.times(&x, &mut forces);
            for (i, &row) in rows.iter().enumerate() {
                matrix[(i, j)] += forces[row];
            }
        }
        matrix.lu().determinant() < 0.0
    }

    /// Removes a row and its column.
    pub fn pin(&mut self, row: usize) {
        self.entries.retain(|(a, b, _)| *a != row && *b != row);
    }

    /// out = N x for these entries of N.
    fn product(entries: &[(usize, usize, f64)], x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for &(row, column, value) in entries {
            out[row] += value * x[column];
            out[column] -= value * x[row];
        }
    }

    /// Solves (M + N) in place for the right-hand side `x` and `y`, where `inner` does so for M.
    pub fn solve(
        &mut self,
        mut inner: impl FnMut(&mut [f64], &mut [f64]),
        x: &mut [f64],
        y: &mut [f64],
    ) {
        let n = self.order;
        self.forces.fill(0.0);
        let mut scale = 0.0;
        for restart in 0..=RESTARTS {
            // Residual N M⁻¹ (b − w) − w; the first is N M⁻¹ b.
            self.product.copy_from_slice(x);
            (self.product.iter_mut().zip(&self.forces)).for_each(|(p, w)| *p -= w);
            self.border.copy_from_slice(y);
            inner(&mut self.product, &mut self.border);
            let (residual, _) = self.basis.split_at_mut(n);
            Self::product(&self.entries, &self.product, residual);
            (residual.iter_mut().zip(&self.forces)).for_each(|(r, w)| *r -= w);
            let size = norm(residual);
            if restart == 0 {
                scale = size;
            }
            // A NaN ends it, too, and is found in the solution.
            if size.is_nan() || size <= TOLERANCE * scale {
                break;
            }
            residual.iter_mut().for_each(|r| *r /= size);
            let used = self.krylov(&mut inner, size, TOLERANCE * scale);
            self.add_combination(used);
        }
        (x.iter_mut().zip(&self.forces)).for_each(|(x, w)| *x -= w);
        inner(x, y);
    }

    /// Builds the Krylov space of 1 + N M⁻¹ on the first basis vector; returns its length.
    fn krylov(
        &mut self,
        inner: &mut impl FnMut(&mut [f64], &mut [f64]),
        size: f64,
        enough: f64,
    ) -> usize {
        let n = self.order;
        self.right.fill(0.0);
        self.right[0] = size;
        for k in 0..SPACE {
            let (old, rest) = self.basis.split_at_mut(n * (k + 1));
            let (last, new) = (&old[n * k..], &mut rest[..n]);
            self.product.copy_from_slice(last);
            self.border.fill(0.0);
            inner(&mut self.product, &mut self.border);
            Self::product(&self.entries, &self.product, new);
            (new.iter_mut().zip(last)).for_each(|(a, v)| *a += v);
            let column = &mut self.triangle[(SPACE + 1) * k..(SPACE + 1) * (k + 1)];
            column.fill(0.0);
            // Twice, so that rounding does not tilt the basis.
            for _ in 0..2 {
                for (vector, entry) in old.chunks_exact(n).zip(&mut *column) {
                    let share = dot(vector, new);
                    *entry += share;
                    (new.iter_mut().zip(vector)).for_each(|(a, v)| *a -= share * v);
                }
            }
            let left = norm(new);
            column[k + 1] = left;
            if left > 0.0 {
                new.iter_mut().for_each(|a| *a /= left);
            }
            for (i, [c, s]) in self.rotations[..k].iter().enumerate() {
                let (a, b) = (column[i], column[i + 1]);
                (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
            }
            let length = column[k].hypot(column[k + 1]);
            if length == 0.0 {
                return k;
            }
            let [c, s] = [column[k] / length, column[k + 1] / length];
            self.rotations[k] = [c, s];
            (column[k], column[k + 1]) = (length, 0.0);
            let right = self.right[k];
            (self.right[k], self.right[k + 1]) = (c * right, -s * right);
            if self.right[k + 1].abs() <= enough || left == 0.0 {
                return k + 1;
            }
        }
        SPACE
    }

    /// Adds the best vector of the space to the forces.
    fn add_combination(&mut self, used: usize) {
        let n = self.order;
        for k in (0..used).rev() {
            let column = &self.triangle[(SPACE + 1) * k..];
            let share = self.right[k] / column[k];
            for (right, entry) in self.right[..k].iter_mut().zip(column) {
                *right -= share * entry;
            }
            let vector = &self.basis[n * k..n * (k + 1)];
            (self.forces.iter_mut().zip(vector)).for_each(|(w, v)| *w += share * v);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}
