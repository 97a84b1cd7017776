//! Couplings that come and go.

use std::sync::Arc;

use super::lists::Lists;

/// Unknowns that are coupled now with these, now with those of what they pass, as a surface in contact with a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Passing {
    pub own: Vec<u32>,
    /// What they are coupled with at one place or another.
    pub reach: Arc<[u32]>,
    /// Most couplings of them at a time.
    pub most: usize,
    /// Most unknowns of a coupling, own ones included.
    pub size: usize,
}

impl Passing {
    /// Makes room in `lists` for the unknowns of all couplings at a time.
    pub fn reserve(all: &[Passing], lists: &mut Lists) {
        lists.reserve(all.iter().map(|passing| passing.most).sum());
        let items = all.iter().map(|passing| passing.most * passing.size);
        lists.reserve_items(items.sum());
    }

    /// Entries of the lower triangles of all couplings at a time.
    fn entries(&self) -> usize {
        self.most * self.size * (self.size + 1) / 2
    }
}

/// Symmetric matrices of a few unknowns each, to be added to K.
#[derive(Debug, Clone, Default)]
pub struct Couplings {
    lists: Lists,
    /// Lower triangles row by row.
    values: Vec<f64>,
    /// Where that of the last one begins.
    last: usize,
}

impl Couplings {
    /// Room for what the `passing` unknowns can be coupled with at a time.
    pub fn new(passing: &[Passing]) -> Couplings {
        let mut new = Couplings::default();
        Passing::reserve(passing, &mut new.lists);
        new.values.reserve(passing.iter().map(Passing::entries).sum());
        new
    }

    pub fn clear(&mut self) {
        self.lists.clear();
        self.values.clear();
        self.last = 0;
    }

    /// Begins with a coupling of these unknowns; goes on with the last one if it is one of the same.
    pub fn begin(&mut self, unknowns: &[u32]) {
        let count = self.lists.len();
        if count > 0 && self.lists.get(count - 1) == unknowns {
            return;
        }
        self.lists.push(unknowns.iter().copied());
        self.last = self.values.len();
        let entries = unknowns.len() * (unknowns.len() + 1) / 2;
        self.values.resize(self.last + entries, 0.0);
    }

    /// Adds the symmetric matrix of these `entries`, of all pairs a ≤ b of places, to the last one.
    #[inline]
    pub fn add(&mut self, entries: impl Fn(usize, usize) -> f64) {
        let list = self.lists.get(self.lists.len() - 1);
        let values = &mut self.values[self.last..];
        each_pair(list, entries, |k, _, value| values[k] += value);
    }

    /// Removes the row and the column of an unknown.
    pub fn pin(&mut self, unknown: usize) {
        let mut values = self.values.iter_mut();
        for [i, j] in entries(&self.lists) {
            let value = values.next();
            if i as usize == unknown || j as usize == unknown {
                value.into_iter().for_each(|value| *value = 0.0);
            }
        }
    }

    /// How many entries there is room for.
    pub fn room(&self) -> usize {
        self.values.capacity()
    }

    /// The unknowns of each.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The entries, in the order of [`entries`].
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Entries on the diagonal: unknown and value.
    pub fn diagonal(&self) -> impl Iterator<Item = (usize, f64)> {
        let all = entries(&self.lists).zip(&self.values);
        all.filter(|([i, j], _)| i == j).map(|([i, _], value)| (i as usize, *value))
    }
}

/// Hands the lower triangle of the symmetric matrix of these `entries`, of all pairs a ≤ b of places in a `list`, to `each` row by row: its
/// number, the unknowns and what K has of it.
#[inline]
pub fn each_pair(
    list: &[u32], entries: impl Fn(usize, usize) -> f64, mut each: impl FnMut(usize, [u32; 2], f64),
) {
    let mut number = 0;
    for (b, &row) in list.iter().enumerate() {
        for (a, &column) in list[..=b].iter().enumerate() {
            let value = entries(a, b);
            // Both places in the list may be one unknown.
            let value = if row == column && a != b { 2.0 * value } else { value };
            each(number, [row, column], value);
            number += 1;
        }
    }
}

/// The unknowns of each entry of couplings of these lists.
pub fn entries(lists: &Lists) -> impl Iterator<Item = [u32; 2]> {
    lists.iter().flat_map(|list| {
        (0..list.len()).flat_map(move |a| list[..=a].iter().map(move |&j| [list[a], j]))
    })
}
