//! The largest eigenvalues of a symmetric operator that is only known by its products.
//!
//! Block Krylov subspaces with a Rayleigh-Ritz projection (Golub & Underwood 1977; Parlett, *The
//! Symmetric Eigenvalue Problem*, ch. 13): T is self-adjoint in the inner product xᵀMy, with M
//! positive semidefinite; the basis V of all T^k X is kept M-orthonormal in full, and the small
//! matrix VᵀMTV is left to a dense eigensolver. The block is as wide as there are eigenvalues
//! wanted, so that none of them is missed however often it repeats.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::numerics::lanes::dot;

/// T and M.
pub trait Operator {
    /// Length of the vectors.
    fn order(&self) -> usize;
    /// M x.
    fn weigh(&self, x: &[f64]) -> Vec<f64>;
    /// T x, where `weighed` is M x.
    fn apply(&mut self, weighed: &[f64]) -> Vec<f64>;
}

/// An eigenvalue with its vector, xᵀMx = 1.
#[derive(Debug, Clone)]
pub struct Pair {
    pub value: f64,
    pub vector: Vec<f64>,
}

/// A direction that shrinks below this share of itself when those known are taken out is rounding.
const DEPENDENT: f64 = 1e-13;

/// Vectors in the basis for each one that is wanted, at the most.
const MAX_PER_PAIR: usize = 30;

/// The basis may always have so many vectors.
const ALWAYS: usize = 200;

/// Most numbers in a basis and its products: 0.8 GB.
const MAX_NUMBERS: usize = 100_000_000;

/// Blocks without which nothing is found.
const FEWEST: usize = 5;

/// Numbers that the search for `count` eigenvalues of vectors of this `order` takes at least, and may take.
pub fn numbers(order: usize, count: usize) -> [usize; 2] {
    [3 * FEWEST * count * order, MAX_NUMBERS]
}

/// The eigenvalues do not come to the accuracy that was asked for; so many do.
#[derive(Debug, Clone, PartialEq)]
pub struct NotConverged(pub usize);

/// The `count` largest eigenvalues of T, falling, with ‖Tx − θx‖ ≤ `accuracy`·|θ| in the norm of M;
/// fewer where T has no more. The same bits every time.
///
/// # Errors
/// [`NotConverged`], where rounding or the size of the basis stands against it.
pub fn largest(
    operator: &mut impl Operator, count: usize, accuracy: f64,
) -> Result<Vec<Pair>, NotConverged> {
    let order = operator.order();
    let most = ALWAYS.max(MAX_PER_PAIR * count).min(order);
    let most = most.min(MAX_NUMBERS / (3 * order).max(1));
    let mut basis = Basis::default();
    let mut seed = 1;
    // One product takes out of a random start what T does not reach.
    let mut block: Vec<Vec<f64>> = (0..count)
        .map(|_| {
            let start: Vec<f64> = (0..operator.order()).map(|_| noise(&mut seed)).collect();
            operator.apply(&operator.weigh(&start))
        })
        .collect();
    loop {
        let known = basis.vectors.len();
        for vector in block {
            if basis.vectors.len() < most {
                basis.add(operator, vector);
            }
        }
        let exhausted = basis.vectors.len() == known;
        for k in known..basis.vectors.len() {
            let image = operator.apply(&basis.weighed[k]);
            basis.images.push(image);
        }
        if basis.vectors.is_empty() {
            return Ok(Vec::new());
        }
        let Some(ritz) = basis.ritz() else {
            return Err(NotConverged(0));
        };
        let wanted = count.min(ritz.len());
        let good = |theta: f64, y: &[f64]| {
            let error = basis.residual(operator, theta, y);
            error <= accuracy * theta.abs()
        };
        let best = &ritz[..wanted];
        let converged = best.iter().take_while(|(theta, y)| good(*theta, y)).count();
        // What an exhausted space says is as exact as rounding lets it be.
        if exhausted || converged == wanted {
            let pair = |(value, y): &(f64, Vec<f64>)| Pair {
                value: *value,
                vector: combine(&basis.vectors, y),
            };
            return Ok(best.iter().map(pair).collect());
        }
        if basis.vectors.len() >= most {
            return Err(NotConverged(converged));
        }
        block = basis.images[known..].to_vec();
    }
}

/// V, MV and TV, and the lower triangle of VᵀMTV.
#[derive(Default)]
struct Basis {
    vectors: Vec<Vec<f64>>,
    weighed: Vec<Vec<f64>>,
    images: Vec<Vec<f64>>,
    projected: Vec<Vec<f64>>,
}

impl Basis {
    /// Adds what is new in `vector`, by Gram-Schmidt done twice.
    fn add(&mut self, operator: &impl Operator, mut vector: Vec<f64>) {
        let norm = |vector: &[f64]| {
            let weighed = operator.weigh(vector);
            (dot(vector, &weighed).max(0.0).sqrt(), weighed)
        };
        let (before, _) = norm(&vector);
        for _ in 0..2 {
            for (known, weighed) in self.vectors.iter().zip(&self.weighed) {
                let along = dot(&vector, weighed);
                for (v, k) in vector.iter_mut().zip(known) {
                    *v -= along * k;
                }
            }
        }
        let (after, mut weighed) = norm(&vector);
        if after.is_finite() && after > DEPENDENT * before {
            vector.iter_mut().for_each(|v| *v /= after);
            weighed.iter_mut().for_each(|v| *v /= after);
            self.vectors.push(vector);
            self.weighed.push(weighed);
        }
    }

    /// Eigenvalues of VᵀMTV, falling, with their coefficients; `None` where T has no numbers.
    fn ritz(&mut self) -> Option<Vec<(f64, Vec<f64>)>> {
        let size = self.vectors.len();
        let product = |i: usize, k: usize| dot(&self.weighed[i], &self.images[k]);
        for i in self.projected.len()..size {
            let mean = |k: usize| 0.5 * (product(i, k) + product(k, i));
            self.projected.push((0..=i).map(mean).collect());
        }
        let entry = |i: usize, k: usize| self.projected[i.max(k)][i.min(k)];
        let small = DMatrix::from_fn(size, size, entry);
        // The eigensolver would look for ever.
        if small.iter().any(|value: &f64| !value.is_finite()) {
            return None;
        }
        let found = SymmetricEigen::new(small);
        let mut order: Vec<usize> = (0..size).collect();
        order.sort_by(|a, b| found.eigenvalues[*b].total_cmp(&found.eigenvalues[*a]));
        let column = |k: usize| found.eigenvectors.column(k).iter().copied().collect();
        let pairs = order.into_iter();
        Some(pairs.map(|k| (found.eigenvalues[k], column(k))).collect())
    }

    /// ‖T x − θ x‖ of x = V y in the norm of M.
    fn residual(&self, operator: &impl Operator, theta: f64, y: &[f64]) -> f64 {
        let mut rest = combine(&self.images, y);
        for (vector, factor) in self.vectors.iter().zip(y) {
            for (r, v) in rest.iter_mut().zip(vector) {
                *r -= theta * factor * v;
            }
        }
        dot(&rest, &operator.weigh(&rest)).max(0.0).sqrt()
    }
}

fn combine(vectors: &[Vec<f64>], factors: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; vectors.first().map_or(0, Vec::len)];
    for (vector, factor) in vectors.iter().zip(factors) {
        for (s, v) in sum.iter_mut().zip(vector) {
            *s += factor * v;
        }
    }
    sum
}

/// A reproducible number in (−1, 1).
pub(super) fn noise(seed: &mut u64) -> f64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    (*seed >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonal operator; M has zeros.
    struct Diagonal {
        values: Vec<f64>,
        mass: Vec<f64>,
    }

    impl Operator for Diagonal {
        fn order(&self) -> usize {
            self.values.len()
        }

        fn weigh(&self, x: &[f64]) -> Vec<f64> {
            x.iter().zip(&self.mass).map(|(x, m)| x * m).collect()
        }

        fn apply(&mut self, weighed: &[f64]) -> Vec<f64> {
            let pairs = weighed.iter().zip(&self.values).zip(&self.mass);
            let divided = pairs.map(|((x, t), m)| if *m > 0.0 { t * x / m } else { 0.0 });
            divided.collect()
        }
    }

    #[test]
    fn repeated_eigenvalues_are_found_as_often_as_they_repeat() {
        // 1 six times, then 1/4, 1/9, …, with some directions that weigh nothing.
        let size = 400;
        let values = (0..size).map(|i| if i < 6 { 1.0 } else { 1.0 / ((i - 4) as f64).powi(2) });
        let mass = (0..size).map(|i| if i % 7 == 6 { 0.0 } else { 1.0 + (i % 3) as f64 });
        let mut operator = Diagonal { values: values.collect(), mass: mass.collect() };
        let mut exact: Vec<f64> = (operator.values.iter().zip(&operator.mass))
            .filter(|(_, m)| **m > 0.0)
            .map(|(t, _)| *t)
            .collect();
        exact.sort_by(|a, b| b.total_cmp(a));
        let found = largest(&mut operator, 9, 1e-10).expect("they converge");
        assert_eq!(found.len(), 9);
        for (pair, exact) in found.iter().zip(exact) {
            assert!((pair.value - exact).abs() < 1e-13, "{} {exact}", pair.value);
            let norm = dot(&pair.vector, &operator.weigh(&pair.vector));
            assert!((norm - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn no_more_are_found_than_there_are() {
        let mut operator =
            Diagonal { values: vec![3.0, 2.0, 1.0, 5.0], mass: vec![1.0, 4.0, 2.0, 0.0] };
        let found: Vec<f64> = largest(&mut operator, 10, 1e-10)
            .expect("they converge")
            .iter()
            .map(|pair| pair.value)
            .collect();
        assert_eq!(found.len(), 3);
        for (value, exact) in found.iter().zip([3.0, 2.0, 1.0]) {
            assert!((value - exact).abs() < 1e-14);
        }
    }
}
