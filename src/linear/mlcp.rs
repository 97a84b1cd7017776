//! Mixed linear complementarity problems with bounds.
//!
//! ```text
//! w = M x + q,   l ≤ x ≤ u,   and for every row   w = 0   or   x = l, w ≥ 0   or   x = u, w ≤ 0
//! ```
//!
//! or the same with x = M w + q ([`Form::Inverse`]): rows at no bound then cost nothing, and M may be
//! singular as a whole.
//!
//! Bounds may be infinite; a row without bounds is an equation, which makes the problem mixed. The bounds
//! of Coulomb friction follow another row, −μ x_N ≤ x ≤ μ x_N. M is dense, small and need not be
//! symmetric. Where M (after elimination of the equations) is a P-matrix and no bound follows another
//! row there is exactly one solution (Cottle, Pang & Stone 1992, Thm. 3.3.7), and it is found.
//!
//! The method is block principal pivoting (Júdice & Pires 1994, "A block principal pivoting algorithm
//! for large-scale strictly monotone linear complementarity problems"): guess which rows are at which
//! bound, solve for the others, move all rows that disagree at once. It takes two or three rounds as a
//! rule but can run in circles; after some rounds without progress one row at a time moves, that of
//! least index, which ends for every P-matrix (Murty 1974).

use super::Dense;

/// Rounds without fewer rows that disagree before the rows move one by one.
const PATIENCE: usize = 4;

/// Share of the terms of a sum that is taken for its rounding.
const SUM_ROUNDING: f64 = 1e-12;

/// Rounds after which a search is given up; each row may be in its turn many times.
const MAX_ROUNDS: usize = 1000;

/// What M and q mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// w = M x + q.
    Direct,
    /// x = M w + q.
    Inverse,
}

/// M by rows, q and the bounds.
#[derive(Debug, Clone, Copy)]
pub struct Problem<'a> {
    pub form: Form,
    pub matrix: &'a [f64],
    pub constant: &'a [f64],
    pub lower: &'a [f64],
    pub upper: &'a [f64],
    /// Of rows whose bounds are those of Coulomb friction, in the direct form; none, or one entry per row.
    pub coulomb: &'a [Option<Coulomb>],
}

/// Bounds −μ x_N and μ x_N, with the x_N ≥ 0 of another row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coulomb {
    /// Row of x_N, whose own bounds are numbers.
    pub normal: usize,
    /// μ.
    pub coefficient: f64,
}

impl Problem<'_> {
    fn coulomb(&self, row: usize) -> Option<Coulomb> {
        self.coulomb.get(row).copied().flatten()
    }

    /// Bounds of a row for the present `x`.
    fn bounds(&self, row: usize, x: &[f64]) -> (f64, f64) {
        match self.coulomb(row) {
            Some(Coulomb { normal, coefficient }) => {
                let limit = coefficient * x[normal].max(0.0);
                (-limit, limit)
            }
            None => (self.lower[row], self.upper[row]),
        }
    }

    /// How x of a row at the bound `active` follows another row.
    fn follows(&self, row: usize, active: Bound) -> Option<(usize, f64)> {
        let Coulomb { normal, coefficient } = self.coulomb(row)?;
        match active {
            Bound::Neither => None,
            Bound::Lower => Some((normal, -coefficient)),
            Bound::Upper => Some((normal, coefficient)),
        }
    }
}

/// The active bound of a row of the solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// w = 0.
    #[default]
    Neither,
    /// x = l.
    Lower,
    /// x = u.
    Upper,
}

/// Why there is no answer. It need not mean that there is none, unless M has the property that the
/// module asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unsolved {
    #[error("row {row} has an entry that is no number")]
    NotFinite { row: usize },
    #[error("the lower bound of row {row} is above its upper bound")]
    Bounds { row: usize },
    #[error("the {rows} equations for one set of bounds are singular")]
    Singular { rows: usize },
    #[error("no set of bounds has been found in {rounds} rounds that fits every row")]
    NoEnd { rounds: usize },
}

/// Solver with room for problems of one size. It starts from the active bounds of the solution before.
#[derive(Debug, Clone)]
pub struct Mlcp {
    active: Vec<Bound>,
    /// The bounds that x and w speak for.
    better: Vec<Bound>,
    x: Vec<f64>,
    w: Vec<f64>,
    /// Rows of the linear system.
    unknown: Vec<usize>,
    dense: Dense,
}

impl Mlcp {
    /// Room for problems of `order` rows.
    pub fn new(order: usize) -> Mlcp {
        Mlcp {
            active: vec![Bound::default(); order],
            better: vec![Bound::default(); order],
            x: vec![0.0; order],
            w: vec![0.0; order],
            unknown: Vec::with_capacity(order),
            dense: Dense::new(order),
        }
    }

    /// Makes this a solver of problems of `order` rows, no more than it has room for.
    pub fn set_order(&mut self, order: usize) {
        self.active.resize(order, Bound::default());
        self.better.resize(order, Bound::default());
        self.x.resize(order, 0.0);
        self.w.resize(order, 0.0);
    }

    /// The active bound of each row: after [`Mlcp::solve`] that of the solution, before it the first
    /// guess.
    pub fn active(&self) -> &[Bound] {
        &self.active
    }

    /// The first guess of the next solution.
    pub fn active_mut(&mut self) -> &mut [Bound] {
        &mut self.active
    }

    /// x of the solution.
    pub fn x(&self) -> &[f64] {
        &self.x
    }

    /// w of the solution.
    pub fn w(&self) -> &[f64] {
        &self.w
    }

    /// Solves `problem` and returns the number of linear systems that it took; 1 where the first
    /// guess was right. No memory is allocated.
    ///
    /// # Errors
    /// [`Unsolved`]; [`Mlcp::x`] is then of no use, and the next solution starts from between the
    /// bounds.
    pub fn solve(&mut self, problem: &Problem) -> Result<usize, Unsolved> {
        check(problem)?;
        let mut answer = self.search(problem);
        for bound in [Bound::Neither, Bound::Lower] {
            if answer.is_err() {
                self.active.fill(bound);
                answer = self.search(problem);
            }
        }
        if answer.is_err() {
            self.active.fill(Bound::Neither);
        }
        answer
    }

    /// Moves rows until all agree.
    fn search(&mut self, problem: &Problem) -> Result<usize, Unsolved> {
        for (row, bound) in self.active.iter_mut().enumerate() {
            *bound = allowed(problem, row, *bound);
        }
        self.evaluate(problem)?;
        let (mut fewest, mut patience) = (usize::MAX, PATIENCE);
        for round in 1..=MAX_ROUNDS {
            let disagree = self.find_better(problem);
            if disagree == 0 {
                for row in 0..self.x.len() {
                    let (lower, upper) = problem.bounds(row, &self.x);
                    self.x[row] = self.x[row].clamp(lower, upper);
                }
                return Ok(round);
            }
            if disagree < fewest {
                (fewest, patience) = (disagree, PATIENCE);
            } else {
                patience = patience.saturating_sub(1);
            }
            if patience == 0 || !self.move_all(problem) {
                self.move_one(problem)?;
            }
        }
        Err(Unsolved::NoEnd { rounds: MAX_ROUNDS })
    }

    /// Moves every row to its better bound; `false`, and nothing has moved, where that is singular.
    fn move_all(&mut self, problem: &Problem) -> bool {
        std::mem::swap(&mut self.active, &mut self.better);
        let regular = self.evaluate(problem).is_ok();
        if !regular {
            std::mem::swap(&mut self.active, &mut self.better);
        }
        regular
    }

    /// Moves the first row that has a better bound. Where that leaves singular equations, a row at its
    /// bound takes its place among them, or another row moves.
    fn move_one(&mut self, problem: &Problem) -> Result<(), Unsolved> {
        let mut answer = Ok(());
        for row in 0..self.active.len() {
            let before = self.active[row];
            if before == self.better[row] {
                continue;
            }
            self.active[row] = self.better[row];
            answer = self.evaluate(problem);
            for other in 0..self.active.len() {
                let bound = self.active[other];
                if answer.is_ok() {
                    return answer;
                }
                if other != row && bound != Bound::Neither {
                    self.active[other] = allowed(problem, other, Bound::Neither);
                    answer = self.evaluate(problem).or(answer);
                    if answer.is_err() {
                        self.active[other] = bound;
                    }
                }
            }
            if answer.is_ok() {
                return answer;
            }
            self.active[row] = before;
        }
        answer
    }

    /// x and w for the present active bounds.
    fn evaluate(&mut self, problem: &Problem) -> Result<(), Unsolved> {
        let n = self.active.len();
        for (row, bound) in self.active.iter().enumerate() {
            match bound {
                Bound::Neither => self.w[row] = 0.0,
                // Until the row that it follows is known.
                _ if problem.coulomb(row).is_some() => self.x[row] = 0.0,
                Bound::Lower => self.x[row] = problem.lower[row],
                Bound::Upper => self.x[row] = problem.upper[row],
            }
        }
        // M a + q = v: in each row either a or v is known by now.
        let (a, v) = match problem.form {
            Form::Direct => (&mut self.x, &mut self.w),
            Form::Inverse => (&mut self.w, &mut self.x),
        };
        let known = |row: usize| {
            let between = self.active[row] == Bound::Neither;
            between == (problem.form == Form::Inverse)
        };
        self.unknown.clear();
        self.unknown.extend((0..n).filter(|&row| !known(row)));
        let dense = &mut self.dense;
        dense.order = self.unknown.len();
        for (k, &row) in self.unknown.iter().enumerate() {
            let entries = &problem.matrix[row * n..][..n];
            let rest: f64 = (0..n).filter(|&c| known(c)).map(|c| entries[c] * a[c]).sum();
            dense.right[k] = v[row] - (problem.constant[row] + rest);
            let values = dense.row_mut(k);
            for (value, &column) in values.iter_mut().zip(&self.unknown) {
                *value = entries[column];
            }
            for (c, &bound) in self.active.iter().enumerate() {
                if let Some((normal, factor)) = problem.follows(c, bound)
                    && let Ok(place) = self.unknown.binary_search(&normal)
                {
                    values[place] += factor * entries[c];
                }
            }
        }
        let singular = Unsolved::Singular { rows: self.unknown.len() };
        dense.factor().map_err(|_| singular)?;
        dense.solve();
        for (&row, &value) in self.unknown.iter().zip(&dense.right) {
            if !value.is_finite() {
                return Err(singular);
            }
            a[row] = value;
        }
        for (row, &bound) in self.active.iter().enumerate() {
            if let Some((normal, factor)) = problem.follows(row, bound) {
                a[row] = factor * a[normal];
            }
        }
        for row in (0..n).filter(|&row| known(row)) {
            let entries = &problem.matrix[row * n..][..n];
            let terms = entries.iter().zip(&*a).map(|(m, a)| m * a);
            let (sum, size) = terms
                .chain([problem.constant[row]])
                .fold((0.0, 0.0), |(s, a): (f64, f64), t| (s + t, a + t.abs()));
            v[row] = if sum.abs() <= SUM_ROUNDING * size { 0.0 } else { sum };
        }
        Ok(())
    }

    /// Finds the bound that x and w of each row speak for; returns how many have another.
    fn find_better(&mut self, problem: &Problem) -> usize {
        let mut disagree = 0;
        for row in 0..self.active.len() {
            let (lower, upper) = problem.bounds(row, &self.x);
            let (x, w) = (self.x[row], self.w[row]);
            let rounding = SUM_ROUNDING * x.abs();
            self.better[row] = match self.active[row] {
                Bound::Neither if x < lower - rounding => Bound::Lower,
                Bound::Neither if x > upper + rounding => Bound::Upper,
                Bound::Lower if w < 0.0 && lower < upper => Bound::Neither,
                Bound::Upper if w > 0.0 && lower < upper => Bound::Neither,
                same => same,
            };
            disagree += usize::from(self.better[row] != self.active[row]);
        }
        disagree
    }
}

fn check(problem: &Problem) -> Result<(), Unsolved> {
    let n = problem.constant.len();
    for row in 0..n {
        let (lower, upper) = (problem.lower[row], problem.upper[row]);
        let entries = &problem.matrix[row * n..][..n];
        let numbers = entries.iter().chain([&problem.constant[row]]);
        let wrong = numbers.into_iter().any(|value| !value.is_finite());
        if wrong || lower.is_nan() || upper.is_nan() {
            return Err(Unsolved::NotFinite { row });
        }
        if lower > upper || lower == f64::INFINITY || upper == f64::NEG_INFINITY {
            return Err(Unsolved::Bounds { row });
        }
    }
    Ok(())
}

/// A bound that exists in `problem`, `guess` if it does.
fn allowed(problem: &Problem, row: usize, guess: Bound) -> Bound {
    let (lower, upper) = (problem.lower[row], problem.upper[row]);
    match guess {
        same if problem.coulomb(row).is_some() => same,
        _ if lower == upper => Bound::Lower,
        Bound::Lower | Bound::Upper if lower == f64::NEG_INFINITY && upper == f64::INFINITY => {
            Bound::Neither
        }
        Bound::Lower if lower == f64::NEG_INFINITY => Bound::Upper,
        Bound::Upper if upper == f64::INFINITY => Bound::Lower,
        same => same,
    }
}
