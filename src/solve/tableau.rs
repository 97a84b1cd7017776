//! Steps of several stages (ESDIRK methods): weights of q̇ and q̈.
//!
//! Stage i ends at t + cᵢ h. With 0 for the beginning of the step, and the stages before it,
//!
//! ```text
//! Vᵢ = q̇₀ + h Σ aᵢⱼ q̈ⱼ,    Qᵢ = q₀ + h Σ aᵢⱼ q̇ⱼ + d Vᵢ,    c₁ = d, c₂ = d²
//! ```
//!
//! The diagonal d/h is the same in all stages, so that they have one matrix, and the last one ends the step. The end is a function of positions,
//! velocities and q̈ at the beginning alone.

use std::f64::consts::{FRAC_1_SQRT_2, SQRT_2};

use crate::newton::kinetics::{Base, Before, Stage};
use crate::system::{Circling, System};

/// Weights of a step of several stages.
#[derive(Debug)]
pub struct Tableau {
    /// d/h.
    diagonal: f64,
    rows: &'static [Row],
    /// What the weights of a companion of an order less differ by from those of the step: at its beginning and at the ends of its stages.
    pub error: &'static [f64],
    pub order: u8,
}

/// Most stages of a step.
const MOST_STAGES: usize = 4;

/// One stage.
#[derive(Debug)]
struct Row {
    /// c, where it ends, as a share of the step.
    end: f64,
    /// a of the beginning of the step and of the stages before.
    weights: &'static [f64],
}

/// d/h of TR-BDF2.
const D: f64 = 1.0 - FRAC_1_SQRT_2;

/// Weights of the second stage of TR-BDF2.
const W: f64 = 0.25 * SQRT_2;

/// A trapezoidal rule to t + 2d, then a backward difference over the whole step: of second order (Bank et al. 1985).
const TR_BDF2: Tableau = Tableau {
    diagonal: D,
    rows: &[Row { end: 2.0 * D, weights: &[D] }, Row { end: 1.0, weights: &[W, W] }],
    error: &[],
    order: 2,
};

/// Of third order, with a companion of second (Kennedy & Carpenter 2016, ESDIRK3(2)5L[2]SA). Like TR-BDF2 it damps infinitely fast vibrations in a step.
const THIRD: Tableau = Tableau {
    diagonal: 9.0 / 40.0,
    rows: &[
        Row { end: 9.0 / 20.0, weights: &[9.0 / 40.0] },
        Row {
            end: 9.0 * (2.0 + SQRT_2) / 40.0,
            weights: &[9.0 * (1.0 + SQRT_2) / 80.0, 9.0 * (1.0 + SQRT_2) / 80.0],
        },
        Row {
            end: 3.0 / 5.0,
            weights: &[
                (8.0 + 7.0 * SQRT_2) / 80.0,
                (8.0 + 7.0 * SQRT_2) / 80.0,
                7.0 * (1.0 - SQRT_2) / 40.0,
            ],
        },
        Row { end: 1.0, weights: &[B[0], B[0], B[1], B[2]] },
    ],
    error: &[
        4555948517383.0 / 24713416420891.0 - B[0],
        4555948517383.0 / 24713416420891.0 - B[0],
        -7107561914881.0 / 25547637784726.0 - B[1],
        30698249.0 / 44052120.0 - B[2],
        49563.0 / 233080.0 - 9.0 / 40.0,
    ],
    order: 3,
};

/// Weights of its last stage, the first for the beginning and the first stage.
const B: [f64; 3] =
    [(1187.0 * SQRT_2 - 1181.0) / 2835.0, 2374.0 * (1.0 - SQRT_2) / 2835.0, 5827.0 / 7560.0];

impl System {
    /// Of steps of several stages.
    pub(crate) fn tableau(&self) -> &'static Tableau {
        match self.model.solver.tolerance {
            Some(_) => &THIRD,
            None => &TR_BDF2,
        }
    }
}

impl Tableau {
    /// Number of stages.
    pub fn stages(&self) -> usize {
        self.rows.len()
    }

    /// Where stage `i` ends, as a share of the step.
    pub fn end(&self, i: usize) -> f64 {
        self.rows[i].end
    }

    /// Coefficients of a stage in a step of length `h` (s).
    pub fn stage(&self, h: f64) -> Stage {
        Stage::euler(self.diagonal * h)
    }

    /// κ at the end of stage `i` of a step of length `h` (s), at whose beginning it is that `before`. Where q‴ is constant, stages
    /// whose velocities are q̇ − eⱼ h² q‴ have Σ aᵢⱼ eⱼ = ½ Σ aᵢⱼ cⱼ² − cᵢ³/6.
    pub fn circling(&self, i: usize, h: f64, before: Circling) -> Circling {
        let mut lags = [before.0 / (h * h); MOST_STAGES + 1];
        for (k, row) in self.rows[..=i].iter().enumerate() {
            let end = |j: usize| if j == 0 { 0.0 } else { self.end(j - 1) };
            let earlier = row.weights.iter().enumerate();
            let earlier: f64 = earlier.map(|(j, a)| a * (0.5 * end(j) * end(j) - lags[j])).sum();
            let own = self.diagonal * 0.5 * row.end * row.end;
            lags[k + 1] = (earlier + own - row.end.powi(3) / 6.0) / self.diagonal;
        }
        Circling(lags[i + 1] * h * h)
    }

    /// V and Q − q₀ of one unknown in stage `i` of a step of length `h` (s), where stage j has ended with q̇ and q̈ of `ends(j)`.
    #[inline]
    pub fn base(
        &self, i: usize, h: f64, before: &Before, ends: impl Fn(usize) -> [f64; 2],
    ) -> Base {
        let (weights, d) = (self.rows[i].weights, self.diagonal * h);
        let mut velocity = before.velocity + h * weights[0] * before.acceleration;
        let mut travel = h * weights[0] * before.velocity;
        for (j, weight) in weights[1..].iter().enumerate() {
            let [v, x] = ends(j);
            velocity += h * weight * x;
            travel += h * weight * v;
        }
        Base { velocity, travel: travel + d * velocity }
    }

    /// Weights of the last stage and of the one before in a parabola through both and the beginning of the step, at the end of stage `i`; in a line
    /// through both alone where the motion is not `smooth` at the beginning.
    pub fn ahead(&self, i: usize, smooth: bool) -> [f64; 2] {
        let (t, last) = (self.end(i), self.end(i - 1));
        if i == 1 {
            return [t / last, 0.0];
        }
        let before = self.end(i - 2);
        let line = [(t - before) / (last - before), (t - last) / (before - last)];
        match smooth {
            true => [line[0] * t / last, line[1] * t / before],
            false => line,
        }
    }
}
