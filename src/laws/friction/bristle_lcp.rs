//! Bristles of one stiffness under a bound, for many contacts at once (Peiret, Kövecses &
//! Font-Llagunes, "The Bristle Friction Model in a Linear Complementarity Formulation for Multibody
//! Systems with Contacts").

use num_dual::Dual64;

use super::bristles::STIFFNESS;
use super::equivalent::{Equivalent, spring_friction};
use super::law::{Surroundings, law};
use super::memory::{Bounded, MemoryLaw, Outcome, Pass};
use super::number::Value;
use crate::quantity::NOT_NEGATIVE;

law! {
    /// The force of the step before and of the bristles bent since, within the bounds of Coulomb's law
    /// (Peiret et al., Eq. 3 and the bounds below it): F = k_b z₀ + (k_b + d_b/h) Δs, |F| ≤ μ F_N. The forces of
    /// all joints with this law are found together (`newton/bristles.rs`).
    ///
    /// Never drives: the bristles follow by Δz = (F − k_b z₀)/(k_b + d_b/h), the rest of Δs is slip w with
    /// F w ≥ 0. The work is ½k_b(z₁² − z₀²) + d_b Δz²/h + F w, and F Δs exceeds it by ½k_b Δz²; where the
    /// normal force has fallen below what bends them it is F Δs.
    BristleLcp {
        required {
            /// k_b: stiffness of the bristles along the path
            stiffness: Stiffness, STIFFNESS;
            /// μ: coefficient that bounds their force
            coefficient: Dimensionless, NOT_NEGATIVE;
        }
        defaults {
            /// d_b: damping of the bristles, within the bound
            damping = 0.0: ViscousCoefficient, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> MemoryLaw for BristleLcp<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let Bounded { trial, limit, stiffness } = self.bounds(pass);
        let z = pass.before[0];
        // Nothing holds where nothing presses.
        let sticks = limit.re > 0.0 && trial.re.abs() <= limit.re;
        let force = if sticks { trial } else { limit * trial.re.signum() };
        let bent = if sticks { pass.slid } else { (force - self.stiffness() * z) / stiffness };
        // Bristles that are bent beyond the bound, because the normal force has fallen, come back under
        // the bound's constant force, which the work over the step is then.
        let released = if !sticks && self.stiffness().re * z.re.abs() > limit.re {
            self.stiffness() * bent * bent * 0.5
        } else {
            Dual64::from_re(0.0)
        };
        let damped = self.damping.dual() * bent * bent / pass.step;
        Outcome {
            force,
            memory: [z + bent, pass.before[1]],
            dissipated: released + damped + force * (pass.slid - bent),
            presliding: sticks,
        }
    }

    fn steady(&self, _speed: Dual64, _: &Surroundings) -> Dual64 {
        self.coefficient.dual()
    }

    fn equivalent(&self, normal_force: f64, amplitude: f64, frequency: f64) -> Option<Equivalent> {
        let limit = self.coefficient.dual().re * normal_force;
        // Without damping it is a spring in series with Coulomb friction.
        (self.damping.dual().re == 0.0)
            .then(|| spring_friction(self.stiffness().re, limit, amplitude, frequency))
    }

    fn bounded(&self, pass: &Pass) -> Option<Bounded> {
        Some(self.bounds(pass))
    }
}

impl<N: Value> BristleLcp<N> {
    fn bounds(&self, pass: &Pass) -> Bounded {
        let stiffness = self.stiffness() + self.damping.dual() / pass.step;
        Bounded {
            trial: self.stiffness() * pass.before[0] + stiffness * pass.slid,
            limit: self.coefficient.dual() * pass.normal_force,
            stiffness,
        }
    }
}

impl BristleLcp {
    pub(super) fn samples() -> Vec<BristleLcp> {
        let law = BristleLcp { stiffness: 3e5, coefficient: 0.5, ..BristleLcp::blank() };
        vec![
            law.clone(),
            BristleLcp {
                stiffness: 2e3,
                damping: 4.0,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
