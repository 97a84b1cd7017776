//! Lengths from two components, with the same bits on every processor: C libraries compute them in different ways.

/// √(x² + y²) to one unit in the last place, without overflow on the way: Borges, Algorithm 1014, ACM Transactions on Mathematical
/// Software 47 (2020), by products that are not fused. As in C, infinite where one number is, even beside NaN.
pub fn hypot(x: f64, y: f64) -> f64 {
    /// Where squares overflow or lose digits numbers are scaled by this, which is exact.
    const SCALE: f64 = f64::from_bits((1023 + 600) << 52);
    let (x, y) = (x.abs(), y.abs());
    if x.is_infinite() || y.is_infinite() {
        return f64::INFINITY;
    }
    let (large, small) = if x < y { (y, x) } else { (x, y) };
    if small <= large * (0.25 * f64::EPSILON) {
        return large + small;
    }
    if large > SCALE.sqrt() {
        return corrected(large / SCALE, small / SCALE) * SCALE;
    }
    if small < 1.0 / SCALE.sqrt() {
        return corrected(large * SCALE, small * SCALE) / SCALE;
    }
    corrected(large, small)
}

/// The root of the sum of squares, less the first term of its error.
fn corrected(large: f64, small: f64) -> f64 {
    let root = (large * large + small * small).sqrt();
    let excess = if root <= 2.0 * small {
        let over = root - small;
        large * (2.0 * over - large) + (over - 2.0 * (large - small)) * over
    } else {
        let over = root - large;
        2.0 * over * (large - 2.0 * small) + ((4.0 * over - small) * small + over * over)
    };
    root - excess / (2.0 * root)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::hypot;

    #[test]
    fn what_is_not_finite_is_as_in_c() {
        let (nan, infinite) = (f64::NAN, f64::INFINITY);
        assert!(hypot(nan, 1.0).is_nan() && hypot(0.0, nan).is_nan());
        assert_eq!([hypot(nan, infinite), hypot(-infinite, 2.0)], [infinite, infinite]);
        assert_eq!([hypot(0.0, 0.0), hypot(-3.0, 4.0), hypot(0.0, -2.0)], [0.0, 5.0, 2.0]);
        assert_eq!(hypot(f64::MAX, f64::MAX), infinite);
        assert_eq!(
            hypot(3.0 * f64::from_bits(1), 4.0 * f64::from_bits(1)),
            5.0 * f64::from_bits(1)
        );
    }

    proptest! {
        /// Of the C library here, which is within one unit in the last place of the truth.
        #[test]
        fn it_is_that_of_the_c_library(x in prop::num::f64::NORMAL | prop::num::f64::ZERO, share in -4.0..4.0_f64, near in any::<bool>()) {
            let y = if near { share * x } else { share };
            let (own, other) = (hypot(x, y), x.hypot(y));
            prop_assert!(own == other || (own - other).abs() <= f64::EPSILON * other, "{own:e} {other:e}");
        }
    }
}
