//! Plane bodies for the page: triangles, outlines and the stress that colours them.

use coulisse::numerics::triangle::{lattice, shape};
use serde::Serialize;

use super::nodes::Nodes;
use super::{bytes, largest};
use crate::drawing;
use crate::film::Film;
use crate::outline::Sides;

/// Parts that the largest stress is counted in: 16 bits.
const PARTS: f64 = 65_535.0;
/// Triangles of higher order are coloured by the p² straight ones between their nodes, in a body of no more
/// triangles than these by four times as many.
const FEW: usize = 2000;

#[derive(Debug, Serialize)]
pub struct SolidData {
    name: String,
    order: usize,
    /// Straight pieces that each side is drawn with.
    pieces: usize,
    /// Number of each node of the mesh among all nodes.
    nodes: Vec<usize>,
    /// Nodes of the mesh, triangle after triangle.
    triangles: Vec<usize>,
    /// Closed chains of sides around the body, nodes of the mesh.
    loops: Vec<Vec<usize>>,
    /// Sides between triangles.
    inner: Vec<Vec<usize>>,
    /// Shape functions at the places that a triangle is coloured between, and the straight triangles of these.
    weights: Vec<Vec<f32>>,
    parts: Vec<[usize; 3]>,
}

/// Von Mises stress of the nodes of all bodies in turn, frame by frame.
#[derive(Debug, Serialize)]
pub struct StressData {
    /// Pa.
    unit: f64,
    /// 16-bit numbers without sign.
    values: String,
}

pub fn solids(film: &Film, nodes: &Nodes) -> Vec<SolidData> {
    let bodies = film.system().model().bodies.iter().zip(&nodes.bodies);
    // Rigid members have no triangles.
    let bodies = bodies.filter(|(body, _)| body.member.is_none());
    let data = bodies.map(|(body, numbers)| {
        let (mesh, sides) = (&body.mesh, Sides::of(&body.mesh));
        let fine = match mesh.order {
            1 => 1,
            order if mesh.triangles().len() <= FEW => 2 * order,
            order => order,
        };
        let (weights, parts) = parts(mesh.order, fine);
        SolidData {
            name: body.name.clone(),
            order: mesh.order,
            pieces: drawing::pieces(mesh.order),
            nodes: numbers.clone(),
            triangles: mesh.triangles.clone(),
            loops: sides.loops,
            inner: sides.inner,
            weights,
            parts,
        }
    });
    data.collect()
}

/// Of a triangle of an order: its shape functions at the places that divide each side into `fine` parts, and the
/// straight triangles between these.
fn parts(order: usize, fine: usize) -> (Vec<Vec<f32>>, Vec<[usize; 3]>) {
    let own = lattice(order);
    let rows = || (0..=fine).flat_map(|j| (0..=fine - j).map(move |i| [i, j]));
    let weights = rows().map(|at| {
        let at = at.map(|k| k as f64 / fine as f64);
        let value = own.iter().map(|&node| shape(order, node, at)[0] as f32);
        value.collect()
    });
    let number = |i: usize, j: usize| j * (fine + 1) - j * j.saturating_sub(1) / 2 + i;
    let mut parts = Vec::new();
    for [i, j] in rows().filter(|[i, j]| i + j < fine) {
        parts.push([number(i, j), number(i + 1, j), number(i, j + 1)]);
        if i + j + 1 < fine {
            parts.push([number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)]);
        }
    }
    (weights.collect(), parts)
}

/// None without elastic bodies.
pub fn stress(film: &Film) -> Option<StressData> {
    let system = film.system();
    let bodies = system.model().bodies.len();
    if (0..bodies).all(|body| system.model().is_rigid(body)) {
        return None;
    }
    let of_frame = |q: &[f64]| -> Vec<f64> {
        let all = (0..bodies).flat_map(|body| system.drawing().stress_of_body(body, q));
        all.map(|stress| stress.von_mises()).collect()
    };
    let frames: Vec<Vec<f64>> = film.frames.iter().map(|f| of_frame(&f.q)).collect();
    let largest = largest(frames.iter().flatten());
    let unit = if largest > 0.0 { largest / PARTS } else { 1.0 };
    let count = |value: &f64| ((value / unit).round() as u16).to_le_bytes();
    Some(StressData { unit, values: bytes(frames.iter().flatten().map(count)) })
}
