//! The order of elimination for a pattern of the border.

use std::collections::HashMap;

use super::analysis::Analysis;
use super::choice::quartets;
use super::leaves::Leaf;
use super::panel::SIZE;
use super::pivot::Place;
use super::room::Room;
use super::tree::Tree;
use super::{Follower, Frontal, Inside, OUTSIDE};
use crate::linear::couplings::{Couplings, Passing, entries};
use crate::linear::entries::Entries;
use crate::linear::layout::{Cost, Layout};
use crate::linear::lists::Lists;
use crate::numerics::lanes::LANES;

/// What handling a front takes, in multiplications twice over.
const FRONT: f64 = 100.0;

impl Frontal {
    /// Orders the unknowns for the present pattern of the border and couplings. The order depends on nothing else, so what was
    /// factored before does not change a bit of the results.
    pub(super) fn plan(&mut self, border: &Entries, couplings: &Couplings) {
        let is_first = self.tree.vectors.is_none();
        let mut pattern = std::mem::take(&mut self.pattern);
        pattern.clear();
        if is_first {
            let left: usize = self.leaves.iter().map(Leaf::left).sum();
            let room = border.room() + couplings.room() + left;
            pattern.reserve(room);
            Passing::reserve(&self.passing, &mut self.coupled);
            self.given.reserve(room);
            self.sources.reserve(self.beside_entries() + room);
            self.analysis.vectors.reserve(room);
            self.analysis.next.reserve(room);
        }
        self.each_entry(border, |pair, _| pattern.push(pair));
        self.in_border = pattern.len();
        pattern.extend(entries(couplings.lists()));
        self.in_pattern = pattern.len();
        self.pattern = pattern;
        self.coupled.copy_from(couplings.lists());
        let mut analysis = std::mem::take(&mut self.analysis);
        self.weigh(&mut analysis);
        let fixed = self.cliques.len();
        if is_first {
            self.couple_given(&mut analysis.vectors);
            self.cliques.truncate(fixed);
            self.make_room_for_all(&mut analysis);
            self.weigh(&mut analysis);
        }
        self.couple_given(&mut analysis.vectors);
        self.choose_leaves(&mut analysis, true);
        analysis.find(&self.cliques, self.vectors, &mut self.tree);
        self.cliques.truncate(fixed);
        self.number(&analysis.leaves);
        self.aim(&mut analysis);
        self.analysis = analysis;
        self.make_room(Room::Full);
    }

    /// Unknowns of each vertex: those of followers are one larger for each border unknown inside.
    pub(super) fn weigh(&mut self, analysis: &mut Analysis) {
        let Analysis { weights, paired, .. } = analysis;
        paired.clear();
        let pairs = self.inside.iter().zip(&self.followers);
        paired.extend(pairs.map(|(inside, own)| *inside != Inside::Nothing && own.is_paired()));
        weights.clear();
        weights.extend(self.members.iter().map(|list| list.len() as u32));
        self.vertex[self.order..].fill(OUTSIDE);
        for (f, follower) in self.followers.iter().enumerate() {
            let inside = match self.inside[f] {
                Inside::Nothing => 0..0,
                Inside::Multipliers => follower.multipliers.clone(),
                Inside::All => follower.border(),
            };
            weights[f] += inside.len() as u32;
            inside.for_each(|b| self.vertex[self.order + b] = f as u32);
        }
    }

    /// Adds a clique for each follower, of all that it is coupled with, and for each coupling, and finds what meets
    /// `vectors`.
    fn couple_given(&mut self, vectors: &mut Vec<[u32; 2]>) {
        vectors.clear();
        let slots = (self.order + self.width) as u32;
        // The entries of a follower stand together.
        let mut present = OUTSIDE;
        for &[a, b] in &self.pattern[..self.in_border] {
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
        for coupling in self.coupled.iter() {
            let among = coupling.iter().map(|&e| self.vertex[e as usize]);
            self.cliques.add(among);
            self.cliques.end_without_doubles();
        }
    }

    /// Numbers the unknowns of the chosen leaves, and of each vertex: each coordinate of a follower right before its multiplier, s last.
    fn number(&mut self, chosen: &[u32]) {
        self.place.clear();
        self.place.resize(self.order + self.width, OUTSIDE);
        self.places.clear();
        self.places.resize(self.tree.front_of.len(), Place::Empty);
        for (leaves, lanes) in self.tree.leaves.iter().zip(quartets(&self.leaves, chosen)) {
            for (lane, &k) in lanes.iter().enumerate() {
                let places = leaves.places().skip(lane).step_by(LANES);
                for (&e, place) in self.leaves[k as usize].own.iter().zip(places) {
                    self.place[e as usize] = place as u32;
                    self.places[place] = Place::Alone;
                }
            }
        }
        for &v in &self.tree.order {
            let mut next = self.tree.place_of(v);
            let v = v as usize;
            let mut put = |unknown: usize, place: Place| {
                self.place[unknown] = next;
                self.places[next as usize] = place;
                next += 1;
            };
            let inside = self.inside.get(v).copied().unwrap_or(Inside::Nothing);
            if inside == Inside::Nothing {
                for &e in &self.members[v] {
                    put(e as usize, Place::Alone);
                }
                continue;
            }
            let follower = &self.followers[v];
            for (i, b) in follower.multipliers.clone().enumerate() {
                if let Some(&e) = self.members[v].get(i) {
                    put(e as usize, Place::First);
                }
                put(self.order + b, Place::Alone);
            }
            if let (Some(s), Inside::All) = (follower.sliding, inside) {
                put(self.order + s, Place::Alone);
            }
        }
    }

    /// Finds where entries go.
    fn aim(&mut self, analysis: &mut Analysis) {
        let unknowns = self.tree.front_of.len();
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
        let Analysis { at, first, next, local, leaves: chosen, .. } = analysis;
        refill(at, unknowns);
        refill(first, self.tree.fronts.len());
        refill(next, self.pattern.len());
        refill(local, unknowns + self.vectors);
        for (unknown, &p) in self.place.iter().enumerate() {
            if p != OUTSIDE {
                at[p as usize] = unknown as u32;
            }
        }
        self.sources.clear();
        // Entries of the border and of couplings and of what leaves leave, linked front by front.
        let tree = &self.tree;
        for (k, &[a, b]) in self.pattern.iter().enumerate().rev() {
            let front = tree.front_of[place(a).min(place(b))] as usize;
            next[k] = std::mem::replace(&mut first[front], k as u32);
        }
        self.source_start.clear();
        for (front, &border) in tree.fronts.iter().zip(&*first) {
            let shape = front.shape;
            for c in 0..shape.columns {
                local[front.first + c] = c as u32;
            }
            let rows = &tree.rows[front.start..front.start + shape.rows];
            for (r, &row) in rows.iter().enumerate() {
                local[row as usize] = (shape.columns + r) as u32;
            }
            let begin = self.sources.len();
            for c in 0..shape.columns {
                let p = front.first + c;
                let unknown = at[p] as usize;
                if unknown >= self.order {
                    continue;
                }
                for &(other, position) in self.beside.row(unknown) {
                    let q = self.place[other as usize] as usize;
                    if q >= p {
                        let target = shape.entry(local[q] as usize, c);
                        self.sources.push((position, target as u32));
                    }
                }
            }
            let given = self.sources.len();
            let mut k = border;
            while k != OUTSIDE {
                let [a, b] = self.pattern[k as usize].map(place);
                let target = shape.entry(local[a.max(b)] as usize, a.min(b) - front.first);
                self.sources.push((k, target as u32));
                k = next[k as usize];
            }
            self.source_start.push([begin, given]);
        }
        self.source_start.push([self.sources.len(); 2]);
        self.aim_leaves(chosen, local);
    }
}

/// What a factorisation of K with the multipliers of `pins` takes, beside so many other unknowns of the border.
pub fn cost(rows: &Layout, pins: &[Follower], border: usize) -> Cost {
    let (vertex, members) = vertices(rows, pins, &free(pins, rows.order()), &[]);
    let mut analysis = Analysis::new(pins, &vertex);
    let inside = |v: usize| pins.get(v).map_or(0, |pin| pin.multipliers.len());
    let sizes = (members.iter().enumerate()).map(|(v, list)| (list.len() + inside(v)) as u32);
    analysis.weights.extend(sizes);
    analysis.paired.extend(pins.iter().map(Follower::is_paired));
    let mut cliques = among_vertices(&rows.cliques, &vertex);
    for (f, pin) in (0..).zip(pins) {
        cliques.add([f].into_iter().chain(pin.reach.iter().map(|&e| vertex[e as usize])));
        cliques.end_without_doubles();
    }
    let mut tree = Tree::default();
    analysis.find(&cliques, 0, &mut tree);
    let entries = SIZE * tree.tiles;
    Cost {
        entries,
        work: tree.work + FRONT * tree.fronts.len() as f64 + of_border(entries, border),
    }
}

/// Multiplications, twice over, that a border of this `width` takes beside a factor of so many `entries`.
fn of_border(entries: usize, width: usize) -> f64 {
    let (entries, width) = (entries as f64, width as f64);
    2.0 * entries * width + 2.0 * width.powi(3) / 3.0
}

/// Which followers have all their coordinates for themselves.
pub(super) fn free(followers: &[Follower], order: usize) -> Vec<bool> {
    let mut taken = vec![false; order];
    let free = followers.iter().map(|follower| {
        let own = || follower.coordinates.iter().flatten();
        let free = follower.coordinates.iter().all(Option::is_some) && own().all(|&e| !taken[e]);
        if free {
            own().for_each(|&e| taken[e] = true);
        }
        free
    });
    free.collect()
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
/// unknowns that are in the same cliques and alike among what is passing and what it passes.
pub(super) fn vertices(
    rows: &Layout, followers: &[Follower], free: &[bool], passing: &[Passing],
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
        clique.iter().for_each(|&e| holding[e as usize].push(c as u32));
    }
    let mut mark = rows.cliques.len() as u32;
    for run in passing.chunk_by(|a, b| a.reach == b.reach) {
        for list in run.iter().map(|passing| &passing.own[..]).chain([&*run[0].reach]) {
            list.iter().for_each(|&e| holding[e as usize].push(mark));
            mark += 1;
        }
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
