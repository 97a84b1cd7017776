//! Balanced truncation: what inputs hardly reach and outputs hardly see is left out (Moore 1981, Glover 1984).
//!
//! The Gramians of the decaying part
//!
//! ```text
//! A P + P Aᵀ + B Bᵀ = 0,    Aᵀ Q + Q A + Cᵀ C = 0
//! ```
//!
//! come as factors P = F Fᵀ and Q = E Eᵀ (Hammarling 1982), and σ are the singular values of Eᵀ F (square-root method, Tombs & Postlethwaite
//! 1987). Without the smallest of them ‖G − G_r‖∞ ≤ 2 Σ σ. What does not decay is separated before and stays whole.

use nalgebra::{Complex, DMatrix};

use super::family::Nested;
use super::split::Split;
use super::{Problem, Real};
use crate::linearization::triangular::ComplexMatrix;

/// Singular values and columns of factors relative to the largest that are rounding.
const ROUNDING: f64 = 1e-14;

/// Balanced coordinates, most important first, behind what does not decay.
///
/// # Errors
/// In words, where nothing decays.
pub(super) fn balanced(problem: &Problem) -> Result<Nested, String> {
    let Split { kept, t, b, c, a, real } =
        Split::of(&problem.system, problem.triangular.clone(), |pole| !problem.decays(pole));
    if t.nrows() == 0 {
        return Err("nothing decays, and balanced truncation keeps what does not; give damping, or take `--method modal`".into());
    }
    // The last column is the rate of the state, which drives nothing.
    let driven = b.columns(0, problem.inputs()).into_owned();
    let reach = real_factor(&(real.adjoint() * factor(&t, driven)));
    let seen = reversed_rows(&factor(&reversed(&t), reversed_rows(&c.adjoint())));
    let seen = real_factor(&(real.adjoint() * seen));
    let product = seen.tr_mul(&reach);
    let (u, values, v) = match product.is_empty() {
        true => {
            (DMatrix::zeros(product.nrows(), 0), Vec::new(), DMatrix::zeros(0, product.ncols()))
        }
        false => {
            let svd = product.svd(true, true);
            let largest = svd.singular_values.max();
            let known = svd.singular_values.iter().copied();
            let values: Vec<f64> = known.take_while(|value| *value > ROUNDING * largest).collect();
            let missing = "its Hankel singular values are not found";
            (svd.u.ok_or(missing)?, values, svd.v_t.ok_or(missing)?)
        }
    };
    let largest = values.first().copied().unwrap_or(0.0);
    let mut right = reach * v.rows(0, values.len()).transpose();
    let mut left = seen * u.columns(0, values.len());
    for (k, value) in values.iter().enumerate() {
        right.column_mut(k).unscale_mut(value.sqrt());
        left.column_mut(k).unscale_mut(value.sqrt());
    }
    let system = Real {
        a: left.tr_mul(&(a * &right)),
        b: left.tr_mul(&(real.adjoint() * b).map(|z| z.re)),
        c: (c * real).map(|z| z.re) * right,
    };
    let lost = ROUNDING * largest * problem.system.a.nrows() as f64;
    let bound = |n: usize| 2.0 * (values[n..].iter().sum::<f64>() + lost);
    let bounds = (0..=values.len()).map(bound).collect();
    let sizes = (0..=values.len()).collect();
    let kept = problem.with_rigid_motions(kept);
    Ok(Nested { kept, system, sizes, bounds, values })
}

/// U with A X + X Aᴴ + B Bᴴ = 0 and X = U Uᴴ, both A and U upper triangular, poles with negative real parts (Hammarling 1982, Eqs. 5.6-5.9).
fn factor(a: &ComplexMatrix, mut b: ComplexMatrix) -> ComplexMatrix {
    let n = a.nrows();
    let mut u = ComplexMatrix::zeros(n, n);
    for k in (0..n).rev() {
        let pole = a[(k, k)];
        let root = (-2.0 * pole.re).sqrt();
        let size = b.row(k).norm();
        if size == 0.0 {
            continue;
        }
        let own = b.row(k).unscale(size);
        let above = b.rows(0, k).into_owned();
        let mut column = (above * own.adjoint()).scale(-root);
        column -= a.view((0, k), (k, 1)).scale(size / root);
        for i in (0..k).rev() {
            let value = column[i] / (a[(i, i)] + pole.conj());
            column[i] = value;
            for j in 0..i {
                column[j] -= a[(j, i)] * value;
            }
        }
        u[(k, k)] = Complex::new(size / root, 0.0);
        u.view_mut((0, k), (k, 1)).copy_from(&column);
        let mut above = b.rows_mut(0, k);
        above -= (&column * own).scale(root);
    }
    u
}

/// Aᴴ with the order of rows and columns reversed, which keeps it upper triangular.
fn reversed(a: &ComplexMatrix) -> ComplexMatrix {
    let n = a.nrows();
    ComplexMatrix::from_fn(n, n, |i, j| a[(n - 1 - j, n - 1 - i)].conj())
}

fn reversed_rows(of: &ComplexMatrix) -> ComplexMatrix {
    let n = of.nrows();
    ComplexMatrix::from_fn(n, of.ncols(), |i, j| of[(n - 1 - i, j)])
}

/// A real F with F Fᵀ = U Uᴴ, which is real, and as few columns as its rank.
fn real_factor(u: &ComplexMatrix) -> DMatrix<f64> {
    let (n, k) = u.shape();
    let mut rows = DMatrix::zeros(2 * k, n);
    rows.rows_mut(0, k).copy_from(&u.map(|z| z.re).transpose());
    rows.rows_mut(k, k).copy_from(&u.map(|z| z.im).transpose());
    let factored = rows.col_piv_qr();
    let mut r = factored.r();
    let largest = r.diagonal().amax();
    let rank = (0..r.nrows()).take_while(|&i| r[(i, i)].abs() > ROUNDING * largest).count();
    factored.p().inv_permute_columns(&mut r);
    r.rows(0, rank).transpose()
}
