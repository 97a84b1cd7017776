//! Triangles of higher order from straight ones, with some sides on curves.

use std::collections::BTreeMap;

use crate::mesh::Mesh;
use crate::numerics::lagrange;
use crate::numerics::triangle::{lattice, node_count};

/// Inner nodes of the sides that are curved, by the corners they run from and to.
pub(super) type CurvedSides = BTreeMap<[usize; 2], Vec<[f64; 2]>>;

pub(super) struct Curved {
    pub mesh: Mesh,
    /// Inner nodes of each side from its lesser corner to the greater.
    inner: BTreeMap<[usize; 2], Vec<usize>>,
}

impl Curved {
    /// Corners keep their numbers; nodes inside sides follow, and nodes inside triangles are the last.
    ///
    /// A node inside a triangle follows the curved sides by
    ///
    /// ```text
    /// x = Σ λᵢ xᵢ + Σ λₐ λ_b d(t)/(t(1 − t)),   t = (1 + λ_b − λₐ)/2
    /// ```
    ///
    /// with the way d(t) from the chord of a side from a to b to the polynomial through its nodes (Szabó and Babuška
    /// 1991, Sec. 6.1), which keeps the order of convergence.
    pub fn of(
        order: usize, corners: Vec<[f64; 2]>, triangles: &[[usize; 3]], curved: &CurvedSides,
    ) -> Curved {
        let mut nodes = corners;
        let mut inner: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for corners in triangles {
            for [a, b] in sides(corners) {
                let ends = [a.min(b), a.max(b)];
                if inner.contains_key(&ends) {
                    continue;
                }
                let first = nodes.len();
                if let Some(places) = curved.get(&ends) {
                    nodes.extend(places);
                } else if let Some(places) = curved.get(&[ends[1], ends[0]]) {
                    nodes.extend(places.iter().rev());
                } else {
                    let [a, b] = ends.map(|end| nodes[end]);
                    let share = |k: usize| k as f64 / order as f64;
                    nodes.extend((1..order).map(|k| between(a, b, share(k))));
                }
                inner.insert(ends, (first..nodes.len()).collect());
            }
        }
        let mut numbered = Curved { mesh: Mesh { order, nodes, ..Mesh::default() }, inner };
        let lattice = lattice(order);
        for corners in triangles {
            numbered.add(corners, &lattice, curved);
        }
        numbered
    }

    fn add(&mut self, corners: &[usize; 3], lattice: &[[usize; 3]], curved: &CurvedSides) {
        let order = self.mesh.order;
        let mut own = corners.to_vec();
        let mut bent = Vec::new();
        for (side, ends) in sides(corners).into_iter().enumerate() {
            let nodes = self.side(ends);
            own.extend(&nodes[1..order]);
            if curved.contains_key(&ends) {
                bent.push((side, nodes));
            }
        }
        for node in &lattice[own.len()..] {
            let share = node.map(|i| i as f64 / order as f64);
            let mut place = [0, 1]
                .map(|i| (0..3).map(|c| share[c] * self.mesh.nodes[corners[c]][i]).sum::<f64>());
            for (side, nodes) in &bent {
                let (a, b) = (share[*side], share[(side + 1) % 3]);
                let t = 0.5 * (1.0 + b - a);
                let [x, y] = self.way(nodes, t);
                let factor = a * b / (t * (1.0 - t));
                place[0] += factor * x;
                place[1] += factor * y;
            }
            own.push(self.mesh.nodes.len());
            self.mesh.nodes.push(place);
        }
        debug_assert_eq!(own.len(), node_count(order));
        self.mesh.triangles.extend(own);
    }

    /// From the chord of a side to the polynomial through its nodes.
    fn way(&self, nodes: &[usize], t: f64) -> [f64; 2] {
        let place = |k: usize| self.mesh.nodes[nodes[k]];
        let order = self.mesh.order;
        let values = lagrange::shape(order, 2.0 * t - 1.0).value;
        let mut way = [0.0; 2];
        for (k, value) in values.iter().enumerate().take(order).skip(1) {
            let chord = between(place(0), place(order), k as f64 / order as f64);
            for i in 0..2 {
                way[i] += value * (place(k)[i] - chord[i]);
            }
        }
        way
    }

    /// All nodes of a side in walking order.
    pub fn side(&self, [a, b]: [usize; 2]) -> Vec<usize> {
        let mut nodes = vec![a];
        let inner = self.inner.get(&[a.min(b), a.max(b)]).map_or(&[][..], Vec::as_slice);
        if a < b {
            nodes.extend(inner);
        } else {
            nodes.extend(inner.iter().rev());
        }
        nodes.push(b);
        nodes
    }
}

fn sides(corners: &[usize; 3]) -> [[usize; 2]; 3] {
    [0, 1, 2].map(|i| [corners[i], corners[(i + 1) % 3]])
}

fn between(a: [f64; 2], b: [f64; 2], share: f64) -> [f64; 2] {
    [0, 1].map(|i| a[i] + share * (b[i] - a[i]))
}
