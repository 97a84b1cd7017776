//! Loads per reference length along the axis of an element, or in one section of it.
//!
//! With the shape functions φ_l of the reference arc length S, a load **q**(S) acts on node l with
//! ∫ φ_l **q** dS. A *dead* load keeps its direction, and the integral is that of polynomials. A
//! *follower* load turns with the deformed axis,
//!
//! ```text
//! q = q_t t + q_n n,    t = Y′/|Y′|,    n = t turned by +90°        (′ = d/dS)
//! ∂q/∂Y′ = (q_t n − q_n t) nᵀ / |Y′|
//! ```
//!
//! No energy belongs to it, and its tangent φ_l ∂q/∂Y′ φ_m′ is unsymmetric.

use num_dual::DualNum;

use crate::numerics::gauss;
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::{MAX_NODES, shape};

/// The loaded part of one element.
#[derive(Debug, Clone)]
pub struct LoadedPart {
    nodes: usize,
    points: Vec<LoadedPoint>,
}

/// A Gauss point of the loaded part.
#[derive(Debug, Clone, Copy)]
struct LoadedPoint {
    value: [f64; MAX_NODES],
    /// φ′ by S.
    slope: [f64; MAX_NODES],
    /// Weight times dS/dξ times the load's variation.
    weight: f64,
}

/// Forces on the nodes of an element.
pub type NodeForces<D> = [[D; 2]; MAX_NODES];

/// Calls `visit` with ξ, dξ/dS and the weight of each Gauss point between the reference arc lengths `between` (m, from the first node of
/// an element of `order` with the mapping `coordinate(S)` = [ξ, dξ/dS]), under a load whose share there is `intensity(S)`.
pub fn each_place(
    order: usize, coordinate: impl Fn(f64) -> [f64; 2], between: [f64; 2],
    intensity: impl Fn(f64) -> f64, mut visit: impl FnMut([f64; 2], f64),
) {
    let half = 0.5 * (between[1] - between[0]);
    let middle = 0.5 * (between[0] + between[1]);
    for &(x, weight) in gauss::rule(order + 1) {
        let place = middle + half * x;
        visit(coordinate(place), weight * half * intensity(place));
    }
}

impl LoadedPart {
    /// The part between the reference arc lengths `between` (m, from the element's first node) of an
    /// element of `order` with the mapping `coordinate(S)` = [ξ, dξ/dS], under a load of which
    /// `intensity(S)` tells the share.
    pub fn new(
        order: usize, coordinate: impl Fn(f64) -> [f64; 2], between: [f64; 2],
        intensity: impl Fn(f64) -> f64,
    ) -> LoadedPart {
        let mut points = Vec::new();
        each_place(order, coordinate, between, intensity, |[xi, rate], weight| {
            points.push(LoadedPoint::new(order, [xi, rate], weight));
        });
        LoadedPart { nodes: order + 1, points }
    }

    /// The section at ξ as the whole part, where dξ/dS is the `rate`: what is per length above is a force.
    pub fn section(order: usize, [xi, rate]: [f64; 2]) -> LoadedPart {
        let point = LoadedPoint::new(order, [xi, rate], 1.0);
        LoadedPart { nodes: order + 1, points: vec![point] }
    }

    /// ∫ φ_l dS under the load's variation, m, of a section φ_l: the share of node l in a dead load.
    pub fn share(&self, l: usize) -> f64 {
        self.points.iter().map(|p| p.weight * p.value[l]).sum()
    }

    /// Forces of a follower load with the components `[q_n, q_t]` (N/m), where the nodes are at
    /// `place`. Where the axis has no direction, it has none.
    pub fn follower_forces<D: DualNum<Primitive = f64> + Copy>(
        &self, place: &NodeForces<D>, [normal, tangential]: [D; 2],
    ) -> NodeForces<D> {
        let mut forces = [[D::zero(); 2]; MAX_NODES];
        for point in &self.points {
            let along = point.along(place, self.nodes);
            let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
            if length.re() <= f64::MIN_POSITIVE {
                continue;
            }
            let [x, y] = along.map(|c| c / length);
            let q = [tangential * x - normal * y, tangential * y + normal * x];
            for (force, value) in forces.iter_mut().zip(point.value).take(self.nodes) {
                let share = point.weight * value;
                force[0] += q[0] * share;
                force[1] += q[1] * share;
            }
        }
        forces
    }

    /// Calls `add(l, i, m, j, ∂f)` with the derivative of component i of node l's follower force by
    /// component j of node m's position.
    pub fn follower_tangent(
        &self, place: &NodeForces<f64>, [normal, tangential]: [f64; 2],
        mut add: impl FnMut(usize, usize, usize, usize, f64),
    ) {
        for point in &self.points {
            let along = point.along(place, self.nodes);
            let length = hypot(along[0], along[1]);
            if length <= f64::MIN_POSITIVE {
                continue;
            }
            let t = along.map(|c| c / length);
            let n = [-t[1], t[0]];
            let turned = [0, 1].map(|i| (tangential * n[i] - normal * t[i]) / length);
            for l in 0..self.nodes {
                let share = point.weight * point.value[l];
                for m in 0..self.nodes {
                    let share = share * point.slope[m];
                    for (i, turned) in turned.iter().enumerate() {
                        for (j, normal) in n.iter().enumerate() {
                            add(l, i, m, j, share * turned * normal);
                        }
                    }
                }
            }
        }
    }
}

impl LoadedPoint {
    fn new(order: usize, [xi, rate]: [f64; 2], weight: f64) -> LoadedPoint {
        let shape = shape(order, xi);
        LoadedPoint { value: shape.value, slope: shape.first.map(|d| d * rate), weight }
    }

    /// Y′.
    fn along<D: DualNum<Primitive = f64> + Copy>(
        &self, place: &NodeForces<D>, nodes: usize,
    ) -> [D; 2] {
        let mut along = [D::zero(); 2];
        for (node, slope) in place.iter().zip(&self.slope).take(nodes) {
            along[0] += node[0] * *slope;
            along[1] += node[1] * *slope;
        }
        along
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLACE: NodeForces<f64> = [[0.0, 0.0], [0.3, 0.1], [0.55, 0.25], [0.8, 0.5], [0.0; 2]];

    fn part() -> LoadedPart {
        LoadedPart::new(3, |s| [2.0 * s - 1.0, 2.0], [0.2, 0.9], |s| 1.0 + s)
    }

    #[test]
    fn shares_are_the_integrals_of_the_shape_functions() {
        let part = part();
        // Σ φ_l = 1 and Σ φ_l S_l = S give force and moment of a load 1 + S on [0.2, 0.9].
        let sum: f64 = (0..4).map(|l| part.share(l)).sum();
        let moment: f64 = (0..4).map(|l| part.share(l) * l as f64 / 3.0).sum();
        let primitive = |s: f64| s + s * s / 2.0;
        let first = |s: f64| s * s / 2.0 + s * s * s / 3.0;
        assert!((sum - (primitive(0.9) - primitive(0.2))).abs() < 1e-14);
        assert!((moment - (first(0.9) - first(0.2))).abs() < 1e-14);
    }

    #[test]
    fn the_tangent_of_a_following_load_is_that_of_its_forces() {
        let (part, q, e) = (part(), [3.0, -2.0], 1e-6);
        let mut largest = 0.0_f64;
        for m in 0..4 {
            for j in 0..2 {
                let mut tangent = [[0.0; 2]; 4];
                part.follower_tangent(&PLACE, q, |l, i, node, along, value| {
                    if (node, along) == (m, j) {
                        tangent[l][i] += value;
                    }
                });
                let moved = |by: f64| {
                    let mut place = PLACE;
                    place[m][j] += by;
                    part.follower_forces(&place, q)
                };
                let (right, left) = (moved(e), moved(-e));
                for l in 0..4 {
                    for i in 0..2 {
                        let difference = (right[l][i] - left[l][i]) / (2.0 * e);
                        assert!((tangent[l][i] - difference).abs() < 1e-8);
                        largest = largest.max(difference.abs());
                    }
                }
            }
        }
        assert!(largest > 0.1, "the forces turn");
    }
}
