//! The nodes of a mechanism under one numbering: its points, then the inner nodes of its members and bodies.

use std::collections::HashMap;

use coulisse::system::System;

pub struct Nodes {
    /// Unknowns Y₁, Y₂ of each node.
    pub unknowns: Vec<[usize; 2]>,
    /// Nodes of each member, from `from` to `to`.
    pub members: Vec<Vec<usize>>,
    /// Nodes of each body.
    pub bodies: Vec<Vec<usize>>,
    /// Nodes of each edge of each body, in walking order.
    pub edges: Vec<Vec<Vec<usize>>>,
    numbers: HashMap<usize, usize>,
}

impl Nodes {
    pub fn of(system: &System) -> Nodes {
        let model = system.model();
        let mut nodes = Nodes {
            unknowns: Vec::new(),
            members: Vec::new(),
            bodies: Vec::new(),
            edges: Vec::new(),
            numbers: HashMap::new(),
        };
        for point in 0..model.points.len() {
            nodes.number(system.unknowns_of_point(point));
        }
        for member in 0..model.members.len() {
            let list = system.nodes_of_member(member).iter();
            let list = list.map(|node| nodes.number(node.position)).collect();
            nodes.members.push(list);
        }
        for (body, described) in model.bodies.iter().enumerate() {
            let list = system.nodes_of_body(body).iter();
            let list: Vec<usize> = list.map(|&node| nodes.number(node)).collect();
            let edges = described.mesh.edges.iter();
            let edges = edges.map(|edge| edge.nodes.iter().map(|&node| list[node]).collect());
            nodes.edges.push(edges.collect());
            nodes.bodies.push(list);
        }
        nodes
    }

    /// Number of the node with these unknowns.
    pub fn number(&mut self, [x, y]: [usize; 2]) -> usize {
        *self.numbers.entry(x).or_insert_with(|| {
            self.unknowns.push([x, y]);
            self.unknowns.len() - 1
        })
    }

    pub fn count(&self) -> usize {
        self.unknowns.len()
    }

    /// Place of a node at the positions `q`, m.
    pub fn place(&self, node: usize, q: &[f64]) -> [f64; 2] {
        self.unknowns[node].map(|u| q[u])
    }
}
