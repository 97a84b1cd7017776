//! A sparse symmetric matrix with a border.

#[cfg(test)]
mod tests;

use super::beside::Beside;
use super::couplings::{Couplings, Passing};
use super::dense::{Dense, Singular};
use super::entries::Entries;
use super::frontal::{self, Follower, Frontal, Left, Raised};
use super::layout::{Cost, Layout};
use crate::numerics::lanes::larger;

/// [K + N, B; C, D] with K symmetric, a part of its entries in couplings that come and go; C is Bᵀ but for the rows that were given their own entries, and N
/// any matrix of few entries or none.
#[derive(Debug, Clone)]
pub struct Bordered {
    pub interior: Interior,
    /// What K has in couplings.
    pub(super) couplings: Couplings,
    /// Unknowns of the border.
    width: usize,
    border: Entries,
    fronts: Box<Frontal>,
    /// Right-hand side of the dense system.
    right: Vec<f64>,
    pub(super) dense: Dense,
    /// Room for the count of negative eigenvalues.
    pub(super) symmetric: Vec<f64>,
    /// N.
    pub(super) beside: Beside,
    /// Where there may be N: the answer of the whole to a right-hand side of the border.
    response: (Vec<f64>, Vec<f64>),
    /// Counts the matrices that have stood here.
    version: u64,
}

/// K.
#[derive(Debug, Clone)]
pub struct Interior {
    pub layout: Layout,
    /// Its entries.
    pub values: Vec<f64>,
}

/// What moves by less than this share (m/N) of the forces that go with it does so by their rounding: where multipliers are free, 1e-10 for
/// masses of a milligram in steps of a millisecond; where a motion is, its multipliers are rounding, a ten thousandth of it at the most.
const NOT_MOVED: f64 = 1e-6;

impl Bordered {
    /// A zero matrix with a border of `width`; up to `spare` motions that K does not hold by
    /// itself can be moved into the border. The border unknowns of `followers` are eliminated with the interior where they can. The
    /// entries of what is `passing` need not be among the layout's.
    pub fn new(
        layout: Layout, [width, spare]: [usize; 2], followers: Vec<Follower>, passing: Vec<Passing>,
    ) -> Bordered {
        let couplings = Couplings::new(&passing);
        Bordered {
            fronts: Box::new(Frontal::new(&layout, followers, passing, [width, spare])),
            interior: Interior { values: vec![0.0; layout.len()], layout },
            couplings,
            width,
            border: Entries::new(width),
            right: Vec::new(),
            // Few unknowns are left to the dense system, but nobody knows how many.
            dense: Dense::new(0),
            symmetric: Vec::new(),
            beside: Beside::default(),
            response: <(Vec<f64>, Vec<f64>)>::default(),
            version: 0,
        }
    }

    /// A number that every [restart](Bordered::restart) changes.
    pub fn version(&self) -> u64 {
        self.version
    }

    /// What a factorisation takes with a border of `width`, among it the multipliers of `pins`.
    pub fn cost(layout: &Layout, width: usize, pins: &[Follower]) -> Cost {
        let inside = pins.iter().map(|pin| pin.multipliers.len());
        frontal::cost(layout, pins, width - inside.sum::<usize>())
    }

    /// This matrix with room for so many `entries` in N.
    pub fn with_beside(mut self, entries: usize) -> Bordered {
        let order = self.interior.layout.order();
        self.beside = Beside::new(order, self.width, entries);
        if entries > 0 {
            self.response = (vec![0.0; order], vec![0.0; self.width]);
        }
        self
    }

    /// Begins with a coupling of these `unknowns`, which takes part in the factorisation until the matrix is cleared; goes
    /// on with the last one if it is one of the same.
    pub fn couple(&mut self, unknowns: &[u32]) {
        self.couplings.begin(unknowns);
    }

    /// Adds the symmetric matrix of these `entries`, of all pairs a ≤ b of places in the last coupling's list, to K.
    #[inline]
    pub fn add_coupled(&mut self, entries: impl Fn(usize, usize) -> f64) {
        self.couplings.add(entries);
    }

    /// The diagonal of K, row by row.
    pub fn take_diagonal(&self, out: &mut [f64]) {
        let Interior { layout, values } = &self.interior;
        for (i, out) in out.iter_mut().enumerate() {
            *out = values[layout.diagonal(i)];
        }
        (self.couplings.diagonal()).for_each(|(i, value)| out[i] += value);
    }

    /// Gives each interior row that the border couples with others the largest of the `diagonal` entries of all such rows, and others
    /// zero.
    pub fn take_coupled(&self, diagonal: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let largest =
            self.border.beside(0..self.width).map(|row| diagonal[row]).fold(0.0, f64::max);
        self.border.beside(0..self.width).for_each(|row| out[row] = largest);
    }

    /// Adds to N.
    #[inline]
    pub fn add_beside(&mut self, row: usize, column: usize, value: f64) {
        self.beside.add(row, column, value);
    }

    /// N, which is zero in the matrix from now on.
    pub fn take_beside(&mut self) -> Beside {
        std::mem::take(&mut self.beside)
    }

    /// Zeroes every entry but those of K, which are to be set.
    pub fn restart(&mut self) -> &mut [f64] {
        self.couplings.clear();
        self.beside.clear();
        self.clear_border();
        &mut self.interior.values
    }

    /// Zeroes every entry but those of K and N.
    pub fn clear_border(&mut self) {
        self.version += 1;
        self.border.clear();
    }

    /// Adds to B (interior row, border column) and, as long as row `b` is not its own, to C.
    #[inline]
    pub fn add_column(&mut self, row: usize, b: usize, value: f64) {
        self.border.add_column(row, b, value);
    }

    /// Row `b` of C no longer follows column `b` of B: it starts from zero.
    pub fn give_own_row(&mut self, b: usize) {
        self.border.give_own_row(b);
    }

    /// Adds to C; [`Bordered::give_own_row`] must have been called for `b`.
    #[inline]
    pub fn add_row(&mut self, b: usize, column: usize, value: f64) {
        self.border.add_row(b, column, value);
    }

    /// Adds to D.
    #[inline]
    pub fn add_corner(&mut self, b: usize, c: usize, value: f64) {
        self.border.add_corner(b, c, value);
    }

    /// Holds interior unknown `row` at zero, with the rest of its row and column removed.
    pub fn pin(&mut self, row: usize) {
        let values = &mut self.interior.values;
        // Beside stiff members a diagonal of 1 would be taken for the rounding of nothing.
        let largest = values.iter().fold(1.0, |most, value| larger(most, value.abs()));
        for &(other, at) in self.fronts.row(row) {
            values[at as usize] = if other as usize == row { largest } else { 0.0 };
        }
        self.couplings.pin(row);
        self.beside.pin(row);
        self.border.pin(row);
    }

    /// Factors the matrix; it is destroyed. No memory is allocated.
    ///
    /// # Errors
    /// [`Singular`] when no unique solution exists; [`Bordered::free_motion`] tells what moves.
    pub fn factor(&mut self) -> Result<(), Singular> {
        self.reduce_to_border(Left::IfMore);
        self.dense.factor()
    }

    /// [`Bordered::factor`] where the matrix may be nearly singular, as at a bifurcation: what is left of a pivot is taken
    /// as it is, were it rounding.
    ///
    /// # Errors
    /// [`Singular`] where nothing is left.
    pub fn factor_nearly_singular(&mut self) -> Result<(), Singular> {
        self.reduce_to_border(Left::Always);
        self.dense.factor()
    }

    /// Factors K and leaves S in the dense matrix.
    pub(super) fn reduce_to_border(&mut self, left: Left) {
        let values = &self.interior.values;
        (self.fronts).factor(values, &self.couplings, &self.border, &mut self.dense, left);
        // Fronts raise as many pivots as vanish.
        if self.right.len() < self.dense.room() {
            self.right.resize(self.dense.room(), 0.0);
        }
    }

    /// Negative pivots of K, and the pivots that were raised, whose unknowns come last in S.
    pub(super) fn pivots(&self) -> (usize, &[Raised]) {
        (self.fronts.negative(), self.fronts.raised())
    }

    /// Solves in place with the factored matrix: `x` holds f and becomes the interior part, `y`
    /// holds g and becomes the border part. No memory is allocated.
    ///
    /// # Errors
    /// [`Singular`] where N makes the matrix so: `x` and `y` are then no solution, and [`Bordered::free_motion`] tells what moves.
    pub fn solve(&mut self, x: &mut [f64], y: &mut [f64]) -> Result<(), Singular> {
        if self.beside.is_empty() {
            self.solve_factored(x, y);
            return Ok(());
        }
        let mut beside = std::mem::take(&mut self.beside);
        let outcome = beside.solve(|x, y| self.solve_factored(x, y), x, y);
        self.beside = beside;
        outcome
    }

    /// [`Bordered::solve`] after [`Bordered::factor_nearly_singular`]: the solution as far as there is one.
    pub fn solve_nearly_singular(&mut self, x: &mut [f64], y: &mut [f64]) {
        // What a singular matrix leaves of it still points along what moves.
        let _found = self.solve(x, y);
    }

    /// Whether N makes the sign of the determinant another one; the matrix is factored.
    pub fn turns_sign(&mut self) -> bool {
        let beside = std::mem::take(&mut self.beside);
        let mut border = vec![0.0; self.width];
        let turns = beside.turns_sign(self.interior.layout.order(), |x| {
            border.fill(0.0);
            self.solve_factored(x, &mut border);
        });
        self.beside = beside;
        turns
    }

    /// [`Bordered::solve`] without N.
    pub fn solve_factored(&mut self, x: &mut [f64], y: &mut [f64]) {
        let right = &mut self.right[..self.dense.order];
        self.fronts.forward(x, y, right);
        self.solve_dense(y);
        self.substitute_back(x, y);
    }

    /// The first part of a solution, after which rows of their own in `y` that hold more than their diagonal have their
    /// solution and may be [changed](Bordered::change_border); [`Bordered::solve_interior`] completes it. Where there is N, what it does
    /// hangs on the interior, and the solution is complete at once.
    ///
    /// # Errors
    /// As [`Bordered::solve`].
    pub fn solve_border(&mut self, x: &mut [f64], y: &mut [f64]) -> Result<(), Singular> {
        if !self.beside.is_empty() {
            return self.solve(x, y);
        }
        let right = &mut self.right[..self.dense.order];
        self.fronts.forward(x, y, right);
        self.solve_dense(y);
        Ok(())
    }

    /// Adds `change` to g in rows of their own, in the midst of a solution; there `y` becomes the solution for the new g.
    ///
    /// # Errors
    /// As [`Bordered::solve`].
    pub fn change_border(
        &mut self, change: &[f64], x: &mut [f64], y: &mut [f64],
    ) -> Result<(), Singular> {
        if self.beside.is_empty() {
            for (right, &b) in self.right.iter_mut().zip(self.fronts.outside()) {
                *right += change[b];
            }
            self.solve_dense(y);
            return Ok(());
        }
        self.respond(
            |g| g.copy_from_slice(change),
            |dx, dy| {
                let sums = x.iter_mut().zip(dx).chain(y.iter_mut().zip(dy));
                sums.for_each(|(sum, change)| *sum += change);
            },
        )
    }

    /// The solution for f = 0 and a g of 1 in row `b`, in border unknowns that have rows of their own as `b` has; in the
    /// midst of a solution [`Bordered::change_border`] must follow.
    ///
    /// # Errors
    /// As [`Bordered::solve`].
    pub fn border_response(&mut self, b: usize, y: &mut [f64]) -> Result<(), Singular> {
        if !self.beside.is_empty() {
            return self.respond(|g| g[b] = 1.0, |_, response| y.copy_from_slice(response));
        }
        let right = &mut self.dense.right[..self.dense.order];
        right.fill(0.0);
        if let Ok(place) = self.fronts.outside().binary_search(&b) {
            right[place] = 1.0;
        }
        self.dense.solve();
        self.take_solution(y);
        Ok(())
    }

    /// Hands the solution for f = 0 and the g that `load` makes of zero to `take`.
    fn respond(
        &mut self, load: impl FnOnce(&mut [f64]), take: impl FnOnce(&[f64], &[f64]),
    ) -> Result<(), Singular> {
        let (mut x, mut y) = std::mem::take(&mut self.response);
        for (list, length) in [(&mut x, self.interior.layout.order()), (&mut y, self.width)] {
            list.clear();
            list.resize(length, 0.0);
        }
        load(&mut y);
        let outcome = self.solve(&mut x, &mut y);
        take(&x, &y);
        self.response = (x, y);
        outcome
    }

    /// The last part of [`Bordered::solve`].
    pub fn solve_interior(&mut self, x: &mut [f64], y: &mut [f64]) {
        if self.beside.is_empty() {
            self.substitute_back(x, y);
        }
    }

    fn substitute_back(&mut self, x: &mut [f64], y: &mut [f64]) {
        let solution = &self.dense.right[..self.dense.order];
        self.fronts.backward(solution, x, y);
    }

    fn solve_dense(&mut self, y: &mut [f64]) {
        let width = self.dense.order;
        self.dense.right[..width].copy_from_slice(&self.right[..width]);
        self.dense.solve();
        self.take_solution(y);
    }

    /// The solution of the dense system in the border's unknowns.
    fn take_solution(&self, y: &mut [f64]) {
        for (&b, value) in self.fronts.outside().iter().zip(&self.dense.right) {
            y[b] = *value;
        }
    }

    /// After [`Singular`]: what the matrix maps to zero.
    pub fn free_motion(&mut self) -> FreeMotion {
        let n = self.interior.layout.order();
        if let Some(mut x) = self.beside.free_forces(n) {
            let mut y = vec![0.0; self.width];
            self.solve_factored(&mut x, &mut y);
            return FreeMotion::new(x, y);
        }
        let null = self.dense.null_vector();
        self.dense.right[..null.len()].copy_from_slice(&null);
        let (mut x, mut y) = (vec![0.0; n], vec![0.0; self.width]);
        // Nothing but the dense system's solution is left in the midst of this one.
        let right = &mut self.right[..null.len()];
        self.fronts.forward(&x, &y, right);
        self.take_solution(&mut y);
        self.substitute_back(&mut x, &mut y);
        // Border unknowns that cancel in every row move nothing; what K⁻¹ makes of their rounding
        // errors is not a motion.
        let pushes = self.fronts.pushes(&null);
        let largest = |v: &[f64]| v.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if !pushes || largest(&x) < NOT_MOVED * largest(&y) {
            x.fill(0.0);
        }
        FreeMotion::new(x, y)
    }
}

/// A vector that a singular matrix maps to zero.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeMotion {
    /// A motion that nothing resists, largest entry 1; zero where only border unknowns are free,
    /// such as the multipliers of two joints that hold the same.
    pub interior: Vec<f64>,
    /// Border unknowns of the motion, in a scale of their own.
    pub border: Vec<f64>,
}

impl FreeMotion {
    /// Scaled so that the largest part of the interior is 1.
    pub fn new(mut interior: Vec<f64>, border: Vec<f64>) -> FreeMotion {
        let largest = interior.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
        if largest > 0.0 && largest.is_finite() {
            interior.iter_mut().for_each(|v| *v /= largest);
        }
        FreeMotion { interior, border }
    }
}
