//! The initial configuration of a curved element: its axis x⁰ and the direction of its sections.
//!
//! Nodes lie on the initial curve, with its direction there; between them both are interpolated by the
//! element's own polynomials, like everything else:
//!
//! ```text
//! x⁰(ξ) = Σ φ_l(ξ) x⁰_l,   α⁰(ξ) = Σ φ_l(ξ) α⁰_l,   f⁰(ξ, η) = x⁰(ξ) + η d⁰(ξ),   d⁰ ⟂ (cos, sin) α⁰
//! ```

use std::f64::consts::PI;
use std::sync::LazyLock;

use crate::axis::{Place, turn};
use crate::numerics::gauss;
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::{MAX_NODES, Shape, monomials, shape};

/// How far nodes may be off their equally spaced places on a line that counts as straight, relative to
/// its length: what rounding leaves of coordinates some thousand lengths away.
const STRAIGHT: f64 = 1e-12;

/// Axis of an unstrained element.
#[derive(Debug, Clone, PartialEq)]
pub struct InitialAxis {
    nodes: Vec<Place>,
}

/// Where an unstrained axis is at one ξ.
#[derive(Debug, Clone, Copy)]
pub struct InitialPoint {
    pub shape: Shape,
    /// dx⁰/dξ, m.
    pub tangent: [f64; 2],
    /// |dx⁰/dξ| = dS/dξ, m.
    pub stretch: f64,
    /// Direction α⁰ normal to the section, rad.
    pub angle: f64,
    /// dα⁰/dξ, rad.
    pub turn: f64,
}

impl InitialAxis {
    /// Two to five nodes, equally spaced on the initial curve.
    pub fn new(nodes: &[Place]) -> InitialAxis {
        InitialAxis { nodes: nodes.to_vec() }
    }

    /// Through nodes that have no curve, with the directions of their own polynomial.
    pub fn through(places: &[[f64; 2]]) -> InitialAxis {
        let flat = |&position: &[f64; 2]| Place { position, angle: 0.0 };
        let mut axis = InitialAxis { nodes: places.iter().map(flat).collect() };
        let order = axis.order();
        let mut before = None;
        for l in 0..=order {
            let [x, y] = axis.at(2.0 * l as f64 / order as f64 - 1.0).tangent;
            let here = y.atan2(x);
            // Followed along the element, so that no whole turn comes between two nodes.
            let angle = before.map_or(here, |before| before + turn(before, here));
            axis.nodes[l].angle = angle;
            before = Some(angle);
        }
        axis
    }

    /// Whether its nodes are equally spaced on a straight line.
    pub fn is_straight(&self) -> bool {
        let [first, last] = [0, self.order()].map(|l| self.nodes[l].position);
        let size = hypot(last[0] - first[0], last[1] - first[1]);
        self.nodes.iter().enumerate().all(|(l, node)| {
            let share = l as f64 / self.order() as f64;
            let off = |i: usize| node.position[i] - first[i] - share * (last[i] - first[i]);
            hypot(off(0), off(1)) <= STRAIGHT * size
        })
    }

    /// The initial axis walked from its last node to its first.
    pub fn reversed(&self) -> InitialAxis {
        let back = self.nodes.iter().rev().map(|node| Place { angle: node.angle + PI, ..*node });
        InitialAxis { nodes: back.collect() }
    }

    pub fn order(&self) -> usize {
        self.nodes.len() - 1
    }

    pub fn nodes(&self) -> &[Place] {
        &self.nodes
    }

    pub fn at(&self, xi: f64) -> InitialPoint {
        let shape = shape(self.order(), xi);
        let sum = |weights: &[f64; MAX_NODES], value: &dyn Fn(&Place) -> f64| -> f64 {
            let nodes = self.nodes.iter().zip(weights);
            nodes.map(|(node, w)| w * value(node)).sum()
        };
        let tangent = [0, 1].map(|i| sum(&shape.first, &|p| p.position[i]));
        InitialPoint {
            tangent,
            stretch: hypot(tangent[0], tangent[1]),
            angle: sum(&shape.value, &|p| p.angle),
            turn: sum(&shape.first, &|p| p.angle),
            shape,
        }
    }

    /// x⁰, m.
    pub fn position(&self, xi: f64) -> [f64; 2] {
        let weights = shape(self.order(), xi).value;
        let nodes = || self.nodes.iter().zip(weights);
        [0, 1].map(|i| nodes().map(|(node, w)| w * node.position[i]).sum())
    }

    /// Largest size of curvature over the stretch of the axis across the section, 1/m, and smallest
    /// cosine of the angle between axis and the section's normal, at the Gauss points.
    pub fn severity(&self) -> (f64, f64) {
        let points = gauss::legendre(self.order()).into_iter();
        points.fold((0.0, 1.0), |(bend, cosine): (f64, f64), (xi, _)| {
            let at = self.at(xi);
            let across = at.tangent[0] * at.angle.cos() + at.tangent[1] * at.angle.sin();
            (bend.max((at.turn / across).abs()), cosine.min(across / at.stretch))
        })
    }
}

/// Equal pieces of an element between which its arc length is tabulated.
const PIECES: usize = 8;
/// Gauss points for what is left of a piece.
const POINTS: usize = 6;

/// The arc length of an element's initial axis and its inverse ξ(S).
///
/// S(ξ) = ∫ |dx⁰/dξ| dξ has no closed form. It is tabulated and integrated from the nearest entry of
/// the table, which is exact to rounding; Newton's method inverts it, and the derivatives of ξ(S)
/// follow from |dx⁰/dξ|.
#[derive(Debug, Clone)]
pub struct ArcLength {
    /// |dx⁰/dξ|² as a polynomial of ξ.
    square: [f64; 2 * MAX_NODES - 3],
    table: [f64; PIECES + 1],
    rule: [(f64, f64); POINTS],
}

impl ArcLength {
    pub fn of(axis: &InitialAxis) -> ArcLength {
        let mut square = [0.0; 2 * MAX_NODES - 3];
        let origin = axis.nodes[0].position;
        for (i, origin) in origin.into_iter().enumerate() {
            let mut values = [0.0; MAX_NODES];
            for (value, node) in values.iter_mut().zip(&axis.nodes) {
                *value = node.position[i] - origin;
            }
            let place = monomials(axis.order(), &values);
            let slope: Vec<f64> = (1..MAX_NODES).map(|k| k as f64 * place[k]).collect();
            for (a, left) in slope.iter().enumerate() {
                for (b, right) in slope.iter().enumerate() {
                    square[a + b] += left * right;
                }
            }
        }
        static RULE: LazyLock<[(f64, f64); POINTS]> = LazyLock::new(|| {
            let mut rule = [(0.0, 0.0); POINTS];
            rule.copy_from_slice(&gauss::legendre(POINTS));
            rule
        });
        let mut out = ArcLength { square, table: [0.0; PIECES + 1], rule: *RULE };
        for k in 0..PIECES {
            out.table[k + 1] = out.table[k] + out.between(node(k), node(k + 1));
        }
        out
    }

    /// Length of the element, m.
    pub fn total(&self) -> f64 {
        self.table[PIECES]
    }

    /// Arc length from the first node to ξ inside the element, m.
    pub fn up_to(&self, xi: f64) -> f64 {
        let piece = ((0.5 * (xi + 1.0) * PIECES as f64) as usize).min(PIECES - 1);
        self.table[piece] + self.between(node(piece), xi)
    }

    fn square(&self, xi: f64) -> f64 {
        self.square.iter().rev().fold(0.0, |sum, c| sum * xi + c)
    }

    fn between(&self, from: f64, to: f64) -> f64 {
        let half = 0.5 * (to - from);
        let points = self.rule.iter();
        let sum: f64 = points.map(|&(x, w)| w * self.square(from + half * (1.0 + x)).sqrt()).sum();
        half * sum
    }

    /// ξ with its first three derivatives by the arc length from the element's first node. Beside
    /// the element ξ goes on in proportion.
    pub fn coordinate(&self, length: f64) -> [f64; 4] {
        // No number is beside the element, too: no piece of the table has it.
        if !(length > 0.0 && length < self.total()) {
            let (xi, over) =
                if length <= 0.0 { (-1.0, length) } else { (1.0, length - self.total()) };
            let [rate, bend, third] = self.rates(xi);
            return if over == 0.0 {
                [xi, rate, bend, third]
            } else {
                [xi + rate * over, rate, 0.0, 0.0]
            };
        }
        let piece = self.table.partition_point(|&t| t <= length) - 1;
        let (from, step) = (node(piece), 2.0 / PIECES as f64);
        let [start, end] = [self.table[piece], self.table[piece + 1]];
        let mut xi = from + step * (length - start) / (end - start);
        for _ in 0..8 {
            let change = (length - start - self.between(from, xi)) / self.square(xi).sqrt();
            xi = (xi + change).clamp(from, from + step);
            if change.abs() < 1e-15 {
                break;
            }
        }
        let [rate, bend, third] = self.rates(xi);
        [xi, rate, bend, third]
    }

    /// ξ′ = 1/√a, ξ″ = −½ a′/a² and ξ‴ = (a′²/a − ½ a″) ξ′/a² with a = |dx⁰/dξ|².
    fn rates(&self, xi: f64) -> [f64; 3] {
        let [mut a, mut slope, mut bend] = [0.0; 3];
        for c in self.square.iter().rev() {
            bend = bend * xi + 2.0 * slope;
            slope = slope * xi + a;
            a = a * xi + c;
        }
        let rate = 1.0 / a.sqrt();
        let third = (slope * slope / a - 0.5 * bend) * rate / (a * a);
        [rate, -0.5 * slope / (a * a), third]
    }
}

/// ξ where piece k of the table begins.
fn node(k: usize) -> f64 {
    2.0 * k as f64 / PIECES as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::axis::{Arc, Axis};

    /// A coarse element, so that its polynomial is far from equally fast.
    fn element(order: usize) -> InitialAxis {
        let arc = Axis::Arc(Arc::new([40.0, -3.0], [42.0, -2.0], 1.5));
        InitialAxis::new(&arc.places(order))
    }

    #[test]
    fn the_coordinate_is_the_inverse_of_the_length_of_a_fine_polygon() {
        for order in 1..=4 {
            let axis = element(order);
            let lengths = ArcLength::of(&axis);
            for share in [0.0, 0.13, 0.5, 0.77, 1.0] {
                let length = share * lengths.total();
                let [xi, ..] = lengths.coordinate(length);
                // Simpson's rule of the speed, from the shape functions themselves.
                let n = 2000;
                let h = (xi + 1.0) / f64::from(n);
                let sum: f64 = (0..=n)
                    .map(|k| {
                        let w = if k == 0 || k == n { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
                        w * axis.at(-1.0 + h * f64::from(k)).stretch
                    })
                    .sum();
                let seen = h / 3.0 * sum;
                assert!((seen - length).abs() < 1e-12, "{order} {share}: {seen} {length}");
            }
        }
    }

    #[test]
    fn derivatives_of_the_coordinate_are_those_of_differences_also_beside_the_element() {
        for order in 1..=4 {
            let lengths = ArcLength::of(&element(order));
            for share in [-0.3, 0.05, 0.4, 0.9, 1.2] {
                let length = share * lengths.total();
                let h = 1e-4;
                let [low, high] = [length - h, length + h].map(|l| lengths.coordinate(l));
                let [_, rates @ ..] = lengths.coordinate(length);
                for (d, rate) in rates.into_iter().enumerate() {
                    assert!(((high[d] - low[d]) / (2.0 * h) - rate).abs() < 1e-7);
                }
            }
        }
    }
}
