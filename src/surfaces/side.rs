//! A side of a surface, one element long, and its distances from a path that deforms, at its nodes.
//!
//! ```text
//! d_j = 1/κ_j ∫ ψ_j d(ξ) dS,   s_j = 1/κ_j ∫ ψ_j s(ξ) dS,   κ_j = ∫ ψ_j dS,   ψ = D M⁻¹ N,   D = diag ∫ N dξ,   M = ∫ N Nᵀ dξ
//! ```
//!
//! The dual functions ψ (Wohlmuth 2000) give a node the value of a distance that the shape functions N of the side have, and the forces of
//! equal pressures at the nodes are those of a uniform pressure on both sides, whatever elements the path has. The integrals are cut at
//! the closest points of the ends of the path's elements (Puso & Laursen 2004), where d and s have kinks; Gauss's rule between them is exact where
//! closest points keep their shares of the segments. Those of d are over what is [on the path](Cover).
//!
//! What a place ξ_c of such a cut does when it moves is nothing to the integrals, and to their derivatives what the kink says:
//!
//! ```text
//! ∂²d_j/∂z∂z gets  ψ_j/κ_j S′ [u/ρ]⁻₊ g gᵀ/(τ·X_ξ),   ∂²s_j/∂z∂z gets  −ψ_j/κ_j S′ [1/ρ]⁻₊ g gᵀ/(τ·X_ξ),   g = τ·a + d n·b
//! ```

use super::closest_point::ClosestPoint;
use super::cover::Cover;
use super::duals::Duals;
use super::point::{Carried, Placed};
use super::sample::Sample;
use crate::joints::path::Path;
use crate::nodes::Node;
use crate::numerics::gauss;
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::{MAX_NODES, Shape, shape};
use crate::numerics::plane::{dot, turned};
use crate::numerics::positions::Positions;

/// Gauss points of the lengths for which nodes stand.
const POINTS: usize = 10;

/// Distances between the nodes of a side and those of the path below it stray from a line by at most so many times what they do there:
/// polynomials of order 4 by 2.3 times, and means with the dual functions by three times that.
const STRAYS: f64 = 8.0;

/// Share of its length by which rounding moves a side.
const ROUNDED: f64 = 1e-9;

/// Bisections that find where a cut is at the most.
const MAX_STEPS: usize = 60;

/// Rounding of ξ.
const STEP_TOLERANCE: f64 = 4.0 * f64::EPSILON;

/// What turns with a side from its nodes to its places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lever {
    /// Nothing: it is made of its nodes.
    None,
    /// Half the height of a member beside its axis, m, to the left of it.
    Across(f64),
    /// From the centre of mass of a rigid body, which is initially here, m.
    From([f64; 2]),
}

/// A side of a surface.
#[derive(Debug, Clone)]
pub struct Side {
    nodes: Vec<Node>,
    order: usize,
    /// Its nodes in the initial configuration, m, and the directions of its axis there, rad.
    places: [[f64; 2]; MAX_NODES],
    angles: [f64; MAX_NODES],
    lever: Lever,
    duals: Duals,
    /// κ, m.
    parts: [f64; MAX_NODES],
}

/// How a surface is looked at from its path.
pub struct View<'a> {
    pub path: &'a Path,
    pub q: &'a Positions,
    /// Points and weights of Gauss's rule on [−1, 1] for each segment.
    pub rule: &'a [(f64, f64)],
    /// Whether it is what of a side is on the path that bears; otherwise χ follows s.
    pub covers: bool,
}

/// A place ξ of a side with its closest point's s.
#[derive(Debug, Clone, Copy)]
struct Mark {
    xi: f64,
    s: f64,
}

impl Side {
    /// A side whose `nodes` are initially at `places` (m), where its axis has directions `angles` (rad).
    pub fn new(nodes: Vec<Node>, places: &[[f64; 2]], angles: &[f64], lever: Lever) -> Side {
        let mut side = Side {
            nodes,
            order: places.len() - 1,
            places: [[0.0; 2]; MAX_NODES],
            angles: [0.0; MAX_NODES],
            lever,
            duals: Duals::of_order(places.len() - 1),
            parts: [0.0; MAX_NODES],
        };
        side.places[..places.len()].copy_from_slice(places);
        side.angles[..angles.len()].copy_from_slice(angles);
        for (xi, weight) in gauss::legendre(POINTS) {
            let length = weight * side.stretch(&shape(side.order, xi));
            let [value, _] = side.duals.at(xi);
            for (part, psi) in side.parts.iter_mut().zip(value) {
                *part += length * psi;
            }
        }
        side
    }

    /// The nodes that it hangs on.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Length for which each of its nodes stands, m; 0 beyond their number.
    pub fn parts(&self) -> [f64; MAX_NODES] {
        self.parts
    }

    /// Its length, m.
    pub fn length(&self) -> f64 {
        self.parts.iter().sum()
    }

    /// Its dual functions.
    pub fn duals(&self) -> &Duals {
        &self.duals
    }

    /// dS/dξ.
    fn stretch(&self, at: &Shape) -> f64 {
        let [x, y] = self.sum(&at.first);
        hypot(x, y)
    }

    fn sum(&self, weights: &[f64; MAX_NODES]) -> [f64; 2] {
        let places = self.places.iter().zip(weights);
        places.fold([0.0; 2], |sum, (place, w)| [sum[0] + w * place[0], sum[1] + w * place[1]])
    }

    /// D in the initial configuration and its derivative by ξ.
    fn arm(&self, at: &Shape) -> [[f64; 2]; 2] {
        match self.lever {
            Lever::None => [[0.0; 2]; 2],
            Lever::Across(height) => {
                let angle = |weights: &[f64; MAX_NODES]| -> f64 {
                    self.angles.iter().zip(weights).map(|(a, w)| a * w).sum()
                };
                let ((sin, cos), turn) = (angle(&at.value).sin_cos(), angle(&at.first));
                let by = -height * turn;
                [[-height * sin, height * cos], [by * cos, by * sin]]
            }
            Lever::From([x, y]) => {
                let place = self.sum(&at.value);
                [[place[0] - x, place[1] - y], self.sum(&at.first)]
            }
        }
    }

    /// Weights of the nodes that it hangs on.
    fn weights(&self, at: &[f64; MAX_NODES], rigid: f64) -> [f64; MAX_NODES] {
        match self.lever {
            Lever::From(_) => std::array::from_fn(|l| if l == 0 { rigid } else { 0.0 }),
            _ => *at,
        }
    }

    /// A place of it without a closest point.
    fn at(&self, q: &Positions, at: &Shape) -> ([f64; MAX_NODES], [f64; 2], Placed) {
        let weights = self.weights(&at.value, 1.0);
        let [arm, _] = self.arm(at);
        let carried = Carried { nodes: &self.nodes, weights: &weights, arm };
        let placed = carried.at(q);
        (weights, arm, placed)
    }

    /// X_ξ.
    fn tangent(&self, q: &Positions, at: &Shape, placed: &Placed) -> [f64; 2] {
        let [weights, slopes] = [self.weights(&at.value, 1.0), self.weights(&at.first, 0.0)];
        let (mut tangent, mut angle, mut turn) = ([0.0; 2], 0.0, 0.0);
        for (l, node) in self.nodes.iter().enumerate() {
            for (i, &u) in node.position.iter().enumerate() {
                tangent[i] += slopes[l] * q.get(u).displacement_from(placed.from[i]);
            }
            let rotation = node.rotation.map_or(0.0, |r| q[r]);
            angle += weights[l] * rotation;
            turn += slopes[l] * rotation;
        }
        let [_, by] = self.arm(at);
        let [x, y] = turned(by, angle);
        [tangent[0] + x - turn * placed.arm[1], tangent[1] + y + turn * placed.arm[0]]
    }

    /// Adds its nodes, looked at by themselves, each with the length for which it stands, m. The search for closest points starts from `s` of its
    /// ends. Returns by how much at the most means of d and s differ from what they are at the nodes, m.
    pub fn add_nodes(&self, view: &View<'_>, s: [f64; 2], out: &mut Vec<Sample>) -> [f64; 2] {
        let ends = [(0, s[0]), (self.order, s[1])].map(|(a, s)| self.node(view, a, s));
        let between = |of: fn(&ClosestPoint) -> f64, share: f64| {
            let [a, b] = ends.each_ref().map(|end| of(&end.closest));
            a + share * (b - a)
        };
        let off = |closest: &ClosestPoint, share: f64| {
            (closest.distance() - between(ClosestPoint::distance, share)).abs()
        };
        let mut strays = 0.0_f64;
        out.push(ends[0]);
        for a in 1..self.order {
            let share = a as f64 / self.order as f64;
            let inner = self.node(view, a, between(ClosestPoint::s, share));
            strays = strays.max(off(&inner.closest, share));
            out.push(inner);
        }
        out.push(ends[1]);
        if self.order == 1 {
            // Its nodes say nothing of how the path bends between them.
            let middle = self.look(view, (0.0, 0.0), between(ClosestPoint::s, 0.5));
            strays = off(&middle.closest, 0.5);
        }
        let places = ends.each_ref().map(|end| end.closest.place(&end.placed));
        let s = ends.each_ref().map(|end| end.closest.s());
        strays += view.path.strays(s, places, view.q, ends[0].placed.from);
        [STRAYS * strays + ROUNDED * self.length(), STRAYS * (s[1] - s[0]).abs()]
    }

    fn node(&self, view: &View<'_>, a: usize, s: f64) -> Sample {
        let xi = 2.0 * a as f64 / self.order as f64 - 1.0;
        let mut sample = self.look(view, (xi, self.parts[a]), s);
        sample.counts.s[a] = self.parts[a];
        sample.counts.distance[a] = self.parts[a];
        sample
    }

    /// Adds the places at which it is looked at where it is near: the Gauss points of its segments, the cuts between them, and the ends of
    /// the path below it. The closest points of its ends are at `s`. Returns what of it is on the path; counts are lengths.
    pub fn add_segments(&self, view: &View<'_>, s: [f64; 2], out: &mut Vec<Sample>) -> Cover {
        let [first, last] = [0, 1].map(|k| Mark { xi: 2.0 * k as f64 - 1.0, s: s[k] });
        let (start, forward) = (out.len(), last.s >= first.s);
        let (mut covered, mut ends) = (None::<[f64; 2]>, [None; 2]);
        let (mut from, mut s) = (first, first.s);
        loop {
            let joint = view.path.next_joint(s, forward);
            let joint = joint.filter(|(end, _)| (*end < last.s) == forward && *end != last.s);
            let cut = joint.and_then(|joint| {
                s = joint.0;
                self.cut(view, [from, last], joint, forward, out)
            });
            if joint.is_some() && cut.is_none() {
                continue;
            }
            let (to, end) = cut.unwrap_or((last, None));
            let end = end.map(|sample| sample - start);
            self.add_segment(view, [from, to], out);
            let on = view.path.is_closed()
                || (0.0..=view.path.length()).contains(&(0.5 * (from.s + to.s)));
            match (on, &mut covered) {
                (false, _) => {
                    if covered.is_none() {
                        ends[0] = end;
                    }
                }
                (true, Some([_, b])) => (*b, ends[1]) = (to.xi, end),
                (true, none) => (*none, ends[1]) = (Some([from.xi, to.xi]), end),
            }
            from = to;
            if cut.is_none() {
                break;
            }
        }
        let samples = &mut out[start..];
        match covered {
            None if view.covers => Cover::default(),
            Some(xi) if ends != [None; 2] => Cover::between(&self.duals, xi, ends, samples),
            _ => {
                for sample in samples {
                    sample.counts.distance = sample.counts.s;
                }
                Cover::whole(self.parts)
            }
        }
    }

    /// A place ξ of it that stands for a `length`, whose closest point is looked for from `s`.
    fn look(&self, view: &View<'_>, (xi, length): (f64, f64), s: f64) -> Sample {
        let found = self.at(view.q, &shape(self.order, xi));
        let closest = ClosestPoint::of(view.path, view.q, &found.2, s);
        let sample = Sample::of_side((xi, length), found, closest);
        if view.covers { sample } else { sample.fading() }
    }

    fn add_segment(&self, view: &View<'_>, [first, last]: [Mark; 2], out: &mut Vec<Sample>) {
        let half = 0.5 * (last.xi - first.xi);
        for &(x, w) in view.rule {
            let share = 0.5 * (1.0 + x);
            let xi = first.xi + 2.0 * half * share;
            let at = shape(self.order, xi);
            let length = w * half * self.stretch(&at);
            let mut sample = self.look(view, (xi, length), first.s + share * (last.s - first.s));
            sample.counts.s = self.duals.of(&at.value).map(|psi| length * psi);
            out.push(sample);
        }
    }

    /// The place whose closest point is the `end` of an element, after `from`; none where it is not between that and `last`. What it does to second
    /// derivatives is added, and at an end of the path a sample, whose number is returned with it.
    fn cut(
        &self, view: &View<'_>, [from, last]: [Mark; 2], (end, beside): (f64, [usize; 2]),
        forward: bool, out: &mut Vec<Sample>,
    ) -> Option<(Mark, Option<usize>)> {
        let View { path, q, .. } = *view;
        let (_, _, first) = self.at(q, &shape(self.order, from.xi));
        let closest = ClosestPoint::on(path, beside[0], q, &first, end);
        let (place, direction) = (closest.place(&first), closest.direction());
        let sign = if forward { 1.0 } else { -1.0 };
        let (mut low, mut high) = (from.xi, last.xi);
        let mut xi = low + (high - low) * (end - from.s) / (last.s - from.s);
        for _ in 0..MAX_STEPS {
            let at = shape(self.order, xi);
            let (_, _, placed) = self.at(q, &at);
            let off = dot([0, 1].map(|i| placed.place[i] - place[i]), direction);
            if sign * off > 0.0 {
                high = xi;
            } else {
                low = xi;
            }
            let next = xi - off / dot(self.tangent(q, &at, &placed), direction);
            let next = if (low..=high).contains(&next) { next } else { 0.5 * (low + high) };
            let step = next - xi;
            xi = next;
            if step.abs() <= STEP_TOLERANCE {
                break;
            }
        }
        if !(from.xi < xi && xi < last.xi) {
            return None;
        }
        let at = shape(self.order, xi);
        let found = self.at(q, &at);
        let tangent_component = dot(self.tangent(q, &at, &found.2), direction);
        let closest = beside.map(|element| ClosestPoint::on(path, element, q, &found.2, end));
        let stretch = self.stretch(&at);
        let mut sample = Sample::of_side((xi, stretch), found, closest[0]);
        let mark = Mark { xi, s: end };
        let is_end = beside[0] == beside[1] && !path.is_closed();
        let mut rate = closest.map(|closest| closest.by_rate());
        if is_end {
            rate[usize::from(end > 0.0)] = closest[0].by_rate_beyond();
        }
        let by = sign / tangent_component;
        sample.counts.s = self.duals.of(&at.value).map(|psi| stretch * psi);
        let jump = [0, 1].map(|k| by * (rate[0][k] - rate[1][k]));
        out.push(sample.kinked([jump[0], -jump[1]]));
        if !is_end || !view.covers {
            return Some((mark, None));
        }
        out.push(sample.at_end(tangent_component));
        Some((mark, Some(out.len() - 1)))
    }
}
