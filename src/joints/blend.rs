//! What makes a path smooth from element to element.
//!
//! Lagrange elements join with the same position only. At every joint of two elements that go on in
//! each other a slope and a curvature are agreed upon, means of those of both polynomials, and each
//! of the two adds to its own polynomial what it lacks at this end,
//!
//! ```text
//! Y(s) = Y_e(s) + Σ_ends H₁(ξ) [Ȳ′ − Y_e′] + H₂(ξ) [Ȳ″ − Y_e″]
//! ```
//!
//! with the quintic Hermite functions that have the slope or the second derivative 1 at that end and
//! vanish otherwise up to the second derivative, at both ends. So the path keeps its nodes, is C²,
//! linear in the nodes of the element and its two neighbours, and where both polynomials agree
//! nothing is added: straight lines and rigid motions are kept, and so is the elements' order.

use super::path::PathElement;
use crate::elements::lagrange::{MAX_NODES, basis};

/// Most nodes that carry a place on a path: those of an element of order 4 and of its neighbours.
pub const MAX_CARRIERS: usize = 3 * (MAX_NODES - 1) + 1;

/// One weight per carrying node; those beyond the last are zero.
pub type Weights = [f64; MAX_CARRIERS];

/// An element of a path with what is added to its polynomial.
#[derive(Debug, Clone)]
pub struct Blend {
    /// Unknowns (Y₁, Y₂, r) of the carrying nodes, in the order of growing s.
    nodes: Vec<[usize; 3]>,
    /// Index of the element's first node among them.
    own: usize,
    /// By how much slope and second derivative change at the first and at the last node.
    ends: [Option<[Weights; 2]>; 2],
}

impl Blend {
    /// `element` with its joints to the elements before and after, each as the pair that meets there,
    /// as far as the path is to be smooth there.
    pub fn of(
        element: &PathElement,
        before: Option<[&PathElement; 2]>,
        after: Option<[&PathElement; 2]>,
    ) -> Blend {
        let mut nodes = Vec::with_capacity(MAX_CARRIERS);
        let mut own = 0;
        if let Some([left, _]) = before {
            own = left.nodes.len() - 1;
            nodes.extend_from_slice(&left.nodes[..own]);
        }
        nodes.extend_from_slice(&element.nodes);
        if let Some([_, right]) = after {
            nodes.extend_from_slice(&right.nodes[1..]);
        }
        let last = element.nodes.len() - 1;
        let lack = |joint: [&PathElement; 2], first: usize, place: usize| {
            let mut lack = agreed(joint, first);
            let own_derivatives = end_derivatives(element, place);
            for (lack, own_derivative) in lack.iter_mut().zip(own_derivatives) {
                for (w, d) in lack[own..].iter_mut().zip(own_derivative) {
                    *w -= d;
                }
            }
            lack
        };
        let ends = [
            before.map(|joint| lack(joint, 0, 0)),
            after.map(|joint| lack(joint, own, last)),
        ];
        Blend { nodes, own, ends }
    }

    /// Unknowns (Y₁, Y₂, r) of the carrying nodes.
    pub fn nodes(&self) -> &[[usize; 3]] {
        &self.nodes
    }

    /// Weights of the carrying nodes and their derivatives by s at the share `along` of the element
    /// of `length`, from those of the element's own polynomial.
    pub fn weights(&self, own: &[[f64; MAX_NODES]; 3], along: f64, length: f64) -> [Weights; 3] {
        let mut out = [[0.0; MAX_CARRIERS]; 3];
        for (out, own) in out.iter_mut().zip(own) {
            let count = (self.nodes.len() - self.own).min(MAX_NODES);
            out[self.own..][..count].copy_from_slice(&own[..count]);
        }
        for (end, side) in self.ends.iter().zip([1.0, -1.0]) {
            let Some([slope, bend]) = end else { continue };
            // From this end, in a coordinate that grows into the element.
            let t = if side > 0.0 { along } else { 1.0 - along };
            let (by_slope, by_bend) = (slope_function(t), bend_function(t));
            // The derivative of order d by s has sign^d/length^d.
            let mut scale = length;
            for (d, out) in out.iter_mut().enumerate() {
                let (a, b) = (side * scale * by_slope[d], length * scale * by_bend[d]);
                for ((w, slope), bend) in out.iter_mut().zip(slope).zip(bend) {
                    *w += a * slope + b * bend;
                }
                scale *= side / length;
            }
        }
        out
    }
}

/// t (1 − t)³ (1 + 3t): slope 1 at t = 0; with its derivatives.
fn slope_function(t: f64) -> [f64; 3] {
    let u = 1.0 - t;
    [
        t * u * u * u * (1.0 + 3.0 * t),
        u * u * (1.0 + 2.0 * t - 15.0 * t * t),
        -12.0 * t * u * (3.0 - 5.0 * t),
    ]
}

/// t² (1 − t)³/2: second derivative 1 at t = 0; with its derivatives.
fn bend_function(t: f64) -> [f64; 3] {
    let u = 1.0 - t;
    [
        0.5 * t * t * u * u * u,
        0.5 * t * u * u * (2.0 - 5.0 * t),
        u * (1.0 - 8.0 * t + 10.0 * t * t),
    ]
}

/// Slope and second derivative by s of the element's own polynomial at its node `place`.
fn end_derivatives(element: &PathElement, place: usize) -> [[f64; MAX_NODES]; 2] {
    let last = element.nodes.len() - 1;
    let s: [f64; MAX_NODES] = std::array::from_fn(|l| element.length * l as f64 / last as f64);
    let mut out = [[0.0; MAX_NODES]; 2];
    for l in 0..=last {
        [_, out[0][l], out[1][l]] = basis(&s[..=last], l, s[place]);
    }
    out
}

/// Slope and second derivative on which two elements agree, weights from carrying node `first` on.
fn agreed([left, right]: [&PathElement; 2], first: usize) -> [Weights; 2] {
    let mut out = [[0.0; MAX_CARRIERS]; 2];
    let end = left.nodes.len() - 1;
    let sides = [(left, first, end), (right, first + end, 0)];
    let total = left.length * left.length + right.length * right.length;
    for (element, from, place) in sides {
        let weight = element.length * element.length / total;
        for (out, derivative) in out.iter_mut().zip(end_derivatives(element, place)) {
            for (w, d) in out[from..].iter_mut().zip(derivative) {
                *w += weight * d;
            }
        }
    }
    out
}
