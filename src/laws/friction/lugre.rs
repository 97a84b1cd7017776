//! The LuGre law (Canudas de Wit, Olsson, Åström & Lischinsky 1995).

use num_dual::Dual64;

use super::bristles::{Falling, PRESLIDING, STIFFNESS, relax};
use super::coulomb::static_below;
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::{Contradiction, Value};
use super::stribeck::EXPONENT;
use crate::quantity::{NOT_NEGATIVE, POSITIVE};

law! {
    /// Bristles with damping under Stribeck friction: F_f = σ₀ z + σ₁ e^(−(|v|/v_σ)^δ) ż with
    /// ż = v − |v| z/z_ss, z_ss = F_N (μ_k + (μ_s − μ_k) exp(−(|v|/v_σ)^δ))/σ₀ (δ = 2: Canudas de Wit et al. 1995).
    /// Creeps a little with every small swing of the load. The damping fades with the speed (Olsson
    /// 1996): in fast sliding it would answer to every change of F_N, which moves z_ss.
    ///
    /// Never drives: slip takes σ₀ z dw = σ₀ z²|ds|/z_ss ≥ 0, and z goes towards z_ss sgn(ds) without
    /// passing it; σ₁ ż resists or, where z recedes, gives back less than slip takes.
    Lugre {
        required {
            /// σ₀: stiffness of the bristles
            stiffness: Stiffness, STIFFNESS;
            /// μ_s: static coefficient, at or above μ_k
            static_coefficient: Dimensionless, NOT_NEGATIVE;
            /// μ_k: kinetic coefficient
            kinetic_coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_σ: velocity of the decay from μ_s to μ_k
            decay_velocity: Velocity, POSITIVE;
        }
        defaults {
            /// δ: exponent of the decay; `stribeck` has 1 where nothing is written
            decay_exponent = 2.0: Dimensionless, EXPONENT;
            /// σ₁: damping of the bristles at rest
            damping = 0.0: ViscousCoefficient, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> Lugre<N> {
    fn bristles(&self) -> Falling {
        Falling {
            stiffness: self.stiffness.dual(),
            damping: self.damping.dual(),
            coefficients: [self.static_coefficient, self.kinetic_coefficient].map(Value::dual),
            decay_velocity: self.decay_velocity.dual(),
            decay_exponent: self.decay_exponent.dual(),
        }
    }
}

impl<N: Value> MemoryLaw for Lugre<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        self.bristles().pass(
            pass,
            |limited, steady| relax(pass, limited, steady),
            |z, steady| z < PRESLIDING * steady,
        )
    }

    fn steady(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        self.bristles().steady(speed)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(Some(self.static_coefficient), self.kinetic_coefficient)
    }
}

impl Lugre {
    pub(super) fn samples() -> Vec<Lugre> {
        let law = Lugre {
            stiffness: 3e5,
            static_coefficient: 0.6,
            kinetic_coefficient: 0.5,
            decay_velocity: 0.01,
            damping: 300.0,
            ..Lugre::blank()
        };
        vec![
            law.clone(),
            Lugre {
                stiffness: 2e3,
                kinetic_coefficient: 0.2,
                decay_exponent: 1.0,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
