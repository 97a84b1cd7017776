//! Springs between points, with every name resolved.

use super::{Checked, MemberId, PointId};
use crate::laws::spring::Spring as Law;
use crate::model::quantity::Quantity;

/// A spring with damper, stops, slip element and actuator.
#[derive(Debug, Clone)]
pub struct Spring {
    pub name: String,
    pub between: Between,
    pub law: Law,
}

/// What a spring acts between, and what it measures there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Between {
    /// The distance of two places, m.
    Line { from: SpringEnd, to: PointId },
    /// How far `to` is from `from` along x (0) or y (1), m.
    Axis {
        axis: usize,
        from: SpringEnd,
        to: PointId,
    },
    /// How far `to` is from `from` along a direction that stays, a unit vector, m.
    Along {
        direction: [f64; 2],
        from: SpringEnd,
        to: PointId,
    },
    /// How far `to` has turned more than `from`, rad; without one more than the ground.
    Sections { from: Option<Section>, to: Section },
}

/// The rotation at a point, that of a member's end where several turn on their own.
pub type Section = (PointId, Option<MemberId>);

/// Where a spring begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpringEnd {
    Point(PointId),
    /// Where the point is drawn.
    Ground(PointId),
}

impl SpringEnd {
    /// The point that names it.
    pub fn point(self) -> PointId {
        match self {
            SpringEnd::Point(point) | SpringEnd::Ground(point) => point,
        }
    }
}

/// What the numbers of a spring are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpringUnits {
    pub measure: Quantity,
    pub rate: Quantity,
    pub force: Quantity,
    pub stiffness: Quantity,
    pub damping: Quantity,
}

impl SpringUnits {
    pub const LENGTHS: SpringUnits = SpringUnits {
        measure: Quantity::Length,
        rate: Quantity::Velocity,
        force: Quantity::Force,
        stiffness: Quantity::Stiffness,
        damping: Quantity::ViscousCoefficient,
    };
    pub const ANGLES: SpringUnits = SpringUnits {
        measure: Quantity::Angle,
        rate: Quantity::AngularVelocity,
        force: Quantity::Moment,
        stiffness: Quantity::RotationalStiffness,
        damping: Quantity::RotationalDamping,
    };
}

impl Between {
    /// What its numbers are.
    pub fn units(&self) -> SpringUnits {
        match self {
            Between::Line { .. } | Between::Axis { .. } | Between::Along { .. } => {
                SpringUnits::LENGTHS
            }
            Between::Sections { .. } => SpringUnits::ANGLES,
        }
    }

    /// Along what it acts, in the words of the model file.
    pub fn direction(&self) -> &'static str {
        match self {
            Between::Line { .. } => "line",
            Between::Axis { axis: 0, .. } => "x",
            Between::Axis { .. } => "y",
            Between::Along { .. } => "a fixed direction",
            Between::Sections { .. } => "rotation",
        }
    }

    /// Whether it is between sections.
    pub fn turns(&self) -> bool {
        matches!(self, Between::Sections { .. })
    }

    /// Where it begins and ends, as points; where it begins on a ground without a place, only its end.
    pub fn points(&self) -> (Option<PointId>, PointId) {
        match *self {
            Between::Line { from, to }
            | Between::Axis { from, to, .. }
            | Between::Along { from, to, .. } => (Some(from.point()), to),
            Between::Sections { from, to } => (from.map(|(point, _)| point), to.0),
        }
    }

    /// Points that move.
    pub fn moving(&self) -> impl Iterator<Item = PointId> + use<> {
        let (from, to) = match *self {
            Between::Line { from, to }
            | Between::Axis { from, to, .. }
            | Between::Along { from, to, .. } => match from {
                SpringEnd::Point(point) => (Some(point), to),
                SpringEnd::Ground(_) => (None, to),
            },
            Between::Sections { from, to } => (from.map(|(point, _)| point), to.0),
        };
        from.into_iter().chain([to])
    }
}

impl Checked {
    /// The measure of a spring as drawn, m or rad.
    pub fn drawn_measure(&self, between: &Between) -> f64 {
        let place = |point: PointId| self.points[point].position;
        match *between {
            Between::Line { from, to } => {
                let (a, b) = (place(from.point()), place(to));
                (b[0] - a[0]).hypot(b[1] - a[1])
            }
            Between::Axis { axis, from, to } => place(to)[axis] - place(from.point())[axis],
            Between::Along {
                direction: [x, y],
                from,
                to,
            } => {
                let (a, b) = (place(from.point()), place(to));
                (b[0] - a[0]) * x + (b[1] - a[1]) * y
            }
            Between::Sections { .. } => 0.0,
        }
    }

    /// "from point a to point b", in the words of descriptions.
    pub fn name_of_ends(&self, between: &Between) -> String {
        let name = |point: PointId| format!("point {}", self.points[point].name);
        let ground = || "the ground".to_string();
        let from = |end: SpringEnd| match end {
            SpringEnd::Point(point) => name(point),
            SpringEnd::Ground(_) => ground(),
        };
        let section = |(point, member): Section| match member {
            Some(member) => format!(
                "member {} at point {}",
                self.members[member].name, self.points[point].name
            ),
            None => name(point),
        };
        let (from, to) = match *between {
            Between::Line { from: end, to }
            | Between::Axis { from: end, to, .. }
            | Between::Along { from: end, to, .. } => (from(end), name(to)),
            Between::Sections { from, to } => (from.map_or_else(ground, section), section(to)),
        };
        format!("from {from} to {to}")
    }
}
