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

/// ∫ P_k from −1 to x.
pub fn integral(k: usize, x: f64) -> f64 {
    match k {
        0 => x + 1.0,
        _ => (value(k + 1, x) - value(k - 1, x)) / (2 * k + 1) as f64,
    }
}

/// P_k at x.
pub fn value(k: usize, x: f64) -> f64 {
    pair(k, x).0
}
