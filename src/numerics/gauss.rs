//! Gauss–Legendre quadrature on [−1, 1].

use std::f64::consts::PI;

/// Points and weights of the n-point rule, exact for polynomials of degree 2n − 1.
///
/// The points are the roots of the Legendre polynomial P_n, found by Newton's method from
/// cos(π(i + ¾)/(n + ½)); w = 2/((1 − x²) P_n′(x)²).
pub fn legendre(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..8 {
                let (mut p, mut previous) = (x, 1.0);
                for k in 2..=n {
                    let k = k as f64;
                    (p, previous) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * previous) / k, p);
                }
                slope = n as f64 * (x * p - previous) / (x * x - 1.0);
                x -= p / slope;
            }
            (-x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_of_n_points_integrates_degree_two_n_minus_one_exactly() {
        for n in 1..=9 {
            for degree in 0..2 * n as i32 {
                let sum: f64 = legendre(n).iter().map(|(x, w)| w * x.powi(degree)).sum();
                let exact = if degree % 2 == 0 {
                    2.0 / f64::from(degree + 1)
                } else {
                    0.0
                };
                assert!((sum - exact).abs() < 1e-13, "n = {n}, degree {degree}");
            }
        }
    }
}
