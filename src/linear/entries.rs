//! The entries of a border.

/// B, C and D of a bordered matrix [K, B; C, D]. C is Bᵀ but for the rows that were given their own entries.
#[derive(Debug, Clone)]
pub struct Entries {
    /// B column by column and C row by row: (interior unknown, value), more than once where they add up.
    columns: Vec<Vec<(usize, f64)>>,
    rows: Vec<Vec<(usize, f64)>>,
    /// Whether row b of C differs from column b of B.
    own_row: Vec<bool>,
    /// D row by row, as above.
    corner: Vec<Vec<(usize, f64)>>,
}

/// Entries of a column for which there is room at first, of a row and of a row of the corner.
const ROOM: [usize; 3] = [64, 128, 8];

impl Entries {
    /// No entries, with room for `room` border unknowns.
    pub fn new(room: usize) -> Entries {
        let [columns, rows, corner] = ROOM.map(|n| vec![Vec::with_capacity(n); room]);
        // A clone of an empty vector has no room.
        let reserve = |mut list: Vec<Vec<(usize, f64)>>, n| {
            list.iter_mut().for_each(|entries| entries.reserve(n));
            list
        };
        Entries {
            columns: reserve(columns, ROOM[0]),
            rows: reserve(rows, ROOM[1]),
            own_row: vec![false; room],
            corner: reserve(corner, ROOM[2]),
        }
    }

    /// How many entries there is room for.
    pub fn room(&self) -> usize {
        let lists = [&self.columns, &self.rows].into_iter().flatten();
        let corner = self.corner.iter().map(Vec::capacity);
        lists.map(Vec::capacity).chain(corner).sum()
    }

    /// Removes every entry.
    pub fn clear(&mut self) {
        (0..self.own_row.len()).for_each(|b| self.clear_unknown(b));
    }

    /// Removes the column and the rows of border unknown `b`.
    pub fn clear_unknown(&mut self, b: usize) {
        self.columns[b].clear();
        self.rows[b].clear();
        self.corner[b].clear();
        self.own_row[b] = false;
    }

    /// Adds to B (interior unknown, border unknown) and, as long as row `b` is not its own, to C.
    #[inline]
    pub fn add_column(&mut self, unknown: usize, b: usize, value: f64) {
        self.columns[b].push((unknown, value));
    }

    /// Row `b` of C no longer follows column `b` of B: it starts from zero.
    pub fn give_own_row(&mut self, b: usize) {
        self.rows[b].clear();
        self.own_row[b] = true;
    }

    /// Adds to C; [`Entries::give_own_row`] must have been called for `b`.
    #[inline]
    pub fn add_row(&mut self, b: usize, unknown: usize, value: f64) {
        self.rows[b].push((unknown, value));
    }

    /// Adds to D.
    #[inline]
    pub fn add_corner(&mut self, b: usize, c: usize, value: f64) {
        self.corner[b].push((c, value));
    }

    /// Removes the row and the column of an interior unknown.
    pub fn pin(&mut self, unknown: usize) {
        for (i, value) in self.columns.iter_mut().chain(&mut self.rows).flatten() {
            if *i == unknown {
                *value = 0.0;
            }
        }
    }

    /// The interior rows with entries in one of the columns or rows `among` these, more than once where there are several.
    pub fn beside(&self, among: impl Iterator<Item = usize>) -> impl Iterator<Item = usize> {
        let entries = |b: usize| self.columns[b].iter().chain(self.row(b));
        among.flat_map(entries).filter(|(_, value)| *value != 0.0).map(|(row, _)| *row)
    }

    /// Column `b` of B.
    pub fn column(&self, b: usize) -> &[(usize, f64)] {
        &self.columns[b]
    }

    /// Row `b` of C.
    pub fn row(&self, b: usize) -> &[(usize, f64)] {
        if self.own_row[b] { &self.rows[b] } else { &self.columns[b] }
    }

    /// Whether row `b` of C differs from column `b` of B.
    pub fn has_own_row(&self, b: usize) -> bool {
        self.own_row[b]
    }

    /// Row `b` of D.
    pub fn corner(&self, b: usize) -> &[(usize, f64)] {
        &self.corner[b]
    }
}
