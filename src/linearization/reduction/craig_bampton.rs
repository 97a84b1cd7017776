//! Craig-Bampton reduction (Craig & Bampton 1968): coordinates on which inputs act or which outputs read stay, all others move with them as in
//! statics and in vibrations with these fixed:
//!
//! ```text
//! z = T z_r,    T = [1 0; −K_ii⁻¹ K_ib Φ],    K_ii Φ = M_ii Φ Ω²
//! ```
//!
//! The equations are projected with Tᵀ. M is that of the coordinates of the linear model, K = −M ∂z̈/∂z. States that are no coordinates stay.

use nalgebra::{Cholesky, DMatrix, SymmetricEigen};

use super::family::{Family, unnamed};
use super::{Problem, Real};
use crate::linearization::Quantified;

/// A coefficient relative to the largest of its row or column that is rounding.
const ROUNDING: f64 = 1e-9;

pub(super) struct CraigBampton<'a> {
    /// With states in units of the mechanism.
    system: Real,
    states: &'a [Quantified],
    mass: &'a DMatrix<f64>,
    /// Coordinates that stay.
    interface: Vec<usize>,
    /// T with all vibrations, slowest first.
    basis: DMatrix<f64>,
}

impl<'a> CraigBampton<'a> {
    /// # Errors
    /// In words, where states are not coordinates with their velocities, or the others can move without resistance.
    pub fn of(problem: &'a Problem) -> Result<CraigBampton<'a>, String> {
        let system = problem.in_units_of_states();
        let linear = &problem.linear;
        let (mass, n) = (&linear.mass, linear.mass.nrows());
        if n == 0 {
            return Err(
                "Craig-Bampton reduction needs coordinates with masses; take another --method"
                    .into(),
            );
        }
        let (interface, inner) = divide(&system, mass);
        if inner.is_empty() {
            return Err(
                "inputs and outputs act on all coordinates, of which Craig-Bampton reduction leaves out none; name points with \
                 --inputs and --outputs, or take another --method"
                    .into(),
            );
        }
        let stiffness = -(mass * system.a.view((n, 0), (n, n)));
        let part = |of: &DMatrix<f64>, rows: &[usize], columns: &[usize]| {
            of.select_rows(rows).select_columns(columns)
        };
        let own = part(&stiffness, &inner, &inner);
        let loose = "with the coordinates of inputs and outputs fixed others move without resistance; \
                     name more --outputs, or take another --method";
        let follow = own.clone().lu().solve(&-part(&stiffness, &inner, &interface));
        let follow = follow.filter(|follow| follow.iter().all(|x| x.is_finite())).ok_or(loose)?;
        let factored =
            Cholesky::new(part(mass, &inner, &inner)).ok_or("its masses are not positive")?;
        let lower = factored.l();
        let half = lower.solve_lower_triangular(&((&own + own.transpose()) * 0.5)).ok_or(loose)?;
        let square = lower.solve_lower_triangular(&half.transpose()).ok_or(loose)?;
        let eigen = SymmetricEigen::new((&square + square.transpose()) * 0.5);
        let mut order: Vec<usize> = (0..inner.len()).collect();
        order.sort_by(|&i, &j| eigen.eigenvalues[i].total_cmp(&eigen.eigenvalues[j]));
        let shapes = eigen.eigenvectors.select_columns(&order);
        let shapes = lower.tr_solve_lower_triangular(&shapes).ok_or(loose)?;
        let mut basis = DMatrix::zeros(n, n);
        for (k, &i) in interface.iter().enumerate() {
            basis[(i, k)] = 1.0;
        }
        for (k, &i) in inner.iter().enumerate() {
            basis.view_mut((i, 0), (1, interface.len())).copy_from(&follow.row(k));
            basis.view_mut((i, interface.len()), (1, inner.len())).copy_from(&shapes.row(k));
        }
        Ok(CraigBampton { system, states: &linear.states, mass, interface, basis })
    }

    /// States that are no coordinates and no velocities of such.
    fn others(&self) -> usize {
        self.states.len() - 2 * self.mass.nrows()
    }
}

/// Coordinates on which inputs act or which outputs read, and all others.
fn divide(system: &Real, mass: &DMatrix<f64>) -> (Vec<usize>, Vec<usize>) {
    let n = mass.nrows();
    let forces = mass * system.b.rows(n, n);
    let positions = system.b.rows(0, n);
    let acts = |of: &DMatrix<f64>, i: usize| {
        of.column_iter().any(|column| column[i].abs() > ROUNDING * column.amax())
    };
    let reads = |i: usize| {
        let mut rows = system.c.row_iter();
        rows.any(|row| {
            let within =
                |from: usize, j: usize| row[j].abs() > ROUNDING * row.columns(from, n).amax();
            within(0, i) || within(n, n + i)
        })
    };
    let positions = positions.into_owned();
    (0..n).partition(|&i| acts(&forces, i) || acts(&positions, i) || reads(i))
}

impl Family for CraigBampton<'_> {
    fn sizes(&self) -> Vec<usize> {
        (self.interface.len()..=self.mass.nrows()).map(|n| 2 * n + self.others()).collect()
    }

    fn take(&self, size: usize) -> Real {
        let (n, r) = (self.mass.nrows(), (size - self.others()) / 2);
        let t = self.basis.columns(0, r).into_owned();
        let projected = t.tr_mul(self.mass);
        let left = (&projected * &t).lu().solve(&projected);
        // M is positive, and the columns of T are independent.
        let left = left.unwrap_or_else(|| DMatrix::zeros(r, n));
        let whole = |of: &DMatrix<f64>| {
            let (rows, columns) = of.shape();
            let others = self.others();
            let mut whole = DMatrix::zeros(2 * rows + others, 2 * columns + others);
            whole.view_mut((0, 0), (rows, columns)).copy_from(of);
            whole.view_mut((rows, columns), (rows, columns)).copy_from(of);
            whole.view_mut((2 * rows, 2 * columns), (others, others)).fill_with_identity();
            whole
        };
        let (left, right) = (whole(&left), whole(&t));
        let Real { a, b, c } = &self.system;
        Real { a: &left * (a * &right), b: left * b, c: c * right }
    }

    fn states(&self, size: usize) -> Vec<Quantified> {
        let (n, r) = (self.mass.nrows(), (size - self.others()) / 2);
        let mut states = Vec::with_capacity(size);
        for from in [0, n] {
            states.extend(self.interface.iter().map(|&i| self.states[from + i].clone()));
            let first = states.len();
            states.extend((first..).map(|k| unnamed(k + 1)).take(r - self.interface.len()));
        }
        states.extend_from_slice(&self.states[2 * n..]);
        states
    }
}
