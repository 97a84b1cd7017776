//! The order of elimination by approximate minimum degree.
//!
//! Amestoy, Davis, Duff 1996: eliminating a vertex couples all its neighbours with each other, as one more clique that
//! takes the place of those that held the vertex. What a clique has beyond the newest one is counted once for
//! all vertices of both, which bounds how many neighbours each of them has.

use std::ops::Range;

use crate::linear::lists::Lists;

const NONE: u32 = u32::MAX;

/// The graph of what is not eliminated yet; its room serves the next order, too.
#[derive(Debug, Clone, Default)]
pub struct Graph {
    /// Unknowns that a vertex stands for, those joined to it included; 0 once it is gone.
    weights: Vec<u32>,
    /// Unknowns that are left.
    left: u32,
    /// The cliques that hold each vertex: where they begin, and how many.
    holding: Vec<u32>,
    held: Vec<[u32; 2]>,
    /// The vertices of each clique, some of them gone.
    members: Lists,
    /// Unknowns of each clique, none where it is gone, and what of them is not in the newest one.
    sizes: Vec<u32>,
    beyond: Vec<u32>,
    degrees: Vec<u32>,
    /// Vertices each of which is eliminated before another one, sorted; and how many have to go before each vertex yet.
    precedence: Vec<[u32; 2]>,
    blocked: Vec<u32>,
    /// Whether a vertex is among those of its degree.
    listed: Vec<bool>,
    /// Vertices of the same degree, linked.
    first: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
    least: usize,
    /// Vertices that are eliminated with each one, linked.
    joined: Vec<u32>,
    last: Vec<u32>,
    /// When a vertex or a clique was last looked at.
    seen: Vec<u32>,
    looked: Vec<u32>,
    turn: u32,
    /// The newest clique, with hashes of the cliques that hold its vertices.
    newest: Vec<u32>,
    hashes: Vec<(u32, u32)>,
    /// Vertices that are eliminated together, in the order of elimination.
    groups: Lists,
}

impl Graph {
    /// Has the first vertex of each pair eliminated before the second one in all orders.
    pub fn precede(&mut self, mut pairs: Vec<[u32; 2]>) {
        pairs.sort_unstable();
        pairs.dedup();
        self.precedence = pairs;
    }

    /// An order in which few new couplings arise between vertices that stand for `weights` unknowns each and
    /// are coupled in `cliques`: groups of vertices that are eliminated one after the other, those of a group together.
    pub fn minimum_degree(&mut self, weights: &[u32], cliques: &Lists) -> &Lists {
        self.take(weights, cliques);
        while let Some(pivot) = self.next_pivot() {
            self.eliminate(pivot);
            self.groups.end(0);
        }
        &self.groups
    }

    /// Makes so many `times` the room that the cliques of the last order have taken.
    pub fn reserve(&mut self, times: usize) {
        self.members.multiply_room(times);
    }

    /// Takes the graph that has these cliques.
    fn take(&mut self, weights: &[u32], cliques: &Lists) {
        let n = weights.len();
        self.weights.clear();
        self.weights.extend(weights);
        self.left = weights.iter().sum();
        self.members.copy_from(cliques);
        self.groups.clear();
        let size = |clique: &[u32]| clique.iter().map(|&v| weights[v as usize]).sum::<u32>();
        self.sizes.clear();
        self.sizes.extend(cliques.iter().map(size));
        (self.least, self.turn) = (0, 0);
        // Each vertex may make one more clique, and a group.
        let refill = |list: &mut Vec<u32>, length: usize, with: u32| {
            list.clear();
            list.reserve(length + n);
            list.resize(length, with);
        };
        self.sizes.reserve(n);
        self.newest.clear();
        self.newest.reserve(n);
        self.hashes.clear();
        self.hashes.reserve(n);
        self.members.reserve(n);
        self.groups.reserve(n);
        for list in [&mut self.beyond, &mut self.looked] {
            refill(list, cliques.len(), 0);
        }
        for list in [&mut self.degrees, &mut self.seen] {
            refill(list, n, 0);
        }
        for list in [&mut self.next, &mut self.previous, &mut self.joined] {
            refill(list, n, NONE);
        }
        refill(&mut self.first, self.left as usize + 1, NONE);
        refill(&mut self.blocked, n, 0);
        self.listed.clear();
        self.listed.resize(n, false);
        for &[before, after] in &self.precedence {
            self.blocked[after as usize] += u32::from(weights[before as usize] > 0);
        }
        self.last.clear();
        self.last.extend(0..n as u32);
        self.take_holding(cliques);
        // Backwards, so that of equal degrees the first vertex comes first.
        for v in (0..n).rev() {
            let around = self.holding(v).iter();
            let bound: u32 = around
                .map(|&c| self.sizes[c as usize] - weights[v].min(self.sizes[c as usize]))
                .sum();
            self.degrees[v] = bound.min(self.left - weights[v]);
            if weights[v] > 0 {
                self.insert(v);
            }
        }
    }

    /// Those that `v` is eliminated before.
    fn after(&self, v: u32) -> Range<usize> {
        let pairs = &self.precedence;
        let begin = pairs.partition_point(|&[before, _]| before < v);
        begin..begin + pairs[begin..].partition_point(|&[before, _]| before == v)
    }

    /// Which cliques hold each vertex.
    fn take_holding(&mut self, cliques: &Lists) {
        self.held.clear();
        self.held.resize(self.weights.len(), [0; 2]);
        for &v in cliques.iter().flatten() {
            self.held[v as usize][1] += 1;
        }
        let mut begin = 0;
        for [first, count] in &mut self.held {
            *first = begin;
            begin += std::mem::take(count);
        }
        self.holding.clear();
        self.holding.resize(begin as usize, 0);
        for (c, clique) in cliques.iter().enumerate() {
            for &v in clique {
                let [first, count] = &mut self.held[v as usize];
                self.holding[(*first + *count) as usize] = c as u32;
                *count += 1;
            }
        }
    }

    fn holding(&self, v: usize) -> &[u32] {
        let [first, count] = self.held[v];
        &self.holding[first as usize..][..count as usize]
    }

    /// Lists `v` among those that may be eliminated, if nothing has to go before it.
    fn insert(&mut self, v: usize) {
        self.listed[v] = self.blocked[v] == 0;
        if !self.listed[v] {
            return;
        }
        let degree = self.degrees[v] as usize;
        let after = std::mem::replace(&mut self.first[degree], v as u32);
        (self.next[v], self.previous[v]) = (after, NONE);
        if after != NONE {
            self.previous[after as usize] = v as u32;
        }
        self.least = self.least.min(degree);
    }

    fn remove(&mut self, v: usize) {
        if !std::mem::take(&mut self.listed[v]) {
            return;
        }
        let (before, after) = (self.previous[v], self.next[v]);
        match before {
            NONE => self.first[self.degrees[v] as usize] = after,
            _ => self.next[before as usize] = after,
        }
        if after != NONE {
            self.previous[after as usize] = before;
        }
    }

    /// A vertex of the least degree.
    fn next_pivot(&mut self) -> Option<usize> {
        while self.least < self.first.len() {
            match self.first[self.least] {
                NONE => self.least += 1,
                v => return Some(v as usize),
            }
        }
        None
    }

    /// Eliminates `pivot` with all that is like it; adds them to the newest group.
    fn eliminate(&mut self, pivot: usize) {
        self.remove(pivot);
        self.form_clique(pivot);
        let clique = self.members.len() as u32;
        let mut weight: u32 = self.newest.iter().map(|&v| self.weights[v as usize]).sum();
        self.measure_others();
        self.leave(pivot);
        self.hashes.clear();
        for k in 0..self.newest.len() {
            let v = self.newest[k] as usize;
            self.remove(v);
            let others = self.keep_others(v);
            if self.held[v][1] == 0 && self.blocked[v] == 0 {
                // It has no other neighbours than the newest clique: nothing new arises from it.
                weight -= self.weights[v];
                self.leave(v);
                continue;
            }
            // A clique that made the newest one held it and is gone: there is room.
            let [first, count] = &mut self.held[v];
            self.holding[(*first + *count) as usize] = clique;
            *count += 1;
            let holding = self.holding(v).iter();
            let sum = holding.fold(0_u32, |sum, &c| sum.wrapping_add(c));
            self.hashes.push((sum, v as u32));
            // What the newest clique adds is known when all of its vertices have been looked at.
            self.degrees[v] = others.min(self.degrees[v]);
        }
        self.join_equal();
        let left = self.left;
        self.newest.retain(|&v| self.weights[v as usize] > 0);
        for k in 0..self.newest.len() {
            let v = self.newest[k] as usize;
            let own = self.weights[v];
            let degree = self.degrees[v].saturating_add(weight - own);
            self.degrees[v] = degree.min(left - own);
            self.insert(v);
        }
        self.members.push(self.newest.iter().copied());
        self.sizes.push(weight);
        self.beyond.push(0);
        self.looked.push(0);
    }

    /// The neighbours of `pivot`, whose cliques go.
    fn form_clique(&mut self, pivot: usize) {
        self.turn += 1;
        self.seen[pivot] = self.turn;
        self.newest.clear();
        let [first, count] = self.held[pivot];
        for &c in &self.holding[first as usize..][..count as usize] {
            if std::mem::take(&mut self.sizes[c as usize]) == 0 {
                continue;
            }
            for &v in self.members.get(c as usize) {
                let at = v as usize;
                if self.weights[at] > 0 && self.seen[at] != self.turn {
                    self.seen[at] = self.turn;
                    self.newest.push(v);
                }
            }
        }
        self.held[pivot][1] = 0;
    }

    /// What each other clique has beyond the newest one.
    fn measure_others(&mut self) {
        for &v in &self.newest {
            let [first, count] = self.held[v as usize];
            for &c in &self.holding[first as usize..][..count as usize] {
                let c = c as usize;
                if self.looked[c] != self.turn {
                    self.looked[c] = self.turn;
                    self.beyond[c] = self.sizes[c];
                }
                self.beyond[c] = self.beyond[c].saturating_sub(self.weights[v as usize]);
            }
        }
    }

    /// Keeps the cliques of `v` that have more than the newest one; returns how much.
    fn keep_others(&mut self, v: usize) -> u32 {
        let [first, count] = self.held[v];
        let (mut kept, mut others) = (first as usize, 0);
        for k in first as usize..(first + count) as usize {
            let c = self.holding[k] as usize;
            if self.sizes[c] == 0 {
                continue;
            }
            if self.beyond[c] == 0 {
                self.sizes[c] = 0;
                continue;
            }
            others += self.beyond[c];
            self.holding[kept] = c as u32;
            kept += 1;
        }
        self.held[v][1] = kept as u32 - first;
        others
    }

    /// Takes `v`, and what is joined to it, out of the graph.
    fn leave(&mut self, v: usize) {
        self.left -= self.weights[v];
        self.weights[v] = 0;
        let mut member = v as u32;
        while member != NONE {
            self.groups.add([member]);
            for k in self.after(member) {
                let after = self.precedence[k][1] as usize;
                self.blocked[after] -= 1;
                // Those of the newest clique are listed when their degrees are known.
                if self.seen[after] != self.turn && self.weights[after] > 0 {
                    self.insert(after);
                }
            }
            member = self.joined[member as usize];
        }
    }

    /// Joins vertices of the newest clique that the same cliques hold.
    fn join_equal(&mut self) {
        self.hashes.sort_unstable();
        let mut start = 0;
        while start < self.hashes.len() {
            let hash = self.hashes[start].0;
            let end = start + self.hashes[start..].partition_point(|(h, _)| *h == hash);
            for a in start..end {
                let i = self.hashes[a].1 as usize;
                if self.weights[i] == 0 || self.blocked[i] > 0 {
                    continue;
                }
                for b in a + 1..end {
                    let j = self.hashes[b].1 as usize;
                    let free = self.weights[j] > 0 && self.blocked[j] == 0;
                    if free && self.holding(i) == self.holding(j) {
                        self.weights[i] += std::mem::take(&mut self.weights[j]);
                        self.joined[self.last[i] as usize] = j as u32;
                        self.last[i] = self.last[j];
                        self.held[j][1] = 0;
                    }
                }
            }
            start = end;
        }
    }
}
