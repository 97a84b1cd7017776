//! Dense elimination within one front.

use wide::f64x2;

use super::pivot::Pivots;
use crate::linear::lanes::{LANES, subtract};

/// Columns of a large front that are eliminated before the rest follows them.
const BLOCK: usize = 32;

/// Length of a column up to which nothing is packed into tiles.
const SMALL: usize = 48;

/// Rows and columns of a tile: its sums fit the registers.
const TILE: usize = 4;

/// Columns that are eliminated together.
const GROUP: usize = 4;

/// Columns of a front, and the rows below theirs.
///
/// A column of L has room for whole [lanes](LANES): a few unused places, a row for each column, the rows below, and unused places
/// again, so that both parts end with full lanes. What stands above the diagonal means nothing, and what is unused is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub columns: usize,
    pub rows: usize,
}

impl Shape {
    /// Place of the first column's row.
    pub fn begin(self) -> usize {
        self.below() - self.columns
    }

    /// Place of the first row below.
    pub fn below(self) -> usize {
        self.columns.next_multiple_of(LANES)
    }

    /// Length of a column of L.
    pub fn length(self) -> usize {
        self.below() + self.across()
    }

    /// Length of a column of what the front leaves: the rows below.
    pub fn across(self) -> usize {
        self.rows.next_multiple_of(LANES)
    }
}

/// Room for what is eliminated at one time in large fronts.
#[derive(Debug, Clone, Default)]
pub struct Panel {
    /// L and L D of the newest columns below them, tile by tile.
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Panel {
    /// Makes room for columns of up to this length.
    pub fn reserve(&mut self, longest: usize) {
        // A pair is not cut.
        let size = (BLOCK + 1) * longest;
        if longest > SMALL && self.lower.len() < size {
            self.lower.resize(size, 0.0);
            self.upper.resize(size, 0.0);
        }
    }

    /// Eliminates the `columns` of a front and takes what follows from the `rest`, the square of its rows below. Only lower triangles are
    /// used. D goes into `pivots`, which decide what is eliminated alone and what in pairs.
    pub fn eliminate(
        &mut self,
        shape: Shape,
        columns: &mut [f64],
        rest: &mut [f64],
        mut pivots: Pivots,
    ) {
        let (k, length) = (shape.columns, shape.length());
        let small = length <= SMALL;
        let mut begin = 0;
        while begin < k {
            let mut end = if small { k } else { up_to(k, begin, BLOCK) };
            end += usize::from(pivots.may_pair(end - 1));
            let mut from = begin;
            while from < end {
                let mut to = up_to(end, from, GROUP);
                if pivots.may_pair(to - 1) {
                    to = if to - from > 1 { to - 1 } else { to + 1 };
                }
                let (done, after) = columns.split_at_mut(to * length);
                let own = &mut done[from * length..];
                let behind = &mut after[..(end - to) * length];
                let rest = if small { &mut *rest } else { &mut [] };
                let tiles = (!small).then_some(Tiles {
                    lower: &mut self.lower,
                    upper: &mut self.upper,
                    depth: end - begin,
                    first: from - begin,
                    begin: shape.begin() + end,
                });
                let group = (shape, from, own);
                match to - from {
                    1 => eliminate_group::<1>(group, behind, rest, &mut pivots, tiles),
                    2 => eliminate_group::<2>(group, behind, rest, &mut pivots, tiles),
                    3 => eliminate_group::<3>(group, behind, rest, &mut pivots, tiles),
                    _ => eliminate_group::<GROUP>(group, behind, rest, &mut pivots, tiles),
                }
                from = to;
            }
            if !small {
                self.follow(shape, [end, end - begin], columns, rest);
            }
            begin = end;
        }
    }

    /// Takes the product of what has been packed, `depth` columns, from all columns from `end` on.
    fn follow(
        &self,
        shape: Shape,
        [end, depth]: [usize; 2],
        columns: &mut [f64],
        rest: &mut [f64],
    ) {
        let (length, below, across) = (shape.length(), shape.below(), shape.across());
        let begin = shape.begin() + end;
        let tiles = (length - begin).div_ceil(TILE);
        let packed = depth * TILE;
        for (right, upper) in self.upper.chunks_exact(packed).take(tiles).enumerate() {
            let first = begin + TILE * right;
            let lower = self.lower.chunks_exact(packed).take(tiles);
            for (down, lower) in lower.enumerate().skip(right) {
                let sums = product(lower, upper);
                let top = begin + TILE * down;
                for (c, sums) in (first..below + shape.rows).zip(&sums) {
                    let (target, offset) = if c < below {
                        (&mut columns[(c - shape.begin()) * length..][..length], 0)
                    } else {
                        (&mut rest[(c - below) * across..][..across], below)
                    };
                    if down > right && top + TILE <= length {
                        let target = &mut target[top - offset..][..TILE];
                        for (t, sum) in target.iter_mut().zip(sums) {
                            *t -= sum;
                        }
                    } else {
                        for (i, sum) in (top..length).zip(sums).filter(|(i, _)| *i >= c) {
                            target[i - offset] -= sum;
                        }
                    }
                }
            }
        }
    }
}

/// How far to go from `from` so that whole steps lead from there to the `end`.
fn up_to(end: usize, from: usize, step: usize) -> usize {
    from + 1 + (end - from - 1) % step
}

/// Where columns of a large front are packed, with their lengths from `begin` on, the `first` of `depth`.
struct Tiles<'a> {
    lower: &'a mut [f64],
    upper: &'a mut [f64],
    depth: usize,
    first: usize,
    begin: usize,
}

/// A diagonal matrix of order N but for entries between the unknowns of pairs.
struct Diagonal<const N: usize> {
    own: [f64; N],
    /// Between an unknown and the next one.
    across: [f64; N],
    paired: bool,
}

impl<const N: usize> Diagonal<N> {
    /// D⁻¹ of the columns from `from` on, of which no pair reaches beyond them.
    fn inverse(pivots: &Pivots, from: usize) -> Diagonal<N> {
        let across: [f64; N] = std::array::from_fn(|j| pivots.across[from + j]);
        Diagonal {
            own: std::array::from_fn(|j| pivots.inverse[from + j]),
            across,
            paired: across.iter().any(|entry| *entry != 0.0),
        }
    }

    /// The matrix of which this is the inverse.
    fn inverted(&self) -> Diagonal<N> {
        let mut of = Diagonal {
            own: self.own.map(|own| 1.0 / own),
            across: [0.0; N],
            paired: self.paired,
        };
        for j in (0..N).filter(|&j| self.across[j] != 0.0) {
            let [a, b, c] = [self.own[j], self.across[j], self.own[j + 1]];
            let determinant = a * c - b * b;
            (of.own[j], of.own[j + 1]) = (c / determinant, a / determinant);
            of.across[j] = -b / determinant;
        }
        of
    }

    #[inline(always)]
    fn times(&self, x: [f64; N]) -> [f64; N] {
        let mut out = std::array::from_fn(|j| self.own[j] * x[j]);
        if self.paired {
            for j in 0..N - 1 {
                out[j] += self.across[j] * x[j + 1];
                out[j + 1] += self.across[j] * x[j];
            }
        }
        out
    }
}

/// The entries of N columns, whose lengths are `length`, in the row at `place`.
#[inline(always)]
fn row<const N: usize>(columns: &[f64], length: usize, place: usize) -> [f64; N] {
    std::array::from_fn(|j| columns[j * length + place])
}

/// Takes from each of the `targets`, columns as long as these or ends of them, the N columns times `weights` times what they have in the row of its
/// diagonal; the first of these rows is at `place`.
#[inline(always)]
fn follow_group<const N: usize>(
    (columns, length): (&[f64], usize),
    weights: &Diagonal<N>,
    (targets, stride): (&mut [f64], usize),
    place: usize,
) {
    let offset = length - stride;
    let ends = |start: usize| -> [&[f64]; N] {
        std::array::from_fn(|j| &columns[j * length + start..(j + 1) * length])
    };
    let shares = |place: usize| weights.times(row::<N>(columns, length, place));
    let mut targets = targets;
    let mut place = place;
    while targets.len() >= 2 * stride {
        let start = place - place % LANES;
        let (both, after) = targets.split_at_mut(2 * stride);
        let (first, second) = both.split_at_mut(stride);
        let pair = [&mut first[start - offset..], &mut second[start - offset..]];
        subtract(pair, ends(start), [shares(place), shares(place + 1)]);
        (targets, place) = (after, place + 2);
    }
    if !targets.is_empty() {
        let start = place - place % LANES;
        subtract(
            [&mut targets[start - offset..stride]],
            ends(start),
            [shares(place)],
        );
    }
}

/// Eliminates N columns from column `from` on, and takes what follows from the columns `behind` them and from the rest.
#[inline(never)]
fn eliminate_group<const N: usize>(
    (shape, from, own): (Shape, usize, &mut [f64]),
    behind: &mut [f64],
    rest: &mut [f64],
    pivots: &mut Pivots,
    tiles: Option<Tiles>,
) {
    let (length, place) = (shape.length(), shape.begin() + from);
    let alone = (0..N).all(|j| !pivots.may_pair(from + j));
    if alone && (place + N).is_multiple_of(LANES) {
        eliminate_alone::<N>((place, from, own), length, pivots);
    } else {
        eliminate_in_pairs::<N>((place, from, own), length, pivots);
    }
    let weights = Diagonal::<N>::inverse(pivots, from).inverted();
    follow_group((own, length), &weights, (behind, length), place + N);
    if !rest.is_empty() {
        let rest = (rest, shape.across());
        follow_group((own, length), &weights, rest, shape.below());
    }
    if let Some(tiles) = tiles {
        for row in tiles.begin..length {
            let entries = self::row::<N>(own, length, row);
            let (tile, lane) = ((row - tiles.begin) / TILE, (row - tiles.begin) % TILE);
            let upper = weights.times(entries);
            for j in 0..N {
                let at = (tile * tiles.depth + tiles.first + j) * TILE + lane;
                (tiles.lower[at], tiles.upper[at]) = (entries[j], upper[j]);
            }
        }
    }
}

/// Eliminates N columns among themselves, without pairs; their rows end with full lanes.
#[inline(always)]
#[expect(
    clippy::needless_range_loop,
    reason = "loops over constant ranges are unrolled, over iterators they are not"
)]
fn eliminate_alone<const N: usize>(
    (place, from, own): (usize, usize, &mut [f64]),
    length: usize,
    pivots: &mut Pivots,
) {
    // The square of their own rows: L below its diagonal.
    let mut square = [[0.0; N]; N];
    for i in 0..N {
        for j in 0..=i {
            square[i][j] = own[j * length + place + i];
        }
    }
    for j in 0..N {
        pivots.take(from + j, square[j][j]);
        let inverse = pivots.inverse[from + j];
        let column: [f64; N] = std::array::from_fn(|i| square[i][j]);
        for i in j + 1..N {
            square[i][j] *= inverse;
            for k in j + 1..=i {
                square[i][k] -= square[i][j] * column[k];
            }
        }
    }
    for i in 1..N {
        for j in 0..i {
            own[j * length + place + i] = square[i][j];
        }
    }
    let lower = square.map(|row| row.map(f64x2::splat));
    let inverse: [f64x2; N] = std::array::from_fn(|j| f64x2::splat(pivots.inverse[from + j]));
    let mut each = own.chunks_exact_mut(length);
    let columns: [&mut [[f64; LANES]]; N] = std::array::from_fn(|_| {
        let column = each
            .next()
            .map_or(&mut [][..], |column| &mut column[place + N..]);
        column.as_chunks_mut().0
    });
    for k in 0..columns[0].len() {
        let mut row: [f64x2; N] = std::array::from_fn(|j| f64x2::new(columns[j][k]));
        for i in 1..N {
            for j in 0..i {
                row[i] -= lower[i][j] * row[j];
            }
        }
        for j in 0..N {
            columns[j][k] = (row[j] * inverse[j]).to_array();
        }
    }
}

/// Eliminates N columns among themselves, one after the other or in pairs.
#[inline(always)]
fn eliminate_in_pairs<const N: usize>(
    (place, from, own): (usize, usize, &mut [f64]),
    length: usize,
    pivots: &mut Pivots,
) {
    let mut j = 0;
    while j < N {
        let [at, next_at] = [j, j + 1].map(|j| j * length + place + j);
        let pair = pivots.may_pair(from + j)
            && pivots.take_pair(from + j, [own[at], own[at + 1], own[next_at]]);
        if !pair {
            pivots.take(from + j, own[at]);
        }
        let next = j + 1 + usize::from(pair);
        let (done, after) = own.split_at_mut(next * length);
        let columns = (&done[j * length..], length);
        if pair {
            let inverse = Diagonal::<2>::inverse(pivots, from + j);
            follow_group(columns, &inverse, (after, length), place + next);
        } else {
            let inverse = Diagonal::<1>::inverse(pivots, from + j);
            follow_group(columns, &inverse, (after, length), place + next);
        }
        j = next;
    }
    let inverse = Diagonal::<N>::inverse(pivots, from);
    for row in place..length {
        let entries = inverse.times(self::row::<N>(own, length, row));
        for j in 0..N {
            own[j * length + row] = entries[j];
        }
    }
    // L is the identity within a pair.
    for j in (0..N).filter(|&j| inverse.across[j] != 0.0) {
        own[j * length + place + j + 1] = 0.0;
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
