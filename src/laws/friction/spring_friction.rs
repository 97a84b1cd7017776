//! A spring in series with Coulomb friction (Půst, Pešek & Radolfová 2011, Sec. 5).

use num_dual::Dual64;

use super::bristles::{Returned, STIFFNESS};
use super::equivalent::{Equivalent, spring_friction};
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::Value;
use crate::quantity::NOT_NEGATIVE;

law! {
    /// Elastic micro-deformation up to the limit of Coulomb's law (Půst et al. 2011, Fig. 24):
    /// F_f = k z with |z| ≤ Δ = f F_N/k; at the limit the contact slips and z stays.
    ///
    /// Never drives: with slip w = Δs − (z₁ − z₀) the work is k∫z ds = ½k(z₁² − z₀²) + f F_N |w|, and
    /// F₁ Δs exceeds it by ½k(z₁ − z₀)².
    SpringFriction {
        required {
            /// k: stiffness of the contact along the path
            stiffness: Stiffness, STIFFNESS;
            /// f: coefficient of sliding
            coefficient: Dimensionless, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> MemoryLaw for SpringFriction<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let limit = self.coefficient.dual() * pass.normal_force;
        let largest = limit / self.stiffness();
        let (limited, released) = pass.limited(self.stiffness(), largest);
        let trial = limited + pass.slid;
        let Returned { z, slip, sticks } = Returned::of(trial, largest);
        Outcome {
            force: self.stiffness() * z,
            memory: [z, pass.before[1]],
            dissipated: released + limit * slip,
            presliding: sticks,
        }
    }

    fn steady(&self, _speed: Dual64, _: &Surroundings) -> Dual64 {
        self.coefficient.dual()
    }

    fn equivalent(&self, normal_force: f64, amplitude: f64, frequency: f64) -> Option<Equivalent> {
        let limit = self.coefficient.dual().re * normal_force;
        Some(spring_friction(self.stiffness().re, limit, amplitude, frequency))
    }
}

impl SpringFriction {
    pub(super) fn samples() -> Vec<SpringFriction> {
        let law = SpringFriction { stiffness: 3e5, coefficient: 0.5, ..SpringFriction::blank() };
        vec![
            law.clone(),
            SpringFriction {
                stiffness: 2e3,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
