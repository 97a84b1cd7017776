//! Which parts of a mechanism move as a whole, so that a picture can exaggerate how they deform
//! without exaggerating where they go.
//!
//! An *assembly* is what members join, through hinges too. One that is supported and stays near its
//! place is compared with its initial shape: a bridge, a building. Any other is taken apart at its
//! hinges into bodies, and each of them is compared with the rigid body that follows it best.

use std::collections::BTreeMap;

use coulisse::model::Checked;
use coulisse::model::checked::{BodyId, Direction, Motion, Moved, PointId, Target};
use coulisse::numerics::disjoint::DisjointSets;

use super::nodes::Nodes;
use crate::film::Film;

/// Part of its size by which an assembly may leave its place and still be compared with it.
const NEAR: f64 = 0.2;
/// How much more the places count where a body meets others: there it must not drift apart.
const MEETING: f64 = 1e4;

/// Nodes that move as a whole but for their deformation.
#[derive(Debug)]
pub struct Body {
    pub assembly: usize,
    /// Nodes with their weights in the fit.
    nodes: Vec<(usize, f64)>,
    /// The place that it turns about, m.
    pub centre: [f64; 2],
    /// Whether it is compared with its initial shape at its initial place.
    pub stays: bool,
    /// Whether any of it can deform.
    flexible: bool,
}

pub struct Bodies {
    pub list: Vec<Body>,
    /// Body of each node.
    pub of_node: Vec<usize>,
    /// Whether each assembly is held or driven by more than sliders.
    pub held: Vec<bool>,
}

/// A rigid motion: x = C + d + R(φ) (X − C).
pub struct Pose {
    pub shift: [f64; 2],
    pub turn: f64,
}

impl Bodies {
    pub fn of(film: &Film, nodes: &Nodes) -> Bodies {
        let model = film.system().model();
        let assembly_of = assemblies(nodes);
        let count = assembly_of.iter().max().map_or(0, |most| most + 1);
        let mut held = vec![false; count];
        for node in held_nodes(model, nodes) {
            held[assembly_of[node]] = true;
        }
        let mut flexible = vec![false; nodes.count()];
        for (member, list) in model.members.iter().zip(&nodes.members) {
            let elastic = member.properties.is_some();
            list.iter().for_each(|&node| flexible[node] |= elastic);
        }
        for (body, list) in model.bodies.iter().zip(&nodes.bodies) {
            let elastic = body.rigid().is_none();
            list.iter().for_each(|&node| flexible[node] |= elastic);
        }
        let rigid_point =
            |node: usize| node < model.points.len() && model.rigid_bodies_at(node).next().is_some();
        let mut bends = vec![false; count];
        for node in 0..nodes.count() {
            bends[assembly_of[node]] |= flexible[node];
        }
        let near = near(film, nodes, &assembly_of, count);
        let stays: Vec<bool> = (0..count).map(|a| held[a] && bends[a] && near[a]).collect();

        let rigid = rigid_groups(model, nodes, |node| stays[assembly_of[node]]);
        let meets = meeting_points(model);
        let mut list: Vec<Body> = Vec::new();
        for (node, &body) in rigid.iter().enumerate() {
            if body == list.len() {
                let assembly = assembly_of[node];
                list.push(Body {
                    assembly,
                    nodes: Vec::new(),
                    centre: [0.0; 2],
                    stays: stays[assembly],
                    flexible: false,
                });
            }
            let weight = if meets.contains(&node) { MEETING } else { 1.0 };
            list[body].nodes.push((node, weight));
            list[body].flexible |= flexible[node] && !rigid_point(node);
        }
        let initial = film.system().initial();
        for body in &mut list {
            body.centre = body.mean(|node| nodes.place(node, initial));
        }
        Bodies { list, of_node: rigid, held }
    }

    /// Whether all that deforms stays at its place: then small deformations alone are to be seen.
    pub fn is_structure(&self) -> bool {
        let held = |body: &&Body| body.flexible && self.held[body.assembly];
        let mut flexible = self.list.iter().filter(held).peekable();
        flexible.peek().is_some() && flexible.all(|body| body.stays)
    }
}

impl Body {
    /// Whether more of its motion is shown than that of a rigid body.
    pub fn deforms(&self) -> bool {
        self.flexible || self.stays
    }

    fn mean(&self, place: impl Fn(usize) -> [f64; 2]) -> [f64; 2] {
        let total: f64 = self.nodes.iter().map(|(_, w)| w).sum();
        let sum = |i: usize| self.nodes.iter().map(|&(n, w)| w * place(n)[i]).sum::<f64>();
        [sum(0) / total, sum(1) / total]
    }

    /// The rigid motion from the positions `from` to those of `to` with the least squares of the
    /// differences; its angle within half a turn of `near`.
    pub fn pose(&self, nodes: &Nodes, from: &[f64], to: &[f64], near: f64) -> Pose {
        if self.stays {
            return Pose { shift: [0.0; 2], turn: 0.0 };
        }
        let centre = self.mean(|node| nodes.place(node, to));
        let (mut along, mut across) = (0.0, 0.0);
        for &(node, weight) in &self.nodes {
            let (a, b) = (nodes.place(node, from), nodes.place(node, to));
            let [ax, ay] = [a[0] - self.centre[0], a[1] - self.centre[1]];
            let [bx, by] = [b[0] - centre[0], b[1] - centre[1]];
            along += weight * (ax * bx + ay * by);
            across += weight * (ax * by - ay * bx);
        }
        let turn = across.atan2(along);
        let turns = ((near - turn) / std::f64::consts::TAU).round();
        Pose {
            shift: [0, 1].map(|i| centre[i] - self.centre[i]),
            turn: turn + turns * std::f64::consts::TAU,
        }
    }

    /// Where a place of the body as it was initially is after a rigid motion.
    pub fn carried(&self, pose: &Pose, place: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = pose.turn.sin_cos();
        let [x, y] = [place[0] - self.centre[0], place[1] - self.centre[1]];
        [
            self.centre[0] + pose.shift[0] + cos * x - sin * y,
            self.centre[1] + pose.shift[1] + sin * x + cos * y,
        ]
    }
}

/// Assembly of each node.
fn assemblies(nodes: &Nodes) -> Vec<usize> {
    let mut groups = DisjointSets::new(nodes.count());
    for list in &nodes.members {
        list.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
    }
    join_bodies(nodes, &mut groups, |_, _| true);
    groups.numbers()
}

/// Joins the nodes of each body for which `together` holds.
fn join_bodies(nodes: &Nodes, groups: &mut DisjointSets, together: impl Fn(BodyId, usize) -> bool) {
    for (body, (list, carried)) in nodes.bodies.iter().zip(&nodes.carried).enumerate() {
        let all = list.iter().chain(carried).copied();
        let all: Vec<usize> = all.filter(|&node| together(body, node)).collect();
        (all.windows(2)).for_each(|pair| groups.join(pair[0], pair[1]));
    }
}

/// Body of each node; hinges part bodies where the assembly does not stay. A point between bodies
/// goes with the first of them.
fn rigid_groups(model: &Checked, nodes: &Nodes, stays: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut groups = DisjointSets::new(nodes.count());
    // A point that several rigid bodies share turns with the first of them.
    join_bodies(nodes, &mut groups, |body, node| {
        let is_point = node < model.points.len();
        !is_point || !model.is_rigid(body) || stays(node) || model.carrier_at(node) == Some(body)
    });
    let mut taken: BTreeMap<PointId, Vec<usize>> = BTreeMap::new();
    for (member, list) in nodes.members.iter().enumerate() {
        let inner = &list[1..list.len() - 1];
        inner.windows(2).for_each(|pair| groups.join(pair[0], pair[1]));
        let described = &model.members[member];
        let mut goes_with = |point: PointId| {
            let groups_here = model.rotation_groups(point);
            let first = taken.entry(point).or_insert_with(|| {
                let first = groups_here.first().cloned();
                first.unwrap_or_default()
            });
            let first = *first.first().unwrap_or(&member);
            // The first rotation is that of a rigid body at the point.
            let together = match model.rotation_carrier_at(point) {
                Some(_) => groups_here[0].contains(&member),
                None => (groups_here.iter())
                    .any(|group| group.contains(&first) && group.contains(&member)),
            };
            together || stays(point)
        };
        let ends = [(described.from, list[1]), (described.to, list[list.len() - 2])];
        let joined = ends.map(|(point, _)| goes_with(point));
        // A member without inner nodes has ends alone: it joins them where both of them are its own.
        let inner = list.len() > 2;
        for ((point, neighbour), own) in ends.into_iter().zip(joined) {
            if own && (inner || joined == [true; 2]) {
                groups.join(point, neighbour);
            }
        }
    }
    groups.numbers()
}

/// Nodes whose position a support holds or a motion drives.
fn held_nodes(model: &Checked, nodes: &Nodes) -> Vec<usize> {
    let places = |direction: &Direction| *direction != Direction::Rotation;
    let supports = model.supports.iter();
    let held = supports.filter(|s| s.fixed.iter().any(places)).map(|s| s.target);
    let motions = model.motions.iter();
    let driven = motions.filter(|m| places(&m.direction)).filter_map(own_target);
    held.chain(driven)
        .flat_map(|target| match target {
            Target::Point { point, .. } => vec![point],
            Target::Member(member) => nodes.members[member].clone(),
            Target::Body(body) => nodes.bodies[body].clone(),
            Target::Edge(edge) => nodes.edges[edge.body][edge.edge].clone(),
        })
        .collect()
}

/// What a motion drives, unless it takes supports along, which hold it themselves.
fn own_target(motion: &Motion) -> Option<Target> {
    match motion.moved {
        Moved::Target(target) => Some(target),
        Moved::Supports(_) | Moved::Coupling(_) => None,
    }
}

/// Points where a body meets others or the ground.
fn meeting_points(model: &Checked) -> Vec<PointId> {
    let hinges = model.hinges.iter().map(|h| h.point);
    let sliders = model.sliders.iter().map(|s| s.point);
    let point = |target: Target| match target {
        Target::Point { point, .. } => Some(point),
        Target::Member(_) | Target::Body(_) | Target::Edge(_) => None,
    };
    let supports = model.supports.iter().filter_map(|s| point(s.target));
    let motions = model.motions.iter().filter_map(own_target).filter_map(point);
    hinges.chain(sliders).chain(supports).chain(motions).collect()
}

/// Whether each assembly stays near its initial place throughout.
fn near(film: &Film, nodes: &Nodes, assembly_of: &[usize], count: usize) -> Vec<bool> {
    let initial = film.system().initial();
    let mut box_of =
        vec![[f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY]; count];
    let mut travel = vec![0.0_f64; count];
    for (node, &assembly) in assembly_of.iter().enumerate() {
        let [x, y] = nodes.place(node, initial);
        let b = &mut box_of[assembly];
        *b = [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)];
        for frame in &film.frames {
            let [u, v] = nodes.place(node, &frame.q);
            travel[assembly] = travel[assembly].max((u - x).hypot(v - y));
        }
    }
    let size = |b: &[f64; 4]| (b[2] - b[0]).hypot(b[3] - b[1]);
    (0..count).map(|a| travel[a] <= NEAR * size(&box_of[a])).collect()
}
