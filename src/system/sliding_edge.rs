//! Resultants of the sliders of an edge.

use super::System;
use super::numbers::Number;

impl System {
    /// The mean of what the two ends of a sliding edge have.
    pub(super) fn mean_of_ends(&self, edge: usize, of: impl Fn(usize) -> f64) -> f64 {
        let sliders = &self.model.sliding_edges[edge].sliders;
        0.5 * (of(sliders.start) + of(sliders.end - 1))
    }

    /// Force along x (0) or y (1) of a sliding edge on its path, or its moment (2) about the middle between
    /// the edge's ends: Σ λ, Σ (Y − Y_m) × λ.
    pub(super) fn edge_force<D: Number>(
        &self,
        edge: usize,
        component: usize,
        place: impl Fn(usize) -> D,
        force: impl Fn(usize, usize) -> D,
    ) -> D {
        let sliders = self.model.sliding_edges[edge].sliders.clone();
        if component < 2 {
            return sliders.fold(D::zero(), |sum, j| sum + force(j, component));
        }
        let [first, last] = [sliders.start, sliders.end - 1];
        let at = |j: usize, i: usize| place(self.sliders[j].unknowns[i]);
        let middle = [0, 1].map(|i| (at(first, i) + at(last, i)) * 0.5);
        sliders.fold(D::zero(), |sum, j| {
            sum + (at(j, 0) - middle[0]) * force(j, 1) - (at(j, 1) - middle[1]) * force(j, 0)
        })
    }
}
