//! Complementarity of stops, contacts and friction.
//!
//! Whatever is set-valued in an impact is one row of
//!
//! ```text
//! y = G p + b,    G = Jᵀ S⁻¹ J,
//!
//! bilateral   y = 0
//! unilateral  0 ≤ y ⟂ p ≥ 0
//! friction    |p| ≤ μ p_N,   y = 0  or  p = ∓μ p_N against y
//! ```
//!
//! with an impulse p and a velocity y in each row and the matrix S of the equations that all else obeys.
//! G is positive semidefinite: where contacts are redundant, as five wheels on a rigid bar are, the impulses
//! are those of the proximal-point iteration
//!
//! ```text
//! p ← solution of the rows with  y = G p + b + ε D (p − p before),    D = diag G,
//! ```
//!
//! which starts from p = 0, has one solution in every step and tends to those with the least Σ G_ii p_i², so
//! that they are a function of G and b alone. Nothing makes energy: p·y ≤ 0 row by row.

use super::mlcp::{Bound, Coulomb, Form, Mlcp, Problem, Unsolved};

/// Weight ε of the proximal term: so little that two iterations end at rounding, so much that rounding does not share the load.
const PROXIMITY: f64 = 1e-10;

/// Steps of the proximal-point iteration.
const PROXIMAL_STEPS: usize = 2;

/// Weight and iterations where 1/ε times the rounding of positions over a short time must not share the load.
const SHARING: (f64, usize) = (1e-4, 4);

/// Share of the largest diagonal entry of G below which no impulse changes the velocity of a row.
const RIGID: f64 = 1e-14;

/// Rounds in which friction limits follow their normal impulses, where all rows together have no answer.
const LIMIT_ROUNDS: usize = 100;

/// Share of the largest impulse by which a friction limit may miss its normal impulse there.
const LIMIT_TOLERANCE: f64 = 1e-9;

/// Share of its largest part, b or G p, that the solution leaves of y: limits of friction follow forces to 1e-9 of them.
const FORCE_LEFT: f64 = 1e-7;

/// What a row obeys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Law {
    Bilateral,
    Unilateral,
    /// Unilateral with the roles changed: p is the opening of a contact that S keeps closed, y its force.
    Opening,
    /// Coulomb friction with the unilateral or bilateral row of its normal impulse.
    Friction(Coulomb),
}

/// The rows of one problem and their impulses; room for a number of them.
#[derive(Debug, Clone)]
pub struct Kernel {
    laws: Vec<Law>,
    /// G by rows, with the diagonal of G + ε D while it is solved.
    matrix: Vec<f64>,
    /// Diagonal of G.
    diagonal: Vec<f64>,
    /// b.
    velocity: Vec<f64>,
    /// ε D.
    proximity: Vec<f64>,
    constant: Vec<f64>,
    lower: Vec<f64>,
    upper: Vec<f64>,
    coulomb: Vec<Option<Coulomb>>,
    impulses: Vec<f64>,
    mlcp: Mlcp,
    /// Linear systems of the last solution.
    spent: usize,
}

impl Kernel {
    /// Room for `rows`.
    pub fn new(rows: usize) -> Kernel {
        Kernel {
            laws: Vec::with_capacity(rows),
            matrix: Vec::with_capacity(rows * rows),
            diagonal: Vec::with_capacity(rows),
            velocity: Vec::with_capacity(rows),
            proximity: Vec::with_capacity(rows),
            constant: Vec::with_capacity(rows),
            lower: Vec::with_capacity(rows),
            upper: Vec::with_capacity(rows),
            coulomb: Vec::with_capacity(rows),
            impulses: Vec::with_capacity(rows),
            mlcp: Mlcp::new(rows),
            spent: 0,
        }
    }

    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.laws.clear();
    }

    /// Adds a row; returns its number.
    pub fn add(&mut self, law: Law) -> usize {
        self.laws.push(law);
        self.laws.len() - 1
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.laws.len()
    }

    /// Gives room to G and b of the rows that have been added, all zero.
    pub fn open(&mut self) {
        let n = self.rows();
        self.matrix.clear();
        self.matrix.resize(n * n, 0.0);
        self.diagonal.clear();
        self.diagonal.resize(n, 0.0);
        self.velocity.clear();
        self.velocity.resize(n, 0.0);
    }

    /// Sets the velocity that an impulse of 1 in row `by` gives row `of`.
    pub fn set_compliance(&mut self, of: usize, by: usize, value: f64) {
        let n = self.rows();
        self.matrix[of * n + by] = value;
        if of == by {
            self.diagonal[of] = value;
        }
    }

    /// The velocity that an impulse of 1 in a row gives the row itself.
    pub fn compliance(&self, row: usize) -> f64 {
        self.diagonal[row]
    }

    /// Sets the velocity of a row without impulses.
    pub fn set_velocity(&mut self, row: usize, value: f64) {
        self.velocity[row] = value;
    }

    /// What a row obeys.
    pub fn law(&self, row: usize) -> Law {
        self.laws[row]
    }

    /// Changes what a row obeys.
    pub fn set_law(&mut self, row: usize, law: Law) {
        self.laws[row] = law;
    }

    /// y of a row in the solution.
    pub fn velocity(&self, row: usize) -> f64 {
        self.mlcp.w()[row]
    }

    /// Whether friction in a row is at its limit and does not hold: beside others that do, it may be at its limit and rest.
    pub fn slides(&self, row: usize) -> bool {
        let by = &self.matrix[row * self.rows()..][..self.rows()];
        let parts = by.iter().zip(&self.impulses).map(|(g, p)| (g * p).abs());
        let largest = parts.fold(self.velocity[row].abs(), f64::max);
        self.mlcp.active()[row] != Bound::Neither && self.velocity(row).abs() > FORCE_LEFT * largest
    }

    /// Linear systems that the last solution took.
    pub fn spent(&self) -> usize {
        self.spent
    }

    /// Finds the impulses. No memory is allocated.
    ///
    /// # Errors
    /// [`Unsolved`] where a number is none.
    pub fn solve(&mut self) -> Result<&[f64], Unsolved> {
        self.solve_by(PROXIMITY, PROXIMAL_STEPS)
    }

    /// [`Kernel::solve`] where the rounding of redundant rows, by 1/ε, would be more than their impulses: between two faces
    /// friction that rounding shares wedges itself. What is not redundant is known to about ε⁴ times its condition.
    ///
    /// # Errors
    /// As [`Kernel::solve`].
    pub fn share(&mut self) -> Result<&[f64], Unsolved> {
        let (proximity, steps) = SHARING;
        self.solve_by(proximity, steps)
    }

    fn solve_by(&mut self, proximity: f64, steps: usize) -> Result<&[f64], Unsolved> {
        self.set_bounds(proximity);
        self.impulses.clear();
        self.impulses.resize(self.rows(), 0.0);
        self.spent = 0;
        self.mlcp.set_order(self.rows());
        self.begin_sliding();
        for _ in 0..steps {
            self.constant.clear();
            let all = self.velocity.iter().zip(&self.proximity);
            let shifted = all.zip(&self.impulses).map(|((b, e), p)| b - e * p);
            self.constant.extend(shifted);
            self.step()?;
            self.impulses.copy_from_slice(self.mlcp.x());
        }
        Ok(&self.impulses)
    }

    /// Begins with all friction against the velocities without impulses: where friction presses itself, the solution is that of the least forces.
    fn begin_sliding(&mut self) {
        let rows = self.mlcp.active_mut().iter_mut().zip(&self.laws).zip(&self.velocity);
        for ((active, law), velocity) in rows {
            *active = match law {
                Law::Friction(_) if *velocity < 0.0 => Bound::Upper,
                _ => Bound::Lower,
            };
        }
    }

    /// Laws as bounds, and the diagonal of the proximal step.
    fn set_bounds(&mut self, share: f64) {
        let n = self.rows();
        let largest = |opens: bool| {
            let all = self.laws.iter().zip(&self.diagonal);
            let like = all.filter(|(law, _)| (**law == Law::Opening) == opens);
            like.fold(0.0_f64, |a, (_, g)| a.max(*g))
        };
        let largest = [largest(false), largest(true)];
        self.proximity.clear();
        self.lower.clear();
        self.upper.clear();
        self.coulomb.clear();
        for (i, law) in self.laws.iter().enumerate() {
            let diagonal = self.diagonal[i];
            let largest = largest[usize::from(*law == Law::Opening)];
            // A velocity that no impulse changes is none of its business.
            let moves = diagonal > RIGID * largest;
            let proximity = share * if moves { diagonal } else { largest };
            self.matrix[i * n + i] = diagonal + proximity;
            self.proximity.push(proximity);
            let (lower, upper, coulomb) = match law {
                _ if !moves => (0.0, 0.0, None),
                Law::Bilateral => (f64::NEG_INFINITY, f64::INFINITY, None),
                Law::Unilateral | Law::Opening => (0.0, f64::INFINITY, None),
                Law::Friction(coulomb) => (0.0, 0.0, Some(*coulomb)),
            };
            self.lower.push(lower);
            self.upper.push(upper);
            self.coulomb.push(coulomb);
        }
    }

    /// One step of the proximal-point iteration.
    fn step(&mut self) -> Result<(), Unsolved> {
        match self.search(true) {
            Err(Unsolved::NoEnd { .. } | Unsolved::Singular { .. }) => self.follow_limits(),
            other => other,
        }
    }

    /// The same with friction limits that are numbers, which has one solution, again and again until
    /// they are those of the normal impulses. Where they never settle, the last ones hold: friction
    /// still only takes, under a limit that is a little off.
    fn follow_limits(&mut self) -> Result<(), Unsolved> {
        self.mlcp.active_mut().fill(Bound::Lower);
        for (lower, upper) in self.lower.iter_mut().zip(&mut self.upper) {
            if *upper < f64::INFINITY {
                (*lower, *upper) = (0.0, 0.0);
            }
        }
        for _ in 0..LIMIT_ROUNDS {
            self.search(false)?;
            let largest = self.mlcp.x().iter().fold(0.0_f64, |a, p| a.max(p.abs()));
            let mut change = 0.0_f64;
            for (row, coulomb) in self.coulomb.iter().enumerate() {
                let Some(coulomb) = coulomb else { continue };
                let limit = coulomb.coefficient * self.mlcp.x()[coulomb.normal].max(0.0);
                change = change.max((limit - self.upper[row]).abs());
                // Halfway, so that two rows that answer each other do not do so for ever.
                let limit = 0.5 * (limit + self.upper[row]);
                (self.lower[row], self.upper[row]) = (-limit, limit);
            }
            if change <= LIMIT_TOLERANCE * largest {
                break;
            }
        }
        Ok(())
    }

    fn search(&mut self, together: bool) -> Result<(), Unsolved> {
        self.spent += self.mlcp.solve(&Problem {
            form: Form::Direct,
            matrix: &self.matrix,
            constant: &self.constant,
            lower: &self.lower,
            upper: &self.upper,
            coulomb: if together { &self.coulomb } else { &[] },
        })?;
        Ok(())
    }
}
