//! Rigid motions of a reduced model, whose poles are exactly zero.
//!
//! Rounding of the stiffest parts moves two poles at zero to a pair of the size √ε of the stiffest (see [`Linear::blurred`]), which would be a
//! vibration with a steady gain. A free motion z̈ = b u has A² = 0 in its own states.
//!
//! [`Linear::blurred`]: crate::linearization::Linear::blurred

use nalgebra::DMatrix;

use super::split::Split;
use super::{Matrix, Problem, Real};
use crate::linearization::triangular::Triangular;

impl Problem<'_> {
    /// `kept`, which has all poles that are zero within rounding, with these exactly zero.
    pub fn with_rigid_motions(&self, kept: Real) -> Real {
        let Some(whole) = Triangular::of(&kept.a) else {
            return kept;
        };
        let rigid = whole.poles().iter().filter(|pole| self.is_rigid(**pole)).count();
        if rigid == 0 {
            return kept;
        }
        if rigid == kept.a.nrows() {
            return of_rate(kept, self.blurred);
        }
        let Split { kept: own, b, c, a, real, .. } =
            Split::of(&kept, whole, |pole| self.is_rigid(pole));
        let b = (real.adjoint() * b).map(|z| z.re);
        let c = (c * real).map(|z| z.re);
        of_rate(own, self.blurred).beside(&Real { a, b, c })
    }
}

/// A system of poles that are zero within rounding in states x₁ and x₂ with ẋ₁ = Σ x₂ and ẋ₂ = 0 for u = 0, and others that stay.
///
/// Of A = U Σ Vᵀ the singular values below `blurred`²/σ₁ are rounding, and so is Vᵀ U.
fn of_rate(Real { a, b, c }: Real, blurred: f64) -> Real {
    let n = a.nrows();
    let svd = a.clone().svd(true, true);
    let (Some(u), Some(v)) = (svd.u, svd.v_t) else {
        return Real { a, b, c };
    };
    let values = svd.singular_values;
    let rank = values.iter().filter(|value| **value * values[0] > blurred * blurred).count();
    if 2 * rank > n {
        return Real { a, b, c };
    }
    let v = v.rows(0, rank).transpose();
    let u = u.columns(0, rank).into_owned();
    let moves = &u - &v * v.tr_mul(&u);
    let mut spanned: Matrix = DMatrix::zeros(n, n + 2 * rank);
    spanned.columns_mut(0, rank).copy_from(&moves);
    spanned.columns_mut(rank, rank).copy_from(&v);
    spanned.columns_mut(2 * rank, n).fill_with_identity();
    let basis = spanned.qr().q();
    let mut exact = basis.tr_mul(&(a * &basis));
    for j in 0..n {
        for i in 0..n {
            if !(i < rank && (rank..2 * rank).contains(&j)) {
                exact[(i, j)] = 0.0;
            }
        }
    }
    Real { a: exact, b: basis.tr_mul(&b), c: c * basis }
}
