//! The pivots of a factorisation: single ones, and pairs of a coordinate and its multiplier.

use fearless_simd::{Simd, f64x4};

use crate::linear::rounding::Sum;
use crate::numerics::lanes::{LANES, Tile, load, splat, store};

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
const SMALL_PIVOT: f64 = 1e-9;

/// Shares of what it is coupled with by the border below which a diagonal entry is raised are those of [`SMALL_PIVOT`].
pub const BESIDE: f64 = SMALL_PIVOT / WEIGHED;

/// A pivot below this share of what makes it large is weighed against the rounding of its motion's terms. What rounding
/// leaves of a chain that nothing holds grows with its length as a lever: of 5,000 elements it comes near this share.
const WEIGHED: f64 = 1e-6;

/// What stands at a place of the order of elimination.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Nothing: so that groups are full, and pairs are not cut.
    Empty,
    Alone,
    /// A coordinate right before its multiplier.
    First,
}

/// Part of D or of its inverse.
#[derive(Debug, Clone, Copy, Default)]
pub struct Diagonal {
    own: [f64; LANES],
    /// Between an unknown and the next one.
    across: [f64; LANES],
    paired: bool,
}

impl Diagonal {
    /// The product with the columns of a tile.
    #[inline(always)]
    pub fn times<S: Simd>(&self, simd: S, tile: &Tile) -> Tile {
        let mut product = *tile;
        store(self.of(simd, load(simd, tile)), &mut product);
        product
    }

    /// The product with `columns`.
    #[inline(always)]
    pub fn of<S: Simd>(&self, simd: S, columns: [f64x4<S>; LANES]) -> [f64x4<S>; LANES] {
        let mut out = columns;
        for (out, own) in out.iter_mut().zip(splat(simd, self.own)) {
            *out *= own;
        }
        if self.paired {
            let across = splat(simd, self.across);
            for j in 0..LANES - 1 {
                out[j] += across[j] * columns[j + 1];
                out[j + 1] += across[j] * columns[j];
            }
        }
        out
    }
}

/// 1/D: numbers on the diagonal and, between the two of a pair, beside it. Both are zero where there is no unknown.
#[derive(Debug, Clone, Default)]
pub struct Inverse {
    pub diagonal: Vec<f64>,
    /// What stands between an unknown and the next one.
    pub across: Vec<f64>,
}

impl Inverse {
    /// x ← D⁻¹ x.
    pub fn apply(&self, x: &mut [f64]) {
        let (own, across) = (self.diagonal.as_chunks().0, self.across.as_chunks().0);
        for ((x, own), across) in x.as_chunks_mut().0.iter_mut().zip(own).zip(across) {
            let (own, across): (&[f64; LANES], &[f64; LANES]) = (own, across);
            let of: [f64; LANES] = *x;
            for j in 0..LANES {
                x[j] = own[j] * of[j];
            }
            if *across != [0.0; LANES] {
                for j in 0..LANES - 1 {
                    x[j] += across[j] * of[j + 1];
                    x[j + 1] += across[j] * of[j];
                }
            }
        }
    }

    /// The share of unknown `first` and those behind it in xᵀ D⁻¹ y.
    pub fn product_from(&self, first: usize, x: &[f64], y: &[f64]) -> Sum {
        let (x, y) = (&x[first..], &y[first..]);
        let mut sum = Sum::default();
        let own = self.diagonal[first..].iter().zip(x).zip(y);
        own.for_each(|((d, x), y)| sum.add(d * x * y));
        let pairs = self.across[first..].iter().zip(x.windows(2).zip(y.windows(2)));
        pairs.for_each(|(d, (x, y))| sum.add(d * (x[0] * y[1] + x[1] * y[0])));
        sum
    }

    /// The entries of D on the diagonal of unknown `j` and between it and the next one.
    pub fn pivot(&self, j: usize) -> [f64; 2] {
        let across = |j: usize| self.across.get(j).copied().unwrap_or(0.0);
        let before = j.checked_sub(1).map_or(0.0, across);
        if across(j) != 0.0 {
            let [a, b, c] = [self.diagonal[j], across(j), self.diagonal[j + 1]];
            [c, -b].map(|entry| entry / (a * c - b * b))
        } else if before != 0.0 {
            let [a, c] = [self.diagonal[j - 1], self.diagonal[j]];
            [a / (a * c - before * before), 0.0]
        } else if self.diagonal[j] == 0.0 {
            [0.0; 2]
        } else {
            [1.0 / self.diagonal[j], 0.0]
        }
    }

    /// Negative eigenvalues of D.
    pub fn negative(&self) -> usize {
        let (mut count, mut j) = (0, 0);
        while j < self.diagonal.len() {
            let (own, across) = (self.diagonal[j], self.across[j]);
            if across == 0.0 {
                count += usize::from(own < 0.0);
                j += 1;
                continue;
            }
            count += match own * self.diagonal[j + 1] - across * across {
                determinant if determinant < 0.0 => 1,
                _ => 2 * usize::from(own < 0.0),
            };
            j += 2;
        }
        count
    }
}

/// The pivots of one front while it is eliminated.
pub struct Pivots<'a> {
    /// Its first unknown.
    pub first: usize,
    pub inverse: &'a mut [f64],
    pub across: &'a mut [f64],
    pub places: &'a [Place],
    /// What makes a pivot large.
    pub scales: &'a [f64],
    pub raised: &'a mut Vec<Raised>,
    /// Most pivots that are raised.
    pub most_raised: usize,
}

impl Pivots<'_> {
    /// Makes L of the lower triangle of a tile on the diagonal whose first row is at `place`; returns D and its inverse.
    #[inline(always)]
    pub fn reduce<S: Simd>(
        &mut self, simd: S, place: usize, tile: &mut Tile,
    ) -> (Diagonal, Diagonal) {
        let mut diagonal = Diagonal::default();
        let mut columns = load(simd, tile);
        let mut j = 0;
        while j < LANES {
            let at = place + j;
            let own: [f64; LANES] = columns[j].into();
            if j + 1 < LANES && self.places[at] == Place::First {
                let next: [f64; LANES] = columns[j + 1].into();
                if self.take_pair(at, [own[j], own[j + 1], next[j + 1]]) {
                    diagonal.paired = true;
                    diagonal.across[j] = own[j + 1];
                    diagonal.own[j..j + 2].copy_from_slice(&[own[j], next[j + 1]]);
                    let [a, b, c] = [self.inverse[at], self.across[at], self.inverse[at + 1]];
                    let [x, y] = [columns[j], columns[j + 1]];
                    (columns[j], columns[j + 1]) = (x * a + y * b, x * b + y * c);
                    for k in j + 2..LANES {
                        columns[k] -= columns[j] * own[k] + columns[j + 1] * next[k];
                    }
                    j += 2;
                    continue;
                }
            }
            diagonal.own[j] = self.take(at, own[j]);
            columns[j] *= self.inverse[at];
            for k in j + 1..LANES {
                columns[k] -= columns[j] * own[k];
            }
            j += 1;
        }
        store(columns, tile);
        let inverse = Diagonal {
            own: std::array::from_fn(|j| self.inverse[place + j]),
            across: std::array::from_fn(|j| self.across[place + j]),
            paired: diagonal.paired,
        };
        for j in (0..LANES - 1).filter(|&j| diagonal.across[j] != 0.0) {
            // L is the identity within a pair.
            tile[j][j + 1] = 0.0;
        }
        (diagonal, inverse)
    }

    /// Takes [a, b; b, c] for columns `j` and `j + 1`, unless it is nearly singular.
    fn take_pair(&mut self, j: usize, [a, b, c]: [f64; 3]) -> bool {
        let determinant = a * c - b * b;
        let takes = determinant.abs() > SMALL_PIVOT * self.scales[j] * self.scales[j + 1];
        if takes {
            self.inverse[j] = c / determinant;
            self.inverse[j + 1] = a / determinant;
            self.across[j] = -b / determinant;
            self.across[j + 1] = 0.0;
        }
        takes
    }

    /// Takes this pivot for column `j`, or a larger one if it is too small, and returns it.
    #[inline(always)]
    fn take(&mut self, j: usize, pivot: f64) -> f64 {
        self.across[j] = 0.0;
        if self.places[j] == Place::Empty {
            self.inverse[j] = 0.0;
            return 0.0;
        }
        let scale = self.scales[j];
        let small = pivot.abs() <= WEIGHED * scale && self.raised.len() < self.most_raised;
        if small {
            self.raise(j, pivot);
        }
        let taken = if small { scale } else { pivot };
        self.inverse[j] = 1.0 / taken;
        taken
    }

    /// Takes these pivots, or larger ones, for four columns that have nothing to do with each other.
    #[inline(always)]
    pub fn take_lanes(&mut self, first: usize, pivots: [f64; LANES]) {
        for (j, pivot) in (first..).zip(pivots) {
            self.take(j, pivot);
        }
    }

    #[cold]
    fn raise(&mut self, j: usize, pivot: f64) {
        self.raised.push(Raised {
            row: self.first + j,
            boost: self.scales[j] - pivot,
            left: pivot,
        });
    }
}
