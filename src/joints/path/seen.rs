//! What a surface sees of a path: places with their directions, and where elements end.

use super::{Body, Path, onward};
use crate::joints::blend::Weights;
use crate::nodes::Node;
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::positions::{Position, Positions};

/// Weights of a place of a path with first and second derivative by s.
pub struct Seen {
    /// Of the [carriers](Path::carriers), on the path that is smooth from element to element.
    pub smooth: [Weights; 3],
    /// Of the element's own nodes, where places are on its polynomial.
    pub own: Option<[[f64; MAX_NODES]; 3]>,
}

#[inline(always)]
fn sums<const N: usize, const D: usize>(
    nodes: &[Node], weights: &[[f64; N]; D], place: impl Fn(usize, usize) -> f64,
) -> [[f64; 2]; D] {
    let mut sums = [[0.0; 2]; D];
    for (l, node) in nodes.iter().enumerate().take(N) {
        let (x, y) = (place(0, node.position[0]), place(1, node.position[1]));
        for (sum, weights) in sums.iter_mut().zip(weights) {
            sum[0] += weights[l] * x;
            sum[1] += weights[l] * y;
        }
    }
    sums
}

impl Path {
    /// This path with places on its elements' own polynomials for surfaces: elements meet there with the same position only, and uniform
    /// loads act on their nodes as on those of the elements.
    pub fn traced_by_its_elements(self) -> Path {
        Path { traced: true, ..self }
    }

    /// Weights at the place `s` on an element.
    pub fn seen(&self, element: usize, s: f64) -> Seen {
        let mut found = self.weights_on(element, s.into());
        if found.beyond != 0.0 {
            onward(&mut found.smooth, found.beyond);
            onward(&mut found.own, found.beyond);
        }
        Seen { smooth: found.smooth, own: self.traced.then_some(found.own) }
    }

    /// Weights of an element's own nodes as those of the carriers.
    pub fn of_carriers(&self, element: usize, own: &[[f64; MAX_NODES]; 3]) -> [Weights; 3] {
        self.blends[element].trace(own)
    }

    /// Σ w_l Y_l with its derivatives, m, by weights of the carriers; of a path on a rigid body from its initial centre of mass, of another
    /// from `from`.
    pub fn sums<const D: usize>(
        &self, element: usize, weights: &[Weights; D], q: &Positions, from: [Position; 2],
    ) -> [[f64; 2]; D] {
        let nodes = self.blends[element].nodes();
        match &self.body {
            Some(body) => sums(nodes, weights, |_, u| body.initial[u]),
            None => sums(nodes, weights, |i, u| q.get(u).displacement_from(from[i])),
        }
    }

    /// Sums over positions by the weights of an element's own nodes.
    pub fn own_sums(
        &self, element: usize, weights: &[[f64; MAX_NODES]; 3], q: &Positions, from: [Position; 2],
    ) -> [[f64; 2]; 3] {
        let place = |i: usize, u: usize| q.get(u).displacement_from(from[i]);
        sums(&self.elements[element].nodes, weights, place)
    }

    /// The third derivative of the sum.
    pub fn third(&self, element: usize, s: f64, q: &Positions, from: [Position; 2]) -> [f64; 2] {
        let [third] = self.sums(element, &[self.third_on(element, s)], q, from);
        third
    }

    /// The node of the rigid body that carries it.
    pub fn body(&self) -> Option<&Node> {
        self.body.as_ref().map(|Body { node: [node], .. }| node)
    }

    /// s in the lap in which it is next to another.
    pub fn beside(&self, s: f64, other: f64) -> f64 {
        if self.is_closed() { s - self.length * ((s - other) / self.length).round() } else { s }
    }

    /// The element that carries s, looked for from one nearby.
    pub fn element_near(&self, element: usize, s: f64) -> usize {
        let next = self.elements.get(element + 1);
        let here = self.elements[element].start <= s && next.is_none_or(|next| s < next.start);
        if here && !self.is_closed() { element } else { self.element_at(s) }
    }

    /// By how much nodes between two places `s` stray from the `line` between these, m from `from`.
    pub fn strays(
        &self, s: [f64; 2], line: [[f64; 2]; 2], q: &Positions, from: [Position; 2],
    ) -> f64 {
        let [a, b] = line;
        let way = [b[0] - a[0], b[1] - a[1]];
        let square = way[0] * way[0] + way[1] * way[1];
        let (low, high) = (s[0].min(s[1]), s[0].max(s[1]));
        let (mut element, last) = (self.element_at(low), self.element_at(high));
        let mut most = 0.0_f64;
        for _ in 0..self.elements.len() {
            for node in self.nodes(element) {
                let place =
                    [0, 1].map(|i| q.get(node.position[i]).displacement_from(from[i]) - a[i]);
                let along = place[0] * way[0] + place[1] * way[1];
                if 0.0 < along && along < square {
                    let across = place[0] * way[1] - place[1] * way[0];
                    most = most.max(across.abs() / square.sqrt());
                }
            }
            if element == last {
                break;
            }
            element = self.next(element, true).unwrap_or(last);
        }
        most
    }

    /// The next place beyond `s` where an element ends, going `forward` or back, with the elements before and after it; at an end of the
    /// path both are the last one.
    pub fn next_joint(&self, s: f64, forward: bool) -> Option<(f64, [usize; 2])> {
        let slack = 4.0 * f64::EPSILON * self.length.max(s.abs());
        let from = if forward { s + slack } else { s - slack };
        if !self.is_closed() && !(0.0..self.length).contains(&from) {
            return match (from < 0.0, forward) {
                (true, true) => Some((0.0, [0; 2])),
                (false, false) => Some((self.length, [self.elements.len() - 1; 2])),
                _ => None,
            };
        }
        let element = self.element_at(from);
        let next = self.next(element, forward).unwrap_or(element);
        let start = self.start_near(element, from);
        Some(match forward {
            true => (start + self.elements[element].length, [element, next]),
            false => (start, [next, element]),
        })
    }
}
