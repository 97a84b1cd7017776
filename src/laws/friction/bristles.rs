//! What the laws with memory have in common.

use num_dual::{Dual64, DualNum};

use super::memory::{Outcome, Pass};
use super::stribeck::power;
use crate::quantity::{Limit, SMALLEST};

/// Range of the stiffness of a contact along its path. Beyond it the rounding of a position on a path of some 100 m is a force
/// that counts; what is stiffer is rigid, which laws of velocity are.
pub(super) const STIFFNESS: Limit =
    Limit { min: SMALLEST, max: 1e10, text: "above 0, at most 1e10" };

/// Share of its deflection in steady sliding below which a bristle that never quite gets there counts
/// as holding.
pub(super) const PRESLIDING: f64 = 0.95;

/// A way of so many steady deflections is one of sliding: e⁻⁴⁰ is below the last bit.
const SATURATED: f64 = 40.0;

/// |v|/v_σ from which e^(−(v/v_σ)²) is nothing, before its square leaves the range of numbers; and the power from which e^(−x) is.
const FAST: f64 = 27.0;
const NOTHING: f64 = 700.0;

/// The exponent of the decay that papers print.
const SQUARE: f64 = 2.0;

/// e^(−(|v|/v_σ)^δ): 1 at rest, 0 in fast sliding.
pub(super) fn slowness(speed: Dual64, decay_velocity: Dual64, exponent: Dual64) -> Dual64 {
    let ratio = speed / decay_velocity;
    // With a change of the exponent it is not the square alone.
    if exponent.re == SQUARE && exponent.eps == 0.0 {
        let slow = ratio.re.abs() < FAST;
        return if slow { (-(ratio * ratio)).exp() } else { Dual64::from_re(0.0) };
    }
    let decay = power(ratio, exponent);
    if decay.re < NOTHING { (-decay).exp() } else { Dual64::from_re(0.0) }
}

/// e^(−`time`/`constant`), where a constant of 0 leaves nothing.
pub(super) fn remaining(time: f64, constant: Dual64) -> Dual64 {
    let ratio = Dual64::from_re(time) / constant;
    if ratio.re < 700.0 { (-ratio).exp() } else { Dual64::from_re(0.0) }
}

/// What bristles do on the way of a step.
pub(super) struct Bent {
    /// z₁ − z₀, m.
    pub by: Dual64,
    /// ∫ z dw with the slip w = s − z, m².
    pub slid: Dual64,
}

/// A way over which z goes from where it begins towards the deflection of steady sliding, in the
/// direction of the motion and in units of that deflection.
pub(super) struct Deflection {
    /// r₀ = z₀ sgn Δs/z_ss.
    pub begin: Dual64,
    /// ξ = |Δs|/z_ss.
    pub travel: Dual64,
}

impl Deflection {
    /// `None` where the way is so long, or z_ss so small, that only steady sliding is left.
    pub fn of(pass: &Pass, from: Dual64, steady: Dual64) -> Option<Deflection> {
        let travel = pass.travel() / steady;
        // Also where 0 is divided by 0.
        (travel.re < SATURATED)
            .then(|| Deflection { begin: from * pass.direction() / steady, travel })
    }
}

/// Follows dz/ds = 1 − z sgn(ds)/z_ss.
///
/// With r = z sgn(ds)/z_ss: r₁ = r₀ + (1 − r₀)(1 − e^(−ξ)); z dw = z_ss² r² dξ is never negative.
pub(super) fn relax(pass: &Pass, from: Dual64, steady: Dual64) -> Bent {
    let direction = pass.direction();
    let Some(Deflection { begin, travel }) = Deflection::of(pass, from, steady) else {
        let rest = from * direction - steady;
        return Bent {
            by: -rest * direction,
            slid: steady * (pass.travel() + rest * 2.0) + rest * rest * 0.5,
        };
    };
    let rest = begin - 1.0;
    let slid = if travel.re < SHORT {
        let r = |part: f64| begin - rest * decayed(travel * part);
        travel * mean(|part| r(part) * r(part))
    } else {
        travel + rest * (decayed(travel) * 2.0 + rest * decayed(travel * 2.0) * 0.5)
    };
    Bent { by: -rest * decayed(travel) * steady * direction, slid: slid * steady * steady }
}

/// 1 − e^(−x).
pub(super) fn decayed(x: Dual64) -> Dual64 {
    -(-x).exp_m1()
}

/// The way up to which [`mean`] takes the place of formulas whose terms cancel.
pub(super) const SHORT: f64 = 0.25;

/// The mean of a function from 0 to 1 by Gauss's formula with four points: of what never falls below
/// zero it does not either.
pub(super) fn mean(f: impl Fn(f64) -> Dual64) -> Dual64 {
    const POINTS: [(f64, f64); 2] = [
        (0.339_981_043_584_856_26, 0.652_145_154_862_546_1),
        (0.861_136_311_594_052_6, 0.347_854_845_137_453_85),
    ];
    let pairs = POINTS.map(|(x, w)| (f(0.5 - 0.5 * x) + f(0.5 + 0.5 * x)) * (0.5 * w));
    pairs[0] + pairs[1]
}

/// The force of bristles' damping c ż over a step in which z changes from `from` by `by`, with the
/// mean of ż as v is the mean of ds/dt.
///
/// Where z recedes although the slider goes on, because its limit has fallen, c ż drives the slider
/// (Barabanov & Ortega 2000). It is held back to what the bristles dissipate in the step.
fn damping_force(
    pass: &Pass, stiffness: Dual64, damping: Dual64, from: Dual64, by: Dual64,
) -> Dual64 {
    let direction = pass.direction();
    let force = damping * by / pass.step;
    if force.re * direction >= 0.0 {
        return force;
    }
    let dissipated = stiffness * ((from + by) * pass.slid - by * (from + by * 0.5));
    let most = dissipated / pass.travel();
    if -force.re * direction <= most.re { force } else { most * -direction }
}

/// What the return map makes of a deflection that bristles cannot hold.
pub(super) struct Returned {
    /// z₁ within ±`largest`, m.
    pub z: Dual64,
    /// What lies beyond, the slip |w|, m.
    pub slip: Dual64,
    pub sticks: bool,
}

impl Returned {
    /// What becomes of the deflection `trial` of bristles that hold up to `largest`.
    pub fn of(trial: Dual64, largest: Dual64) -> Returned {
        // Nothing holds where nothing presses.
        let sticks = largest.re > 0.0 && trial.re.abs() <= largest.re;
        let sign = trial.re.signum();
        let (z, slip) = if sticks {
            (trial, Dual64::from_re(0.0))
        } else {
            (largest * sign, trial * sign - largest)
        };
        Returned { z, slip, sticks }
    }
}

/// Bristles with damping under friction that falls with the speed.
pub(super) struct Falling {
    /// σ₀, N/m.
    pub stiffness: Dual64,
    /// σ₁ at rest, N·s/m.
    pub damping: Dual64,
    /// μ_s and μ_k.
    pub coefficients: [Dual64; 2],
    /// v_σ, m/s.
    pub decay_velocity: Dual64,
    /// δ.
    pub decay_exponent: Dual64,
}

impl Falling {
    /// μ(|v|) of steady sliding.
    pub fn steady(&self, speed: Dual64) -> Dual64 {
        let [own, kinetic] = self.coefficients;
        kinetic + (own - kinetic) * slowness(speed, self.decay_velocity, self.decay_exponent)
    }

    /// The step, where `bend`(z₀, z_ss) says what the bristles do on its way and `sticks`(|z₁|, z_ss)
    /// whether that is presliding.
    pub fn pass(
        &self, pass: &Pass, bend: impl FnOnce(Dual64, Dual64) -> Bent,
        sticks: impl FnOnce(f64, f64) -> bool,
    ) -> Outcome {
        let k = self.stiffness;
        let largest = self.coefficients[0] * pass.normal_force / k;
        let steady = self.steady(pass.speed()) * pass.normal_force / k;
        let (limited, released) = pass.limited(k, largest);
        let Bent { by, slid } = bend(limited, steady);
        let fading =
            self.damping * slowness(pass.speed(), self.decay_velocity, self.decay_exponent);
        let damping = damping_force(pass, k, fading, limited, by);
        let z = limited + by;
        Outcome {
            force: k * z + damping,
            memory: [z, pass.before[1]],
            dissipated: released + k * slid + damping * pass.slid,
            presliding: sticks(z.re.abs(), steady.re),
        }
    }
}
