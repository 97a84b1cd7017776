//! A matrix of few rows beside a factored one.
//!
//! Follower loads and friction make the tangent A = M + N with M symmetric (and bordered) and N not, with entries
//! in few rows: those of loaded unknowns, and of surfaces with friction. M is factored; what N does to a solution is found in
//! the forces w = N x,
//!
//! ```text
//! x = M⁻¹ (b − w),    (1 + N M⁻¹) w = N M⁻¹ b
//! ```
//!
//! by GMRES (Saad & Schultz 1986) on the rows that N has. Each of its iterations costs one solution with the factored M.
//! Where the stiffness of contacts is in M, its hardness does not slow them down: N M⁻¹ tends to μ times how much
//! of a pressure the tangential forces of the contacts make.

#[cfg(test)]
mod tests;

use nalgebra::DMatrix;

use super::dense::Singular;
use crate::numerics::hypot::hypot;

/// Length of the Krylov space, after which the iteration begins anew.
const SPACE: usize = 100;

/// Restarts of it.
const RESTARTS: usize = 10;

/// Residual of w that ends the iteration, relative to the right-hand side.
const TOLERANCE: f64 = 1e-13;

/// A residual is rounding below so many times the rounding errors of the sums in N x, which far exceed w where hard contacts
/// move; up to one is met.
const RESIDUAL_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Residual that is borne where it becomes no smaller.
const BORNE: f64 = 1e-8;

/// M + N is singular where w is so many times its right-hand side.
const GROWTH: f64 = 1e8;

/// The residual has to come down to this share in the iterations between two restarts.
const SHRINKS: f64 = 0.5;

/// What is left of a vector below this share of it is nothing.
const DEPENDENT: f64 = 1e-14;

/// A row that N does not have.
const NONE: u32 = u32::MAX;

/// N with room for its solution.
#[derive(Debug, Clone, Default)]
pub struct Beside {
    /// (row, column, value), more than once where they add up.
    entries: Vec<(u32, u32, f64)>,
    /// The rows with entries, rising, and the place of each row of the whole among them.
    rows: Vec<u32>,
    place: Vec<u32>,
    /// Orthonormal vectors of these rows, one after the other.
    basis: Vec<f64>,
    /// Columns of the Hessenberg matrix, rotated to a triangle, and how many there are.
    triangle: Vec<f64>,
    length: usize,
    rotations: Vec<[f64; 2]>,
    right: Vec<f64>,
    forces: Vec<f64>,
    residual: Vec<f64>,
    /// The sizes of what adds up in each row of N x.
    terms: Vec<f64>,
    /// A right-hand side of M and its solution.
    product: Vec<f64>,
    border: Vec<f64>,
    /// Whether the last solution was none.
    unsolved: bool,
    /// Solutions with M that the last solution took.
    solutions: usize,
}

impl Beside {
    /// Room for so many `entries` in a matrix of `order` rows beside a `border`; without entries none is taken.
    pub fn new(order: usize, border: usize, entries: usize) -> Beside {
        let mut new = Beside::default();
        if entries > 0 {
            let rows = order.min(entries);
            new.entries.reserve(entries);
            new.rows.reserve(rows);
            new.make_room(order, border, rows);
        }
        new
    }

    /// Makes room for N with so many `rows` that are not zero.
    fn make_room(&mut self, order: usize, border: usize, rows: usize) {
        for (list, length) in [
            (&mut self.basis, rows * (SPACE + 1)),
            (&mut self.triangle, (SPACE + 1) * SPACE),
            (&mut self.right, SPACE + 1),
            (&mut self.forces, rows),
            (&mut self.residual, rows),
            (&mut self.terms, rows),
            (&mut self.product, order),
            (&mut self.border, border),
        ] {
            match list.is_empty() {
                // Pages that are not used stay untouched.
                true => *list = vec![0.0; length],
                false => list.resize(length.max(list.len()), 0.0),
            }
        }
        self.place.resize(order, NONE);
        self.rotations.resize(SPACE, [0.0; 2]);
    }

    /// Whether N is zero.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Makes N zero.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.unsolved = false;
    }

    /// Adds an entry.
    #[inline]
    pub fn add(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.entries.push((row as u32, column as u32, value));
        }
    }

    /// out = N x.
    pub fn times(&self, x: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for &(row, column, value) in &self.entries {
            out[row as usize] += value * x[column as usize];
        }
    }

    /// Whether det(1 + N M⁻¹) is negative, where `inner` applies M⁻¹ to vectors of `order` numbers: whether det(M + N)
    /// and det M have different signs. Takes a solution for each row with entries, and memory.
    pub fn turns_sign(&self, order: usize, mut inner: impl FnMut(&mut [f64])) -> bool {
        let mut rows: Vec<usize> = (self.entries.iter()).map(|&(row, _, _)| row as usize).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut matrix = DMatrix::<f64>::identity(rows.len(), rows.len());
        let (mut x, mut forces) = (vec![0.0; order], vec![0.0; order]);
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

    /// Removes a row and the column of the same number.
    pub fn pin(&mut self, unknown: usize) {
        let pinned = |index: u32| index as usize == unknown;
        self.entries.retain(|&(row, column, _)| !pinned(row) && !pinned(column));
    }

    /// Solutions with M that the last solution took.
    #[cfg(test)]
    pub fn solutions(&self) -> usize {
        self.solutions
    }

    /// Solves M + N in place for the right-hand side `x` and `y`, where `inner` does so for M. No memory is allocated within
    /// the room that N was given.
    ///
    /// # Errors
    /// [`Singular`] where M + N is, as far as rounding lets it be seen; `x` and `y` are then what comes nearest to a
    /// solution, and [`Beside::free_forces`] belong to what moves.
    pub fn solve(
        &mut self, mut inner: impl FnMut(&mut [f64], &mut [f64]), x: &mut [f64], y: &mut [f64],
    ) -> Result<(), Singular> {
        self.find_rows(x.len(), y.len());
        let r = self.rows.len();
        self.forces[..r].fill(0.0);
        self.solutions = 0;
        let (mut scale, mut before) = (0.0, f64::INFINITY);
        for restart in 0..=RESTARTS {
            // Residual N M⁻¹ (b − w) − w; the first is N M⁻¹ b.
            self.product[..x.len()].copy_from_slice(x);
            for (&row, w) in self.rows.iter().zip(&self.forces) {
                self.product[row as usize] -= w;
            }
            self.border[..y.len()].copy_from_slice(y);
            self.apply(&mut inner, [x.len(), y.len()]);
            let rounding = self.rounding();
            let residual = &mut self.residual[..r];
            (residual.iter_mut().zip(&self.forces)).for_each(|(r, w)| *r -= w);
            let size = norm(residual);
            if restart == 0 {
                scale = size;
            }
            let enough = rounding.max(TOLERANCE * scale);
            // A NaN ends it, too, and is found in the solution.
            let ends = size.is_nan() || size <= enough;
            let grows = norm(&self.forces[..r]) > GROWTH * scale;
            let stays = restart == RESTARTS || size > SHRINKS * before;
            if ends || grows || stays {
                x.copy_from_slice(&self.product[..x.len()]);
                y.copy_from_slice(&self.border[..y.len()]);
                self.unsolved = grows || !ends && size > BORNE * scale;
                break;
            }
            before = size;
            (self.basis.iter_mut().zip(residual)).for_each(|(v, r)| *v = *r / size);
            self.krylov(&mut inner, [x.len(), y.len()], size, enough);
            self.add_combination();
        }
        if self.unsolved { Err(Singular) } else { Ok(()) }
    }

    /// After [`Singular`]: forces to which M answers by a motion that M + N maps to nearly nothing.
    pub fn free_forces(&self, order: usize) -> Option<Vec<f64>> {
        let diagonal = |k: usize| self.triangle[(SPACE + 1) * k + k].abs();
        let least = (0..self.length).min_by(|&a, &b| diagonal(a).total_cmp(&diagonal(b)));
        let least = least.filter(|_| self.unsolved)?;
        let mut shares = vec![0.0; least + 1];
        shares[least] = 1.0;
        for k in (0..least).rev() {
            let row = k + 1..=least;
            let sum: f64 = row.map(|j| self.triangle[(SPACE + 1) * j + k] * shares[j]).sum();
            shares[k] = -sum / self.triangle[(SPACE + 1) * k + k];
        }
        let mut forces = vec![0.0; order];
        let vectors = self.basis.chunks_exact(self.rows.len());
        for (vector, share) in vectors.zip(shares) {
            for (&row, v) in self.rows.iter().zip(vector) {
                forces[row as usize] += share * v;
            }
        }
        Some(forces)
    }

    /// What rounding of the present solution x makes of N x.
    fn rounding(&mut self) -> f64 {
        let terms = &mut self.terms[..self.rows.len()];
        terms.fill(0.0);
        for &(row, column, value) in &self.entries {
            let term = value * self.product[column as usize];
            terms[self.place[row as usize] as usize] += term.abs();
        }
        RESIDUAL_ROUNDING * norm(terms)
    }

    /// Finds the rows of N.
    fn find_rows(&mut self, order: usize, border: usize) {
        self.rows.clear();
        self.place.clear();
        self.place.resize(order, NONE);
        for &(row, _, _) in &self.entries {
            self.place[row as usize] = 0;
        }
        for (row, place) in (0..).zip(&mut self.place) {
            if *place != NONE {
                *place = self.rows.len() as u32;
                self.rows.push(row);
            }
        }
        self.make_room(order, border, self.rows.len());
    }

    /// Makes `residual` N M⁻¹ times the right-hand side in `product` and `border`, which become the solution.
    fn apply(
        &mut self, inner: &mut impl FnMut(&mut [f64], &mut [f64]), [order, border]: [usize; 2],
    ) {
        let product = &mut self.product[..order];
        inner(product, &mut self.border[..border]);
        self.solutions += 1;
        let out = &mut self.residual[..self.rows.len()];
        out.fill(0.0);
        for &(row, column, value) in &self.entries {
            out[self.place[row as usize] as usize] += value * product[column as usize];
        }
    }

    /// Builds the Krylov space of 1 + N M⁻¹ on the first basis vector, the residual over its `size`.
    fn krylov(
        &mut self, inner: &mut impl FnMut(&mut [f64], &mut [f64]), sizes: [usize; 2], size: f64,
        enough: f64,
    ) {
        let r = self.rows.len();
        self.length = 0;
        self.right.fill(0.0);
        self.right[0] = size;
        for k in 0..SPACE {
            self.product[..sizes[0]].fill(0.0);
            for (&row, v) in self.rows.iter().zip(&self.basis[r * k..]) {
                self.product[row as usize] = *v;
            }
            self.border[..sizes[1]].fill(0.0);
            self.apply(inner, sizes);
            let (old, rest) = self.basis.split_at_mut(r * (k + 1));
            let new = &mut rest[..r];
            let pairs = self.residual.iter().zip(&old[r * k..]);
            (new.iter_mut().zip(pairs)).for_each(|(a, (n, v))| *a = n + v);
            let whole = norm(new);
            let column = &mut self.triangle[(SPACE + 1) * k..(SPACE + 1) * (k + 1)];
            column.fill(0.0);
            // Twice, so that rounding does not tilt the basis.
            for _ in 0..2 {
                for (vector, entry) in old.chunks_exact(r).zip(&mut *column) {
                    let share = dot(vector, new);
                    *entry += share;
                    (new.iter_mut().zip(vector)).for_each(|(a, v)| *a -= share * v);
                }
            }
            let mut left = norm(new);
            if left <= DEPENDENT * whole {
                left = 0.0;
            }
            column[k + 1] = left;
            if left > 0.0 {
                new.iter_mut().for_each(|a| *a /= left);
            }
            for (i, [c, s]) in self.rotations[..k].iter().enumerate() {
                let (a, b) = (column[i], column[i + 1]);
                (column[i], column[i + 1]) = (c * a + s * b, c * b - s * a);
            }
            let length = hypot(column[k], column[k + 1]);
            let [c, s] = match length > 0.0 {
                true => [column[k] / length, column[k + 1] / length],
                false => [1.0, 0.0],
            };
            self.rotations[k] = [c, s];
            (column[k], column[k + 1]) = (length, 0.0);
            let right = self.right[k];
            (self.right[k], self.right[k + 1]) = (c * right, -s * right);
            self.length = k + 1;
            if self.right[k + 1].abs() <= enough || left == 0.0 {
                break;
            }
        }
    }

    /// Adds the best vector of the space to the forces; a direction that M + N maps to nothing is left out.
    fn add_combination(&mut self) {
        let r = self.rows.len();
        for k in (0..self.length).rev() {
            let column = &self.triangle[(SPACE + 1) * k..][..k + 1];
            let size = norm(column);
            if column[k] <= DEPENDENT * size {
                continue;
            }
            let share = self.right[k] / column[k];
            for (right, entry) in self.right[..k].iter_mut().zip(column) {
                *right -= share * entry;
            }
            let vector = &self.basis[r * k..r * (k + 1)];
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
