//! A sparse symmetric matrix with a border, factored front by front.
//!
//! The multifrontal method (Duff & Reid 1983): unknowns are eliminated in groups, each in a small dense matrix
//! of what they are coupled with, its front, and what that leaves is added to the next front up a tree. What lies inside of one element
//! comes first, four elements at a time: the leaves of the tree.
//! Border unknowns take part in it where they can. The multipliers λ of a follower, a node that slides along a path, stand
//! beside an identity in the rows of its own coordinates x,
//!
//! ```text
//! [ K_xx  1 ] [x]
//! [ 1     0 ] [λ]
//! ```
//!
//! so each coordinate is eliminated with its multiplier, as a pair [K_xx, 1; 1, 0] that is regular whatever K_xx is, and
//! then s, unless it has a row of its own, by c,ₛᵀ K_xx c,ₛ. The multipliers of a pin that closes a loop are eliminated alone,
//! behind all unknowns around the loop: by their compliance G K⁻¹ Gᵀ. The others stay outside, in the dense Schur complement of
//! the border.

mod analysis;
mod choice;
mod degree;
mod followers;
mod leaves;
mod panel;
mod pivot;
mod plan;
mod raised;
mod room;
mod schur;
mod supernodes;
#[cfg(test)]
pub(super) mod tests;
mod tree;

use std::ops::Range;
use std::sync::Arc;

use fearless_simd::dispatch;

use super::couplings::{Couplings, Passing};
use super::dense::Dense;
use super::entries::Entries;

use super::layout::Layout;
use super::lists::Lists;
use crate::numerics::lanes::{LANES, Tile, ZERO, level};
use analysis::Analysis;
use leaves::Leaf;
use panel::{Shape, eliminate};
pub use pivot::Raised;
use pivot::{Inverse, Pivots, Place};
pub use plan::cost;
use plan::{among_vertices, free, vertices};
use tree::{Front, Tree};

/// No place in the order of elimination: the unknown is outside.
const OUTSIDE: u32 = u32::MAX;

/// Pivots that may be raised besides those of parts that nothing holds: stiff parts on soft ones have small ones, too.
const STIFF_PARTS: usize = 60;

/// A node that slides along a path, or that a pin ties to another one; or a pin that closes a loop, which has no node.
#[derive(Debug, Clone, PartialEq)]
pub struct Follower {
    /// Its s in the border, right before the multipliers, where it slides.
    pub sliding: Option<usize>,
    /// In the border.
    pub multipliers: Range<usize>,
    /// The coordinates in whose rows the multipliers stand beside an identity, or beside a multiple of one where they are those of a node
    /// that carries it, one for each; `None` if it is prescribed. Those of a pin that closes a loop have none: they are eliminated alone.
    pub coordinates: Vec<Option<usize>>,
    /// The interior unknowns that the multipliers couple it with, at one place of a path or another.
    pub reach: Arc<[u32]>,
    /// What is eliminated before multipliers that are eliminated alone: the unknowns around their loop, by which it yields.
    pub around: Vec<u32>,
}

impl Follower {
    /// Its unknowns of the border.
    fn border(&self) -> Range<usize> {
        self.sliding.unwrap_or(self.multipliers.start)..self.multipliers.end
    }

    /// Whether its multipliers are eliminated in pairs with coordinates.
    fn is_paired(&self) -> bool {
        !self.coordinates.is_empty()
    }
}

/// Whether what is left of a pivot that nearly vanishes counts: if it is more than rounding, or always.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Left {
    IfMore,
    Always,
}

/// What of a follower's border unknowns is eliminated with the interior.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Inside {
    Nothing,
    Multipliers,
    All,
}

/// L D Lᵀ = K with what of the border is eliminated with it; see the module.
#[derive(Debug, Clone)]
pub struct Frontal {
    /// Interior unknowns and border unknowns.
    order: usize,
    width: usize,
    followers: Vec<Follower>,
    passing: Vec<Passing>,
    /// Whether the coordinates of a follower are unknowns, all of them, and no other follower's.
    free: Vec<bool>,
    /// Whether followers may constrain each other twice: pins, and sliders that are eliminated with a node of their paths.
    ties: bool,
    inside: Vec<Inside>,
    /// Vertices, the first of which are the followers': unknowns that are coupled with the same others. Border unknowns inside
    /// are in those of their followers.
    vertex: Vec<u32>,
    members: Vec<Vec<u32>>,
    cliques: Lists,
    /// What may be eliminated before everything else.
    leaves: Vec<Leaf>,
    analysis: Analysis,
    beside: Beside,
    diagonal: Vec<usize>,
    /// What the tree was made for besides K: unknowns and vectors that meet in the border and in couplings, with where both end, and those
    /// that meet where leaves are gone.
    pattern: Vec<[u32; 2]>,
    in_border: usize,
    in_pattern: usize,
    coupled: Lists,
    /// The entries of the border and of couplings, and of what leaves leave.
    given: Vec<f64>,
    tree: Tree,
    /// Where interior, then border unknowns are in the order of elimination.
    place: Vec<u32>,
    /// Border unknowns outside, and the vectors of each: its column and its row.
    outside: Vec<usize>,
    slots: Vec<[usize; 2]>,
    vectors: usize,
    /// Where the entries of K and, behind them, of the border and of couplings go in the columns of each front, and where both begin.
    sources: Vec<(u32, u32)>,
    /// Which entries of K are those of leaves.
    gathers: Vec<u32>,
    source_start: Vec<[usize; 2]>,
    /// Behind the columns of a front there is room for the square of its rows.
    lower: Vec<Tile>,
    inverse: Inverse,
    /// What stands at each place of the order.
    places: Vec<Place>,
    /// What makes a pivot large.
    scales: Vec<f64>,
    /// What fronts have left, and which, until their parents take it.
    waiting: Vec<Tile>,
    pending: Vec<usize>,
    /// The products of the vectors.
    products: Vec<Tile>,
    /// A right-hand side in the order of elimination, and a number for each vector.
    work: Vec<f64>,
    gathered: Vec<f64>,
    raised: Vec<Raised>,
    most_raised: usize,
    /// L⁻¹e of each raised pivot, and its products with the vectors.
    responses: Vec<f64>,
    /// The motion L⁻ᵀe that each of them was to resist, and what rounding can make of its forces.
    motions: Vec<f64>,
    rounding: Vec<f64>,
    /// What adds up in the diagonal entries.
    growth: Vec<f64>,
}

/// The entries of each row of K, in both triangles: the other unknown and the position.
#[derive(Debug, Clone)]
struct Beside {
    entries: Vec<(u32, u32)>,
    start: Vec<usize>,
}

impl Beside {
    fn of(rows: &Layout) -> Beside {
        let mut lists: Vec<Vec<(u32, u32)>> = vec![Vec::new(); rows.order()];
        for (i, j, position) in rows.entries() {
            lists[i].push((j as u32, position as u32));
            if i != j {
                lists[j].push((i as u32, position as u32));
            }
        }
        let mut start = vec![0];
        start.extend(lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        }));
        Beside { entries: lists.concat(), start }
    }

    fn row(&self, unknown: usize) -> &[(u32, u32)] {
        &self.entries[self.start[unknown]..self.start[unknown + 1]]
    }
}

impl Frontal {
    /// Room for K with the pattern of `rows` and couplings of what is `passing`, a border of `width` and `spare` raised
    /// pivots.
    pub fn new(
        rows: &Layout, followers: Vec<Follower>, passing: Vec<Passing>, [width, spare]: [usize; 2],
    ) -> Frontal {
        let order = rows.order();
        let free = free(&followers, order);
        let (mut vertex, members) = vertices(rows, &followers, &free, &passing);
        let cliques = among_vertices(&rows.cliques, &vertex);
        let leaves = Leaf::all(rows, &vertex, &members, followers.len());
        let analysis = Analysis::new(&followers, &vertex);
        // A coordinate needs nothing but the pin that it is eliminated with.
        let tied = || followers.iter().filter(|own| own.sliding.is_none());
        let paired: usize = tied().map(|own| own.coordinates.len()).sum();
        let carried = |own: &Follower| {
            let mut coordinates = own.coordinates.iter().flatten();
            coordinates.any(|&e| own.reach.contains(&(e as u32)))
        };
        let ties = tied().next().is_some() || followers.iter().any(carried);
        let most_raised = spare.min(order - paired) + STIFF_PARTS;
        vertex.resize(order + width, OUTSIDE);
        Frontal {
            order,
            width,
            inside: vec![Inside::Nothing; followers.len()],
            followers,
            passing,
            free,
            vertex,
            members,
            cliques,
            leaves,
            analysis,
            beside: Beside::of(rows),
            diagonal: (0..order).map(|i| rows.diagonal(i)).collect(),
            pattern: Vec::new(),
            in_border: 0,
            in_pattern: 0,
            coupled: Lists::default(),
            given: Vec::new(),
            tree: Tree::default(),
            place: Vec::new(),
            outside: Vec::with_capacity(width),
            slots: vec![[0; 2]; width],
            vectors: 0,
            sources: Vec::new(),
            gathers: Vec::new(),
            source_start: Vec::new(),
            lower: Vec::new(),
            inverse: Inverse::default(),
            places: Vec::new(),
            scales: Vec::new(),
            waiting: Vec::new(),
            pending: Vec::new(),
            products: Vec::new(),
            work: Vec::new(),
            gathered: Vec::new(),
            raised: Vec::with_capacity(most_raised),
            most_raised,
            ties,
            responses: Vec::new(),
            motions: Vec::new(),
            rounding: Vec::new(),
            growth: Vec::new(),
        }
    }

    /// Factors K, whose entries are `values` and those of `couplings`, and leaves S in the dense matrix, where what is `left`
    /// of raised pivots counts.
    pub fn factor(
        &mut self, values: &[f64], couplings: &Couplings, border: &Entries, dense: &mut Dense,
        left: Left,
    ) {
        self.look_inside(border);
        if !self.take_given(border, couplings) {
            self.plan(border, couplings);
        }
        self.scale(values, couplings, border);
        self.eliminate(values);
        // A singular matrix leaves no numbers, in empty places, too.
        self.work.fill(0.0);
        self.respond();
        // What is eliminated with others may be constrained twice.
        if self.ties && left == Left::IfMore && !self.raised.is_empty() {
            self.add_up_growth(0);
        } else if self.ties && self.vectors > 0 {
            self.add_up_growth(self.unknowns());
        }
        if left == Left::IfMore {
            self.drop_rounding(values);
        }
        self.form_schur(border, dense);
    }

    fn eliminate(&mut self, values: &[f64]) {
        let tree = &self.tree;
        self.products.fill(ZERO);
        self.raised.clear();
        for leaves in &tree.leaves {
            let panel = &mut self.lower.as_flattened_mut()[leaves.panel..][..leaves.size()];
            leaves.gather(values, &self.gathers[leaves.sources..], panel);
            let own = leaves.places();
            let mut pivots = Pivots {
                first: leaves.first,
                inverse: &mut self.inverse.diagonal[own.clone()],
                across: &mut self.inverse.across[own.clone()],
                places: &self.places[own.clone()],
                scales: &self.scales[own],
                raised: &mut self.raised,
                most_raised: self.most_raised,
            };
            dispatch!(level(), simd => leaves.eliminate(simd, panel, &mut pivots, &mut self.given));
        }
        let mut top = 0;
        for (f, front) in tree.fronts.iter().enumerate() {
            let shape = front.shape;
            let tiles = &mut self.lower[front.panel..][..shape.tiles()];
            tiles.fill(ZERO);
            let entries = tiles.as_flattened_mut().as_flattened_mut();
            let [sources, given] = self.source_start[f];
            let next = self.source_start[f + 1][0];
            for &(source, target) in &self.sources[sources..given] {
                entries[target as usize] += values[source as usize];
            }
            for &(source, target) in &self.sources[given..next] {
                entries[target as usize] += self.given[source as usize];
            }
            let children = self.pending.len() - front.children..;
            for child in self.pending.drain(children).rev() {
                let Front { start, shape: of, .. } = tree.fronts[child];
                top -= of.tiles() - of.panel();
                let targets = &tree.targets[start..start + of.rows];
                add(&self.waiting[top..], targets, shape, tiles);
            }
            let own = front.first..front.first + shape.columns;
            let pivots = Pivots {
                first: front.first,
                inverse: &mut self.inverse.diagonal[own.clone()],
                across: &mut self.inverse.across[own.clone()],
                places: &self.places[own.clone()],
                scales: &self.scales[own],
                raised: &mut self.raised,
                most_raised: self.most_raised,
            };
            dispatch!(level(), simd => eliminate(simd, shape, tiles, pivots));
            let left = &tiles[shape.panel()..];
            if front.parent.is_some() {
                self.waiting[top..][..left.len()].copy_from_slice(left);
                self.pending.push(f);
                top += left.len();
            } else {
                let targets = &tree.targets[front.start..front.start + shape.rows];
                add(left, targets, vectors_alone(self.vectors), &mut self.products);
            }
        }
    }

    /// Border unknowns in the dense system; those of raised pivots follow.
    pub fn outside(&self) -> &[usize] {
        &self.outside
    }

    /// The entries of a row of K: the other unknown of each, and its position.
    pub fn row(&self, unknown: usize) -> &[(u32, u32)] {
        self.beside.row(unknown)
    }

    /// Places of the order of elimination.
    fn unknowns(&self) -> usize {
        self.inverse.diagonal.len()
    }

    /// Negative pivots.
    pub fn negative(&self) -> usize {
        self.inverse.negative()
    }

    /// The pivots that were raised.
    pub fn raised(&self) -> &[Raised] {
        &self.raised
    }
}

/// The vectors of the border, as rows below no column.
fn vectors_alone(vectors: usize) -> Shape {
    Shape { columns: 0, rows: vectors }
}

/// Adds what a front leaves, the square of its rows, to a front of this `shape`, where its rows are the `targets`.
fn add(left: &[Tile], targets: &[u32], shape: Shape, front: &mut [Tile]) {
    let entries = front.as_flattened_mut().as_flattened_mut();
    let (mut left, mut rows) = (left, targets);
    while !rows.is_empty() {
        let (column, own) = (left, &rows[..rows.len().min(LANES)]);
        for (c, &target) in own.iter().enumerate() {
            let target = &mut entries[shape.column(target as usize)..];
            for i in c..own.len() {
                target[own[i] as usize] += column[0][c][i];
            }
            let (whole, rest) = rows[own.len()..].as_chunks::<LANES>();
            for (rows, tile) in whole.iter().zip(&column[1..]) {
                for i in 0..LANES {
                    target[rows[i] as usize] += tile[c][i];
                }
            }
            if let Some(tile) = column.get(1 + whole.len()) {
                for (&row, value) in rest.iter().zip(tile[c]) {
                    target[row as usize] += value;
                }
            }
        }
        left = &left[rows.len().div_ceil(LANES)..];
        rows = &rows[own.len()..];
    }
}
