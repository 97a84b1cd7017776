//! What a slider exerts inside elements of the member that carries its path.
//!
//! The slider acts at one place. On a smooth path nodes of three elements have its forces: in each of these elements the nodal forces are to
//! be told from what acts at that place.

use super::Slider;
use crate::elements::frame::resultants::is_inside;
use crate::joints::slider::Kinematics;
use crate::nodes::{FrameNode, Node};
use crate::numerics::lagrange::MAX_NODES;
use crate::system::numbers::{Number, Numbers, Placed};

/// An element of a member under a slider on its path or beside that place.
pub(crate) struct UnderSlider<'a> {
    slider: &'a Slider,
    k: Kinematics,
    /// Number of the element's first node among the carriers of the place, and of its last.
    ends: [usize; 2],
    /// Where the slider is: its ξ inside the element, or an infinite one before or behind it.
    pub place: f64,
}

impl Slider {
    /// Calls `visit` for an element with these nodes where the slider touches them and on others.
    pub fn visit_under<S: Placed, N: Numbers<S>>(
        &self, state: &N, nodes: &[FrameNode], mut visit: impl FnMut(&UnderSlider<'_>),
    ) {
        let now = state.now();
        if !self.is_node_on_path() || *now.multipliers_of(self.index) == [0.0; 3] {
            return;
        }
        let s = now.places().get(self.coordinate);
        let below = self.path.element_at(s.rounded);
        let carriers = self.path.carriers(below);
        let own = self.path.own_carriers(below);
        let is = |carrier: &Node, node: &FrameNode| carrier.position == node.position;
        for (first, window) in carriers.windows(nodes.len()).enumerate() {
            let last = first + nodes.len() - 1;
            let along = window.iter().zip(nodes).all(|(carrier, node)| is(carrier, node));
            let against = window.iter().rev().zip(nodes).all(|(carrier, node)| is(carrier, node));
            if !along && !against {
                continue;
            }
            // By growing s.
            let place = match first {
                _ if first == own.start => self.path.coordinate(below, s.rounded),
                _ if first < own.start => f64::INFINITY,
                _ => f64::NEG_INFINITY,
            };
            let (ends, place) =
                if along { ([first, last], place) } else { ([last, first], -place) };
            let beside = f64::INFINITY.copysign(place);
            let place = if is_inside(place) { place } else { beside };
            let point = self.path.point_on(below, s);
            let k = Kinematics::at(&self.path, point, now.places(), &self.unknowns);
            visit(&UnderSlider { slider: self, k, ends, place });
        }
    }
}

impl UnderSlider<'_> {
    /// Hands each force that a node has of it, with the number of the node among the carriers, to `add`.
    fn each<S: Placed, N: Numbers<S>>(
        &self, state: &N, mut add: impl FnMut(usize, [N::Number; 3]),
    ) {
        self.slider.each_bearing_in(&self.k, state, |of, force| {
            if let Some((l, component)) = of.carrier {
                let mut forces = [N::Number::from(0.0); 3];
                // In the equations it stands on the side of the internal forces.
                forces[component] = -force;
                add(l, forces);
            }
        });
    }

    /// All that it exerts on the path, as force (N) and moment (N·m) about the point from which nodes are so far as `arm` says.
    pub fn resultant<S: Placed, N: Numbers<S>>(
        &self, state: &N, arm: impl Fn(&Node) -> [N::Number; 2],
    ) -> [N::Number; 3] {
        let nodes = self.k.point.carriers(&self.slider.path);
        let mut sum = [N::Number::from(0.0); 3];
        self.each(state, |l, forces| add_about(&mut sum, forces, arm(&nodes[l])));
        sum
    }

    /// Hands what the nodes of the element have of it to `add`, by their number in the element: on the first one, from which nodes are so far as
    /// `arm` says, all that acts on nodes up to it, less what acts where the slider is if it is there; on the last one nothing.
    pub fn each_nodal<S: Placed, N: Numbers<S>>(
        &self, state: &N, arm: impl Fn(&Node) -> [N::Number; 2],
        mut add: impl FnMut(usize, [N::Number; 3]),
    ) {
        let nodes = self.k.point.carriers(&self.slider.path);
        let [first, last] = self.ends;
        let forward = last > first;
        let mut before = [N::Number::from(0.0); 3];
        self.each(state, |l, forces| {
            let up_to_first = if forward { l <= first } else { l >= first };
            let inside = !up_to_first && if forward { l < last } else { l > last };
            if up_to_first {
                add_about(&mut before, forces, arm(&nodes[l]));
            } else if inside {
                add(l.abs_diff(first), forces);
            }
            if self.place == f64::NEG_INFINITY {
                add_about(&mut before, forces.map(|force| -force), arm(&nodes[l]));
            }
        });
        debug_assert!(last.abs_diff(first) < MAX_NODES);
        add(0, before);
    }
}

/// Adds a force and a moment at the end of an `arm`.
fn add_about<D: Number>(sum: &mut [D; 3], [x, y, moment]: [D; 3], arm: [D; 2]) {
    sum[0] += x;
    sum[1] += y;
    sum[2] += moment + arm[0] * y - arm[1] * x;
}
