//! Probes: what is looked at beside the unknowns.

use super::{Checked, Direction, MemberId, PointId};
use crate::quantity::Quantity;

/// What is looked at between points and along members.
#[derive(Debug, Clone)]
pub struct Probe {
    pub name: String,
    pub kind: ProbeKind,
}

/// A section of a member to look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Cut {
    pub name: String,
    pub member: MemberId,
    /// Arc length from the member's `from` in the initial configuration, m.
    pub at: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ProbeKind {
    /// Transverse deflection of `point` from the line through `from` that follows the rotation
    /// of `member`'s section there, m: (Y_point − Y_from)·d(θ_from), d = section direction,
    /// less its initial value.
    Deflection { point: PointId, from: PointId, member: Option<MemberId> },
    /// Rotation of `member`'s section at `point` from its initial direction, rad.
    Rotation { point: PointId, member: Option<MemberId> },
    /// Distance between two points, m.
    Distance { point: PointId, from: PointId },
    /// Displacement (m) or rotation (rad) of the material point of a member at the reference arc
    /// length `at` from its `from` end.
    Displacement { member: MemberId, at: f64, direction: Direction },
    /// Displacement of one point relative to another along x or y, m: between storeys, their drift.
    Drift { point: PointId, from: PointId, direction: Direction },
    /// Distance of the material point of a member at the reference arc length `at` from the straight line through both ends of
    /// the member, m, to the left of the way from `from` to `to` positive, less what it was in the initial configuration.
    Chord { member: MemberId, at: f64 },
}

impl ProbeKind {
    /// Quantity and description.
    pub fn meaning(&self, model: &Checked) -> (Quantity, String) {
        let point = |id: PointId| model.points[id].name.as_str();
        match *self {
            ProbeKind::Deflection { point: p, from, .. } => (
                Quantity::Length,
                format!(
                    "Deflection of point {} from the line that turns with the section at {}, to the left of the way there positive",
                    point(p),
                    point(from)
                ),
            ),
            ProbeKind::Rotation { point: p, .. } => {
                (Quantity::Angle, format!("Rotation of the section at point {}", point(p)))
            }
            ProbeKind::Distance { point: p, from } => (
                Quantity::Length,
                format!("Distance from point {} to point {}", point(from), point(p)),
            ),
            ProbeKind::Drift { point: p, from, direction } => (
                Quantity::Length,
                format!(
                    "Displacement of point {} relative to point {} along {}",
                    point(p),
                    point(from),
                    ["x", "y"][usize::from(direction != Direction::X)]
                ),
            ),
            ProbeKind::Chord { member, at } => (
                Quantity::Length,
                format!(
                    "Deflection of member {} at {at} m from the line through its ends",
                    model.members[member].name
                ),
            ),
            ProbeKind::Displacement { member, at, direction } => {
                let (quantity, what) = match direction {
                    Direction::X => (Quantity::Length, "Displacement along x"),
                    Direction::Y => (Quantity::Length, "Displacement along y"),
                    Direction::Rotation => (Quantity::Angle, "Rotation"),
                };
                let name = &model.members[member].name;
                (quantity, format!("{what} of member {name} at {at} m"))
            }
        }
    }
}
