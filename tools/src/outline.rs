//! The sides of a mesh's triangles: loops around the body, and lines inside.

use std::collections::{BTreeMap, BTreeSet};

use coulisse::mesh::Mesh;
use coulisse::numerics::lagrange::shape;
use coulisse::numerics::triangle::side;

/// Each side of the triangles once, as its order + 1 nodes in walking order.
pub struct Sides {
    /// Closed loops of sides, with the body on the left: the nodes of one after the other, the first again as the last.
    pub loops: Vec<Vec<usize>>,
    /// Sides that two triangles share.
    pub inner: Vec<Vec<usize>>,
}

impl Sides {
    pub fn of(mesh: &Mesh) -> Sides {
        let mut single: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        let mut inner = Vec::new();
        for triangle in mesh.triangles() {
            for k in 0..3 {
                let nodes: Vec<usize> = side(mesh.order, k).map(|local| triangle[local]).collect();
                let ends = [nodes[0], nodes[mesh.order]];
                // The other triangle walks along it the other way.
                match single.remove(&[ends[1], ends[0]]) {
                    Some(other) => inner.push(other),
                    None => {
                        single.insert(ends, nodes);
                    }
                }
            }
        }
        Sides { loops: loops(single), inner }
    }
}

/// Joins sides, by their ends, to closed loops.
fn loops(mut sides: BTreeMap<[usize; 2], Vec<usize>>) -> Vec<Vec<usize>> {
    let mut from: BTreeSet<[usize; 2]> = sides.keys().copied().collect();
    let mut loops = Vec::new();
    while let Some(first) = from.pop_first() {
        let (mut list, mut ends) = (vec![first[0]], first);
        loop {
            list.extend(sides.remove(&ends).into_iter().flatten().skip(1));
            let next = from.range([ends[1], 0]..).next().copied();
            match next.filter(|next| ends[1] != first[0] && next[0] == ends[1]) {
                Some(next) => {
                    from.remove(&next);
                    ends = next;
                }
                None => break,
            }
        }
        loops.push(list);
    }
    loops
}

/// Places along sides of an order, one after the other, each in so many straight pieces.
pub fn places(
    order: usize, nodes: &[usize], pieces: usize, place: impl Fn(usize) -> [f64; 2],
) -> Vec<[f64; 2]> {
    let weights: Vec<_> =
        (0..pieces).map(|k| shape(order, -1.0 + 2.0 * k as f64 / pieces as f64).value).collect();
    let mut list = Vec::new();
    for side in nodes.windows(order + 1).step_by(order) {
        for weights in &weights {
            let parts = || side.iter().zip(weights.iter());
            list.push([0, 1].map(|i| parts().map(|(&node, w)| w * place(node)[i]).sum()));
        }
    }
    list.extend(nodes.last().map(|&node| place(node)));
    list
}
