//! Unknowns that one clique alone holds, as those of an element's interior nodes, eliminated four cliques at a time.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use super::pivot::Pivots;
use crate::linear::layout::Layout;
use crate::numerics::lanes::LANES;

/// Most unknowns of a leaf: those of the three interior nodes of a frame element of order 4.
const WIDEST: usize = 9;

/// Calls what is compiled for each number of columns up to the [`WIDEST`].
macro_rules! by_columns {
    ($columns:expr, $COLUMNS:ident => $call:block) => {
        by_columns!($columns, $COLUMNS => $call, [1 2 3 4 5 6 7 8 9])
    };
    ($columns:expr, $COLUMNS:ident => $call:block, [$($number:literal)*]) => {
        match $columns {
            $($number => {
                const $COLUMNS: usize = $number;
                $call
            })*
            _ => unreachable!("a leaf of more than {WIDEST} unknowns"),
        }
    };
}

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
    /// shape stand together. None is beside a follower: without it that would be eliminated early, and what it holds, the rigid motions of
    /// a link, would be left to a pivot that is raised.
    pub fn all(rows: &Layout, vertex: &[u32], members: &[Vec<u32>], followers: usize) -> Vec<Leaf> {
        let mut holding: Vec<Vec<usize>> = vec![Vec::new(); rows.order()];
        for (c, clique) in rows.cliques.iter().enumerate() {
            clique.iter().for_each(|&e| holding[e as usize].push(c));
        }
        let mut taken = vec![false; rows.cliques.len()];
        let mut leaves = Vec::new();
        for (v, own) in (0..).zip(members).skip(followers) {
            let Some(&[clique]) = own.first().map(|&e| &holding[e as usize][..]) else { continue };
            let others = rows.cliques[clique].iter().copied().filter(|e| !own.contains(e));
            let leaf = Leaf { vertex: v, own: own.clone(), others: others.collect() };
            let is_beside = |&e: &u32| (vertex[e as usize] as usize) < followers;
            let alone = leaf.pays() && !leaf.others.iter().any(is_beside);
            if alone && !std::mem::replace(&mut taken[clique], true) {
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

    /// Entries of K in its columns.
    pub fn entries(&self) -> usize {
        let [columns, rows] = self.shape();
        columns * (columns + 1) / 2 + columns * rows
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
    /// Where the entries of K in it are listed.
    pub sources: usize,
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

    /// Entries of K in the columns of a leaf, and the number of one of them, row by row.
    pub fn entries(self) -> usize {
        self.number(self.columns, 0) + self.rows * self.columns
    }

    /// See [`Leaves::entries`].
    pub fn number(self, row: usize, column: usize) -> usize {
        let (own, others) = (row.min(self.columns), row.saturating_sub(self.columns));
        own * (own + 1) / 2 + others * self.columns + column
    }

    /// Takes the entries of K for each number of L, those of the leaves side by side.
    pub fn gather(self, values: &[f64], sources: &[u32], panel: &mut [[f64; LANES]]) {
        match self.count {
            1 => self.gather_of::<1>(values, sources, panel),
            2 => self.gather_of::<2>(values, sources, panel),
            3 => self.gather_of::<3>(values, sources, panel),
            _ => self.gather_of::<LANES>(values, sources, panel),
        }
    }

    #[inline(always)]
    fn gather_of<const COUNT: usize>(
        self, values: &[f64], sources: &[u32], panel: &mut [[f64; LANES]],
    ) {
        let mut sources = sources.as_chunks::<COUNT>().0.iter();
        for (i, row) in panel.chunks_exact_mut(self.columns).enumerate() {
            for (entry, sources) in row[..self.columns.min(i + 1)].iter_mut().zip(&mut sources) {
                *entry = [0.0; LANES];
                for lane in 0..COUNT {
                    entry[lane] = values[sources[lane] as usize];
                }
            }
        }
    }

    /// Makes L of `panel`, and of `given` what the leaves leave.
    #[inline(always)]
    pub fn eliminate<S: Simd>(
        self, simd: S, panel: &mut [[f64; LANES]], pivots: &mut Pivots, given: &mut [f64],
    ) {
        let given = &mut given[self.left..];
        by_columns!(self.columns, COLUMNS => {
            eliminate::<S, COLUMNS>(simd, panel.as_chunks_mut().0, pivots, given, self.count)
        })
    }

    /// x ← L⁻¹ x, where the leaves' others have these places. Those that x does not reach cost nothing.
    #[inline(always)]
    pub fn solve_lower<S: Simd>(
        self, simd: S, panel: &[[f64; LANES]], others: &[u32], x: &mut [f64],
    ) {
        if x[self.places()].iter().any(|value| *value != 0.0) {
            let (first, others) = (self.first, others.as_chunks().0);
            by_columns!(self.columns, COLUMNS => {
                solve_lower::<S, COLUMNS>(simd, panel.as_chunks().0, first, others, x)
            })
        }
    }

    /// x ← L⁻ᵀ x.
    #[inline(always)]
    pub fn solve_upper<S: Simd>(
        self, simd: S, panel: &[[f64; LANES]], others: &[u32], x: &mut [f64],
    ) {
        let (first, others) = (self.first, others.as_chunks().0);
        by_columns!(self.columns, COLUMNS => {
            solve_upper::<S, COLUMNS>(simd, panel.as_chunks().0, first, others, x)
        })
    }
}

/// A row of L: the numbers of each column, a leaf in each lane.
type Row<const COLUMNS: usize> = [[f64; LANES]; COLUMNS];

#[inline(always)]
fn eliminate<S: Simd, const COLUMNS: usize>(
    simd: S, rows: &mut [Row<COLUMNS>], pivots: &mut Pivots, left: &mut [f64], count: usize,
) {
    let (own, others) = rows.split_at_mut(COLUMNS);
    for i in 0..COLUMNS {
        let (above, row) = own.split_at_mut(i);
        let weighted = reduce(simd, above, &mut row[0], pivots);
        let pivot = less(simd, f64x4::simd_from(simd, row[0][i]), &row[0][..i], &weighted);
        pivots.take_lanes(LANES * i, pivot.into());
    }
    let mut left = left.chunks_exact_mut(count);
    for i in 0..others.len() {
        let (above, row) = others.split_at_mut(i);
        let weighted = reduce(simd, own, &mut row[0], pivots);
        for (other, left) in above.iter().chain([&row[0]]).zip(&mut left) {
            let product = less(simd, f64x4::splat(simd, 0.0), other, &weighted);
            let product: [f64; LANES] = product.into();
            left.copy_from_slice(&product[..count]);
        }
    }
}

/// Makes a row of L of one of K, below as many others of L as it has entries; returns the row of L D.
#[inline(always)]
fn reduce<S: Simd, const COLUMNS: usize>(
    simd: S, above: &[Row<COLUMNS>], row: &mut Row<COLUMNS>, pivots: &Pivots,
) -> [f64x4<S>; COLUMNS] {
    let inverse = pivots.inverse.as_chunks::<LANES>().0;
    let mut weighted = [f64x4::splat(simd, 0.0); COLUMNS];
    for j in 0..COLUMNS.min(above.len()) {
        let own = less(simd, f64x4::simd_from(simd, row[j]), &above[j][..j], &weighted);
        weighted[j] = own;
        row[j] = (own * f64x4::simd_from(simd, inverse[j])).into();
    }
    weighted
}

#[inline(always)]
fn solve_lower<S: Simd, const COLUMNS: usize>(
    simd: S, rows: &[Row<COLUMNS>], first: usize, others: &[[u32; LANES]], x: &mut [f64],
) {
    let own = &mut x[first..][..LANES * COLUMNS].as_chunks_mut().0;
    let mut solved = [f64x4::splat(simd, 0.0); COLUMNS];
    for i in 0..COLUMNS {
        solved[i] = less(simd, f64x4::simd_from(simd, own[i]), &rows[i][..i], &solved);
        own[i] = solved[i].into();
    }
    for (row, others) in rows[COLUMNS..].iter().zip(others) {
        let change = less(simd, f64x4::splat(simd, 0.0), row, &solved);
        let change: [f64; LANES] = change.into();
        // Leaves may share what they are coupled with.
        for (&other, change) in others.iter().zip(change) {
            x[other as usize] += change;
        }
    }
}

#[inline(always)]
fn solve_upper<S: Simd, const COLUMNS: usize>(
    simd: S, rows: &[Row<COLUMNS>], first: usize, others: &[[u32; LANES]], x: &mut [f64],
) {
    let own: &[[f64; LANES]] = x[first..][..LANES * COLUMNS].as_chunks().0;
    let mut solved = [f64x4::splat(simd, 0.0); COLUMNS];
    for i in 0..COLUMNS {
        solved[i] = f64x4::simd_from(simd, own[i]);
    }
    for (row, others) in rows[COLUMNS..].iter().zip(others) {
        let mut values = [0.0; LANES];
        for (value, &other) in values.iter_mut().zip(others) {
            *value = x[other as usize];
        }
        let values = f64x4::simd_from(simd, values);
        for j in 0..COLUMNS {
            solved[j] -= f64x4::simd_from(simd, row[j]) * values;
        }
    }
    for i in (0..COLUMNS).rev() {
        for j in 0..i {
            solved[j] -= f64x4::simd_from(simd, rows[i][j]) * solved[i];
        }
        x[first + LANES * i..][..LANES].copy_from_slice(&<[f64; LANES]>::from(solved[i]));
    }
}

/// What is left of `value` without the products of `row` with the weights.
#[inline(always)]
fn less<S: Simd>(
    simd: S, mut value: f64x4<S>, row: &[[f64; LANES]], weights: &[f64x4<S>],
) -> f64x4<S> {
    for (l, weight) in row.iter().zip(weights) {
        value -= f64x4::simd_from(simd, *l) * *weight;
    }
    value
}
