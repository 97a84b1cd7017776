//! Generalized-α and Newmark weights.
//!
//! The papers weight the forces of both ends of a step (Siqueira & Coda 2023, Eq. 35-38):
//!
//! ```text
//! (1 − α_f) f_{t+1} + α_f f_t = M [(1 − α_m) a_{t+1} + α_m a_t]
//! ```
//!
//! with f all forces including constraints and friction. The mass is constant, so with q̈ defined
//! by M q̈ = f at every instant this is the same as
//!
//! ```text
//! (1 − α_f) q̈_{t+1} + α_f q̈_t = (1 − α_m) a_{t+1} + α_m a_t
//! M q̈_{t+1} = f_{t+1}
//! ```
//!
//! (the form of Arnold & Brüls 2007). It needs no stored forces, the equations hold at the end of the step, and multipliers, friction and
//! q̈ belong to that instant. Positions and velocities follow from a by Newmark's formulas, Eqs. 36-37.

use crate::checked::Method;
use crate::newton::kinetics::{Base, Before, Stage};
use crate::system::{Circling, System};

impl System {
    /// Weights of generalized-α.
    pub(crate) fn weights(&self) -> Weights {
        let solver = &self.model.solver;
        Weights::new(solver.method, solver.spectral_radius)
    }
}

/// Weights of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Weights {
    /// Generalized-α: α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = ½ − α_m + α_f, β = ¼(1 − α_m + α_f)² (Chung & Hulbert 1993; Eqs. 42-43).
    /// Newmark: α_m = α_f = 0, γ = ½ + α, β = ¼(1 + α)², α = (1 − ρ)/(1 + ρ) (Géradin & Rixen 2015).
    ///
    /// `spectral_radius` ρ in [0, 1): what is left of the highest mode after one step.
    pub fn new(method: Method, spectral_radius: f64) -> Weights {
        let rho = spectral_radius;
        let (alpha_m, alpha_f, shift) = match method {
            Method::GeneralizedAlpha | Method::Index3GeneralizedAlpha => {
                let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
                (alpha_m, alpha_f, alpha_f - alpha_m)
            }
            Method::Newmark => (0.0, 0.0, (1.0 - rho) / (1.0 + rho)),
        };
        Weights { alpha_m, alpha_f, beta: 0.25 * (1.0 + shift) * (1.0 + shift), gamma: 0.5 + shift }
    }

    /// The stage that a step of length `h` (s) is.
    pub fn stage(&self, h: f64) -> Stage {
        let share = self.share();
        Stage { by_velocity: h * self.gamma * share, by_position: h * h * self.beta * share }
    }

    /// κ of equal steps of length `h` (s). Where q‴ is constant, velocities v = q̇ − e h² q‴ and a = q̈ + g h q‴ follow the
    /// formulas with g = ½ − γ and e = β − ½ γ + 1/12.
    pub fn circling(&self, h: f64) -> Circling {
        Circling((self.beta - 0.5 * self.gamma + 1.0 / 12.0) * h * h)
    }

    /// ∂a/∂q̈ at the end of a step.
    fn share(&self) -> f64 {
        (1.0 - self.alpha_f) / (1.0 - self.alpha_m)
    }

    /// a at the end of a step whose q̈ vanishes there.
    fn unaccelerated(&self, before: &Before) -> f64 {
        (self.alpha_f * before.acceleration - self.alpha_m * before.algorithmic)
            / (1.0 - self.alpha_m)
    }

    /// Velocity and travel of one unknown over a step of length `h` (s) whose q̈ vanishes at its end.
    #[inline]
    pub fn base(&self, h: f64, before: &Before) -> Base {
        let (a, last) = (before.algorithmic, self.unaccelerated(before));
        Base {
            velocity: before.velocity + h * ((1.0 - self.gamma) * a + self.gamma * last),
            travel: h * before.velocity + h * h * ((0.5 - self.beta) * a + self.beta * last),
        }
    }

    /// a at the end of a step that ends with the acceleration `x` = q̈.
    #[inline]
    pub fn algorithmic(&self, x: f64, before: &Before) -> f64 {
        self.share() * x + self.unaccelerated(before)
    }

    /// a after a step of [several stages](super::tableau) that a step of generalized-α can follow, where q̈ is `x` at its end and `before` at a `share`
    /// of it: a lags by (α_f − α_m) h behind q̈.
    #[inline]
    pub fn algorithmic_after(&self, share: f64, [before, x]: [f64; 2]) -> f64 {
        x - (self.alpha_m - self.alpha_f) * (before - x) / (1.0 - share)
    }
}
