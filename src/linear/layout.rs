//! Where the entries of a symmetric matrix stand.

use std::sync::Arc;

/// Where the entries of a symmetric matrix stand, its lower triangle row by row; its clones share it.
#[derive(Debug, Clone)]
pub struct Layout {
    /// Rows that are coupled with each other.
    pub cliques: Arc<[Vec<u32>]>,
    /// Position of each row's first entry; one more than rows.
    start: Arc<[usize]>,
    /// Column of each entry, rising within a row; the last is the diagonal.
    columns: Arc<[u32]>,
}

impl Layout {
    /// The entries in which the rows of one of the `cliques` meet, and every diagonal one, of a matrix of `order`.
    pub fn of(order: usize, cliques: Vec<Vec<u32>>) -> Layout {
        let mut holding: Vec<Vec<u32>> = vec![Vec::new(); order];
        for (c, clique) in cliques.iter().enumerate() {
            clique.iter().for_each(|&i| holding[i as usize].push(c as u32));
        }
        let (mut start, mut columns, mut row) = (vec![0], Vec::new(), Vec::new());
        for (i, holding) in holding.iter().enumerate() {
            row.push(i as u32);
            for &c in holding {
                let others = cliques[c as usize].iter().copied();
                row.extend(others.filter(|&j| (j as usize) < i));
            }
            row.sort_unstable();
            row.dedup();
            columns.append(&mut row);
            start.push(columns.len());
        }
        Layout { cliques: cliques.into(), start: start.into(), columns: columns.into() }
    }

    /// Number of rows.
    pub fn order(&self) -> usize {
        self.start.len() - 1
    }

    /// Number of stored entries.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.order() == 0
    }

    /// Position of entry (i, j), in either triangle; it must be among the entries.
    pub fn position(&self, i: usize, j: usize) -> usize {
        self.find(i, j).expect("an entry of the pattern")
    }

    /// Position of entry (i, j) if it is among the entries.
    pub fn find(&self, i: usize, j: usize) -> Option<usize> {
        let (row, column) = (i.max(j), i.min(j) as u32);
        let first = self.start[row];
        let columns = &self.columns[first..self.start[row + 1]];
        columns.binary_search(&column).ok().map(|place| first + place)
    }

    /// Position of the diagonal entry of row `i`.
    pub fn diagonal(&self, i: usize) -> usize {
        self.start[i + 1] - 1
    }

    /// Every entry: row, column and position.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize, usize)> {
        (0..self.order()).flat_map(move |i| {
            (self.start[i]..self.start[i + 1]).map(move |k| (i, self.columns[k] as usize, k))
        })
    }
}

/// What a factorisation takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Entries of L.
    pub entries: usize,
    /// Multiplications, twice over.
    pub work: f64,
}
