//! The part of a side that is on the path.
//!
//! Where an end of the path is below a side, what is on the path is a side of its own: from ξ_a to ξ_b, with the coordinate η from −1 to 1
//! and dual functions ψ(η) there. Its integrals
//!
//! ```text
//! A_j = ∫ ψ_j dS,    F_j = ∫ ψ_j d dS
//! ```
//!
//! are those of the whole side when all of it is on the path, and vanish as it leaves. A uniform pressure loads what is covered as it
//! loads an element. They change as the places ξ_u above the ends of the path move (u = a, b; σ_a = −1, σ_b = 1, J = dS/dξ):
//!
//! ```text
//! ∂F_j/∂ξ_u = σ_u ψ_j J d |_u + ∫ ψ_j′ η_u d dS,    and ∂A_j/∂ξ_u the same with d = 1
//! ```

use super::duals::{Duals, Values};
use super::sample::{Counts, Sample, Shifts};
use crate::numerics::lagrange::MAX_NODES;

/// What of a side is on the path.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cover {
    /// ξ_a and ξ_b.
    xi: [f64; 2],
    /// The numbers of the side's samples there where the path ends.
    ends: [Option<usize>; 2],
    /// A_j, m.
    pub lengths: Values,
    /// Derivatives of A_j and F_j by the two ends.
    by_ends: [[Values; 2]; 2],
}

fn add(sum: &mut Values, by: f64, values: &Values) {
    for (sum, value) in sum.iter_mut().zip(values) {
        *sum += by * value;
    }
}

/// σ.
fn sign(end: usize) -> f64 {
    2.0 * end as f64 - 1.0
}

impl Cover {
    /// All of a side, whose nodes stand for these lengths (m), and on which no end of the path is.
    pub fn whole(parts: Values) -> Cover {
        Cover { xi: [-1.0, 1.0], lengths: parts, ..Cover::default() }
    }

    /// The lengths of nodes of a side that are `on` the path.
    pub fn of_nodes(parts: Values, on: impl Fn(usize) -> bool) -> Cover {
        let mut cover = Cover::whole(parts);
        for (a, length) in cover.lengths.iter_mut().enumerate() {
            if *length != 0.0 && !on(a) {
                *length = 0.0;
            }
        }
        cover
    }

    /// What is between the places ξ of a side, where the path `ends` below these samples. All `samples` of the side get their counts of
    /// distances, as lengths.
    pub fn between(
        duals: &Duals, xi: [f64; 2], ends: [Option<usize>; 2], samples: &mut [Sample],
    ) -> Cover {
        let mut cover = Cover { xi, ends, ..Cover::default() };
        for sample in &mut *samples {
            let Some((eta, _)) = cover.coordinate(sample.xi) else {
                continue;
            };
            sample.counts.distance = duals.at(eta)[0].map(|psi| psi * sample.length);
            if sample.is_place() {
                add(&mut cover.lengths, 1.0, &sample.counts.distance);
            }
        }
        for (number, sample) in samples.iter().enumerate() {
            let slopes = cover.slopes(duals, number, sample);
            for (by_end, slopes) in cover.by_ends.iter_mut().zip(slopes) {
                add(&mut by_end[0], 1.0, &slopes);
                add(&mut by_end[1], sample.closest.distance(), &slopes);
            }
        }
        cover
    }

    /// η of a place ξ that is covered, with its derivatives by the two ends.
    fn coordinate(&self, xi: f64) -> Option<(f64, [f64; 2])> {
        let [a, b] = self.xi;
        let eta = (2.0 * xi - a - b) / (b - a);
        (a < xi && xi < b).then(|| (eta, [(eta - 1.0) / (b - a), -(eta + 1.0) / (b - a)]))
    }

    /// Whether the path ends below the side.
    pub fn is_cut(&self) -> bool {
        self.ends != [None; 2]
    }

    /// Its ends where the path ends, with the numbers of their samples.
    pub fn ends(&self) -> impl Iterator<Item = (usize, usize)> {
        let ends = self.ends.into_iter().enumerate();
        ends.filter_map(|(u, sample)| Some((u, sample?)))
    }

    /// By how much sample `number` of the side counts with the derivatives of integrals by the two ends: σ_u ψ_j J and ψ_j′ η_u dS.
    pub fn slopes(&self, duals: &Duals, number: usize, sample: &Sample) -> [Values; 2] {
        let mut slopes = [Values::default(); 2];
        if let Some((u, _)) = self.ends().find(|(_, end)| *end == number) {
            let [value, _] = duals.at(sign(u));
            slopes[u] = value.map(|psi| sign(u) * sample.length * psi);
        } else if let Some((eta, by_ends)) = self.coordinate(sample.xi)
            && self.is_cut()
            && sample.is_place()
        {
            let [_, slope] = duals.at(eta);
            slopes = by_ends.map(|by| slope.map(|psi| by * sample.length * psi));
        }
        slopes
    }

    /// How points that stand so count with end `u`.
    pub fn counts(&self, u: usize, points: &Shifts) -> Counts {
        let ([by_length, by_distance], [length, _]) = (&self.by_ends[u], &points.length);
        let mut counts = Counts::default();
        for j in (0..MAX_NODES).filter(|j| length[*j] > 0.0) {
            counts.distance[j] = (by_distance[j] - points.distance[j] * by_length[j]) / length[j];
            counts.s[j] = by_length[j] / points.whole[j];
        }
        counts
    }

    /// How the counts of sample `number` of the side change by which its points exert forces, where the ends move by `ends`.
    pub fn counts_change(
        &self, duals: &Duals, (number, sample): (usize, &Sample), points: &Shifts, ends: [f64; 2],
    ) -> Counts {
        let slopes = self.slopes(duals, number, sample);
        let [length, length_by] = &points.length;
        let mut by = Counts::default();
        for j in (0..MAX_NODES).filter(|j| length[*j] > 0.0) {
            let grown = slopes[0][j] * ends[0] + slopes[1][j] * ends[1];
            let [share, _] = sample.shares(j);
            by.distance[j] = (grown - length_by[j] * share) / length[j];
        }
        by
    }
}
