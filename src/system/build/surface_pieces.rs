//! Pieces of the surface of a contact: sides of elements, and straight sides of rigid bodies whatever mesh these are drawn with.

use crate::elements::frame::section::half_height;
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::model::checked::{Behaviour, Checked, Course, SurfaceContact as Described, SurfacePart};
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
        for (k, axis) in model.axes_of_surface(part).into_iter().enumerate() {
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

    /// Its thickness, and how stiff the elements below it are by its length, N/m².
    pub fn below(&self, model: &Checked) -> (Option<f64>, f64) {
        match self.part {
            SurfacePart::Edge(edge) => {
                let body = &model.bodies[edge.body];
                let modulus = match &body.behaviour {
                    Behaviour::Elastic(density, _) => density.stiffness(),
                    Behaviour::Rigid(_) => 0.0,
                };
                let thickness = body.matter().map(|matter| matter.thickness);
                let stiffness = modulus * thickness.unwrap_or(0.0) / self.length();
                (thickness, stiffness)
            }
            SurfacePart::Face { member, .. } => {
                let member = &model.members[member];
                let section = member.properties.as_ref();
                let stiffness = section.map_or(1.0, |p| {
                    let height = 2.0 * half_height(p);
                    p.young_modulus * p.area / (height * height)
                });
                let thickness = match member.course {
                    Course::Edge(edge) => model.thickness_of_body(edge.body),
                    Course::Axis(_) => None,
                };
                (thickness, stiffness)
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
        SurfacePoint {
            nodes: self.nodes.clone(),
            weights,
            arm,
            length,
            drawn: place,
        }
    }
}

/// Pieces of which straight ones of a rigid body that go on in each other are one, divided evenly into parts of at most a `length` (m).
pub(super) fn joined(pieces: Vec<Piece>, length: f64) -> Vec<Piece> {
    let mut all: Vec<Piece> = Vec::new();
    for piece in pieces {
        let before = all.last_mut().filter(|before| before.goes_on_in(&piece));
        match before {
            Some(before) => before.axis = line(before.ends()[0], piece.ends()[1]),
            None => all.push(piece),
        }
    }
    all.into_iter()
        .flat_map(|piece| piece.divided(length))
        .collect()
}

fn line(from: [f64; 2], to: [f64; 2]) -> InitialAxis {
    InitialAxis::through(&[from, to])
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

    fn divided(self, length: f64) -> Vec<Piece> {
        if !(self.rigid && self.axis.is_straight()) {
            return vec![self];
        }
        let [from, to] = self.ends();
        let parts = (self.length() / length).ceil().max(1.0);
        let place = |k: f64| [0, 1].map(|i| from[i] + k / parts * (to[i] - from[i]));
        let piece = |k: usize| Piece {
            axis: line(place(k as f64), place(k as f64 + 1.0)),
            nodes: self.nodes.clone(),
            ..self
        };
        (0..parts as usize).map(piece).collect()
    }
}
