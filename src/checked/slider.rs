//! Sliders: of joints, of edges and of corners.

use super::{Checked, PathEnd, PathPart, PointId, Turns};
use crate::joints::regime::{End, Side};
use crate::joints::roughness::Roughness;
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;

/// A sliding joint: a point held on a path of members and edges.
#[derive(Debug, Clone)]
pub struct Slider {
    pub name: String,
    pub kind: SliderKind,
    pub point: PointId,
    /// Whose rotation a prismatic joint holds, where several turn on their own.
    pub turning: Option<Turns>,
    /// The path's members and edges in order of growing s.
    pub path: Vec<PathPart>,
    pub ends: PathEnds,
    /// Coefficient of restitution e at its stops and where it touches down, in [0, 1].
    pub restitution: f64,
    /// Whether friction acts in impacts.
    pub impact_friction: bool,
    /// Whether its path passes smoothly from element to element.
    pub smooth: bool,
    /// The side of the path that the slider stands on, where it may lift off; `None`: it cannot.
    pub side: Option<Side>,
    /// What of a prismatic slider touches the path.
    pub bearing: SliderBearing,
    /// Height of the surface that the slider follows over its path.
    pub roughness: Option<Roughness>,
    pub friction: Friction,
    /// The motion for which friction is linearised.
    pub equivalent: Option<Harmonic>,
    /// Mass m of the stick branch, kg; `None`: what is lumped at the point plus its share of the
    /// members that end there.
    pub sliding_mass: Option<f64>,
}

/// A harmonic motion along a path under a constant normal force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Harmonic {
    /// m.
    pub amplitude: f64,
    /// Hz.
    pub frequency: f64,
    /// N.
    pub normal_force: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SliderKind {
    /// Holds x and y; the slider may turn against the path.
    Cylindrical,
    /// Holds x, y and the rotation against the path.
    Prismatic,
    /// A corner of a [contact of a rigid surface](super::RigidContact): holds x and y where it touches its face.
    Corner,
    /// Holds nothing by itself: carries the friction of an edge whose nodes are sliders, all of them.
    Edge,
    /// Holds nothing by itself: carries the friction of a hinge, see [`FrictionHinge`](super::FrictionHinge).
    Hinge,
    /// The rigid stop of a spring, see [`RigidStop`](super::RigidStop).
    Stop,
}

/// What happens where a path ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnds {
    /// An inelastic stop holds the slider at the end until it is pulled back.
    Stop,
    /// Such a stop at this end; at the other it goes on.
    StopAt(End),
    /// The step is refused.
    Error,
    /// The path goes on along its end tangent.
    Continue,
    /// It has no end: the path goes on where it begins.
    Closed,
    /// The joint releases the slider, for good unless it can lift off and touch down.
    Leave,
}

impl Slider {
    /// Whether it can be off its path.
    pub fn may_be_off(&self) -> bool {
        self.side.is_some() || self.ends == PathEnds::Leave
    }
}

impl PathEnds {
    /// Whether there is a stop.
    pub fn stops(self) -> bool {
        [End::First, End::Last].iter().any(|&end| self.stops_at(end))
    }

    /// Whether there is a stop at an end.
    pub fn stops_at(self, end: End) -> bool {
        self == PathEnds::Stop || self == PathEnds::StopAt(end)
    }

    /// Whether no slider goes on along its path beyond an end.
    pub fn keeps_at(self, end: End) -> bool {
        self.stops_at(end) || matches!(self, PathEnds::Error | PathEnds::Leave)
    }

    /// Whether there is no path beyond the ends, in the air either.
    pub fn breaks_off(self) -> bool {
        self.stops() || self == PathEnds::Leave
    }
}

impl Checked {
    /// The key by which slider `j` does something else at the ends of its path than to leave it; a corner of a contact has none.
    pub fn key_of_ends(&self, j: usize) -> Option<String> {
        let slider = &self.sliders[j];
        let edge = self.sliding_edges.iter().find(|edge| edge.has(j));
        let kind = match (edge, slider.kind) {
            (Some(edge), _) => return Some(format!("joints.{}.sliding.ends", edge.name)),
            (None, SliderKind::Cylindrical) => "cylindrical",
            (None, SliderKind::Prismatic) => "prismatic",
            (None, _) => return None,
        };
        Some(format!("joints.{}.{kind}.ends", slider.name))
    }

    /// Which keys keep slider `j` from an `end` of its path: "lengthen the path by `points.right`, where it ends, begin elsewhere with
    /// `points.block`".
    pub fn longer_path(&self, j: usize, end: End) -> String {
        let slider = &self.sliders[j];
        // Points of meshes are not in [points].
        let named = |point: &PointId| {
            let point = &self.points[*point];
            !point.is_nameless() && !point.name.contains('.')
        };
        let (part, side, ends) = match end {
            End::First => (slider.path.first(), 0, "begins"),
            End::Last => (slider.path.last(), 1, "ends"),
        };
        let longer = part.map(|&part| match self.ends_of_part(part)[side] {
            PathEnd::Point(point) if named(&point) => {
                let name = &self.points[point].name;
                format!("lengthen the path by `points.{name}`, where it {ends}")
            }
            _ => format!("lengthen {}, where the path {ends}", part.carrier.quoted(self)),
        });
        let elsewhere = Some(slider.point)
            .filter(named)
            .map(|point| format!("begin elsewhere with `points.{}`", self.points[point].name));
        longer.into_iter().chain(elsewhere).collect::<Vec<_>>().join(", ")
    }
}
