//! Gauss–Legendre quadrature.

use std::f64::consts::{FRAC_PI_2, PI};
use std::sync::LazyLock;

use super::legendre;

/// Most points of a [`rule`].
const LARGEST: usize = 8;

/// [`legendre()`] of n points, from 1 to 8, without allocating.
pub fn rule(n: usize) -> &'static [(f64, f64)] {
    static RULES: LazyLock<[Vec<(f64, f64)>; LARGEST]> =
        LazyLock::new(|| std::array::from_fn(|k| legendre(k + 1)));
    &RULES[n.clamp(1, LARGEST) - 1]
}

/// Points and weights of the n-point rule on [−1, 1], exact for polynomials of degree 2n − 1.
///
/// The points are the roots of the Legendre polynomial P_n, found by Newton's method from
/// cos(π(i + ¾)/(n + ½)); w = 2/((1 − x²) P_n′(x)²).
pub fn legendre(n: usize) -> Vec<(f64, f64)> {
    (0..n)
        .map(|i| {
            let mut x = (PI * (i as f64 + 0.75) / (n as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..8 {
                let (previous, p) = legendre::pair(n - 1, x);
                slope = n as f64 * (x * p - previous) / (x * x - 1.0);
                x -= p / slope;
            }
            (-x, 2.0 / ((1.0 - x * x) * slope * slope))
        })
        .collect()
}

/// Points and weights of the n-point Gauss–Lobatto rule on [−1, 1], n from 2 to 5: both ends are points, exact for polynomials of
/// degree 2n − 3.
pub fn lobatto(n: usize) -> Vec<(f64, f64)> {
    let half: Vec<(f64, f64)> = match n {
        2 => vec![(1.0, 1.0)],
        3 => vec![(0.0, 4.0 / 3.0), (1.0, 1.0 / 3.0)],
        4 => vec![(0.2_f64.sqrt(), 5.0 / 6.0), (1.0, 1.0 / 6.0)],
        _ => vec![(0.0, 32.0 / 45.0), ((3.0_f64 / 7.0).sqrt(), 49.0 / 90.0), (1.0, 0.1)],
    };
    let left = half.iter().rev().filter(|(x, _)| *x > 0.0);
    let left = left.map(|&(x, w)| (-x, w));
    left.chain(half.iter().copied()).collect()
}

/// Points of the rule that [`integral`] halves intervals for.
const POINTS: usize = 8;

/// Halvings of an interval at the most.
const DEPTH: u32 = 40;

/// ∫ f dx by an adaptive rule: see [`Quadrature::integral`].
pub fn integral(f: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
    Quadrature::new().integral(f, from, to)
}

/// The points of an adaptive rule; with them it integrates without allocating.
#[derive(Debug, Clone, PartialEq)]
pub struct Quadrature {
    /// The points above 0 of a rule that is symmetric about it, with their weights.
    positive: Vec<(f64, f64)>,
}

impl Quadrature {
    /// The rule that [`integral`] takes.
    pub fn new() -> Quadrature {
        Quadrature { positive: legendre(POINTS).split_off(POINTS / 2) }
    }

    /// ∫ f dx, adaptive: halves where 8 points and twice 8 differ. 8 points are exact to degree 15, so that
    /// the halves are far better than the difference that is tolerated, some 1e-13 of the largest values.
    pub fn integral(&self, f: &impl Fn(f64) -> f64, from: f64, to: f64) -> f64 {
        let adaptive = Adaptive { f, positive: &self.positive };
        let whole = adaptive.sum(from, to);
        // Relative to what the largest value would give.
        let scale = [from, 0.5 * (from + to), to].map(|x| f(x).abs());
        let largest = scale.iter().fold(whole.abs() / FRAC_PI_2, |a, b| a.max(*b));
        adaptive.part([from, to], whole, 1e-13 * (to - from).abs() * largest, DEPTH)
    }
}

impl Default for Quadrature {
    fn default() -> Quadrature {
        Quadrature::new()
    }
}

struct Adaptive<'a, F> {
    f: &'a F,
    /// The points above 0 of a rule that is symmetric about it, with their weights.
    positive: &'a [(f64, f64)],
}

impl<F: Fn(f64) -> f64> Adaptive<'_, F> {
    /// The rule itself.
    fn sum(&self, from: f64, to: f64) -> f64 {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let at = |x: f64| (self.f)(middle - half * x) + (self.f)(middle + half * x);
        half * self.positive.iter().map(|&(x, w)| w * at(x)).sum::<f64>()
    }

    /// The integral over an interval that the rule takes for `whole`.
    fn part(&self, [from, to]: [f64; 2], whole: f64, floor: f64, depth: u32) -> f64 {
        let middle = 0.5 * (from + to);
        let halves = [self.sum(from, middle), self.sum(middle, to)];
        let sum = halves[0] + halves[1];
        let change = (sum - whole).abs();
        // What overflows is no better in parts.
        if depth == 0 || change <= floor || !change.is_finite() {
            return sum;
        }
        self.part([from, middle], halves[0], floor, depth - 1)
            + self.part([middle, to], halves[1], floor, depth - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_integrand_with_a_corner_is_integrated_where_one_rule_is_not_enough() {
        let found = integral(&|x: f64| (x - 0.3).abs().sqrt(), 0.0, 1.0);
        let exact = (0.3_f64.powf(1.5) + 0.7_f64.powf(1.5)) / 1.5;
        assert!((found - exact).abs() < 1e-11, "{found} {exact}");
    }

    #[test]
    fn an_integrand_that_overflows_ends() {
        let count = std::cell::Cell::new(0);
        let f = |x: f64| {
            count.set(count.get() + 1);
            if x > 0.5 { f64::INFINITY } else { x }
        };
        assert!(!integral(&f, 0.0, 1.0).is_finite());
        assert!(count.get() < 1000);
    }

    #[test]
    fn rule_of_n_points_integrates_degree_two_n_minus_one_exactly() {
        for n in 1..=9 {
            for degree in 0..2 * n as i32 {
                let sum: f64 = legendre(n).iter().map(|(x, w)| w * x.powi(degree)).sum();
                let exact = if degree % 2 == 0 { 2.0 / f64::from(degree + 1) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-13, "n = {n}, degree {degree}");
            }
        }
    }

    #[test]
    fn legendre_polynomials_are_orthogonal_and_one_at_the_end() {
        use crate::numerics::legendre::value;
        for k in 0..6 {
            assert_eq!(value(k, 1.0), 1.0);
            for l in 0..6 {
                let rule = legendre(6).into_iter();
                let product: f64 = rule.map(|(x, w)| w * value(k, x) * value(l, x)).sum();
                let exact = if k == l { 2.0 / (2 * k + 1) as f64 } else { 0.0 };
                assert!((product - exact).abs() < 1e-14, "{k} {l} {product}");
            }
        }
    }

    #[test]
    fn rules_with_both_ends_are_exact_to_their_degree() {
        for n in 2..=5 {
            let rule = lobatto(n);
            assert_eq!((rule.len(), rule[0].0, rule[n - 1].0), (n, -1.0, 1.0));
            for degree in 0..=2 * n - 3 {
                let sum: f64 = rule.iter().map(|(x, w)| w * x.powi(degree as i32)).sum();
                let exact = if degree % 2 == 0 { 2.0 / (degree as f64 + 1.0) } else { 0.0 };
                assert!((sum - exact).abs() < 1e-15, "{n} {degree}: {sum}");
            }
        }
    }
}
