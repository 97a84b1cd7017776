//! Equivalent linearisation of friction under harmonic motion (Půst, Pešek & Radolfová 2011,
//! Secs. 3-5).
//!
//! With v = v₀ cos τ a law of velocity acts in the mean like the damper
//!
//! ```text
//! b_e(v₀) = 1/(π v₀) ∫ F_t(v₀ cos τ) cos τ dτ   over one period        (Eq. 17)
//! ```
//!
//! The closed forms here are those of Eqs. 20-28a, 36, 48 and 51, each per unit of its coefficient,
//! with the misprints of Eqs. 32, 33 and 35 corrected (they repeat Eqs. 23 and 26a with a wrong
//! sign and wrong factors).

use std::f64::consts::PI;

use crate::numerics::gauss::integral;

/// A linear damper and spring in parallel: F = b_e ẋ + k_e x (Eq. 44).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Equivalent {
    /// b_e, N·s/m.
    pub damping: f64,
    /// k_e, N/m.
    pub stiffness: f64,
}

/// τ_r = arccos(v_r/v₀) and sin τ_r (Eq. 18); zero while v₀ ≤ v_r.
fn transfer(v_r: f64, v0: f64) -> (f64, f64) {
    let ratio = (v_r / v0).min(1.0);
    (ratio.acos(), ((1.0 - ratio) * (1.0 + ratio)).sqrt())
}

/// b_e of F = v/v_r for |v| < v_r, zero above: the second integral of Eq. 21.
pub fn ramp(v_r: f64, v0: f64) -> f64 {
    let (tau, sin) = transfer(v_r, v0);
    let cos = (v_r / v0).min(1.0);
    (1.0 - 2.0 / PI * tau - 2.0 / PI * sin * cos) / v_r
}

/// b_e of F = sgn v for |v| > v_r, zero below: the first integral of Eq. 21. With [`ramp`] it is
/// Eq. 23.
pub fn plateau(v_r: f64, v0: f64) -> f64 {
    let (_, sin) = transfer(v_r, v0);
    4.0 / (PI * v0) * sin
}

/// b_e of F = v_a = (|v| − v_r) sgn v for |v| > v_r (Eqs. 24, 36).
pub fn linear(v_r: f64, v0: f64) -> f64 {
    let (tau, sin) = transfer(v_r, v0);
    2.0 / PI * (tau - (v_r / v0).min(1.0) * sin)
}

/// b_e of F = v_a |v_a| (Eq. 25a).
pub fn quadratic(v_r: f64, v0: f64) -> f64 {
    let (tau, sin) = transfer(v_r, v0);
    4.0 / PI * (-v_r * tau + (2.0 * v0 + v_r * (v_r / v0)) / 3.0 * sin)
}

/// b_e of F = v_a³ (Eq. 26a).
pub fn cubic(v_r: f64, v0: f64) -> f64 {
    let (tau, sin) = transfer(v_r, v0);
    let product = v_r * v0;
    (1.5 * (4.0 * v_r * v_r + v0 * v0) * tau - (6.5 * product + v_r * v_r * (v_r / v0)) * sin) / PI
}

/// b_e of F = v_a³ |v_a| (Eq. 28a).
pub fn quartic(v_r: f64, v0: f64) -> f64 {
    let (tau, sin) = transfer(v_r, v0);
    let (r, a) = (v_r * v_r, v0 * v0);
    (-(6.0 * a + 8.0 * r) * v_r * tau
        + (32.0 * v0 * a + 166.0 * v0 * r + 12.0 * r * r / v0) / 15.0 * sin)
        / PI
}

/// b_e of the powers 1 to 4 of v_a.
pub const POWERS: [fn(f64, f64) -> f64; 4] = [linear, quadratic, cubic, quartic];

/// Times that the range of speeds is halved before the quadrature.
const SECTIONS: i32 = 12;

/// b_e of any odd characteristic by Eq. 17, where `force` is F_t at speeds from 0 to `v0` > 0 and
/// `corners` the speeds at which it jumps or bends.
pub fn damping(force: impl Fn(f64) -> f64, v0: f64, corners: &[f64]) -> f64 {
    let mut bounds: Vec<f64> = corners.iter().filter(|v| (0.0..v0).contains(*v)).copied().collect();
    bounds.extend([0.0, v0]);
    // A coefficient that falls in slow sliding only is not to be missed.
    bounds.extend((1..=SECTIONS).map(|n| v0 * 0.5_f64.powi(n)));
    bounds.sort_by(f64::total_cmp);
    bounds.dedup();
    let integrand = |tau: f64| force(v0 * tau.cos()) * tau.cos();
    let sections = bounds.windows(2).map(|w| {
        let (from, to) = ((w[1] / v0).acos(), (w[0] / v0).acos());
        integral(&integrand, from, to)
    });
    4.0 / (PI * v0) * sections.sum::<f64>()
}

/// Equivalent damping of a spring in series with a Coulomb element of the `limit` f F_N, under
/// x = a cos ωt (Eq. 48); zero while the spring alone yields.
pub fn spring_friction_damping(stiffness: f64, limit: f64, amplitude: f64, frequency: f64) -> f64 {
    let psi = limit / (stiffness * amplitude);
    4.0 * limit / (PI * amplitude * frequency) * (1.0 - psi).max(0.0)
}

/// Equivalent stiffness of the same (Eq. 51); the spring's own while it alone yields.
pub fn spring_friction_stiffness(stiffness: f64, limit: f64, amplitude: f64) -> f64 {
    let psi = (limit / (stiffness * amplitude)).min(1.0);
    let part = 1.0 - 2.0 * psi;
    stiffness / PI * (part.acos() - 2.0 * part * (psi * (1.0 - psi)).sqrt())
}

/// Both of them.
pub fn spring_friction(stiffness: f64, limit: f64, amplitude: f64, frequency: f64) -> Equivalent {
    Equivalent {
        damping: spring_friction_damping(stiffness, limit, amplitude, frequency),
        stiffness: spring_friction_stiffness(stiffness, limit, amplitude),
    }
}
