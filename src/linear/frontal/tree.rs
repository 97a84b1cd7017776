//! The fronts of a factorisation: which unknowns are eliminated together, and what they are coupled with then.

use super::supernodes::{NONE, Supernodes};
use crate::linear::envelope::dot;

/// Unknowns in the order of elimination, in groups that are eliminated together.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub fronts: Vec<Front>,
    /// Rows of all fronts: places in the order, rising within a front. Vectors of the border follow the last unknown.
    pub rows: Vec<u32>,
    /// Where each of them stands in the parent's front: among its columns, then its rows.
    pub targets: Vec<u32>,
    /// How many vectors of the border it is made for.
    pub vectors: Option<usize>,
    /// The front of each unknown.
    pub front_of: Vec<u32>,
    /// Vertices in the order of elimination, and the first unknown of each vertex or vector of the border.
    pub order: Vec<u32>,
    place: Vec<u32>,
    /// Most rows and columns of a front, and entries of its rows' square.
    pub longest: usize,
    pub largest: usize,
    /// Most entries that wait for their parents at one time.
    pub waiting: usize,
    /// Entries of L, and multiplications of the factorisation.
    pub entries: usize,
    pub work: f64,
}

/// Unknowns that are eliminated together.
#[derive(Debug, Clone)]
pub struct Front {
    /// The first of them, and how many.
    pub first: usize,
    pub columns: usize,
    /// Where its rows are listed, and how many.
    pub start: usize,
    pub rows: usize,
    /// Where its columns of L begin: columns + rows numbers each.
    pub panel: usize,
    /// How many of the fronts before it add to it.
    pub children: usize,
    /// Whether a front adds up what it leaves, or the border.
    pub parent: Option<usize>,
}

impl Tree {
    /// Takes the fronts of vertices that stand for `weights` unknowns each, with `slots` vectors of the border.
    pub fn take(&mut self, found: &mut Supernodes, weights: &[u32], slots: usize) {
        let next = self.number(found, weights, slots);
        self.vectors = Some(slots);
        [self.longest, self.largest, self.waiting, self.entries] = [0; 4];
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
            let (columns, rows) = (node.width, self.rows.len() - start);
            let first = self.place.get(node.first as usize).map_or(0, |&p| p);
            let parent = found.nodes.get(node.parent as usize);
            let mut child = node.child;
            while child != NONE {
                let below = &found.nodes[child as usize];
                waiting -= self.fronts[below.front as usize].rows.pow(2);
                child = below.sibling;
            }
            self.fronts.push(Front {
                first: first as usize,
                columns,
                start,
                rows,
                panel: self.entries,
                children: node.children as usize,
                parent: parent.map(|parent| parent.front as usize),
            });
            if parent.is_some() {
                waiting += rows * rows;
                self.waiting = self.waiting.max(waiting);
            }
            let length = columns + rows;
            self.entries += length * columns;
            self.longest = self.longest.max(length);
            self.largest = self.largest.max(rows * rows);
            self.work += (0..columns)
                .map(|k| ((length - k) as f64).powi(2))
                .sum::<f64>();
        }
        self.aim(next);
    }

    /// Makes so many `times` the room that the rows of the fronts have taken.
    pub fn reserve(&mut self, times: usize) {
        self.rows.reserve(times * self.rows.len());
        self.targets.reserve(times * self.targets.len());
    }

    /// Numbers the unknowns front by front; returns how many there are.
    fn number(&mut self, found: &mut Supernodes, weights: &[u32], slots: usize) -> u32 {
        self.place.clear();
        self.place.resize(weights.len() + slots, 0);
        self.order.clear();
        self.front_of.clear();
        let mut next = 0;
        for (k, &id) in (0..).zip(&found.order) {
            let node = &mut found.nodes[id as usize];
            node.front = k;
            let mut v = node.first;
            while v != NONE {
                self.place[v as usize] = next;
                next += weights[v as usize];
                self.order.push(v);
                self.front_of.resize(next as usize, k);
                v = found.next[v as usize];
            }
        }
        for (slot, place) in (next..).zip(&mut self.place[weights.len()..]) {
            *place = slot;
        }
        next
    }

    /// x ← L⁻¹ x, where `lower` has the columns of L front by front. Fronts that x does not reach cost nothing.
    pub fn solve_lower(&self, lower: &[f64], x: &mut [f64], room: &mut [f64]) {
        for front in &self.fronts {
            let (k, length) = (front.columns, front.columns + front.rows);
            let gathered = &mut room[..length];
            let rows = &self.rows[front.start..front.start + front.rows];
            gathered[..k].copy_from_slice(&x[front.first..front.first + k]);
            if gathered[..k].iter().all(|value| *value == 0.0) {
                continue;
            }
            gathered[k..].fill(0.0);
            let columns = lower[front.panel..front.panel + k * length].chunks_exact(length);
            for (j, column) in columns.enumerate() {
                let (own, below) = gathered[j..].split_at_mut(1);
                for (value, l) in below.iter_mut().zip(&column[j + 1..]) {
                    *value -= l * own[0];
                }
            }
            x[front.first..front.first + k].copy_from_slice(&gathered[..k]);
            for (&row, value) in rows.iter().zip(&gathered[k..]) {
                x[row as usize] += value;
            }
        }
    }

    /// x ← L⁻ᵀ x. Fronts that x does not reach cost next to nothing.
    pub fn solve_upper(&self, lower: &[f64], x: &mut [f64], room: &mut [f64]) {
        for front in self.fronts.iter().rev() {
            let (k, length) = (front.columns, front.columns + front.rows);
            let gathered = &mut room[..length];
            let rows = &self.rows[front.start..front.start + front.rows];
            gathered[..k].copy_from_slice(&x[front.first..front.first + k]);
            for (value, &row) in gathered[k..].iter_mut().zip(rows) {
                *value = x[row as usize];
            }
            if gathered.iter().all(|value| *value == 0.0) {
                continue;
            }
            let columns = lower[front.panel..front.panel + k * length].chunks_exact(length);
            for (j, column) in columns.enumerate().rev() {
                let (own, below) = gathered[j..].split_at_mut(1);
                own[0] -= dot(&column[j + 1..], below);
            }
            x[front.first..front.first + k].copy_from_slice(&gathered[..k]);
        }
    }

    /// Finds where the rows of each front stand in its parent's.
    fn aim(&mut self, unknowns: u32) {
        self.targets.clear();
        self.targets.resize(self.rows.len(), 0);
        for front in &self.fronts {
            let range = front.start..front.start + front.rows;
            let Some(parent) = front.parent.map(|p| &self.fronts[p]) else {
                for (target, row) in self.targets[range.clone()]
                    .iter_mut()
                    .zip(&self.rows[range])
                {
                    *target = row - unknowns;
                }
                continue;
            };
            let above = &self.rows[parent.start..parent.start + parent.rows];
            let end = parent.first + parent.columns;
            let mut k = 0;
            for (target, &row) in self.targets[range.clone()]
                .iter_mut()
                .zip(&self.rows[range])
            {
                *target = if (row as usize) < end {
                    row - parent.first as u32
                } else {
                    while above[k] != row {
                        k += 1;
                    }
                    (parent.columns + k) as u32
                };
            }
        }
    }
}
