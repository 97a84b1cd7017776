//! Power series of the sliding velocity (Půst, Pešek & Radolfová 2011, Eqs. 5-10, 13a, 29).

use num_dual::Dual64;

use super::Rest;
use super::coulomb::static_below;
use super::equivalent;
use super::law::{Law, Surroundings, law};
use super::number::{Contradiction, Value};
use super::threshold::regularised;
use crate::quantity::{FINITE, NOT_NEGATIVE, POSITIVE};

law! {
    /// A straight line up to v_r, then f + Σ b_n (v_a/v₁)ⁿ with v_a = |v| − v_r (Půst et al. 2011,
    /// Eqs. 5-10, 13a, 29; b_n per unit of normal force). Where the sum is negative it counts as 0.
    PowerSeries {
        required {
            /// f: coefficient where sliding begins (f₁ of Eq. 13a)
            coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_r: velocity up to which the force grows from 0
            threshold_velocity: Velocity, POSITIVE;
        }
        defaults {
            /// v₁: velocity in which v_a is counted
            reference_velocity = 1.0: Velocity, POSITIVE;
        }
        optional {
            /// f₂: coefficient reached at v_r, at or above f; without it f
            static_coefficient: Dimensionless, NOT_NEGATIVE;
        }
        lists {
            /// b₁, b₂, …: any number of them
            coefficients: Dimensionless, FINITE;
        }
    }
}

impl<N: Value> Law for PowerSeries<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let coefficient = self.coefficient.dual();
        let edge = self.static_coefficient.map_or(coefficient, N::dual);
        regularised(speed, self.threshold_velocity.dual(), edge, |beyond| {
            let x = beyond / self.reference_velocity.dual();
            let start = Dual64::from_re(0.0);
            let powers = self.coefficients.iter().rev();
            powers.fold(start, |sum, b| (sum + b.dual()) * x) + coefficient
        })
    }

    fn rest(&self) -> Rest {
        Rest::Creeps
    }

    fn corners(&self) -> Vec<f64> {
        vec![self.threshold_velocity.dual().re]
    }

    fn equivalent_damping(&self, v0: f64) -> Option<f64> {
        if self.coefficients.len() > equivalent::POWERS.len() {
            return None;
        }
        let (f, v_r) = (self.coefficient.dual().re, self.threshold_velocity.dual().re);
        let edge = self.static_coefficient.map_or(f, |n| n.dual().re);
        let mut sum = edge * equivalent::ramp(v_r, v0) + f * equivalent::plateau(v_r, v0);
        let mut unit = 1.0;
        for (b, power) in self.coefficients.iter().zip(equivalent::POWERS) {
            unit /= self.reference_velocity.dual().re;
            sum += b.dual().re * unit * power(v_r, v0);
        }
        Some(sum)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(self.static_coefficient, self.coefficient)
    }
}

impl PowerSeries {
    pub(super) fn samples() -> Vec<PowerSeries> {
        let law = PowerSeries {
            coefficient: 0.5,
            threshold_velocity: 0.01,
            coefficients: vec![-0.1, 0.02],
            ..PowerSeries::blank()
        };
        vec![
            law.clone(),
            PowerSeries {
                reference_velocity: 2.0,
                coefficients: vec![0.2, -0.05, 0.006, 0.0005, 1e-5],
                viscous_coefficient: 3.0,
                ..law.clone()
            },
            PowerSeries {
                static_coefficient: Some(0.6),
                coefficients: vec![-0.3],
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
                ..law
            },
        ]
    }
}
