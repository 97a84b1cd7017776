//! Friction that settles along an arctangent (Půst, Pešek & Radolfová 2011, Eq. 11).

use std::f64::consts::FRAC_2_PI;

use num_dual::{Dual64, DualNum};

use super::Rest;
use super::law::{Law, Surroundings, law};
use super::number::Value;
use super::threshold::regularised;
use crate::quantity::{LARGEST, Limit, NOT_NEGATIVE, POSITIVE};

/// F_f → f (1 + b_a π/2), which must not drive.
const CHANGE: Limit = Limit {
    min: -FRAC_2_PI,
    max: LARGEST,
    text: "at or above -2/pi = -0.6366, where the friction of high speeds is 0",
};

law! {
    /// A straight line up to v_r, then f [1 + b_a arctan(v_a/v₁)] with v_a = |v| − v_r
    /// (Půst et al. 2011, Eq. 11).
    Arctangent {
        required {
            /// f: coefficient where sliding begins
            coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_r: velocity up to which the force grows from 0
            threshold_velocity: Velocity, POSITIVE;
            /// b_a: at high speed the coefficient is f (1 + b_a π/2)
            change: Dimensionless, CHANGE;
        }
        defaults {
            /// v₁: velocity of the change
            reference_velocity = 1.0: Velocity, POSITIVE;
        }
    }
}

impl<N: Value> Law for Arctangent<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let coefficient = self.coefficient.dual();
        regularised(speed, self.threshold_velocity.dual(), coefficient, |beyond| {
            let bend = (beyond / self.reference_velocity.dual()).atan();
            coefficient * (self.change.dual() * bend + 1.0)
        })
    }

    fn rest(&self) -> Rest {
        Rest::Creeps
    }

    fn corners(&self) -> Vec<f64> {
        vec![self.threshold_velocity.dual().re]
    }
}

impl Arctangent {
    pub(super) fn samples() -> Vec<Arctangent> {
        let law = Arctangent {
            coefficient: 0.5,
            threshold_velocity: 0.01,
            change: -0.5,
            ..Arctangent::blank()
        };
        vec![
            law.clone(),
            Arctangent { change: 0.5, reference_velocity: 0.2, viscous_coefficient: 3.0, ..law },
        ]
    }
}
