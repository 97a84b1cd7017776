//! Structured meshes of four-sided patches.

use super::flaw::place;
use super::{Curve, Edge, Flaw, HIGHEST_ORDER, MAX_TRIANGLES, Mesh};
use crate::axis::Axis;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::extent;
use crate::numerics::triangle::lattice;

/// Largest gap between the end of a side and the beginning of the next, beside the patch.
const GAP: f64 = 1e-9;

/// A four-sided patch with n × m cells of two triangles each, parted by the diagonal from the lower right to the
/// upper left corner of the cell.
///
/// Places are those of Coons' surface, which blends the sides linearly:
///
/// ```text
/// x(u, v) = (1 − v) bottom(u) + v top(u) + (1 − u) left(v) + u right(v) − bilinear through the corners
/// ```
///
/// but for the twist of each cell, by which its diagonal would be curved where all sides are straight.
#[derive(Debug, Clone, PartialEq)]
pub struct Patch {
    /// Order of the triangles, 1 to 4.
    pub order: usize,
    /// Cells along the first and the second side.
    pub cells: [usize; 2],
    /// The four sides as one walks around with the body on the left, each from the end of the one before:
    /// bottom (to the right), right (up), top (to the left), left (down).
    pub sides: [Axis; 4],
    /// Names of the sides' edges.
    pub names: [String; 4],
    /// Names of the corners at which the sides begin, where they have one.
    pub corners: [Option<String>; 4],
}

/// Why a patch has no mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PatchFault {
    #[error("{} × {} cells; allowed: at least one in each direction, {} in all", .cells[0], .cells[1], MAX_TRIANGLES / 2)]
    Cells { cells: [usize; 2] },
    #[error("side {} ends at {} and side {} begins at {}; allowed: where it ends", .side + 1, place(.ends),
        (.side + 1) % 4 + 1, place(.begins))]
    Open { side: usize, ends: [f64; 2], begins: [f64; 2] },
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

impl Patch {
    /// # Errors
    /// Cells or an order out of range, sides that do not meet, and every [`Flaw`]: triangles are turned inside
    /// out where the sides run clockwise, cross, or bulge into each other.
    pub fn mesh(&self) -> Result<Mesh, PatchFault> {
        let [n, m] = self.cells;
        let cells = n.checked_mul(m);
        if !cells.is_some_and(|cells| (1..=MAX_TRIANGLES / 2).contains(&cells)) {
            return Err(PatchFault::Cells { cells: self.cells });
        }
        if !(1..=HIGHEST_ORDER).contains(&self.order) {
            return Err(Flaw::Order(self.order).into());
        }
        self.closed()?;
        let [last, top] = [self.order * n, self.order * m];
        let node = |i: usize, j: usize| j * (last + 1) + i;
        let edge = |side: usize, nodes: Vec<usize>| Edge {
            name: self.names[side].clone(),
            nodes,
            closed: false,
            curves: vec![Curve::along(&self.sides[side])],
        };
        let corners = [node(0, 0), node(last, 0), node(last, top), node(0, top)];
        let named = self.corners.iter().zip(corners);
        let mesh = Mesh {
            order: self.order,
            nodes: self.places(last, top),
            triangles: self.triangles(node),
            edges: vec![
                edge(0, (0..=last).map(|i| node(i, 0)).collect()),
                edge(1, (0..=top).map(|j| node(last, j)).collect()),
                edge(2, (0..=last).rev().map(|i| node(i, top)).collect()),
                edge(3, (0..=top).rev().map(|j| node(0, j)).collect()),
            ],
            points: named.filter_map(|(name, node)| Some((name.clone()?, node))).collect(),
            ..Mesh::default()
        };
        mesh.check()?;
        Ok(mesh)
    }

    /// That each side begins where the one before ends.
    fn closed(&self) -> Result<(), PatchFault> {
        let end = |side: usize, share: f64| self.sides[side].at(share).position;
        let size = extent((0..4).flat_map(|side| [end(side, 0.0), end(side, 0.5)]));
        for side in 0..4 {
            let (ends, begins) = (end(side, 1.0), end((side + 1) % 4, 0.0));
            let gap = hypot(begins[0] - ends[0], begins[1] - ends[1]);
            let meet = gap <= GAP * size;
            if !meet {
                return Err(PatchFault::Open { side, ends, begins });
            }
        }
        Ok(())
    }

    /// The nodes of (`last` + 1) × (`top` + 1) places, row by row; those of the sides lie on them to the last bit.
    fn places(&self, last: usize, top: usize) -> Vec<[f64; 2]> {
        let along = |side: usize, count: usize| -> Vec<[f64; 2]> {
            let mut places: Vec<[f64; 2]> =
                (self.sides[side].places(count).iter()).map(|place| place.position).collect();
            // Corners are the beginnings of the sides.
            places[count] = self.sides[(side + 1) % 4].at(0.0).position;
            if side >= 2 {
                places.reverse();
            }
            places
        };
        let [bottom, right] = [along(0, last), along(1, top)];
        let [upper, left] = [along(2, last), along(3, top)];
        let place = |i: usize, j: usize| -> [f64; 2] {
            match (i, j) {
                (_, 0) => return bottom[i],
                (0, _) => return left[j],
                (i, j) if j == top => return upper[i],
                (i, j) if i == last => return right[j],
                _ => {}
            }
            let (u, v) = (i as f64 / last as f64, j as f64 / top as f64);
            [0, 1].map(|k| {
                let lower = (1.0 - u) * bottom[0][k] + u * bottom[last][k];
                let higher = (1.0 - u) * upper[0][k] + u * upper[last][k];
                (1.0 - v) * (bottom[i][k] - lower)
                    + v * (upper[i][k] - higher)
                    + (1.0 - u) * left[j][k]
                    + u * right[j][k]
            })
        };
        let mut places: Vec<[f64; 2]> = (0..=top)
            .flat_map(|j| (0..=last).map(move |i| (i, j)))
            .map(|(i, j)| place(i, j))
            .collect();
        self.untwist(&mut places, |i, j| j * (last + 1) + i);
        places
    }

    /// Makes triangles straight in cells whose sides are: a cell's bilinear map leads away from the linear one of
    /// either triangle by st, or (1 − s)(1 − t), times its twist.
    fn untwist(&self, places: &mut [[f64; 2]], node: impl Fn(usize, usize) -> usize) {
        let (p, [n, m]) = (self.order, self.cells);
        for (i, j) in (0..m).flat_map(|j| (0..n).map(move |i| (i * p, j * p))) {
            let corners = [(i, j), (i + p, j), (i + p, j + p), (i, j + p)];
            let [a, b, c, d] = corners.map(|(i, j)| places[node(i, j)]);
            for (k, l) in (1..p).flat_map(|l| (1..p).map(move |k| (k, l))) {
                let product = if k + l <= p { k * l } else { (p - k) * (p - l) };
                let share = product as f64 / (p * p) as f64;
                let place = &mut places[node(i + k, j + l)];
                for x in 0..2 {
                    place[x] -= share * (a[x] - b[x] + c[x] - d[x]);
                }
            }
        }
    }

    fn triangles(&self, node: impl Fn(usize, usize) -> usize) -> Vec<usize> {
        let (p, [n, m]) = (self.order, self.cells);
        let lattice = lattice(p);
        let mut triangles = Vec::with_capacity(2 * n * m * lattice.len());
        for (i, j) in (0..m).flat_map(|j| (0..n).map(move |i| (i * p, j * p))) {
            triangles.extend(lattice.iter().map(|&[_, a, b]| node(i + a, j + b)));
            triangles.extend(lattice.iter().map(|&[_, a, b]| node(i + p - a, j + p - b)));
        }
        triangles
    }
}
