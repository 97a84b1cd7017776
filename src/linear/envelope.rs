//! Symmetric matrices stored row by row from the first nonzero to the diagonal.

use std::ops::Range;

use nalgebra_sparse::pattern::SparsityPattern;

/// Where the entries of an envelope stand; shared by every matrix of the same pattern.
#[derive(Debug, Clone)]
pub struct Profile {
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

impl Profile {
    /// The envelope of a symmetric `pattern` that holds every diagonal entry.
    pub fn of(pattern: &SparsityPattern) -> Profile {
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
        Profile {
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

    /// Whether the envelope couples these `rows` with each other at most.
    pub fn is_alone(&self, rows: &[usize]) -> bool {
        let coupled = |(i, &first): (usize, &usize)| match rows.contains(&i) {
            true => (first..i).any(|j| !rows.contains(&j)),
            false => rows.iter().any(|row| (first..i).contains(row)),
        };
        !self.first.iter().enumerate().any(coupled)
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

/// Numbers that are taken together, so that they fill the registers.
pub const LANES: usize = 4;

/// Rows of a block that are taken together.
const TOGETHER: usize = 4;

/// `target` less so many times each of N rows, one after the other: each number of the target is loaded once for all.
#[inline(always)]
fn subtract_rows<const N: usize>(
    target: &mut [f64],
    rows: &[f64],
    stride: usize,
    factors: &[f64; N],
) {
    let rows: [&[f64]; N] = std::array::from_fn(|r| &rows[r * stride..][..target.len()]);
    for (k, target) in target.chunks_exact_mut(LANES).enumerate() {
        let mut sums: [f64; LANES] = std::array::from_fn(|l| target[l]);
        for (row, factor) in rows.iter().zip(factors) {
            let row = &row[k * LANES..][..LANES];
            for (sum, value) in sums.iter_mut().zip(row) {
                *sum -= factor * value;
            }
        }
        target.copy_from_slice(&sums);
    }
}

/// A pivot that was too small and has been raised by `boost`: K + boost·e eᵀ was factored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Raised {
    pub row: usize,
    pub boost: f64,
    /// What was there before; zero where that is rounding.
    pub left: f64,
}

/// A pivot below this share of its diagonal entry (or of the largest one, where that is zero) is
/// a motion that K alone does not hold.
pub const SMALL_PIVOT: f64 = 1e-9;

/// What is left of a pivot below this share of its diagonal entry is rounding.
const NOTHING_LEFT: f64 = 1e-11;

impl Profile {
    /// Factors the matrix of these `values` in place as L D Lᵀ, with 1/D in `inverse`. Pivots that vanish, or vanish beside
    /// what the border couples their row with (`beside`), are raised to the size of that and recorded in `raised`, at most as many as its
    /// capacity less what is `kept` for those that vanish by themselves; the border then solves for what was added. No memory is allocated.
    pub fn factor(
        &self,
        values: &mut [f64],
        inverse: &mut [f64],
        raised: &mut Vec<Raised>,
        (beside, kept): (&[f64], usize),
    ) {
        let diagonal = self.start[1..].iter().map(|end| values[end - 1].abs());
        let largest = diagonal.fold(0.0, f64::max);
        for (b, block) in self.blocks.iter().enumerate() {
            let begin = self.first[block.rows.start];
            let (done, rest) = values.split_at_mut(self.start[block.rows.start]);
            for other in &self.blocks[block.reaches..b] {
                self.reduce(block, rest, other, done);
            }
            for i in block.rows.clone() {
                // Row i of U = L D, then of L; U is kept aside for the pivot.
                let at = self.start[i] - self.start[block.rows.start];
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
                *pivot -= divide(row, &inverse[begin..i]);
                let own = if diagonal > 1e-14 * largest {
                    diagonal
                } else if largest > 0.0 {
                    largest
                } else {
                    1.0
                };
                let scale = if raised.len() + kept < raised.capacity() {
                    own.max(beside[i])
                } else {
                    own
                };
                if (*pivot).abs() <= SMALL_PIVOT * scale && raised.len() < raised.capacity() {
                    let counts = (*pivot).abs() > NOTHING_LEFT * own;
                    raised.push(Raised {
                        row: i,
                        boost: scale - *pivot,
                        left: if counts { *pivot } else { 0.0 },
                    });
                    *pivot = scale;
                }
                inverse[i] = 1.0 / *pivot;
            }
        }
    }

    /// x ← L⁻¹ x.
    pub fn solve_lower(&self, values: &[f64], x: &mut [f64]) {
        for block in &self.blocks {
            let (begin, rows) = (self.first[block.rows.start], block.rows.clone());
            let lower = |i: usize| &values[self.row(i)];
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

    /// X ← L⁻¹ X for a block with `stride` numbers (a multiple of [`LANES`]) in each row, zero behind the first `begun`
    /// of them (a multiple of it, too), which grow from row to row.
    pub fn solve_lower_block(
        &self,
        values: &[f64],
        block: &mut [f64],
        stride: usize,
        begun: &[usize],
    ) {
        let from = begun.partition_point(|begun| *begun == 0);
        for i in from + 1..self.order() {
            let begin = self.first[i].max(from);
            let row = &values[self.position(i, begin.min(i))..self.start[i + 1] - 1];
            let (done, rest) = block.split_at_mut(i * stride);
            let target = &mut rest[..stride];
            let rows = done[begin.min(i) * stride..].chunks(TOGETHER * stride);
            let begun = begun[begin.min(i)..i].chunks(TOGETHER);
            for ((rows, begun), factors) in rows.zip(begun).zip(row.chunks(TOGETHER)) {
                // Rows that began later are zero as far as the last one has.
                let target = &mut target[..begun[begun.len() - 1]];
                match factors.try_into() {
                    Ok(factors) => subtract_rows::<TOGETHER>(target, rows, stride, factors),
                    Err(_) => {
                        for (row, factor) in rows.chunks_exact(stride).zip(factors) {
                            subtract_rows::<1>(target, row, stride, &[*factor]);
                        }
                    }
                }
            }
        }
    }

    /// x ← L⁻ᵀ x.
    pub fn solve_upper(&self, values: &[f64], x: &mut [f64]) {
        for block in self.blocks.iter().rev() {
            let (begin, rows) = (self.first[block.rows.start], block.rows.clone());
            let lower = |i: usize| &values[self.row(i)];
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

    /// Multiplications that a factorisation takes with a border of `width` columns that reach through all rows, twice
    /// over.
    pub fn work(&self, width: usize) -> f64 {
        let width = width as f64;
        let row = |i: usize| (i - self.first[i]) as f64;
        let each = (0..self.order()).map(|i| row(i) * (row(i) + 2.0 * width) + width * width);
        each.sum::<f64>() + 2.0 * width.powi(3) / 3.0
    }

    /// Position of the diagonal entry of row `i`.
    pub fn diagonal(&self, i: usize) -> usize {
        self.start[i + 1] - 1
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
