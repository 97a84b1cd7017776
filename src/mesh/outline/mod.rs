//! Meshes inside outlines: loops of straight lines, arcs and splines.
//!
//! Sides are parted by the mesh size and their curvature, and further where something else is near. Between them
//! stands a constrained Delaunay triangulation, refined and smoothed. Sides of triangles on the outline are curved
//! onto it, all others are straight.
//!
//! The same outline gives the same triangles on every machine: what decides about them is computed from places
//! that are rounded to 1e-12 of the body, by sums, products, quotients and square roots only, which no machine
//! rounds differently, and nothing depends on the order of a hash table. Sines of arcs may differ in the last bit
//! from one machine to another; so do then the places of nodes, but not what they belong to.

mod boundary;
mod curved;
mod fault;
mod frame;
mod loops;
mod near;
mod triangulation;

pub use fault::OutlineFault;

use std::collections::BTreeSet;
use std::f64::consts::{FRAC_PI_6, PI};

use super::quality::jacobians;
use super::{Curve, Edge, Mesh};
use crate::axis::{Arc, Axis};
use boundary::Boundary;
use curved::Curved;

/// Most that an edge of a triangle turns on a curve where nobody says otherwise, rad.
pub const USUAL_TURN: f64 = FRAC_PI_6;

/// Least scaled Jacobian at which a curved side is left as long as it is.
const SQUEEZED: f64 = 0.3;

/// Most rounds in which sides are halved for that.
const ROUNDS: usize = 8;

/// An outline with holes. Loops may run either way round.
#[derive(Debug, Clone, PartialEq)]
pub struct Outline {
    /// Order of the triangles, 1 to 4.
    pub order: usize,
    /// Length of the sides of triangles, m.
    pub size: f64,
    /// Most that an edge turns on a curve, rad, up to a right angle.
    pub largest_turn: f64,
    pub outer: Vec<Side>,
    pub holes: Vec<Vec<Side>>,
}

/// A side of an outline. Sides of one name that follow each other are one edge; one that goes all the way round
/// is closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Side {
    pub name: String,
    pub curve: Axis,
    /// Length of edges on it, m, where it is not that of the outline.
    pub size: Option<f64>,
    /// Name of the point where it begins, where that has one.
    pub begins: Option<String>,
}

impl Side {
    /// The two halves of a circle, which are one edge.
    pub fn circle(name: &str, [x, y]: [f64; 2], radius: f64) -> Vec<Side> {
        let (right, left) = ([x + radius, y], [x - radius, y]);
        let half = |from, to| Side {
            name: name.to_string(),
            curve: Axis::Arc(Arc::new(from, to, PI)),
            size: None,
            begins: None,
        };
        vec![half(right, left), half(left, right)]
    }
}

impl Outline {
    /// All loops, the outer one first.
    fn loops(&self) -> impl Iterator<Item = &[Side]> {
        std::iter::once(&self.outer[..]).chain(self.holes.iter().map(Vec::as_slice))
    }

    /// # Errors
    /// Numbers out of range, loops that do not close, cross or touch themselves or each other, holes that are not
    /// inside, names that stand for several edges, and every [`Flaw`](super::Flaw).
    pub fn mesh(&self) -> Result<Mesh, OutlineFault> {
        loops::check(self)?;
        let mut boundary = Boundary::of(self)?;
        let mut mesh = self.fill(&boundary)?;
        for _ in 0..ROUNDS {
            if !boundary.part(&squeezed(&mesh), self.largest_turn)? {
                break;
            }
            mesh = self.fill(&boundary)?;
        }
        mesh.check()?;
        Ok(mesh)
    }

    fn fill(&self, boundary: &Boundary) -> Result<Mesh, OutlineFault> {
        let triangles = triangulation::inside(boundary, self.size)?;
        let inner = |piece: &boundary::Piece| {
            let [from, to] = piece.shares;
            let share = |k: usize| from + (to - from) * k as f64 / self.order as f64;
            let curve = &boundary.sides[piece.side].curve;
            (1..self.order).map(|k| curve.at(share(k)).position).collect()
        };
        let sides = boundary.pieces().map(|piece| (piece.ends, inner(piece))).collect();
        let curved = Curved::of(self.order, triangles.nodes, &triangles.corners, &sides);
        let edges = boundary.edges(|ends| curved.side(ends));
        let points = boundary.points();
        Ok(Mesh { edges: edges.into_iter().map(Edge::from).collect(), points, ..curved.mesh })
    }
}

/// The sides of triangles that curved sides leave too little of.
fn squeezed(mesh: &Mesh) -> BTreeSet<[usize; 2]> {
    let jacobian_of = jacobians(mesh.order);
    let mut sides = BTreeSet::new();
    for nodes in mesh.triangles() {
        if jacobian_of(&mesh.nodes, nodes).1 < SQUEEZED {
            sides.extend([0, 1, 2].map(|i| [nodes[i], nodes[(i + 1) % 3]]));
        }
    }
    sides
}

impl From<(String, Vec<usize>, Vec<Curve>)> for Edge {
    fn from((name, nodes, curves): (String, Vec<usize>, Vec<Curve>)) -> Edge {
        let closed = nodes.first() == nodes.last();
        Edge { name, nodes, closed, curves }
    }
}
