//! Room for every order of elimination, taken before the first one.

use super::analysis::Analysis;
use super::leaves::Leaf;
use super::tree::Tree;
use super::{Frontal, STIFF_PARTS, vectors_alone};
use crate::numerics::lanes::{LANES, ZERO};

/// Room for an order in which something moves, over that for all places at once: where couplings are few or scattered, the order
/// is another one.
const SPARE: usize = 2;

/// In so many parts, at most, all places of what passes the same are looked at.
const PARTS: usize = 16;

/// A border of up to so many unknowns is narrow.
pub(super) const NARROW: usize = 32;

impl Frontal {
    /// Makes room for any order. An order for all places at once takes more than that for any of them, but for what is left of fronts and
    /// waits: what one front eliminates there may be left of another here, and wait beside what waits there. It is no more than the whole of
    /// the longest front. Where few followers leave their fronts, their vectors are rows of all fronts above, which counts in small ones.
    pub(super) fn make_room_for_all(&mut self, analysis: &mut Analysis) {
        let fixed = self.cliques.len();
        let moves = !(self.followers.is_empty() && self.passing.is_empty());
        let times = if moves { SPARE } else { 1 };
        // Each vertex may be a front with empty places.
        let vertices = self.members.len();
        let alike = self.leaves.chunk_by(|a, b| a.shape() == b.shape());
        let empty: usize = alike.map(|leaves| LANES * leaves[0].shape()[0]).sum();
        let places = self.order + self.width + LANES * vertices + empty;
        let present = (self.vectors, analysis.vectors.len());
        let few = self.width <= NARROW && moves;
        for (all, outside) in [(false, false), (true, false), (true, true)] {
            if outside && !few || all && !moves {
                continue;
            }
            self.weigh(analysis);
            self.choose_leaves(analysis, !all);
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
        self.gathers.reserve(self.leaves.iter().map(Leaf::entries).sum());
        self.tree.leaves.reserve(self.leaves.len());
        analysis.leaves.reserve(self.leaves.len());
        analysis.met.reserve(vertices);
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

    /// Entries of K.
    pub(super) fn beside_entries(&self) -> usize {
        self.order + (self.beside.entries.len() - self.order) / 2
    }

    /// Gives all lists of numbers the room that the tree needs, or would need.
    pub(super) fn make_room(&mut self, room: Room) {
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

/// How much room lists get.
#[derive(Debug, Clone, Copy)]
pub enum Room {
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
