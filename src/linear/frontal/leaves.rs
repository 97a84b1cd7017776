//! Unknowns that one clique alone holds, as those of an element's interior nodes, eliminated four cliques at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use super::pivot::Pivots;
use crate::linear::layout::Layout;
use crate::numerics::lanes::LANES;

/// Most unknowns of a leaf: those of the three interior nodes of a frame element of order 4.
const WIDEST: usize = 9;

/// Unknowns that can be eliminated before all others, as nothing but their clique couples them.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// The vertex that they are.
    pub vertex: u32,
    pub own: Vec<u32>,
    /// The others of their clique.
    pub others: Vec<u32>,
}

impl Leaf {
    /// All that there may be where the first so many of the vertices, which have these `members`, are followers'; those of one
    /// shape stand together.
    pub fn all(rows: &Layout, members: &[Vec<u32>], followers: usize) -> Vec<Leaf> {
        let mut holding = vec![Vec::new(); rows.order()];
        for clique in rows.cliques.iter() {
            clique.iter().for_each(|&e| holding[e as usize].push(clique));
        }
        let mut taken: Vec<&[u32]> = Vec::new();
        let mut leaves = Vec::new();
        for (vertex, own) in (0..).zip(members).skip(followers) {
            let Some(&[clique]) = own.first().map(|&e| &holding[e as usize][..]) else { continue };
            let others = clique.iter().copied().filter(|e| !own.contains(e));
            let leaf = Leaf { vertex, own: own.clone(), others: others.collect() };
            let is_first = taken.last().is_none_or(|last| !std::ptr::eq(*last, &clique[..]));
            if leaf.pays() && is_first {
                taken.push(clique);
                leaves.push(leaf);
            }
        }
        leaves.sort_by_key(Leaf::shape);
        leaves
    }

    /// Unknowns of its own, and others.
    pub fn shape(&self) -> [usize; 2] {
        [self.own.len(), self.others.len()]
    }

    /// Whether it is eliminated faster so than in a front: what it leaves is added entry by entry.
    fn pays(&self) -> bool {
        let [columns, rows] = self.shape();
        columns <= WIDEST && rows <= 2 * columns
    }

    /// Entries that it leaves.
    pub fn left(&self) -> usize {
        self.others.len() * (self.others.len() + 1) / 2
    }
}

/// Up to four leaves of one shape. L of all of them stands in one matrix, one leaf in each lane, row by row: `columns` rows of their own
/// unknowns, of which what is above the diagonal means nothing, and `rows` of others.
#[derive(Debug, Clone, Copy)]
pub struct Leaves {
    pub columns: usize,
    pub rows: usize,
    pub count: usize,
    /// The place of their first unknown: `first + LANES j + l` is that of the j-th of leaf l. Where there is no leaf, the place is empty.
    pub first: usize,
    /// Where the places of others are listed likewise.
    pub start: usize,
    /// Where L begins.
    pub panel: usize,
    /// Where the entries of K in it are listed, and where the list ends.
    pub sources: [usize; 2],
    /// Where what they leave begins among the entries that are given: those of one entry side by side.
    pub left: usize,
}

impl Leaves {
    /// Numbers of L, a lane each.
    pub fn size(self) -> usize {
        (self.columns + self.rows) * self.columns
    }

    /// Their places.
    pub fn places(self) -> std::ops::Range<usize> {
        self.first..self.first + LANES * self.columns
    }

    /// Where the entry of a row and a column stands.
    pub fn entry(self, row: usize, column: usize) -> usize {
        row * self.columns + column
    }

    /// Makes L of `panel`, and of `given` what the leaves leave.
    #[inline(always)]
    pub fn eliminate<S: Simd>(
        self, simd: S, panel: &mut [[f64; LANES]], pivots: &mut Pivots, given: &mut [f64],
    ) {
        let mut left = given[self.left..].chunks_exact_mut(self.count);
        // The present row of L D.
        let mut weighted = [f64x4::splat(simd, 0.0); WIDEST];
        for i in 0..self.columns + self.rows {
            let (above, row) = panel.split_at_mut(i * self.columns);
            let row = &mut row[..self.columns];
            let before = i.min(self.columns);
            let above = above.chunks_exact(self.columns);
            let inverse = pivots.inverse.as_chunks().0;
            for ((j, above), inverse) in above.clone().take(before).enumerate().zip(inverse) {
                let own = less(simd, f64x4::simd_from(simd, row[j]), &above[..j], &weighted);
                weighted[j] = own;
                row[j] = (own * f64x4::simd_from(simd, *inverse)).into();
            }
            if i < self.columns {
                let own = f64x4::simd_from(simd, row[i]);
                pivots.take_lanes(LANES * i, less(simd, own, &row[..i], &weighted).into());
                continue;
            }
            let zero = f64x4::splat(simd, 0.0);
            for (above, left) in above.skip(before).chain([&*row]).zip(&mut left) {
                let product: [f64; LANES] = less(simd, zero, above, &weighted).into();
                left.copy_from_slice(&product[..self.count]);
            }
        }
    }

    /// x ← L⁻¹ x, where the leaves' others have these places. Those that x does not reach cost nothing.
    #[inline(always)]
    pub fn solve_lower<S: Simd>(
        self, simd: S, panel: &[[f64; LANES]], others: &[u32], x: &mut [f64],
    ) {
        let own = x[self.places()].as_chunks_mut().0;
        if own.as_flattened().iter().all(|value| *value == 0.0) {
            return;
        }
        let mut solved = [f64x4::splat(simd, 0.0); WIDEST];
        let (square, below) = panel.split_at(self.columns * self.columns);
        for (i, (row, own)) in square.chunks_exact(self.columns).zip(own).enumerate() {
            solved[i] = less(simd, f64x4::simd_from(simd, *own), &row[..i], &solved);
            *own = solved[i].into();
        }
        let zero = f64x4::splat(simd, 0.0);
        for (row, others) in below.chunks_exact(self.columns).zip(others.as_chunks::<LANES>().0) {
            let change: [f64; LANES] = less(simd, zero, row, &solved).into();
            // Leaves may share what they are coupled with.
            for (&other, change) in others.iter().zip(change) {
                x[other as usize] += change;
            }
        }
    }

    /// x ← L⁻ᵀ x.
    #[inline(always)]
    pub fn solve_upper<S: Simd>(
        self, simd: S, panel: &[[f64; LANES]], others: &[u32], x: &mut [f64],
    ) {
        let mut solved = [f64x4::splat(simd, 0.0); WIDEST];
        let (square, below) = panel.split_at(self.columns * self.columns);
        for (value, own) in solved.iter_mut().zip(x[self.places()].as_chunks().0) {
            *value = f64x4::simd_from(simd, *own);
        }
        for (row, others) in below.chunks_exact(self.columns).zip(others.as_chunks::<LANES>().0) {
            let mut values = [0.0; LANES];
            for (value, &other) in values.iter_mut().zip(others) {
                *value = x[other as usize];
            }
            take(simd, f64x4::simd_from(simd, values), row, &mut solved);
        }
        for (i, row) in square.chunks_exact(self.columns).enumerate().rev() {
            let value = solved[i];
            take(simd, value, &row[..i], &mut solved);
        }
        for (own, value) in x[self.places()].as_chunks_mut().0.iter_mut().zip(solved) {
            *own = value.into();
        }
    }
}

/// Takes the products of `value` with a `row` from all before it.
#[inline(always)]
fn take<S: Simd>(
    simd: S, value: f64x4<S>, row: &[[f64; LANES]], solved: &mut [f64x4<S>; WIDEST],
) {
    for (solved, l) in solved.iter_mut().zip(row) {
        *solved -= f64x4::simd_from(simd, *l) * value;
    }
}

/// What is left of `value` without the products of `row` with the weights.
#[inline(always)]
fn less<S: Simd>(
    simd: S, mut value: f64x4<S>, row: &[[f64; LANES]], weights: &[f64x4<S>; WIDEST],
) -> f64x4<S> {
    for (l, weight) in row.iter().zip(weights) {
        value -= f64x4::simd_from(simd, *l) * *weight;
    }
    value
}
