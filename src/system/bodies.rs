//! Bodies: what moves as one where nothing is strained, from the connectivity of the elements.
//!
//! Two elements belong to one body where they share a rotation or two nodes; where they share one node
//! without a rotation they are hinged. A member without material is as rigid as its supports.

use std::collections::HashMap;

use super::System;
use super::groups::Owner;
use crate::checked::PointId;
use crate::nodes::{FrameNode, Node};
use crate::numerics::disjoint::DisjointSets;

/// A body, or a point that no element has.
#[derive(Clone)]
pub(crate) struct Body {
    /// The parts of the model that it consists of, at least one.
    pub owners: Vec<Owner>,
    /// Y₁, Y₂ of its nodes.
    pub positions: Vec<[usize; 2]>,
    pub rotations: Vec<usize>,
    /// Initial place of one of its nodes, m.
    pub origin: [f64; 2],
}

/// All bodies of a system.
#[derive(Clone)]
pub(crate) struct Bodies {
    pub list: Vec<Body>,
    /// The bodies that have each nodal unknown.
    around: Vec<Vec<usize>>,
}

impl Bodies {
    pub fn of(system: &System) -> Bodies {
        Bodies::of_parts(system, parts(system))
    }

    /// The bodies that there would be with hinges at points, where elastic members share the rotation with each other or with a rigid body.
    pub fn with_hinges(system: &System, hinges: &[(PointId, usize)]) -> Bodies {
        let mut parts = parts(system);
        for (owner, unknowns) in &mut parts {
            let elastic = matches!(owner, Owner::Member(id) if system.model.members[*id].properties.is_some());
            for (point, rotation) in hinges.iter().filter(|_| elastic) {
                if unknowns.contains(&system.nodes.of_place(*point)[0]) {
                    unknowns.retain(|u| u != rotation);
                }
            }
        }
        Bodies::of_parts(system, parts)
    }

    fn of_parts(system: &System, parts: Vec<(Owner, Vec<usize>)>) -> Bodies {
        let mut around = vec![Vec::new(); system.nodal];
        for (part, (_, unknowns)) in parts.iter().enumerate() {
            unknowns.iter().for_each(|&u| around[u].push(part));
        }
        let number = joined(system, &around, parts.len());
        let mut list: Vec<Body> = Vec::new();
        for ((owner, unknowns), &body) in parts.iter().zip(&number) {
            if body == list.len() {
                let origin = [unknowns[0], unknowns[1]].map(|u| system.initial[u]);
                list.push(Body {
                    owners: Vec::new(),
                    positions: Vec::new(),
                    rotations: Vec::new(),
                    origin,
                });
            }
            let owners = &mut list[body].owners;
            if !owners.contains(owner) {
                owners.push(*owner);
            }
        }
        for parts in &mut around {
            parts.iter_mut().for_each(|part| *part = number[*part]);
            parts.sort_unstable();
            parts.dedup();
        }
        for position in system.nodes.positions() {
            for &body in &around[position[0]] {
                list[body].positions.push(position);
            }
        }
        for (u, bodies) in around.iter().enumerate() {
            if system.is_rotation[u] {
                bodies.iter().for_each(|&b| list[b].rotations.push(u));
            }
        }
        Bodies { list, around }
    }

    /// The bodies that have a nodal unknown.
    pub fn with(&self, unknown: usize) -> &[usize] {
        &self.around[unknown]
    }

    /// A body that has all of some unknowns.
    pub fn with_all(&self, mut unknowns: impl Iterator<Item = usize>) -> Option<usize> {
        let first = unknowns.next()?;
        let mut candidates = self.around[first].clone();
        unknowns.for_each(|u| candidates.retain(|body| self.around[u].contains(body)));
        candidates.first().copied()
    }

    /// The body that has all of some nodes.
    pub fn with_nodes(&self, nodes: &[Node]) -> Option<usize> {
        self.with_all(nodes.iter().flat_map(Node::unknowns))
    }
}

/// What is rigid in itself, with its unknowns, those of a position first.
fn parts(system: &System) -> Vec<(Owner, Vec<usize>)> {
    let (model, nodes) = (&system.model, &system.nodes);
    let mut parts = Vec::new();
    for group in system.groups.iter() {
        match group.owner {
            // The triangles of a mesh are connected by their sides.
            Owner::Body(id) => parts.push((group.owner, nodes.of_body(id).concat())),
            _ => {
                let elements = group.elements.unknowns();
                parts.extend(elements.map(|unknowns| (group.owner, unknowns.to_vec())));
            }
        }
    }
    for id in 0..model.bodies.len() {
        if let Some(node) = nodes.of_rigid_body(id) {
            parts.push((Owner::Body(id), node.unknowns().to_vec()));
        }
    }
    for (id, member) in model.members.iter().enumerate() {
        if member.properties.is_none() {
            let unknowns = nodes.of_member(id).iter().flat_map(FrameNode::unknowns);
            parts.push((Owner::Member(id), unknowns.collect()));
        }
    }
    let mut taken = vec![false; system.nodal];
    for &u in parts.iter().flat_map(|(_, unknowns)| unknowns) {
        taken[u] = true;
    }
    for id in 0..model.points.len() {
        let place = nodes.of_place(id);
        if !taken[place[0]] {
            // What hinges release there turns on its own.
            let rotation = nodes.rotations_of(id).first().map(|(r, _)| *r);
            let unknowns = place.into_iter().chain(rotation);
            let carrier = model.rigid_bodies_at(id).next();
            let owner = carrier.map_or(Owner::Point(id), Owner::Body);
            parts.push((owner, unknowns.collect()));
        }
    }
    parts
}

/// The number of each part's body, where `around` lists the parts that have each unknown.
fn joined(system: &System, around: &[Vec<usize>], parts: usize) -> Vec<usize> {
    let mut sets = DisjointSets::new(parts);
    for (u, parts) in around.iter().enumerate() {
        if system.is_rotation[u] {
            parts.windows(2).for_each(|pair| sets.join(pair[0], pair[1]));
        }
    }
    while join_at_nodes(system, around, &mut sets) {}
    sets.numbers()
}

/// Joins the sets of parts that share two nodes; whether there were any, so that there may be more.
fn join_at_nodes(system: &System, around: &[Vec<usize>], sets: &mut DisjointSets) -> bool {
    let mut shared: HashMap<[usize; 2], usize> = HashMap::new();
    for [x, _] in system.nodes.positions() {
        let mut here: Vec<usize> = around[x].iter().map(|&part| sets.root(part)).collect();
        here.sort_unstable();
        here.dedup();
        for (k, &b) in here.iter().enumerate() {
            for &a in &here[..k] {
                *shared.entry([a, b]).or_default() += 1;
            }
        }
    }
    shared.retain(|_, nodes| *nodes > 1);
    shared.keys().for_each(|&[a, b]| sets.join(a, b));
    !shared.is_empty()
}
