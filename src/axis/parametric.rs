//! A smooth plane curve of a parameter, by its arc length.

use super::{Place, STEPS, turn};
use crate::numerics::gauss::legendre;
use crate::numerics::hypot::hypot;

/// Gauss points of the arc length over one piece.
const POINTS: usize = 16;

/// A plane curve of a parameter.
pub trait Curve {
    /// The position and its derivative with respect to the parameter.
    fn at(&self, t: f64) -> [[f64; 2]; 2];
}

/// A curve over a range of its parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct ByLength<C> {
    curve: C,
    /// The curve's parameter is this times that of `knots`: −1 where it runs backwards.
    sign: f64,
    /// By how much its beginning and its end are moved, m; all between in proportion of the parameter.
    moved: [[f64; 2]; 2],
    /// Where its pieces begin and end, rising.
    knots: Vec<f64>,
    /// Arc length at each knot, m.
    lengths: Vec<f64>,
    /// Direction at each knot, rad, followed along the curve.
    angles: Vec<f64>,
    rule: Vec<(f64, f64)>,
}

impl<C: Curve + Clone> ByLength<C> {
    /// The part of a curve between the first and the last of `knots`, which rise; the curve is smooth between them.
    pub fn new(curve: C, knots: Vec<f64>) -> ByLength<C> {
        ByLength::over(curve, 1.0, [[0.0; 2]; 2], knots)
    }

    fn over(curve: C, sign: f64, moved: [[f64; 2]; 2], knots: Vec<f64>) -> ByLength<C> {
        let mut curve = ByLength {
            curve,
            sign,
            moved,
            knots,
            lengths: vec![0.0],
            angles: Vec::new(),
            rule: legendre(POINTS),
        };
        let mut angle = curve.direction(curve.knots[0]);
        curve.angles.push(angle);
        for piece in 0..curve.pieces() {
            let [start, end] = [piece, piece + 1].map(|k| curve.knots[k]);
            for step in 1..=STEPS {
                let share = step as f64 / STEPS as f64;
                angle += turn(angle, curve.direction(start + share * (end - start)));
            }
            curve.angles.push(angle);
            let length = curve.lengths[piece] + curve.length_from(piece, end);
            curve.lengths.push(length);
        }
        curve
    }

    /// This curve from its end to its beginning.
    pub fn reversed(&self) -> ByLength<C> {
        let [from, to] = self.moved;
        let knots = self.knots.iter().rev().map(|t| -t).collect();
        ByLength::over(self.curve.clone(), -self.sign, [to, from], knots)
    }

    /// The part between two shares of the arc length, which rise.
    pub fn part(&self, shares: [f64; 2]) -> ByLength<C> {
        let [from, to] = shares.map(|share| self.parameter_at(share));
        let moved = [from, to].map(|t| self.shift(t));
        let inner = self.knots.iter().copied().filter(|&t| t > from && t < to);
        let knots = std::iter::once(from).chain(inner).chain([to]).collect();
        ByLength::over(self.curve.clone(), self.sign, moved, knots)
    }

    /// This curve with its ends moved; all points between follow in proportion.
    pub fn between(&self, ends: [[f64; 2]; 2]) -> ByLength<C> {
        let last = self.knots[self.pieces()];
        let own = [self.knots[0], last].map(|t| self.at_parameter(t)[0]);
        let moved = [0, 1].map(|k| [0, 1].map(|i| self.moved[k][i] + ends[k][i] - own[k][i]));
        ByLength::over(self.curve.clone(), self.sign, moved, self.knots.clone())
    }

    /// Smooth pieces that the curve consists of.
    pub fn pieces(&self) -> usize {
        self.knots.len() - 1
    }

    pub fn length(&self) -> f64 {
        self.lengths[self.pieces()]
    }

    /// How far the place at a parameter is moved.
    fn shift(&self, t: f64) -> [f64; 2] {
        let ([from, to], [first, last]) = (self.moved, [self.knots[0], self.knots[self.pieces()]]);
        let share = (t - first) / (last - first);
        [0, 1].map(|i| from[i] + share * (to[i] - from[i]))
    }

    /// The position and its derivative with respect to the parameter of the knots.
    fn at_parameter(&self, t: f64) -> [[f64; 2]; 2] {
        let [position, slope] = self.curve.at(self.sign * t);
        let ([from, to], shift) = (self.moved, self.shift(t));
        let range = self.knots[self.pieces()] - self.knots[0];
        [
            [0, 1].map(|i| position[i] + shift[i]),
            [0, 1].map(|i| self.sign * slope[i] + (to[i] - from[i]) / range),
        ]
    }

    fn direction(&self, t: f64) -> f64 {
        let [_, [x, y]] = self.at_parameter(t);
        y.atan2(x)
    }

    /// Arc length from the beginning of a piece to its parameter t.
    fn length_from(&self, piece: usize, t: f64) -> f64 {
        let from = self.knots[piece];
        let half = 0.5 * (t - from);
        let speed = |x: f64| {
            let [_, [a, b]] = self.at_parameter(from + half * (1.0 + x));
            hypot(a, b)
        };
        let sum: f64 = self.rule.iter().map(|&(x, w)| w * speed(x)).sum();
        half * sum
    }

    /// The parameter at an arc length, by Newton's method between bounds that bisection keeps.
    fn parameter(&self, length: f64) -> f64 {
        let after = self.lengths.partition_point(|&l| l <= length);
        let piece = after.clamp(1, self.pieces()) - 1;
        let [mut low, mut high] = [piece, piece + 1].map(|k| self.knots[k]);
        let share =
            (length - self.lengths[piece]) / (self.lengths[piece + 1] - self.lengths[piece]);
        let mut t = low + share * (high - low);
        for _ in 0..60 {
            let error = self.lengths[piece] + self.length_from(piece, t) - length;
            if error > 0.0 {
                high = t;
            } else {
                low = t;
            }
            let [_, [a, b]] = self.at_parameter(t);
            let newton = t - error / hypot(a, b);
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let done = (next - t).abs() <= 4.0 * f64::EPSILON * high.abs();
            t = next;
            if done {
                break;
            }
        }
        t
    }

    fn parameter_at(&self, share: f64) -> f64 {
        if share <= 0.0 {
            self.knots[0]
        } else if share >= 1.0 {
            self.knots[self.pieces()]
        } else {
            self.parameter(share * self.length())
        }
    }

    pub fn at(&self, share: f64) -> Place {
        let t = self.parameter_at(share);
        // Within one piece the curve turns by less than half a turn.
        let piece = self.knots.partition_point(|&k| k <= t);
        let angle = self.angles[piece.clamp(1, self.pieces()) - 1];
        Place { position: self.at_parameter(t)[0], angle: angle + turn(angle, self.direction(t)) }
    }

    /// The share of the arc length at each knot.
    pub fn shares(&self) -> Vec<f64> {
        let whole = self.length();
        self.lengths.iter().map(|length| length / whole).collect()
    }

    /// Positions x and w dx of a quadrature along the curve.
    pub fn quadrature(&self) -> Vec<[[f64; 2]; 2]> {
        let piece = |k: usize| {
            let half = 0.5 * (self.knots[k + 1] - self.knots[k]);
            let place = move |&(x, w): &(f64, f64)| {
                let [position, slope] = self.at_parameter(self.knots[k] + half * (1.0 + x));
                [position, slope.map(|s| w * half * s)]
            };
            self.rule.iter().map(place)
        };
        (0..self.pieces()).flat_map(piece).collect()
    }
}
