//! Sine and cosine of four angles at a time.
//!
//! Each angle is reduced to x = angle − n π/2 with |x| ≤ π/4, π/2 in parts of 33 digits so that what cancels leaves a full number and its rest (Cody & Waite
//! 1980); then follow the polynomials of FDLIBM (Sun Microsystems 1993) with errors below one unit in the last place. Products and sums are the
//! same with every [level](super::lanes::level) of instructions, and so are all bits of the result.

use fearless_simd::prelude::*;
use fearless_simd::{Simd, f64x4};

use super::lanes::LANES;

/// Angles up to this size (rad) are reduced exactly: n times a part of π/2 has no more digits than a number.
const LARGEST: f64 = 1e6;

/// π/2 in parts.
const QUARTER: [f64; 3] =
    [1.570_796_326_734_125_6, 6.077_100_506_303_966e-11, 2.022_266_248_795_950_6e-21];

/// Coefficients of x³, x⁵, … of sin x, the highest last.
const SINE: [f64; 6] = [
    -1.666_666_666_666_663_2e-1,
    8.333_333_333_322_49e-3,
    -1.984_126_982_985_795e-4,
    2.755_731_370_707_006_8e-6,
    -2.505_076_025_340_686_3e-8,
    1.589_690_995_211_55e-10,
];

/// Coefficients of x⁴, x⁶, … of cos x.
const COSINE: [f64; 6] = [
    4.166_666_666_666_66e-2,
    -1.388_888_888_887_411e-3,
    2.480_158_728_947_673e-5,
    -2.755_731_435_139_066_3e-7,
    2.087_572_321_298_175e-9,
    -1.135_964_755_778_819_5e-11,
];

/// Sine and cosine of the `angles`, rad.
#[inline(always)]
pub fn sin_cos<S: Simd>(simd: S, angles: [f64; LANES]) -> [[f64; LANES]; 2] {
    let all = |number: f64| f64x4::splat(simd, number);
    // What is no number is not below either.
    if !angles.iter().all(|angle| angle.abs() <= LARGEST) {
        return of_each(angles);
    }
    let angle = f64x4::simd_from(simd, angles);
    let n = (angle * all(std::f64::consts::FRAC_2_PI)).round_ties_even();
    let [first, second, third] = QUARTER;
    let near = angle - n * all(first);
    let less = n * all(second);
    let left = near - less;
    let less = n * all(third) - ((near - left) - less);
    let x = left - less;
    let rest = (left - x) - less;

    let square = x * x;
    let polynomial = |coefficients: &[f64]| {
        let mut sum = all(0.0);
        for &coefficient in coefficients.iter().rev() {
            sum = sum * square + all(coefficient);
        }
        sum
    };
    let cube = square * x;
    let higher = all(0.5) * rest - cube * polynomial(&SINE[1..]);
    let sine = x - ((square * higher - rest) - cube * all(SINE[0]));
    let half = all(0.5) * square;
    let less = all(1.0) - half;
    let higher = square * (square * polynomial(&COSINE)) - x * rest;
    let cosine = less + (((all(1.0) - less) - half) + higher);

    // The quarter turns: 0 to 3.
    let turns = n - all(4.0) * (n * all(0.25)).floor();
    let odd = turns.simd_eq(all(1.0)) | turns.simd_eq(all(3.0));
    let [sine, cosine] = [odd.select(cosine, sine), odd.select(sine, cosine)];
    let below = turns.simd_ge(all(2.0));
    let behind = turns.simd_eq(all(1.0)) | turns.simd_eq(all(2.0));
    [below.select(-sine, sine).into(), behind.select(-cosine, cosine).into()]
}

/// The same of one angle after the other.
#[cold]
fn of_each(angles: [f64; LANES]) -> [[f64; LANES]; 2] {
    let mut both = [[0.0; LANES]; 2];
    for (i, angle) in angles.into_iter().enumerate() {
        (both[0][i], both[1][i]) = angle.sin_cos();
    }
    both
}

#[cfg(test)]
mod tests {
    use std::f64::consts::FRAC_PI_2;

    use fearless_simd::dispatch;

    use super::*;
    use crate::numerics::lanes::level;

    fn of(angles: [f64; LANES]) -> [[f64; LANES]; 2] {
        dispatch!(level(), simd => sin_cos(simd, angles))
    }

    /// Units in the last place between two numbers.
    fn apart(a: f64, b: f64) -> f64 {
        (a - b).abs() / (f64::EPSILON * b.abs()).max(f64::MIN_POSITIVE)
    }

    #[test]
    fn sine_and_cosine_are_right_to_a_unit_in_the_last_place() {
        let mut angles: Vec<f64> = (-40_000..40_000).map(|i| 0.01 * f64::from(i)).collect();
        angles.extend((-60..20).map(|i| 2.0_f64.powi(i)));
        // Next to multiples of a quarter turn nearly everything cancels.
        for n in (-2000..2000).chain([636_000, -636_001]) {
            let angle = f64::from(n) * FRAC_PI_2;
            angles.extend([angle, angle.next_up(), angle.next_down(), angle + 1e-9]);
        }
        angles.extend([LARGEST, -LARGEST, 0.0]);
        for four in angles.as_chunks::<LANES>().0 {
            let [sine, cosine] = of(*four);
            for (i, angle) in four.iter().enumerate() {
                let (s, c) = angle.sin_cos();
                assert!(apart(sine[i], s) <= 1.0, "sin {angle}: {} and {s}", sine[i]);
                assert!(apart(cosine[i], c) <= 1.0, "cos {angle}: {} and {c}", cosine[i]);
            }
        }
    }

    #[test]
    fn zero_is_exact_and_what_is_no_number_or_far_away_stays_what_it_is() {
        assert_eq!(of([0.0; LANES]), [[0.0; LANES], [1.0; LANES]]);
        let [sine, cosine] = of([1e300, f64::NAN, f64::INFINITY, 0.5]);
        assert_eq!((sine[0], cosine[0]), 1e300_f64.sin_cos());
        assert_eq!((sine[3], cosine[3]), 0.5_f64.sin_cos());
        assert!([sine[1], sine[2], cosine[1], cosine[2]].iter().all(|x| x.is_nan()));
    }
}
