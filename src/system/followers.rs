//! Which nodes follow something: sliders their paths, and nodes that pins tie to others.
//!
//! The two multipliers of a pin stand beside an identity in the rows of either node that it ties. From the ground, from sliders, or from a body of what
//! floats, each node is eliminated with the pin that leads to it from there. The pins that are left close loops.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::Slider;
use super::hinge_friction::Presses;
use super::pin::Pin;
use crate::linear::Follower;
use crate::nodes::Node;

/// Y₁ and Y₂ of a node.
type Place = [usize; 2];

/// The followers among `sliders` and `pins`, as they come in the border, where `equation` has the place of each free unknown. Pins that
/// press hinges have rows of their own and are none.
pub(super) fn of(
    sliders: &[Slider],
    pins: &[Pin],
    presses: &[Presses],
    equation: impl Fn(usize) -> Option<usize>,
) -> Vec<Follower> {
    let reached = |unknowns: &mut dyn Iterator<Item = usize>| {
        let mut list: Vec<u32> = (unknowns.filter_map(&equation)).map(|e| e as u32).collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut followers: Vec<Follower> = Vec::new();
    for slider in sliders.iter().filter(|slider| slider.is_node_on_path()) {
        let elements = 0..slider.path.elements().len();
        let carriers = elements.flat_map(|element| slider.path.carriers(element));
        let reach = reached(&mut carriers.flat_map(Node::unknowns));
        // Nodes of an edge slide on one path.
        let before = followers.last().map(|follower| &follower.reach);
        let same = before.filter(|before| ***before == *reach);
        followers.push(Follower {
            sliding: Some(slider.border),
            multipliers: slider.border + 1..slider.border + 1 + slider.unknowns.len(),
            coordinates: slider.unknowns.iter().map(|&u| equation(u)).collect(),
            reach: same.cloned().unwrap_or_else(|| reach.into()),
        });
    }
    for (pin, node) in pins.iter().zip(tied(sliders, pins, presses, &equation)) {
        if let Some(node) = node {
            followers.push(Follower {
                sliding: None,
                multipliers: pin.border..pin.border + pin.rows(),
                coordinates: node.iter().map(|&u| equation(u)).collect(),
                reach: reached(&mut pin.unknowns()).into(),
            });
        }
    }
    followers
}

/// The node that is eliminated with each pin, where there is one.
fn tied(
    sliders: &[Slider],
    pins: &[Pin],
    presses: &[Presses],
    equation: impl Fn(usize) -> Option<usize>,
) -> Vec<Option<Place>> {
    let mut ends: Vec<Vec<Place>> = vec![Vec::new(); pins.len()];
    let mut at: BTreeMap<Place, Vec<usize>> = BTreeMap::new();
    let mut bodies = Vec::new();
    for (p, pin) in pins.iter().enumerate() {
        if pin.terms().len() != 2 || presses.iter().any(|press| press.pin == p) {
            continue;
        }
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
    let mut own = vec![None; pins.len()];
    // What carries the friction of an edge has no node.
    let sliding = sliders
        .iter()
        .filter_map(|slider| slider.unknowns.first_chunk().copied());
    let mut seen: BTreeSet<Place> = sliding.collect();
    let mut queue: VecDeque<Place> = seen.iter().copied().collect();
    for (p, ends) in ends.iter().enumerate() {
        if let [end] = ends[..]
            && seen.insert(end)
        {
            own[p] = Some(end);
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
            for &end in &ends[p] {
                if seen.insert(end) {
                    own[p] = Some(end);
                    queue.push_back(end);
                }
            }
        }
    }
    own
}
