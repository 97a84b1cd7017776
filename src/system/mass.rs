//! The mass of a mechanism: consistent of its elements, lumped in points and of rigid bodies.

use fearless_simd::dispatch;
use nalgebra_sparse::csr::CsrMatrix;

use super::State;
use super::equations::Equations;
use super::numbers::Numbers;
use super::sparse::{add_scaled, on_free};
use crate::linear::{Constant, Layout};
use crate::numerics::lanes::level;

/// The mass of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Mass {
    /// Of the nodal unknowns, kg and kg·m².
    pub matrix: Constant,
    /// Of the free unknowns, in the entries of their matrix.
    free: Vec<f64>,
}

impl Mass {
    /// The mass with this `matrix` on the nodal unknowns.
    pub fn of(matrix: CsrMatrix<f64>, equations: &Equations, layout: &Layout) -> Mass {
        let free = on_free(&matrix, equations, layout);
        Mass { matrix: matrix.into(), free }
    }

    /// Writes M q̈ on the nodal unknowns.
    pub fn forces(&self, acceleration: &[f64], out: &mut [f64]) {
        dispatch!(level(), _ => {
            (self.matrix).product(0.0, |u| acceleration[u], |u, force| out[u] = force);
        });
    }

    /// Adds it `times` to the entries of the matrix of the free unknowns.
    pub fn add_to(&self, values: &mut [f64], times: f64) {
        add_scaled(values, times, &self.free);
    }

    /// An entry of the matrix of the free unknowns.
    pub fn of_entry(&self, place: usize) -> f64 {
        self.free[place]
    }

    /// ½ q̇ᵀ M q̇, J.
    pub fn energy<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let velocity = |u: usize| state.get(|s| s.velocity[u]);
        let mut doubled = N::Number::from(0.0);
        dispatch!(level(), _ => {
            self.matrix.product(N::Number::from(0.0), velocity, |u, momentum| {
                doubled += velocity(u) * momentum;
            });
        });
        doubled * 0.5
    }

    /// aᵀ M b of nodal unknowns.
    pub fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        self.matrix.triplet_iter().map(|(i, k, m)| a[i] * m * b[k]).sum()
    }

    /// The mass or inertia of an unknown in its own equation.
    pub fn diagonal(&self, u: usize) -> f64 {
        self.matrix.get_entry(u, u).map_or(0.0, |m| m.into_value())
    }

    /// Whether nothing gives an unknown inertia.
    pub fn is_massless(&self, u: usize) -> bool {
        let (offsets, _, masses) = self.matrix.csr_data();
        masses[offsets[u]..offsets[u + 1]].iter().all(|m| *m == 0.0)
    }
}
