//! A system as the sum of two that share no pole.

use nalgebra::{Complex, DMatrix};

use super::Real;
use crate::linearization::triangular::{ComplexMatrix, Triangular, complex};

/// A system as the sum of two that share no pole.
pub(super) struct Split {
    /// With the poles that were wanted.
    pub kept: Real,
    /// The other: T with B and C in the complex coordinates ζ.
    pub t: ComplexMatrix,
    pub b: ComplexMatrix,
    pub c: ComplexMatrix,
    /// A of the other in real coordinates ξ.
    pub a: DMatrix<f64>,
    /// ζ = M ξ; unitary.
    pub real: ComplexMatrix,
}

impl Split {
    /// Separates the poles of `system`, whose Schur form is `whole`, that are `wanted`.
    ///
    /// With T₁₁ X − X T₂₂ = −T₁₂ the columns of Q₁ and of Q₁ X + Q₂ span the two motions (Bartels & Stewart 1972).
    pub fn of(
        system: &Real, mut whole: Triangular, wanted: impl Fn(Complex<f64>) -> bool,
    ) -> Split {
        let Real { a, b, c } = system;
        let k = whole.order(wanted);
        let Triangular { q, t, .. } = whole;
        let (n, rest) = (t.nrows(), t.nrows() - k);
        let part = |i: usize, j: usize, rows, columns| t.view((i, j), (rows, columns)).into_owned();
        let (t1, t2) = (part(0, 0, k, k), part(k, k, rest, rest));
        let x = sylvester(&t1, &t2, part(0, k, k, rest));
        let (q1, q2) = (q.columns(0, k).into_owned(), q.columns(k, rest).into_owned());
        let [r1, r2] = match k {
            0 => [DMatrix::zeros(n, 0), DMatrix::identity(n, n)],
            _ => [basis(&q1), basis(&q2)],
        };
        let left = q1.adjoint() - &x * q2.adjoint();
        let (b, c) = (complex(b), complex(c));
        let kept = Real {
            a: r1.tr_mul(&(a * &r1)),
            // The left and the right basis of a motion are inverse to each other.
            b: ((q1.adjoint() * complex(&r1)).adjoint() * (left * &b)).map(|z| z.re),
            c: &system.c * &r1,
        };
        Split {
            kept,
            t: t2,
            b: q2.adjoint() * &b,
            c: &c * (&q1 * x + &q2),
            a: r2.tr_mul(&(a * &r2)),
            real: q2.adjoint() * complex(&r2),
        }
    }
}

/// X with T₁ X − X T₂ = −R of upper triangular T₁ and T₂ without a common pole.
fn sylvester(t1: &ComplexMatrix, t2: &ComplexMatrix, r: ComplexMatrix) -> ComplexMatrix {
    let mut x = -r;
    for j in 0..x.ncols() {
        let mut own = x.column(j) + x.columns(0, j) * t2.view((0, j), (j, 1));
        for i in (0..own.nrows()).rev() {
            let value = own[i] / (t1[(i, i)] - t2[(j, j)]);
            own[i] = value;
            for k in 0..i {
                own[k] -= t1[(k, i)] * value;
            }
        }
        x.set_column(j, &own.column(0));
    }
    x
}

/// An orthonormal real basis of what the columns of `q` span, which contains the conjugate of each of them.
fn basis(q: &ComplexMatrix) -> DMatrix<f64> {
    let (n, k) = q.shape();
    let mut parts = DMatrix::zeros(n, 2 * k);
    parts.columns_mut(0, k).copy_from(&q.map(|z| z.re));
    parts.columns_mut(k, k).copy_from(&q.map(|z| z.im));
    parts.col_piv_qr().q().columns(0, k).into_owned()
}
