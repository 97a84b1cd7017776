//! The nodes of a mechanism under one numbering: its points, then the inner nodes of its members and bodies.

use std::collections::HashMap;

use coulisse::system::{MaterialPoint, System};

pub struct Nodes {
    nodes: Vec<MaterialPoint>,
    /// Nodes of each member, from `from` to `to`.
    pub members: Vec<Vec<usize>>,
    /// Nodes of the mesh of each body.
    pub bodies: Vec<Vec<usize>>,
    /// Points that each body carries, nodes of its mesh or not.
    pub carried: Vec<Vec<usize>>,
    /// Nodes of each edge of each body, in walking order.
    pub edges: Vec<Vec<Vec<usize>>>,
    numbers: HashMap<usize, usize>,
}

impl Nodes {
    pub fn of(system: &System) -> Nodes {
        let model = system.model();
        let mut nodes = Nodes {
            nodes: Vec::new(),
            members: Vec::new(),
            bodies: Vec::new(),
            carried: Vec::new(),
            edges: Vec::new(),
            numbers: HashMap::new(),
        };
        for point in 0..model.points.len() {
            nodes.number(system.drawing().unknowns_of_point(point));
        }
        for member in 0..model.members.len() {
            let list = system.drawing().nodes_of_member(member).iter();
            let list = list.map(|node| nodes.number(node.position)).collect();
            nodes.members.push(list);
        }
        for (body, described) in model.bodies.iter().enumerate() {
            let mut points = vec![None; described.mesh.nodes.len()];
            for &(node, point) in &described.points {
                points[node] = Some(point);
            }
            let list = system.drawing().nodes_of_body(body).into_iter().zip(points);
            let list: Vec<usize> = list
                .map(|(node, point)| match (point, node.arm) {
                    (Some(point), _) => nodes.number(system.drawing().unknowns_of_point(point)),
                    (None, None) => nodes.number(node.node),
                    (None, Some(_)) => nodes.add(node),
                })
                .collect();
            // The nodes of a rigid member are known already.
            let carried = described.carried().filter(|_| described.member.is_none());
            let carried =
                carried.map(|point| nodes.number(system.drawing().unknowns_of_point(point)));
            let carried = carried.collect();
            nodes.carried.push(carried);
            let edges = described.mesh.edges.iter();
            let edges = edges.map(|edge| edge.nodes.iter().map(|&node| list[node]).collect());
            nodes.edges.push(edges.collect());
            nodes.bodies.push(list);
        }
        nodes
    }

    /// Number of the node with these unknowns.
    pub fn number(&mut self, node: [usize; 2]) -> usize {
        if let Some(&known) = self.numbers.get(&node[0]) {
            return known;
        }
        let number = self.add(node.into());
        self.numbers.insert(node[0], number);
        number
    }

    fn add(&mut self, node: MaterialPoint) -> usize {
        self.nodes.push(node);
        self.nodes.len() - 1
    }

    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Y₁, Y₂ of a node; none of a place of a rigid body.
    pub fn unknowns(&self, node: usize) -> Option<[usize; 2]> {
        let node = &self.nodes[node];
        node.arm.is_none().then_some(node.node)
    }

    /// Y₁, Y₂ of a node, or of the centre of mass of the rigid body that it is a place of.
    pub fn carrier(&self, node: usize) -> [usize; 2] {
        self.nodes[node].node
    }

    /// The rotation of the rigid body that a node is a place of.
    pub fn rotation(&self, node: usize) -> Option<usize> {
        self.nodes[node].arm.map(|arm| arm.rotation)
    }

    /// Place of a node at the positions `q`, m.
    pub fn place(&self, node: usize, q: &[f64]) -> [f64; 2] {
        self.nodes[node].place(q)
    }
}
