//! Dense elimination within one front.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use super::pivot::{Diagonal, Pivots};
use crate::numerics::lanes::{LANES, Tile, ZERO, load, store};

/// Numbers of a tile.
pub const SIZE: usize = LANES * LANES;

/// Groups of columns that are eliminated before all behind them follow.
const BLOCK: usize = 8;

/// Columns of a front, some of which may stand for no unknown, and the rows below theirs.
///
/// A front is the lower triangle of a symmetric matrix of [tiles](Tile), the columns of tiles one after the other, each from its diagonal on:
/// first those of L, then the square of the rows below. What is above the diagonal in a tile means nothing, and what is unused is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// A multiple of [`LANES`].
    pub columns: usize,
    pub rows: usize,
}

impl Shape {
    /// Columns of tiles that are eliminated.
    pub fn groups(self) -> usize {
        self.columns / LANES
    }

    /// All columns of tiles.
    pub fn all(self) -> usize {
        self.groups() + self.rows.div_ceil(LANES)
    }

    /// Where a column of tiles begins.
    pub fn start(self, group: usize) -> usize {
        group * (2 * self.all() + 1 - group) / 2
    }

    /// Tiles of L.
    pub fn panel(self) -> usize {
        self.start(self.groups())
    }

    /// All tiles.
    pub fn tiles(self) -> usize {
        self.start(self.all())
    }

    /// The number of the entry from which those of the column at a place of the front, given by its [`down`], are counted down.
    pub fn column(self, down: usize) -> usize {
        let group = down / SIZE;
        SIZE * (self.start(group) - group) + LANES * (down % SIZE)
    }

    /// The number of an entry, given by the places of its row and its column.
    pub fn entry(self, row: usize, column: usize) -> usize {
        self.column(down(column)) + down(row)
    }
}

/// How far down its column an entry in the row at `place` stands.
pub fn down(place: usize) -> usize {
    place / LANES * SIZE + place % LANES
}

/// Eliminates the columns of a front and takes what follows from the square of its rows below. D goes into `pivots`, which decide what is
/// eliminated alone and what in pairs.
#[inline(always)]
pub fn eliminate<S: Simd>(simd: S, shape: Shape, front: &mut [Tile], mut pivots: Pivots) {
    let mut diagonals = [Diagonal::default(); BLOCK];
    let mut weights = [ZERO; BLOCK];
    for begin in (0..shape.groups()).step_by(BLOCK) {
        let end = shape.groups().min(begin + BLOCK);
        for group in begin..shape.all() {
            let (before, own) = front.split_at_mut(shape.start(group));
            let own = &mut own[..shape.all() - group];
            let mut starts = [0; BLOCK];
            let done = end.min(group) - begin;
            for k in 0..done {
                starts[k] = shape.start(begin + k) + group - (begin + k);
                weights[k] = diagonals[k].times(simd, &before[starts[k]]);
            }
            if done > 0 {
                follow(simd, before, &starts[..done], &weights, own);
            }
            if group < end {
                diagonals[group - begin] = reduce(simd, own, LANES * group, &mut pivots);
            }
        }
    }
}

/// Takes from a column of tiles the products of those `before` that begin at the `starts` with the `weights`.
#[inline(always)]
fn follow<S: Simd>(
    simd: S, before: &[Tile], starts: &[usize], weights: &[Tile; BLOCK], own: &mut [Tile],
) {
    for (i, target) in own.iter_mut().enumerate() {
        let mut sums = load(simd, target);
        for (start, weights) in starts.iter().zip(weights) {
            let lower = load(simd, &before[start + i]);
            for c in 0..LANES {
                for j in 0..LANES {
                    sums[c] -= lower[j] * f64x4::splat(simd, weights[j][c]);
                }
            }
        }
        store(sums, target);
    }
}

/// Makes L of a column of tiles whose first row is at `place`; returns its D.
#[inline(always)]
fn reduce<S: Simd>(simd: S, own: &mut [Tile], place: usize, pivots: &mut Pivots) -> Diagonal {
    let Some((first, below)) = own.split_first_mut() else {
        return Diagonal::default();
    };
    let (diagonal, inverse) = pivots.reduce(simd, place, first);
    for tile in below {
        let mut row = load(simd, tile);
        for i in 1..LANES {
            for j in 0..i {
                row[i] -= f64x4::splat(simd, first[j][i]) * row[j];
            }
        }
        store(inverse.of(simd, row), tile);
    }
    diagonal
}
