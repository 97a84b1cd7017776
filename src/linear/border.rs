//! A symmetric envelope with a small dense border.

#[cfg(test)]
mod tests;

use super::dense::{Dense, Singular};
use super::envelope::{Envelope, Layout, Raised, dot};
use super::skew::Skew;

/// [K + N, B; C, D] with K symmetric; C is Bᵀ but for the rows that were given their own entries, and N
/// is skew, few entries or none.
#[derive(Debug, Clone)]
pub struct Bordered {
    pub interior: Envelope,
    /// Unknowns of the border.
    pub(super) width: usize,
    /// Border unknowns plus room for raised pivots.
    pub(super) room: usize,
    /// B and Cᵀ, one column of the interior's length per border unknown.
    columns: Vec<f64>,
    rows: Vec<f64>,
    /// Whether row b of C differs from column b of B.
    own_row: Vec<bool>,
    corner: Vec<f64>,
    /// First interior row that column b (or row b) touches.
    first: Vec<usize>,
    pub(super) raised: Vec<Raised>,
    /// L⁻¹B and L⁻¹Cᵀ, `stride` numbers for each interior row; zero above row `from`.
    block: Vec<f64>,
    stride: usize,
    from: usize,
    /// Where row b of C stands in the block.
    slot: Vec<usize>,
    sums: Vec<f64>,
    /// Right-hand side of the dense system.
    right: Vec<f64>,
    pub(super) dense: Dense,
    /// Room for the count of negative eigenvalues.
    pub(super) symmetric: Vec<f64>,
    /// N.
    skew: Skew,
}

impl Bordered {
    /// A zero matrix with a border of `width`; up to `spare` motions that K does not hold by
    /// itself can be moved into the border.
    pub fn new(layout: Layout, width: usize, spare: usize) -> Bordered {
        let n = layout.order();
        let room = width + spare;
        Bordered {
            interior: Envelope::new(layout),
            width,
            room,
            columns: vec![0.0; n * room],
            rows: vec![0.0; n * room],
            own_row: vec![false; room],
            corner: vec![0.0; room * room],
            first: vec![n; room],
            raised: Vec::with_capacity(spare),
            block: vec![0.0; n * (2 * room).next_multiple_of(LANES)],
            stride: 0,
            from: n,
            slot: vec![0; room],
            sums: vec![0.0; room],
            right: vec![0.0; room],
            dense: Dense::new(room),
            symmetric: vec![0.0; room * room],
            skew: Skew::new(n, width, 0),
        }
    }

    /// This matrix with room for `pairs` of entries in N.
    pub fn with_skew(mut self, pairs: usize) -> Bordered {
        self.skew = Skew::new(self.interior.layout.order(), self.width, pairs);
        self
    }

    /// Adds `value` to N at (row, column) and takes it away at (column, row).
    #[inline]
    pub fn add_skew(&mut self, row: usize, column: usize, value: f64) {
        self.skew.add(row, column, value);
    }

    /// N, which is zero in the matrix from now on.
    pub fn take_skew(&mut self) -> Skew {
        std::mem::take(&mut self.skew)
    }

    /// Zeroes every entry.
    pub fn clear(&mut self) {
        let n = self.interior.layout.order();
        self.interior.values.fill(0.0);
        self.skew.clear();
        self.columns[..n * self.width].fill(0.0);
        for b in 0..self.width {
            if self.own_row[b] {
                self.rows[n * b..n * (b + 1)].fill(0.0);
            }
        }
        self.own_row.fill(false);
        self.corner.fill(0.0);
        self.first.fill(n);
    }

    /// Adds to B (interior row, border column) and, as long as row `b` is not its own, to C.
    #[inline]
    pub fn add_column(&mut self, row: usize, b: usize, value: f64) {
        let n = self.interior.layout.order();
        self.columns[n * b + row] += value;
        self.first[b] = self.first[b].min(row);
    }

    /// Row `b` of C no longer follows column `b` of B: it starts from zero.
    pub fn give_own_row(&mut self, b: usize) {
        let n = self.interior.layout.order();
        self.rows[n * b..n * (b + 1)].fill(0.0);
        self.own_row[b] = true;
    }

    /// Adds to C; [`Bordered::give_own_row`] must have been called for `b`.
    #[inline]
    pub fn add_row(&mut self, b: usize, column: usize, value: f64) {
        let n = self.interior.layout.order();
        self.rows[n * b + column] += value;
        self.first[b] = self.first[b].min(column);
    }

    /// Adds to D.
    #[inline]
    pub fn add_corner(&mut self, b: usize, c: usize, value: f64) {
        self.corner[b * self.room + c] += value;
    }

    /// Holds interior unknown `row` at zero, with the rest of its row and column removed.
    pub fn pin(&mut self, row: usize) {
        let n = self.interior.layout.order();
        // Beside stiff members a diagonal of 1 would be taken for the rounding of nothing.
        let largest = (self.interior.values.iter()).fold(1.0, |a: f64, v| a.max(v.abs()));
        for other in 0..n {
            if let Some(at) = self.interior.layout.find(row, other) {
                self.interior.values[at] = if other == row { largest } else { 0.0 };
            }
        }
        self.skew.pin(row);
        for b in 0..self.width {
            self.columns[n * b + row] = 0.0;
            if self.own_row[b] {
                self.rows[n * b + row] = 0.0;
            }
        }
    }

    /// Factors the matrix; it is destroyed. No memory is allocated.
    ///
    /// # Errors
    /// [`Singular`] when no unique solution exists; [`Bordered::free_motion`] tells what moves.
    pub fn factor(&mut self) -> Result<(), Singular> {
        self.reduce_to_border();
        self.dense.factor()
    }

    /// Factors K and leaves S in the dense matrix.
    pub(super) fn reduce_to_border(&mut self) {
        let n = self.interior.layout.order();
        self.raised.clear();
        self.interior.factor(&mut self.raised);
        let width = self.width + self.raised.len();
        // K x = (K + Σ βeeᵀ) x − Σ βe z with z = eᵀx: one more unknown for each raised pivot.
        for (k, raised) in self.raised.iter().enumerate() {
            let b = self.width + k;
            self.columns[n * b..n * (b + 1)].fill(0.0);
            self.rows[n * b..n * (b + 1)].fill(0.0);
            self.columns[n * b + raised.row] = -raised.boost;
            self.rows[n * b + raised.row] = 1.0;
            self.own_row[b] = true;
            self.first[b] = raised.row;
            for c in 0..width {
                self.corner[b * self.room + c] = 0.0;
                self.corner[c * self.room + b] = 0.0;
            }
            self.corner[b * self.room + b] = -1.0;
        }
        self.dense.order = width;
        self.reduce_border(width);
        self.form_schur(width);
    }

    /// L⁻¹B and L⁻¹Cᵀ, side by side in one block of rows: all columns share each entry of L.
    fn reduce_border(&mut self, width: usize) {
        let n = self.interior.layout.order();
        let mut used = width;
        for b in 0..width {
            self.slot[b] = b;
            if self.own_row[b] {
                self.slot[b] = used;
                used += 1;
            }
        }
        let stride = used.next_multiple_of(LANES);
        self.stride = stride;
        let from = self.first[..width].iter().fold(n, |a, b| a.min(*b));
        self.from = from;
        let block = &mut self.block[..n * stride];
        block.fill(0.0);
        for b in 0..width {
            let start = self.first[b].min(n);
            let column = &self.columns[n * b..n * (b + 1)];
            for i in start..n {
                block[i * stride + b] = column[i];
            }
            if self.own_row[b] {
                let row = &self.rows[n * b..n * (b + 1)];
                for i in start..n {
                    block[i * stride + self.slot[b]] = row[i];
                }
            }
        }
        self.interior.solve_lower_block(block, stride, from);
    }

    /// Schur complement S = D − (L⁻¹Cᵀ)ᵀ D⁻¹ (L⁻¹B).
    fn form_schur(&mut self, width: usize) {
        let n = self.interior.layout.order();
        let inverse = self.interior.inverse_pivots();
        for b in 0..width {
            let sums = &mut self.sums[..width];
            sums.fill(0.0);
            let slot = self.slot[b];
            for (row, pivot) in
                reduced(&self.block, self.from, n, self.stride).zip(&inverse[self.from..])
            {
                let scaled = row[slot] * pivot;
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += scaled * value;
                }
            }
            for (c, sum) in sums.iter().enumerate() {
                let corner = self.corner[b * self.room + c];
                let left = corner - sum;
                let noise = CANCELLATION * corner.abs().max(sum.abs());
                self.dense.values[b * self.room + c] = if left.abs() <= noise { 0.0 } else { left };
            }
        }
    }

    /// Solves in place with the factored matrix: `x` holds f and becomes the interior part, `y`
    /// holds g and becomes the border part. No memory is allocated.
    pub fn solve(&mut self, x: &mut [f64], y: &mut [f64]) {
        if self.skew.is_empty() {
            self.solve_symmetric(x, y);
            return;
        }
        let mut skew = std::mem::take(&mut self.skew);
        skew.solve(|x, y| self.solve_symmetric(x, y), x, y);
        self.skew = skew;
    }

    /// Whether N makes the sign of the determinant another one; the matrix is factored.
    pub fn skew_turns_sign(&mut self) -> bool {
        let skew = std::mem::take(&mut self.skew);
        let mut border = vec![0.0; self.width];
        let turns = skew.turns_sign(|x| {
            border.fill(0.0);
            self.solve_symmetric(x, &mut border);
        });
        self.skew = skew;
        turns
    }

    /// [`Bordered::solve`] without N.
    fn solve_symmetric(&mut self, x: &mut [f64], y: &mut [f64]) {
        self.solve_border(x, y);
        self.solve_interior(x);
    }

    /// The first part of a solution without N, after which `y` is the solution and may be
    /// [changed](Bordered::change_border); [`Bordered::solve_interior`] completes it.
    pub fn solve_border(&mut self, x: &mut [f64], y: &mut [f64]) {
        let n = self.interior.layout.order();
        let (width, stride) = (self.dense.order, self.stride);
        self.interior.solve_lower(x);
        self.interior.divide_by_pivots(x);
        self.right[..width].fill(0.0);
        self.right[..y.len()].copy_from_slice(y);
        for (row, value) in reduced(&self.block, self.from, n, stride).zip(&x[self.from..]) {
            for (right, &slot) in self.right.iter_mut().zip(&self.slot[..width]) {
                *right -= row[slot] * value;
            }
        }
        self.solve_dense(y);
    }

    /// Adds `change` to g, in the midst of a solution; `y` becomes the border part for the new g.
    pub fn change_border(&mut self, change: &[f64], y: &mut [f64]) {
        for (right, change) in self.right.iter_mut().zip(change) {
            *right += change;
        }
        self.solve_dense(y);
    }

    /// The border part of the solution for f = 0 and a g of 1 in row `b`; in the midst of a solution
    /// [`Bordered::change_border`] must follow.
    pub fn border_response(&mut self, b: usize) -> &[f64] {
        self.dense.right[..self.dense.order].fill(0.0);
        self.dense.right[b] = 1.0;
        self.dense.solve();
        &self.dense.right[..self.width]
    }

    /// The last part of [`Bordered::solve`].
    pub fn solve_interior(&mut self, x: &mut [f64]) {
        let n = self.interior.layout.order();
        let (width, stride) = (self.dense.order, self.stride);
        let solution = &self.dense.right[..width];
        let inverse = self.interior.inverse_pivots();
        let rows = reduced(&self.block, self.from, n, stride).zip(&inverse[self.from..]);
        for (value, (row, pivot)) in x[self.from..].iter_mut().zip(rows) {
            *value -= pivot * dot(&row[..width], solution);
        }
        self.interior.solve_upper(x);
    }

    fn solve_dense(&mut self, y: &mut [f64]) {
        let width = self.dense.order;
        self.dense.right[..width].copy_from_slice(&self.right[..width]);
        self.dense.solve();
        y.copy_from_slice(&self.dense.right[..y.len()]);
    }

    /// After [`Singular`]: what the matrix maps to zero.
    pub fn free_motion(&mut self) -> FreeMotion {
        let n = self.interior.layout.order();
        let null = self.dense.null_vector();
        let border = null[..self.width.min(null.len())].to_vec();
        // Border unknowns that cancel in every row move nothing; what K⁻¹ makes of their rounding
        // errors is not a motion.
        let cancels = (0..n).all(|i| {
            let terms = null
                .iter()
                .enumerate()
                .map(|(b, y)| self.columns[n * b + i] * y);
            let (sum, size) = terms.fold((0.0, 0.0), |(s, a): (f64, f64), t| (s + t, a + t.abs()));
            sum.abs() <= 1e-9 * size
        });
        if cancels {
            return FreeMotion {
                interior: vec![0.0; n],
                border,
            };
        }
        let inverse = self.interior.inverse_pivots();
        let mut x: Vec<f64> = (0..n)
            .map(|i| {
                let row = &self.block[i * self.stride..i * self.stride + null.len()];
                -inverse[i] * dot(row, &null)
            })
            .collect();
        self.interior.solve_upper(&mut x);
        let largest = x.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        if largest > 0.0 && largest.is_finite() {
            x.iter_mut().for_each(|v| *v /= largest);
        }
        FreeMotion {
            interior: x,
            border,
        }
    }
}

/// A vector that a singular matrix maps to zero.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeMotion {
    /// A motion that nothing resists, largest entry 1; zero where only border unknowns are free,
    /// such as the multipliers of two joints that hold the same.
    pub interior: Vec<f64>,
    /// Border unknowns of the motion, in a scale of their own.
    pub border: Vec<f64>,
}

/// Columns of the block are padded to a multiple of this, so that its rows vectorise.
const LANES: usize = 4;

/// Rows `from`..n of the reduced border.
fn reduced(
    block: &[f64],
    from: usize,
    n: usize,
    stride: usize,
) -> std::slice::ChunksExact<'_, f64> {
    block[from * stride..n * stride].chunks_exact(stride.max(1))
}

/// What is left of a difference below this share of its terms is rounding: a motion that neither
/// K nor the border holds shows as an exact zero.
const CANCELLATION: f64 = 1e-11;
