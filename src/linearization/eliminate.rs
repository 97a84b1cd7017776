//! Elimination of constraints G w = r: dependent coordinates follow from independent ones.

use nalgebra::{DMatrix, DVector, Dyn, LU};

use crate::system::SystemFault;

/// A pivot below this share of the largest entry is rounding: its constraint follows from others.
const REDUNDANT: f64 = 1e-10;

/// w = T z + what follows from r.
pub(super) struct Elimination {
    /// Which coordinates z are.
    pub independent: Vec<usize>,
    /// Those that follow.
    pub dependent: Vec<usize>,
    /// Constraints that determine them; the others are redundant.
    rows: Vec<usize>,
    factored: LU<f64, Dyn, Dyn>,
    /// T.
    pub basis: DMatrix<f64>,
}

impl Elimination {
    /// Of G, where coordinates with a large `weight` are preferred as dependent ones.
    ///
    /// # Errors
    /// Where rounding leaves the constraints singular.
    pub fn of(g: &DMatrix<f64>, weights: &[f64]) -> Result<Elimination, SystemFault> {
        let (rows, dependent) = pivots(g, weights);
        let mut independent: Vec<usize> = (0..g.ncols()).collect();
        independent.retain(|w| !dependent.contains(w));
        let part = |columns: &[usize]| g.select_rows(&rows).select_columns(columns);
        let factored = part(&dependent).lu();
        let mut follow = part(&independent);
        if !solve(&factored, &mut follow) {
            return Err(SystemFault(
                "the constraints of the joints are singular there: there is no linear model".into(),
            ));
        }
        let mut basis = DMatrix::zeros(g.ncols(), independent.len());
        for (i, &w) in independent.iter().enumerate() {
            basis[(w, i)] = 1.0;
        }
        for (k, &w) in dependent.iter().enumerate() {
            basis.row_mut(w).copy_from(&-follow.row(k));
        }
        Ok(Elimination { independent, dependent, rows, factored, basis })
    }

    /// Dependent coordinates with G w = −`open` where the independent ones are 0.
    pub fn closing(&self, open: &DVector<f64>) -> Vec<f64> {
        let mut closing = -open.select_rows(&self.rows);
        solve(&self.factored, &mut closing);
        closing.as_slice().to_vec()
    }
}

/// Solves in place where there is anything to solve; whether it could.
fn solve<C: nalgebra::Dim>(
    factored: &LU<f64, Dyn, Dyn>, right: &mut nalgebra::OMatrix<f64, Dyn, C>,
) -> bool
where
    nalgebra::DefaultAllocator: nalgebra::allocator::Allocator<Dyn, C>,
{
    right.is_empty() || factored.solve_mut(right)
}

/// Rows and columns of the pivots of a Gaussian elimination with full pivoting.
fn pivots(g: &DMatrix<f64>, weights: &[f64]) -> (Vec<usize>, Vec<usize>) {
    let mut left = g.clone();
    for (w, weight) in weights.iter().enumerate() {
        left.column_mut(w).scale_mut(*weight);
    }
    // Constraints of lengths and of angles in one measure.
    for mut row in left.row_iter_mut() {
        let largest = row.amax();
        if largest > 0.0 {
            row.unscale_mut(largest);
        }
    }
    let (mut rows, mut columns) = (Vec::new(), Vec::new());
    for _ in 0..g.nrows().min(g.ncols()) {
        let (row, column) = left.iamax_full();
        let pivot = left[(row, column)];
        if pivot.abs() <= REDUNDANT {
            break;
        }
        let own = left.row(row) / pivot;
        for other in (0..left.nrows()).filter(|&other| other != row) {
            let factor = left[(other, column)];
            if factor != 0.0 {
                left.row_mut(other).zip_apply(&own, |x, y| *x -= factor * y);
                left[(other, column)] = 0.0;
            }
        }
        left.row_mut(row).fill(0.0);
        rows.push(row);
        columns.push(column);
    }
    (rows, columns)
}
