//! Coulomb's law (Půst, Pešek & Radolfová 2011, Eqs. 1 and 1a).

use std::f64::consts::PI;

use num_dual::Dual64;

use super::law::{Law, Surroundings, law};
use super::number::{Contradiction, Value};
use super::{Rest, Transition};
use crate::message::figure;
use crate::quantity::NOT_NEGATIVE;

law! {
    /// Friction of one size at every speed, F_f = f F_N sgn v (Půst et al. 2011, Eq. 1); at rest
    /// any force up to f_s F_N (Eq. 1a).
    Coulomb {
        required {
            /// f: coefficient of sliding
            coefficient: Dimensionless, NOT_NEGATIVE;
        }
        optional {
            /// f_s: coefficient of a joint that has come to rest, at or above f; without it f
            static_coefficient: Dimensionless, NOT_NEGATIVE;
        }
        choices {
            /// how it passes through rest
            transition: Transition;
        }
    }
}

impl<N: Value> Law for Coulomb<N> {
    fn coefficient(&self, _speed: Dual64, _: &Surroundings) -> Dual64 {
        self.coefficient.dual()
    }

    fn rest(&self) -> Rest {
        Rest::Holds(self.transition)
    }

    fn static_coefficient(&self) -> Option<Dual64> {
        self.static_coefficient.map(N::dual)
    }

    fn keeps_rest(&self) -> bool {
        self.static_coefficient.is_some()
    }

    fn equivalent_damping(&self, v0: f64) -> Option<f64> {
        // Eq. 23 in the limit v_r → 0.
        Some(4.0 * self.coefficient.dual().re / (PI * v0))
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(self.static_coefficient, self.coefficient)
    }
}

/// A static coefficient below that of sliding.
pub(super) fn static_below<N: Value>(own: Option<N>, sliding: N) -> Option<Contradiction> {
    let (own, sliding) = (own?.dual().re, sliding.dual().re);
    (own < sliding).then(|| Contradiction {
        place: "static_coefficient".to_owned(),
        text: format!(
            "is {}, below the coefficient of sliding {}; allowed: at or above it",
            figure(own),
            figure(sliding)
        ),
    })
}

impl Coulomb {
    pub(super) fn samples() -> Vec<Coulomb> {
        let law = Coulomb { coefficient: 0.5, ..Coulomb::blank() };
        vec![
            law.clone(),
            Coulomb { static_coefficient: Some(0.6), viscous_coefficient: 3.0, ..law.clone() },
            Coulomb {
                static_coefficient: Some(0.6),
                normal_forces: vec![0.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law.clone()
            },
            Coulomb {
                static_coefficient: Some(0.6),
                transition: Transition::SiqueiraCoda2023,
                ..law
            },
        ]
    }
}
