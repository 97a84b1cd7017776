//! Lists one behind the other, which keep their room when they are written anew.

/// Lists of unknowns or vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lists {
    items: Vec<u32>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl Lists {
    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Where list `k` begins.
    fn begin(&self, k: usize) -> usize {
        k.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }

    pub fn get(&self, k: usize) -> &[u32] {
        &self.items[self.begin(k)..self.ends[k] as usize]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len()).map(|k| self.get(k))
    }

    /// Makes room for `more` lists.
    pub fn reserve(&mut self, more: usize) {
        self.ends.reserve(more);
    }

    /// Makes room for `more` items.
    pub fn reserve_items(&mut self, more: usize) {
        self.items.reserve(more);
    }

    /// Makes room for so many `times` the items.
    pub fn multiply_room(&mut self, times: usize) {
        self.items.reserve(times * self.items.len());
    }

    /// Adds to a list that [`Lists::end`] ends.
    pub fn add(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
    }

    /// What has been added since the last list.
    pub fn open(&mut self) -> &mut [u32] {
        let begin = self.begin(self.len());
        &mut self.items[begin..]
    }

    /// Ends the list that has been added to, unless it has fewer than `least` items: then there is none.
    pub fn end(&mut self, least: usize) {
        if self.open().len() < least {
            self.items.truncate(self.begin(self.len()));
        } else {
            self.ends.push(self.items.len() as u32);
        }
    }

    /// Ends the list that has been added to, in rising order and with each item once.
    pub fn end_without_doubles(&mut self) {
        let begin = self.begin(self.len());
        self.items[begin..].sort_unstable();
        let mut kept = begin;
        for k in begin..self.items.len() {
            if k == begin || self.items[k] != self.items[kept - 1] {
                self.items[kept] = self.items[k];
                kept += 1;
            }
        }
        self.items.truncate(kept);
        self.end(0);
    }

    pub fn push(&mut self, items: impl IntoIterator<Item = u32>) {
        self.add(items);
        self.end(0);
    }

    /// Becomes equal to `other` in its own room.
    pub fn copy_from(&mut self, other: &Lists) {
        self.items.clone_from(&other.items);
        self.ends.clone_from(&other.ends);
    }

    /// Keeps the first `count` lists.
    pub fn truncate(&mut self, count: usize) {
        self.items.truncate(self.begin(count));
        self.ends.truncate(count);
    }

    pub fn clear(&mut self) {
        self.truncate(0);
    }
}
