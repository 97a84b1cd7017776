//! Resultants of the sliders of an edge.

use super::System;
use super::numbers::Number;
use crate::checked::SlidingEdge;

impl System {
    /// The mean of what the two ends of a sliding edge have; of a closed one of what all its nodes have.
    pub(super) fn middle_of<D: Number>(&self, edge: usize, of: impl Fn(usize) -> D) -> D {
        let SlidingEdge { closed, sliders, .. } = &self.model.sliding_edges[edge];
        let step = if *closed { 1 } else { sliders.len() - 1 };
        let chosen = sliders.clone().step_by(step);
        let count = chosen.len() as f64;
        chosen.fold(D::zero(), |sum, j| sum + of(j)) / count
    }

    /// Force along x (0) or y (1) of a sliding edge on its path, or its moment (2) about its middle: Σ λ, Σ (Y − Y_m) × λ.
    pub(super) fn edge_force<D: Number>(
        &self, edge: usize, component: usize, place: impl Fn(usize) -> D,
        force: impl Fn(usize, usize) -> D,
    ) -> D {
        let sliders = self.model.sliding_edges[edge].sliders.clone();
        if component < 2 {
            return sliders.fold(D::zero(), |sum, j| sum + force(j, component));
        }
        let at = |j: usize, i: usize| place(self.sliders[j].unknowns[i]);
        let middle = [0, 1].map(|i| self.middle_of(edge, |j| at(j, i)));
        sliders.fold(D::zero(), |sum, j| {
            sum + (at(j, 0) - middle[0]) * force(j, 1) - (at(j, 1) - middle[1]) * force(j, 0)
        })
    }

    /// Length of a node of an edge whose nodes all slide, m; 0 of any other.
    pub(super) fn edge_length(&self, edge: usize, node: usize) -> f64 {
        let spread = &self.model.sliding_edges[edge].spread;
        spread.as_ref().map_or(0.0, |spread| spread.lengths[node])
    }

    /// Pressure on the edge at a node, Pa, by the force there to the left of the path, N.
    pub(super) fn pressure_by_force(&self, edge: usize, node: usize) -> f64 {
        let sliding = &self.model.sliding_edges[edge];
        let matter = self.model.bodies[sliding.edge.body].matter();
        let both = sliding.spread.as_ref().zip(matter);
        both.map_or(0.0, |(spread, matter)| {
            // What pushes the path to its left lies on its right.
            let sign = if spread.along_path { -1.0 } else { 1.0 };
            sign / (spread.lengths[node] * matter.thickness)
        })
    }
}
