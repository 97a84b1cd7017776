//! What follows from A, B, C, D: poles, gains, the sampled system, the frequency response.

use nalgebra::{Complex, DMatrix, DVector};

use super::triangular::Triangular;
use super::{Linear, Pole};

/// A pivot of the balanced A relative to the largest that is zero within rounding.
const ZERO: f64 = 1e-11;

/// A gain relative to its terms that is zero within rounding.
const ROUNDING: f64 = 1e-12;

/// Share of the largest frequency of a coordinate alone below which a pole is rounding of stiffness: 2 √ε.
const BLURRED: f64 = 2.98e-8;

/// Real part of a pole relative to its size that is rounding.
pub const UNDAMPED: f64 = 1e-6;

/// A, B and C with states in such units that rows and columns of A are of one size.
pub(super) struct Balanced {
    pub a: DMatrix<f64>,
    pub b: DMatrix<f64>,
    pub c: DMatrix<f64>,
    /// x = `units` · x'.
    pub units: DVector<f64>,
}

impl Balanced {
    pub fn of(linear: &Linear) -> Balanced {
        let (mut a, mut b, mut c) = (linear.a.clone(), linear.b.clone(), linear.c.clone());
        let units = balance(&mut a);
        for (i, unit) in units.iter().enumerate() {
            b.row_mut(i).unscale_mut(*unit);
            c.column_mut(i).scale_mut(*unit);
        }
        Balanced { a, b, c, units }
    }
}

/// Passes over all states that balance them; each halves what is left, and few are needed.
const PASSES: usize = 20;

/// Gives states units, powers of 2, in which rows and columns of A are of one size (Parlett & Reinsch 1969).
fn balance(a: &mut DMatrix<f64>) -> DVector<f64> {
    let n = a.nrows();
    let mut units = DVector::from_element(n, 1.0);
    for _ in 0..PASSES {
        let mut settled = true;
        for i in 0..n {
            let own = a[(i, i)].abs();
            let (row, column) = (a.row(i).lp_norm(1) - own, a.column(i).lp_norm(1) - own);
            if !(row > 0.0 && column > 0.0) {
                continue;
            }
            let unit = (0.5 * (row / column).log2()).round().exp2();
            if unit != 1.0 && unit.is_finite() {
                settled = false;
                units[i] *= unit;
                a.column_mut(i).scale_mut(unit);
                a.row_mut(i).unscale_mut(unit);
            }
        }
        if settled {
            break;
        }
    }
    units
}

impl Linear {
    /// Eigenvalues of A, 1/s, slowest first; of two that are conjugate, that with the positive imaginary part. What rounding makes of a
    /// zero is zero.
    ///
    /// `None` where the iteration does not converge.
    pub fn poles(&self) -> Option<Vec<Pole>> {
        if self.states.is_empty() {
            return Some(Vec::new());
        }
        let Balanced { a, .. } = Balanced::of(self);
        let near = self.blurred(&a);
        let mut poles = Triangular::of(&a)?.poles();
        for pole in &mut poles {
            if pole.norm() <= near {
                *pole = Complex::new(0.0, 0.0);
            }
        }
        poles.retain(|pole| pole.im >= 0.0);
        // Of one size within rounding the decaying one comes first.
        let size = |pole: &Complex<f64>| (1e6 * pole.norm().ln()).round();
        poles.sort_by(|p, q| size(p).total_cmp(&size(q)).then(p.re.total_cmp(&q.re)));
        Some(poles)
    }

    /// Size of a pole, 1/s, below which it is a zero that rounding has moved; `a` is the balanced A.
    ///
    /// Rounding of stiffness changes λ² by ε times the largest: two poles at zero become that of the square root.
    pub(super) fn blurred(&self, a: &DMatrix<f64>) -> f64 {
        BLURRED * self.stiffest().max(f64::EPSILON * a.amax())
    }

    /// Angular frequency, rad/s, below which rounding of the stiffest parts may hide how free motions answer; `None` where the poles are not found.
    pub fn least_resolved(&self) -> Option<f64> {
        let poles = self.poles()?;
        let free = poles.iter().any(|pole| pole.norm() == 0.0);
        Some(if free { 3.0 * BLURRED * self.stiffest() } else { 0.0 })
    }

    /// The largest √|∂z̈/∂z| of a coordinate alone, rad/s.
    fn stiffest(&self) -> f64 {
        let states = 0..self.states.len();
        let square = |i: usize| {
            // The rate of a coordinate is a state.
            let mut rates = (0..self.a.ncols()).filter(|&j| self.a[(i, j)] != 0.0);
            let rate = rates.next().filter(|&j| self.a[(i, j)] == 1.0 && rates.next().is_none());
            rate.map_or(0.0, |rate| self.a[(rate, i)].abs())
        };
        states.map(square).fold(0.0, f64::max).sqrt()
    }

    /// D − C A⁻¹ B: outputs for inputs that stay; `None` where something moves on without end.
    pub fn steady_gain(&self) -> Option<DMatrix<f64>> {
        if self.states.is_empty() {
            return Some(self.d.clone());
        }
        if self.poles().is_some_and(|poles| poles.iter().any(|pole| pole.norm() == 0.0)) {
            return None;
        }
        let Balanced { a, b, c, .. } = Balanced::of(self);
        let factored = a.lu();
        let diagonal = factored.u().diagonal().abs();
        if diagonal.min() <= ZERO * diagonal.max() {
            return None;
        }
        let moved = factored.solve(&b)?;
        let mut gain = &self.d - &c * &moved;
        let terms = self.d.abs() + c.abs() * moved.abs();
        gain.zip_apply(&terms, |gain, all| {
            if gain.abs() <= ROUNDING * all {
                *gain = 0.0;
            }
        });
        Some(gain)
    }

    /// The system x⁺ = A x + B u of samples at a time `step` (s), over which inputs are held:
    ///
    /// ```text
    /// [A B; 0 1] = exp([A B; 0 0] step)
    /// ```
    pub fn sampled(&self, step: f64) -> Linear {
        let Balanced { a, b, units, .. } = Balanced::of(self);
        let (n, m) = (a.nrows(), b.ncols());
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(&(a * step));
        whole.view_mut((0, n), (n, m)).copy_from(&(b * step));
        let whole = whole.exp();
        let (mut a, mut b) =
            (whole.view((0, 0), (n, n)).into_owned(), whole.view((0, n), (n, m)).into_owned());
        for (i, unit) in units.iter().enumerate() {
            a.row_mut(i).scale_mut(*unit);
            a.column_mut(i).unscale_mut(*unit);
            b.row_mut(i).scale_mut(*unit);
        }
        Linear { a, b, ..self.clone() }
    }

    /// C (iω − A)⁻¹ B + D at each angular frequency (rad/s): a row for each output, a column for each input. Solved directly, no mode left
    /// out.
    pub fn response(&self, angular: &[f64]) -> Vec<DMatrix<Complex<f64>>> {
        let response = Response::of(self);
        angular.iter().map(|omega| response.at(*omega)).collect()
    }
}

/// A, B, C, D in coordinates in which the response at a frequency takes few operations: A is a Hessenberg matrix.
pub(super) struct Response {
    h: DMatrix<Complex<f64>>,
    b: DMatrix<Complex<f64>>,
    c: DMatrix<Complex<f64>>,
    d: DMatrix<Complex<f64>>,
}

impl Response {
    pub fn of(linear: &Linear) -> Response {
        let Balanced { a, b, c, .. } = Balanced::of(linear);
        let complex = |of: &DMatrix<f64>| of.map(|x| Complex::new(x, 0.0));
        let (q, h) = match a.nrows() {
            n @ 0..=1 => (DMatrix::identity(n, n), a),
            _ => a.hessenberg().unpack(),
        };
        let (h, b, c, d) =
            (complex(&h), complex(&q.tr_mul(&b)), complex(&(c * &q)), complex(&linear.d));
        Response { h, b, c, d }
    }

    /// C (iω − A)⁻¹ B + D at an angular frequency, rad/s.
    pub fn at(&self, omega: f64) -> DMatrix<Complex<f64>> {
        &self.d + &self.c * self.states_at(omega)
    }

    /// Whether an entry of the response at an angular frequency (rad/s) is more than the rounding of the terms that it is the sum of.
    pub fn answers_at(&self, omega: f64) -> bool {
        let states = self.states_at(omega);
        let response = &self.d + &self.c * &states;
        let heard = |(i, j): (usize, usize)| {
            let terms = self.c.row(i).norm() * states.column(j).norm() + self.d[(i, j)].norm();
            response[(i, j)].norm() > ROUNDING * terms
        };
        let (rows, columns) = response.shape();
        (0..rows).any(|i| (0..columns).any(|j| heard((i, j))))
    }

    /// (iω − A)⁻¹ B.
    fn states_at(&self, omega: f64) -> DMatrix<Complex<f64>> {
        let mut left = -self.h.clone();
        for i in 0..left.nrows() {
            left[(i, i)] += Complex::new(0.0, omega);
        }
        solve_hessenberg(left, self.b.clone())
    }
}

/// Solves H x = b by elimination with pivots, where H has one diagonal below the main one.
fn solve_hessenberg(
    mut h: DMatrix<Complex<f64>>, mut b: DMatrix<Complex<f64>>,
) -> DMatrix<Complex<f64>> {
    let n = h.nrows();
    for k in 0..n.saturating_sub(1) {
        if h[(k + 1, k)].norm_sqr() > h[(k, k)].norm_sqr() {
            h.swap_rows(k, k + 1);
            b.swap_rows(k, k + 1);
        }
        let pivot = h[(k, k)];
        if h[(k + 1, k)] == Complex::new(0.0, 0.0) {
            continue;
        }
        let factor = h[(k + 1, k)] / pivot;
        for j in k..n {
            let above = h[(k, j)];
            h[(k + 1, j)] -= factor * above;
        }
        for j in 0..b.ncols() {
            let above = b[(k, j)];
            b[(k + 1, j)] -= factor * above;
        }
    }
    for j in 0..b.ncols() {
        for i in (0..n).rev() {
            let mut sum = b[(i, j)];
            for k in i + 1..n {
                sum -= h[(i, k)] * b[(k, j)];
            }
            b[(i, j)] = sum / h[(i, i)];
        }
    }
    b
}
