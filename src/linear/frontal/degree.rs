//! The order of elimination by approximate minimum degree.
//!
//! Amestoy, Davis, Duff 1996: eliminating a vertex couples all its neighbours with each other, as one more clique that
//! takes the place of those that held the vertex. What a clique has beyond the newest one is counted once for
//! all vertices of both, which bounds how many neighbours each of them has.

const NONE: u32 = u32::MAX;

/// Groups of vertices that are eliminated one after the other, those of a group together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Elimination {
    pub vertices: Vec<u32>,
    /// Where each group begins among them; one more than groups.
    pub groups: Vec<usize>,
}

/// An order in which few new couplings arise between vertices that stand for `weights` unknowns each and
/// are coupled in `cliques`.
pub fn minimum_degree(weights: &[u32], cliques: &[Vec<u32>]) -> Elimination {
    let mut graph = Graph::new(weights, cliques);
    let mut found = Elimination {
        vertices: Vec::with_capacity(weights.len()),
        groups: vec![0],
    };
    while let Some(pivot) = graph.next_pivot() {
        graph.eliminate(pivot, &mut found.vertices);
        found.groups.push(found.vertices.len());
    }
    found
}

struct Graph {
    /// Unknowns that a vertex stands for, those joined to it included; 0 once it is gone.
    weights: Vec<u32>,
    /// Unknowns that are left.
    left: u32,
    /// The cliques that hold each vertex.
    holding: Vec<Vec<u32>>,
    /// The vertices of each clique, some of them gone; none where the clique is.
    members: Vec<Vec<u32>>,
    /// Unknowns of each clique, and what of them is not in the newest one.
    sizes: Vec<u32>,
    beyond: Vec<u32>,
    degrees: Vec<u32>,
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
}

impl Graph {
    fn new(weights: &[u32], cliques: &[Vec<u32>]) -> Graph {
        let n = weights.len();
        let left: u32 = weights.iter().sum();
        let size = |c: &Vec<u32>| c.iter().map(|&v| weights[v as usize]).sum();
        let mut graph = Graph {
            weights: weights.to_vec(),
            left,
            holding: vec![Vec::new(); n],
            members: cliques.to_vec(),
            sizes: cliques.iter().map(size).collect(),
            beyond: vec![0; cliques.len()],
            degrees: vec![0; n],
            first: vec![NONE; left as usize + 1],
            next: vec![NONE; n],
            previous: vec![NONE; n],
            least: 0,
            joined: vec![NONE; n],
            last: (0..n as u32).collect(),
            seen: vec![0; n],
            looked: vec![0; cliques.len()],
            turn: 0,
            newest: Vec::new(),
            hashes: Vec::new(),
        };
        for (c, clique) in cliques.iter().enumerate() {
            for &v in clique {
                let holding = &mut graph.holding[v as usize];
                if holding.last() != Some(&(c as u32)) {
                    holding.push(c as u32);
                }
            }
        }
        // Backwards, so that of equal degrees the first vertex comes first.
        for v in (0..n).rev() {
            let around = graph.holding[v].iter();
            let bound: u32 = around
                .map(|&c| graph.sizes[c as usize] - weights[v].min(graph.sizes[c as usize]))
                .sum();
            graph.degrees[v] = bound.min(left - weights[v]);
            if weights[v] > 0 {
                graph.insert(v);
            }
        }
        graph
    }

    fn insert(&mut self, v: usize) {
        let degree = self.degrees[v] as usize;
        let after = std::mem::replace(&mut self.first[degree], v as u32);
        (self.next[v], self.previous[v]) = (after, NONE);
        if after != NONE {
            self.previous[after as usize] = v as u32;
        }
        self.least = self.least.min(degree);
    }

    fn remove(&mut self, v: usize) {
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

    /// Eliminates `pivot` with all that is like it; appends them to `order`.
    fn eliminate(&mut self, pivot: usize, order: &mut Vec<u32>) {
        self.remove(pivot);
        self.form_clique(pivot);
        let clique = self.members.len() as u32;
        let mut weight: u32 = self.newest.iter().map(|&v| self.weights[v as usize]).sum();
        self.measure_others();
        self.take(pivot, order);
        self.hashes.clear();
        for k in 0..self.newest.len() {
            let v = self.newest[k] as usize;
            self.remove(v);
            let (looked, beyond) = (&self.looked, &self.beyond);
            let mut holding = std::mem::take(&mut self.holding[v]);
            let (members, turn) = (&mut self.members, self.turn);
            let mut others = 0;
            holding.retain(|&c| {
                let c = c as usize;
                if members[c].is_empty() {
                    return false;
                }
                debug_assert_eq!(looked[c], turn);
                if beyond[c] == 0 {
                    // All of it is in the newest clique.
                    members[c] = Vec::new();
                    return false;
                }
                others += beyond[c];
                true
            });
            if holding.is_empty() {
                // It has no other neighbours than the newest clique: nothing new arises from it.
                weight -= self.weights[v];
                self.take(v, order);
                continue;
            }
            holding.push(clique);
            let sum: u32 = holding.iter().fold(0, |sum, &c| sum.wrapping_add(c));
            self.hashes.push((sum, v as u32));
            self.holding[v] = holding;
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
        self.members.push(self.newest.clone());
        self.sizes.push(weight);
        self.beyond.push(0);
        self.looked.push(0);
    }

    /// The neighbours of `pivot`, whose cliques go.
    fn form_clique(&mut self, pivot: usize) {
        self.turn += 1;
        self.seen[pivot] = self.turn;
        self.newest.clear();
        for c in std::mem::take(&mut self.holding[pivot]) {
            for v in std::mem::take(&mut self.members[c as usize]) {
                let at = v as usize;
                if self.weights[at] > 0 && self.seen[at] != self.turn {
                    self.seen[at] = self.turn;
                    self.newest.push(v);
                }
            }
        }
    }

    /// What each other clique has beyond the newest one.
    fn measure_others(&mut self) {
        for &v in &self.newest {
            for &c in &self.holding[v as usize] {
                let c = c as usize;
                if self.looked[c] != self.turn {
                    self.looked[c] = self.turn;
                    self.beyond[c] = self.sizes[c];
                }
                self.beyond[c] = self.beyond[c].saturating_sub(self.weights[v as usize]);
            }
        }
    }

    /// Takes `v`, and what is joined to it, out of the graph.
    fn take(&mut self, v: usize, order: &mut Vec<u32>) {
        self.left -= self.weights[v];
        self.weights[v] = 0;
        let mut member = v as u32;
        while member != NONE {
            order.push(member);
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
                if self.weights[i] == 0 {
                    continue;
                }
                for b in a + 1..end {
                    let j = self.hashes[b].1 as usize;
                    if self.weights[j] > 0 && self.holding[i] == self.holding[j] {
                        self.weights[i] += std::mem::take(&mut self.weights[j]);
                        self.joined[self.last[i] as usize] = j as u32;
                        self.last[i] = self.last[j];
                        self.holding[j] = Vec::new();
                    }
                }
            }
            start = end;
        }
    }
}
