//! Meshes of plane bodies: patches, files of Gmsh, outlines.

mod bending;
mod drawings;
mod files;
mod flaws;
mod gmsh;
mod outlines;
mod patches;
mod pieces;
mod round_edges;

use crate::common::mechanism::Mechanism;
use coulisse::axis::{Arc, Axis};
use coulisse::mesh::{Edge, Mesh};
use coulisse::model::{Checked, Faults, Model};

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

/// A model whose only body has its mesh from a file of `tests/meshes`, with its left edge fixed.
fn model(mesh: &str, more: &str) -> Result<Checked, Faults> {
    let text = Mechanism::new("mesh")
        .step(0.5)
        .solver("analysis = 'quasi_static'")
        .points("a = [0.0, 0.0]")
        .material("m", 1e9, 0.3, 1000.0)
        .body("b", "material = 'm', thickness = 0.01, state = 'plane_stress'")
        .and(format!("mesh = {{ {mesh} }}"))
        .then(more)
        .support("left", "edge = 'b.left', fix = ['x', 'y']")
        .text();
    let data = |name: &str| std::fs::read(format!("tests/meshes/{name}"));
    Model::parse(&text, "model.toml", &data)?.check()
}
