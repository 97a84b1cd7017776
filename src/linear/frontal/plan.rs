//! The order of elimination for a pattern of the border.

use std::collections::HashMap;

use super::degree::minimum_degree;
use super::tree::Tree;
use super::{Follower, Frontal, Inside, OUTSIDE};
use crate::linear::entries::Entries;
use crate::linear::layout::{Cost, Rows};

impl Frontal {
    /// Orders the unknowns for the present pattern of the border. The order depends on nothing else, so what was
    /// factored before does not change a bit of the results.
    pub(super) fn plan(&mut self, border: &Entries) {
        let mut pattern = std::mem::take(&mut self.pattern);
        pattern.clear();
        self.each_entry(border, |pair, _| pattern.push(pair));
        self.pattern = pattern;
        // Vertices of followers are one larger for each border unknown inside.
        let mut weights: Vec<u32> = self.members.iter().map(|list| list.len() as u32).collect();
        let mut vertex = self.vertex.clone();
        vertex.resize(self.order + self.width, OUTSIDE);
        for (f, follower) in self.followers.iter().enumerate() {
            let s = follower.sliding;
            let inside = match self.inside[f] {
                Inside::Nothing => s..s,
                Inside::Multipliers => s + 1..s + 1 + follower.coordinates.len(),
                Inside::All => s..s + 1 + follower.coordinates.len(),
            };
            weights[f] += inside.len() as u32;
            inside.for_each(|b| vertex[self.order + b] = f as u32);
        }
        let fixed = self.cliques.len();
        let slots = (self.order + self.width) as u32;
        let mut around: Vec<Vec<u32>> = (0..self.followers.len() as u32).map(|f| vec![f]).collect();
        let mut vectors = Vec::new();
        for &[a, b] in &self.pattern {
            let at = vertex[a as usize];
            if b >= slots {
                vectors.push([at, b - slots]);
            } else {
                let list = &mut around[vertex[b as usize] as usize];
                if !list.contains(&at) {
                    list.push(at);
                }
            }
        }
        self.cliques
            .extend(around.into_iter().filter(|list| list.len() > 1));
        let elimination = minimum_degree(&weights, &self.cliques);
        self.tree = Tree::new(
            &elimination,
            &weights,
            &self.cliques,
            &vectors,
            self.vectors,
        );
        self.cliques.truncate(fixed);
        self.number();
        self.aim();
        self.make_room();
    }

    /// Numbers the unknowns of each vertex: each coordinate of a follower before its multiplier, s last.
    fn number(&mut self) {
        self.place.clear();
        self.place.resize(self.order + self.width, OUTSIDE);
        self.pairs.clear();
        self.pairs.resize(self.tree.front_of.len(), false);
        let mut next = 0;
        for &v in &self.tree.order {
            let v = v as usize;
            let mut put = |unknown: usize| {
                self.place[unknown] = next;
                next += 1;
                next as usize - 1
            };
            let inside = self.inside.get(v).copied().unwrap_or(Inside::Nothing);
            if inside == Inside::Nothing {
                for &e in &self.members[v] {
                    put(e as usize);
                }
                continue;
            }
            let s = self.order + self.followers[v].sliding;
            for (&e, multiplier) in self.members[v].iter().zip(s + 1..) {
                self.pairs[put(e as usize)] = true;
                put(multiplier);
            }
            if inside == Inside::All {
                put(s);
            }
        }
    }

    /// Finds where entries go.
    fn aim(&mut self) {
        let tree = &self.tree;
        let unknowns = tree.front_of.len();
        let slots = self.order + self.width;
        let place = |unknown: u32| {
            let unknown = unknown as usize;
            let vector = || unknowns + unknown - slots;
            self.place.get(unknown).map_or_else(vector, |&p| p as usize)
        };
        let mut at = vec![OUTSIDE; unknowns];
        for (unknown, &p) in self.place.iter().enumerate() {
            if p != OUTSIDE {
                at[p as usize] = unknown as u32;
            }
        }
        // Entries of the border, linked front by front.
        let mut first = vec![OUTSIDE; tree.fronts.len()];
        let mut next = vec![OUTSIDE; self.pattern.len()];
        for (k, &[a, b]) in self.pattern.iter().enumerate().rev() {
            let front = tree.front_of[place(a).min(place(b))] as usize;
            next[k] = std::mem::replace(&mut first[front], k as u32);
        }
        let values = self.beside_entries();
        let mut local = vec![0; unknowns + self.vectors];
        self.sources.clear();
        self.source_start.clear();
        self.source_start.push(0);
        for (front, &border) in tree.fronts.iter().zip(&first) {
            let length = front.columns + front.rows;
            for c in 0..front.columns {
                local[front.first + c] = c;
            }
            let rows = &tree.rows[front.start..front.start + front.rows];
            for (r, &row) in rows.iter().enumerate() {
                local[row as usize] = front.columns + r;
            }
            for c in 0..front.columns {
                let p = front.first + c;
                let unknown = at[p] as usize;
                if unknown >= self.order {
                    continue;
                }
                let range = self.beside_start[unknown]..self.beside_start[unknown + 1];
                for &(other, position) in &self.beside[range] {
                    let q = self.place[other as usize] as usize;
                    if q >= p {
                        self.sources
                            .push((position, (c * length + local[q]) as u32));
                    }
                }
            }
            let mut k = border;
            while k != OUTSIDE {
                let [a, b] = self.pattern[k as usize].map(place);
                let (column, row) = (a.min(b) - front.first, local[a.max(b)]);
                let source = values + k as usize;
                self.sources
                    .push((source as u32, (column * length + row) as u32));
                k = next[k as usize];
            }
            self.source_start.push(self.sources.len());
        }
    }

    /// Entries of K.
    fn beside_entries(&self) -> usize {
        self.order + (self.beside.len() - self.order) / 2
    }

    fn make_room(&mut self) {
        let unknowns = self.tree.front_of.len();
        self.lower.resize(self.tree.entries, 0.0);
        self.inverse.resize(unknowns);
        self.scales.resize(unknowns, 0.0);
        self.waiting.resize(self.tree.waiting, 0.0);
        self.pending.reserve(self.tree.fronts.len());
        self.rest.resize(self.tree.largest, 0.0);
        self.panel.reserve(self.tree.longest);
        self.products.resize(self.vectors * self.vectors, 0.0);
        self.work.resize(unknowns + self.vectors, 0.0);
        self.gathered.resize(self.tree.longest, 0.0);
    }
}

/// What a factorisation of K alone takes.
pub fn cost(rows: &Rows) -> Cost {
    let (vertex, members) = vertices(rows, &[], &[]);
    let weights: Vec<u32> = members.iter().map(|list| list.len() as u32).collect();
    let cliques = among_vertices(&rows.cliques, &vertex);
    let elimination = minimum_degree(&weights, &cliques);
    let tree = Tree::new(&elimination, &weights, &cliques, &[], 0);
    Cost {
        entries: tree.entries,
        work: tree.work,
    }
}

/// The cliques of unknowns in terms of vertices.
pub(super) fn among_vertices(cliques: &[Vec<u32>], vertex: &[u32]) -> Vec<Vec<u32>> {
    let of = |clique: &Vec<u32>| {
        let mut list: Vec<u32> = clique.iter().map(|&e| vertex[e as usize]).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    cliques.iter().map(of).collect()
}

/// The vertex of each interior unknown, and the unknowns of each vertex: those of free followers come first, then
/// unknowns that are in the same cliques.
pub(super) fn vertices(
    rows: &Rows,
    followers: &[Follower],
    free: &[bool],
) -> (Vec<u32>, Vec<Vec<u32>>) {
    let mut vertex = vec![OUTSIDE; rows.order()];
    let mut members = vec![Vec::new(); followers.len()];
    for (f, follower) in followers.iter().enumerate().filter(|(f, _)| free[*f]) {
        for &e in follower.coordinates.iter().flatten() {
            vertex[e] = f as u32;
            members[f].push(e as u32);
        }
    }
    let mut holding: Vec<Vec<u32>> = vec![Vec::new(); rows.order()];
    for (c, clique) in rows.cliques.iter().enumerate() {
        clique
            .iter()
            .for_each(|&e| holding[e as usize].push(c as u32));
    }
    let mut found: HashMap<&[u32], u32> = HashMap::new();
    for e in 0..rows.order() {
        if vertex[e] != OUTSIDE {
            continue;
        }
        // What no clique holds is alike to nothing.
        let v = if holding[e].is_empty() {
            members.len() as u32
        } else {
            *found.entry(&holding[e]).or_insert(members.len() as u32)
        };
        if v as usize == members.len() {
            members.push(Vec::new());
        }
        vertex[e] = v;
        members[v as usize].push(e as u32);
    }
    (vertex, members)
}
