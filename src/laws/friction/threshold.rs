//! What the regularised laws have in common: a straight line through zero up to a threshold.

use num_dual::Dual64;

/// `edge` |v|/v_r below the threshold velocity v_r (Půst et al. 2011, Eq. 3), `beyond`(|v| − v_r)
/// above it.
///
/// At v_r the printed laws fall from f₂ to f₁ where these differ (Eqs. 13, 13a). That stays as it
/// is: with f₂ ≥ f₁ the force of a step's unknown velocity, friction and m/Δt together, takes every
/// value at least once, so that every step has a solution, and Newton's method stays on the branch
/// that it is on. With f₂ < f₁ some steps would have none; the checker refuses it.
pub(super) fn regularised(
    speed: Dual64, threshold: Dual64, edge: Dual64, beyond: impl FnOnce(Dual64) -> Dual64,
) -> Dual64 {
    if speed.re < threshold.re { edge * speed / threshold } else { beyond(speed - threshold) }
}
