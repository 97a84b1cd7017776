//! How many eigenvalues of a symmetric matrix are negative.

use super::border::Bordered;
use super::dense::Singular;
use super::frontal::Left;

/// (1 + √17)/8: below this share of the largest entry beside the diagonal, the largest one on it is
/// no pivot.
const SINGLE: f64 = 0.640_388_203_202_208_4;

impl Bordered {
    /// [`Bordered::factor`] for a matrix that is symmetric but for border unknowns whose row, or whose column, holds
    /// nothing but their diagonal entry; also returns the number of its negative eigenvalues, those unknowns left out,
    /// be it singular or not. No memory is allocated.
    pub fn factor_counting(&mut self) -> (usize, Result<(), Singular>) {
        self.reduce_to_border(Left::IfMore);
        let negative = self.count_negative();
        (negative, self.dense.factor())
    }

    /// Negative pivots of K and negative eigenvalues of S (Sylvester's law of inertia). The row of a
    /// raised pivot becomes symmetric by the factor −β, and adds a positive one.
    fn count_negative(&mut self) -> usize {
        let mut symmetric = std::mem::take(&mut self.symmetric);
        let (order, room) = (self.dense.order, self.dense.room());
        // Room is made once.
        symmetric.resize(room * room, 0.0);
        let (interior, raised) = self.pivots();
        let outer = order - raised.len();
        let s = |i: usize, j: usize| {
            let raised = i.checked_sub(outer).map(|k| raised[k].boost);
            raised.map_or(1.0, |boost| -boost) * self.dense.values[i * room + j]
        };
        let alone = |i: usize| {
            let mut others = (0..order).filter(|j| *j != i);
            others.clone().all(|j| s(i, j) == 0.0) || others.all(|j| s(j, i) == 0.0)
        };
        for i in 0..order {
            for j in 0..=i {
                let value = if i == j {
                    s(i, i)
                } else if alone(i) || alone(j) {
                    0.0
                } else {
                    0.5 * (s(i, j) + s(j, i))
                };
                symmetric[i * room + j] = value;
                symmetric[j * room + i] = value;
            }
        }
        let negative = interior + negative_eigenvalues(&mut symmetric, order, room);
        self.symmetric = symmetric;
        negative
    }
}

/// Number of negative eigenvalues of a symmetric matrix of order `n`, by the signs of pivots of one
/// and two rows (Bunch & Parlett 1971; Sylvester's law of inertia). `a` holds it row by row,
/// `stride` numbers each; it is destroyed. Eigenvalues that vanish are not counted.
pub fn negative_eigenvalues(a: &mut [f64], n: usize, stride: usize) -> usize {
    balance(a, n, stride);
    let at = |i: usize, j: usize| i * stride + j;
    let (mut k, mut negative) = (0, 0);
    while k < n {
        let (mut single, mut r) = (0.0, k);
        let (mut beside, mut p, mut q) = (0.0, k, k);
        for i in k..n {
            if a[at(i, i)].abs() > single {
                (single, r) = (a[at(i, i)].abs(), i);
            }
            for j in k..i {
                if a[at(i, j)].abs() > beside {
                    (beside, p, q) = (a[at(i, j)].abs(), i, j);
                }
            }
        }
        if single == 0.0 && beside == 0.0 {
            break;
        }
        if single >= SINGLE * beside {
            exchange(a, n, stride, k, r);
            let pivot = a[at(k, k)];
            negative += usize::from(pivot < 0.0);
            for i in k + 1..n {
                let factor = a[at(i, k)] / pivot;
                for j in k + 1..n {
                    a[at(i, j)] -= factor * a[at(k, j)];
                }
            }
            k += 1;
        } else {
            exchange(a, n, stride, k, q);
            exchange(a, n, stride, k + 1, p);
            let [x, y, z] = [a[at(k, k)], a[at(k + 1, k)], a[at(k + 1, k + 1)]];
            // Below zero, as y is the largest: one eigenvalue of each sign.
            let determinant = x * z - y * y;
            negative += 1;
            for i in k + 2..n {
                let (b, c) = (a[at(i, k)], a[at(i, k + 1)]);
                let first = (z * b - y * c) / determinant;
                let second = (x * c - y * b) / determinant;
                for j in k + 2..n {
                    a[at(i, j)] -= first * a[at(k, j)] + second * a[at(k + 1, j)];
                }
            }
            k += 2;
        }
    }
    negative
}

/// Scales rows with their columns so that the largest entries come near 1, which changes no sign.
fn balance(a: &mut [f64], n: usize, stride: usize) {
    for _ in 0..3 {
        for i in 0..n {
            let row = &a[i * stride..i * stride + n];
            let largest = row.iter().fold(0.0_f64, |m, v| m.max(v.abs()));
            if largest > 0.0 && largest.is_finite() {
                let factor = 1.0 / largest.sqrt();
                for j in 0..n {
                    a[i * stride + j] *= factor;
                    a[j * stride + i] *= factor;
                }
            }
        }
    }
}

/// Exchanges rows and columns `i` and `j`.
fn exchange(a: &mut [f64], n: usize, stride: usize, i: usize, j: usize) {
    if i != j {
        for k in 0..n {
            a.swap(i * stride + k, j * stride + k);
        }
        for k in 0..n {
            a.swap(k * stride + i, k * stride + j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::negative_eigenvalues;
    use crate::linear::{Bordered, Layout};
    use nalgebra::{DMatrix, SymmetricEigen};

    /// A reproducible number in (−1, 1).
    fn noise(seed: &mut u64) -> f64 {
        *seed = (seed.wrapping_mul(6364136223846793005)).wrapping_add(1442695040888963407);
        (*seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn negative(matrix: DMatrix<f64>) -> usize {
        let eigen = SymmetricEigen::new(matrix).eigenvalues;
        eigen.iter().filter(|v| **v < 0.0).count()
    }

    #[test]
    fn a_bordered_matrix_is_counted_whole_also_with_raised_pivots_and_rows_of_one_entry() {
        let n = 12;
        for (width, free, alone, seed) in [
            (0, 0, None, 1),
            (3, 0, None, 2),
            (4, 3, None, 3),
            (4, 2, Some(1), 4),
            (5, 4, Some(0), 5),
        ] {
            let mut seed = seed;
            let cliques = (0..n as u32 - 1).map(|i| vec![i, i + 1]);
            let layout = Layout::of(n, cliques.collect());
            let mut bordered = Bordered::new(layout, [width, 8], Vec::new(), Vec::new());
            let mut dense = DMatrix::zeros(n + width, n + width);
            for i in free..n {
                for j in i.saturating_sub(1).max(free)..=i {
                    let value = noise(&mut seed);
                    let at = bordered.interior.layout.position(i, j);
                    bordered.interior.values[at] = value;
                    (dense[(i, j)], dense[(j, i)]) = (value, value);
                }
            }
            for b in 0..width {
                if alone == Some(b) {
                    bordered.give_own_row(b);
                    bordered.add_corner(b, b, 1.0);
                    dense[(n + b, n + b)] = 1.0;
                }
                for i in 0..n {
                    let value = noise(&mut seed);
                    bordered.add_column(i, b, value);
                    if alone != Some(b) {
                        (dense[(i, n + b)], dense[(n + b, i)]) = (value, value);
                    }
                }
            }
            let exact = negative(dense);
            assert_eq!(bordered.factor_counting(), (exact, Ok(())), "{width} {free}");
        }
    }

    #[test]
    fn an_unknown_that_nothing_else_asks_for_is_left_out_whatever_its_row() {
        let n = 6;
        let counted = |apart: bool| {
            let mut seed = 9_u64;
            let mut bordered =
                Bordered::new(Layout::of(n, Vec::new()), [3, 2], Vec::new(), Vec::new());
            for i in 0..n {
                let at = bordered.interior.layout.position(i, i);
                bordered.interior.values[at] = noise(&mut seed);
                (0..2).for_each(|b| bordered.add_column(i, b, noise(&mut seed)));
            }
            bordered.give_own_row(2);
            bordered.add_corner(2, 2, 1.0);
            if apart {
                (0..n).for_each(|i| bordered.add_row(2, i, 5.0 * noise(&mut seed)));
                (0..2).for_each(|b| bordered.add_corner(2, b, 5.0 * noise(&mut seed)));
            }
            bordered.factor_counting()
        };
        assert_eq!(counted(true), counted(false));
    }

    #[test]
    fn as_many_as_the_eigenvalues_themselves_also_with_zeros_on_the_diagonal() {
        let mut seed = 7_u64;
        let mut seen = [false; 10];
        for round in 0..200 {
            let n = 1 + round % 9;
            let mut matrix = DMatrix::<f64>::zeros(n, n);
            for i in 0..n {
                for j in 0..=i {
                    // As in a border: no diagonal at multipliers, and units far apart.
                    let there = i != j || round % 3 != 0;
                    let value = if there { noise(&mut seed) } else { 0.0 };
                    let scale = 10.0_f64.powi((i + j) as i32 % 5 - 2);
                    matrix[(i, j)] = value * scale;
                    matrix[(j, i)] = value * scale;
                }
            }
            let stride = n + 2;
            let mut a = vec![f64::NAN; n * stride];
            for i in 0..n {
                for j in 0..n {
                    a[i * stride + j] = matrix[(i, j)];
                }
            }
            let exact = negative(matrix);
            assert_eq!(negative_eigenvalues(&mut a, n, stride), exact, "{round}");
            seen[exact] = true;
        }
        assert!(seen[..6].iter().all(|s| *s));
    }
}
