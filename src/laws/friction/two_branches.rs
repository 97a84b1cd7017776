//! Two measured characteristics: friction that is larger while the speed grows than while it falls (Hess & Soom, J. Tribology 112 (1990) 147).

use num_dual::Dual64;

use super::bristles::{Returned, STIFFNESS};
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::monotone::{self, Curve};
use super::number::{Contradiction, Value};
use crate::quantity::{NOT_NEGATIVE, POSITIVE};

law! {
    /// One curve over |v| while the speed grows and another while it falls: F_f = k z with |z| ≤ μ F_N/k and
    /// μ = μ_f + (μ_r − μ_f)(1 + w)/2.
    ///
    /// w goes from −1 (falling) to 1 (rising) and back with a change of |v| by 2 Δv, whatever time that takes:
    /// w = (|v| − u)/Δv, where u stays unless w leaves these bounds. Never drives, as `spring_friction`.
    TwoBranches {
        required {
            /// k: stiffness of the contact along the path
            stiffness: Stiffness, STIFFNESS;
            /// Δv: half of the change of speed over which friction passes to the other curve
            half_width: Velocity, POSITIVE;
        }
        lists {
            /// |v| of the points, rising; the first is mostly 0
            velocities: Velocity, NOT_NEGATIVE;
            /// μ_r of the points while the speed grows
            rising: Dimensionless, NOT_NEGATIVE;
            /// μ_f of the points while the speed falls
            falling: Dimensionless, NOT_NEGATIVE;
        }
    }
}

impl<N: Value> TwoBranches<N> {
    fn curve(&self, coefficients: &[N], speed: Dual64) -> Dual64 {
        Curve { x: &self.velocities, y: coefficients }.at(speed)
    }

    /// u + Δv at the end of the step: 0 after a rest from the beginning, from which speed can only grow.
    fn remembered(&self, pass: &Pass) -> Dual64 {
        let (before, speed, half) = (pass.before[1], pass.speed(), self.half_width.dual());
        let (least, most) = (speed, speed + half * 2.0);
        match before.re {
            u if u < least.re => least,
            u if u > most.re => most,
            _ => before,
        }
    }

    fn coefficient(&self, speed: Dual64, remembered: Dual64) -> Dual64 {
        let half = self.half_width.dual();
        let w = (speed - remembered) / half + 1.0;
        let (rising, falling) = (self.curve(&self.rising, speed), self.curve(&self.falling, speed));
        falling + (rising - falling) * (w + 1.0) * 0.5
    }
}

impl<N: Value> MemoryLaw for TwoBranches<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let remembered = self.remembered(pass);
        let limit = self.coefficient(pass.speed(), remembered) * pass.normal_force;
        let largest = limit / self.stiffness();
        let (limited, released) = pass.limited(self.stiffness(), largest);
        let Returned { z, slip, sticks } = Returned::of(limited + pass.slid, largest);
        Outcome {
            force: self.stiffness() * z,
            memory: [z, remembered],
            dissipated: released + limit * slip,
            presliding: sticks,
        }
    }

    /// After the speed has grown.
    fn steady(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        self.curve(&self.rising, speed)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        let velocities = ("velocities", self.velocities.as_slice());
        let of = |name, curve: &[N]| monotone::contradiction(velocities, (name, curve), 2);
        of("rising", &self.rising).or_else(|| of("falling", &self.falling))
    }
}

impl TwoBranches {
    pub(super) fn samples() -> Vec<TwoBranches> {
        let law = TwoBranches {
            stiffness: 3e5,
            half_width: 0.01,
            velocities: vec![0.001, 0.02, 0.1, 0.5, 2.0],
            rising: vec![0.6, 0.57, 0.53, 0.52, 0.515],
            falling: vec![0.48, 0.49, 0.5, 0.505, 0.51],
            ..TwoBranches::blank()
        };
        vec![
            law.clone(),
            TwoBranches {
                stiffness: 2e3,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
