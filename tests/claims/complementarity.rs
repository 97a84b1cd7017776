//! The mixed complementarity solver against the enumeration of every set of bounds.

use coulisse::linear::mlcp::{Bound, Form, Mlcp, Problem, Unsolved};
use nalgebra::{DMatrix, DVector};

const INFINITY: f64 = f64::INFINITY;

/// A problem that owns its numbers.
#[derive(Debug, Clone)]
struct Owned {
    matrix: DMatrix<f64>,
    constant: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
}

impl Owned {
    fn order(&self) -> usize {
        self.constant.len()
    }

    fn solve_with(&self, solver: &mut Mlcp) -> Result<(Vec<f64>, usize), Unsolved> {
        let rows: Vec<f64> = self.matrix.transpose().iter().copied().collect();
        let rounds = solver.solve(&Problem {
            form: Form::Direct,
            matrix: &rows,
            constant: &self.constant,
            lower: &self.lower,
            upper: &self.upper,
            coulomb: &[],
        })?;
        Ok((solver.x().to_vec(), rounds))
    }

    fn solve(&self) -> Result<(Vec<f64>, usize), Unsolved> {
        self.solve_with(&mut Mlcp::new(self.order()))
    }

    fn w(&self, x: &[f64]) -> DVector<f64> {
        &self.matrix * DVector::from_column_slice(x) + DVector::from_column_slice(&self.constant)
    }

    /// The largest amount by which `x` breaks a condition.
    fn fault(&self, x: &[f64]) -> f64 {
        let w = self.w(x);
        let rows = 0..self.order();
        rows.fold(0.0, |worst: f64, i| {
            let (x, w, l, u) = (x[i], w[i], self.lower[i], self.upper[i]);
            let outside = (l - x).max(x - u).max(0.0);
            let push = if l == u {
                0.0
            } else if x == l {
                (-w).max(0.0)
            } else if x == u {
                w.max(0.0)
            } else {
                w.abs()
            };
            worst.max(outside).max(push)
        })
    }

    /// Every solution, by trying all 3ⁿ sets; those that are the same point count once.
    fn enumerate(&self) -> Vec<Vec<f64>> {
        let n = self.order();
        let mut found: Vec<Vec<f64>> = Vec::new();
        for code in 0..3_usize.pow(n as u32) {
            let bound = |i: usize| code / 3_usize.pow(i as u32) % 3;
            let mut system = DMatrix::identity(n, n);
            let mut right = DVector::zeros(n);
            for i in 0..n {
                match bound(i) {
                    0 => {
                        system.set_row(i, &self.matrix.row(i));
                        right[i] = -self.constant[i];
                    }
                    1 => right[i] = self.lower[i],
                    _ => right[i] = self.upper[i],
                }
            }
            if right.iter().any(|value| !value.is_finite()) {
                continue;
            }
            let Some(x) = system.lu().solve(&right) else {
                continue;
            };
            let x: Vec<f64> = x.iter().copied().collect();
            let w = self.w(&x);
            let fits = (0..n).all(|i| {
                let inside = x[i] >= self.lower[i] - 1e-9 && x[i] <= self.upper[i] + 1e-9;
                let pushes = match bound(i) {
                    _ if self.lower[i] == self.upper[i] => true,
                    0 => w[i].abs() <= 1e-7,
                    1 => w[i] >= -1e-9,
                    _ => w[i] <= 1e-9,
                };
                inside && pushes
            });
            let new = || found.iter().all(|other| distance(other, &x) > 1e-6);
            if fits && new() {
                found.push(x);
            }
        }
        found
    }
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |d, (a, b)| f64::max(d, (a - b).abs()))
}

/// A reproducible number in (−1, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn chance(&mut self, share: f64) -> bool {
        self.next().abs() < share
    }
}

/// A P-matrix: A Aᵀ plus a skew part, so that xᵀMx > 0.
fn positive(n: usize, noise: &mut Noise) -> DMatrix<f64> {
    let a = DMatrix::from_fn(n, n, |_, _| noise.next());
    let b = DMatrix::from_fn(n, n, |_, _| noise.next());
    &a * a.transpose() + (&b - b.transpose()) + DMatrix::identity(n, n) * 0.05
}

fn problem(n: usize, noise: &mut Noise) -> Owned {
    let matrix = positive(n, noise);
    let constant = (0..n).map(|_| 3.0 * noise.next()).collect();
    let mut lower = vec![0.0; n];
    let mut upper = vec![0.0; n];
    for i in 0..n {
        lower[i] = -noise.next().abs();
        upper[i] = noise.next().abs();
        if noise.chance(0.3) {
            lower[i] = -INFINITY;
        }
        if noise.chance(0.3) {
            upper[i] = INFINITY;
        }
    }
    Owned { matrix, constant, lower, upper }
}

#[test]
fn a_p_matrix_has_one_solution_and_it_is_found() {
    let mut noise = Noise(1);
    for case in 0..600 {
        let problem = problem(1 + case % 6, &mut noise);
        let all = problem.enumerate();
        assert_eq!(all.len(), 1, "{problem:?}");
        let (x, _) = problem.solve().expect("a P-matrix");
        assert!(distance(&x, &all[0]) < 1e-8, "{problem:?}: {x:?} {all:?}");
    }
}

#[test]
fn degenerate_problems_are_solved_alike() {
    let mut noise = Noise(2);
    for case in 0..300 {
        let n = 2 + case % 5;
        let mut problem = problem(n, &mut noise);
        // A solution at bounds where w vanishes too: neither bound is the right one.
        let x: Vec<f64> = (0..n)
            .map(|i| match (problem.lower[i], problem.upper[i]) {
                (l, _) if l.is_finite() => l,
                (_, u) if u.is_finite() => u,
                _ => 0.5,
            })
            .collect();
        let w = problem.w(&x);
        for i in 0..n {
            problem.constant[i] -= w[i];
        }
        let (found, _) = problem.solve().expect("a P-matrix");
        assert!(distance(&x, &found) < 1e-8, "{problem:?}: {found:?} {x:?}");
    }
}

#[test]
fn equations_among_the_rows_may_have_no_diagonal() {
    // A saddle: xᵀMx > 0 on what the equations leave free, as with the joints of a mechanism.
    let mut noise = Noise(3);
    for case in 0..200 {
        let (n, m) = (2 + case % 4, 1);
        let mut problem = problem(n + m, &mut noise);
        for i in 0..m {
            for j in 0..n {
                let value = noise.next() + 2.0;
                problem.matrix[(n + i, j)] = value;
                problem.matrix[(j, n + i)] = -value;
            }
            problem.matrix[(n + i, n + i)] = 0.0;
            problem.lower[n + i] = -INFINITY;
            problem.upper[n + i] = INFINITY;
            // Can be met: x = 0 is within all bounds.
            problem.constant[n + i] = 0.0;
        }
        let all = problem.enumerate();
        let (x, _) = problem.solve().unwrap_or_else(|e| panic!("{e} {problem:?}"));
        assert!(all.iter().any(|other| distance(other, &x) < 1e-7));
    }
}

#[test]
fn every_answer_to_any_matrix_is_a_solution_and_what_has_none_is_reported() {
    let mut noise = Noise(4);
    let (mut solved, mut solvable, mut hopeless) = (0, 0, 0);
    for case in 0..600 {
        let n = 1 + case % 5;
        let mut problem = problem(n, &mut noise);
        problem.matrix = DMatrix::from_fn(n, n, |_, _| noise.next());
        if case % 3 == 0 {
            // Two equal rows: singular.
            let row = problem.matrix.row(0).into_owned();
            problem.matrix.set_row(n - 1, &row);
        }
        let exists = !problem.enumerate().is_empty();
        match problem.solve() {
            Ok((x, _)) => {
                assert!(problem.fault(&x) < 1e-7, "{problem:?}: {x:?}");
                solved += 1;
            }
            Err(Unsolved::Singular { .. } | Unsolved::NoEnd { .. }) => {}
            Err(other) => panic!("{other}"),
        }
        solvable += usize::from(exists);
        hopeless += usize::from(!exists);
    }
    assert!(hopeless > 20 && solved > 300, "{solved} {solvable} {hopeless}");
    println!("solved {solved} of {solvable} that have a solution; {hopeless} have none");
}

#[test]
fn what_is_wrong_is_named() {
    let blank = || Owned {
        matrix: DMatrix::identity(2, 2),
        constant: vec![1.0, 1.0],
        lower: vec![0.0; 2],
        upper: vec![1.0; 2],
    };
    let mut crossed = blank();
    crossed.lower[1] = 2.0;
    assert_eq!(crossed.solve(), Err(Unsolved::Bounds { row: 1 }));
    for place in 0..4 {
        let mut wrong = blank();
        match place {
            0 => wrong.matrix[(1, 0)] = f64::NAN,
            1 => wrong.constant[1] = INFINITY,
            2 => wrong.lower[1] = f64::NAN,
            _ => wrong.upper[1] = f64::NAN,
        }
        assert_eq!(wrong.solve(), Err(Unsolved::NotFinite { row: 1 }));
    }
    // w = −1 whatever x ≥ 0 is.
    let mut none = blank();
    none.matrix.fill(0.0);
    none.constant = vec![-1.0, 1.0];
    none.upper = vec![INFINITY; 2];
    assert_eq!(none.solve(), Err(Unsolved::Singular { rows: 1 }));
}

#[test]
fn a_row_with_equal_bounds_stays_there() {
    let mut noise = Noise(5);
    for _ in 0..100 {
        let mut problem = problem(4, &mut noise);
        problem.lower[2] = 0.25;
        problem.upper[2] = 0.25;
        let (x, _) = problem.solve().expect("a P-matrix");
        assert_eq!(x[2], 0.25);
        assert!(distance(&x, &problem.enumerate()[0]) < 1e-8);
    }
}

#[test]
fn a_good_guess_saves_rounds() {
    let mut noise = Noise(6);
    let (mut warm, mut cold) = (0, 0);
    for _ in 0..100 {
        let mut problem = problem(12, &mut noise);
        let mut solver = Mlcp::new(12);
        let (_, first) = problem.solve_with(&mut solver).expect("a P-matrix");
        let again = problem.solve_with(&mut solver).expect("a P-matrix").1;
        assert_eq!(again, 1, "the guess is the solution");
        problem.constant.iter_mut().for_each(|q| *q += 0.01 * noise.next());
        warm += problem.solve_with(&mut solver).expect("a P-matrix").1;
        cold += problem.solve().expect("a P-matrix").1;
        assert!(first >= 1);
    }
    assert!(2 * warm < cold, "rounds: {warm} with a guess, {cold} without");
}

#[test]
fn neither_the_order_of_the_rows_nor_the_first_guess_matters() {
    let mut noise = Noise(7);
    for _ in 0..100 {
        let n = 8;
        let problem = problem(n, &mut noise);
        let (x, _) = problem.solve().expect("a P-matrix");
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, (noise.next().abs() * (i + 1) as f64) as usize);
        }
        let pick = |values: &[f64]| order.iter().map(|&i| values[i]).collect::<Vec<_>>();
        let other = Owned {
            matrix: DMatrix::from_fn(n, n, |i, j| problem.matrix[(order[i], order[j])]),
            constant: pick(&problem.constant),
            lower: pick(&problem.lower),
            upper: pick(&problem.upper),
        };
        let mut solver = Mlcp::new(n);
        for bound in solver.active_mut() {
            *bound =
                [Bound::Lower, Bound::Upper, Bound::Neither][(noise.next().abs() * 3.0) as usize];
        }
        let (permuted, _) = other.solve_with(&mut solver).expect("a P-matrix");
        assert!(distance(&pick(&x), &permuted) < 1e-10);
    }
}

#[test]
fn examples_that_are_hard_for_one_or_the_other_way_of_exchanging_are_solved() {
    // Murty's example (1978), for which least index alone takes 2ⁿ − 1 exchanges; and cyclic matrices.
    let n = 8;
    let murty = Owned {
        matrix: DMatrix::from_fn(n, n, |i, j| match i.cmp(&j) {
            std::cmp::Ordering::Less => 0.0,
            std::cmp::Ordering::Equal => 1.0,
            std::cmp::Ordering::Greater => 2.0,
        }),
        constant: vec![-1.0; n],
        lower: vec![0.0; n],
        upper: vec![INFINITY; n],
    };
    let mut expected = vec![0.0; n];
    expected[0] = 1.0;
    assert!(distance(&murty.solve().expect("a P-matrix").0, &expected) < 1e-12);

    let mut noise = Noise(8);
    for case in 0..300 {
        // det = 1 ± aⁿ: a P-matrix for odd n only.
        let n = 3 + 2 * (case % 2);
        let a = 1.2 + noise.next().abs();
        let mut cyclic = problem(n, &mut noise);
        cyclic.matrix = DMatrix::from_fn(n, n, |i, j| {
            f64::from(i == j) + if (i + 1) % n == j { a } else { 0.0 }
        });
        let all = cyclic.enumerate();
        let (x, _) = cyclic.solve().expect("a P-matrix");
        assert_eq!(all.len(), 1);
        assert!(distance(&x, &all[0]) < 1e-8);
    }
}

#[test]
fn the_inverse_form_has_the_same_solution() {
    let mut noise = Noise(9);
    for case in 0..200 {
        let n = 1 + case % 8;
        let problem = problem(n, &mut noise);
        let (x, _) = problem.solve().expect("a P-matrix");
        let inverse = problem.matrix.clone().try_inverse().expect("regular");
        let constant = -&inverse * DVector::from_column_slice(&problem.constant);
        let rows: Vec<f64> = inverse.transpose().iter().copied().collect();
        let mut solver = Mlcp::new(n);
        let answer = solver.solve(&Problem {
            form: Form::Inverse,
            matrix: &rows,
            constant: constant.as_slice(),
            lower: &problem.lower,
            upper: &problem.upper,
            coulomb: &[],
        });
        assert!(answer.is_ok());
        assert!(distance(solver.x(), &x) < 1e-8);
        assert!(distance(solver.w(), problem.w(&x).as_slice()) < 1e-8);
    }
}
