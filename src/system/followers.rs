//! Which nodes follow something: sliders their paths, and nodes that pins tie to others.
//!
//! Of several sliders at one point the first is eliminated with the point, each other one with the node that carries its path most in the initial configuration:
//! the more paths cross at a point, the less it moves along any of them.
//!
//! The two multipliers of a pin stand beside an identity in the rows of either node that it ties. From the ground, from sliders, or from a body of what
//! floats, each node is eliminated with the pin that leads to it from there. The pins that are left close loops. Where there are many, their
//! multipliers are eliminated behind all nodes around the loop.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Slider;
use super::terms::pins::Pin;
use crate::linear::Follower;
use crate::nodes::Node;

/// Multipliers of loops that stay in the border, whose elimination with complete pivoting finds redundant ones most reliably. It takes the
/// third power of their number, the elimination behind the nodes of each loop the first.
const FEW_LOOPS: usize = 32;

/// Y₁ and Y₂ of a node.
type Place = [usize; 2];

/// The followers among `sliders` and `pins`, as they come in the border, where `equation` has the place of each free unknown and `initial` the s
/// at which each slider initially is. Pins that press hinges have rows of their own and are none.
pub(super) fn of(
    sliders: &[Slider], pins: &[Pin], equation: impl Fn(usize) -> Option<usize>,
    initial: impl Fn(&Slider) -> f64,
) -> Vec<Follower> {
    let reached = |unknowns: &mut dyn Iterator<Item = usize>| {
        let mut list: Vec<u32> = (unknowns.filter_map(&equation)).map(|e| e as u32).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut followers: Vec<Follower> = Vec::new();
    let mut taken: BTreeSet<usize> = BTreeSet::new();
    for slider in sliders.iter().filter(|slider| slider.is_node_on_path()) {
        let elements = 0..slider.path.elements().len();
        let carriers = elements.flat_map(|element| slider.path.carriers(element));
        let shares = slider.unknowns.iter().any(|u| taken.contains(u));
        let beside = slider.unknowns.iter().copied().filter(|_| shares);
        let reach = reached(&mut carriers.flat_map(Node::unknowns).chain(beside));
        let on_path = shares.then(|| carrying(slider, initial(slider))).flatten();
        let free = |u: &usize| equation(*u).is_some() && !taken.contains(u);
        let own = on_path.filter(|own| own.iter().all(free));
        let own = own.unwrap_or_else(|| slider.unknowns.clone());
        taken.extend(&own);
        // Nodes of an edge slide on one path.
        let before = followers.last().map(|follower| &follower.reach);
        let same = before.filter(|before| ***before == *reach);
        followers.push(Follower {
            sliding: Some(slider.border),
            multipliers: slider.border + 1..slider.border + 1 + slider.unknowns.len(),
            coordinates: own.iter().map(|&u| equation(u)).collect(),
            reach: same.cloned().unwrap_or_else(|| reach.into()),
            around: Vec::new(),
        });
    }
    let tree = Tree::of(sliders, pins, &equation, &taken);
    let closing = (pins.iter().zip(&tree.own)).filter(|(pin, own)| ties(pin) && own.is_none());
    let many = closing.map(|(pin, _)| pin.rows()).sum::<usize>() > FEW_LOOPS;
    let inside = |p: usize| tree.own[p].is_some() || many;
    for (p, pin) in pins.iter().enumerate().filter(|(p, pin)| ties(pin) && inside(*p)) {
        let coordinates = tree.own[p].iter().flatten().map(|&u| equation(u));
        let around = tree.around(p).into_iter().flat_map(|p| pins[p].unknowns());
        let follower = Follower {
            sliding: None,
            multipliers: pin.border..pin.border + pin.rows(),
            coordinates: coordinates.collect(),
            reach: reached(&mut pin.unknowns()).into(),
            around: reached(&mut around.into_iter()),
        };
        if !follower.reach.is_empty() {
            followers.push(follower);
        }
    }
    followers
}

/// Whether a pin ties two nodes, or a node to the ground.
fn ties(pin: &Pin) -> bool {
    pin.terms().len() == 2 && !pin.presses
}

/// As many unknowns as a slider has of the node that carries it most at the place `s` (m) of its path.
fn carrying(slider: &Slider, s: f64) -> Option<Vec<usize>> {
    let path = &slider.path;
    let point = path.point_on(path.element_at(s), s);
    let nodes = point.carriers(path);
    let node = nodes.get(point.nearest(nodes.len()))?;
    (0..slider.unknowns.len()).map(|i| node.unknown(i)).collect()
}

/// The nodes as pins lead to them.
struct Tree {
    /// The node that is eliminated with each pin, where there is one.
    own: Vec<Option<Place>>,
    /// The nodes that each pin ties, those of the ground left out.
    ends: Vec<Vec<Place>>,
    /// The pin that leads to each node.
    leads: BTreeMap<Place, usize>,
}

impl Tree {
    /// That of the `pins`; none of what is `taken` is eliminated with them.
    fn of(
        sliders: &[Slider], pins: &[Pin], equation: impl Fn(usize) -> Option<usize>,
        taken: &BTreeSet<usize>,
    ) -> Tree {
        let mut ends: Vec<Vec<Place>> = vec![Vec::new(); pins.len()];
        let mut at: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
        let mut bodies = Vec::new();
        for (p, pin) in pins.iter().enumerate().filter(|(_, pin)| ties(pin)) {
            for term in pin.terms() {
                let node = term.point.node;
                let beside_identity = term.weight[0].abs() == 1.0 && term.weight[1] == 0.0;
                if beside_identity && node.iter().all(|&u| equation(u).is_some()) {
                    at.entry(node).or_default().push(p);
                    ends[p].push(node);
                    bodies.extend(term.point.arm.map(|_| node));
                }
            }
        }
        // What carries the friction of an edge has no node.
        let sliding = sliders.iter().filter_map(|slider| slider.unknowns.first_chunk().copied());
        let on_paths = at.keys().copied();
        let on_paths = on_paths.filter(|node| node.iter().any(|u| taken.contains(u)));
        let mut seen: BTreeSet<Place> = sliding.chain(on_paths).collect();
        let mut queue: VecDeque<Place> = seen.iter().copied().collect();
        let mut tree = Tree { own: vec![None; pins.len()], ends, leads: BTreeMap::new() };
        for p in 0..pins.len() {
            if let [end] = tree.ends[p][..]
                && seen.insert(end)
            {
                tree.lead(p, end);
                queue.push_back(end);
            }
        }
        let mut roots = bodies.into_iter().chain(at.keys().copied());
        loop {
            let next = queue.pop_front();
            let Some(node) = next.or_else(|| roots.find(|&root| seen.insert(root))) else {
                break;
            };
            for &p in at.get(&node).into_iter().flatten() {
                for k in 0..tree.ends[p].len() {
                    let end = tree.ends[p][k];
                    if seen.insert(end) {
                        tree.lead(p, end);
                        queue.push_back(end);
                    }
                }
            }
        }
        tree
    }

    /// Pin `p` leads to `node`.
    fn lead(&mut self, p: usize, node: Place) {
        self.own[p] = Some(node);
        self.leads.insert(node, p);
    }

    /// The pins from what pin `p` ties back to where the ways to it meet, and pin `p`, if it closes a loop.
    fn around(&self, p: usize) -> BTreeSet<usize> {
        let mut around = BTreeSet::new();
        if self.own[p].is_some() {
            return around;
        }
        for &end in &self.ends[p] {
            let mut node = Some(end);
            while let Some(&lead) = node.and_then(|node| self.leads.get(&node)) {
                // What both ways have in common is no part of the loop.
                if !around.insert(lead) {
                    around.remove(&lead);
                }
                node = self.ends[lead].iter().copied().find(|&end| Some(end) != self.own[lead]);
            }
        }
        around.insert(p);
        around
    }
}
