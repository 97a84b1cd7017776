//! The initial axis of a member: a straight line, an arc of a circle or a spline, by its arc length.

mod arc;
mod spline;

pub use arc::Arc;
pub use spline::PlaneSpline;

use crate::numerics::plane::{nearest_on_curve, nearest_on_segment};

/// Steps by which a change of direction is followed over a part of an axis.
const STEPS: usize = 16;

/// Places at which the turning of all parts is looked at, at the most, where there are fewer parts.
const MOST_PLACES: usize = 1 << 16;
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

/// The drawn axis of a member from its first to its last point.
#[derive(Debug, Clone, PartialEq)]
pub enum Axis {
    Straight { from: [f64; 2], to: [f64; 2] },
    Arc(Arc),
    Spline(PlaneSpline),
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
            Axis::Spline(_) => "spline",
        }
    }

    /// Arc length, m.
    pub fn length(&self) -> f64 {
        match self {
            Axis::Straight { from, to } => (to[0] - from[0]).hypot(to[1] - from[1]),
            Axis::Arc(arc) => arc.length(),
            Axis::Spline(spline) => spline.length(),
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
        }
    }

    /// `count` + 1 places, equally spaced in arc length.
    pub fn places(&self, count: usize) -> Vec<Place> {
        let share = |k: usize| k as f64 / count as f64;
        (0..=count).map(|k| self.at(share(k))).collect()
    }

    /// Largest change of direction, rad, all turns to either side added up, over any of `count` equal
    /// parts; with the index of that part.
    pub fn largest_turn(&self, count: usize) -> (usize, f64) {
        // Parts that are short beside the whole turn little in themselves.
        let steps = (MOST_PLACES / count).clamp(1, STEPS);
        let angles: Vec<f64> = (self.places(count * steps).iter())
            .map(|p| p.angle)
            .collect();
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
        };
        let look = |share: f64| {
            let Place { position, angle } = self.at(share);
            let (sin, cos) = angle.sin_cos();
            ([0, 1].map(|i| position[i] - point[i]), [cos, sin])
        };
        nearest_on_curve(look, SAMPLES * pieces)
    }
}

/// From one direction to another by the shorter way round, rad.
pub fn turn(from: f64, to: f64) -> f64 {
    let (sin, cos) = (to - from).sin_cos();
    sin.atan2(cos)
}

#[cfg(test)]
mod tests;
