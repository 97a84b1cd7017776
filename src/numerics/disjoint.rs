//! Sets that are joined step by step.

/// A partition of 0 … n − 1 into disjoint sets (union-find with path halving).
#[derive(Debug, Clone)]
pub struct DisjointSets(Vec<usize>);

impl DisjointSets {
    /// Every element by itself.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets((0..count).collect())
    }

    /// What stands for the set of an element: its smallest element.
    pub fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    /// Makes one set of those of `a` and `b`.
    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The number of each element's set; the sets are counted from 0 in the order of their smallest
    /// elements.
    pub fn numbers(&mut self) -> Vec<usize> {
        let mut number: Vec<usize> = Vec::with_capacity(self.0.len());
        let mut sets = 0;
        for i in 0..self.0.len() {
            // A root comes before all others of its set.
            let root = self.root(i);
            if root == i {
                number.push(sets);
                sets += 1;
            } else {
                number.push(number[root]);
            }
        }
        number
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_of_one_set_where_a_chain_of_joins_connects_them() {
        let mut sets = DisjointSets::new(7);
        for (a, b) in [(5, 4), (1, 3), (3, 5), (6, 2)] {
            sets.join(a, b);
        }
        assert_eq!(sets.numbers(), [0, 1, 2, 1, 1, 1, 2]);
        assert_eq!(sets.root(4), 1);
    }
}
