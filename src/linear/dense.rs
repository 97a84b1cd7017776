//! The small dense system of the border.

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
            rank: 0,
        }
    }

    /// The matrix' row `i`, to be filled in.
    pub fn row_mut(&mut self, i: usize) -> &mut [f64] {
        &mut self.values[i * self.room..][..self.order]
    }

    /// Factors the matrix; it is destroyed.
    ///
    /// By their largest entries rows and columns may be scaled so that a regular matrix looks singular: what a
    /// multiplier gives way over a step h, h²/m, is small beside the slopes that couple it to a coordinate. Such
    /// a matrix is scaled by its diagonal.
    ///
    /// # Errors
    /// [`Singular`] when no unique solution exists.
    pub fn factor(&mut self) -> Result<(), Singular> {
        self.given.copy_from_slice(&self.values);
        self.balance();
        self.eliminate().or_else(|Singular| {
            self.values.copy_from_slice(&self.given);
            self.balance_diagonals();
            self.eliminate()
        })
    }

    /// Gaussian elimination of the scaled matrix.
    fn eliminate(&mut self) -> Result<(), Singular> {
        let (n, room) = (self.order, self.room);
        for j in 0..n {
            self.rows[j] = j;
            self.columns[j] = j;
        }
        self.rank = n;
        for k in 0..n {
            let (mut best, mut row, mut column) = (0.0, k, k);
            for i in k..n {
                for j in k..n {
                    let size = self.values[i * room + j].abs();
                    if size > best {
                        (best, row, column) = (size, i, j);
                    }
                }
            }
            // A NaN never becomes `best`; a matrix of nothing else ends here too.
            if best <= RANK_TOLERANCE || !best.is_finite() {
                self.rank = k;
                return Err(Singular);
            }
            if row != k {
                for j in 0..n {
                    self.values.swap(k * room + j, row * room + j);
                }
                self.rows.swap(k, row);
            }
            if column != k {
                for i in 0..n {
                    self.values.swap(i * room + k, i * room + column);
                }
                self.columns.swap(k, column);
            }
            for i in k + 1..n {
                let factor = self.values[i * room + k] / self.values[k * room + k];
                self.values[i * room + k] = factor;
                if factor != 0.0 {
                    for j in k + 1..n {
                        self.values[i * room + j] -= factor * self.values[k * room + j];
                    }
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
            let mut sum = self.right[i] * self.row_scale[i];
            for j in 0..k {
                sum -= self.values[k * room + j] * self.solution[j];
            }
            self.solution[k] = sum;
        }
        for k in (0..n).rev() {
            let mut sum = self.solution[k];
            for j in k + 1..n {
                sum -= self.values[k * room + j] * self.solution[j];
            }
            self.solution[k] = sum / self.values[k * room + k];
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
            for i in 0..n {
                let row = &mut self.values[i * room..i * room + n];
                let largest = row.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
                if largest > 0.0 {
                    let f = 1.0 / largest.sqrt();
                    row.iter_mut().for_each(|v| *v *= f);
                    self.row_scale[i] *= f;
                }
            }
            for j in 0..n {
                let largest = (0..n).fold(0.0, |a: f64, i| a.max(self.values[i * room + j].abs()));
                if largest > 0.0 {
                    let f = 1.0 / largest.sqrt();
                    (0..n).for_each(|i| self.values[i * room + j] *= f);
                    self.column_scale[j] *= f;
                }
            }
        }
    }

    /// Scales rows and columns so that diagonal entries come to 1 and then, in order, rows and columns with a
    /// larger one to that; a coordinate stands before the multipliers that it is coupled to and gives way to them.
    fn balance_diagonals(&mut self) {
        let (n, room) = (self.order, self.room);
        for i in 0..n {
            let diagonal = self.values[i * room + i].abs();
            let scale = if diagonal > 0.0 {
                1.0 / diagonal.sqrt()
            } else {
                0.0
            };
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
            let sum: f64 = (k + 1..=rank)
                .map(|j| self.values[k * room + j] * z[j])
                .sum();
            z[k] = -sum / self.values[k * room + k];
        }
        for (&j, value) in self.columns.iter().zip(z) {
            out[j] = value * self.column_scale[j];
        }
        out
    }
}
