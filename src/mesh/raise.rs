//! The same shape in triangles of higher order.

use std::collections::HashMap;

use super::{Edge, Mesh};
use crate::numerics::triangle::{lattice, shape, side};

impl Mesh {
    /// The mesh with triangles of an order that is not lower: polynomials of the lower order are some of the higher one, so that sides keep
    /// their shape and straight ones stay straight. Corners come first, in their order. A named node that is no corner is
    /// [no point](Mesh::no_points) any more.
    #[must_use]
    pub fn raised(&self, order: usize) -> Mesh {
        if order <= self.order {
            return self.clone();
        }
        let own = lattice(self.order);
        // Values of the shape functions at the nodes of the new lattice.
        let weights: Vec<Vec<f64>> = (lattice(order).iter())
            .map(|node| [1, 2].map(|i| node[i] as f64 / order as f64))
            .map(|at| own.iter().map(|&l| shape(self.order, l, at)[0]).collect())
            .collect();
        let mut corners: Vec<usize> =
            self.triangles().flat_map(|nodes| &nodes[..3]).copied().collect();
        corners.sort_unstable();
        corners.dedup();
        let number = |old: usize| corners.binary_search(&old).ok();
        let mut raised = Mesh {
            order,
            nodes: corners.iter().map(|&old| self.nodes[old]).collect(),
            no_edges: self.no_edges.clone(),
            no_points: self.no_points.clone(),
            ..Mesh::default()
        };
        // The first of the inner nodes of each side, which run from its lesser corner to the greater.
        let mut inner: HashMap<[usize; 2], usize> = HashMap::new();
        for nodes in self.triangles() {
            let place = |weights: &Vec<f64>| {
                [0, 1].map(|i| {
                    let terms = weights.iter().zip(nodes);
                    terms.map(|(weight, &node)| weight * self.nodes[node][i]).sum()
                })
            };
            // Corners of triangles are corners.
            let ends: Vec<usize> = nodes[..3].iter().filter_map(|&old| number(old)).collect();
            let mut all = ends.clone();
            for k in 0..3 {
                let [a, b] = [ends[k], ends[(k + 1) % 3]];
                let first = *inner.entry([a.min(b), a.max(b)]).or_insert_with(|| {
                    let first = raised.nodes.len();
                    let mut along: Vec<usize> = side(order, k).collect();
                    if b < a {
                        along.reverse();
                    }
                    let along = along[1..order].iter();
                    raised.nodes.extend(along.map(|&local| place(&weights[local])));
                    first
                });
                all.extend(walk([a, b], first, order));
            }
            for weights in &weights[3 * order..] {
                all.push(raised.nodes.len());
                raised.nodes.push(place(weights));
            }
            raised.triangles.extend(all);
        }
        for edge in &self.edges {
            let mut corners = edge.nodes.iter().step_by(self.order).filter_map(|&old| number(old));
            let mut nodes: Vec<usize> = corners.next().into_iter().collect();
            for next in corners {
                let ends = [nodes[nodes.len() - 1], next];
                let first = inner[&[ends[0].min(next), ends[0].max(next)]];
                nodes.extend(walk(ends, first, order));
                nodes.push(next);
            }
            raised.edges.push(Edge { nodes, ..edge.clone() });
        }
        for (name, old) in &self.points {
            match number(*old) {
                Some(node) => raised.points.push((name.clone(), node)),
                None => {
                    let why =
                        format!("is no corner of a triangle, and order {order} has no node there");
                    raised.no_points.push((name.clone(), why));
                }
            }
        }
        raised
    }
}

/// The inner nodes of a side as one walks from a corner to another, of those that begin with `first` at the lesser one.
fn walk([a, b]: [usize; 2], first: usize, order: usize) -> impl Iterator<Item = usize> {
    let last = first + order - 2;
    (0..order - 1).map(move |k| if a < b { first + k } else { last - k })
}
