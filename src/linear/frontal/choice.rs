//! Which leaves are eliminated first, and where their entries stand.

use super::Frontal;
use super::analysis::Analysis;
use super::leaves::{Leaf, Leaves};
use crate::numerics::lanes::LANES;

impl Frontal {
    /// Takes the leaves that neither the border nor a coupling meets off the vertices, if there are to be `any`.
    pub(super) fn choose_leaves(&mut self, analysis: &mut Analysis, any: bool) {
        let Analysis { leaves: chosen, met, weights, .. } = analysis;
        self.pattern.truncate(self.in_pattern);
        met.clear();
        met.resize(self.members.len(), !any);
        for &e in self.pattern.as_flattened().iter().filter(|&&e| (e as usize) < self.order) {
            met[self.vertex[e as usize] as usize] = true;
        }
        chosen.clear();
        let free = (0..).zip(&self.leaves).filter(|(_, leaf)| !met[leaf.vertex as usize]);
        chosen.extend(free.map(|(k, _)| k));
        self.tree.leaves.clear();
        let (mut first, mut start, mut panel) = (0, 0, 0);
        for lanes in quartets(&self.leaves, chosen) {
            let leaf = |k: &u32| &self.leaves[*k as usize];
            let [columns, rows] = leaf(&lanes[0]).shape();
            let left = self.pattern.len();
            for i in 0..rows {
                for k in 0..=i {
                    let met = lanes.iter().map(leaf).map(|leaf| [leaf.others[i], leaf.others[k]]);
                    self.pattern.extend(met);
                }
            }
            lanes.iter().for_each(|k| weights[leaf(k).vertex as usize] = 0);
            let sources = 0;
            let count = lanes.len();
            let leaves = Leaves { columns, rows, count, first, start, panel, sources, left };
            self.tree.leaves.push(leaves);
            (first, start) = (leaves.places().end, start + LANES * rows);
            panel += leaves.size();
        }
        self.given.resize(self.pattern.len(), 0.0);
    }

    /// Finds the places of what the `chosen` leaves are coupled with, and their entries of K.
    pub(super) fn aim_leaves(&mut self, chosen: &[u32], local: &mut [u32]) {
        self.tree.others.clear();
        self.gathers.clear();
        for (leaves, lanes) in self.tree.leaves.iter_mut().zip(quartets(&self.leaves, chosen)) {
            for i in 0..leaves.rows {
                let other = |k: u32| self.place[self.leaves[k as usize].others[i] as usize];
                self.tree.others.extend(lanes.iter().map(|&k| other(k)));
                // Where there is no leaf, a place of its own.
                let empty = leaves.first + lanes.len()..leaves.first + LANES;
                self.tree.others.extend(empty.map(|place| place as u32));
            }
            leaves.sources = self.gathers.len();
            self.gathers.resize(leaves.sources + leaves.entries() * lanes.len(), 0);
            for (lane, &k) in lanes.iter().enumerate() {
                let Leaf { own, others, .. } = &self.leaves[k as usize];
                for (row, &e) in (0..).zip(own.iter().chain(others)) {
                    local[self.place[e as usize] as usize] = row;
                }
                for (column, &e) in own.iter().enumerate() {
                    for &(other, position) in self.beside.row(e as usize) {
                        let row = local[self.place[other as usize] as usize] as usize;
                        if row >= column {
                            let entry = leaves.number(row, column) * lanes.len() + lane;
                            self.gathers[leaves.sources + entry] = position;
                        }
                    }
                }
            }
        }
    }
}

/// Those of the `leaves` that are chosen, up to four of one shape at a time.
pub fn quartets<'a>(leaves: &'a [Leaf], chosen: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
    let shape = |k: u32| leaves[k as usize].shape();
    chosen.chunk_by(move |a, b| shape(*a) == shape(*b)).flat_map(|alike| alike.chunks(LANES))
}
