//! Loads through bodies.

use crate::checked::Body;
use crate::numerics::triangle::{lattice, shape};
use crate::numerics::triangle_rule::collapsed;

/// Share of a rigid body in a load per volume, m³, and from its centroid to where that acts, m: of t (1 + g·(x − c)) these are
/// t A and J g/A, with the second moments of area J.
pub(super) fn resultant(body: &Body, gradient: [f64; 2]) -> (f64, [f64; 2]) {
    let thickness = body.matter().map_or(0.0, |matter| matter.thickness);
    let moments = body.moments();
    let ([xx, yy, xy], [x, y]) = (moments.second, gradient);
    let lever = [xx * x + xy * y, xy * x + yy * y].map(|sum| sum / moments.area);
    (thickness * moments.area, lever)
}

/// Share of each node of an elastic body in a load per volume, m³: t ∫ N (1 + g·(x − c)) dA over its triangles, with thickness t, gradient g
/// and centroid c. Exact for curved sides.
pub(super) fn shares(body: &Body, gradient: [f64; 2]) -> Vec<f64> {
    let mesh = &body.mesh;
    let thickness = body.matter().map_or(0.0, |matter| matter.thickness);
    let centre = mesh.moments().centre;
    let lattice = lattice(mesh.order);
    // N and the places are of the mesh's order p, the Jacobian is of 2 (p − 1).
    let rule = collapsed(4 * mesh.order - 2);
    let mut shares = vec![0.0; mesh.nodes.len()];
    for nodes in mesh.triangles() {
        for point in &rule {
            let shapes: Vec<[f64; 3]> =
                (lattice.iter()).map(|&node| shape(mesh.order, node, point.place)).collect();
            // The place from the centroid, and its derivatives.
            let mut place = [[0.0; 3]; 2];
            for (&node, shape) in nodes.iter().zip(&shapes) {
                for (i, row) in place.iter_mut().enumerate() {
                    let from = mesh.nodes[node][i] - centre[i];
                    (row.iter_mut().zip(shape)).for_each(|(sum, n)| *sum += n * from);
                }
            }
            let [[x, x_xi, x_eta], [y, y_xi, y_eta]] = place;
            let area = point.weight * (x_xi * y_eta - x_eta * y_xi);
            let factor = thickness * area * (1.0 + gradient[0] * x + gradient[1] * y);
            for (&node, shape) in nodes.iter().zip(&shapes) {
                shares[node] += factor * shape[0];
            }
        }
    }
    shares
}
