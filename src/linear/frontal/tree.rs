//! The fronts of a factorisation: which unknowns are eliminated together, and what they are coupled with then.

use super::panel::Shape;
use super::supernodes::{NONE, Supernodes};
use crate::linear::lanes::{products, subtract};

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
    /// The first of them.
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
            let shape = Shape {
                columns: node.width,
                rows: self.rows.len() - start,
            };
            let left = shape.rows * shape.across();
            let first = self.place.get(node.first as usize).map_or(0, |&p| p);
            let parent = found.nodes.get(node.parent as usize);
            let mut child = node.child;
            while child != NONE {
                let below = &found.nodes[child as usize];
                let of = self.fronts[below.front as usize].shape;
                waiting -= of.rows * of.across();
                child = below.sibling;
            }
            self.fronts.push(Front {
                first: first as usize,
                shape,
                start,
                panel: self.entries,
                children: node.children as usize,
                parent: parent.map(|parent| parent.front as usize),
            });
            if parent.is_some() {
                waiting += left;
                self.waiting = self.waiting.max(waiting);
            }
            self.entries += shape.length() * shape.columns;
            self.longest = self.longest.max(shape.length());
            self.largest = self.largest.max(left);
            let after = |k: usize| (shape.columns - k + shape.rows) as f64;
            self.work += (0..shape.columns).map(|k| after(k).powi(2)).sum::<f64>();
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
            let shape = front.shape;
            let (k, below, length) = (shape.columns, shape.below(), shape.length());
            let gathered = &mut room[..length];
            gathered[shape.begin()..below].copy_from_slice(&x[front.first..][..k]);
            if gathered[shape.begin()..below]
                .iter()
                .all(|value| *value == 0.0)
            {
                continue;
            }
            gathered[below..].fill(0.0);
            let columns = &lower[front.panel..][..k * length];
            for [end, count] in groups(shape) {
                let at = (end, shape);
                match count {
                    1 => Group::<1>::of(columns, at, gathered).go_down(),
                    2 => Group::<2>::of(columns, at, gathered).go_down(),
                    3 => Group::<3>::of(columns, at, gathered).go_down(),
                    _ => Group::<GROUP>::of(columns, at, gathered).go_down(),
                }
            }
            x[front.first..][..k].copy_from_slice(&gathered[shape.begin()..below]);
            let rows = &self.rows[front.start..][..shape.rows];
            for (&row, value) in rows.iter().zip(&gathered[below..]) {
                x[row as usize] += value;
            }
        }
    }

    /// x ← L⁻ᵀ x. Fronts that x does not reach cost next to nothing.
    pub fn solve_upper(&self, lower: &[f64], x: &mut [f64], room: &mut [f64]) {
        for front in self.fronts.iter().rev() {
            let shape = front.shape;
            let (k, below, length) = (shape.columns, shape.below(), shape.length());
            let gathered = &mut room[..length];
            gathered[..shape.begin()].fill(0.0);
            gathered[shape.begin()..below].copy_from_slice(&x[front.first..][..k]);
            let rows = &self.rows[front.start..][..shape.rows];
            for (value, &row) in gathered[below..].iter_mut().zip(rows) {
                *value = x[row as usize];
            }
            gathered[below + shape.rows..].fill(0.0);
            if gathered.iter().all(|value| *value == 0.0) {
                continue;
            }
            let columns = &lower[front.panel..][..k * length];
            for [end, count] in groups(shape).rev() {
                let at = (end, shape);
                match count {
                    1 => Group::<1>::of(columns, at, gathered).go_up(),
                    2 => Group::<2>::of(columns, at, gathered).go_up(),
                    3 => Group::<3>::of(columns, at, gathered).go_up(),
                    _ => Group::<GROUP>::of(columns, at, gathered).go_up(),
                }
            }
            x[front.first..][..k].copy_from_slice(&gathered[shape.begin()..below]);
        }
    }

    /// Finds where the rows of each front stand in its parent's.
    fn aim(&mut self, unknowns: u32) {
        self.targets.clear();
        self.targets.resize(self.rows.len(), 0);
        for front in &self.fronts {
            let range = front.start..front.start + front.shape.rows;
            let Some(parent) = front.parent.map(|p| &self.fronts[p]) else {
                for (target, row) in self.targets[range.clone()]
                    .iter_mut()
                    .zip(&self.rows[range])
                {
                    *target = row - unknowns;
                }
                continue;
            };
            let Shape { columns, rows } = parent.shape;
            let above = &self.rows[parent.start..][..rows];
            let end = parent.first + columns;
            let mut k = 0;
            for (target, &row) in self.targets[range.clone()]
                .iter_mut()
                .zip(&self.rows[range])
            {
                *target = if (row as usize) < end {
                    row - parent.first as u32 + parent.shape.begin() as u32
                } else {
                    while above[k] != row {
                        k += 1;
                    }
                    (parent.shape.below() + k) as u32
                };
            }
        }
    }
}

/// Most columns that a solution takes together.
const GROUP: usize = 4;

/// The columns of a front in groups that end with full lanes: where each group's rows end, and how many columns it has.
fn groups(shape: Shape) -> impl DoubleEndedIterator<Item = [usize; 2]> {
    let (below, begin) = (shape.below(), shape.begin());
    let count = shape.columns.div_ceil(GROUP);
    (0..count).rev().map(move |after| {
        let end = below - GROUP * after;
        [end, (end - begin).min(GROUP)]
    })
}

/// A group of N columns, and what it is to be multiplied with.
struct Group<'a, const N: usize> {
    /// From the group's first row on.
    columns: [&'a [f64]; N],
    own: &'a mut [f64; N],
    below: &'a mut [f64],
}

impl<'a, const N: usize> Group<'a, N> {
    /// The group whose rows end at `end`, of the `columns` of a front with the numbers `x` in its rows.
    #[inline(always)]
    fn of(columns: &'a [f64], (end, shape): (usize, Shape), x: &'a mut [f64]) -> Group<'a, N> {
        let length = x.len();
        let first = end - N - shape.begin();
        let columns = &columns[first * length..][..N * length];
        let (above, below) = x.split_at_mut(end);
        Group {
            columns: std::array::from_fn(|j| &columns[j * length..][..length][end - N..]),
            own: above.last_chunk_mut().expect("as many rows as columns"),
            below,
        }
    }

    /// Takes from what stands below what the unknowns of the group make of it, and before that from themselves.
    #[inline(always)]
    fn go_down(self) {
        let Group {
            columns,
            own,
            below,
        } = self;
        for j in 0..N {
            for i in j + 1..N {
                own[i] -= columns[j][i] * own[j];
            }
        }
        subtract([below], columns.map(|column| &column[N..]), [*own]);
    }

    /// Takes from the unknowns of the group what stands below, and then themselves.
    #[inline(always)]
    fn go_up(self) {
        let Group {
            columns,
            own,
            below,
        } = self;
        let sums = products(columns.map(|column| &column[N..]), below);
        for j in (0..N).rev() {
            own[j] -= sums[j];
            for i in j + 1..N {
                own[j] -= columns[j][i] * own[i];
            }
        }
    }
}
