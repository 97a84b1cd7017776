//! A place at which a surface is looked at, and by how much the points of the surface count with it.
//!
//! The distance d_j, the place s_j and the share of its length χ_j that bears of a point change with the unknowns z by
//!
//! ```text
//! δd_j = Σ w_d δd + w_e δξ,    δs_j = Σ w_s δs,    δχ_j = Σ w_χ δξ
//! ```
//!
//! over the places (δd, δs) below the sides of the point, and the places ξ above the ends of the path. Forces act on what there is of the
//! surface, by w_d and w_s: no force does the work that layers gain or lose as the end of the path moves.

use num_dual::Dual64;

use super::closest_point::{ClosestPoint, Half};
use super::local::{Arms, Local, Locals};
use super::point::{Carried, Placed, SurfacePoint};
use crate::joints::path::Path;
use crate::nodes::Node;
use crate::numerics::derivative::Differentiable;
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::positions::Positions;

/// By how much each point of a stretch counts with a sample.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// Of its distance: w_d; at an end of the path w_e.
    pub distance: [f64; MAX_NODES],
    /// Of its place on the path: w_s; at an end of the path w_χ of what χ follows.
    pub s: [f64; MAX_NODES],
}

/// How the points of a side stand, and how they change.
#[derive(Debug, Clone, Copy, Default)]
pub struct Shifts {
    /// d_j, m.
    pub distance: [f64; MAX_NODES],
    /// Length of the point's part of the surface that is on the path, m, and its change.
    pub length: [[f64; MAX_NODES]; 2],
    /// Length of all of it, m.
    pub whole: [f64; MAX_NODES],
}

/// Forces of a point of a surface, N, in numbers of the kind `D`.
#[derive(Debug, Clone, Copy)]
pub struct Exerted<D = f64> {
    /// By d: σ N.
    pub across: D,
    /// By s: T, with the force of what the layer stores where χ follows s.
    pub along: D,
}

impl<D: Differentiable> Default for Exerted<D> {
    fn default() -> Exerted<D> {
        Exerted { across: D::zero(), along: D::zero() }
    }
}

/// Where a correction of Newton's method leads a point of a surface, to first order.
#[derive(Debug, Clone, Copy, Default)]
pub struct Predicted {
    /// d and s, m.
    pub place: [f64; 2],
    /// What the equations of the correction make of its forces.
    pub exerted: Exerted,
}

impl Counts {
    /// Makes lengths of a side by which points count shares.
    pub fn share_out(&mut self, points: &Shifts) {
        for j in 0..MAX_NODES {
            if points.whole[j] > 0.0 {
                self.s[j] /= points.whole[j];
            }
            if points.length[0][j] > 0.0 {
                self.distance[j] /= points.length[0][j];
            } else {
                self.distance[j] = self.s[j];
            }
        }
    }

    /// What the `points` of its stretch exert at a place: by ∂d/∂z and by ∂s/∂z.
    pub fn exerted<D: Differentiable>(&self, points: impl Iterator<Item = Exerted<D>>) -> [D; 2] {
        let points = points.zip(self.distance.iter().zip(&self.s));
        points.fold([D::zero(); 2], |[across, along], (of, (distance, s))| {
            [across + of.across * *distance, along + of.along * *s]
        })
    }
}

/// A place at which a surface is looked at.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    pub placed: Placed,
    pub closest: ClosestPoint,
    pub counts: Counts,
    /// Its place ξ on its side, and the length that it stands for, m.
    pub xi: f64,
    pub length: f64,
    /// Weights of the side's nodes, and D in the initial configuration, m.
    weights: [f64; MAX_NODES],
    arm: [f64; 2],
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// d and s count, and χ follows s.
    Fading,
    /// d and s count.
    Place,
    /// A cut between two elements of the path, which counts with second derivatives only: those of d and s are these by g gᵀ.
    Kink([f64; 2]),
    /// The place ξ above an end of the path, where h = τ·(X − P) = 0, with h_ξ: it moves by δξ = −∂h/∂z δz/h_ξ.
    End(f64),
}

impl Sample {
    /// A place ξ of a side that stands for a `length` (m).
    pub fn of_side(
        (xi, length): (f64, f64), (weights, arm, placed): ([f64; MAX_NODES], [f64; 2], Placed),
        closest: ClosestPoint,
    ) -> Sample {
        Sample {
            placed,
            closest,
            counts: Counts::default(),
            xi,
            length,
            weights,
            arm,
            kind: Kind::Place,
        }
    }

    /// The sample of a point by itself, with which points of its stretch count by these `shares`.
    pub fn of_point(
        point: &SurfacePoint, placed: Placed, closest: ClosestPoint, shares: [f64; MAX_NODES],
    ) -> Sample {
        let found = (point.weights, point.arm, placed);
        Sample {
            counts: Counts { distance: shares, s: shares },
            kind: Kind::Fading,
            ..Sample::of_side((0.0, point.length), found, closest)
        }
    }

    /// This sample where χ follows s.
    pub fn fading(self) -> Sample {
        Sample { kind: Kind::Fading, ..self }
    }

    /// This sample as a cut between elements of the path.
    pub fn kinked(self, kink: [f64; 2]) -> Sample {
        Sample { kind: Kind::Kink(kink), ..self }
    }

    /// This sample as an end of the path; `tangent_component` is that of the surface along the path.
    pub fn at_end(self, tangent_component: f64) -> Sample {
        Sample { kind: Kind::End(tangent_component), ..self }
    }

    /// Whether d and s count.
    pub fn is_place(&self) -> bool {
        matches!(self.kind, Kind::Fading | Kind::Place)
    }

    /// Whether it changes with the unknowns by [first derivatives](Half::first).
    pub fn moves(&self) -> bool {
        !matches!(self.kind, Kind::Kink(_))
    }

    /// Changes of d, s and of what χ follows of its point number `j` by its [first derivatives](Sample::first).
    pub fn moved(&self, j: usize, first: [f64; 2]) -> [f64; 3] {
        let (distance, s) = (self.counts.distance[j], self.counts.s[j]);
        match self.kind {
            Kind::Fading => [distance * first[0], s * first[1], s * first[1]],
            Kind::Place => [distance * first[0], s * first[1], 0.0],
            Kind::Kink(_) => [0.0; 3],
            Kind::End(_) => [distance * first[1], 0.0, s * first[1]],
        }
    }

    /// By how much distance and place of its point number `j` count with its own.
    pub fn shares(&self, j: usize) -> [f64; 2] {
        match self.kind {
            Kind::End(_) => [0.0; 2],
            _ => [self.counts.distance[j], self.counts.s[j]],
        }
    }

    /// What the `points` of its stretch exert there: by ∂d/∂z and by ∂s/∂z. An end of the path takes nothing.
    pub fn exerted<D: Differentiable>(&self, points: impl Iterator<Item = Exerted<D>>) -> [D; 2] {
        match self.kind {
            Kind::End(_) => [D::zero(); 2],
            _ => self.counts.exerted(points),
        }
    }

    /// What the `points` of its stretch exert there with the changes of that, where their counts change by `counts`.
    pub fn exerted_change(
        &self, counts: &Counts, points: impl Iterator<Item = Exerted<Dual64>> + Clone,
    ) -> [Dual64; 2] {
        let constant = |of: Exerted<Dual64>| {
            let [across, along] = [of.across, of.along].map(|force| force.re);
            Exerted { across, along }
        };
        let by_counts = counts.exerted(points.clone().map(constant));
        let mut exerted = self.exerted(points);
        for (exerted, by_counts) in exerted.iter_mut().zip(by_counts) {
            exerted.eps += by_counts;
        }
        exerted
    }

    /// Adds the unknowns that it hangs on, those of its side's `nodes` first.
    pub fn add_locals(&self, nodes: &[Node], path: &Path, q: &Positions, locals: &mut Locals) {
        let carried = Carried { nodes, weights: &self.weights, arm: self.arm };
        carried.add_locals(&self.placed, locals);
        self.closest.add_locals(path, q, locals);
    }

    /// ∂d/∂z and ∂s/∂z, at an end of the path ∂d/∂z and ∂ξ/∂z; of a cut g, which is no derivative but makes the second ones.
    pub fn first(&self, local: &Local) -> [f64; 2] {
        let [by_distance, by_s] = self.closest.first(local);
        match self.kind {
            Kind::Fading | Kind::Place => [by_distance, by_s],
            Kind::Kink(_) => [0.0, self.closest.turns_off(local)],
            Kind::End(tangent_component) => {
                [by_distance, -self.closest.turns_off(local) / tangent_component]
            }
        }
    }

    /// What second derivatives take of an unknown.
    pub fn half(&self, local: &Local) -> Half {
        match self.kind {
            Kind::Fading | Kind::Place => self.closest.half(local),
            _ => Half::of_first(local.unknown, self.first(local)),
        }
    }

    /// What second derivatives take of all `locals`.
    pub fn halves(&self, locals: &Locals) -> Vec<Half> {
        locals.as_slice().iter().map(|local| self.half(local)).collect()
    }

    /// ∂d/∂z and ∂s/∂z of the unknown of `half` with their changes by that of the unknowns of all `halves`, `by`.
    pub fn first_change(
        &self, half: &Half, (arms, halves): (&Arms, &[Half]), by: &[f64],
    ) -> [Dual64; 2] {
        let mut first = match self.moves() {
            true => half.first.map(Dual64::from),
            false => [Dual64::from(0.0); 2],
        };
        for other in halves {
            let second = self.second(arms, half, other);
            for (first, second) in first.iter_mut().zip(second) {
                first.eps += second * by[other.unknown];
            }
        }
        first
    }

    /// ∂²d/∂z∂z and ∂²s/∂z∂z of a pair of unknowns; 0 at an end of the path, where forces take first ones alone.
    #[inline]
    pub fn second(&self, arms: &Arms, a: &Half, b: &Half) -> [f64; 2] {
        match self.kind {
            Kind::Fading | Kind::Place => self.closest.second(arms, a, b),
            Kind::Kink(kink) => kink.map(|k| k * a.first[1] * b.first[1]),
            Kind::End(_) => [0.0; 2],
        }
    }
}
