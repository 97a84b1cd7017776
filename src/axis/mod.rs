//! The initial axis of a member or an edge: a straight line, an arc of a circle or an ellipse, or a spline, by its arc length.

mod arc;
mod ellipse;
mod nurbs;
mod parametric;
mod spline;

pub use arc::Arc;
pub use ellipse::{Ellipse, EllipseArc};
pub use nurbs::{Nurbs, NurbsCurve, NurbsFault};
pub use spline::PlaneSpline;

use crate::numerics::gauss::legendre;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::{nearest_on_curve, nearest_on_segment};

/// Steps by which a change of direction is followed over a part of an axis.
const STEPS: usize = 16;

/// Gauss points of a line, and of each part of an arc.
const POINTS: usize = 8;

/// Most that an arc turns over a part with as many Gauss points, rad: their error is that of rounding.
const ARC_PART: f64 = 0.5;

/// Places at which the turning of all parts is looked at, at the most, where there are fewer parts.
const MAX_PLACES: usize = 1 << 16;
/// Places among which the one nearest to a point is looked for, per piece of a curve.
const SAMPLES: usize = 64;

/// A place on an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Place {
    /// m.
    pub position: [f64; 2],
    /// Direction of the axis, rad, 0 along +x; not reduced to one turn.
    pub angle: f64,
}

/// The initial axis of a member from its first to its last point.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    Straight { from: [f64; 2], to: [f64; 2] },
    Arc(Arc),
    Spline(PlaneSpline),
    Ellipse(EllipseArc),
    Nurbs(NurbsCurve),
}

impl Axis {
    pub fn is_straight(&self) -> bool {
        matches!(self, Axis::Straight { .. })
    }

    /// The word of the model file.
    pub fn kind(&self) -> &'static str {
        match self {
            Axis::Straight { .. } => "straight",
            Axis::Arc(_) => "arc",
            Axis::Spline(_) | Axis::Nurbs(_) => "spline",
            Axis::Ellipse(_) => "ellipse",
        }
    }

    /// Arc length, m.
    pub fn length(&self) -> f64 {
        match self {
            Axis::Straight { from, to } => hypot(to[0] - from[0], to[1] - from[1]),
            Axis::Arc(arc) => arc.length(),
            Axis::Spline(spline) => spline.length(),
            Axis::Ellipse(ellipse) => ellipse.length(),
            Axis::Nurbs(nurbs) => nurbs.length(),
        }
    }

    /// The place at a `share` of the arc length, from 0 to 1.
    pub fn at(&self, share: f64) -> Place {
        match self {
            Axis::Straight { from: a, to: b } => Place {
                position: [0, 1].map(|i| a[i] + share * (b[i] - a[i])),
                angle: (b[1] - a[1]).atan2(b[0] - a[0]),
            },
            Axis::Arc(arc) => arc.at(share),
            Axis::Spline(spline) => spline.at(share),
            Axis::Ellipse(ellipse) => ellipse.at(share),
            Axis::Nurbs(nurbs) => nurbs.at(share),
        }
    }

    /// This axis from its end to its beginning.
    pub fn reversed(&self) -> Axis {
        match self {
            Axis::Straight { from, to } => Axis::Straight { from: *to, to: *from },
            Axis::Arc(arc) => Axis::Arc(arc.reversed()),
            Axis::Spline(spline) => Axis::Spline(spline.reversed()),
            Axis::Ellipse(ellipse) => Axis::Ellipse(ellipse.reversed()),
            Axis::Nurbs(nurbs) => Axis::Nurbs(nurbs.reversed()),
        }
    }

    /// The part between two shares of the arc length, which rise.
    pub fn part(&self, shares: [f64; 2]) -> Axis {
        let ends = || shares.map(|share| self.at(share).position);
        match self {
            Axis::Straight { .. } => {
                let [from, to] = ends();
                Axis::Straight { from, to }
            }
            Axis::Arc(arc) => {
                let [from, to] = ends();
                Axis::Arc(Arc::new(from, to, (shares[1] - shares[0]) * arc.angle()))
            }
            Axis::Spline(spline) => Axis::Spline(spline.part(shares)),
            Axis::Ellipse(ellipse) => Axis::Ellipse(ellipse.part(shares)),
            Axis::Nurbs(nurbs) => Axis::Nurbs(nurbs.part(shares)),
        }
    }

    /// This axis with its ends moved a little; the points between them follow.
    pub fn between(&self, ends: [[f64; 2]; 2]) -> Axis {
        if ends == [0.0, 1.0].map(|share| self.at(share).position) {
            return self.clone();
        }
        let [from, to] = ends;
        match self {
            Axis::Straight { .. } => Axis::Straight { from, to },
            Axis::Arc(arc) => Axis::Arc(Arc::new(from, to, arc.angle())),
            Axis::Spline(spline) => Axis::Spline(spline.between(ends)),
            Axis::Ellipse(ellipse) => Axis::Ellipse(ellipse.between(ends)),
            Axis::Nurbs(nurbs) => Axis::Nurbs(nurbs.between(ends)),
        }
    }

    /// Equal parts of a line or an arc of which a quadrature of [`POINTS`] is exact to rounding.
    fn parts(&self) -> usize {
        match self {
            Axis::Arc(arc) => (arc.angle().abs() / ARC_PART).ceil().max(1.0) as usize,
            _ => 1,
        }
    }

    /// The shares of the arc length, from 0 to 1, between which it is smooth and turns little.
    pub fn smooth_parts(&self) -> Vec<f64> {
        match self {
            Axis::Spline(spline) => spline.shares(),
            Axis::Ellipse(ellipse) => ellipse.shares(),
            Axis::Nurbs(nurbs) => nurbs.shares(),
            Axis::Straight { .. } | Axis::Arc(_) => {
                let parts = self.parts();
                (0..=parts).map(|k| k as f64 / parts as f64).collect()
            }
        }
    }

    /// The shares of the arc length, from 0 to 1, between which all derivatives are continuous: the points of a spline, the knots of a rational
    /// B-spline.
    pub fn knots(&self) -> Vec<f64> {
        match self {
            Axis::Spline(spline) => spline.shares(),
            Axis::Nurbs(nurbs) => nurbs.shares(),
            Axis::Straight { .. } | Axis::Arc(_) | Axis::Ellipse(_) => vec![0.0, 1.0],
        }
    }

    /// Positions x and w dx of a quadrature along it, exact for cubics on a line and to rounding on a curve.
    pub fn quadrature(&self) -> Vec<[[f64; 2]; 2]> {
        let parts = match self {
            Axis::Straight { .. } | Axis::Arc(_) => self.parts(),
            Axis::Spline(spline) => return spline.quadrature(),
            Axis::Ellipse(ellipse) => return ellipse.quadrature(),
            Axis::Nurbs(nurbs) => return nurbs.quadrature(),
        };
        let (rule, half) = (legendre(POINTS), 0.5 / parts as f64);
        let part = |k: usize| {
            let length = half * self.length();
            rule.iter().map(move |&(x, w)| {
                let Place { position, angle } = self.at(half * (2.0 * k as f64 + 1.0 + x));
                let (sin, cos) = angle.sin_cos();
                [position, [w * length * cos, w * length * sin]]
            })
        };
        (0..parts).flat_map(part).collect()
    }

    /// `count` + 1 places, equally spaced in arc length.
    pub fn places(&self, count: usize) -> Vec<Place> {
        let share = |k: usize| k as f64 / count as f64;
        (0..=count).map(|k| self.at(share(k))).collect()
    }

    /// Largest change of direction, rad, all turns to either side added up, over any of `count` equal
    /// parts; with the index of that part.
    pub fn largest_turn(&self, count: usize) -> (usize, f64) {
        self.largest_turn_between([0.0, 1.0], count)
    }

    /// [`Axis::largest_turn`] over `count` equal parts between two shares of the arc length.
    pub fn largest_turn_between(&self, [from, to]: [f64; 2], count: usize) -> (usize, f64) {
        // Parts that are short beside the whole turn little in themselves.
        let steps = (MAX_PLACES / count).clamp(1, STEPS);
        let places = count * steps;
        let angle = |k: usize| self.at(from + (to - from) * (k as f64 / places as f64)).angle;
        let angles: Vec<f64> = (0..=places).map(angle).collect();
        let over = |part: usize| {
            let own = &angles[part * steps..=(part + 1) * steps];
            own.windows(2).map(|a| (a[1] - a[0]).abs()).sum::<f64>()
        };
        let turns = (0..count).map(|part| (part, over(part)));
        turns.fold((0, 0.0), |a, b| if b.1 > a.1 { b } else { a })
    }

    /// The share of the arc length that is nearest to a point, and the distance in m.
    pub fn nearest(&self, point: [f64; 2]) -> (f64, f64) {
        let pieces = match self {
            Axis::Straight { from, to } => return nearest_on_segment([*from, *to], point),
            Axis::Arc(_) => 1,
            Axis::Spline(spline) => spline.pieces(),
            Axis::Ellipse(ellipse) => ellipse.pieces(),
            Axis::Nurbs(nurbs) => nurbs.pieces(),
        };
        let look = |share: f64| {
            let Place { position, angle } = self.at(share);
            let (sin, cos) = angle.sin_cos();
            ([0, 1].map(|i| position[i] - point[i]), [cos, sin])
        };
        nearest_on_curve(look, self.length(), SAMPLES * pieces)
    }
}

/// From one direction to another by the shorter way round, rad.
pub fn turn(from: f64, to: f64) -> f64 {
    let (sin, cos) = (to - from).sin_cos();
    sin.atan2(cos)
}

#[cfg(test)]
mod tests;
