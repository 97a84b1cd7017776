//! Products and sizes that every evaluation of the equations takes, and matrices of the free unknowns.

use fearless_simd::dispatch;
use nalgebra_sparse::csr::CsrMatrix;

use super::equations::Equations;
use crate::linear::Layout;
use crate::numerics::lanes::{larger, level};

/// The largest size among `values`.
pub(super) fn largest(values: &[f64]) -> f64 {
    let mut most = [0.0; 4];
    let fours = values.chunks_exact(4);
    let rest = fours.remainder().iter();
    let tail = rest.fold(0.0, |most, value| larger(most, value.abs()));
    for values in fours {
        for k in 0..4 {
            most[k] = larger(most[k], values[k].abs());
        }
    }
    most.into_iter().fold(tail, larger)
}

/// Adds `factor` times `entries` to `values`.
pub(super) fn add_scaled(values: &mut [f64], factor: f64, entries: &[f64]) {
    dispatch!(level(), _ => for (value, entry) in values.iter_mut().zip(entries) {
        *value += factor * entry;
    });
}

/// Sets `values` to `factor` times `entries`.
pub(super) fn set_scaled(values: &mut [f64], factor: f64, entries: &[f64]) {
    dispatch!(level(), _ => for (value, entry) in values.iter_mut().zip(entries) {
        *value = factor * entry;
    });
}

/// What a symmetric `matrix` has for the free unknowns, entry by entry of their `layout`.
pub(super) fn on_free(matrix: &CsrMatrix<f64>, equation: &Equations, layout: &Layout) -> Vec<f64> {
    let mut values = vec![0.0; layout.len()];
    for (i, j, value) in matrix.triplet_iter().filter(|&(i, j, _)| i >= j) {
        if let (Some(row), Some(column)) = (equation.of(i), equation.of(j)) {
            values[layout.position(row, column)] += value;
        }
    }
    values
}
