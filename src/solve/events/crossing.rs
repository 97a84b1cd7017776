//! The instant between two looks at which a value was 0.

/// Newton steps for the zero of a parabola, from that of its chord: twice the digits with each.
const NEWTON_STEPS: usize = 5;

/// Zero between the `times` t₀ < t₁ (s) of the parabola g₀ + (g₁ − g₀) u + b u (u − 1), u = (t − t₀)/(t₁ − t₀), through the `values` g₀ and g₁
/// there with the bend b; t₁ where the values have one sign.
pub(super) fn zero_between([t0, t1]: [f64; 2], [g0, g1]: [f64; 2], bend: f64) -> f64 {
    if t1 <= t0 || g0 != 0.0 && (g0 > 0.0) == (g1 > 0.0) {
        return t1;
    }
    let mut u = if g0 == 0.0 { 0.0 } else { g0 / (g0 - g1) };
    for _ in 0..NEWTON_STEPS {
        let slope = g1 - g0 + bend * (2.0 * u - 1.0);
        let next = u - (g0 + (g1 - g0) * u + bend * u * (u - 1.0)) / slope;
        if !(0.0..=1.0).contains(&next) {
            break;
        }
        u = next;
    }
    t0 + u * (t1 - t0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parabola_is_solved_to_rounding_and_a_start_from_rest_begins_at_once() {
        // v = 3 − 5 t + t² between 0 and 2 s.
        let (v, zero) = (|t: f64| 3.0 - 5.0 * t + t * t, 2.5 - f64::sqrt(3.25));
        let found = zero_between([0.0, 2.0], [v(0.0), v(2.0)], 4.0);
        assert!((found - zero).abs() < 1e-15, "{found} {zero}");
        assert_eq!(zero_between([1.0, 2.0], [0.0, 1.0], 0.3), 1.0);
        assert_eq!(zero_between([1.0, 2.0], [0.5, 1.0], 0.3), 2.0);
    }
}
