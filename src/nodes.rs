//! From points and members to numbered unknowns: plain topology in, unknowns out.

use serde::Deserialize;

/// Index of a point.
pub type PointId = usize;
/// Index of a member.
pub type MemberId = usize;

/// Index of a plane body.
pub type BodyId = usize;

/// An edge of a plane body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct EdgeId {
    pub body: BodyId,
    /// Index among the body's edges.
    pub edge: usize,
}

/// The two directions of translation and the rotation of a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    X,
    Y,
    Rotation,
}

/// What a support or a motion acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// One point; `member` picks the rotation where several members turn there on their own.
    Point { point: PointId, member: Option<MemberId> },
    /// Every node of a member.
    Member(MemberId),
    /// Every node of a body.
    Body(BodyId),
    /// Every node of an edge of a body.
    Edge(EdgeId),
}

/// A point before its unknowns are numbered.
#[derive(Debug, Clone)]
pub struct PlacedPoint {
    /// Initial coordinates, m.
    pub position: [f64; 2],
    pub rotations: Vec<PlacedRotation>,
}

/// A rotation of a point before its unknowns are numbered.
#[derive(Debug, Clone)]
pub struct PlacedRotation {
    /// The members that share it; none of a rotation of the point alone.
    pub members: Vec<MemberId>,
    /// The rigid body whose rotation it is.
    pub carrier: Option<BodyId>,
}

/// A member before its unknowns are numbered.
#[derive(Debug, Clone)]
pub struct PlacedMember {
    /// The points at its two ends.
    pub ends: [PointId; 2],
    pub nodes: PlacedNodes,
    /// Which of its ends have a place of their own, where a pin holds them at their point.
    pub apart: [bool; 2],
    /// The rigid body with whose rotation all of its sections turn.
    pub carrier: Option<BodyId>,
}

/// The nodes of a member before their unknowns are numbered.
#[derive(Debug, Clone)]
pub enum PlacedNodes {
    /// Initial coordinates, both ends included, m.
    Own(Vec<[f64; 2]>),
    /// The nodes of an edge of a body, with rotations of their own.
    Edge(EdgeId),
}

/// A plane body before its unknowns are numbered.
#[derive(Debug, Clone)]
pub enum PlacedBody {
    Elastic(PlacedMesh),
    /// Its centre of mass, m: that and one rotation are all its unknowns.
    Rigid([f64; 2]),
}

/// The nodes of an elastic body.
#[derive(Debug, Clone)]
pub struct PlacedMesh {
    /// Initial coordinates of its nodes, m.
    pub nodes: Vec<[f64; 2]>,
    /// Nodes that are points of the model.
    pub points: Vec<(usize, PointId)>,
    /// The nodes of each edge in walking order.
    pub edges: Vec<Vec<usize>>,
}

/// The numbers of a node's unknowns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Node {
    /// Y₁, Y₂.
    pub position: [usize; 2],
    /// r, where the node has a rotation.
    pub rotation: Option<usize>,
}

impl Node {
    /// Y₁ (0), Y₂ (1) or, where there is one, r (2).
    pub fn unknown(&self, component: usize) -> Option<usize> {
        self.position.get(component).copied().or(self.rotation)
    }

    /// All its unknowns.
    pub fn unknowns(&self) -> impl Iterator<Item = usize> + use<> {
        self.position.into_iter().chain(self.rotation)
    }
}

/// The numbers of the unknowns of a node of a frame element, which always has a rotation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FrameNode {
    /// Y₁, Y₂.
    pub position: [usize; 2],
    /// r.
    pub rotation: usize,
}

impl FrameNode {
    /// The unknown in a direction.
    pub fn unknown(&self, direction: Direction) -> usize {
        self.unknowns()[direction as usize]
    }

    /// Y₁, Y₂ and r.
    pub fn unknowns(&self) -> [usize; 3] {
        let [x, y] = self.position;
        [x, y, self.rotation]
    }
}

impl From<[usize; 2]> for Node {
    fn from(position: [usize; 2]) -> Node {
        Node { position, rotation: None }
    }
}

impl From<FrameNode> for Node {
    fn from(node: FrameNode) -> Node {
        Node { position: node.position, rotation: Some(node.rotation) }
    }
}

/// What an unknown belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Owner<'a> {
    /// The place of a point, along x or y.
    Point(PointId, Direction),
    /// A rotation of a point, shared by these members.
    Rotation(PointId, &'a [MemberId]),
    /// An inner node of a member, at this share of its nodes.
    Member(MemberId, Direction, f64),
    /// A node of a body that is no point.
    Body(BodyId, Direction, usize),
    /// The centre of mass or the rotation of a rigid body.
    RigidBody(BodyId, Direction),
    /// How far a motion has driven this coupling.
    Drive(usize),
    /// How far this slider that nothing carries has gone (0), and what presses it (1).
    Travel(usize, usize),
}

/// Unknowns of points, of member nodes and of the nodes of bodies.
#[derive(Debug, Clone)]
pub struct Nodes {
    /// Y₁, Y₂ of each point.
    points: Vec<[usize; 2]>,
    /// Rotations of each point, each with the members that share it (empty for a lone one).
    rotations: Vec<Vec<(usize, Vec<MemberId>)>>,
    /// Every node of each member, from `from` to `to`.
    members: Vec<Vec<FrameNode>>,
    /// Y₁, Y₂ of every node of each body; none of a rigid one.
    bodies: Vec<Vec<[usize; 2]>>,
    /// The centre of mass with the rotation of each rigid body.
    rigid: Vec<Option<FrameNode>>,
    /// The unknowns of the nodes of each edge of each body.
    edges: Vec<Vec<Vec<[usize; 2]>>>,
    /// The couplings that motions drive, each with how far.
    drives: Vec<(usize, usize)>,
    /// How far each slider that nothing carries has gone, and what presses it: those of hinges with friction, then those of rigid
    /// stops.
    ways: Vec<[usize; 2]>,
    /// Y₁, Y₂ of every node, each once, in rising order.
    positions: Vec<[usize; 2]>,
    /// Initial value of every nodal unknown.
    pub initial: Vec<f64>,
    pub is_rotation: Vec<bool>,
}

impl Nodes {
    /// Numbers the unknowns: rigid bodies and points first, then the inner nodes of the members, those of the bodies and
    /// the rotations of members that follow edges.
    pub fn number(
        points: Vec<PlacedPoint>, members: Vec<PlacedMember>, bodies: Vec<PlacedBody>,
    ) -> Nodes {
        let mut nodes = Nodes {
            points: Vec::new(),
            rotations: Vec::new(),
            members: Vec::new(),
            bodies: Vec::new(),
            rigid: Vec::new(),
            edges: Vec::new(),
            drives: Vec::new(),
            ways: Vec::new(),
            positions: Vec::new(),
            initial: Vec::new(),
            is_rotation: Vec::new(),
        };
        for body in &bodies {
            let node = match *body {
                PlacedBody::Elastic(_) => None,
                PlacedBody::Rigid(centre) => Some(FrameNode {
                    position: nodes.place(centre),
                    rotation: nodes.add(0.0, true),
                }),
            };
            nodes.rigid.push(node);
        }
        for point in points {
            let place = nodes.place(point.position);
            nodes.points.push(place);
            let rotations = point.rotations.into_iter();
            let rotations = rotations.map(|PlacedRotation { members, carrier }| {
                let shared = carrier.and_then(|body| nodes.rigid[body]);
                let shared = shared.map(|body| body.rotation);
                (shared.unwrap_or_else(|| nodes.add(0.0, true)), members)
            });
            let rotations = rotations.collect();
            nodes.rotations.push(rotations);
        }
        for (id, member) in members.iter().enumerate() {
            let list = match &member.nodes {
                PlacedNodes::Own(places) => nodes.own((id, member), places),
                PlacedNodes::Edge(_) => Vec::new(),
            };
            nodes.members.push(list);
        }
        for body in bodies {
            let PlacedBody::Elastic(body) = body else {
                nodes.bodies.push(Vec::new());
                nodes.edges.push(Vec::new());
                continue;
            };
            let mut points = vec![None; body.nodes.len()];
            for (node, point) in body.points {
                points[node] = Some(point);
            }
            let list = body.nodes.into_iter().zip(points);
            let list: Vec<[usize; 2]> = list
                .map(|(position, point)| match point {
                    Some(point) => nodes.points[point],
                    None => nodes.place(position),
                })
                .collect();
            let edges = body.edges.iter();
            let edges = edges.map(|edge| edge.iter().map(|&node| list[node]).collect());
            nodes.edges.push(edges.collect());
            nodes.bodies.push(list);
        }
        for (id, member) in members.iter().enumerate() {
            if let PlacedNodes::Edge(edge) = member.nodes {
                nodes.members[id] = nodes.along(id, edge);
            }
        }
        nodes
    }

    /// The nodes of a member between its points at `places`.
    fn own(
        &mut self, (id, member): (MemberId, &PlacedMember), places: &[[f64; 2]],
    ) -> Vec<FrameNode> {
        let last = places.len() - 1;
        let carrier = member.carrier.and_then(|body| self.rigid[body]);
        let carried = carrier.map(|body| body.rotation);
        let node = |(k, &position): (usize, &[f64; 2])| {
            if k != 0 && k != last {
                return FrameNode {
                    position: self.place(position),
                    rotation: carried.unwrap_or_else(|| self.add(0.0, true)),
                };
            }
            let end = usize::from(k != 0);
            let point = member.ends[end];
            let shared = self.points[point];
            // Every member that ends at a point was given a rotation there.
            let own = self.rotation(point, Some(id)).unwrap_or(shared[0]);
            let position = if member.apart[end] { self.place(position) } else { shared };
            let rotation = carried.unwrap_or(own);
            FrameNode { position, rotation }
        };
        places.iter().enumerate().map(node).collect()
    }

    /// The nodes of a member that follows an edge.
    fn along(&mut self, member: MemberId, edge: EdgeId) -> Vec<FrameNode> {
        let mut list: Vec<FrameNode> = Vec::new();
        for position in self.of_edge(edge).to_vec() {
            // A closed edge comes back to its first node.
            let first = list.first().filter(|first| first.position == position);
            let rotation = match first {
                Some(first) => first.rotation,
                None => {
                    let point = self.points.iter().position(|place| *place == position);
                    let shared = point.and_then(|point| self.rotation(point, Some(member)));
                    shared.unwrap_or_else(|| self.add(0.0, true))
                }
            };
            list.push(FrameNode { position, rotation });
        }
        list
    }

    /// Adds how far a motion has driven a coupling, m or rad.
    pub fn add_drive(&mut self, coupling: usize, turns: bool) {
        let unknown = self.add(0.0, turns);
        self.drives.push((coupling, unknown));
    }

    /// Adds the unknowns of a slider that nothing carries and that begins at `start`, m or rad.
    pub fn add_travel(&mut self, start: f64, turns: bool) {
        let unknowns = [start, 0.0].map(|value| self.add(value, turns));
        self.ways.push(unknowns);
    }

    /// How far a slider that nothing carries has gone, and what presses it.
    pub fn of_travel(&self, way: usize) -> [usize; 2] {
        self.ways[way]
    }

    /// How far a motion has driven a coupling; `None` where none does.
    pub fn of_drive(&self, coupling: usize) -> Option<usize> {
        let mut drives = self.drives.iter();
        drives.find(|(c, _)| *c == coupling).map(|(_, u)| *u)
    }

    fn place(&mut self, position: [f64; 2]) -> [usize; 2] {
        let place = position.map(|value| self.add(value, false));
        self.positions.push(place);
        place
    }

    fn add(&mut self, value: f64, rotation: bool) -> usize {
        self.initial.push(value);
        self.is_rotation.push(rotation);
        self.initial.len() - 1
    }

    /// The rotation of `member`'s end at `point`, or the point's only one.
    pub fn rotation(&self, point: PointId, member: Option<MemberId>) -> Option<usize> {
        let list = &self.rotations[point];
        match member {
            Some(m) => list.iter().find(|(_, on)| on.contains(&m)).map(|(r, _)| *r),
            None if list.len() == 1 => Some(list[0].0),
            None => None,
        }
    }

    /// The unknown of a point in a direction.
    pub fn of_point(
        &self, point: PointId, member: Option<MemberId>, direction: Direction,
    ) -> Option<usize> {
        match direction {
            Direction::X => Some(self.points[point][0]),
            Direction::Y => Some(self.points[point][1]),
            Direction::Rotation => self.rotation(point, member),
        }
    }

    /// Every node of a member.
    pub fn of_member(&self, member: MemberId) -> &[FrameNode] {
        &self.members[member]
    }

    /// Y₁, Y₂ of every node of an elastic body.
    pub fn of_body(&self, body: BodyId) -> &[[usize; 2]] {
        &self.bodies[body]
    }

    /// The centre of mass and the rotation of a rigid body.
    pub fn of_rigid_body(&self, body: BodyId) -> Option<FrameNode> {
        self.rigid[body]
    }

    /// Y₁, Y₂ of every node of an edge of an elastic body in walking order; of a closed one the first is the last, too.
    pub fn of_edge(&self, EdgeId { body, edge }: EdgeId) -> &[[usize; 2]] {
        &self.edges[body][edge]
    }

    /// All unknowns of a support's or motion's target in a direction, each once.
    pub fn of_target(
        &self, target: Target, direction: Direction,
    ) -> impl Iterator<Item = usize> + '_ {
        let (single, member, plane) = match target {
            Target::Point { point, member } => {
                (self.of_point(point, member, direction), &[][..], &[][..])
            }
            Target::Member(member) => (None, self.of_member(member), &[][..]),
            Target::Body(body) => {
                let rigid = self.rigid[body].map(|node| node.unknown(direction));
                (rigid, &[][..], self.of_body(body))
            }
            Target::Edge(edge) => (None, &[][..], once_around(self.of_edge(edge))),
        };
        let nodes = member.iter().map(move |node| node.unknown(direction));
        let plane = (plane.iter()).filter_map(move |node| node.get(direction as usize).copied());
        single.into_iter().chain(nodes).chain(plane)
    }

    /// Y₁, Y₂ of every node, each once, in rising order.
    pub fn positions(&self) -> impl Iterator<Item = [usize; 2]> + '_ {
        self.positions.iter().copied()
    }

    /// Whether an unknown that is no rotation is a Y₁ (0) or a Y₂ (1); each Y₂ follows its Y₁.
    pub fn axis(&self, unknown: usize) -> usize {
        let first = self.positions.binary_search_by_key(&unknown, |[x, _]| *x);
        usize::from(first.is_err())
    }

    /// Y₁, Y₂ of a point.
    pub fn of_place(&self, point: PointId) -> [usize; 2] {
        self.points[point]
    }

    /// Rotations of a point, each with the members that share it.
    pub fn rotations_of(&self, point: PointId) -> &[(usize, Vec<MemberId>)] {
        &self.rotations[point]
    }

    /// What an unknown belongs to; that of a point and of a member's end, to the point.
    pub fn owner(&self, unknown: usize) -> Option<Owner<'_>> {
        const DIRECTIONS: [Direction; 3] = [Direction::X, Direction::Y, Direction::Rotation];
        for (id, node) in self.rigid.iter().enumerate() {
            let found = DIRECTIONS.into_iter();
            let found = found.zip(node.iter().flat_map(FrameNode::unknowns));
            if let Some((direction, _)) = { found }.find(|(_, u)| *u == unknown) {
                return Some(Owner::RigidBody(id, direction));
            }
        }
        for (id, place) in self.points.iter().enumerate() {
            if let Some(d) = place.iter().position(|&u| u == unknown) {
                return Some(Owner::Point(id, DIRECTIONS[d]));
            }
            if let Some((_, members)) = self.rotations[id].iter().find(|(r, _)| *r == unknown) {
                return Some(Owner::Rotation(id, members));
            }
        }
        for (id, nodes) in self.members.iter().enumerate() {
            for (k, node) in nodes.iter().enumerate() {
                if let Some(d) = node.unknowns().iter().position(|&u| u == unknown) {
                    let share = k as f64 / (nodes.len() - 1) as f64;
                    return Some(Owner::Member(id, DIRECTIONS[d], share));
                }
            }
        }
        for (way, unknowns) in self.ways.iter().enumerate() {
            if let Some(k) = unknowns.iter().position(|&u| u == unknown) {
                return Some(Owner::Travel(way, k));
            }
        }
        if let Some((coupling, _)) = self.drives.iter().find(|(_, u)| *u == unknown) {
            return Some(Owner::Drive(*coupling));
        }
        for (id, nodes) in self.bodies.iter().enumerate() {
            for (k, node) in nodes.iter().enumerate() {
                if let Some(d) = node.iter().position(|&u| u == unknown) {
                    return Some(Owner::Body(id, DIRECTIONS[d], k));
                }
            }
        }
        None
    }
}

/// The nodes of an edge without the last of a closed one, which is the first.
fn once_around(nodes: &[[usize; 2]]) -> &[[usize; 2]] {
    match nodes {
        [first, inner @ .., last] if first == last => &nodes[..=inner.len()],
        open => open,
    }
}

#[cfg(test)]
mod tests;
