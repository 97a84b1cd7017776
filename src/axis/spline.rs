//! A plane C² curve through given points.

use super::parametric::{ByLength, Curve};
use crate::numerics::hypot::hypot;
use crate::numerics::spline::Spline;

/// Natural cubics for x and y over the length of the polygon through the points: the shape of a thin
/// batten, straight at its ends.
#[derive(Debug, Clone, PartialEq)]
pub struct Cubics {
    x: Spline,
    y: Spline,
}

impl Curve for Cubics {
    fn at(&self, t: f64) -> [[f64; 2]; 2] {
        let (x, y) = (self.x.at(t), self.y.at(t));
        [[x[0], y[0]], [x[1], y[1]]]
    }
}

/// A spline by its arc length.
pub type PlaneSpline = ByLength<Cubics>;

impl PlaneSpline {
    /// Through two points or more; `None` where one lies upon the next.
    pub fn through(points: &[[f64; 2]]) -> Option<PlaneSpline> {
        let mut knots = vec![0.0];
        for pair in points.windows(2) {
            let step = hypot(pair[1][0] - pair[0][0], pair[1][1] - pair[0][1]);
            knots.push(knots[knots.len() - 1] + step);
        }
        let along = |i: usize| points.iter().map(|p| p[i]).collect();
        let curve = Cubics {
            x: Spline::natural(knots.clone(), along(0))?,
            y: Spline::natural(knots.clone(), along(1))?,
        };
        Some(ByLength::new(curve, knots))
    }
}
