//! A plane C² curve through given points, by its arc length.

use super::{Place, STEPS, turn};
use crate::numerics::gauss::legendre;
use crate::numerics::spline::Spline;

/// Gauss points of the arc length over one piece.
const POINTS: usize = 16;

/// Natural cubics for x and y over the length of the polygon through the points: the shape of a thin
/// batten, straight at its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaneSpline {
    x: Spline,
    y: Spline,
    /// Arc length at each point, m.
    lengths: Vec<f64>,
    /// Direction at each point, rad, followed along the curve.
    angles: Vec<f64>,
    rule: Vec<(f64, f64)>,
}

impl PlaneSpline {
    /// Through two points or more; `None` where one lies upon the next.
    pub fn through(points: &[[f64; 2]]) -> Option<PlaneSpline> {
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            let step = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            knots.push(knots[knots.len() - 1] + step);
        }
        let along = |i: usize| points.iter().map(|p| p[i]).collect();
        let mut spline = PlaneSpline {
            x: Spline::natural(knots.clone(), along(0))?,
            y: Spline::natural(knots, along(1))?,
            lengths: vec![0.0],
            angles: Vec::new(),
            rule: legendre(POINTS),
        };
        let mut angle = spline.direction(0.0);
        spline.angles.push(angle);
        for piece in 0..spline.pieces() {
            let [start, end] = [piece, piece + 1].map(|k| spline.x.knots()[k]);
            for step in 1..=STEPS {
                let share = step as f64 / STEPS as f64;
                angle += turn(angle, spline.direction(start + share * (end - start)));
            }
            spline.angles.push(angle);
            let length = spline.lengths[piece] + spline.length_from(piece, end);
            spline.lengths.push(length);
        }
        Some(spline)
    }

    /// Cubics that the curve consists of.
    pub fn pieces(&self) -> usize {
        self.x.knots().len() - 1
    }

    pub fn length(&self) -> f64 {
        self.lengths[self.pieces()]
    }

    fn velocity(&self, t: f64) -> [f64; 2] {
        [self.x.at(t)[1], self.y.at(t)[1]]
    }

    fn direction(&self, t: f64) -> f64 {
        let [x, y] = self.velocity(t);
        y.atan2(x)
    }

    /// Arc length from the beginning of a piece to its parameter t.
    fn length_from(&self, piece: usize, t: f64) -> f64 {
        let from = self.x.knots()[piece];
        let half = 0.5 * (t - from);
        let speed = |x: f64| {
            let [a, b] = self.velocity(from + half * (1.0 + x));
            a.hypot(b)
        };
        let sum: f64 = self.rule.iter().map(|&(x, w)| w * speed(x)).sum();
        half * sum
    }

    /// The parameter at an arc length, by Newton's method between bounds that bisection keeps.
    fn parameter(&self, length: f64) -> f64 {
        let after = self.lengths.partition_point(|&l| l <= length);
        let piece = after.clamp(1, self.pieces()) - 1;
        let [mut low, mut high] = [piece, piece + 1].map(|k| self.x.knots()[k]);
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
            let [a, b] = self.velocity(t);
            let newton = t - error / a.hypot(b);
            let next = if newton > low && newton < high {
                newton
            } else {
                0.5 * (low + high)
            };
            let done = (next - t).abs() <= 4.0 * f64::EPSILON * high.abs();
            t = next;
            if done {
                break;
            }
        }
        t
    }

    pub fn at(&self, share: f64) -> Place {
        let knots = self.x.knots();
        let t = if share <= 0.0 {
            knots[0]
        } else if share >= 1.0 {
            knots[self.pieces()]
        } else {
            self.parameter(share * self.length())
        };
        // Within one piece the curve turns by less than half a turn.
        let piece = knots.partition_point(|&k| k <= t).clamp(1, self.pieces()) - 1;
        let angle = self.angles[piece];
        Place {
            position: [self.x.at(t)[0], self.y.at(t)[0]],
            angle: angle + turn(angle, self.direction(t)),
        }
    }
}
