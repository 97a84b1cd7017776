//! Meshes of plane bodies: patches, files of Gmsh, outlines.

mod flaws;
mod gmsh;
mod outlines;
mod patches;
mod pieces;

use coulisse::axis::{Arc, Axis};
use coulisse::mesh::{Edge, Mesh};

fn straight(from: [f64; 2], to: [f64; 2]) -> Axis {
    Axis::Straight { from, to }
}

fn arc(from: [f64; 2], to: [f64; 2], angle: f64) -> Axis {
    Axis::Arc(Arc::new(from, to, angle))
}

fn edge<'a>(mesh: &'a Mesh, name: &str) -> &'a Edge {
    let found = mesh.edges.iter().find(|edge| edge.name == name);
    found.unwrap_or_else(|| panic!("no edge {name}"))
}
