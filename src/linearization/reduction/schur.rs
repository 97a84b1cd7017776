//! The Schur form A = Q T Qᴴ with an upper triangular T, and the two systems that it falls into.

use nalgebra::{Complex, DMatrix};

use super::Real;
use crate::linearization::dynamics;

pub(super) type ComplexMatrix = DMatrix<Complex<f64>>;

const ZERO: Complex<f64> = Complex::new(0.0, 0.0);

pub(super) fn complex(of: &DMatrix<f64>) -> ComplexMatrix {
    of.map(|x| Complex::new(x, 0.0))
}

/// Q and T, with the poles on the diagonal of T.
#[derive(Clone)]
pub(super) struct Triangular {
    q: ComplexMatrix,
    t: ComplexMatrix,
    /// Whether a pole is conjugate to the next one.
    paired: Vec<bool>,
}

impl Triangular {
    /// `None` where the iteration does not converge.
    pub fn of(a: &DMatrix<f64>) -> Option<Triangular> {
        let n = a.nrows();
        if n == 0 {
            let none = ComplexMatrix::zeros(0, 0);
            return Some(Triangular { q: none.clone(), t: none, paired: Vec::new() });
        }
        let (q, t) = dynamics::schur(a.clone())?;
        let mut own = Triangular { q: complex(&q), t: complex(&t), paired: vec![false; n] };
        for k in 0..n - 1 {
            if t[(k + 1, k)] != 0.0 {
                own.paired[k] = true;
                let block = t.fixed_view::<2, 2>(k, k).into_owned();
                let poles = block.complex_eigenvalues();
                let vector = [poles[0] - block[(1, 1)], Complex::new(block[(1, 0)], 0.0)];
                own.turn(k, vector, [poles[0], poles[1]]);
            }
        }
        Some(own)
    }

    /// Eigenvalues of A.
    pub fn poles(&self) -> Vec<Complex<f64>> {
        self.t.diagonal().iter().copied().collect()
    }

    /// Makes `vector` of the plane k, k + 1, an eigenvector of this block, the direction of k, after which its `poles` are in this order.
    fn turn(&mut self, k: usize, vector: [Complex<f64>; 2], poles: [Complex<f64>; 2]) {
        let size = vector[0].norm().hypot(vector[1].norm());
        if size == 0.0 {
            return;
        }
        let [x, y] = vector.map(|part| part / size);
        let n = self.t.nrows();
        for (of, rows) in [(&mut self.t, k + 2), (&mut self.q, n)] {
            for i in 0..rows {
                let (first, second) = (of[(i, k)], of[(i, k + 1)]);
                of[(i, k)] = first * x + second * y;
                of[(i, k + 1)] = second * x.conj() - first * y.conj();
            }
        }
        for j in k..n {
            let (first, second) = (self.t[(k, j)], self.t[(k + 1, j)]);
            self.t[(k, j)] = first * x.conj() + second * y.conj();
            self.t[(k + 1, j)] = second * x - first * y;
        }
        self.t[(k + 1, k)] = ZERO;
        // Without the rounding that would tell a pole from its conjugate.
        (self.t[(k, k)], self.t[(k + 1, k + 1)]) = (poles[0], poles[1]);
    }

    /// Brings the poles that are `wanted` to the front; how many these are. Of two that are conjugate both are.
    fn order(&mut self, wanted: impl Fn(Complex<f64>) -> bool) -> usize {
        let n = self.t.nrows();
        let mut first: Vec<bool> = (0..n).map(|k| wanted(self.t[(k, k)])).collect();
        for k in 0..n {
            if self.paired[k] {
                let either = first[k] || first[k + 1];
                (first[k], first[k + 1]) = (either, either);
            }
        }
        let mut count = 0;
        for from in 0..n {
            if first[from] {
                for k in (count..from).rev() {
                    let (own, next) = (self.t[(k, k)], self.t[(k + 1, k + 1)]);
                    self.turn(k, [self.t[(k, k + 1)], next - own], [next, own]);
                }
                count += 1;
            }
        }
        count
    }
}

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
