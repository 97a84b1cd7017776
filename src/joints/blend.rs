//! What makes a path smooth from element to element.
//!
//! Lagrange elements join with the same position only. At every joint of two elements that go on in
//! each other slope and curvature are agreed upon: those of the polynomial of lowest degree through the
//! nodes of both. Each of the two adds to its own polynomial what it lacks there,
//!
//! ```text
//! Y(s) = Y_e(s) + Σ_ends H₁(s) [Ȳ′ − Y_e′] + H₂(s) [Ȳ″ − Y_e″]
//! ```
//!
//! with the quintic Hermite functions that have the slope or the second derivative 1 at that end and
//! vanish otherwise up to the second derivative, at both ends. So the path keeps the nodes at which
//! elements end, is C², linear in the nodes of the element and its two neighbours, and where both
//! elements have the same polynomial nothing is added: straight lines and rigid motions are kept, and
//! so is the order.
//!
//! Next to a shorter element the longer one is blended over the length of the shorter only, and counts
//! with the nodes that it would have there. Otherwise what happens on a short element would bulge the
//! whole of a long neighbour.

#[cfg(test)]
mod tests;

use std::ops::Range;

use super::element::PathElement;
use super::regime;
use crate::nodes::Node;
use crate::numerics::lagrange::{MAX_NODES, basis};

/// Most nodes that carry a place on a path: those of an element of order 4 and of its neighbours.
pub const MAX_CARRIERS: usize = 3 * (MAX_NODES - 1) + 1;

/// One weight per carrying node; those beyond the last are zero.
pub type Weights = [f64; MAX_CARRIERS];

/// An element of a path with what is added to its polynomial.
#[derive(Debug, Clone)]
pub struct Blend {
    /// The carrying nodes in the order of growing s.
    nodes: Vec<Node>,
    /// Angle by which the initial path has turned at them, rad.
    turned: Vec<f64>,
    /// Index of the element's first node among them.
    own: usize,
    /// Number of the element's nodes.
    count: usize,
    /// At the first and at the last node.
    ends: [Option<End>; 2],
}

/// What an element lacks at one end.
#[derive(Debug, Clone)]
struct End {
    /// Length over which it is added, m.
    reach: f64,
    /// Change of the slope and of the second derivative by s.
    lack: [Weights; 2],
}

impl Blend {
    /// `element` with its joints to the elements before and after, each as the pair that meets there,
    /// as far as the path is to be smooth there.
    pub fn of(
        element: &PathElement, before: Option<[&PathElement; 2]>, after: Option<[&PathElement; 2]>,
    ) -> Blend {
        let (mut nodes, mut turned) = (Vec::new(), Vec::new());
        let mut own = 0;
        if let Some([left, _]) = before {
            own = left.nodes.len() - 1;
            nodes.extend_from_slice(&left.nodes[..own]);
            turned.extend_from_slice(&left.turned[..own]);
        }
        nodes.extend_from_slice(&element.nodes);
        turned.extend_from_slice(&element.turned);
        if let Some([_, right]) = after {
            nodes.extend_from_slice(&right.nodes[1..]);
            turned.extend_from_slice(&right.turned[1..]);
        }
        let end = |joint: [&PathElement; 2], first: usize, place: f64| {
            let mut lack = agreed(joint, first);
            let [_, slope, bend] = element.weights(place);
            for l in 0..element.nodes.len() {
                lack[0][own + l] -= slope[l];
                lack[1][own + l] -= bend[l];
            }
            let reach = shorter(joint);
            End { reach, lack }
        };
        let ends = [
            before.map(|joint| end(joint, 0, 0.0)),
            after.map(|joint| end(joint, own, element.length)),
        ];
        Blend { nodes, turned, own, count: element.nodes.len(), ends }
    }

    /// Counts the turning of the nodes of the element before the first node, or after the last, by `lap` more.
    pub fn turn_neighbour(&mut self, end: regime::End, lap: f64) {
        let own = self.own();
        let nodes = match end {
            regime::End::First => 0..own.start,
            regime::End::Last => own.end..self.turned.len(),
        };
        self.turned[nodes].iter_mut().for_each(|turned| *turned += lap);
    }

    /// Whether the elements before and after carry places on this one, too.
    pub fn joined(&self) -> [bool; 2] {
        [0, 1].map(|end| self.ends[end].is_some())
    }

    /// The carrying nodes.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Those of the element itself among them.
    pub fn own(&self) -> Range<usize> {
        self.own..self.own + self.count
    }

    /// Angle by which the initial path has turned at the carrying nodes, rad.
    pub fn turned(&self) -> &[f64] {
        &self.turned
    }

    /// Counts the turning from where it was `already`.
    pub fn count_turning_from(&mut self, already: f64) {
        self.turned.iter_mut().for_each(|turned| *turned -= already);
    }

    /// The element's own polynomial alone, from its weights, as weights of the carrying nodes.
    pub fn trace<const D: usize>(&self, own: &[[f64; MAX_NODES]; D]) -> [Weights; D] {
        let mut out = [[0.0; MAX_CARRIERS]; D];
        for (out, own) in out.iter_mut().zip(own) {
            // An element of low order may have less than this behind it, and zeros there.
            for (w, own) in out[self.own..].iter_mut().zip(own) {
                *w = *own;
            }
        }
        out
    }

    /// Weights of the carrying nodes and their first derivatives by s at the place `along` on the element of
    /// `length`, m, from those of the element's own polynomial.
    pub fn weights<const D: usize>(
        &self, own: &[[f64; MAX_NODES]; D], along: f64, length: f64,
    ) -> [Weights; D] {
        let mut out = self.trace(own);
        for (end, inwards) in self.ends.iter().zip([1.0, -1.0]) {
            let Some(End { reach, lack }) = end else {
                continue;
            };
            let inside = if inwards > 0.0 { along } else { length - along };
            let t = inside / reach;
            if t >= 1.0 {
                continue;
            }
            let (by_slope, by_bend) = (slope_function(t), bend_function(t));
            // t has the slope ±1/reach.
            let mut scale = *reach;
            for (d, out) in out.iter_mut().enumerate() {
                let (a, b) = (inwards * scale * by_slope[d], reach * scale * by_bend[d]);
                for ((w, slope), bend) in out.iter_mut().zip(&lack[0]).zip(&lack[1]) {
                    *w += a * slope + b * bend;
                }
                scale *= inwards / reach;
            }
        }
        out
    }
}

/// t (1 − t)³ (1 + 3t): slope 1 at t = 0; with its derivatives.
fn slope_function(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [
        t * u * u * u * (1.0 + 3.0 * t),
        u * u * (1.0 + 2.0 * t - 15.0 * t * t),
        -12.0 * t * u * (3.0 - 5.0 * t),
        -12.0 * (3.0 - 16.0 * t + 15.0 * t * t),
    ]
}

/// t² (1 − t)³/2: second derivative 1 at t = 0; with its derivatives.
fn bend_function(t: f64) -> [f64; 4] {
    let u = 1.0 - t;
    [
        0.5 * t * t * u * u * u,
        0.5 * t * u * u * (2.0 - 5.0 * t),
        u * (1.0 - 8.0 * t + 10.0 * t * t),
        -9.0 + 36.0 * t - 30.0 * t * t,
    ]
}

/// Length of the shorter of two elements.
fn shorter([left, right]: [&PathElement; 2]) -> f64 {
    left.length.min(right.length)
}

/// Slope and second derivative by s on which two elements agree, weights from carrying node `first` on.
fn agreed(joint: [&PathElement; 2], first: usize) -> [Weights; 2] {
    let reach = shorter(joint);
    let [before, after] = joint.map(|e| e.nodes.len() - 1);
    // Places on both elements, counted from the joint.
    let mut places = Vec::with_capacity(before + after + 1);
    places.extend((0..before).map(|k| reach * (k as f64 / before as f64 - 1.0)));
    places.extend((0..=after).map(|k| reach * k as f64 / after as f64));
    let mut out = [[0.0; MAX_CARRIERS]; 2];
    for (k, place) in places.iter().enumerate() {
        let [_, slope, bend, _] = basis(&places, k, 0.0);
        let (element, from, along) = if k < before {
            (joint[0], first, joint[0].length + place)
        } else {
            (joint[1], first + before, *place)
        };
        let [shares] = element.weights(along);
        for l in 0..element.nodes.len() {
            out[0][from + l] += slope * shares[l];
            out[1][from + l] += bend * shares[l];
        }
    }
    out
}
