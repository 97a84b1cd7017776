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
    let text = format!(
        r#"
name = "mesh"
[solver]
step = 0.5
analysis = "quasi_static"
[points]
a = [0.0, 0.0]
[materials.m]
young_modulus = 1e9
poisson_ratio = 0.3
density = 1000.0
[bodies.b]
material = "m"
thickness = 0.01
state = "plane_stress"
mesh = {{ {mesh} }}
{more}
[supports.left]
edge = "b.left"
fix = ["x", "y"]
"#
    );
    let data = |name: &str| std::fs::read(format!("tests/meshes/{name}"));
    Model::parse(&text, "model.toml", &data)?.check()
}
