//! The order of elimination for a pattern of the border.

use std::collections::HashMap;

use super::degree::Graph;
use super::leaves::{Leaf, Leaves};
use super::panel::SIZE;
use super::pivot::Place;
use super::supernodes::Supernodes;
use super::tree::Tree;
use super::{Follower, Frontal, Inside, OUTSIDE, STIFF_PARTS, vectors_alone};
use crate::linear::couplings::{Couplings, Passing, entries};
use crate::linear::entries::Entries;
use crate::linear::layout::{Cost, Layout};
use crate::linear::lists::Lists;
use crate::numerics::lanes::{LANES, ZERO};

/// Room for an order in which something moves, over that for all places at once: where couplings are few or scattered, the order
/// is another one.
const SPARE: usize = 2;

/// A border of up to so many unknowns is narrow.
pub(super) const NARROW: usize = 32;

/// In so many parts, at most, all places of what passes the same are looked at.
const PARTS: usize = 16;

/// What handling a front takes, in multiplications twice over.
const FRONT: f64 = 100.0;

/// What finds an order of elimination; its room serves the next one, too.
#[derive(Debug, Clone, Default)]
pub(super) struct Analysis {
    graph: Graph,
    supernodes: Supernodes,
    /// Unknowns of each vertex, and of those of followers whether they are eliminated in pairs.
    weights: Vec<u32>,
    paired: Vec<bool>,
    /// Vertices that meet a vector of the border, and which.
    vectors: Vec<[u32; 2]>,
    /// Leaves that are eliminated first, by number, and what of the vertices is met by other things than their cliques.
    leaves: Vec<u32>,
    met: Vec<bool>,
    /// The unknown at each place of the order.
    at: Vec<u32>,
    /// The first entry of the border or of couplings in each front, and the next one of each entry.
    first: Vec<u32>,
    next: Vec<u32>,
    /// Where an unknown stands in the present front.
    local: Vec<u32>,
}

impl Analysis {
    /// What finds orders for these `followers`, where each unknown is in a `vertex`.
    pub fn new(followers: &[Follower], vertex: &[u32]) -> Analysis {
        let mut new = Analysis::default();
        let pairs = (0..).zip(followers).flat_map(|(f, follower)| {
            follower.around.iter().map(move |&e| [vertex[e as usize], f])
        });
        new.graph.precede(pairs.collect());
        new
    }

    /// The fronts of vertices that are coupled in `cliques`, with so many `slots` for vectors.
    fn find(&mut self, cliques: &Lists, slots: usize, tree: &mut Tree) {
        let groups = self.graph.minimum_degree(&self.weights, cliques);
        self.supernodes.find(groups, &self.weights, cliques, &self.vectors, slots);
        let weights = (&self.weights[..], &self.paired[..]);
        tree.take(&mut self.supernodes, weights, slots);
    }

    /// Makes so many `times` the room that the present order has taken.
    fn reserve(&mut self, times: usize) {
        self.graph.reserve(times);
        self.supernodes.reserve(times);
    }
}

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
        }
        self.couple_given(&mut analysis.vectors);
        self.choose_leaves(&mut analysis);
        analysis.find(&self.cliques, self.vectors, &mut self.tree);
        self.cliques.truncate(fixed);
        self.number(&analysis.leaves);
        self.aim(&mut analysis);
        self.analysis = analysis;
        self.make_room(Room::Full);
    }

    /// Makes room for any order. An order for all places at once takes more than that for any of them, but for what is left of fronts and
    /// waits: what one front eliminates there may be left of another here, and wait beside what waits there. It is no more than the whole of
    /// the longest front. Where few followers leave their fronts, their vectors are rows of all fronts above, which counts in small ones.
    fn make_room_for_all(&mut self, analysis: &mut Analysis) {
        let fixed = self.cliques.len();
        let moves = !(self.followers.is_empty() && self.passing.is_empty());
        let times = if moves { SPARE } else { 1 };
        // Each vertex may be a front with empty places.
        let vertices = self.members.len();
        let places = self.order + self.width + LANES * vertices;
        let present = (self.vectors, analysis.vectors.len());
        let few = self.width <= NARROW && moves;
        for (all, outside) in [(false, false), (true, false), (true, true)] {
            if outside && !few {
                continue;
            }
            if outside {
                self.put_all_outside(&mut analysis.vectors);
            }
            if all {
                for (f, follower) in (0..).zip(&self.followers) {
                    let reach = follower.reach.iter().map(|&e| self.vertex[e as usize]);
                    self.cliques.add([f].into_iter().chain(reach));
                    self.cliques.end_without_doubles();
                }
                self.couple_all_passing();
            }
            analysis.find(&self.cliques, self.vectors, &mut self.tree);
            self.cliques.truncate(fixed);
            analysis.reserve(times);
            for list in [&mut analysis.at, &mut analysis.local] {
                list.reserve(places + self.vectors);
            }
            self.places.reserve(places);
            self.tree.reserve(times, places);
            self.make_room(Room::Spare { times, places });
            if moves {
                let front = self.tree.longest.div_ceil(LANES).pow(2);
                self.waiting.reserve(self.tree.waiting + front);
            }
        }
        self.vectors = present.0;
        analysis.vectors.truncate(present.1);
        analysis.first.reserve(vertices);
        self.pending.reserve(vertices);
        self.source_start.reserve(vertices + 1);
        let responses = (self.most_raised - STIFF_PARTS) * (places + self.vectors);
        for list in [&mut self.responses, &mut self.motions, &mut self.rounding] {
            list.reserve(responses);
        }
        let others = |leaf: &Leaf| LANES * leaf.shape()[1];
        self.tree.others.reserve(self.leaves.iter().map(others).sum());
        self.tree.leaves.reserve(self.leaves.len());
        analysis.leaves.reserve(self.leaves.len());
        analysis.met.reserve(vertices);
    }

    /// Takes the leaves that neither the border nor a coupling meets, off the vertices.
    fn choose_leaves(&mut self, analysis: &mut Analysis) {
        let Analysis { leaves: chosen, met, weights, .. } = analysis;
        met.clear();
        met.resize(self.members.len(), false);
        for &e in self.pattern.as_flattened().iter().filter(|&&e| (e as usize) < self.order) {
            met[self.vertex[e as usize] as usize] = true;
        }
        chosen.clear();
        let free = (0..).zip(&self.leaves).filter(|(_, leaf)| !met[leaf.vertex as usize]);
        chosen.extend(free.map(|(k, _)| k));
        self.tree.leaves.clear();
        let (mut first, mut start, mut panel) = (0, 0, 0);
        for lanes in quartets(&self.leaves, chosen) {
            let leaf = |k: &u32| &self.leaves[*k as usize];
            let [columns, rows] = leaf(&lanes[0]).shape();
            let left = self.pattern.len();
            for i in 0..rows {
                for k in 0..=i {
                    let met = lanes.iter().map(leaf).map(|leaf| [leaf.others[i], leaf.others[k]]);
                    self.pattern.extend(met);
                }
            }
            lanes.iter().for_each(|k| weights[leaf(k).vertex as usize] = 0);
            let sources = [0; 2];
            let count = lanes.len();
            let leaves = Leaves { columns, rows, count, first, start, panel, sources, left };
            self.tree.leaves.push(leaves);
            (first, start) = (leaves.places().end, start + LANES * rows);
            panel += leaves.size();
        }
        self.given.resize(self.pattern.len(), 0.0);
    }

    /// Adds a column and a row of the border for each border unknown of all followers.
    fn put_all_outside(&mut self, vectors: &mut Vec<[u32; 2]>) {
        for (f, follower) in (0..).zip(&self.followers) {
            let reach = follower.reach.iter().map(|&e| self.vertex[e as usize]);
            // Nodes that others have, too, are no vertices of their own.
            let own = (!self.members[f as usize].is_empty()).then_some(f);
            let met: Vec<u32> = own.into_iter().chain(reach).collect();
            for _ in 0..2 * follower.border().len() {
                let slot = self.vectors as u32;
                self.vectors += 1;
                vectors.extend(met.iter().map(|&vertex| [vertex, slot]));
            }
        }
    }

    /// Unknowns of each vertex: those of followers are one larger for each border unknown inside.
    fn weigh(&mut self, analysis: &mut Analysis) {
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

    /// Adds cliques of all places of what is passing.
    fn couple_all_passing(&mut self) {
        let vertex = |e: &u32| self.vertex[*e as usize];
        for run in self.passing.chunk_by(|a, b| a.reach == b.reach) {
            // A few cliques are found faster than many, and couple more.
            for part in run.chunks(run.len().div_ceil(PARTS)) {
                for passing in part {
                    self.cliques.add(passing.own.iter().map(vertex));
                }
                self.cliques.add(part[0].reach.iter().map(vertex));
                self.cliques.end_without_doubles();
            }
        }
        // As many lists, and as long ones, as there are at a time; they couple nothing more.
        for passing in &self.passing {
            let all = || passing.own.iter().chain(&*passing.reach);
            for _ in 0..passing.most {
                self.cliques.push(all().take(passing.size).map(vertex));
            }
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
        let beside = |unknown: usize| {
            &self.beside[self.beside_start[unknown]..self.beside_start[unknown + 1]]
        };
        self.tree.others.clear();
        for (leaves, lanes) in self.tree.leaves.iter_mut().zip(quartets(&self.leaves, chosen)) {
            for i in 0..leaves.rows {
                let other = |k: u32| self.place[self.leaves[k as usize].others[i] as usize];
                self.tree.others.extend(lanes.iter().map(|&k| other(k)));
                // Where there is no leaf, a place of its own.
                let empty = leaves.first + lanes.len()..leaves.first + LANES;
                self.tree.others.extend(empty.map(|place| place as u32));
            }
            leaves.sources = [self.sources.len(); 2];
            for (lane, &k) in lanes.iter().enumerate() {
                let Leaf { own, others, .. } = &self.leaves[k as usize];
                for (row, &e) in (0..).zip(own.iter().chain(others)) {
                    local[self.place[e as usize] as usize] = row;
                }
                for (column, &e) in own.iter().enumerate() {
                    for &(other, position) in beside(e as usize) {
                        let [p, q] = [e, other].map(|e| self.place[e as usize] as usize);
                        if q >= p {
                            let entry = leaves.entry(local[q] as usize, column);
                            self.sources.push((position, (LANES * entry + lane) as u32));
                        }
                    }
                }
            }
            leaves.sources[1] = self.sources.len();
        }
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
                for &(other, position) in beside(unknown) {
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
    }

    /// Entries of K.
    fn beside_entries(&self) -> usize {
        self.order + (self.beside.len() - self.order) / 2
    }

    /// Gives all lists of numbers the room that the tree needs, or would need.
    fn make_room(&mut self, room: Room) {
        let (times, places) = match room {
            Room::Full => (1, self.tree.front_of.len()),
            Room::Spare { times, places } => (times, places),
        };
        let Tree { tiles, longest, largest, waiting, .. } = self.tree;
        // What is one front in one order may wait in another.
        let waiting = times * times * waiting.max(largest);
        let vectors = vectors_alone(self.vectors).tiles();
        room.give(&mut self.lower, times * tiles + times * times * largest, ZERO);
        room.give(&mut self.waiting, waiting, ZERO);
        room.give(&mut self.products, vectors, ZERO);
        for (list, length) in [
            (&mut self.inverse.diagonal, places),
            (&mut self.inverse.across, places),
            (&mut self.scales, places),
            (&mut self.growth, places + self.vectors),
            (&mut self.work, places + self.vectors),
            (&mut self.gathered, times * longest),
        ] {
            room.give(list, length, 0.0);
        }
    }
}

/// Those of the `leaves` that are chosen, up to four of one shape at a time.
fn quartets<'a>(leaves: &'a [Leaf], chosen: &'a [u32]) -> impl Iterator<Item = &'a [u32]> {
    let shape = |k: u32| leaves[k as usize].shape();
    chosen.chunk_by(move |a, b| shape(*a) == shape(*b)).flat_map(|alike| alike.chunks(LANES))
}

/// How much room lists get.
#[derive(Debug, Clone, Copy)]
enum Room {
    /// As they need now.
    Full,
    /// As they need if fronts have so many `times` the length, and the order so many `places`.
    Spare { times: usize, places: usize },
}

impl Room {
    fn give<T: Clone>(self, list: &mut Vec<T>, length: usize, empty: T) {
        match self {
            Room::Full => list.resize(length, empty),
            Room::Spare { .. } => list.reserve(length),
        }
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
