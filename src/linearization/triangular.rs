//! The Schur form A = Q T Qᴴ with a unitary Q and an upper triangular T.

use nalgebra::{Complex, DMatrix, Schur};

pub(super) type ComplexMatrix = DMatrix<Complex<f64>>;

const ZERO: Complex<f64> = Complex::new(0.0, 0.0);

/// Entries below the diagonal relative to it that count as zero; the second where rounding does not let the first be reached.
const NEGLIGIBLE: [f64; 2] = [f64::EPSILON, 1e-13];

/// Iterations for each eigenvalue; one takes two or three.
const MOST_ITERATIONS: usize = 100;

pub(super) fn complex(of: &DMatrix<f64>) -> ComplexMatrix {
    of.map(|x| Complex::new(x, 0.0))
}

/// Q and T, with the poles on the diagonal of T.
#[derive(Clone)]
pub(super) struct Triangular {
    pub q: ComplexMatrix,
    pub t: ComplexMatrix,
}

impl Triangular {
    /// `None` where the iteration does not converge.
    pub fn of(a: &DMatrix<f64>) -> Option<Triangular> {
        let n = a.nrows();
        if n <= 1 {
            return Some(Triangular { q: ComplexMatrix::identity(n, n), t: complex(a) });
        }
        let most = MOST_ITERATIONS * n;
        let schur = NEGLIGIBLE.into_iter().find_map(|eps| Schur::try_new(a.clone(), eps, most));
        match schur {
            Some(schur) => Some(Triangular::of_blocks(schur)),
            None => Triangular::by_shifts(a),
        }
    }

    /// Of a real form with blocks of two rows for two poles that are conjugate.
    fn of_blocks(schur: Schur<f64, nalgebra::Dyn>) -> Triangular {
        let (q, t) = schur.unpack();
        let mut own = Triangular { q: complex(&q), t: complex(&t) };
        for k in 0..t.nrows() - 1 {
            if t[(k + 1, k)] != 0.0 {
                let block = t.fixed_view::<2, 2>(k, k).into_owned();
                let poles = block.complex_eigenvalues();
                let vector = [poles[0] - block[(1, 1)], Complex::new(block[(1, 0)], 0.0)];
                own.turn(k, vector, [poles[0], poles[1]]);
            }
        }
        own
    }

    /// By the iteration with single complex shifts of Wilkinson, and another one where these repeat themselves (Golub & Van Loan, Sec. 7.5). The
    /// library has no other shifts, and its iteration may not end.
    fn by_shifts(a: &DMatrix<f64>) -> Option<Triangular> {
        let (q, h) = a.clone().hessenberg().unpack();
        let mut own = Triangular { q: complex(&q), t: complex(&h) };
        let norm = h.amax();
        let (mut end, mut iterations) = (a.nrows() - 1, 0);
        while end > 0 {
            let t = &own.t;
            let small = |k: usize| {
                let beside = t[(k - 1, k - 1)].norm() + t[(k, k)].norm();
                let beside = if beside == 0.0 { norm } else { beside };
                t[(k, k - 1)].norm() <= f64::EPSILON * beside
            };
            let start = (1..=end).rev().find(|&k| small(k)).unwrap_or(0);
            if start > 0 {
                own.t[(start, start - 1)] = ZERO;
            }
            if start == end {
                (end, iterations) = (end - 1, 0);
                continue;
            }
            iterations += 1;
            if iterations > MOST_ITERATIONS {
                return None;
            }
            let shift = own.shift(end, iterations);
            own.iterate(start, end, shift);
        }
        own.pair();
        Some(own)
    }

    /// The eigenvalue of the last two rows up to `end` that is closer to the last entry; another number at each tenth iteration.
    fn shift(&self, end: usize, iteration: usize) -> Complex<f64> {
        let t = &self.t;
        let (a, b) = (t[(end - 1, end - 1)], t[(end - 1, end)]);
        let (c, d) = (t[(end, end - 1)], t[(end, end)]);
        if iteration.is_multiple_of(10) {
            return d + c.norm();
        }
        let half = (a - d) * 0.5;
        let root = (half * half + b * c).sqrt();
        let [one, other] = [d + half + root, d + half - root];
        if (one - d).norm() < (other - d).norm() { one } else { other }
    }

    /// T − σ = Q' R becomes R Q' + σ, within rows and columns from `start` to `end`.
    fn iterate(&mut self, start: usize, end: usize, shift: Complex<f64>) {
        let n = self.t.nrows();
        (start..=end).for_each(|k| self.t[(k, k)] -= shift);
        let mut turns = Vec::with_capacity(end - start);
        for k in start..end {
            let [x, y] = [self.t[(k, k)], self.t[(k + 1, k)]];
            let size = x.norm().hypot(y.norm());
            let turn =
                if size == 0.0 { [Complex::new(1.0, 0.0), ZERO] } else { [x / size, y / size] };
            turn_rows(&mut self.t, k, turn, k..n);
            turns.push(turn);
        }
        for (k, turn) in (start..end).zip(turns) {
            turn_columns(&mut self.t, k, turn, k + 2);
            turn_columns(&mut self.q, k, turn, n);
        }
        (start..=end).for_each(|k| self.t[(k, k)] += shift);
    }

    /// Makes poles real, or conjugate to another one, which rounding has kept from it.
    fn pair(&mut self) {
        for k in 0..self.t.nrows() {
            let other = self.conjugate(k);
            if other == k {
                self.t[(k, k)].im = 0.0;
            } else if other > k {
                self.t[(other, other)] = self.t[(k, k)].conj();
            }
        }
    }

    /// The place of the pole that is closest to the conjugate of that at place `k`.
    fn conjugate(&self, k: usize) -> usize {
        let wanted = self.t[(k, k)].conj();
        let apart = |j: usize| (self.t[(j, j)] - wanted).norm();
        let nearest = (0..self.t.nrows()).min_by(|&i, &j| apart(i).total_cmp(&apart(j)));
        nearest.filter(|&j| apart(j) < apart(k)).unwrap_or(k)
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
        turn_columns(&mut self.t, k, [x, y], k + 2);
        turn_columns(&mut self.q, k, [x, y], n);
        turn_rows(&mut self.t, k, [x, y], k..n);
        self.t[(k + 1, k)] = ZERO;
        // Without the rounding that would tell a pole from its conjugate.
        (self.t[(k, k)], self.t[(k + 1, k + 1)]) = (poles[0], poles[1]);
    }

    /// Brings the poles that are `wanted` to the front; how many these are. Of two that are conjugate both are.
    pub fn order(&mut self, wanted: impl Fn(Complex<f64>) -> bool) -> usize {
        let n = self.t.nrows();
        let mut first: Vec<bool> = (0..n).map(|k| wanted(self.t[(k, k)])).collect();
        for k in 0..n {
            first[k] |= first[self.conjugate(k)];
        }
        let mut count = 0;
        for from in (0..n).filter(|k| first[*k]) {
            for k in (count..from).rev() {
                let (own, next) = (self.t[(k, k)], self.t[(k + 1, k + 1)]);
                self.turn(k, [self.t[(k, k + 1)], next - own], [next, own]);
            }
            count += 1;
        }
        count
    }
}

/// Columns k and k + 1 times [x −ȳ; y x̄].
fn turn_columns(of: &mut ComplexMatrix, k: usize, [x, y]: [Complex<f64>; 2], rows: usize) {
    for i in 0..rows.min(of.nrows()) {
        let (first, second) = (of[(i, k)], of[(i, k + 1)]);
        of[(i, k)] = first * x + second * y;
        of[(i, k + 1)] = second * x.conj() - first * y.conj();
    }
}

/// Rows k and k + 1 times the adjoint of it.
fn turn_rows(
    of: &mut ComplexMatrix, k: usize, [x, y]: [Complex<f64>; 2], columns: std::ops::Range<usize>,
) {
    for j in columns {
        let (first, second) = (of[(k, j)], of[(k + 1, j)]);
        of[(k, j)] = first * x.conj() + second * y.conj();
        of[(k + 1, j)] = second * x - first * y;
    }
}
