//! The Schur complement of the border, and solutions.

use super::room::NARROW;
use super::{Frontal, OUTSIDE, vectors_alone};
use crate::linear::dense::Dense;
use crate::linear::entries::Entries;
use crate::linear::rounding::{Sum, difference};

/// What is left of a sum below this share of its terms is rounding, as what is left of the dense system is.
const CANCELLED: f64 = 1e-13;

impl Frontal {
    /// Schur complement S = D − C K⁻¹ B with one more unknown z = eᵀx for each raised pivot:
    /// K x = (K + Σ βeeᵀ) x − Σ βe z. Where later unknowns do not hold what a raised pivot was to resist, the row of z is what
    /// was left of that pivot.
    pub(super) fn form_schur(&self, border: &Entries, dense: &mut Dense) {
        let (outer, all) = (self.outside.len(), self.outside.len() + self.raised.len());
        let unknowns = self.unknowns();
        let among = vectors_alone(self.vectors);
        let products = self.products.as_flattened().as_flattened();
        // What follows its path now may leave it later.
        let room = if self.width <= NARROW { self.width } else { outer };
        dense.reserve(room + self.most_raised);
        dense.order = all;
        let response = |k: usize| &self.responses[k * self.work.len()..][..self.work.len()];
        for (i, &b) in self.outside.iter().enumerate() {
            let target = dense.row_mut(i);
            target.fill(0.0);
            for &(c, value) in border.corner(b) {
                if let Ok(j) = self.outside.binary_search(&c) {
                    target[j] += value;
                }
            }
            let row = self.slots[b][1];
            for (left, &c) in target.iter_mut().zip(&self.outside) {
                let column = self.slots[c][0];
                let sum = -products[among.entry(row.max(column), row.min(column))];
                *left = difference(*left, sum);
                // Constraints may hold by those that are eliminated in fronts, to nothing but rounding.
                let size = (self.growth[unknowns + row] * self.growth[unknowns + column]).sqrt();
                if self.ties && left.abs() <= CANCELLED * size {
                    *left = 0.0;
                }
            }
            for (k, raised) in self.raised.iter().enumerate() {
                target[outer + k] = -raised.boost * response(k)[unknowns + row];
            }
        }
        for k in 0..self.raised.len() {
            let own = response(k);
            let target = dense.row_mut(outer + k);
            for (left, &c) in target.iter_mut().zip(&self.outside) {
                *left = own[unknowns + self.slots[c][0]];
            }
            for (other, raised) in self.raised.iter().enumerate() {
                let (first, left) = match other == k {
                    true => (raised.row + 1, -raised.left),
                    false => (self.reached(k).max(self.reached(other)), 0.0),
                };
                let later = self.inverse.product_from(first, own, response(other));
                let later = later.beyond(CANCELLED);
                target[outer + other] =
                    left * self.inverse.diagonal[raised.row] + raised.boost * later;
            }
        }
    }

    /// The forward half of a solution with the right-hand side `x` and `y`; `right` becomes that of the dense system.
    pub fn forward(&mut self, x: &[f64], y: &[f64], right: &mut [f64]) {
        let unknowns = self.unknowns();
        let (interior, border) = self.place.split_at(self.order);
        for (value, &p) in x.iter().zip(interior) {
            self.work[p as usize] = *value;
        }
        for (value, &p) in y.iter().zip(border).filter(|(_, p)| **p != OUTSIDE) {
            self.work[p as usize] = *value;
        }
        self.work[unknowns..].fill(0.0);
        (self.tree).solve_lower(&self.lower, &mut self.work, &mut self.gathered);
        for (right, &b) in right.iter_mut().zip(&self.outside) {
            *right = y[b] + self.work[unknowns + self.slots[b][1]];
        }
        let responses = self.responses.chunks_exact(self.work.len().max(1));
        let outer = right[self.outside.len()..].iter_mut();
        for (k, (right, response)) in outer.zip(responses).enumerate() {
            let product = self.inverse.product_from(self.reached(k), response, &self.work);
            *right = -product.value;
        }
    }

    /// The first unknown that the response of raised pivot `k` reaches, or one before: what a pair with it needs.
    fn reached(&self, k: usize) -> usize {
        self.raised[k].row.saturating_sub(1)
    }

    /// The backward half, where the dense system has this `solution`.
    pub fn backward(&mut self, solution: &[f64], x: &mut [f64], y: &mut [f64]) {
        let unknowns = self.unknowns();
        let responses = self.responses.chunks_exact(self.work.len().max(1));
        let outer = solution[self.outside.len()..].iter();
        for ((raised, response), z) in self.raised.iter().zip(responses).zip(outer) {
            let reached = raised.row..unknowns;
            for (work, r) in self.work[reached.clone()].iter_mut().zip(&response[reached]) {
                *work += raised.boost * z * r;
            }
        }
        let (inner, vectors) = self.work.split_at_mut(unknowns);
        self.inverse.apply(inner);
        vectors.fill(0.0);
        for (value, &b) in solution.iter().zip(&self.outside) {
            vectors[self.slots[b][0]] = *value;
        }
        (self.tree).solve_upper(&self.lower, &mut self.work, &mut self.gathered);
        let (interior, border) = self.place.split_at(self.order);
        for (value, &p) in x.iter_mut().zip(interior) {
            *value = self.work[p as usize];
        }
        for (value, &p) in y.iter_mut().zip(border).filter(|(_, p)| **p != OUTSIDE) {
            *value = self.work[p as usize];
        }
        for (value, &b) in solution.iter().zip(&self.outside) {
            y[b] = *value;
        }
    }

    /// Whether a `solution` of the dense system pushes any row, beyond rounding.
    pub fn pushes(&self, solution: &[f64]) -> bool {
        let slots = self.order + self.width;
        let mut sums = vec![Sum::default(); self.unknowns()];
        let mut vectors = vec![0.0; self.vectors];
        for (value, &b) in solution.iter().zip(&self.outside) {
            vectors[self.slots[b][0]] = *value;
        }
        for (entry, &[row, vector]) in self.given.iter().zip(&self.pattern) {
            if let Some(slot) = (vector as usize).checked_sub(slots) {
                sums[self.place[row as usize] as usize].add(entry * vectors[slot]);
            }
        }
        for (raised, z) in self.raised.iter().zip(&solution[self.outside.len()..]) {
            sums[raised.row].add(-raised.boost * z);
        }
        let sums = sums.iter().zip(&self.scales).map(|(sum, scale)| sum.by(1.0 / scale.sqrt()));
        sums.fold(Sum::default(), Sum::larger).counts()
    }
}
