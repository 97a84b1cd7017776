//! The small dense system of the border.

use crate::numerics::lanes::dot;

/// A pivot of the balanced dense system below this is zero.
const RANK_TOLERANCE: f64 = 1e-13;

/// The system has no unique solution.
#[derive(Debug, Clone, PartialEq)]
pub struct Singular;

/// A small dense system, factored by Gaussian elimination with complete pivoting: the border is
/// where a mechanism shows that it is singular.
#[derive(Debug, Clone)]
pub struct Dense {
    /// Unknowns of the present system.
    pub order: usize,
    room: usize,
    /// The matrix, then U above and the multipliers of L below the diagonal.
    pub values: Vec<f64>,
    /// The matrix before it was scaled.
    given: Vec<f64>,
    /// Right-hand side, then the solution.
    pub right: Vec<f64>,
    /// Original row and column at each place after the exchanges.
    rows: Vec<usize>,
    columns: Vec<usize>,
    row_scale: Vec<f64>,
    column_scale: Vec<f64>,
    solution: Vec<f64>,
    /// Largest entry of each row, or column, of what is left to be done.
    peaks: Vec<f64>,
    rank: usize,
}

impl Dense {
    /// Room for systems of up to `room` unknowns.
    pub fn new(room: usize) -> Dense {
        Dense {
            order: 0,
            room,
            values: vec![0.0; room * room],
            given: vec![0.0; room * room],
            right: vec![0.0; room],
            rows: vec![0; room],
            columns: vec![0; room],
            row_scale: vec![1.0; room],
            column_scale: vec![1.0; room],
            solution: vec![0.0; room],
            peaks: vec![0.0; room],
            rank: 0,
        }
    }

    /// Makes room for systems of up to `room` unknowns, where there is less.
    pub fn reserve(&mut self, room: usize) {
        if room > self.room {
            *self = Dense::new(room);
        }
    }

    /// Most unknowns, and numbers from one row of the matrix to the next.
    pub fn room(&self) -> usize {
        self.room
    }

    /// The matrix' row `i`, to be filled in.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.values[i * self.room..][..self.order]
    }

    /// Factors the matrix; it is destroyed.
    ///
    /// By their largest entries rows and columns may be scaled so that a regular matrix looks singular: what a
    /// multiplier yields over a step h, h²/m, is small beside the slopes that couple it to a coordinate. Such
    /// a matrix is scaled by its diagonal.
    ///
    /// # Errors
    /// [`Singular`] when no unique solution exists.
    pub fn factor(&mut self) -> Result<(), Singular> {
        let size = self.order * self.room;
        self.given[..size].copy_from_slice(&self.values[..size]);
        self.balance();
        if self.eliminate().is_ok() {
            return Ok(());
        }
        let rank = self.rank;
        self.values[..size].copy_from_slice(&self.given[..size]);
        self.balance_diagonals();
        let outcome = self.eliminate();
        if outcome.is_err() && self.rank < rank {
            // A scaling in which more is lost does not show what the matrix maps to zero.
            self.values[..size].copy_from_slice(&self.given[..size]);
            self.balance();
            return self.eliminate();
        }
        outcome
    }

    /// Gaussian elimination of the scaled matrix.
    fn eliminate(&mut self) -> Result<(), Singular> {
        let (n, room) = (self.order, self.room);
        for j in 0..n {
            self.rows[j] = j;
            self.columns[j] = j;
        }
        self.rank = n;
        for (i, peak) in self.peaks[..n].iter_mut().enumerate() {
            *peak = largest(&self.values[i * room..][..n]);
        }
        for k in 0..n {
            let (mut best, mut row) = (0.0, k);
            for (i, &peak) in self.peaks[..n].iter().enumerate().skip(k) {
                if peak > best {
                    (best, row) = (peak, i);
                }
            }
            // A NaN never becomes `best`; a matrix of nothing else ends here too.
            if best <= RANK_TOLERANCE || !best.is_finite() {
                self.rank = k;
                return Err(Singular);
            }
            let left = &self.values[row * room..][k..n];
            let column = k + left.iter().take_while(|v| v.abs() != best).count();
            if row != k {
                for j in 0..n {
                    self.values.swap(k * room + j, row * room + j);
                }
                self.rows.swap(k, row);
                self.peaks.swap(k, row);
            }
            if column != k {
                for i in 0..n {
                    self.values.swap(i * room + k, i * room + column);
                }
                self.columns.swap(k, column);
            }
            let (done, rest) = self.values.split_at_mut((k + 1) * room);
            let (pivot, upper) = done[k * room..][k..n].split_at(1);
            let rows = rest.chunks_exact_mut(room);
            for (row, peak) in rows.zip(&mut self.peaks[k + 1..n]) {
                let (factor, row) = row[k..n].split_at_mut(1);
                factor[0] /= pivot[0];
                if factor[0] != 0.0 {
                    *peak = subtract(row, factor[0], upper);
                }
            }
        }
        Ok(())
    }

    /// Replaces `right` by the solution.
    pub fn solve(&mut self) {
        let (n, room) = (self.order, self.room);
        for k in 0..n {
            let i = self.rows[k];
            let lower = &self.values[k * room..][..k];
            self.solution[k] = self.right[i] * self.row_scale[i] - dot(lower, &self.solution[..k]);
        }
        for k in (0..n).rev() {
            let upper = &self.values[k * room..][k + 1..n];
            let left = self.solution[k] - dot(upper, &self.solution[k + 1..n]);
            self.solution[k] = left / self.values[k * room + k];
        }
        for k in 0..n {
            let j = self.columns[k];
            self.right[j] = self.solution[k] * self.column_scale[j];
        }
    }

    /// Scales rows and columns so that their largest entries come near 1: multipliers (N) and
    /// coordinates (m) stand side by side.
    fn balance(&mut self) {
        let (n, room) = (self.order, self.room);
        self.row_scale[..n].fill(1.0);
        self.column_scale[..n].fill(1.0);
        for _ in 0..3 {
            self.peaks[..n].fill(0.0);
            for (row, scale) in
                self.values.chunks_exact_mut(room.max(1)).zip(&mut self.row_scale[..n])
            {
                let row = &mut row[..n];
                let f = balancing(largest(row));
                *scale *= f;
                for (value, peak) in row.iter_mut().zip(&mut self.peaks) {
                    *value *= f;
                    *peak = larger(*peak, value.abs());
                }
            }
            for (peak, scale) in self.peaks.iter_mut().zip(&mut self.column_scale[..n]) {
                *peak = balancing(*peak);
                *scale *= *peak;
            }
            for row in self.values.chunks_exact_mut(room.max(1)).take(n) {
                for (value, f) in row[..n].iter_mut().zip(&self.peaks) {
                    *value *= f;
                }
            }
        }
    }

    /// Scales rows and columns so that diagonal entries come to 1 and then, in order, rows and columns with a
    /// larger one to that; a coordinate stands before the multipliers that it is coupled to and yields to them.
    fn balance_diagonals(&mut self) {
        let (n, room) = (self.order, self.room);
        for i in 0..n {
            let diagonal = self.values[i * room + i].abs();
            let scale = if diagonal > 0.0 { 1.0 / diagonal.sqrt() } else { 0.0 };
            (self.row_scale[i], self.column_scale[i]) = (scale, scale);
        }
        for i in 0..n {
            let (mut row, mut column) = (0.0_f64, 0.0_f64);
            for k in 0..n {
                row = row.max(self.values[i * room + k].abs() * self.column_scale[k]);
                column = column.max(self.values[k * room + i].abs() * self.row_scale[k]);
            }
            let limit = |scale: f64, largest: f64| match scale {
                0.0 if largest > 0.0 => 1.0 / largest,
                0.0 => 1.0,
                scale => scale / (scale * largest).max(1.0),
            };
            self.row_scale[i] = limit(self.row_scale[i], row);
            self.column_scale[i] = limit(self.column_scale[i], column);
        }
        for i in 0..n {
            let row = &mut self.values[i * room..i * room + n];
            for (value, column) in row.iter_mut().zip(&self.column_scale) {
                *value *= self.row_scale[i] * column;
            }
        }
    }

    /// A vector that the matrix maps to zero, after `factor` found rank < order.
    pub fn null_vector(&self) -> Vec<f64> {
        let (n, room, rank) = (self.order, self.room, self.rank);
        let mut out = vec![0.0; n];
        if rank >= n {
            return out;
        }
        let mut z = vec![0.0; n];
        z[rank] = 1.0;
        for k in (0..rank).rev() {
            let sum: f64 = (k + 1..=rank).map(|j| self.values[k * room + j] * z[j]).sum();
            z[k] = -sum / self.values[k * room + k];
        }
        for (&j, value) in self.columns.iter().zip(z) {
            out[j] = value * self.column_scale[j];
        }
        out
    }
}

/// What brings a largest entry nearer to 1.
fn balancing(largest: f64) -> f64 {
    if largest > 0.0 { 1.0 / largest.sqrt() } else { 1.0 }
}

/// The larger of two numbers; `a` where `b` is none.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The largest size of an entry.
fn largest(row: &[f64]) -> f64 {
    let mut peaks = [0.0; 4];
    let chunks = row.chunks_exact(4);
    let tail = chunks.remainder().iter().fold(0.0, |a, v| larger(a, v.abs()));
    for values in chunks {
        for (peak, v) in peaks.iter_mut().zip(values) {
            *peak = larger(*peak, v.abs());
        }
    }
    peaks.into_iter().fold(tail, larger)
}

/// row ← row − `factor` `upper`; returns the largest size of an entry.
fn subtract(row: &mut [f64], factor: f64, upper: &[f64]) -> f64 {
    let mut peaks = [0.0; 4];
    let (mut left, right) = (row.chunks_exact_mut(4), upper.chunks_exact(4));
    let rest = right.remainder();
    for (row, upper) in left.by_ref().zip(right) {
        for k in 0..4 {
            row[k] -= factor * upper[k];
            peaks[k] = larger(peaks[k], row[k].abs());
        }
    }
    let mut tail = 0.0;
    for (v, u) in left.into_remainder().iter_mut().zip(rest) {
        *v -= factor * u;
        tail = larger(tail, v.abs());
    }
    peaks.into_iter().fold(tail, larger)
}
