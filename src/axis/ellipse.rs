//! An ellipse.

use std::f64::consts::PI;

use super::parametric::{ByLength, Curve};
use crate::numerics::hypot::hypot;

/// Most that the direction turns over one piece, rad.
const TURN: f64 = PI / 12.0;

/// x(t) = centre + u cos t + v sin t.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipse {
    pub centre: [f64; 2],
    /// Conjugate half diameters; the half axes where they are at right angles, m.
    pub half_axes: [[f64; 2]; 2],
}

impl Curve for Ellipse {
    fn at(&self, t: f64) -> [[f64; 2]; 2] {
        let (sin, cos) = t.sin_cos();
        let [u, v] = self.half_axes;
        [
            [0, 1].map(|i| self.centre[i] + cos * u[i] + sin * v[i]),
            [0, 1].map(|i| cos * v[i] - sin * u[i]),
        ]
    }
}

/// An arc of an ellipse by its arc length.
pub type EllipseArc = ByLength<Ellipse>;

impl EllipseArc {
    /// Between two parameters, of which the second is the greater one.
    pub fn new_between(ellipse: Ellipse, [from, to]: [f64; 2]) -> EllipseArc {
        let [a, b] = ellipse.half_axes.map(|[x, y]| hypot(x, y));
        // The direction turns evenly with θ where tan t = (b/a) tan θ; t − θ stays within a quarter turn.
        let swapped = |t: f64, [a, b]: [f64; 2]| {
            let (sin, cos) = t.sin_cos();
            let even = (b * sin).atan2(a * cos);
            even + 2.0 * PI * ((t - even) / (2.0 * PI)).round()
        };
        let [first, last] = [from, to].map(|t| swapped(t, [b, a]));
        let count = (((last - first) / TURN).ceil() as usize).max(1);
        let inner = (1..count)
            .map(|k| swapped(first + (last - first) * k as f64 / count as f64, [a, b]))
            .filter(|&t| t > from && t < to);
        let knots = std::iter::once(from).chain(inner).chain([to]).collect();
        ByLength::new(ellipse, knots)
    }

    /// The two halves of the whole ellipse, counter-clockwise where its half axes are.
    pub fn halves(ellipse: Ellipse) -> [EllipseArc; 2] {
        [[0.0, PI], [PI, 2.0 * PI]].map(|range| EllipseArc::new_between(ellipse, range))
    }
}
