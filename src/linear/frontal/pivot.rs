//! The pivots of a factorisation: single ones, and pairs of a coordinate and its multiplier.

use crate::linear::rounding::Sum;

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

/// 1/D: numbers on the diagonal and, between the two of a pair, beside it.
#[derive(Debug, Clone, Default)]
pub struct Inverse {
    pub diagonal: Vec<f64>,
    /// What stands between an unknown and the next one.
    pub across: Vec<f64>,
}

impl Inverse {
    /// x ← D⁻¹ x.
    pub fn apply(&self, x: &mut [f64]) {
        let mut before = 0.0;
        for (j, (own, across)) in self.diagonal.iter().zip(&self.across).enumerate() {
            let next = x.get(j + 1).map_or(0.0, |next| across * next);
            let from = std::mem::replace(&mut before, across * x[j]);
            x[j] = own * x[j] + next + from;
        }
    }

    /// The share of unknown `first` and those behind it in xᵀ D⁻¹ y.
    pub fn product_from(&self, first: usize, x: &[f64], y: &[f64]) -> Sum {
        let (x, y) = (&x[first..], &y[first..]);
        let mut sum = Sum::default();
        let own = self.diagonal[first..].iter().zip(x).zip(y);
        own.for_each(|((d, x), y)| sum.add(d * x * y));
        let pairs = self.across[first..]
            .iter()
            .zip(x.windows(2).zip(y.windows(2)));
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
    /// Where a coordinate stands before its multiplier.
    pub pairs: &'a [bool],
    /// What makes a pivot large.
    pub scales: &'a [f64],
    pub raised: &'a mut Vec<Raised>,
    /// Most pivots that are raised.
    pub most_raised: usize,
}

impl Pivots<'_> {
    /// Whether columns `j` and `j + 1` may be eliminated together.
    pub fn may_pair(&self, j: usize) -> bool {
        self.pairs[j]
    }

    /// Takes [a, b; b, c] for columns `j` and `j + 1`, unless it is nearly singular.
    pub fn take_pair(&mut self, j: usize, [a, b, c]: [f64; 3]) -> bool {
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

    /// Takes this pivot for column `j`, or a larger one if it is too small.
    pub fn take(&mut self, j: usize, pivot: f64) {
        let scale = self.scales[j];
        let small = pivot.abs() <= WEIGHED * scale && self.raised.len() < self.most_raised;
        if small {
            self.raised.push(Raised {
                row: self.first + j,
                boost: scale - pivot,
                left: pivot,
            });
        }
        self.inverse[j] = 1.0 / if small { scale } else { pivot };
        self.across[j] = 0.0;
    }
}
