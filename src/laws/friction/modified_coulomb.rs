//! Modified Coulomb law (Půst, Pešek & Radolfová 2011, Eqs. 4 and 13).

use num_dual::Dual64;

use super::Rest;
use super::coulomb::static_below;
use super::equivalent;
use super::law::{Law, Surroundings, law};
use super::number::{Contradiction, Value};
use super::threshold::regularised;
use crate::quantity::{NOT_NEGATIVE, POSITIVE};

law! {
    /// Coulomb's law with a steep straight line in place of the jump (Půst et al. 2011, Eqs. 4, 13):
    /// μ = f₂ |v|/v_r for |v| < v_r, f above. It creeps under any load.
    ModifiedCoulomb {
        required {
            /// f: coefficient of sliding (f₁ of Eq. 13)
            coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_r: velocity up to which the force grows from 0
            threshold_velocity: Velocity, POSITIVE;
        }
        optional {
            /// f₂: coefficient reached at v_r, at or above f; without it f
            static_coefficient: Dimensionless, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> Law for ModifiedCoulomb<N> {
    fn coefficient(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        let coefficient = self.coefficient.dual();
        let edge = self.static_coefficient.map_or(coefficient, N::dual);
        regularised(speed, self.threshold_velocity.dual(), edge, |_| coefficient)
    }

    fn rest(&self) -> Rest {
        Rest::Creeps
    }

    fn corners(&self) -> Vec<f64> {
        vec![self.threshold_velocity.dual().re]
    }

    fn equivalent_damping(&self, v0: f64) -> Option<f64> {
        let (f, v_r) = (self.coefficient.dual().re, self.threshold_velocity.dual().re);
        let edge = self.static_coefficient.map_or(f, |n| n.dual().re);
        Some(edge * equivalent::ramp(v_r, v0) + f * equivalent::plateau(v_r, v0))
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(self.static_coefficient, self.coefficient)
    }
}

impl ModifiedCoulomb {
    pub(super) fn samples() -> Vec<ModifiedCoulomb> {
        let law = ModifiedCoulomb {
            coefficient: 0.5,
            threshold_velocity: 0.01,
            ..ModifiedCoulomb::blank()
        };
        vec![
            law.clone(),
            ModifiedCoulomb {
                static_coefficient: Some(0.6),
                viscous_coefficient: 3.0,
                normal_forces: vec![10.0, 150.0, 400.0],
                factors: vec![1.3, 1.0, 0.8],
                ..law
            },
        ]
    }
}
