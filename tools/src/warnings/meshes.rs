//! Meshes that may be meant otherwise.

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Behaviour, Source};
use coulisse::numerics::plane::extent;

use crate::number::short;

/// Bodies from mesh files that are larger than this (m) are rather meant in millimetres.
const LARGEST: f64 = 100.0;

/// So many times too stiff in bending is worth a word; compact bodies are hardly bent.
const TOO_STIFF: f64 = 1.05;

/// Elastic bodies of linear triangles, few of them over their thickness.
pub fn stiff_in_bending(model: &Checked) -> Vec<String> {
    let linear = model.bodies.iter().filter(|body| body.mesh.order == 1);
    let factors = linear.filter_map(|body| match &body.behaviour {
        Behaviour::Elastic(law, _) => {
            Some((&body.name, 1.0 + body.mesh.excess_in_bending(law.contraction())))
        }
        Behaviour::Rigid(_) => None,
    });
    factors
        .filter(|(_, factor)| *factor > TOO_STIFF)
        .map(|(name, factor)| {
            format!(
                "bodies.{name} has triangles of order 1, about {} times too stiff in bending: deflections {} % too small; write `order = 3` in \
                 [bodies.{name}]",
                rounded(factor, 3),
                rounded(100.0 * (1.0 - 1.0 / factor), 2)
            )
        })
        .collect()
}

/// Meshes and drawings that look as if their file were in millimetres.
pub fn large(model: &Checked) -> Vec<String> {
    let sizes = model.bodies.iter().filter_map(|body| {
        let advice = match body.source {
            Source::Model | Source::Points => return None,
            Source::Drawing => {
                "if the stated unit of the drawing is wrong, write `drawing.scale`, 0.001 for mm"
            }
            Source::Mesh => {
                "lengths in a mesh file are in m; if this one is in mm, write `mesh.scale = 0.001`"
            }
        };
        Some((&body.name, extent(body.mesh.nodes.iter().copied()), advice))
    });
    sizes
        .filter(|(_, size, _)| *size > LARGEST)
        .map(|(name, size, advice)| {
            let size = short(size);
            format!("bodies.{name}: its mesh extends over {size} m; {advice}")
        })
        .collect()
}
