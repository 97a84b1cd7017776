//! Straight sections (Půst, Pešek & Radolfová 2011, Eqs. 14-16).

use num_dual::Dual64;

use super::Rest;
use super::equivalent;
use super::law::{Law, Surroundings, law};
use super::number::{Contradiction, Value};
use crate::message::{figure, rounded};
use crate::quantity::{FINITE, NOT_NEGATIVE, POSITIVE};

law! {
    /// A sum of ramps, Σ b_n (|v| − v_n)/v₁ over all v_n < |v| (Půst et al. 2011, Eqs. 14-16; b_n per
    /// unit of normal force): any curve of straight sections that starts at zero.
    PiecewiseLinear {
        defaults {
            /// v₁: velocity by which the slopes are counted
            reference_velocity = 1.0: Velocity, POSITIVE;
        }
        lists {
            /// b_n: what the slope of the coefficient changes by at each of the `velocities`
            slopes: Dimensionless, FINITE;
            /// v_n: where the sections begin; the first is mostly 0
            velocities: Velocity, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> PiecewiseLinear<N> {
    fn ramps(&self) -> impl Iterator<Item = (Dual64, Dual64)> {
        let slopes = self.slopes.iter().map(|b| b.dual());
        slopes.zip(self.velocities.iter().map(|v| v.dual()))
    }
}

impl<N: Value> Law for PiecewiseLinear<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let begun = self.ramps().filter(|(_, v)| speed.re >= v.re);
        let zero = Dual64::from_re(0.0);
        begun.fold(zero, |sum, (b, v)| sum + b * (speed - v)) / self.reference_velocity.dual()
    }

    fn rest(&self) -> Rest {
        Rest::Creeps
    }

    fn corners(&self) -> Vec<f64> {
        self.velocities.iter().map(|v| v.dual().re).collect()
    }

    fn equivalent_damping(&self, v0: f64) -> Option<f64> {
        // Eq. 37.
        let ramps = self.ramps();
        let sum: f64 = ramps.map(|(b, v)| b.re * equivalent::linear(v.re, v0)).sum();
        Some(sum / self.reference_velocity.dual().re)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let wrong = |place: String, text: String| Some(Contradiction { place, text });
        let (slopes, velocities) = (self.slopes.len(), self.velocities.len());
        if slopes != velocities || slopes == 0 {
            let text = format!(
                "has {velocities} entries and `slopes` has {slopes}; allowed: as many, at least 1"
            );
            return wrong("velocities".to_owned(), text);
        }
        for (n, corner) in self.velocities.iter().enumerate() {
            let coefficient = self.coefficient(corner.dual(), &Surroundings::default()).re;
            // Rounding of a sum that is meant to be zero.
            if coefficient < -1e-12 {
                let text = format!(
                    "is {} m/s, where the sections add up to a coefficient of {}; \
                     allowed: 0 or above, friction never drives",
                    figure(corner.dual().re),
                    rounded(coefficient, 6)
                );
                return wrong(format!("velocities[{n}]"), text);
            }
        }
        let last: f64 = self.slopes.iter().map(|b| b.dual().re).sum();
        if last < -1e-12 {
            let text = format!(
                "has the sum {}: at high speed friction would drive; allowed: a sum of 0 \
                 or above",
                rounded(last, 6)
            );
            return wrong("slopes".to_owned(), text);
        }
        None
    }
}

impl PiecewiseLinear {
    /// Eq. 16 first.
    pub(super) fn samples() -> Vec<PiecewiseLinear> {
        let law = PiecewiseLinear {
            slopes: vec![4.0, -5.6, 1.2, 0.3, 0.4, -0.2],
            velocities: vec![0.0, 0.5, 1.0, 2.0, 3.0, 5.0],
            ..PiecewiseLinear::blank()
        };
        vec![
            law.clone(),
            PiecewiseLinear {
                reference_velocity: 0.5,
                slopes: vec![25.0, -30.0, 5.0],
                velocities: vec![0.0, 0.01, 0.02],
                viscous_coefficient: 3.0,
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
            },
        ]
    }
}
