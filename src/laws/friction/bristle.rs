//! Bristles whose static friction grows with the time at rest (Gonthier, McPhee, Lange & Piedbœuf
//! 2004; Liang, Fillmore & Ma 2012).

use num_dual::Dual64;

use super::bristles::{Returned, STIFFNESS, remaining, slowness};
use super::coulomb::static_below;
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::{Contradiction, Value};
use super::stribeck::EXPONENT;
use crate::quantity::{NOT_NEGATIVE, POSITIVE};

law! {
    /// F_f = k z + c ż, at most L = F_N (μ_k + (μ_s − μ_k) d), where the share d of static friction
    /// follows the smooth switch s = exp(−(|v|/v_σ)^δ) between sliding (0) and rest (1): it grows with the
    /// dwell-time constant and is lost with c/k (Gonthier et al. 2004). At the limit bristles slip and z
    /// stays; in print they relax there with c/k, by which they draw energy from nowhere while v < L/4c.
    ///
    /// Never drives: with slip w the work is ½k(z₁² − z₀²) + L|w| + (F₁ − k z₁)Δs, where the last has the
    /// sign of c ż Δs ≥ 0.
    Bristle {
        required {
            /// k: stiffness of the bristles
            stiffness: Stiffness, STIFFNESS;
            /// μ_s: static coefficient after a long rest, at or above μ_k
            static_coefficient: Dimensionless, NOT_NEGATIVE;
            /// μ_k: kinetic coefficient
            kinetic_coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_σ: velocity of the switch between rest and sliding
            decay_velocity: Velocity, POSITIVE;
            /// time constant with which static friction grows at rest
            dwell_time: Time, POSITIVE;
        }
        defaults {
            /// δ: exponent of the switch between rest and sliding
            decay_exponent = 2.0: Dimensionless, EXPONENT;
            /// c: damping of the bristles; c/k is the time in which static friction is lost
            damping = 0.0: ViscousCoefficient, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> Bristle<N> {
    /// 1 at rest, 0 in fast sliding.
    fn slowness(&self, speed: Dual64) -> Dual64 {
        slowness(speed, self.decay_velocity.dual(), self.decay_exponent.dual())
    }

    /// 1 − d at the end of the step.
    fn lost(&self, pass: &Pass) -> Dual64 {
        let before = pass.before[1];
        let settled = -self.slowness(pass.speed()) + 1.0;
        let constant = if settled.re > before.re {
            self.damping.dual() / self.stiffness()
        } else {
            self.dwell_time.dual()
        };
        settled + (before - settled) * remaining(pass.step, constant)
    }

    fn coefficient(&self, lost: Dual64) -> Dual64 {
        let own = self.static_coefficient.dual();
        own - (own - self.kinetic_coefficient.dual()) * lost
    }
}

impl<N: Value> MemoryLaw for Bristle<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let k = self.stiffness();
        let lost = self.lost(pass);
        let limit = self.coefficient(lost) * pass.normal_force;
        let largest = limit / k;
        let (limited, released) = pass.limited(k, largest);
        let trial = limited + pass.slid;
        let Returned { z, slip, sticks } = Returned::of(trial, largest);
        let damped = k * z + self.damping.dual() * (z - limited) / pass.step;
        let force = if sticks && damped.re.abs() <= limit.re {
            damped
        } else {
            // Where it slips its damping can only have added to the limit.
            limit * damped.re.signum()
        };
        Outcome {
            force,
            memory: [z, lost],
            dissipated: released + limit * slip + (force - k * z) * pass.slid,
            presliding: sticks,
        }
    }

    fn steady(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        self.coefficient(-self.slowness(speed) + 1.0)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(Some(self.static_coefficient), self.kinetic_coefficient)
    }
}

impl Bristle {
    pub(super) fn samples() -> Vec<Bristle> {
        let law = Bristle {
            stiffness: 3e5,
            static_coefficient: 0.6,
            kinetic_coefficient: 0.5,
            decay_velocity: 0.01,
            dwell_time: 0.5,
            damping: 300.0,
            ..Bristle::blank()
        };
        vec![
            law.clone(),
            Bristle {
                stiffness: 2e3,
                kinetic_coefficient: 0.2,
                decay_exponent: 2.5,
                dwell_time: 0.02,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
