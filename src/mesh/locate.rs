//! Where in a mesh a place of the drawing lies.

use super::Mesh;
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::{self, MAX_NODES};
use crate::numerics::plane::nearest_on_curve;
use crate::numerics::triangle::node_count;
use crate::numerics::triangle_map::Within;

/// By how much of ξ, η or 1 − ξ − η a place may lie outside: curves of a drawing differ from the polynomials of
/// sides.
const OUTSIDE: f64 = 1e-4;

/// By how much a place may lie beside a side or a corner and still be on it.
const ON_SIDE: f64 = 1e-9;

/// Places per side among which the one nearest to a place outside is looked for.
const SAMPLES: usize = 8;

impl Mesh {
    /// The triangles that a place of the drawing (m) lies in, in their order: one, or all that share the side or
    /// the corner on which it lies. None outside.
    pub fn locate(&self, place: [f64; 2]) -> Vec<Within> {
        let mut found = match self.order {
            1 => self.around::<{ node_count(1) }>(place),
            2 => self.around::<{ node_count(2) }>(place),
            3 => self.around::<{ node_count(3) }>(place),
            _ => self.around::<{ node_count(4) }>(place),
        };
        let deepest = found.iter().map(Within::depth);
        let deepest = deepest.fold(f64::NEG_INFINITY, f64::max);
        found.retain(|within| within.depth() >= deepest.min(0.0) - ON_SIDE);
        found
    }

    /// Whether a place lies in the triangle with these nodes.
    pub(super) fn contains(&self, nodes: &[usize], place: [f64; 2]) -> bool {
        match self.order {
            1 => self.map::<{ node_count(1) }>(nodes).find(place, 0.0),
            2 => self.map::<{ node_count(2) }>(nodes).find(place, 0.0),
            3 => self.map::<{ node_count(3) }>(nodes).find(place, 0.0),
            _ => self.map::<{ node_count(4) }>(nodes).find(place, 0.0),
        }
        .is_some()
    }

    fn around<const NODES: usize>(&self, place: [f64; 2]) -> Vec<Within> {
        let each = self.triangles().enumerate();
        let find = |(element, nodes): (usize, &[usize])| {
            let at = self.map::<NODES>(nodes).find(place, OUTSIDE)?;
            Some(Within { element, at })
        };
        each.filter_map(find).collect()
    }

    /// The place of a side of a triangle that is nearest to a place outside, m.
    pub fn nearest(&self, place: [f64; 2]) -> [f64; 2] {
        let distance = |[x, y]: [f64; 2]| hypot(x - place[0], y - place[1]);
        let mut best = (f64::INFINITY, place);
        for &node in &self.nodes {
            if distance(node) < best.0 {
                best = (distance(node), node);
            }
        }
        for nodes in self.triangles() {
            for own in 0..3 {
                let mut side = [[0.0; 2]; MAX_NODES];
                for (at, node) in side.iter_mut().zip(self.side(nodes, own)) {
                    *at = self.nodes[node];
                }
                // Twice the polygon through its nodes is farther than a side leads.
                let steps = side[..=self.order].windows(2);
                let steps = steps.map(|w| hypot(w[1][0] - w[0][0], w[1][1] - w[0][1]));
                if distance(side[0]) - 2.0 * steps.sum::<f64>() > best.0 {
                    continue;
                }
                let sum = |weights: &[f64; MAX_NODES]| {
                    [0, 1].map(|i| side.iter().zip(weights).map(|(at, w)| w * at[i]).sum())
                };
                let shape = |share: f64| lagrange::shape(self.order, 2.0 * share - 1.0);
                let look = |share: f64| {
                    let shape = shape(share);
                    let [x, y]: [f64; 2] = sum(&shape.value);
                    ([x - place[0], y - place[1]], sum(&shape.first))
                };
                let (share, off) = nearest_on_curve(look, f64::INFINITY, SAMPLES);
                if off < best.0 {
                    best = (off, sum(&shape(share).value));
                }
            }
        }
        best.1
    }
}
