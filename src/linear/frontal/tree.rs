//! The fronts of a factorisation: which unknowns are eliminated together, and what they are coupled with then.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, dispatch, f64x4};

use super::leaves::Leaves;
use super::panel::{Shape, down};
use super::supernodes::{NONE, Supernodes};
use crate::numerics::lanes::{LANES, Tile, level, load, splat};

/// Unknowns in the order of elimination, in groups that are eliminated together.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub fronts: Vec<Front>,
    /// What is eliminated before them, four at a time, and the places of what that is coupled with.
    pub leaves: Vec<Leaves>,
    pub others: Vec<u32>,
    /// Rows of all fronts: places in the order, rising within a front. Vectors of the border follow the last unknown.
    pub rows: Vec<u32>,
    /// Where each of them stands in the parent's front, among its columns, then its rows: as [`down`] says.
    pub targets: Vec<u32>,
    /// How many vectors of the border it is made for.
    pub vectors: Option<usize>,
    /// The front of each place; of those of leaves that means nothing.
    pub front_of: Vec<u32>,
    /// Vertices in the order of elimination, and the first place of each vertex or vector of the border.
    pub order: Vec<u32>,
    place: Vec<u32>,
    /// The first place of each front, and how many places there are.
    first: Vec<u32>,
    /// Most rows and columns of a front, and tiles of its rows' square.
    pub longest: usize,
    pub largest: usize,
    /// Most tiles that wait for their parents at one time.
    pub waiting: usize,
    /// Tiles of L, and multiplications of the factorisation.
    pub tiles: usize,
    pub work: f64,
}

/// Unknowns that are eliminated together.
#[derive(Debug, Clone)]
pub struct Front {
    /// The place of the first of them.
    pub first: usize,
    pub shape: Shape,
    /// Where its rows are listed.
    pub start: usize,
    /// Where its columns of L begin.
    pub panel: usize,
    /// How many of the fronts before it add to it.
    pub children: usize,
    /// Whether a front adds up what it leaves, or the border.
    pub parent: Option<usize>,
}

impl Tree {
    /// Takes the fronts of vertices that stand for `weights` unknowns each, the first of which are `paired` or not, with `slots` vectors
    /// of the border.
    pub fn take(
        &mut self, found: &mut Supernodes, (weights, paired): (&[u32], &[bool]), slots: usize,
    ) {
        let next = self.number(found, (weights, paired), slots);
        self.vectors = Some(slots);
        [self.longest, self.largest, self.waiting] = [0; 3];
        let ends = self.leaves.last().map(|leaves| leaves.panel + leaves.size());
        self.tiles = ends.map_or(0, |end| end.div_ceil(LANES));
        self.work = 0.0;
        self.rows.clear();
        self.fronts.clear();
        self.fronts.reserve(weights.len());
        let mut waiting = 0;
        for k in 0..found.order.len() {
            let id = found.order[k];
            let start = self.rows.len();
            let list = found.rows_mut(id);
            list.sort_unstable_by_key(|&v| self.place[v as usize]);
            for &mut v in list {
                let (first, count) = (self.place[v as usize], weights.get(v as usize));
                let count = count.copied().unwrap_or(1);
                self.rows.extend(first..first + count);
            }
            let node = &found.nodes[id as usize];
            let first = self.first[k] as usize;
            let shape = Shape {
                columns: self.first[k + 1] as usize - first,
                rows: self.rows.len() - start,
            };
            let left = shape.tiles() - shape.panel();
            let parent = found.nodes.get(node.parent as usize);
            let mut child = node.child;
            while child != NONE {
                let below = &found.nodes[child as usize];
                let of = self.fronts[below.front as usize].shape;
                waiting -= of.tiles() - of.panel();
                child = below.sibling;
            }
            self.fronts.push(Front {
                first,
                shape,
                start,
                panel: self.tiles,
                children: node.children as usize,
                parent: parent.map(|parent| parent.front as usize),
            });
            if parent.is_some() {
                waiting += left;
                self.waiting = self.waiting.max(waiting);
            }
            self.tiles += shape.panel();
            self.longest = self.longest.max(LANES * shape.all());
            self.largest = self.largest.max(left);
            let after = |k: usize| (node.width - k + shape.rows) as f64;
            self.work += (0..node.width).map(|k| after(k).powi(2)).sum::<f64>();
        }
        self.aim(next);
    }

    /// Makes so many `times` the room that the rows of the fronts have taken, and room for so many `places`.
    pub fn reserve(&mut self, times: usize, places: usize) {
        self.front_of.reserve(places);
        self.rows.reserve(times * self.rows.len());
        self.targets.reserve(times * self.targets.len());
    }

    /// Numbers the unknowns front by front, with empty places so that the columns of each front fill groups and pairs begin at even places;
    /// returns how many places there are.
    fn number(
        &mut self, found: &mut Supernodes, (weights, paired): (&[u32], &[bool]), slots: usize,
    ) -> u32 {
        self.place.clear();
        self.place.resize(weights.len() + slots, 0);
        self.order.clear();
        let mut next = self.leaves.last().map_or(0, |leaves| leaves.places().end) as u32;
        self.front_of.clear();
        self.front_of.resize(next as usize, 0);
        self.first.clear();
        self.first.reserve(weights.len() + 1);
        self.first.push(next);
        for (k, &id) in (0..).zip(&found.order) {
            let node = &mut found.nodes[id as usize];
            node.front = k;
            let mut v = node.first;
            while v != NONE {
                if paired.get(v as usize) == Some(&true) {
                    next += next % 2;
                }
                self.place[v as usize] = next;
                next += weights[v as usize];
                self.order.push(v);
                v = found.next[v as usize];
            }
            next = next.next_multiple_of(LANES as u32);
            self.front_of.resize(next as usize, k);
            self.first.push(next);
        }
        for (slot, place) in (next..).zip(&mut self.place[weights.len()..]) {
            *place = slot;
        }
        next
    }

    /// The first place of a vertex.
    pub fn place_of(&self, vertex: u32) -> u32 {
        self.place[vertex as usize]
    }

    /// x ← L⁻¹ x, where `lower` has the columns of L front by front. Fronts that x does not reach cost nothing.
    pub fn solve_lower(&self, lower: &[Tile], x: &mut [f64], room: &mut [f64]) {
        dispatch!(level(), simd => self.solve_lower_by(simd, lower, x, room));
    }

    #[inline(always)]
    fn solve_lower_by<S: Simd>(&self, simd: S, lower: &[Tile], x: &mut [f64], room: &mut [f64]) {
        for leaves in &self.leaves {
            let panel = &lower.as_flattened()[leaves.panel..][..leaves.size()];
            leaves.solve_lower(simd, panel, self.others_of(leaves), x);
        }
        for front in &self.fronts {
            let shape = front.shape;
            let own = &x[front.first..][..shape.columns];
            if own.iter().all(|value| *value == 0.0) {
                continue;
            }
            let rows = &self.rows[front.start..][..shape.rows];
            let below = gather(rows, x, room);
            let own = x[front.first..][..shape.columns].as_chunks_mut().0;
            let mut tiles = &lower[front.panel..];
            for group in 0..own.len() {
                let column;
                (column, tiles) = tiles.split_at(shape.all() - group);
                let (before, after) = own.split_at_mut(group + 1);
                let (diagonal, x) = (&column[0], &mut before[group]);
                for j in 0..LANES {
                    for i in j + 1..LANES {
                        x[i] -= diagonal[j][i] * x[j];
                    }
                }
                let x = splat(simd, *x);
                let (inside, column) = column[1..].split_at(after.len());
                for (targets, column) in [(after, inside), (&mut *below, column)] {
                    for (target, tile) in targets.iter_mut().zip(column) {
                        let mut left = f64x4::simd_from(simd, *target);
                        for (column, x) in load(simd, tile).into_iter().zip(x) {
                            left -= column * x;
                        }
                        *target = left.into();
                    }
                }
            }
            for (&row, value) in rows.iter().zip(below.as_flattened()) {
                x[row as usize] = *value;
            }
        }
    }

    /// x ← L⁻ᵀ x. Fronts that x does not reach cost next to nothing.
    pub fn solve_upper(&self, lower: &[Tile], x: &mut [f64], room: &mut [f64]) {
        dispatch!(level(), simd => self.solve_upper_by(simd, lower, x, room));
    }

    #[inline(always)]
    fn solve_upper_by<S: Simd>(&self, simd: S, lower: &[Tile], x: &mut [f64], room: &mut [f64]) {
        for front in self.fronts.iter().rev() {
            let shape = front.shape;
            let rows = &self.rows[front.start..][..shape.rows];
            let below = &*gather(rows, x, room);
            let own = x[front.first..][..shape.columns].as_chunks_mut().0;
            let zero = |list: &[[f64; LANES]]| list.as_flattened().iter().all(|v| *v == 0.0);
            if zero(own) && zero(below) {
                continue;
            }
            let mut tiles = &lower[front.panel..][..shape.panel()];
            for group in (0..own.len()).rev() {
                let column;
                (tiles, column) = tiles.split_at(shape.start(group));
                let (before, after) = own.split_at_mut(group + 1);
                let (inside, outside) = column[1..].split_at(after.len());
                let mut sums = [f64x4::splat(simd, 0.0); LANES];
                for (values, column) in [(&*after, inside), (below, outside)] {
                    for (values, tile) in values.iter().zip(column) {
                        let values = f64x4::simd_from(simd, *values);
                        for (sum, column) in sums.iter_mut().zip(load(simd, tile)) {
                            *sum += column * values;
                        }
                    }
                }
                let (diagonal, x) = (&column[0], &mut before[group]);
                for j in (0..LANES).rev() {
                    let [a, b, c, d]: [f64; LANES] = sums[j].into();
                    x[j] -= (a + c) + (b + d);
                    for i in j + 1..LANES {
                        x[j] -= diagonal[j][i] * x[i];
                    }
                }
            }
        }
        for leaves in &self.leaves {
            let panel = &lower.as_flattened()[leaves.panel..][..leaves.size()];
            leaves.solve_upper(simd, panel, self.others_of(leaves), x);
        }
    }

    /// Places of what these leaves are coupled with.
    pub fn others_of(&self, leaves: &Leaves) -> &[u32] {
        &self.others[leaves.start..][..LANES * leaves.rows]
    }

    /// Finds where the rows of each front stand in its parent's.
    fn aim(&mut self, unknowns: u32) {
        self.targets.clear();
        self.targets.resize(self.rows.len(), 0);
        for front in &self.fronts {
            let range = front.start..front.start + front.shape.rows;
            let Some(parent) = front.parent.map(|p| &self.fronts[p]) else {
                for (target, row) in self.targets[range.clone()].iter_mut().zip(&self.rows[range]) {
                    *target = down((row - unknowns) as usize) as u32;
                }
                continue;
            };
            let Shape { columns, rows } = parent.shape;
            let above = &self.rows[parent.start..][..rows];
            let end = parent.first + columns;
            let mut k = 0;
            for (target, &row) in self.targets[range.clone()].iter_mut().zip(&self.rows[range]) {
                let place = if (row as usize) < end {
                    row as usize - parent.first
                } else {
                    while above[k] != row {
                        k += 1;
                    }
                    columns + k
                };
                *target = down(place) as u32;
            }
        }
    }
}

/// What x has in the `rows`, in full lanes.
#[inline(always)]
fn gather<'a>(rows: &[u32], x: &[f64], room: &'a mut [f64]) -> &'a mut [[f64; LANES]] {
    let (room, _) = room.as_chunks_mut();
    let values = &mut room[..rows.len().div_ceil(LANES)];
    if let Some(last) = values.last_mut() {
        *last = [0.0; LANES];
    }
    for (value, &row) in values.as_flattened_mut().iter_mut().zip(rows) {
        *value = x[row as usize];
    }
    values
}
