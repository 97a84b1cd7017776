//! Coulomb friction with Stribeck decay (Siqueira & Coda 2023, Eq. 26).

use num_dual::{Dual64, DualNum};

use super::law::{Law, Surroundings, law};
use super::number::{Contradiction, Value};
use super::{Rest, Transition};
use crate::message::figure;
use crate::quantity::{Limit, NOT_NEGATIVE, POSITIVE, SMALLEST};

pub(super) const EXPONENT: Limit = Limit { min: SMALLEST, max: 10.0, text: "above 0, at most 10" };

law! {
    /// Friction that falls from a static to a kinetic coefficient as the slider gains speed:
    /// μ(|v|) = μ_k + (μ_s − μ_k) exp(−(|v|/v_σ)^δ)   (Siqueira & Coda 2023, Eq. 26).
    Stribeck {
        required {
            /// μ_s: static coefficient, at or above μ_k
            static_coefficient: Dimensionless, NOT_NEGATIVE;
            /// μ_k: kinetic coefficient
            kinetic_coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_σ: velocity of the decay
            decay_velocity: Velocity, POSITIVE;
        }
        defaults {
            /// δ: exponent of the decay; laws with bristles have 2 where nothing is written
            decay_exponent = 1.0: Dimensionless, EXPONENT;
        }
        choices {
            /// how it passes through rest
            transition: Transition;
        }
    }
}

/// |v|/v_σ below which the decay is that of this value: a power below 1 has an infinite slope at
/// rest, and Newton's method needs a finite one.
const SMALLEST_SPEED: f64 = 1e-12;

/// xⁿ for x ≥ 0, there of at least [`SMALLEST_SPEED`]; for n = 1 it is x, not the exponential of its logarithm.
pub(super) fn power(mut x: Dual64, n: Dual64) -> Dual64 {
    x.re = x.re.max(SMALLEST_SPEED);
    let value = x.re.powf(n.re);
    Dual64::new(value, value * (n.re * x.eps / x.re + n.eps * x.re.ln()))
}

impl<N: Value> Law for Stribeck<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let (kinetic, exponent) = (self.kinetic_coefficient.dual(), self.decay_exponent.dual());
        let x = speed / self.decay_velocity.dual();
        kinetic + (self.static_coefficient.dual() - kinetic) * (-power(x, exponent)).exp()
    }

    fn rest(&self) -> Rest {
        Rest::Holds(self.transition)
    }

    fn static_coefficient(&self) -> Option<Dual64> {
        Some(self.static_coefficient.dual())
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let (kinetic, own) = (self.kinetic_coefficient.dual(), self.static_coefficient.dual());
        (own.re < kinetic.re).then(|| Contradiction {
            place: "static_coefficient".to_owned(),
            text: format!(
                "is {}, below the kinetic coefficient {}; allowed: at or above it",
                figure(own.re),
                figure(kinetic.re)
            ),
        })
    }
}

impl Stribeck {
    /// The Rabinowicz test's numbers (ibid., Sec. 10.1), and variations.
    pub(super) fn samples() -> Vec<Stribeck> {
        let law = Stribeck {
            static_coefficient: 0.6,
            kinetic_coefficient: 0.5,
            decay_velocity: 0.05,
            ..Stribeck::blank()
        };
        vec![
            law.clone(),
            Stribeck { decay_exponent: 2.0, viscous_coefficient: 3.0, ..law.clone() },
            Stribeck {
                transition: Transition::SiqueiraCoda2023,
                viscous_coefficient: 3.0,
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
                ..law
            },
        ]
    }
}
