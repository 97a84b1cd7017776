//! Reduced models of growing size, of which one is taken.

use nalgebra::DMatrix;

use super::Real;
use crate::linearization::Quantified;

/// Reduced models of growing size.
pub(super) trait Family {
    /// Numbers of states, rising.
    fn sizes(&self) -> Vec<usize>;

    /// The model with one of these numbers.
    fn take(&self, size: usize) -> Real;

    /// What D changes by so that steady responses stay; `None` where they stay without it or cannot.
    fn correction(&self, _size: usize) -> Option<DMatrix<f64>> {
        None
    }

    /// What states that are left out and follow at once give to D.
    fn feed(&self) -> Option<DMatrix<f64>> {
        None
    }

    /// What ‖G − G_r‖∞ does not exceed, where that is known.
    fn bound(&self, _size: usize) -> Option<f64> {
        None
    }

    /// Hankel singular values.
    fn values(&self) -> &[f64] {
        &[]
    }

    /// The states of the model of this size.
    fn states(&self, size: usize) -> Vec<Quantified> {
        (1..=size).map(unnamed).collect()
    }
}

/// A state that is no quantity of the mechanism.
pub(super) fn unnamed(number: usize) -> Quantified {
    Quantified { path: format!("x{number}"), unit: String::new(), value: 0.0 }
}

/// A part that stays whole, and one of which the first states are taken.
pub(super) struct Nested {
    pub kept: Real,
    pub system: Real,
    /// Numbers of states of the second part at which it may be cut.
    pub sizes: Vec<usize>,
    /// The bound of each of these sizes, where there are bounds.
    pub bounds: Vec<f64>,
    /// Hankel singular values.
    pub values: Vec<f64>,
}

impl Nested {
    /// How many states of the second part are in a model of this size.
    fn cut(&self, size: usize) -> usize {
        size - self.kept.a.nrows()
    }

    fn first(&self, n: usize) -> Real {
        let Real { a, b, c } = &self.system;
        Real {
            a: a.view((0, 0), (n, n)).into_owned(),
            b: b.rows(0, n).into_owned(),
            c: c.columns(0, n).into_owned(),
        }
    }
}

impl Family for Nested {
    fn sizes(&self) -> Vec<usize> {
        self.sizes.iter().map(|n| self.kept.a.nrows() + n).collect()
    }

    fn take(&self, size: usize) -> Real {
        self.kept.beside(&self.first(self.cut(size)))
    }

    fn correction(&self, size: usize) -> Option<DMatrix<f64>> {
        Some(self.system.steady()? - self.first(self.cut(size)).steady()?)
    }

    fn bound(&self, size: usize) -> Option<f64> {
        let place = self.sizes.iter().position(|n| *n == self.cut(size))?;
        self.bounds.get(place).copied()
    }

    fn values(&self) -> &[f64] {
        &self.values
    }
}
