//! Paths of sliders: members and edges in the order in which they are walked.

use std::f64::consts::PI;

use super::{BodyId, Carrier, Checked, EdgeId, MemberLine, PointId};
use crate::axis::{Axis, Place, turn};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::joints::element::corner;
use crate::message::figure;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::nearest_on_curve;

/// How far a slider may initially be off its path, relative to the path's length: coordinates of
/// drawings are rounded, and the start puts the slider onto its path.
pub(crate) const OFF_PATH: f64 = 1e-4;

/// Places per side of a triangle among which the one nearest to a point is looked for.
const SAMPLES: usize = 16;

/// A member or an edge of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathPart {
    pub carrier: Carrier,
    /// Whether it is walked from its last node to its first.
    pub reversed: bool,
}

/// Where parts of a path meet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathEnd {
    Point(PointId),
    /// A node of a body that is no point.
    Node(BodyId, usize),
}

/// The place of a part of a path that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Arc length from where the part is entered, m.
    pub along: f64,
    /// m.
    pub distance: f64,
    /// With the direction in which the part is walked.
    pub place: Place,
}

impl Checked {
    /// Where a part of a path is entered and left.
    pub fn ends_of_part(&self, part: PathPart) -> [PathEnd; 2] {
        let mut ends = match part.carrier {
            Carrier::Member(id) => {
                let member = &self.members[id];
                [member.from, member.to].map(PathEnd::Point)
            }
            Carrier::Edge(EdgeId { body, edge }) => {
                let described = &self.bodies[body];
                let nodes = &described.mesh.edges[edge].nodes;
                [nodes[0], nodes[nodes.len() - 1]].map(|node| {
                    let mut points = described.points.iter();
                    let point = points.find(|(n, _)| *n == node);
                    point.map_or(PathEnd::Node(body, node), |&(_, p)| PathEnd::Point(p))
                })
            }
        };
        if part.reversed {
            ends.reverse();
        }
        ends
    }

    /// Directions in which a part of a path is entered and left, rad.
    pub fn directions_of_part(&self, part: PathPart) -> [f64; 2] {
        let mut ends = match part.carrier {
            Carrier::Member(id) => match &self.members[id].line {
                MemberLine::Axis(axis) => [0.0, 1.0].map(|share| axis.at(share).angle),
                MemberLine::Edge(edge) => self.directions_of_edge(*edge),
            },
            Carrier::Edge(edge) => self.directions_of_edge(edge),
        };
        if part.reversed {
            ends = [ends[1] + PI, ends[0] + PI];
        }
        ends
    }

    /// Whether a path that leaves `part` and enters `next` has a corner there.
    pub fn is_corner(&self, part: PathPart, next: PathPart) -> bool {
        let [leaving, entering] =
            [self.directions_of_part(part)[1], self.directions_of_part(next)[0]];
        let turned = [self.turns_at_ends(part)[1], self.turns_at_ends(next)[0]];
        turn(leaving, entering).abs() > corner(turned)
    }

    /// Angles by which the first and the last side of an edge turn; 0 of a member with its own axis.
    fn turns_at_ends(&self, part: PathPart) -> [f64; 2] {
        let Some(edge) = self.edge_under(part.carrier) else {
            return [0.0; 2];
        };
        let axes = self.outline_of_edge(edge);
        let turns = |axis: Option<&InitialAxis>| match axis.map(InitialAxis::nodes) {
            Some([first, .., last]) => last.angle - first.angle,
            _ => 0.0,
        };
        let mut ends = [axes.first(), axes.last()].map(turns);
        if part.reversed {
            ends.reverse();
        }
        ends
    }

    /// The edge along which a part of a path lies, by itself or under a member.
    fn edge_under(&self, carrier: Carrier) -> Option<EdgeId> {
        match carrier {
            Carrier::Member(id) => match self.members[id].line {
                MemberLine::Axis(_) => None,
                MemberLine::Edge(edge) => Some(edge),
            },
            Carrier::Edge(edge) => Some(edge),
        }
    }

    fn directions_of_edge(&self, edge: EdgeId) -> [f64; 2] {
        let axes = self.outline_of_edge(edge);
        let ends = [axes.first(), axes.last()];
        let nodes = ends.map(|axis| axis.map(InitialAxis::nodes).unwrap_or_default());
        let ends = [nodes[0].first(), nodes[1].last()];
        ends.map(|node| node.map_or(0.0, |node| node.angle))
    }

    /// Elements of a part of a path.
    pub fn elements_of_part(&self, part: PathPart) -> usize {
        match part.carrier {
            Carrier::Member(id) => self.members[id].elements,
            Carrier::Edge(edge) => self.outline_of_edge(edge).len(),
        }
    }

    /// Sides of triangles that make up an edge.
    pub fn sides_of_edge(&self, EdgeId { body, edge }: EdgeId) -> usize {
        let mesh = &self.bodies[body].mesh;
        (mesh.edges[edge].nodes.len() - 1) / mesh.order
    }

    /// An end of a part of a path in the words of the file.
    pub fn name_of_end(&self, end: PathEnd) -> String {
        match end {
            PathEnd::Point(point) => format!("point `{}`", self.points[point].name),
            PathEnd::Node(body, node) => {
                let [x, y] = self.bodies[body].mesh.nodes[node].map(figure);
                format!("({x}, {y}) m")
            }
        }
    }

    /// The place of a part of a path that is nearest to a point.
    pub fn nearest_on_part(&self, part: PathPart, point: [f64; 2]) -> Nearest {
        let along_axis = |axis: &Axis| {
            let (share, distance) = axis.nearest(point);
            Nearest { along: share * axis.length(), distance, place: axis.at(share) }
        };
        let mut nearest = match self.axis_of(part.carrier) {
            Some(axis) => along_axis(axis),
            None => nearest_on_edge(&self.outline_of_part(part), point),
        };
        if part.reversed {
            nearest.along = self.length_of_carrier(part.carrier) - nearest.along;
            nearest.place.angle += PI;
        }
        nearest
    }

    /// The axis of a member that does not lie along an edge.
    fn axis_of(&self, carrier: Carrier) -> Option<&Axis> {
        match carrier {
            Carrier::Member(id) => match &self.members[id].line {
                MemberLine::Axis(axis) => Some(axis),
                MemberLine::Edge(_) => None,
            },
            Carrier::Edge(_) => None,
        }
    }

    /// The outline of the edge along which a part of a path lies; empty of a member with its own axis.
    pub fn outline_of_part(&self, part: PathPart) -> Vec<InitialAxis> {
        self.edge_under(part.carrier).map_or_else(Vec::new, |edge| self.outline_of_edge(edge))
    }

    /// The distance (m) of a point from a part of a path with this [outline](Checked::outline_of_part), and the nearest place, with the
    /// direction in which the part is walked.
    pub fn nearest_place(
        &self, part: PathPart, outline: &[InitialAxis], point: [f64; 2],
    ) -> (f64, Place) {
        let (distance, mut place) = match self.axis_of(part.carrier) {
            Some(axis) => {
                let (share, distance) = axis.nearest(point);
                (distance, axis.at(share))
            }
            None => {
                let (nearest, _) = place_on_edge(outline, point);
                (nearest.distance, nearest.place)
            }
        };
        if part.reversed {
            place.angle += PI;
        }
        (distance, place)
    }
}

fn nearest_on_edge(axes: &[InitialAxis], point: [f64; 2]) -> Nearest {
    let (mut best, found) = place_on_edge(axes, point);
    if let Some((k, xi)) = found {
        let lengths = axes[..k].iter().map(|axis| ArcLength::of(axis).total());
        best.along =
            lengths.fold(0.0, |sum, length| sum + length) + ArcLength::of(&axes[k]).up_to(xi);
    }
    best
}

/// The nearest place without its arc length, and its axis with ξ.
fn place_on_edge(axes: &[InitialAxis], point: [f64; 2]) -> (Nearest, Option<(usize, f64)>) {
    let mut best = Nearest {
        along: 0.0,
        distance: f64::INFINITY,
        place: Place { position: point, angle: 0.0 },
    };
    // As far as the nearest node at the most.
    let nodes = axes.iter().flat_map(InitialAxis::nodes);
    let apart = |to: [f64; 2]| hypot(to[0] - point[0], to[1] - point[1]);
    let most = nodes.fold(f64::INFINITY, |most, node| most.min(apart(node.position)));
    let mut found = None;
    for (k, axis) in axes.iter().enumerate() {
        if is_farther(axis, point, best.distance.min(most)) {
            continue;
        }
        let look = |share: f64| {
            let xi = 2.0 * share - 1.0;
            let at = axis.position(xi);
            ([0, 1].map(|i| at[i] - point[i]), axis.at(xi).tangent)
        };
        let (share, distance) = nearest_on_curve(look, f64::INFINITY, SAMPLES);
        if distance < best.distance {
            let xi = 2.0 * share - 1.0;
            let [x, y] = axis.at(xi).tangent;
            found = Some((k, xi));
            best.distance = distance;
            best.place = Place { position: axis.position(xi), angle: y.atan2(x) };
        }
    }
    (best, found)
}

/// Most that the sizes of the shape functions of an element of any order add up to.
const LARGEST_SUM: f64 = 2.25;

/// Whether all of an element is at least so far from a point, as its nodes tell.
fn is_farther(axis: &InitialAxis, point: [f64; 2], distance: f64) -> bool {
    let first = axis.position(-1.0);
    let away = |to: [f64; 2]| hypot(to[0] - first[0], to[1] - first[1]);
    let nodes = axis.nodes().iter().map(|node| away(node.position));
    let radius = nodes.fold(0.0, f64::max);
    away(point) - LARGEST_SUM * radius >= distance
}
