//! Pieces of the surface of a contact: sides of elements, and pieces of the outlines of rigid bodies whatever mesh these are drawn with.

use crate::checked::{
    Behaviour, Checked, MemberLine, Stiffness, SurfaceContact as Described, SurfacePart,
};
use crate::elements::frame::section::half_height;
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::nodes::{Node, Nodes};
use crate::numerics::lagrange::{MAX_NODES, shape};
use crate::surfaces::point::SurfacePoint;
use crate::surfaces::side::Lever;

/// Sine of the angle between sides of a rigid body that go on in each other.
const STRAIGHT: f64 = 1e-9;

/// An element or a side of a triangle of a surface.
pub(super) struct Piece {
    pub part: SurfacePart,
    pub axis: InitialAxis,
    pub nodes: Vec<Node>,
    /// Whether it is of a rigid body.
    pub rigid: bool,
}

pub(super) fn pieces(model: &Checked, described: &Described, nodes: &Nodes) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for &part in &described.surface {
        let list: Vec<Node> = match part {
            SurfacePart::Edge(edge) if model.is_rigid(edge.body) => {
                let body = nodes.of_rigid_body(edge.body);
                body.map(Node::from).into_iter().collect()
            }
            SurfacePart::Edge(edge) => nodes.of_edge(edge).iter().map(|&n| n.into()).collect(),
            SurfacePart::Face { member, .. } => {
                nodes.of_member(member).iter().map(|&n| n.into()).collect()
            }
        };
        let axes = match (part, described.stiffness) {
            (SurfacePart::Edge(edge), Stiffness::Nodes(_)) => model.axes_of_edge(edge),
            _ => model.axes_of_surface(part),
        };
        for (k, axis) in axes.into_iter().enumerate() {
            let order = axis.order();
            let own = match list.len() {
                1 => list.clone(),
                _ => list[k * order..=(k + 1) * order].to_vec(),
            };
            pieces.push(Piece {
                part,
                axis,
                nodes: own,
                rigid: matches!(part, SurfacePart::Edge(edge) if model.is_rigid(edge.body)),
            });
        }
    }
    pieces
}

impl Piece {
    pub fn middle(&self, model: &Checked) -> [f64; 2] {
        model.on_surface(self.part, &self.axis, 0.0).0
    }

    pub fn length(&self) -> f64 {
        ArcLength::of(&self.axis).total()
    }

    /// Thickness of its body, m; none of a member.
    pub fn thickness(&self, model: &Checked) -> Option<f64> {
        match self.part {
            SurfacePart::Edge(edge) => {
                model.bodies[edge.body].matter().map(|matter| matter.thickness)
            }
            SurfacePart::Face { member, .. } => match model.members[member].line {
                MemberLine::Edge(edge) => model.thickness_of_body(edge.body),
                MemberLine::Axis(_) => None,
            },
        }
    }

    /// How stiff the elements below it are by its length, N/m².
    pub fn stiffness(&self, model: &Checked) -> f64 {
        match self.part {
            SurfacePart::Edge(edge) => {
                let body = &model.bodies[edge.body];
                let modulus = match &body.behaviour {
                    Behaviour::Elastic(density, _) => density.stiffness(),
                    Behaviour::Rigid(_) => 0.0,
                };
                modulus * self.thickness(model).unwrap_or(0.0) / self.length()
            }
            SurfacePart::Face { member, .. } => {
                let member = &model.members[member];
                let section = member.properties.as_ref();
                section.map_or(1.0, |p| {
                    let height = 2.0 * half_height(p);
                    p.young_modulus * p.area / (height * height)
                })
            }
        }
    }

    /// What turns with it.
    pub fn lever(&self, model: &Checked) -> Lever {
        match self.part {
            SurfacePart::Edge(edge) => {
                let rigid = model.bodies[edge.body].rigid();
                rigid.map_or(Lever::None, |rigid| Lever::From(rigid.centre))
            }
            SurfacePart::Face { .. } => Lever::Across(model.height_of_surface(self.part)),
        }
    }

    pub fn point(&self, model: &Checked, xi: f64, place: [f64; 2], length: f64) -> SurfacePoint {
        let order = self.axis.order();
        let mut weights = shape(order, xi).value;
        let at = self.axis.at(xi);
        let arm = match self.part {
            SurfacePart::Edge(edge) if model.is_rigid(edge.body) => {
                weights = [0.0; MAX_NODES];
                weights[0] = 1.0;
                let centre = model.bodies[edge.body].rigid().map_or(place, |r| r.centre);
                [place[0] - centre[0], place[1] - centre[1]]
            }
            SurfacePart::Edge(_) => [0.0; 2],
            SurfacePart::Face { .. } => {
                let (sin, cos) = at.angle.sin_cos();
                let height = model.height_of_surface(self.part);
                [-height * sin, height * cos]
            }
        };
        SurfacePoint { nodes: self.nodes.clone(), weights, arm, length, initial: place }
    }
}

/// Pieces of which straight ones of a rigid body that go on in each other are one, divided evenly into parts whose points are at most so far
/// apart (m) and that turn so much (rad) at the `most`. Those in front of a path that is `bent`, and of curved outlines, have a point in their middle, too.
pub(super) fn joined(pieces: Vec<Piece>, most: [f64; 2], bent: bool) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        let before = all.last_mut().filter(|before| before.goes_on_in(&piece));
        match before {
            Some(before) => {
                let [from, to] = [before.ends()[0], piece.ends()[1]];
                before.axis = InitialAxis::through(&[from, to]);
            }
            None => all.push(piece),
        }
    }
    all.into_iter().flat_map(|piece| piece.divided(most, bent)).collect()
}

impl Piece {
    fn ends(&self) -> [[f64; 2]; 2] {
        let nodes = self.axis.nodes();
        [nodes[0].position, nodes[nodes.len() - 1].position]
    }

    fn goes_on_in(&self, next: &Piece) -> bool {
        let straight = |piece: &Piece| piece.rigid && piece.axis.is_straight();
        let [[a, b], [c, d]] = [self.ends(), next.ends()];
        let (own, other) = ([b[0] - a[0], b[1] - a[1]], [d[0] - c[0], d[1] - c[1]]);
        let across = own[0] * other[1] - own[1] * other[0];
        let along = own[0] * other[0] + own[1] * other[1];
        self.part == next.part
            && straight(self)
            && straight(next)
            && b == c
            && across.abs() <= STRAIGHT * along
    }

    fn divided(self, [length, most]: [f64; 2], bent: bool) -> Vec<Piece> {
        if !self.rigid {
            return vec![self];
        }
        let order = if bent || !self.axis.is_straight() { 2 } else { 1 };
        let [first, .., last] = self.axis.nodes() else {
            return vec![self];
        };
        let turn = (last.angle - first.angle).abs() / most * (1.0 - 1e-9);
        let lengths = ArcLength::of(&self.axis);
        let parts = (lengths.total() / (order as f64 * length)).max(turn);
        let count = order * (parts.ceil().max(1.0) as usize);
        let place = |k: usize| match k {
            0 => first.position,
            _ if k == count => last.position,
            _ => {
                let [xi, ..] = lengths.coordinate(lengths.total() * k as f64 / count as f64);
                self.axis.position(xi)
            }
        };
        let places: Vec<[f64; 2]> = (0..=count).map(place).collect();
        let parts = places.windows(order + 1).step_by(order);
        let piece = |places: &[[f64; 2]]| Piece {
            axis: InitialAxis::through(places),
            nodes: self.nodes.clone(),
            ..self
        };
        parts.map(piece).collect()
    }
}
