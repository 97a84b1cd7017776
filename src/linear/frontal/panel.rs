//! Dense elimination within one front.

use super::pivot::Pivots;

/// Columns that are eliminated before the rest follows them.
const BLOCK: usize = 32;

/// Rows and columns of a front up to which nothing is packed into tiles.
const SMALL: usize = 16;

/// Rows and columns of a tile: its sums fit the registers.
const TILE: usize = 4;

/// Room for what is eliminated at one time.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// L and L D of the newest columns below them, tile by tile.
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Panel {
    /// Makes room for fronts of up to `longest` rows and columns.
    pub fn reserve(&mut self, longest: usize) {
        // A pair is not cut.
        let size = (BLOCK + 1) * longest.next_multiple_of(TILE);
        if self.lower.len() < size {
            self.lower.resize(size, 0.0);
            self.upper.resize(size, 0.0);
        }
    }

    /// Eliminates the `columns` of a front, column by column as long as the front, and takes what follows from the
    /// `rest`, the square of its rows. Only lower triangles are used. D goes into `pivots`, which decide what is
    /// eliminated alone and what in pairs.
    pub fn eliminate(&mut self, columns: &mut [f64], rest: &mut [f64], mut pivots: Pivots) {
        let k = pivots.inverse.len();
        let m = columns.len().checked_div(k).unwrap_or(0);
        if m <= SMALL {
            eliminate_small(columns, rest, pivots, [k, m]);
            return;
        }
        let mut begin = 0;
        while begin < k {
            let mut end = (begin + BLOCK).min(k);
            end += usize::from(pivots.may_pair(end - 1));
            let depth = end - begin;
            let tiles = (m - end).div_ceil(TILE);
            if tiles > 0 {
                let last = (tiles - 1) * depth * TILE..tiles * depth * TILE;
                self.lower[last.clone()].fill(0.0);
                self.upper[last].fill(0.0);
            }
            let mut j = begin;
            while j < end {
                let own = &columns[j * m..];
                let pair =
                    pivots.may_pair(j) && pivots.take_pair(j, [own[j], own[j + 1], own[m + j + 1]]);
                if pair {
                    self.eliminate_pair(columns, &pivots, [j, begin, end, m]);
                } else {
                    pivots.take(j, columns[j * m + j]);
                    self.eliminate_one(columns, &pivots, [j, begin, end, m]);
                }
                j += 1 + usize::from(pair);
            }
            self.follow(columns, rest, [k, m, end, depth]);
            begin = end;
        }
    }

    fn eliminate_one(
        &mut self,
        columns: &mut [f64],
        pivots: &Pivots,
        [j, begin, end, m]: [usize; 4],
    ) {
        let factor = pivots.inverse[j];
        let (done, after) = columns.split_at_mut((j + 1) * m);
        let below = &mut done[j * m + j + 1..];
        for c in j + 1..end {
            let below = &below[c - j - 1..];
            let target = &mut after[(c - j - 1) * m..][c..m];
            let share = factor * below[0];
            for (t, b) in target.iter_mut().zip(below) {
                *t -= share * b;
            }
        }
        let depth = end - begin;
        pack(&below[end - j - 1..], &mut self.upper, depth, j - begin);
        below.iter_mut().for_each(|b| *b *= factor);
        pack(&below[end - j - 1..], &mut self.lower, depth, j - begin);
    }

    fn eliminate_pair(
        &mut self,
        columns: &mut [f64],
        pivots: &Pivots,
        [j, begin, end, m]: [usize; 4],
    ) {
        let [a, b, c] = [pivots.inverse[j], pivots.across[j], pivots.inverse[j + 1]];
        let (done, after) = columns.split_at_mut((j + 2) * m);
        let (first, second) = done[j * m..].split_at_mut(m);
        // L is the identity within a pair.
        first[j + 1] = 0.0;
        let (first, second) = (&mut first[j + 2..], &mut second[j + 2..]);
        for column in j + 2..end {
            let (first, second) = (&first[column - j - 2..], &second[column - j - 2..]);
            let target = &mut after[(column - j - 2) * m..][column..m];
            let shares = [a * first[0] + b * second[0], b * first[0] + c * second[0]];
            for ((t, x), y) in target.iter_mut().zip(first).zip(second) {
                *t -= shares[0] * x + shares[1] * y;
            }
        }
        let (depth, rest, place) = (end - begin, end - j - 2, j - begin);
        pack(&first[rest..], &mut self.upper, depth, place);
        pack(&second[rest..], &mut self.upper, depth, place + 1);
        for (x, y) in first.iter_mut().zip(&mut *second) {
            (*x, *y) = (a * *x + b * *y, b * *x + c * *y);
        }
        pack(&first[rest..], &mut self.lower, depth, place);
        pack(&second[rest..], &mut self.lower, depth, place + 1);
    }

    /// Takes the product of what has been packed from all columns behind it.
    fn follow(&self, columns: &mut [f64], rest: &mut [f64], [k, m, end, depth]: [usize; 4]) {
        let tiles = (m - end).div_ceil(TILE);
        let packed = depth * TILE;
        for (across, upper) in self.upper.chunks_exact(packed).take(tiles).enumerate() {
            let first = end + TILE * across;
            for (down, lower) in self
                .lower
                .chunks_exact(packed)
                .take(tiles)
                .enumerate()
                .skip(across)
            {
                let sums = product(lower, upper);
                let top = end + TILE * down;
                for (c, sums) in (first..m).zip(&sums) {
                    let (target, offset) = if c < k {
                        (&mut columns[c * m..][..m], 0)
                    } else {
                        (&mut rest[(c - k) * (m - k)..][..m - k], k)
                    };
                    if down > across && top + TILE <= m {
                        let target = &mut target[top - offset..][..TILE];
                        for (t, sum) in target.iter_mut().zip(sums) {
                            *t -= sum;
                        }
                    } else {
                        for (i, sum) in (top..m).zip(sums).filter(|(i, _)| *i >= c) {
                            target[i - offset] -= sum;
                        }
                    }
                }
            }
        }
    }
}

/// Eliminates a front that tiles are too large for, column by column.
fn eliminate_small(columns: &mut [f64], rest: &mut [f64], mut pivots: Pivots, [k, m]: [usize; 2]) {
    let mut j = 0;
    while j < k {
        let own = &columns[j * m..];
        let pair = pivots.may_pair(j) && pivots.take_pair(j, [own[j], own[j + 1], own[m + j + 1]]);
        if !pair {
            pivots.take(j, own[j]);
        }
        let next = j + 1 + usize::from(pair);
        let (done, after) = columns.split_at_mut(next * m);
        let (first, second) = done[j * m..].split_at_mut(m);
        let below = |c: usize| (c - next) * m + c..(c - next + 1) * m;
        let beside = |c: usize| (c - k) * (m - k) + c - k..(c - k + 1) * (m - k);
        let first = &mut first[next..];
        if pair {
            let [a, b, c] = [pivots.inverse[j], pivots.across[j], pivots.inverse[j + 1]];
            let second = &mut second[next..];
            for column in next..m {
                let target = match column < k {
                    true => &mut after[below(column)],
                    false => &mut rest[beside(column)],
                };
                let (first, second) = (&first[column - next..], &second[column - next..]);
                let shares = [a * first[0] + b * second[0], b * first[0] + c * second[0]];
                for ((t, x), y) in target.iter_mut().zip(first).zip(second) {
                    *t -= shares[0] * x + shares[1] * y;
                }
            }
            for (x, y) in first.iter_mut().zip(&mut *second) {
                (*x, *y) = (a * *x + b * *y, b * *x + c * *y);
            }
            // L is the identity within a pair.
            done[j * m + j + 1] = 0.0;
        } else {
            let factor = pivots.inverse[j];
            for column in next..m {
                let target = match column < k {
                    true => &mut after[below(column)],
                    false => &mut rest[beside(column)],
                };
                let first = &first[column - next..];
                let share = factor * first[0];
                for (t, x) in target.iter_mut().zip(first) {
                    *t -= share * x;
                }
            }
            first.iter_mut().for_each(|x| *x *= factor);
        }
        j = next;
    }
}

/// Puts a column into its place in each tile.
fn pack(column: &[f64], tiles: &mut [f64], depth: usize, place: usize) {
    for (values, tile) in column
        .chunks(TILE)
        .zip(tiles.chunks_exact_mut(depth * TILE))
    {
        tile[place * TILE..][..values.len()].copy_from_slice(values);
    }
}

/// The products of the rows of one tile with those of another.
#[inline(always)]
fn product(lower: &[f64], upper: &[f64]) -> [[f64; TILE]; TILE] {
    let mut sums = [[0.0; TILE]; TILE];
    for (l, u) in lower.chunks_exact(TILE).zip(upper.chunks_exact(TILE)) {
        for (sums, u) in sums.iter_mut().zip(u) {
            for (sum, l) in sums.iter_mut().zip(l) {
                *sum += l * u;
            }
        }
    }
    sums
}
