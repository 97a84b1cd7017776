//! The order of elimination for a pattern of the border.

use std::collections::HashMap;

use super::degree::Graph;
use super::lists::Lists;
use super::supernodes::Supernodes;
use super::tree::Tree;
use super::{Follower, Frontal, Inside, OUTSIDE, STIFF_PARTS};
use crate::linear::entries::Entries;
use crate::linear::layout::{Cost, Rows};

/// What finds an order of elimination; its room serves the next one, too.
#[derive(Debug, Clone, Default)]
pub(super) struct Analysis {
    graph: Graph,
    supernodes: Supernodes,
    /// Unknowns of each vertex.
    weights: Vec<u32>,
    /// Vertices that meet a vector of the border, and which.
    vectors: Vec<[u32; 2]>,
    /// The unknown at each place of the order.
    at: Vec<u32>,
    /// The first entry of the border in each front, and the next one of each entry.
    first: Vec<u32>,
    next: Vec<u32>,
    /// Where an unknown stands in the present front.
    local: Vec<u32>,
}

impl Analysis {
    /// The fronts of vertices that are coupled in `cliques`, with so many `slots` for vectors.
    fn find(&mut self, cliques: &Lists, slots: usize, tree: &mut Tree) {
        let groups = self.graph.minimum_degree(&self.weights, cliques);
        self.supernodes
            .find(groups, &self.weights, cliques, &self.vectors, slots);
        tree.take(&mut self.supernodes, &self.weights, slots);
    }
}

impl Frontal {
    /// Orders the unknowns for the present pattern of the border. The order depends on nothing else, so what was
    /// factored before does not change a bit of the results.
    pub(super) fn plan(&mut self, border: &Entries) {
        let is_first = self.tree.vectors.is_none();
        let mut pattern = std::mem::take(&mut self.pattern);
        pattern.clear();
        if is_first {
            let room = border.room();
            pattern.reserve(room);
            self.given.reserve(room);
            self.sources.reserve(self.beside_entries() + room);
            self.analysis.vectors.reserve(room);
            self.analysis.next.reserve(room);
        }
        self.each_entry(border, |pair, _| pattern.push(pair));
        self.pattern = pattern;
        let mut analysis = std::mem::take(&mut self.analysis);
        self.weigh(&mut analysis.weights);
        let fixed = self.cliques.len();
        if is_first {
            // An order for all places of the sliders at once takes more room than that for any of them.
            self.couple_border(&mut analysis.vectors);
            self.cliques.truncate(fixed);
            for (f, follower) in (0..).zip(&self.followers) {
                let reach = follower.reach.iter().map(|&e| self.vertex[e as usize]);
                self.cliques.add([f].into_iter().chain(reach));
                self.cliques.end_without_doubles();
            }
            analysis.find(&self.cliques, self.vectors, &mut self.tree);
            self.cliques.truncate(fixed);
            // Each vertex may be a front.
            let vertices = self.members.len();
            analysis.first.reserve(vertices);
            self.pending.reserve(vertices);
            self.source_start.reserve(vertices + 1);
            self.make_room(Vec::reserve);
            let responses =
                (self.most_raised - STIFF_PARTS) * (self.tree.front_of.len() + self.vectors);
            for list in [&mut self.responses, &mut self.motions, &mut self.rounding] {
                list.reserve(responses);
            }
        }
        self.couple_border(&mut analysis.vectors);
        analysis.find(&self.cliques, self.vectors, &mut self.tree);
        self.cliques.truncate(fixed);
        self.number();
        self.aim(&mut analysis);
        self.analysis = analysis;
        self.make_room(|list, length| list.resize(length, 0.0));
    }

    /// Unknowns of each vertex: those of followers are one larger for each border unknown inside.
    fn weigh(&mut self, weights: &mut Vec<u32>) {
        weights.clear();
        weights.extend(self.members.iter().map(|list| list.len() as u32));
        self.vertex[self.order..].fill(OUTSIDE);
        for (f, follower) in self.followers.iter().enumerate() {
            let s = follower.sliding;
            let inside = match self.inside[f] {
                Inside::Nothing => s..s,
                Inside::Multipliers => s + 1..s + 1 + follower.coordinates.len(),
                Inside::All => s..s + 1 + follower.coordinates.len(),
            };
            weights[f] += inside.len() as u32;
            inside.for_each(|b| self.vertex[self.order + b] = f as u32);
        }
    }

    /// Adds a clique for each follower, of all that it is coupled with, and finds what meets `vectors`.
    fn couple_border(&mut self, vectors: &mut Vec<[u32; 2]>) {
        vectors.clear();
        let slots = (self.order + self.width) as u32;
        // The entries of a follower stand together.
        let mut present = OUTSIDE;
        for &[a, b] in &self.pattern {
            let at = self.vertex[a as usize];
            if b >= slots {
                vectors.push([at, b - slots]);
                continue;
            }
            let follower = self.vertex[b as usize];
            if follower != present {
                self.cliques.end(2);
                self.cliques.add([follower]);
                present = follower;
            }
            if !self.cliques.open().contains(&at) {
                self.cliques.add([at]);
            }
        }
        self.cliques.end(2);
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
    fn aim(&mut self, analysis: &mut Analysis) {
        let tree = &self.tree;
        let unknowns = tree.front_of.len();
        let slots = self.order + self.width;
        let place = |unknown: u32| {
            let unknown = unknown as usize;
            let vector = || unknowns + unknown - slots;
            self.place.get(unknown).map_or_else(vector, |&p| p as usize)
        };
        let refill = |list: &mut Vec<u32>, length: usize| {
            list.clear();
            list.resize(length, OUTSIDE);
        };
        let Analysis {
            at,
            first,
            next,
            local,
            ..
        } = analysis;
        refill(at, unknowns);
        refill(first, tree.fronts.len());
        refill(next, self.pattern.len());
        refill(local, unknowns + self.vectors);
        for (unknown, &p) in self.place.iter().enumerate() {
            if p != OUTSIDE {
                at[p as usize] = unknown as u32;
            }
        }
        // Entries of the border, linked front by front.
        for (k, &[a, b]) in self.pattern.iter().enumerate().rev() {
            let front = tree.front_of[place(a).min(place(b))] as usize;
            next[k] = std::mem::replace(&mut first[front], k as u32);
        }
        let values = self.beside_entries();
        self.sources.clear();
        self.source_start.clear();
        self.source_start.push(0);
        for (front, &border) in tree.fronts.iter().zip(&*first) {
            let length = front.columns + front.rows;
            for c in 0..front.columns {
                local[front.first + c] = c as u32;
            }
            let rows = &tree.rows[front.start..front.start + front.rows];
            for (r, &row) in rows.iter().enumerate() {
                local[row as usize] = (front.columns + r) as u32;
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
                            .push((position, (c * length) as u32 + local[q]));
                    }
                }
            }
            let mut k = border;
            while k != OUTSIDE {
                let [a, b] = self.pattern[k as usize].map(place);
                let (column, row) = (a.min(b) - front.first, local[a.max(b)]);
                let source = values + k as usize;
                self.sources
                    .push((source as u32, (column * length) as u32 + row));
                k = next[k as usize];
            }
            self.source_start.push(self.sources.len());
        }
    }

    /// Entries of K.
    fn beside_entries(&self) -> usize {
        self.order + (self.beside.len() - self.order) / 2
    }

    /// Gives all lists of numbers the room that the tree needs.
    fn make_room(&mut self, give: fn(&mut Vec<f64>, usize)) {
        let unknowns = self.tree.front_of.len();
        self.panel.reserve(self.tree.longest);
        for (list, length) in [
            (&mut self.lower, self.tree.entries),
            (&mut self.inverse.diagonal, unknowns),
            (&mut self.inverse.across, unknowns),
            (&mut self.scales, unknowns),
            (&mut self.waiting, self.tree.waiting),
            (&mut self.rest, self.tree.largest),
            (&mut self.products, self.vectors * self.vectors),
            (&mut self.work, unknowns + self.vectors),
            (&mut self.gathered, self.tree.longest),
        ] {
            give(list, length);
        }
    }
}

/// What a factorisation of K alone takes.
pub fn cost(rows: &Rows) -> Cost {
    let (vertex, members) = vertices(rows, &[], &[]);
    let mut analysis = Analysis::default();
    let sizes = members.iter().map(|list| list.len() as u32);
    analysis.weights.extend(sizes);
    let mut tree = Tree::default();
    analysis.find(&among_vertices(&rows.cliques, &vertex), 0, &mut tree);
    Cost {
        entries: tree.entries,
        work: tree.work,
    }
}

/// The cliques of unknowns in terms of vertices.
pub(super) fn among_vertices(cliques: &[Vec<u32>], vertex: &[u32]) -> Lists {
    let mut all = Lists::default();
    for clique in cliques {
        all.add(clique.iter().map(|&e| vertex[e as usize]));
        all.end_without_doubles();
    }
    all
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
