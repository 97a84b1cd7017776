//! The elasto-plastic law (Dupont, Hayward, Armstrong & Altpeter 2002).

use std::f64::consts::PI;

use num_dual::{Dual64, DualNum};

use super::bristles::{Bent, Deflection, Falling, STIFFNESS, decayed, relax};
use super::coulomb::static_below;
use super::law::{Surroundings, law};
use super::memory::{MemoryLaw, Outcome, Pass};
use super::number::{Contradiction, Value};
use super::stribeck::EXPONENT;
use crate::quantity::{Limit, NOT_NEGATIVE, POSITIVE};

const SHARE: Limit = Limit { min: 1e-3, max: 0.999, text: "from 0.001 to 0.999" };

law! {
    /// LuGre's bristles that do not slip at all up to a break-away deflection z_ba:
    /// ż = v (1 − α z sgn(v)/z_ss), where α rises from 0 at z_ba to 1 at z_ss along a cosine and is 0 where
    /// z opposes v (Dupont et al. 2002). Does not creep below break-away.
    ///
    /// Never drives: slip takes σ₀ z dw = σ₀ α z²|ds|/z_ss ≥ 0, and z goes towards z_ss sgn(ds) without
    /// passing it; σ₁ ż resists or, where z recedes, gives back less than slip takes.
    ElastoPlastic {
        required {
            /// σ₀: stiffness of the bristles
            stiffness: Stiffness, STIFFNESS;
            /// μ_s: static coefficient, at or above μ_k
            static_coefficient: Dimensionless, NOT_NEGATIVE;
            /// μ_k: kinetic coefficient
            kinetic_coefficient: Dimensionless, NOT_NEGATIVE;
            /// v_σ: velocity of the decay from μ_s to μ_k
            decay_velocity: Velocity, POSITIVE;
        }
        defaults {
            /// δ: exponent of the decay; `stribeck` has 1 where nothing is written
            decay_exponent = 2.0: Dimensionless, EXPONENT;
            /// z_ba/z_ss: up to this share of the steady deflection nothing slips
            breakaway_share = 0.7: Dimensionless, SHARE;
            /// σ₁: damping of the bristles at rest
            damping = 0.0: ViscousCoefficient, NOT_NEGATIVE;
        }
    }
}

/// Steps of the integration just beyond break-away, in units of z_ss.
const STEP: f64 = 0.05;

/// Share of the way from break-away to sliding below which the steps grow no more.
const STRAIGHT: f64 = 0.2;

/// Share of the way from break-away to sliding from which on two terms of α's series serve.
const TAIL: f64 = 1e-3;

/// The part of a deflection beyond break-away, where u = 1 − r falls from 1 − z_ba/z_ss to 0 by
/// du/dξ = −(1 − α r), α = cos²(πy/2), y = u/(1 − z_ba/z_ss).
struct Yielding {
    /// 1 − z_ba/z_ss.
    width: Dual64,
}

impl Yielding {
    /// α.
    fn share(&self, u: Dual64) -> Dual64 {
        let cos = (u / self.width * (0.5 * PI)).cos();
        cos * cos
    }

    /// Rates of −ln u and of ∫ α r² dξ. In ln u the solution is nearly straight and stays positive.
    fn rates(&self, log: Dual64) -> [Dual64; 2] {
        let u = log.exp();
        let share = self.share(u);
        let r = -u + 1.0;
        [share + (-share + 1.0) / u, share * r * r]
    }

    /// How far u falls from `begin` > 0 over the way ξ, and ∫ α r² dξ: Runge and Kutta's method down to
    /// the tail du/dξ = −u (1 + c u), c = π²/4(1 − z_ba/z_ss)².
    fn follow(&self, begin: Dual64, travel: Dual64) -> Bent {
        let start = begin.ln();
        let (mut fallen, mut rest, mut slid) = (Dual64::from_re(0.0), travel, Dual64::from_re(0.0));
        let tail = (TAIL * self.width.re).ln();
        while start.re - fallen.re > tail && rest.re > 0.0 {
            let log = start - fallen;
            // The nearer to sliding, the straighter.
            let left = log.exp() / self.width;
            let step = if left.re > STRAIGHT {
                left.recip() * STEP
            } else {
                Dual64::from_re(STEP / STRAIGHT)
            };
            let h = if rest.re > step.re { step } else { rest };
            let k1 = self.rates(log);
            let k2 = self.rates(log - k1[0] * h * 0.5);
            let k3 = self.rates(log - k2[0] * h * 0.5);
            let k4 = self.rates(log - k3[0] * h);
            let mean = |i: usize| (k1[i] + (k2[i] + k3[i]) * 2.0 + k4[i]) / 6.0;
            fallen += mean(0) * h;
            slid += mean(1) * h;
            rest -= h;
        }
        if rest.re > 0.0 {
            let c = (self.width * (2.0 / PI)).powi(-2);
            let grown = (c * (start - fallen).exp() * decayed(rest)).ln_1p();
            fallen += rest + grown;
            // r² = 1 − 2u to first order.
            slid += rest - grown / c * 2.0;
        }
        Bent { by: begin * decayed(fallen), slid }
    }
}

/// A deflection that does not begin beyond z_ss, in units of z_ss.
fn yields(deflection: &Deflection, breakaway: Dual64) -> Bent {
    let elastic = breakaway - deflection.begin;
    if deflection.travel.re <= elastic.re {
        return Bent { by: deflection.travel, slid: Dual64::from_re(0.0) };
    }
    let (u, travel) = if elastic.re > 0.0 {
        (-breakaway + 1.0, deflection.travel - elastic)
    } else {
        (-deflection.begin + 1.0, deflection.travel)
    };
    let yielding = Yielding { width: -breakaway + 1.0 };
    let Bent { by, slid } = yielding.follow(u, travel);
    Bent { by: deflection.travel - travel + by, slid }
}

impl<N: Value> ElastoPlastic<N> {
    fn bristles(&self) -> Falling {
        Falling {
            stiffness: self.stiffness.dual(),
            damping: self.damping.dual(),
            coefficients: [self.static_coefficient, self.kinetic_coefficient].map(Value::dual),
            decay_velocity: self.decay_velocity.dual(),
            decay_exponent: self.decay_exponent.dual(),
        }
    }
}

impl<N: Value> MemoryLaw for ElastoPlastic<N> {
    fn stiffness(&self) -> Dual64 {
        self.stiffness.dual()
    }

    fn pass(&self, pass: &Pass) -> Outcome {
        let share = self.breakaway_share.dual();
        let bend = |limited, steady| match Deflection::of(pass, limited, steady) {
            Some(deflection) if deflection.begin.re < 1.0 => {
                let Bent { by, slid } = yields(&deflection, share);
                Bent { by: by * steady * pass.direction(), slid: slid * steady * steady }
            }
            // α = 1, or a way so long that where it begins does not count.
            _ => relax(pass, limited, steady),
        };
        self.bristles().pass(pass, bend, |z, steady| z <= share.re * steady && steady > 0.0)
    }

    fn steady(&self, speed: Dual64, _: &Surroundings) -> Dual64 {
        self.bristles().steady(speed)
    }

    fn contradiction(&self) -> Option<Contradiction> {
        static_below(Some(self.static_coefficient), self.kinetic_coefficient)
    }
}

impl ElastoPlastic {
    pub(super) fn samples() -> Vec<ElastoPlastic> {
        let law = ElastoPlastic {
            stiffness: 3e5,
            static_coefficient: 0.6,
            kinetic_coefficient: 0.5,
            decay_velocity: 0.01,
            damping: 300.0,
            ..ElastoPlastic::blank()
        };
        vec![
            law.clone(),
            ElastoPlastic {
                stiffness: 2e3,
                kinetic_coefficient: 0.2,
                breakaway_share: 0.3,
                viscous_coefficient: 3.0,
                normal_forces: vec![1.0, 100.0, 1000.0],
                factors: vec![1.2, 1.0, 0.9],
                ..law
            },
        ]
    }
}
