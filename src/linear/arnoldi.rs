//! Eigenvalues of an operator without symmetry that is only known by its products.
//!
//! Arnoldi's method (Saad, *Numerical Methods for Large Eigenvalue Problems*, ch. 6): an orthonormal basis V of the vectors T^k x
//! makes T V = V H + h v eᵀ with a small Hessenberg matrix H, whose eigenvalues θ with H y = θ y are those of T but for
//! |h yₘ|, the last component. Where the space is invariant it goes on from another start; where it is the whole, all
//! eigenvalues are found.

use nalgebra::{Complex, DMatrix, Schur};

use super::krylov::{NotConverged, noise};

/// An eigenvalue of T with its vector, whose entries are of norm 1 in the weights.
#[derive(Debug, Clone)]
pub struct Eigen {
    pub value: Complex<f64>,
    pub vector: Vec<Complex<f64>>,
    /// ‖T x − θ x‖/|θ|.
    pub error: f64,
}

/// Eigenvalues that were found.
#[derive(Debug, Clone)]
pub struct Spectrum {
    /// By falling size; of two that are conjugate, that with the positive imaginary part.
    pub list: Vec<Eigen>,
    /// Whether T has no others, but 0.
    pub whole: bool,
}

/// What is left of a vector below this share of it is nothing.
const DEPENDENT: f64 = 1e-12;

/// Eigenvalues below this share of the largest are zero.
const ZERO: f64 = 1e-12;

/// The space grows by this share between two looks at its eigenvalues.
const GROWS: f64 = 0.25;

/// Passes over the matrix to an eigenvalue.
const MAX_PASSES: usize = 300;

/// Change of an eigenvalue, relative to itself, with which its vector is looked for.
const BESIDE: f64 = 1e-14;

/// An orthonormal basis under weights, with what T makes of it.
struct Space<'a> {
    weights: &'a [f64],
    /// Vectors to which all others are orthogonal; T maps them to each other.
    left_out: Vec<Vec<f64>>,
    vectors: Vec<Vec<f64>>,
    /// Columns of H, each one entry longer than the one before.
    columns: Vec<Vec<f64>>,
}

impl Space<'_> {
    /// Makes `vector` orthogonal to all, twice, so that rounding does not tilt it, and adds what that takes away to `shares`;
    /// returns its length before and after.
    fn straighten(&self, vector: &mut [f64], shares: &mut [f64]) -> [f64; 2] {
        let before = self.norm(vector);
        for _ in 0..2 {
            for known in &self.left_out {
                take(vector, self.dot(known, vector), known);
            }
            for (known, share) in self.vectors.iter().zip(&mut *shares) {
                let along = self.dot(known, vector);
                *share += along;
                take(vector, along, known);
            }
        }
        [before, self.norm(vector)]
    }

    /// Adds what is new in a vector, if anything is.
    fn begin(&mut self, mut vector: Vec<f64>) -> bool {
        let mut shares = vec![0.0; self.vectors.len()];
        let [before, after] = self.straighten(&mut vector, &mut shares);
        let new = after > DEPENDENT * before;
        if new {
            vector.iter_mut().for_each(|v| *v /= after);
            self.vectors.push(vector);
        }
        new
    }

    fn dot(&self, a: &[f64], b: &[f64]) -> f64 {
        (a.iter().zip(b).zip(self.weights)).map(|((a, b), w)| a * b * w).sum()
    }

    fn norm(&self, a: &[f64]) -> f64 {
        self.dot(a, a).sqrt()
    }

    /// H of so many vectors.
    fn hessenberg(&self, size: usize) -> DMatrix<f64> {
        let entry = |i: usize, k: usize| self.columns[k].get(i).copied().unwrap_or(0.0);
        DMatrix::from_fn(size, size, entry)
    }
}

/// The `wanted` largest eigenvalues of T that `matter` to an `accuracy`, or what is found of them in a space of `most` vectors; of two that are
/// conjugate one counts. Others of that size are among them as far as they are known as well: of many that are nearly the same, none needs to
/// be; of one that repeats, one. `left_out` are linearly independent vectors that T maps to each other: their eigenvalues are not among those found, and the
/// vectors of the others are without them. The same bits every time.
///
/// # Errors
/// [`NotConverged`] where numbers are none.
pub fn leading(
    mut apply: impl FnMut(&[f64]) -> Vec<f64>, matter: impl Fn(Complex<f64>) -> bool,
    weights: &[f64], left_out: &[Vec<f64>], [wanted, most]: [usize; 2], accuracy: f64,
) -> Result<Spectrum, NotConverged> {
    let mut space =
        Space { weights, left_out: Vec::new(), vectors: Vec::new(), columns: Vec::new() };
    for vector in left_out {
        space.begin(vector.clone());
        space.left_out.append(&mut space.vectors);
    }
    let all = weights.len().saturating_sub(space.left_out.len());
    let most = most.min(all);
    let (mut look, mut seed) = ((2 * wanted).max(8), 1);
    loop {
        let size = space.columns.len();
        let mut whole = size >= all;
        if space.vectors.len() == size && !whole {
            // One product takes out of a random start what T does not reach.
            let from: Vec<f64> = (0..weights.len()).map(|_| noise(&mut seed)).collect();
            whole = !space.begin(apply(&from));
        }
        if whole || size >= look.min(most) {
            let found = space.eigenvalues(size).ok_or(NotConverged(0))?;
            let good = |found: &Found| whole || found.error <= accuracy;
            let known = found.iter().take_while(|f| good(f) || !matter(f.value));
            let mut count = 0;
            let known = known.take_while(|f| {
                count += usize::from(matter(f.value));
                count <= wanted
            });
            let known: Vec<&Found> = known.filter(|f| good(f)).collect();
            let matters = known.iter().filter(|f| matter(f.value)).count();
            if whole || matters >= wanted || size >= most {
                let list = known.into_iter().map(|found| space.eigen(found));
                return Ok(Spectrum { list: list.collect(), whole });
            }
            look = size + ((size as f64 * GROWS) as usize).max(1);
        }
        let mut image = apply(&space.vectors[size]);
        let mut column = vec![0.0; size + 1];
        let [before, after] = space.straighten(&mut image, &mut column);
        if !after.is_finite() {
            return Err(NotConverged(0));
        }
        let goes_on = after > DEPENDENT * before;
        column.push(if goes_on { after } else { 0.0 });
        space.columns.push(column);
        if goes_on {
            image.iter_mut().for_each(|v| *v /= after);
            space.vectors.push(image);
        }
    }
}

/// An eigenvalue of H.
struct Found {
    value: Complex<f64>,
    /// Its vector.
    y: Vec<Complex<f64>>,
    error: f64,
}

impl Space<'_> {
    /// The eigenvalues in the space of the first `size` vectors, by falling size; `None` where they are not found.
    fn eigenvalues(&self, size: usize) -> Option<Vec<Found>> {
        if size == 0 {
            return Some(Vec::new());
        }
        let small = self.hessenberg(size);
        if small.iter().any(|value| !value.is_finite()) {
            return None;
        }
        let found = Schur::try_new(small.clone(), f64::EPSILON, MAX_PASSES * size)?;
        let all = found.complex_eigenvalues();
        let mut list: Vec<Complex<f64>> = all.iter().copied().filter(|v| v.im >= 0.0).collect();
        list.sort_by(|a, b| b.norm().total_cmp(&a.norm()).then(b.im.total_cmp(&a.im)));
        let largest = list.first().map_or(0.0, |value| value.norm());
        list.retain(|value| value.norm() > ZERO * largest);
        let last = self.columns[size - 1][size];
        let of = |value: Complex<f64>| {
            let y = vector_of(&small, value);
            let error = last * y[size - 1].norm() / value.norm();
            Found { value, y, error }
        };
        Some(list.into_iter().map(of).collect())
    }

    fn eigen(&self, found: &Found) -> Eigen {
        let mut vector = vec![Complex::default(); self.weights.len()];
        for (known, y) in self.vectors.iter().zip(&found.y) {
            for (v, k) in vector.iter_mut().zip(known) {
                *v += y * *k;
            }
        }
        Eigen { value: found.value, vector, error: found.error }
    }
}

/// The vector of norm 1 that belongs to an eigenvalue of a Hessenberg matrix: two steps of inverse iteration.
fn vector_of(matrix: &DMatrix<f64>, value: Complex<f64>) -> Vec<Complex<f64>> {
    let size = matrix.nrows();
    let least = BESIDE * value.norm();
    let mut y = vec![Complex::new(1.0, 0.0); size];
    for _ in 0..2 {
        // Rows of (H − θ) y, eliminated downwards: each has one entry below the diagonal.
        let row = |i: usize| -> Vec<Complex<f64>> {
            let mut row: Vec<Complex<f64>> =
                (0..size).map(|k| Complex::new(matrix[(i, k)], 0.0)).collect();
            row[i] -= value;
            row
        };
        let mut rows: Vec<Vec<Complex<f64>>> = Vec::with_capacity(size);
        let mut above = row(0);
        for k in 0..size {
            if k + 1 < size {
                let mut below = row(k + 1);
                if below[k].norm() > above[k].norm() {
                    std::mem::swap(&mut above, &mut below);
                    y.swap(k, k + 1);
                }
                if above[k].norm() > 0.0 {
                    let factor = below[k] / above[k];
                    for (b, a) in below[k..].iter_mut().zip(&above[k..]) {
                        *b -= factor * a;
                    }
                    let over = y[k];
                    y[k + 1] -= factor * over;
                }
                rows.push(std::mem::replace(&mut above, below));
            } else {
                rows.push(std::mem::take(&mut above));
            }
        }
        for k in (0..size).rev() {
            let sum: Complex<f64> = (k + 1..size).map(|j| rows[k][j] * y[j]).sum();
            let mut pivot = rows[k][k];
            if pivot.norm() < least {
                pivot = Complex::new(least, 0.0);
            }
            y[k] = (y[k] - sum) / pivot;
        }
        let norm = y.iter().map(|v| v.norm_sqr()).sum::<f64>().sqrt();
        y.iter_mut().for_each(|v| *v /= norm);
    }
    y
}

fn take(vector: &mut [f64], share: f64, known: &[f64]) {
    for (v, k) in vector.iter_mut().zip(known) {
        *v -= share * k;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// T x = λ x − a y, T y = λ y + a x of pairs and numbers alone, in a basis that is not orthogonal; the last of all is 0.
    fn mixed(pairs: &[[f64; 2]], single: &[f64]) -> DMatrix<f64> {
        let size = 2 * pairs.len() + single.len();
        let mut matrix = DMatrix::zeros(size, size);
        for (k, [a, b]) in pairs.iter().enumerate() {
            let i = 2 * k;
            (matrix[(i, i)], matrix[(i + 1, i + 1)]) = (*a, *a);
            (matrix[(i, i + 1)], matrix[(i + 1, i)]) = (*b, -b);
        }
        for (k, a) in single.iter().enumerate() {
            let i = 2 * pairs.len() + k;
            matrix[(i, i)] = *a;
        }
        for i in 1..size {
            for (a, b) in [(i, i - 1), (i - 1, i)] {
                let identity = DMatrix::identity(size, size);
                let (mut there, mut back): (DMatrix<f64>, DMatrix<f64>) =
                    (identity.clone(), identity);
                (there[(a, b)], back[(a, b)]) = (0.4, -0.4);
                matrix = there * matrix * back;
            }
        }
        matrix
    }

    fn times(matrix: &DMatrix<f64>, x: &[f64]) -> Vec<f64> {
        let row = |i: usize| (0..x.len()).map(|k| matrix[(i, k)] * x[k]).sum();
        (0..x.len()).map(row).collect()
    }

    #[test]
    fn eigenvalues_without_symmetry_are_found_with_their_vectors() {
        let pairs: Vec<[f64; 2]> =
            (1..=30).map(|k| [0.3 / f64::from(k), 5.0 / f64::from(k)]).collect();
        let weights: Vec<f64> = (0..63).map(|k| 1.0 + f64::from(k % 5)).collect();
        // One that repeats is found as often as it does where the space is the whole.
        for (wanted, second) in [(4, 1.8), (100, 2.0)] {
            let matrix = mixed(&pairs, &[2.0, second, 0.0]);
            let found =
                leading(|x| times(&matrix, x), |_| true, &weights, &[], [wanted, 63], 1e-10);
            let found = found.expect("they converge");
            let mut exact: Vec<Complex<f64>> =
                pairs.iter().map(|[a, b]| Complex::new(*a, *b)).collect();
            exact.extend([2.0, second].map(|value| Complex::new(value, 0.0)));
            exact.sort_by(|a, b| b.norm().total_cmp(&a.norm()));
            exact.truncate(wanted);
            assert_eq!((found.list.len(), found.whole), (exact.len(), wanted == 100));
            for (found, exact) in found.list.iter().zip(exact) {
                assert!((found.value - exact).norm() < 1e-9 * exact.norm(), "{found:?}");
                let size: f64 =
                    found.vector.iter().zip(&weights).map(|(x, w)| w * x.norm_sqr()).sum();
                assert!((size - 1.0).abs() < 1e-9, "{size}");
                for i in 0..63 {
                    let image: Complex<f64> =
                        (0..63).map(|k| found.vector[k] * matrix[(i, k)]).sum();
                    let off = (image - found.value * found.vector[i]).norm();
                    assert!(off < 1e-8 * exact.norm(), "{off:e}");
                }
            }
        }
    }

    /// A double eigenvalue with one vector alone is off by the root of rounding; left out, it is none of those found.
    #[test]
    fn what_is_left_out_is_not_found() {
        let (mut matrix, mut there) = (DMatrix::zeros(6, 6), DMatrix::identity(6, 6));
        for (i, value) in [7.0, 7.0, 3.0, 2.0, 1.0, 0.5].into_iter().enumerate() {
            matrix[(i, i)] = value;
        }
        matrix[(0, 1)] = 1.0;
        matrix[(2, 5)] = 4.0;
        // A basis in which neither of both is a unit vector.
        (there[(4, 0)], there[(3, 1)]) = (0.5, -2.0);
        let mut back = DMatrix::identity(6, 6);
        (back[(4, 0)], back[(3, 1)]) = (-0.5, 2.0);
        let matrix = &there * matrix * back;
        let both: Vec<Vec<f64>> =
            (0..2).map(|k| there.column(k).iter().copied().collect()).collect();
        let found = leading(|x| times(&matrix, x), |_| true, &[1.0; 6], &both, [9, 9], 1e-10)
            .expect("they converge");
        assert!(found.whole);
        let values: Vec<f64> = found.list.iter().map(|found| found.value.re).collect();
        assert_eq!(values.len(), 4);
        for (found, exact) in values.iter().zip([3.0, 2.0, 1.0, 0.5]) {
            assert!((found - exact).abs() < 1e-12, "{values:?}");
        }
    }
}
