//! Dense elimination within one front.

/// Columns that are eliminated before the rest follows them.
const BLOCK: usize = 32;

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
        let size = BLOCK * longest.next_multiple_of(TILE);
        if self.lower.len() < size {
            self.lower.resize(size, 0.0);
            self.upper.resize(size, 0.0);
        }
    }

    /// Eliminates the `columns` of a front, column by column as long as the front, and takes what follows from the
    /// `rest`, the square of its rows. Only lower triangles are used. `pivot` is told each pivot and returns
    /// the one to take; 1/D goes into `inverse`.
    pub fn eliminate(
        &mut self,
        columns: &mut [f64],
        rest: &mut [f64],
        inverse: &mut [f64],
        mut pivot: impl FnMut(usize, f64) -> f64,
    ) {
        let k = inverse.len();
        let m = columns.len().checked_div(k).unwrap_or(0);
        for begin in (0..k).step_by(BLOCK) {
            let end = (begin + BLOCK).min(k);
            let depth = end - begin;
            let tiles = (m - end).div_ceil(TILE);
            if tiles > 0 {
                let last = (tiles - 1) * depth * TILE..tiles * depth * TILE;
                self.lower[last.clone()].fill(0.0);
                self.upper[last].fill(0.0);
            }
            for j in begin..end {
                let (done, after) = columns.split_at_mut((j + 1) * m);
                let (own, below) = done[j * m + j..].split_at_mut(1);
                let factor = 1.0 / pivot(j, own[0]);
                inverse[j] = factor;
                for c in j + 1..end {
                    let below = &below[c - j - 1..];
                    let target = &mut after[(c - j - 1) * m..][c..m];
                    let share = factor * below[0];
                    for (t, b) in target.iter_mut().zip(below) {
                        *t -= share * b;
                    }
                }
                pack(&below[end - j - 1..], &mut self.upper, depth, j - begin);
                below.iter_mut().for_each(|b| *b *= factor);
                pack(&below[end - j - 1..], &mut self.lower, depth, j - begin);
            }
            self.follow(columns, rest, [k, m, end, depth]);
        }
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
