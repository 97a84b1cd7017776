//! Plane bodies.

use std::sync::Arc;

use super::{Carrier, Checked, Extent, LineLoad, Member, MemberId, MemberLine, PointId};
use crate::elements::plane::density::Density;
use crate::mesh::{Mesh, Moments};
pub use crate::nodes::{BodyId, EdgeId};
use crate::numerics::triangle_map::Within;

/// Index of a place of a body that is looked at.
pub type PlaceId = usize;

/// What may be strained: a member or a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    Member(MemberId),
    Body(BodyId),
}

impl Part {
    /// "member `arm`" or "body `plate`".
    pub fn quoted(self, model: &Checked) -> String {
        match self {
            Part::Member(id) => format!("member `{}`", model.members[id].name),
            Part::Body(id) => model.bodies[id].quoted(),
        }
    }

    /// "member arm" or "body plate".
    pub fn name(self, model: &Checked) -> String {
        match self {
            Part::Member(id) => format!("member {}", model.members[id].name),
            Part::Body(id) => format!("{} {}", model.bodies[id].noun(), model.bodies[id].name),
        }
    }
}

/// A body of plane triangles, or a rigid member.
#[derive(Debug, Clone)]
pub struct Body {
    pub name: String,
    /// The rigid member that is all of it; its mesh is empty then.
    pub member: Option<MemberId>,
    pub mesh: Arc<Mesh>,
    /// Where its shape comes from.
    pub source: Source,
    pub behaviour: Behaviour,
    /// Nodes of the mesh that are points of the model.
    pub points: Vec<(usize, PointId)>,
}

/// What a body is made of.
#[derive(Debug, Clone, Copy)]
pub struct Matter {
    /// m (> 0).
    pub thickness: f64,
    /// ρ, kg/m³ (≥ 0).
    pub density: f64,
}

/// Where the shape of a body comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    Model,
    /// It has none: its mesh is a picture of its points.
    Points,
    /// The outline of a drawing.
    Drawing,
    /// A mesh file.
    Mesh,
}

/// How a body answers to forces.
#[derive(Debug, Clone)]
pub enum Behaviour {
    /// By this strain energy per volume.
    Elastic(Density, Matter),
    /// As a whole: its triangles say where it is and, unless that is given, what it weighs.
    Rigid(Rigid),
}

/// The inertia of a rigid body, and what else moves with it.
#[derive(Debug, Clone)]
pub struct Rigid {
    /// kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg·m².
    pub inertia: f64,
    /// Centre of mass in the initial configuration, m.
    pub centre: [f64; 2],
    /// Where mass and inertia follow from it.
    pub matter: Option<Matter>,
    /// Points of the model that move with it and are no nodes of its mesh.
    pub points: Vec<PointId>,
}

impl Matter {
    /// Mass (kg) and moment of inertia about the centre of mass (kg·m²) of what has these moments of area.
    pub fn weight(self, moments: &Moments) -> [f64; 2] {
        let by_area = self.density * self.thickness;
        [moments.area, moments.polar].map(|moment| by_area * moment)
    }
}

impl Body {
    /// "body" or, where a rigid member is all of it, "member".
    pub fn noun(&self) -> &'static str {
        match self.member {
            Some(_) => "member",
            None => "body",
        }
    }

    /// "body `plate`" or "member `crank`".
    pub fn quoted(&self) -> String {
        format!("{} `{}`", self.noun(), self.name)
    }

    /// The law of an elastic body, or what is rigid.
    pub fn summary(&self) -> String {
        match (&self.behaviour, self.member) {
            (_, Some(_)) => "rigid member".to_string(),
            (Behaviour::Elastic(law, _), None) => law.summary(),
            (Behaviour::Rigid(_), None) => "rigid".to_string(),
        }
    }

    /// Whether its mesh is more than a picture of its points.
    pub fn has_shape(&self) -> bool {
        self.source != Source::Points
    }

    /// Its inertia, where it is rigid.
    pub fn rigid(&self) -> Option<&Rigid> {
        match &self.behaviour {
            Behaviour::Elastic(..) => None,
            Behaviour::Rigid(rigid) => Some(rigid),
        }
    }

    /// Area and its moments: in the initial configuration of a rigid body, of its triangles where they are strained.
    pub fn moments(&self) -> Moments {
        match &self.behaviour {
            Behaviour::Rigid(_) => self.mesh.drawn_moments(),
            Behaviour::Elastic(..) => self.mesh.moments(),
        }
    }

    /// Mass (kg) and moment of inertia about the initial centre of mass (kg·m²).
    pub fn weight(&self) -> [f64; 2] {
        match &self.behaviour {
            Behaviour::Rigid(rigid) => [rigid.mass, rigid.inertia],
            Behaviour::Elastic(_, matter) => matter.weight(&self.mesh.moments()),
        }
    }

    /// What it is made of; none of a rigid body whose mass and inertia are given.
    pub fn matter(&self) -> Option<Matter> {
        match &self.behaviour {
            Behaviour::Rigid(rigid) => rigid.matter,
            Behaviour::Elastic(_, matter) => Some(*matter),
        }
    }

    /// Points of the model that move with it.
    pub fn carried(&self) -> impl Iterator<Item = PointId> + '_ {
        let others = self.rigid().into_iter().flat_map(|rigid| &rigid.points);
        self.points.iter().map(|(_, p)| *p).chain(others.copied())
    }
}

/// A place of a body to look at, which moves with the body.
#[derive(Debug, Clone)]
pub struct Place {
    pub name: String,
    pub body: BodyId,
    /// Initial position, m.
    pub position: [f64; 2],
    pub on: On,
}

/// What a place of a body is to the body.
#[derive(Debug, Clone)]
pub enum On {
    /// Where it lies in the triangles that hold it, one at least: several share a side or a corner.
    Triangles(Vec<Within>),
    /// A point that the rigid body carries.
    Point(PointId),
}

/// Σ w x.
pub fn weighted(places: impl Iterator<Item = ([f64; 2], f64)>) -> [f64; 2] {
    places.fold([0.0; 2], |sum, (place, weight)| [0, 1].map(|i| sum[i] + weight * place[i]))
}

/// A weight w of a place that adds w₁ x to a sum, and w₂ times x turned by a right angle to the left.
pub type Turning = [f64; 2];

/// The matrix of a weight, row by row.
pub fn turning([along, across]: Turning) -> [[f64; 2]; 2] {
    [[along, -across], [across, along]]
}

impl Checked {
    /// What of a member is strained or has mass: itself or, where it is rigid, its body.
    pub fn part_of(&self, member: MemberId) -> Part {
        let rigid = self.members[member].rigid;
        rigid.map_or(Part::Member(member), Part::Body)
    }

    /// Sliders that are joints of their own.
    pub fn single_sliders(&self) -> impl Iterator<Item = usize> + '_ {
        let of_edge = |id: &usize| (self.sliding_edges.iter()).any(|edge| edge.has(*id));
        let joints = self.sliders_of_joints().map(|(id, _)| id);
        joints.filter(move |id| !of_edge(id))
    }

    /// The rigid body whose centre of mass is at this point, which is none of its points.
    pub fn body_centred_at(&self, point: PointId) -> Option<&Body> {
        let here = |body: &BodyId| {
            let centre = self.bodies[*body].rigid().map(|rigid| rigid.centre);
            centre == Some(self.points[point].position)
        };
        let own: Vec<BodyId> = self.rigid_bodies_at(point).collect();
        (0..self.bodies.len())
            .filter(|body| !own.contains(body))
            .find(here)
            .map(|body| &self.bodies[body])
    }

    /// The points at which a member ends or that are nodes of the edge that it follows, or those that are nodes of a body.
    pub fn points_of(&self, part: Part) -> Vec<PointId> {
        match part {
            Part::Member(id) => {
                let Member { from, to, line, .. } = &self.members[id];
                match *line {
                    MemberLine::Axis(_) => vec![*from, *to],
                    MemberLine::Edge(edge) => {
                        let points = self.points_of(Part::Body(edge.body)).into_iter();
                        points.filter(|&p| self.is_on_edge(p, edge)).collect()
                    }
                }
            }
            Part::Body(id) => self.bodies[id].carried().collect(),
        }
    }

    /// Members and bodies of which a point is a node.
    pub fn parts_at(&self, point: PointId) -> Vec<Part> {
        let members = self.members_at(point).into_iter().map(Part::Member);
        members.chain(self.bodies_at(point).map(Part::Body)).collect()
    }

    /// Bodies of which a point is a node.
    pub fn bodies_at(&self, point: PointId) -> impl Iterator<Item = BodyId> + '_ {
        let has = move |body: &Body| body.carried().any(|p| p == point);
        let bodies = self.bodies.iter().enumerate();
        bodies.filter(move |(_, body)| has(body)).map(|(id, _)| id)
    }

    /// The rigid bodies and rigid members that carry a point.
    pub fn rigid_bodies_at(&self, point: PointId) -> impl Iterator<Item = BodyId> + '_ {
        self.bodies_at(point).filter(|&body| self.is_rigid(body))
    }

    /// The rigid bodies that carry a point and are no members: each turns on its own.
    pub fn bodies_turning_at(&self, point: PointId) -> impl Iterator<Item = BodyId> + '_ {
        self.rigid_bodies_at(point).filter(|&body| self.bodies[body].member.is_none())
    }

    /// The first rigid body that carries a point and is no member: its rotation is that of the point.
    pub fn carrier_at(&self, point: PointId) -> Option<BodyId> {
        self.bodies_turning_at(point).next()
    }

    /// The rigid body that turns with the members that end at a point and that no hinge releases: the carrier of the point, but for one that
    /// a hinge with friction releases from them.
    pub fn rotation_carrier_at(&self, point: PointId) -> Option<BodyId> {
        let released = |member: &MemberId| {
            let mut here = self.hinges.iter().filter(|hinge| hinge.point == point);
            here.any(|hinge| hinge.released.iter().flatten().any(|other| other == member))
        };
        if self.members_at(point).iter().all(released) {
            return self.carrier_at(point);
        }
        let clamped = |body: &BodyId| !self.released_bodies.contains(&(point, *body));
        self.bodies_turning_at(point).find(clamped)
    }

    /// Whether a point has one rotation, which all turn with that turns there.
    pub fn turns_as_one(&self, point: PointId) -> bool {
        let carrier = self.rotation_carrier_at(point);
        let mut bodies = self.bodies_turning_at(point);
        self.rotations_at(point) == 1 && bodies.all(|body| Some(body) == carrier)
    }

    /// Whether a body is rigid.
    pub fn is_rigid(&self, body: BodyId) -> bool {
        self.bodies[body].rigid().is_some()
    }

    /// Whether anything of it deforms but springs.
    pub fn has_elastic_parts(&self) -> bool {
        let mut members = self.members.iter();
        members.any(|member| member.properties.is_some() && member.rigid.is_none())
            || (0..self.bodies.len()).any(|body| !self.is_rigid(body))
    }

    /// The rigid body that a load along something or through a body acts on.
    pub fn rigid_body_of(&self, load: &LineLoad) -> Option<BodyId> {
        match load.extent {
            Extent::Along { carrier, .. } | Extent::At { carrier, .. } => {
                self.rigid_body_under(carrier)
            }
            Extent::Through { body, .. } => self.bodies[body].rigid().map(|_| body),
        }
    }

    /// The rigid body whose edge carries a load.
    pub fn rigid_body_under(&self, carrier: Carrier) -> Option<BodyId> {
        match carrier {
            Carrier::Edge(edge) => Some(edge.body).filter(|&body| self.is_rigid(body)),
            Carrier::Member(_) => None,
        }
    }
}
