//! Symmetric matrices stored row by row from the first nonzero to the diagonal.

use std::ops::Range;

use nalgebra_sparse::pattern::SparsityPattern;

/// Where the entries of an envelope stand; shared by every matrix of the same pattern.
#[derive(Debug, Clone)]
pub struct Layout {
    /// First column of each row.
    first: Vec<usize>,
    /// Position of each row's first entry; one more than rows.
    start: Vec<usize>,
    blocks: Vec<Block>,
}

/// Rows one after the other that begin in the same column, such as those of one node.
#[derive(Debug, Clone)]
struct Block {
    rows: Range<usize>,
    /// The first of the blocks whose rows are among its columns.
    reaches: usize,
}

/// Most rows of a block, so that all sums of two blocks' rows fit the registers.
const BLOCK: usize = 3;

impl Layout {
    /// The envelope of a symmetric `pattern` that holds every diagonal entry.
    pub fn of(pattern: &SparsityPattern) -> Layout {
        let n = pattern.major_dim();
        let first: Vec<usize> = (0..n)
            .map(|i| pattern.lane(i).first().map_or(i, |&j| j.min(i)))
            .collect();
        let mut start = vec![0; n + 1];
        for i in 0..n {
            start[i + 1] = start[i] + i + 1 - first[i];
        }
        let mut blocks: Vec<Block> = Vec::new();
        for i in 0..n {
            match blocks.last_mut() {
                Some(Block { rows, .. }) if first[rows.start] == first[i] && rows.len() < BLOCK => {
                    rows.end += 1;
                }
                _ => {
                    let reaches = blocks.partition_point(|other| other.rows.end <= first[i]);
                    blocks.push(Block {
                        rows: i..i + 1,
                        reaches,
                    });
                }
            }
        }
        Layout {
            first,
            start,
            blocks,
        }
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.first.len()
    }

    /// Number of stored entries.
    pub fn len(&self) -> usize {
        self.start[self.order()]
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    /// Position of entry (i, j), in either triangle; it must lie inside the envelope.
    #[inline(always)]
    pub fn position(&self, i: usize, j: usize) -> usize {
        let (row, column) = if i >= j { (i, j) } else { (j, i) };
        self.start[row] + column - self.first[row]
    }

    /// Position of entry (i, j) if it lies inside the envelope.
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        (self.first[i.max(j)] <= i.min(j)).then(|| self.position(i, j))
    }

    fn row(&self, i: usize) -> Range<usize> {
        self.start[i]..self.start[i + 1]
    }

    /// Makes the columns of `other`, whose rows of L are `done`, entries of U in the rows of `block`,
    /// which `rest` begins with.
    #[inline(always)]
    fn reduce(&self, block: &Block, rest: &mut [f64], other: &Block, done: &[f64]) {
        let begin = self.first[block.rows.start];
        let columns = other.rows.start.max(begin)..other.rows.end;
        let first = self.first[other.rows.start];
        let from = begin.max(first);
        let left = |j: usize| &done[self.row(j)][from - first..j - first];
        if block.rows.len() == BLOCK && columns.len() == BLOCK {
            let (a, tail) = rest.split_at_mut(block.rows.start + 1 - begin);
            let (b, c) = tail.split_at_mut(block.rows.start + 2 - begin);
            let rows = [a, b, c].map(|row| &mut row[from - begin..columns.end - begin]);
            let start = columns.start;
            reduce_block(rows, [left(start), left(start + 1), left(start + 2)]);
            return;
        }
        let mut start = 0;
        for i in block.rows.clone() {
            let row = &mut rest[start..start + i + 1 - begin];
            start += row.len();
            for j in columns.clone() {
                row[j - begin] -= dot(&row[from - begin..j - begin], left(j));
            }
        }
    }
}

/// The last three entries of each row less the products of what is left of them with `lower`, the rows
/// of L of these columns. All nine sums at once: each number is loaded once for three of them.
#[inline(always)]
fn reduce_block(rows: [&mut [f64]; BLOCK], lower: [&[f64]; BLOCK]) {
    let n = lower[0].len();
    let mut sums = [[[0.0; 2]; BLOCK]; BLOCK];
    {
        let [a, b, c] = rows.each_ref().map(|row| row[..n].chunks_exact(2));
        let [d, e, f] = lower.map(|row| row[..n].chunks_exact(2));
        let (left, right) = (a.zip(b).zip(c), d.zip(e).zip(f));
        for (((a, b), c), ((d, e), f)) in left.zip(right) {
            for (sums, u) in sums.iter_mut().zip([a, b, c]) {
                for (sum, l) in sums.iter_mut().zip([d, e, f]) {
                    sum[0] += u[0] * l[0];
                    sum[1] += u[1] * l[1];
                }
            }
        }
    }
    for (row, sums) in rows.into_iter().zip(sums) {
        let (done, row) = row.split_at_mut(n);
        for (c, [even, odd]) in sums.into_iter().enumerate() {
            let mut sum = even + odd;
            if n % 2 == 1 {
                sum += done[n - 1] * lower[c][n - 1];
            }
            for (u, l) in row[..c].iter().zip(&lower[c][n..]) {
                sum += u * l;
            }
            row[c] -= sum;
        }
    }
}

/// A symmetric matrix in its envelope; factored in place as L D Lᵀ.
#[derive(Debug, Clone)]
pub struct Envelope {
    pub layout: Layout,
    pub values: Vec<f64>,
    /// 1/D of the factorisation.
    inverse: Vec<f64>,
}

/// A pivot that was too small and has been raised by `boost`: K + boost·e eᵀ was factored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Raised {
    pub row: usize,
    pub boost: f64,
}

/// A pivot below this share of its diagonal entry (or of the largest one, where that is zero) is
/// a motion that K alone does not hold.
const SMALL_PIVOT: f64 = 1e-9;

impl Envelope {
    /// A zero matrix.
    pub fn new(layout: Layout) -> Envelope {
        let n = layout.order();
        Envelope {
            values: vec![0.0; layout.len()],
            inverse: vec![0.0; n],
            layout,
        }
    }

    /// Factors K = L D Lᵀ in place. Pivots that vanish are raised to the size of their diagonal
    /// entry and recorded in `raised`, at most as many as its capacity; the border then solves
    /// for what was added. No memory is allocated.
    pub fn factor(&mut self, raised: &mut Vec<Raised>) {
        let largest = self.diagonal().map(f64::abs).fold(0.0, f64::max);
        let layout = &self.layout;
        for (b, block) in layout.blocks.iter().enumerate() {
            let begin = layout.first[block.rows.start];
            let (done, rest) = self.values.split_at_mut(layout.start[block.rows.start]);
            for other in &layout.blocks[block.reaches..b] {
                layout.reduce(block, rest, other, done);
            }
            for i in block.rows.clone() {
                // Row i of U = L D, then of L; U is kept aside for the pivot.
                let at = layout.start[i] - layout.start[block.rows.start];
                let (above, row) = rest.split_at_mut(at);
                let row = &mut row[..i + 1 - begin];
                let diagonal = row[i - begin].abs();
                let mut start = 0;
                for j in block.rows.start..i {
                    let other = &above[start..start + j - begin];
                    start += j + 1 - begin;
                    row[j - begin] -= dot(&row[..j - begin], other);
                }
                let (row, pivot) = row.split_at_mut(i - begin);
                let pivot = &mut pivot[0];
                *pivot -= divide(row, &self.inverse[begin..i]);
                let scale = if diagonal > 1e-14 * largest {
                    diagonal
                } else if largest > 0.0 {
                    largest
                } else {
                    1.0
                };
                if (*pivot).abs() <= SMALL_PIVOT * scale && raised.len() < raised.capacity() {
                    raised.push(Raised {
                        row: i,
                        boost: scale - *pivot,
                    });
                    *pivot = scale;
                }
                self.inverse[i] = 1.0 / *pivot;
            }
        }
    }

    /// x ← L⁻¹ x.
    pub fn solve_lower(&self, x: &mut [f64]) {
        for block in &self.layout.blocks {
            let (begin, rows) = (self.layout.first[block.rows.start], block.rows.clone());
            let lower = |i: usize| &self.values[self.layout.row(i)];
            let (done, rest) = x.split_at_mut(rows.start);
            let done = &done[begin..];
            if rows.len() == BLOCK {
                let left = [0, 1, 2].map(|r| &lower(rows.start + r)[..done.len()]);
                for (x, sum) in rest.iter_mut().zip(dots(left, done)) {
                    *x -= sum;
                }
            } else {
                for (x, i) in rest.iter_mut().zip(rows.clone()) {
                    *x -= dot(&lower(i)[..done.len()], done);
                }
            }
            for i in rows.clone() {
                let (above, x) = rest.split_at_mut(i - rows.start);
                for (l, above) in lower(i)[done.len()..].iter().zip(above) {
                    x[0] -= l * *above;
                }
            }
        }
    }

    /// X ← L⁻¹ X for a block with `stride` numbers (a multiple of 4) in each row, zero behind the first `begun`
    /// of them (a multiple of 4, too), which grow from row to row.
    pub fn solve_lower_block(&self, block: &mut [f64], stride: usize, begun: &[usize]) {
        let from = begun.partition_point(|begun| *begun == 0);
        for i in from + 1..self.layout.order() {
            let begin = self.layout.first[i].max(from);
            let row =
                &self.values[self.layout.position(i, begin.min(i))..self.layout.start[i + 1] - 1];
            let (done, rest) = block.split_at_mut(i * stride);
            let target = &mut rest[..stride];
            for (j, l) in (begin..i).zip(row) {
                let source = &done[j * stride..][..begun[j]];
                for (t, s) in target.chunks_exact_mut(4).zip(source.chunks_exact(4)) {
                    for k in 0..4 {
                        t[k] -= l * s[k];
                    }
                }
            }
        }
    }

    /// x ← D⁻¹ x.
    pub fn divide_by_pivots(&self, x: &mut [f64]) {
        for (xi, d) in x.iter_mut().zip(&self.inverse) {
            *xi *= d;
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn solve_upper(&self, x: &mut [f64]) {
        for block in self.layout.blocks.iter().rev() {
            let (begin, rows) = (self.layout.first[block.rows.start], block.rows.clone());
            let lower = |i: usize| &self.values[self.layout.row(i)];
            let (left, rest) = x.split_at_mut(rows.start);
            let left = &mut left[begin..];
            for i in rows.clone().rev() {
                let (above, x) = rest.split_at_mut(i - rows.start);
                for (l, above) in lower(i)[left.len()..].iter().zip(above) {
                    *above -= l * x[0];
                }
            }
            if let (BLOCK, [x0, x1, x2, ..]) = (rows.len(), &*rest) {
                let [a, b, c] = [0, 1, 2].map(|r| lower(rows.start + r));
                for (((x, a), b), c) in left.iter_mut().zip(a).zip(b).zip(c) {
                    *x -= (a * x0 + b * x1) + c * x2;
                }
            } else {
                for (i, xi) in rows.zip(rest) {
                    for (x, l) in left.iter_mut().zip(lower(i)) {
                        *x -= l * *xi;
                    }
                }
            }
        }
    }

    /// 1/D of the factorisation, row by row.
    pub fn inverse_pivots(&self) -> &[f64] {
        &self.inverse
    }

    /// The diagonal, row by row.
    pub fn diagonal(&self) -> impl Iterator<Item = f64> {
        self.layout.start[1..]
            .iter()
            .map(|end| self.values[end - 1])
    }
}

/// The products of three rows with `x`.
#[inline(always)]
fn dots(rows: [&[f64]; BLOCK], x: &[f64]) -> [f64; BLOCK] {
    let mut sums = [[0.0; 2]; BLOCK];
    let [a, b, c] = rows.map(|row| row.chunks_exact(2));
    let pairs = x.chunks_exact(2);
    let last = pairs.remainder();
    for (((a, b), c), x) in a.zip(b).zip(c).zip(pairs) {
        for (sum, row) in sums.iter_mut().zip([a, b, c]) {
            sum[0] += row[0] * x[0];
            sum[1] += row[1] * x[1];
        }
    }
    let tail = |row: &[f64]| last.first().map_or(0.0, |last| row[x.len() - 1] * last);
    [0, 1, 2].map(|r| sums[r][0] + sums[r][1] + tail(rows[r]))
}

/// Makes a row of U one of L, with the `inverse` pivots; returns their product.
#[inline(always)]
fn divide(row: &mut [f64], inverse: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let mut tail = 0.0;
    let (mut left, right) = (row.chunks_exact_mut(4), inverse.chunks_exact(4));
    let rest = right.remainder();
    for (u, inverse) in left.by_ref().zip(right) {
        for k in 0..4 {
            let l = u[k] * inverse[k];
            sums[k] += u[k] * l;
            u[k] = l;
        }
    }
    for (u, inverse) in left.into_remainder().iter_mut().zip(rest) {
        let l = *u * inverse;
        tail += *u * l;
        *u = l;
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}

/// Four running sums: the compiler may not reorder a single one, and the order must not depend
/// on the machine.
#[inline(always)]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (left, right) = (a.chunks_exact(4), b.chunks_exact(4));
    let tail: f64 = left
        .remainder()
        .iter()
        .zip(right.remainder())
        .map(|(x, y)| x * y)
        .sum();
    for (x, y) in left.zip(right) {
        for k in 0..4 {
            sums[k] += x[k] * y[k];
        }
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + tail
}
