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
//! (the form of Arnold & Brüls 2007). It needs no stored forces, the equations hold at the end of
//! the step, and multipliers, friction and q̈ belong to that instant. Positions and velocities
//! follow from a by Newmark's formulas, Eqs. 36-37.

use crate::model::checked::Method;
use crate::numerics::positions::Position;
use crate::system::State;

/// Weights of one step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weights {
    pub alpha_m: f64,
    pub alpha_f: f64,
    pub beta: f64,
    pub gamma: f64,
}

impl Weights {
    /// The implicit Euler method, of a step that begins with a = 0.
    pub const EULER: Weights = Weights {
        alpha_m: 0.0,
        alpha_f: 0.0,
        beta: 1.0,
        gamma: 1.0,
    };

    /// Generalized-α: α_m = (2ρ − 1)/(ρ + 1), α_f = ρ/(ρ + 1), γ = ½ − α_m + α_f,
    /// β = ¼(1 − α_m + α_f)² (Chung & Hulbert 1993; Eqs. 42-43). Newmark: α_m = α_f = 0,
    /// γ = ½ + α, β = ¼(1 + α)², α = (1 − ρ)/(1 + ρ) (Géradin & Rixen 2015).
    ///
    /// `spectral_radius` ρ in [0, 1): what is left of the highest mode after one step.
    pub fn new(method: Method, spectral_radius: f64) -> Weights {
        let rho = spectral_radius;
        match method {
            Method::GeneralizedAlpha => {
                let (alpha_m, alpha_f) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
                let shift = alpha_f - alpha_m;
                Weights {
                    alpha_m,
                    alpha_f,
                    beta: 0.25 * (1.0 + shift) * (1.0 + shift),
                    gamma: 0.5 + shift,
                }
            }
            Method::Newmark => {
                let alpha = (1.0 - rho) / (1.0 + rho);
                Weights {
                    alpha_m: 0.0,
                    alpha_f: 0.0,
                    beta: 0.25 * (1.0 + alpha) * (1.0 + alpha),
                    gamma: 0.5 + alpha,
                }
            }
        }
    }

    /// ∂q̈/∂q over a step of length `h`, 1/s².
    pub fn mass_factor(&self, h: f64) -> f64 {
        (1.0 - self.alpha_m) / ((1.0 - self.alpha_f) * self.beta * h * h)
    }

    /// a at the end of a step that moves one unknown by `way`.
    #[inline]
    pub fn algorithmic(&self, h: f64, way: f64, before: &Before) -> f64 {
        (way - h * before.velocity) / (self.beta * h * h)
            - (0.5 - self.beta) / self.beta * before.algorithmic
    }

    /// q̈ at the end of the step for the end value `a`.
    #[inline]
    pub fn acceleration(&self, a: f64, before: &Before) -> f64 {
        ((1.0 - self.alpha_m) * a + self.alpha_m * before.algorithmic
            - self.alpha_f * before.acceleration)
            / (1.0 - self.alpha_f)
    }

    /// q̇ at the end of the step for the end value `a`.
    #[inline]
    pub fn velocity(&self, h: f64, a: f64, before: &Before) -> f64 {
        before.velocity + h * ((1.0 - self.gamma) * before.algorithmic + self.gamma * a)
    }
}

/// One unknown at the beginning of a step.
#[derive(Debug, Clone, Copy)]
pub struct Before {
    pub q: Position,
    pub velocity: f64,
    pub acceleration: f64,
    pub algorithmic: f64,
}

impl Before {
    /// Unknown `u` of a state.
    pub fn of(state: &State, u: usize) -> Before {
        Before {
            q: state.q.get(u),
            velocity: state.velocity[u],
            acceleration: state.acceleration[u],
            algorithmic: state.algorithmic[u],
        }
    }
}
