//! The elements of the mechanism, group by group: which part of the model each group is, its
//! connectivity and its mass.

use std::ops::Deref;

use nalgebra_sparse::coo::CooMatrix;

use super::SystemFault;
use crate::checked::{Behaviour, BodyId, Checked, MemberId, MemberLine, Part, PointId};
use crate::elements::frame::FrameKernel;
use crate::elements::group::{Block, Elements};
use crate::elements::initial::{ArcLength, InitialAxis};
use crate::elements::plane::properties::PlaneProperties;
use crate::message::figure;
use crate::nodes::{FrameNode, Nodes};

/// The part of the model that elements or a body stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Member(MemberId),
    Body(BodyId),
    /// A point that no element has.
    Point(PointId),
    /// Bars that no model file describes.
    #[cfg(test)]
    Bars,
}

impl Owner {
    /// In the words of the model file.
    pub fn name(self, model: &Checked) -> String {
        match self {
            Owner::Member(id) => format!("member `{}`", model.members[id].name),
            Owner::Body(id) => model.bodies[id].quoted(),
            Owner::Point(id) => format!("point `{}`", model.points[id].name),
            #[cfg(test)]
            Owner::Bars => "the bars".to_string(),
        }
    }

    /// Whether it is among some parts.
    pub fn is_among(self, parts: &[Part]) -> bool {
        match self {
            Owner::Member(id) => parts.contains(&Part::Member(id)),
            Owner::Body(id) => parts.contains(&Part::Body(id)),
            Owner::Point(_) => false,
            #[cfg(test)]
            Owner::Bars => false,
        }
    }
}

/// Elements of one kind and the part of the model that they stand for.
#[derive(Debug, Clone)]
pub(crate) struct Group {
    pub owner: Owner,
    pub elements: Elements,
}

impl Group {
    /// The frame elements of a member; `None` where it has no material.
    pub fn of_member(model: &Checked, id: MemberId, nodes: &Nodes) -> Option<Group> {
        let member = &model.members[id];
        let properties = member.properties.as_ref()?;
        let straight =
            |length: f64, angle: f64| FrameKernel::new(member.order, length, angle, properties);
        let curved =
            |axis: &InitialAxis, length: f64| FrameKernel::curved(axis, length, properties);
        let kernels: Vec<FrameKernel> = match &member.line {
            MemberLine::Axis(axis) => {
                let length = axis.length() / member.elements as f64;
                if axis.is_straight() {
                    vec![straight(length, axis.at(0.0).angle)]
                } else {
                    let axes = member.axes_along(axis);
                    axes.iter().map(|axis| curved(axis, length)).collect()
                }
            }
            MemberLine::Edge(edge) => {
                let axes = model.axes_of_edge(*edge);
                let kernel = |axis: &InitialAxis| {
                    let length = ArcLength::of(axis).total();
                    if axis.is_straight() {
                        straight(length, axis.nodes()[0].angle)
                    } else {
                        curved(axis, length)
                    }
                };
                axes.iter().map(kernel).collect()
            }
        };
        let list = nodes.of_member(id);
        let unknowns = (0..member.elements).flat_map(|e| {
            let first = e * member.order;
            let nodes = list[first..=first + member.order].iter();
            nodes.flat_map(FrameNode::unknowns)
        });
        let block = Block::new(kernels, 3 * (member.order + 1), unknowns.collect());
        Some(Group { owner: Owner::Member(id), elements: Elements::Frame(block) })
    }

    /// The triangles of a body; `None` where it is rigid.
    ///
    /// # Errors
    /// When one of them is turned inside out in the initial configuration.
    pub fn of_body(
        model: &Checked, id: BodyId, nodes: &Nodes,
    ) -> Result<Option<Group>, SystemFault> {
        let body = &model.bodies[id];
        let Behaviour::Elastic(energy, matter) = body.behaviour else {
            return Ok(None);
        };
        let properties =
            PlaneProperties { energy, thickness: matter.thickness, density: matter.density };
        let (mesh, list) = (&body.mesh, nodes.of_body(id));
        let unknowns = |node: usize| list[node];
        let elements =
            Elements::plane(mesh.order, &mesh.nodes, &mesh.triangles, unknowns, &properties);
        let elements = elements.map_err(|inverted| {
            let [x, y] = inverted.place.map(figure);
            SystemFault(format!(
                "bodies.{}: triangle {} is turned inside out at ({x}, {y}) m",
                body.name,
                inverted.element + 1
            ))
        })?;
        Ok(Some(Group { owner: Owner::Body(id), elements }))
    }

    /// Adds `factor` times the consistent mass.
    pub fn add_mass(&self, factor: f64, coo: &mut CooMatrix<f64>) {
        self.elements.masses(factor, |u, w, mass| coo.push(u, w, mass));
    }
}

/// The groups of elements of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct ElementGroups(pub Vec<Group>);

impl Deref for ElementGroups {
    type Target = [Group];

    fn deref(&self) -> &[Group] {
        &self.0
    }
}

impl ElementGroups {
    /// The elements of a member or a body; none of what is rigid or has no material.
    pub fn of(&self, part: Part) -> Option<&Elements> {
        let own = |group: &&Group| group.owner.is_among(&[part]);
        self.iter().find(own).map(|group| &group.elements)
    }

    /// Number of elements of all groups.
    pub fn element_count(&self) -> usize {
        self.iter().map(|g| g.elements.count()).sum()
    }

    /// The unknowns of each element, group by group.
    pub fn unknowns(&self) -> impl Iterator<Item = &[usize]> {
        self.iter().flat_map(|g| g.elements.unknowns())
    }
}

/// An element of a system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ElementId {
    pub(crate) group: usize,
    /// Number within the group.
    pub(crate) element: usize,
}
