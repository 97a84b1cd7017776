//! Modal truncation: modes that answer most in the band are kept.
//!
//! The part that decays or vibrates is Σ c_k b_k / (s − λ_k). A pole is worth the largest ‖c_k‖ ‖b_k‖ / |iω − λ_k| in the band; with a static
//! correction what changes from ω = 0 on, ‖c_k‖ ‖b_k‖ |ω / (λ_k (iω − λ_k))|. Poles at zero and those that grow are separated before and stay.

use nalgebra::{Complex, DMatrix};

use super::family::Nested;
use super::split::Split;
use super::{Problem, Real};
use crate::linearization::triangular::ComplexMatrix;

/// A pole with the size of its part in the response.
struct Mode {
    pole: Complex<f64>,
    place: usize,
    worth: f64,
}

/// Modes in blocks of one or two states, most important first, behind what stays.
///
/// # Errors
/// In words, where shapes of modes are not found.
pub(super) fn modal(problem: &Problem) -> Result<Nested, String> {
    let stays = |pole| problem.is_rigid(pole) || problem.grows(pole);
    let Split { kept, t, b, c, .. } = Split::of(&problem.system, problem.triangular.clone(), stays);
    let shapes = eigenvectors(&t);
    let b = shapes.solve_upper_triangular(&b).ok_or("the shapes of its modes are not found")?;
    let c = c * shapes;
    let mut modes: Vec<Mode> = (0..t.nrows())
        .filter(|&k| t[(k, k)].im >= 0.0)
        .map(|k| {
            let size = c.column(k).norm() * b.view((k, 0), (1, problem.inputs())).norm();
            Mode { pole: t[(k, k)], place: k, worth: size * problem.answer(t[(k, k)]) }
        })
        .collect();
    modes.sort_by(|one, other| other.worth.total_cmp(&one.worth));
    let mut sizes = vec![0];
    for mode in &modes {
        sizes.push(sizes[sizes.len() - 1] + if mode.pole.im == 0.0 { 1 } else { 2 });
    }
    let n = t.nrows();
    let mut system = Real {
        a: DMatrix::zeros(n, n),
        b: DMatrix::zeros(n, b.ncols()),
        c: DMatrix::zeros(c.nrows(), n),
    };
    for (mode, &at) in modes.iter().zip(&sizes) {
        system.put(mode, at, &b, &c);
    }
    let kept = problem.with_rigid_motions(kept);
    Ok(Nested { kept, system, sizes, bounds: Vec::new(), values: Vec::new() })
}

impl Real {
    /// Writes a mode at the place `at`: q̇ = λ q + b u, y = c q, and of two that are conjugate y = 2 Re(c q) with the real and the imaginary
    /// part of q as states. B and C become of one size.
    fn put(&mut self, mode: &Mode, at: usize, b: &ComplexMatrix, c: &ComplexMatrix) {
        let (b, c) = (b.row(mode.place), c.column(mode.place));
        let size = (c.norm() / b.norm()).sqrt();
        let unit = if size.is_finite() && size > 0.0 { size } else { 1.0 };
        let Complex { re, im } = mode.pole;
        let pair = im != 0.0;
        let twice = if pair { 2.0 } else { 1.0 };
        self.a[(at, at)] = re;
        self.b.row_mut(at).copy_from(&b.map(|z| unit * z.re));
        self.c.column_mut(at).copy_from(&c.map(|z| twice * z.re / unit));
        if pair {
            self.a[(at, at + 1)] = -im;
            self.a[(at + 1, at)] = im;
            self.a[(at + 1, at + 1)] = re;
            self.b.row_mut(at + 1).copy_from(&b.map(|z| unit * z.im));
            self.c.column_mut(at + 1).copy_from(&c.map(|z| -twice * z.im / unit));
        }
    }
}

/// Eigenvectors of an upper triangular matrix as columns of another one, each of size 1.
fn eigenvectors(t: &ComplexMatrix) -> ComplexMatrix {
    let n = t.nrows();
    let mut shapes = ComplexMatrix::identity(n, n);
    // Two equal poles are as far apart as rounding may move them.
    let least = f64::EPSILON * t.camax();
    for k in 0..n {
        let mut shape = shapes.column_mut(k);
        for i in 0..k {
            shape[i] = -t[(i, k)];
        }
        for i in (0..k).rev() {
            let mut apart = t[(i, i)] - t[(k, k)];
            if apart.norm() < least {
                apart = Complex::new(least, 0.0);
            }
            let value = shape[i] / apart;
            shape[i] = value;
            for j in 0..i {
                shape[j] -= t[(j, i)] * value;
            }
        }
        let size = shape.norm();
        shape.unscale_mut(size);
    }
    shapes
}
