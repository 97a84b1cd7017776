//! Sizes of a mesh and how good its triangles are.

use super::Mesh;
use crate::numerics::hypot::hypot;
use crate::numerics::triangle::{lattice, shape};

/// Sizes and figures of quality; triangles are counted from 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// m², of the curved triangles.
    pub area: f64,
    /// Least angle between the chords of a triangle's sides, rad, and its triangle.
    pub least_angle: (f64, usize),
    /// Least ratio of a triangle's Jacobian to that of the straight one with its corners, and its triangle; 1
    /// where all are straight with evenly spaced nodes.
    pub scaled_jacobian: (f64, usize),
    /// Shortest and longest chord of a side, m.
    pub chords: [f64; 2],
}

impl Mesh {
    pub fn quality(&self) -> Quality {
        let jacobian_of = jacobians(self.order);
        let mut quality = Quality {
            area: self.moments().area,
            least_angle: (f64::INFINITY, 0),
            scaled_jacobian: (f64::INFINITY, 0),
            chords: [f64::INFINITY, 0.0],
        };
        for (index, nodes) in self.triangles().enumerate() {
            let corners = [0, 1, 2].map(|i| self.nodes[nodes[i]]);
            let angle = least_angle(corners);
            if angle < quality.least_angle.0 {
                quality.least_angle = (angle, index);
            }
            let scaled = jacobian_of(&self.nodes, nodes).1;
            if scaled < quality.scaled_jacobian.0 {
                quality.scaled_jacobian = (scaled, index);
            }
            for i in 0..3 {
                let [a, b] = [corners[i], corners[(i + 1) % 3]];
                let chord = hypot(b[0] - a[0], b[1] - a[1]);
                let [shortest, longest] = quality.chords;
                quality.chords = [shortest.min(chord), longest.max(chord)];
            }
        }
        quality
    }
}

/// The least angle of a straight triangle, rad.
fn least_angle(corners: [[f64; 2]; 3]) -> f64 {
    let angle = |i: usize| {
        let from = corners[i];
        let [a, b] = [1, 2].map(|k| {
            let to = corners[(i + k) % 3];
            [to[0] - from[0], to[1] - from[1]]
        });
        (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])
    };
    (0..3).map(angle).fold(f64::INFINITY, f64::min)
}

/// Of a triangle: the Jacobian of the straight one with its corners, m² (twice its area), and the least Jacobian
/// of the curved one divided by it.
///
/// The Jacobian is a polynomial of degree 2(p − 1); it is looked at on the lattice of order 2p, which holds the
/// corners, all nodes and places between them.
pub(super) fn jacobians(order: usize) -> impl Fn(&[[f64; 2]], &[usize]) -> (f64, f64) {
    let fine = 2 * order;
    let places = if order == 1 { Vec::new() } else { lattice(fine) };
    let own = lattice(order);
    let gradients: Vec<Vec<[f64; 2]>> = (places.iter())
        .map(|place| {
            let at = [1, 2].map(|i| place[i] as f64 / fine as f64);
            let gradient = |&node: &[usize; 3]| {
                let [_, dx, dy] = shape(order, node, at);
                [dx, dy]
            };
            own.iter().map(gradient).collect()
        })
        .collect();
    move |positions, nodes| {
        let [a, b, c] = [0, 1, 2].map(|i| positions[nodes[i]]);
        let straight = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        let least = gradients.iter().fold(f64::INFINITY, |least, gradients| {
            let mut j = [[0.0; 2]; 2];
            for (gradient, &node) in gradients.iter().zip(nodes) {
                for (i, row) in j.iter_mut().enumerate() {
                    let at = positions[node][i] - a[i];
                    row[0] += gradient[0] * at;
                    row[1] += gradient[1] * at;
                }
            }
            let here = (j[0][0] * j[1][1] - j[0][1] * j[1][0]) / straight;
            // The lesser one, also where one is no number.
            if here >= least { least } else { here }
        });
        (straight, if order == 1 { 1.0 } else { least })
    }
}
