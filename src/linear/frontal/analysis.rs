//! What finds an order of elimination.

use super::Follower;
use super::degree::Graph;
use super::supernodes::Supernodes;
use super::tree::Tree;
use crate::linear::lists::Lists;

/// What finds an order of elimination; its room serves the next one, too.
#[derive(Debug, Clone, Default)]
pub struct Analysis {
    graph: Graph,
    supernodes: Supernodes,
    /// Unknowns of each vertex, and of those of followers whether they are eliminated in pairs.
    pub weights: Vec<u32>,
    pub paired: Vec<bool>,
    /// Vertices that meet a vector of the border, and which.
    pub vectors: Vec<[u32; 2]>,
    /// Leaves that are eliminated first, by number, and what of the vertices is met by other things than their cliques.
    pub leaves: Vec<u32>,
    pub met: Vec<bool>,
    /// The unknown at each place of the order.
    pub at: Vec<u32>,
    /// The first entry of the border or of couplings in each front, and the next one of each entry.
    pub first: Vec<u32>,
    pub next: Vec<u32>,
    /// Where an unknown stands in the present front.
    pub local: Vec<u32>,
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
    pub fn find(&mut self, cliques: &Lists, slots: usize, tree: &mut Tree) {
        let groups = self.graph.minimum_degree(&self.weights, cliques);
        self.supernodes.find(groups, &self.weights, cliques, &self.vectors, slots);
        let weights = (&self.weights[..], &self.paired[..]);
        tree.take(&mut self.supernodes, weights, slots);
    }

    /// Makes so many `times` the room that the present order has taken.
    pub fn reserve(&mut self, times: usize) {
        self.graph.reserve(times);
        self.supernodes.reserve(times);
    }
}
