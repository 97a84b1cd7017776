//! Meshes of plane bodies: triangles of order 1 to 4 and named edges.
//!
//! A mesh is made of a [`Patch`], read from a file of Gmsh, or built inside an outline; each way ends with
//! [`Mesh::check`], so that whoever has one need not doubt it. The same data give the same mesh.

mod bending;
mod curve;
pub mod dxf;
mod flaw;
pub mod gmsh;
mod locate;
mod moments;
mod outline;
mod patch;
pub mod pieces;
mod quality;
mod raise;
mod star;

pub use curve::Curve;
pub use flaw::Flaw;
pub use moments::Moments;
pub use outline::{Outline, OutlineFault, Side, USUAL_TURN};
pub use patch::{Patch, PatchFault};
pub use quality::Quality;

use crate::numerics::triangle;
use crate::numerics::triangle_map::Map;

/// Highest order of triangles.
pub const HIGHEST_ORDER: usize = 4;

/// Most triangles of a mesh.
pub const MAX_TRIANGLES: usize = 200_000;

/// Triangles of one order and named chains of their sides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mesh {
    /// Order p of the triangles and of their sides, 1 to 4.
    pub order: usize,
    /// Initial positions, m.
    pub nodes: Vec<[f64; 2]>,
    /// (p + 1)(p + 2)/2 node numbers of each triangle in the [order of its lattice](triangle::lattice),
    /// corners counter-clockwise.
    pub triangles: Vec<usize>,
    pub edges: Vec<Edge>,
    /// Names of curves that are no edges, each with what it is instead, for messages.
    pub no_edges: Vec<(String, String)>,
    /// Names of groups of points that are no single node, each with what it is instead, for messages.
    pub no_points: Vec<(String, String)>,
    /// Named nodes.
    pub points: Vec<(String, usize)>,
}

/// A named chain of sides of triangles.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub name: String,
    /// p·k + 1 nodes of k sides in walking order, with the body on the left.
    pub nodes: Vec<usize>,
    /// Whether the last node is the first one.
    pub closed: bool,
    /// The curves that it was drawn with, in walking order; none of a mesh from a file.
    pub curves: Vec<Curve>,
}

impl Mesh {
    /// This mesh with all lengths multiplied by `factor`.
    pub fn scaled(mut self, factor: f64) -> Mesh {
        for place in &mut self.nodes {
            *place = place.map(|x| factor * x);
        }
        self
    }

    /// The nodes of each triangle.
    pub fn triangles(&self) -> impl ExactSizeIterator<Item = &[usize]> {
        self.triangles.chunks_exact(triangle::node_count(self.order))
    }

    /// The nodes of a side of a triangle, in walking order.
    fn side<'a>(
        &self, nodes: &'a [usize], side: usize,
    ) -> impl Iterator<Item = usize> + Clone + 'a {
        triangle::side(self.order, side).map(|local| nodes[local])
    }

    /// The map to a triangle with as many nodes as the order has.
    fn map<const NODES: usize>(&self, nodes: &[usize]) -> Map<NODES> {
        Map::new(std::array::from_fn(|l| self.nodes[nodes[l]]))
    }

    /// The middle of a triangle's corners, as its place in messages.
    fn middle(&self, nodes: &[usize]) -> [f64; 2] {
        let [a, b, c] = [0, 1, 2].map(|i| self.nodes[nodes[i]]);
        [0, 1].map(|i| (a[i] + b[i] + c[i]) / 3.0)
    }
}
