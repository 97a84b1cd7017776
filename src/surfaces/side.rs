//! A side of a surface, one element long, and how its nodes see a path that gives way.
//!
//! ```text
//! d_j = 1/κ_j ∫ ψ_j d(ξ) dS,   s_j = 1/κ_j ∫ ψ_j s(ξ) dS,   κ_j = ∫ N_j dS,   ψ = D M⁻¹ N,   D = diag ∫ N dS,   M = ∫ N Nᵀ dS
//! ```
//!
//! The dual functions ψ (Wohlmuth 2000) give a node the value of a distance that the shape functions N of the side have, and the forces of
//! equal pressures at the nodes are those of a uniform pressure on both sides, whatever elements the path has. The integrals are cut at
//! the feet of the ends of the path's elements (Puso & Laursen 2004), where d and s have kinks; Gauss's rule between them is exact where
//! feet keep their shares of the segments.
//!
//! What a place ξ_c of such a cut does when it moves is nothing to the integrals, and to their derivatives what the kink says:
//!
//! ```text
//! ∂²d_j/∂z∂z gets  ψ_j/κ_j S′ [u/ρ]⁻₊ g gᵀ/(τ·X_ξ),   ∂²s_j/∂z∂z gets  −ψ_j/κ_j S′ [1/ρ]⁻₊ g gᵀ/(τ·X_ξ),   g = τ·a + d n·b
//! ```

use nalgebra::SMatrix;

use super::foot::{Foot, Half};
use super::local::{Arms, Local};
use super::point::{Carried, Placed, SurfacePoint, turned};
use crate::joints::path::Path;
use crate::nodes::Node;
use crate::numerics::gauss;
use crate::numerics::lagrange::{MAX_NODES, Shape, shape};
use crate::numerics::positions::Positions;

/// Gauss points of the integrals of the dual functions: exact for straight sides of order 4 and far beyond for bent ones.
const POINTS: usize = 10;

/// Distances between the nodes of a side and those of the path below it stray from a line by at most so many times what they do there:
/// polynomials of order 4 by 2.3 times, and means with the dual functions by three times that.
const STRAYS: f64 = 8.0;

/// Share of its length by which rounding moves a side.
const ROUNDED: f64 = 1e-9;

/// Bisections that find where a cut is at the most.
const MOST_STEPS: usize = 60;

/// Rounding of ξ.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// What turns with a side from its nodes to its places.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Lever {
    /// Nothing: it is made of its nodes.
    None,
    /// Half the height of a member beside its axis, m, to the left of it.
    Across(f64),
    /// From the centre of mass of a rigid body, which is drawn here, m.
    From([f64; 2]),
}

/// A side of a surface.
#[derive(Debug, Clone)]
pub struct Side {
    nodes: Vec<Node>,
    order: usize,
    /// Its nodes as drawn, m, and the directions of its axis there, rad.
    places: [[f64; 2]; MAX_NODES],
    angles: [f64; MAX_NODES],
    lever: Lever,
    /// D M⁻¹.
    dual: [[f64; MAX_NODES]; MAX_NODES],
    /// ∫ N dS, m.
    shares: [f64; MAX_NODES],
}

/// A place at which a side is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub placed: Placed,
    pub foot: Foot,
    /// Weights of the side's nodes, and D as drawn, m.
    weights: [f64; MAX_NODES],
    arm: [f64; 2],
    /// By how much each point of the side counts with it: ψ_j dS/κ_j.
    pub shares: [f64; MAX_NODES],
    /// Of a cut, which counts with second derivatives only: those of d and s are these by g gᵀ.
    kink: Option<[f64; 2]>,
}

/// How a surface is looked at from its path.
pub struct View<'a> {
    pub path: &'a Path,
    pub q: &'a Positions,
    /// Points and weights of Gauss's rule on [−1, 1] for each segment.
    pub rule: &'a [(f64, f64)],
}

/// A place ξ of a side with its foot's s.
#[derive(Debug, Clone, Copy)]
struct Mark {
    xi: f64,
    s: f64,
}

impl Sample {
    /// That of a point by itself, with which points of its stretch count by these `shares`.
    pub fn of_point(
        point: &SurfacePoint,
        placed: Placed,
        foot: Foot,
        shares: [f64; MAX_NODES],
    ) -> Sample {
        Sample {
            placed,
            foot,
            weights: point.weights,
            arm: point.arm,
            shares,
            kink: None,
        }
    }

    /// How it hangs on the `nodes` of its side.
    pub fn carried<'a>(&'a self, nodes: &'a [Node]) -> Carried<'a> {
        Carried {
            nodes,
            weights: &self.weights,
            arm: self.arm,
        }
    }

    /// Whether d and s count, and not the places of a cut alone.
    pub fn is_place(&self) -> bool {
        self.kink.is_none()
    }

    /// ∂d/∂z and ∂s/∂z.
    pub fn first(&self, local: &Local) -> [f64; 2] {
        match self.kink {
            None => self.foot.first(local),
            // g, which is no derivative but makes the second ones.
            Some(_) => [0.0, self.foot.turns_off(local)],
        }
    }

    /// What second derivatives take of an unknown.
    pub fn half(&self, local: &Local) -> Half {
        match self.kink {
            None => self.foot.half(local),
            Some(_) => Half::of_first(local.unknown, self.first(local)),
        }
    }

    /// ∂²d/∂z∂z and ∂²s/∂z∂z of a pair of unknowns.
    #[inline]
    pub fn second(&self, arms: &Arms, a: &Half, b: &Half) -> [f64; 2] {
        match self.kink {
            None => self.foot.second(arms, a, b),
            Some(kink) => kink.map(|k| k * a.first[1] * b.first[1]),
        }
    }
}

impl Side {
    /// A side whose `nodes` are drawn at `places` (m), where its axis has directions `angles` (rad).
    pub fn new(nodes: Vec<Node>, places: &[[f64; 2]], angles: &[f64], lever: Lever) -> Side {
        let mut side = Side {
            nodes,
            order: places.len() - 1,
            places: [[0.0; 2]; MAX_NODES],
            angles: [0.0; MAX_NODES],
            lever,
            dual: [[0.0; MAX_NODES]; MAX_NODES],
            shares: [0.0; MAX_NODES],
        };
        side.places[..places.len()].copy_from_slice(places);
        side.angles[..angles.len()].copy_from_slice(angles);
        let mut mass = SMatrix::<f64, MAX_NODES, MAX_NODES>::identity();
        for a in 0..=side.order {
            mass[(a, a)] = 0.0;
        }
        for (xi, weight) in gauss::legendre(POINTS) {
            let at = shape(side.order, xi);
            let weight = weight * side.stretch(&at);
            for a in 0..=side.order {
                side.shares[a] += weight * at.value[a];
                for b in 0..=side.order {
                    mass[(a, b)] += weight * at.value[a] * at.value[b];
                }
            }
        }
        // Shape functions are independent.
        let inverse = mass.try_inverse().unwrap_or_default();
        for a in 0..=side.order {
            for b in 0..=side.order {
                side.dual[a][b] = side.shares[a] * inverse[(a, b)];
            }
        }
        side
    }

    /// The nodes that it hangs on.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Length for which each of its nodes stands, m.
    pub fn shares(&self) -> &[f64] {
        &self.shares[..=self.order]
    }

    /// dS/dξ.
    fn stretch(&self, at: &Shape) -> f64 {
        let [x, y] = self.sum(&at.first);
        x.hypot(y)
    }

    fn sum(&self, weights: &[f64; MAX_NODES]) -> [f64; 2] {
        let places = self.places.iter().zip(weights);
        places.fold([0.0; 2], |sum, (place, w)| {
            [sum[0] + w * place[0], sum[1] + w * place[1]]
        })
    }

    /// D as drawn and its derivative by ξ.
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

    /// A place of it without a foot.
    fn at(&self, q: &Positions, at: &Shape) -> ([f64; MAX_NODES], [f64; 2], Placed) {
        let weights = self.weights(&at.value, 1.0);
        let [arm, _] = self.arm(at);
        let carried = Carried {
            nodes: &self.nodes,
            weights: &weights,
            arm,
        };
        let placed = carried.at(q);
        (weights, arm, placed)
    }

    /// X_ξ.
    fn tangent(&self, q: &Positions, at: &Shape, placed: &Placed) -> [f64; 2] {
        let [weights, slopes] = [self.weights(&at.value, 1.0), self.weights(&at.first, 0.0)];
        let (mut tangent, mut angle, mut turn) = ([0.0; 2], 0.0, 0.0);
        for (l, node) in self.nodes.iter().enumerate() {
            for (i, &u) in node.position.iter().enumerate() {
                tangent[i] += slopes[l] * q.get(u).way_from(placed.from[i]);
            }
            let rotation = node.rotation.map_or(0.0, |r| q[r]);
            angle += weights[l] * rotation;
            turn += slopes[l] * rotation;
        }
        let [_, by] = self.arm(at);
        let [x, y] = turned(by, angle);
        [
            tangent[0] + x - turn * placed.arm[1],
            tangent[1] + y + turn * placed.arm[0],
        ]
    }

    /// Adds its nodes, looked at by themselves, each with the length for which it stands, m. The search for feet starts from `s` of its
    /// ends. Returns by how much at the most means of d and s differ from what they are at the nodes, m.
    pub fn add_nodes(&self, view: &View<'_>, s: [f64; 2], out: &mut Vec<Sample>) -> [f64; 2] {
        let ends = [(0, s[0]), (self.order, s[1])].map(|(a, s)| self.node(view, a, s));
        let between = |of: fn(&Foot) -> f64, share: f64| {
            let [a, b] = ends.each_ref().map(|end| of(&end.foot));
            a + share * (b - a)
        };
        let off =
            |foot: &Foot, share: f64| (foot.distance() - between(Foot::distance, share)).abs();
        let mut strays = 0.0_f64;
        out.push(ends[0]);
        for a in 1..self.order {
            let share = a as f64 / self.order as f64;
            let inner = self.node(view, a, between(Foot::s, share));
            strays = strays.max(off(&inner.foot, share));
            out.push(inner);
        }
        out.push(ends[1]);
        if self.order == 1 {
            // Its nodes say nothing of how the path bends between them.
            let none = [0.0; MAX_NODES];
            let middle = self.look(view, &shape(1, 0.0), between(Foot::s, 0.5), none);
            strays = off(&middle.foot, 0.5);
        }
        let feet = ends.each_ref().map(|end| end.foot.place(&end.placed));
        let s = ends.each_ref().map(|end| end.foot.s());
        strays += view.path.strays(s, feet, view.q, ends[0].placed.from);
        let length = self.shares().iter().sum::<f64>();
        [
            STRAYS * strays + ROUNDED * length,
            STRAYS * (s[1] - s[0]).abs(),
        ]
    }

    fn node(&self, view: &View<'_>, a: usize, s: f64) -> Sample {
        let mut shares = [0.0; MAX_NODES];
        shares[a] = self.shares[a];
        let xi = 2.0 * a as f64 / self.order as f64 - 1.0;
        self.look(view, &shape(self.order, xi), s, shares)
    }

    /// Adds the places at which it is looked at where it is near: the Gauss points of its segments and the cuts between them. The feet of its
    /// ends are at `s`.
    pub fn add_segments(&self, view: &View<'_>, s: [f64; 2], out: &mut Vec<Sample>) {
        let [first, last] = [0, 1].map(|k| Mark {
            xi: 2.0 * k as f64 - 1.0,
            s: s[k],
        });
        let forward = last.s >= first.s;
        let (mut from, mut s) = (first, first.s);
        while let Some((end, beside)) = view.path.next_joint(s, forward) {
            if (end >= last.s) == forward {
                break;
            }
            s = end;
            if let Some(cut) = self.cut(view, [from, last], (end, beside), forward, out) {
                self.add_segment(view, [from, cut], out);
                from = cut;
            }
        }
        self.add_segment(view, [from, last], out);
    }

    /// A place of it whose foot is looked for from `s`.
    fn look(&self, view: &View<'_>, at: &Shape, s: f64, shares: [f64; MAX_NODES]) -> Sample {
        let (weights, arm, placed) = self.at(view.q, at);
        Sample {
            placed,
            foot: Foot::of(view.path, view.q, &placed, s),
            weights,
            arm,
            shares,
            kink: None,
        }
    }

    fn add_segment(&self, view: &View<'_>, [first, last]: [Mark; 2], out: &mut Vec<Sample>) {
        let half = 0.5 * (last.xi - first.xi);
        for &(x, w) in view.rule {
            let share = 0.5 * (1.0 + x);
            let at = shape(self.order, first.xi + 2.0 * half * share);
            let s = first.s + share * (last.s - first.s);
            out.push(self.look(view, &at, s, self.dual(&at, w * half)));
        }
    }

    /// ψ_a times the length of a `part` of ξ.
    fn dual(&self, at: &Shape, part: f64) -> [f64; MAX_NODES] {
        let length = part * self.stretch(at);
        self.dual.map(|row| {
            let products = row.iter().zip(&at.value).map(|(a, n)| a * n);
            length * products.sum::<f64>()
        })
    }

    /// The place whose foot is the `end` of an element, after `from`; none where it is not between that and `last`. What it does to second
    /// derivatives is added.
    fn cut(
        &self,
        view: &View<'_>,
        [from, last]: [Mark; 2],
        (end, beside): (f64, [usize; 2]),
        forward: bool,
        out: &mut Vec<Sample>,
    ) -> Option<Mark> {
        let View { path, q, .. } = *view;
        let (_, _, first) = self.at(q, &shape(self.order, from.xi));
        let foot = Foot::on(path, beside[0], q, &first, end);
        let (place, direction) = (foot.place(&first), foot.direction());
        let along = |[x, y]: [f64; 2]| x * direction[0] + y * direction[1];
        let beyond = |at: &Shape| {
            let (weights, arm, placed) = self.at(q, at);
            let off = along([0, 1].map(|i| placed.place[i] - place[i]));
            (off, weights, arm, placed)
        };
        let sign = if forward { 1.0 } else { -1.0 };
        let (mut low, mut high) = (from.xi, last.xi);
        let mut xi = low + (high - low) * (end - from.s) / (last.s - from.s);
        for _ in 0..MOST_STEPS {
            let at = shape(self.order, xi);
            let (off, _, _, placed) = beyond(&at);
            if sign * off > 0.0 {
                high = xi;
            } else {
                low = xi;
            }
            let next = xi - off / along(self.tangent(q, &at, &placed));
            let next = match (low..=high).contains(&next) {
                true => next,
                false => 0.5 * (low + high),
            };
            let step = next - xi;
            xi = next;
            if step.abs() <= ROUNDING {
                break;
            }
        }
        if !(from.xi < xi && xi < last.xi) {
            return None;
        }
        let at = shape(self.order, xi);
        let (_, weights, arm, placed) = beyond(&at);
        let feet = beside.map(|element| Foot::on(path, element, q, &placed, end));
        if beside[0] != beside[1] {
            let [before, after] = feet.map(|foot| foot.by_rate());
            let by = sign / along(self.tangent(q, &at, &placed));
            let jump = [0, 1].map(|k| by * (before[k] - after[k]));
            out.push(Sample {
                placed,
                foot: feet[0],
                weights,
                arm,
                shares: self.dual(&at, 1.0),
                kink: Some([jump[0], -jump[1]]),
            });
        }
        Some(Mark { xi, s: end })
    }
}
