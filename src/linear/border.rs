//! A symmetric envelope with a small dense border.

use std::ops::Range;

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
    /// Interior rows among which the entries of column b and of row b are.
    touched: Vec<Range<usize>>,
    pub(super) raised: Vec<Raised>,
    /// L⁻¹B and L⁻¹Cᵀ, `stride` numbers for each interior row: columns that begin further up stand further left.
    block: Vec<f64>,
    stride: usize,
    /// How many numbers of each row of the block the columns that have begun take; none above row `from`.
    begun: Vec<usize>,
    from: usize,
    /// First row of each column of the block, and the column of B or, from `room` on, of Cᵀ that it comes from.
    begins: Vec<(usize, usize)>,
    /// Where columns b of B and of Cᵀ stand in the block.
    column_slot: Vec<usize>,
    row_slot: Vec<usize>,
    /// The products of the block's columns, below the diagonal.
    products: Vec<f64>,
    /// A number for each column of the block.
    slots: Vec<f64>,
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
        let stride = (2 * room).next_multiple_of(LANES);
        Bordered {
            interior: Envelope::new(layout),
            width,
            room,
            columns: vec![0.0; n * room],
            rows: vec![0.0; n * room],
            own_row: vec![false; room],
            corner: vec![0.0; room * room],
            touched: vec![n..n; room],
            raised: Vec::with_capacity(spare),
            block: vec![0.0; n * stride],
            stride,
            begun: vec![0; n],
            from: n,
            begins: Vec::with_capacity(2 * room),
            column_slot: vec![0; room],
            row_slot: vec![0; room],
            products: vec![0.0; stride * stride],
            slots: vec![0.0; stride],
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
        for (b, touched) in self.touched.iter_mut().enumerate() {
            self.columns[n * b..][touched.clone()].fill(0.0);
            *touched = n..n;
        }
        self.own_row.fill(false);
        self.corner.fill(0.0);
    }

    /// Adds to B (interior row, border column) and, as long as row `b` is not its own, to C.
    #[inline]
    pub fn add_column(&mut self, row: usize, b: usize, value: f64) {
        let n = self.interior.layout.order();
        self.columns[n * b + row] += value;
        self.touch(b, row);
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
        self.touch(b, column);
    }

    #[inline]
    fn touch(&mut self, b: usize, row: usize) {
        let touched = &mut self.touched[b];
        let end = if touched.start < touched.end {
            touched.end
        } else {
            0
        };
        *touched = touched.start.min(row)..end.max(row + 1);
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
            self.touched[b] = raised.row..raised.row + 1;
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
        self.begins.clear();
        for (b, touched) in self.touched[..width].iter().enumerate() {
            self.begins.push((touched.start, b));
            if self.own_row[b] {
                self.begins.push((touched.start, self.room + b));
            }
        }
        self.begins.sort_unstable();
        self.from = self.begins.first().map_or(n, |(first, _)| *first);
        let stride = self.begins.len().next_multiple_of(LANES);
        self.stride = stride;
        let mut slots = 0;
        for (row, begun) in self.begun.iter_mut().enumerate() {
            slots += (self.begins[slots..].iter())
                .take_while(|(first, _)| *first <= row)
                .count();
            *begun = slots.next_multiple_of(LANES);
        }
        let block = &mut self.block[..n * stride];
        block.fill(0.0);
        for (slot, &(_, vector)) in self.begins.iter().enumerate() {
            let (b, source) = match vector.checked_sub(self.room) {
                None => {
                    self.column_slot[vector] = slot;
                    if !self.own_row[vector] {
                        self.row_slot[vector] = slot;
                    }
                    (vector, &self.columns)
                }
                Some(b) => {
                    self.row_slot[b] = slot;
                    (b, &self.rows)
                }
            };
            for i in self.touched[b].clone() {
                block[i * stride + slot] = source[n * b + i];
            }
        }
        self.interior.solve_lower_block(block, stride, &self.begun);
    }

    /// Schur complement S = D − (L⁻¹Cᵀ)ᵀ D⁻¹ (L⁻¹B).
    fn form_schur(&mut self, width: usize) {
        let (stride, inverse) = (self.stride, self.interior.inverse_pivots());
        let products = &mut self.products[..stride * stride];
        products.fill(0.0);
        let rows = reduced(&self.block, stride, &self.begun, self.from);
        for (row, pivot) in rows.zip(&inverse[self.from..]) {
            let targets = products.chunks_exact_mut(stride.max(1));
            for (slot, (value, sums)) in row.iter().zip(targets).enumerate() {
                let scaled = value * pivot;
                for (sum, value) in sums[..=slot].iter_mut().zip(row) {
                    *sum += scaled * value;
                }
            }
        }
        for b in 0..width {
            let corners = &self.corner[b * self.room..][..width];
            let target = &mut self.dense.values[b * self.room..][..width];
            let row = self.row_slot[b];
            for ((left, corner), &column) in target.iter_mut().zip(corners).zip(&self.column_slot) {
                let sum = products[row.max(column) * stride + row.min(column)];
                let noise = CANCELLATION * corner.abs().max(sum.abs());
                *left = corner - sum;
                if left.abs() <= noise {
                    *left = 0.0;
                }
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
        self.interior.solve_lower(x);
        self.interior.divide_by_pivots(x);
        self.slots.fill(0.0);
        let rows = reduced(&self.block, self.stride, &self.begun, self.from);
        for (row, x) in rows.zip(&x[self.from..]) {
            for (sum, value) in self.slots.iter_mut().zip(row) {
                *sum += value * x;
            }
        }
        let width = self.dense.order;
        self.right[..width].fill(0.0);
        self.right[..y.len()].copy_from_slice(y);
        for (right, &slot) in self.right[..width].iter_mut().zip(&self.row_slot) {
            *right -= self.slots[slot];
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
        let solution = &self.dense.right[..self.dense.order];
        place(solution, &self.column_slot, &mut self.slots);
        self.subtract_border(x);
        self.interior.solve_upper(x);
    }

    /// x ← x − D⁻¹ (L⁻¹B) y with y in the places of the block's columns.
    fn subtract_border(&self, x: &mut [f64]) {
        let inverse = self.interior.inverse_pivots();
        let rows = reduced(&self.block, self.stride, &self.begun, self.from);
        let left = x[self.from..].iter_mut().zip(&inverse[self.from..]);
        for (row, (x, pivot)) in rows.zip(left) {
            *x -= pivot * dot(row, &self.slots[..row.len()]);
        }
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
        place(&null, &self.column_slot, &mut self.slots);
        let mut x = vec![0.0; n];
        self.subtract_border(&mut x);
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

/// Rows of the `block` from row `from` on, each as far as columns have `begun`.
fn reduced<'a>(
    block: &'a [f64],
    stride: usize,
    begun: &'a [usize],
    from: usize,
) -> impl Iterator<Item = &'a [f64]> {
    let rows = block[from * stride..].chunks_exact(stride.max(1));
    (rows.zip(&begun[from..])).map(|(row, &begun)| &row[..begun])
}

/// Puts numbers of the border in the places of their columns of the block.
fn place(border: &[f64], slot: &[usize], slots: &mut [f64]) {
    slots.fill(0.0);
    for (value, &slot) in border.iter().zip(slot) {
        slots[slot] = *value;
    }
}

/// What is left of a difference below this share of its terms is rounding: a motion that neither
/// K nor the border holds shows as an exact zero.
const CANCELLATION: f64 = 1e-11;
