//! Friction that settles exponentially (Půst, Pešek & Radolfová 2011, Eq. 12).

use num_dual::{Dual64, DualNum};

use super::Rest;
use super::law::{Law, Surroundings, law};
use super::number::Value;
use super::threshold::regularised;
use crate::quantity::{LARGEST, Limit, NOT_NEGATIVE, POSITIVE};

/// F_f → f (1 + β), which must not drive.
const CHANGE: Limit = Limit {
    min: -1.0,
    max: LARGEST,
    text: "at or above -1, where the friction of high speeds is 0",
};

law! {
    /// A straight line up to v_r, then f {1 + β [1 − exp(−v_a/v_d)]} with v_a = |v| − v_r
    /// (Půst et al. 2011, Eq. 12 with α = 1/v_d, its second branch multiplied by the missing sgn v).
    Exponential {
        required {
            /// f: coefficient where sliding begins
            coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_r: velocity up to which the force grows from 0
            threshold_velocity: Velocity, POSITIVE;
            /// β: at high speed the coefficient is f (1 + β)
            change: Dimensionless, CHANGE;
            /// v_d = 1/α: velocity of the change
            decay_velocity: Velocity, POSITIVE;
        }
    }
}

impl<N: Value> Law for Exponential<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let coefficient = self.coefficient.dual();
        regularised(speed, self.threshold_velocity.dual(), coefficient, |beyond| {
            let settled = -(-beyond / self.decay_velocity.dual()).exp_m1();
            coefficient * (self.change.dual() * settled + 1.0)
        })
    }

    fn rest(&self) -> Rest {
        Rest::Creeps
    }

    fn corners(&self) -> Vec<f64> {
        vec![self.threshold_velocity.dual().re]
    }
}

impl Exponential {
    pub(super) fn samples() -> Vec<Exponential> {
        let law = Exponential {
            coefficient: 0.5,
            threshold_velocity: 0.01,
            change: -0.4,
            decay_velocity: 0.2,
            ..Exponential::blank()
        };
        vec![
            law.clone(),
            Exponential {
                change: 0.3,
                viscous_coefficient: 3.0,
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
                ..law
            },
        ]
    }
}
