//! How far linear triangles are too stiff in bending.

use std::collections::HashMap;

use super::Mesh;
use crate::numerics::hypot::hypot;

impl Mesh {
    /// The excess of the bending stiffness of linear triangles over the exact one, 0.45 where they are 1.45 times too stiff, of a material that
    /// contracts by ν: Poisson's ratio in plane stress, ν/(1 − ν) in plane strain.
    ///
    /// At each side of the boundary the body is a beam along it, as thick as it is there, H. Pure bending of it,
    ///
    /// ```text
    /// u = −κ x y,   v = κ (x² + ν y²)/2
    /// ```
    ///
    /// interpolated by the triangles across it, is too large in energy by that of the error of its strains, beside E κ² H²/12. This is what
    /// a computation with the same mesh shows to within a fifth, mostly a tenth. The mean is taken over the boundary by 1/H: the ends of a beam do not count.
    pub fn excess_in_bending(&self, poisson: f64) -> f64 {
        let all: Vec<[usize; 3]> =
            self.triangles().map(|nodes| [nodes[0], nodes[1], nodes[2]]).collect();
        let mut at_side: HashMap<[usize; 2], usize> = HashMap::with_capacity(3 * all.len());
        for (triangle, nodes) in all.iter().enumerate() {
            for k in 0..3 {
                at_side.insert([nodes[k], nodes[(k + 1) % 3]], triangle);
            }
        }
        let (mut sum, mut weights) = (0.0, 0.0);
        let sides = all.iter().enumerate();
        let sides = sides.flat_map(|(first, nodes)| {
            (0..3).map(move |k| (first, [nodes[k], nodes[(k + 1) % 3]]))
        });
        for (first, [a, b]) in sides.filter(|(_, [a, b])| !at_side.contains_key(&[*b, *a])) {
            let [from, to] = [a, b].map(|node| self.nodes[node]);
            let length = hypot(to[0] - from[0], to[1] - from[1]);
            let along = [0, 1].map(|i| (to[i] - from[i]) / length);
            let inwards = [-along[1], along[0]];
            let middle = [0, 1].map(|i| 0.5 * (from[i] + to[i]));
            let (mut at, mut thickness, mut error, mut next) = (middle, 0.0, 0.0, Some(first));
            // As many as there are, unless rounding leads in circles.
            for _ in 0..all.len() {
                let Some(triangle) = next else { break };
                let nodes = all[triangle];
                let (way, [c, d]) = self.exit(nodes, at, inwards);
                at = [0, 1].map(|i| at[i] + way * inwards[i]);
                thickness += way;
                error += way * self.error_of_bending(nodes, along, poisson);
                next = at_side.get(&[d, c]).copied();
            }
            if thickness > 0.0 {
                let weight = length / thickness;
                sum += weight * 12.0 * error / (thickness * thickness * thickness);
                weights += weight;
            }
        }
        sum / weights
    }

    /// How far a line leads from a place in a triangle to one of its sides, and the ends of this.
    fn exit(&self, nodes: [usize; 3], at: [f64; 2], direction: [f64; 2]) -> (f64, [usize; 2]) {
        let mut nearest = (f64::INFINITY, [nodes[0], nodes[1]]);
        for k in 0..3 {
            let ends = [nodes[k], nodes[(k + 1) % 3]];
            let [a, b] = ends.map(|node| self.nodes[node]);
            // Outwards on the right of a side.
            let normal = [b[1] - a[1], a[0] - b[0]];
            let speed = normal[0] * direction[0] + normal[1] * direction[1];
            let way = (normal[0] * (a[0] - at[0]) + normal[1] * (a[1] - at[1])) / speed;
            if speed > 0.0 && way < nearest.0 {
                nearest = (way, ends);
            }
        }
        (nearest.0.max(0.0), nearest.1)
    }

    /// Mean energy of the error of strains by E κ²/2, m², where a triangle interpolates bending of a beam along a direction.
    fn error_of_bending(&self, nodes: [usize; 3], along: [f64; 2], poisson: f64) -> f64 {
        let origin = self.nodes[nodes[0]];
        let [x, y]: [[f64; 3]; 2] = {
            let from = nodes.map(|node| [0, 1].map(|i| self.nodes[node][i] - origin[i]));
            [
                from.map(|[x, y]| along[0] * x + along[1] * y),
                from.map(|[x, y]| along[0] * y - along[1] * x),
            ]
        };
        let doubled = x[1] * y[2] - x[2] * y[1];
        let (mut strain, next) = ([0.0; 3], |k: usize| (k + 1) % 3);
        for k in 0..3 {
            let (i, j) = (next(k), next(next(k)));
            let slope = [(y[i] - y[j]) / doubled, (x[j] - x[i]) / doubled];
            let (u, v) = (-x[k] * y[k], 0.5 * (x[k] * x[k] + poisson * y[k] * y[k]));
            strain[0] += slope[0] * u;
            strain[1] += slope[1] * v;
            strain[2] += slope[1] * u + slope[0] * v;
        }
        // Exact from the middles of the sides.
        let energy = |k: usize| {
            let height = 0.5 * (y[k] + y[next(k)]);
            let [a, b, c] = [strain[0] + height, strain[1] - poisson * height, strain[2]];
            let shear = 0.5 * (1.0 - poisson) * c * c;
            (a * a + b * b + 2.0 * poisson * a * b + shear) / (1.0 - poisson * poisson)
        };
        (0..3).map(energy).sum::<f64>() / 3.0
    }
}
