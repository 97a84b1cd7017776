//! Members.

use super::{Carrier, Checked, EdgeId, MemberId, PointId, Properties, Target};
use crate::axis::Axis;
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::nodes::BodyId;

/// A member of `elements` Lagrange elements.
#[derive(Debug, Clone)]
pub struct Member {
    pub name: String,
    pub from: PointId,
    pub to: PointId,
    pub elements: usize,
    /// Order of the Lagrange polynomials, 1 to 4.
    pub order: usize,
    pub line: MemberLine,
    /// What is strained; `None` only if the member is rigid, or supports and motions hold every degree of freedom of it.
    pub properties: Option<Properties>,
    /// Half the height of its section, m; 0 without one.
    pub half_height: f64,
    /// The rigid body that it is.
    pub rigid: Option<BodyId>,
}

/// Where an unstrained member lies.
#[derive(Debug, Clone)]
pub enum MemberLine {
    /// Along its own axis, with elements of equal length.
    Axis(Box<Axis>),
    /// Along an edge of a body whose positions it shares, an element for each side of a triangle.
    Edge(EdgeId),
}

impl MemberLine {
    /// The word of the model file.
    pub fn kind(&self) -> &'static str {
        match self {
            MemberLine::Axis(axis) => axis.kind(),
            MemberLine::Edge(_) => "edge",
        }
    }

    /// Whether it is initially a straight line.
    pub fn is_straight(&self) -> bool {
        matches!(self, MemberLine::Axis(axis) if axis.is_straight())
    }
}

impl Member {
    /// Section and material where elements bend by polynomials of order 2 or more of their own.
    pub fn bending(&self) -> Option<&Properties> {
        let own = matches!(self.line, MemberLine::Axis(_)) && self.rigid.is_none();
        (self.properties.as_ref()).filter(|_| own && self.order >= 2)
    }

    /// The initial axes of elements along its own curve; none of a straight member.
    pub fn axes_along(&self, axis: &Axis) -> Vec<InitialAxis> {
        if axis.is_straight() {
            return Vec::new();
        }
        let places = axis.places(self.elements * self.order);
        let elements = places.windows(self.order + 1).step_by(self.order);
        elements.map(InitialAxis::new).collect()
    }
}

impl Checked {
    /// Members that end at a point, or follow an edge of a body through it.
    pub fn members_at(&self, point: PointId) -> Vec<MemberId> {
        let is_there = |member: &Member| match member.line {
            MemberLine::Axis(_) => member.from == point || member.to == point,
            MemberLine::Edge(edge) => self.is_on_edge(point, edge),
        };
        (0..self.members.len()).filter(|&m| is_there(&self.members[m])).collect()
    }

    /// Initial length of a member, m.
    pub fn length_of(&self, member: MemberId) -> f64 {
        match &self.members[member].line {
            MemberLine::Axis(axis) => axis.length(),
            MemberLine::Edge(edge) => self.length_under_load(Carrier::Edge(*edge)),
        }
    }

    /// What a support or a motion of a member acts on: all nodes of it or, where it is rigid, its body.
    pub fn target_of(&self, member: MemberId) -> Target {
        let rigid = self.members[member].rigid;
        rigid.map_or(Target::Member(member), Target::Body)
    }

    /// The place of a [station](Checked::stations), counted from 0: 0 at the first end and 1 at the other.
    pub fn station(&self, at: usize) -> f64 {
        at as f64 / (self.stations.max(2) - 1) as f64
    }

    /// The element of a member at the arc length `at` (m) from its first point, and ξ in it.
    pub fn place_on_member(&self, member: MemberId, at: f64) -> (usize, f64) {
        let described = &self.members[member];
        let last = described.elements - 1;
        match &described.line {
            MemberLine::Axis(axis) => {
                let length = axis.length() / described.elements as f64;
                let element = ((at / length) as usize).min(last);
                (element, 2.0 * (at / length - element as f64) - 1.0)
            }
            MemberLine::Edge(edge) => {
                let mut begin = 0.0;
                for (element, axis) in self.axes_of_edge(*edge).iter().enumerate() {
                    let curve = ArcLength::of(axis);
                    if at <= begin + curve.total() || element == last {
                        return (element, curve.coordinate(at - begin)[0]);
                    }
                    begin += curve.total();
                }
                (last, 1.0)
            }
        }
    }
}
