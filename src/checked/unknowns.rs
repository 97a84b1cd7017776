//! The nodal unknowns of a model, and their names in the words of the file.

use super::{BodyId, Checked, Direction, MemberId, MemberLine, Motion, Moved};
use crate::message::{figure, rounded};
use crate::nodes::{
    Nodes, Owner, PlacedBody, PlacedMember, PlacedMesh, PlacedNodes, PlacedPoint, PlacedRotation,
    PointId,
};

impl Checked {
    /// Numbers the unknowns of points, members and bodies.
    pub fn nodes(&self) -> Nodes {
        let points = self.points.iter().enumerate();
        let points = points.map(|(id, point)| PlacedPoint {
            position: point.position,
            rotations: self.placed_rotations(id),
        });
        let members = self.members.iter().enumerate();
        let members = members.map(|(id, member)| PlacedMember {
            ends: [member.from, member.to],
            apart: self.ends_apart(id),
            carrier: member.rigid,
            nodes: match &member.line {
                MemberLine::Axis(axis) => {
                    let places = axis.places(member.elements * member.order);
                    PlacedNodes::Own(places.into_iter().map(|place| place.position).collect())
                }
                MemberLine::Edge(edge) => PlacedNodes::Edge(*edge),
            },
        });
        let bodies = self.bodies.iter().map(|body| match body.rigid() {
            Some(rigid) => PlacedBody::Rigid(rigid.centre),
            None => PlacedBody::Elastic(PlacedMesh {
                nodes: body.mesh.nodes.clone(),
                points: body.points.clone(),
                edges: (body.mesh.edges.iter()).map(|edge| edge.nodes.clone()).collect(),
            }),
        });
        let mut nodes = Nodes::number(points.collect(), members.collect(), bodies.collect());
        for (id, coupling) in self.couplings.iter().enumerate() {
            if self.drive_of(id).is_some() {
                nodes.add_drive(id, coupling.driven.turns());
            }
        }
        for _ in &self.friction_hinges {
            nodes.add_travel(0.0, false);
        }
        for stop in &self.rigid_stops {
            nodes.add_travel(stop.initial, stop.between.turns());
        }
        nodes
    }

    /// The rotations of a point, each with the rigid body whose rotation it is: that of the first rigid member that shares it, or
    /// of the rigid body that carries the point.
    fn placed_rotations(&self, point: PointId) -> Vec<PlacedRotation> {
        let groups = self.rotation_groups(point).into_iter().enumerate();
        let placed = groups.map(|(k, members)| {
            let carrier = self.rigid_among(point, (k, &members)).next();
            PlacedRotation { members, carrier }
        });
        placed.collect()
    }

    /// The rigid bodies that turn with group `k` of the rotations of a point.
    pub fn rigid_among<'a>(
        &'a self, point: PointId, (k, members): (usize, &'a [MemberId]),
    ) -> impl Iterator<Item = BodyId> + 'a {
        let carrier = self.rotation_carrier_at(point).filter(|_| k == 0);
        let rigid = members.iter().filter_map(|&m| self.members[m].rigid);
        carrier.into_iter().chain(rigid)
    }

    /// All unknowns that a motion prescribes, each once.
    pub fn prescribed_by(&self, motion: &Motion, nodes: &Nodes) -> Vec<usize> {
        match &motion.moved {
            Moved::Target(target) => nodes.of_target(*target, motion.direction).collect(),
            Moved::Coupling(coupling) => nodes.of_drive(*coupling).into_iter().collect(),
            Moved::Supports(list) => {
                let mut all: Vec<usize> = (list.iter())
                    .flat_map(|&s| nodes.of_target(self.supports[s].target, motion.direction))
                    .collect();
                all.sort_unstable();
                all.dedup();
                all
            }
        }
    }

    /// A nodal unknown in the words of the model file.
    pub fn name_of_unknown(&self, unknown: usize, nodes: &Nodes) -> String {
        match nodes.owner(unknown) {
            Some(Owner::Point(id, direction)) => {
                let axis = ["x", "y", "the rotation"][direction as usize];
                format!("{axis} of point `{}`", self.points[id].name)
            }
            Some(Owner::Rotation(id, members)) => {
                let point = &self.points[id].name;
                match members.first() {
                    Some(&m) => {
                        let member = &self.members[m].name;
                        format!("the rotation of member `{member}` at point `{point}`")
                    }
                    None => format!("the rotation of point `{point}`"),
                }
            }
            Some(Owner::Member(id, direction, share)) => {
                let what = ["x", "y", "the rotation"][direction as usize];
                let (member, share) = (&self.members[id].name, 100.0 * share);
                format!("{what} of member `{member}` at {share:.0} % of its length")
            }
            Some(Owner::Body(id, direction, node)) => {
                let body = &self.bodies[id];
                let what = ["x", "y", "the rotation"][direction as usize];
                let [x, y] = body.mesh.nodes[node].map(figure);
                format!("{what} of body `{}` at ({x}, {y})", body.name)
            }
            Some(Owner::RigidBody(id, direction)) => {
                let body = self.bodies[id].quoted();
                match direction {
                    Direction::X => format!("x of the centre of mass of {body}"),
                    Direction::Y => format!("y of the centre of mass of {body}"),
                    Direction::Rotation => format!("the rotation of {body}"),
                }
            }
            Some(Owner::Travel(way, _)) => match self.friction_hinges.get(way) {
                Some(hinge) => format!("the slip of hinge `{}`", self.sliders[hinge.slider].name),
                None => {
                    let stop = self.rigid_stops.get(way - self.friction_hinges.len());
                    let name = stop.map_or("", |stop| &self.sliders[stop.slider].name);
                    format!("how far spring `{name}` is from its stop")
                }
            },
            Some(Owner::Drive(coupling)) => {
                format!("what coupling `{}` follows", self.couplings[coupling].name)
            }
            None => "an unknown".to_string(),
        }
    }

    /// A nodal unknown as a path: `points.tip.x`, `members.girder(25 %).rotation`.
    pub fn path_of_unknown(&self, unknown: usize, nodes: &Nodes) -> String {
        let along = |direction: Direction| ["x", "y", "rotation"][direction as usize];
        match nodes.owner(unknown) {
            Some(Owner::Point(id, direction)) => {
                format!("points.{}.{}", self.points[id].name, along(direction))
            }
            Some(Owner::Rotation(id, members)) => {
                let point = &self.points[id].name;
                match members.first() {
                    Some(&m) => format!("points.{point}.rotation({})", self.members[m].name),
                    None => format!("points.{point}.rotation"),
                }
            }
            Some(Owner::Member(id, direction, share)) => {
                let (member, direction) = (&self.members[id].name, along(direction));
                format!("members.{member}({} %).{direction}", rounded(100.0 * share, 4))
            }
            Some(Owner::Body(id, direction, node)) => {
                let [x, y] = self.bodies[id].mesh.nodes[node].map(figure);
                format!("bodies.{}({x} m, {y} m).{}", self.bodies[id].name, along(direction))
            }
            Some(Owner::RigidBody(id, direction)) => {
                format!("bodies.{}.{}", self.bodies[id].name, along(direction))
            }
            Some(Owner::Travel(way, what)) => {
                let what = ["slip", "pressing force"][what];
                let hinges = &self.friction_hinges;
                let slider = match hinges.get(way) {
                    Some(hinge) => hinge.slider,
                    None => self.rigid_stops[way - hinges.len()].slider,
                };
                format!("{}.{what}", self.sliders[slider].name)
            }
            Some(Owner::Drive(coupling)) => {
                format!("couplings.{}.driven", self.couplings[coupling].name)
            }
            None => "unknown".to_owned(),
        }
    }
}
