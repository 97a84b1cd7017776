//! Meshes that may be meant otherwise.

use coulisse::model::Checked;
use coulisse::numerics::plane::extent;

use crate::number::short;

/// Bodies from mesh files that are larger than this (m) are rather meant in millimetres.
const LARGEST: f64 = 100.0;

/// Meshes that look as if their file were in millimetres.
pub fn large(model: &Checked) -> Vec<String> {
    let bodies = model.bodies.iter().filter(|body| body.from_file);
    let sizes = bodies.map(|body| (&body.name, extent(body.mesh.nodes.iter().copied())));
    sizes
        .filter(|(_, size)| *size > LARGEST)
        .map(|(name, size)| {
            format!(
                "bodies.{name}: its mesh extends over {} m, and lengths in a mesh file are metres; if this one is in millimetres, write \
                 `mesh.scale = 0.001`",
                short(size)
            )
        })
        .collect()
}
