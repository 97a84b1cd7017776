//! Legendre polynomials.

/// P_k and P_{k+1} at x, by the recurrence (n + 1) P_{n+1} = (2n + 1) x P_n − n P_{n−1}.
pub fn pair(k: usize, x: f64) -> (f64, f64) {
    let (mut value, mut next) = (1.0, x);
    for n in 1..=k {
        let n = n as f64;
        (value, next) = (next, ((2.0 * n + 1.0) * x * next - n * value) / (n + 1.0));
    }
    (value, next)
}

/// P_k at x.
pub fn value(k: usize, x: f64) -> f64 {
    pair(k, x).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numerics::gauss;

    #[test]
    fn polynomials_are_orthogonal_on_the_interval_and_one_at_its_end() {
        for k in 0..6 {
            assert_eq!(value(k, 1.0), 1.0);
            for l in 0..6 {
                let rule = gauss::legendre(6).into_iter();
                let product: f64 = rule.map(|(x, w)| w * value(k, x) * value(l, x)).sum();
                let exact = if k == l {
                    2.0 / (2 * k + 1) as f64
                } else {
                    0.0
                };
                assert!((product - exact).abs() < 1e-14, "{k} {l} {product}");
            }
        }
    }
}
