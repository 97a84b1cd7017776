//! Where members and points are, for drawings.

use super::System;
use crate::model::checked::{MemberId, PointId};
use crate::numerics::lagrange::shape;

impl System {
    /// Places of x and y of a point in [`super::State::q`].
    pub fn place(&self, point: PointId) -> [usize; 2] {
        self.nodes.of_place(point)
    }

    /// x and y of places along a member from its `from` on, `per_element` steps for each element. Of
    /// positions they are places, of the shape of a mode displacements.
    pub fn axis(&self, member: MemberId, values: &[f64], per_element: usize) -> Vec<[f64; 2]> {
        let described = &self.model.members[member];
        let nodes = self.nodes.of_member(member);
        let per_element = per_element.max(1);
        (0..=described.elements * per_element)
            .map(|step| {
                let element = (step / per_element).min(described.elements - 1);
                let share = (step - element * per_element) as f64 / per_element as f64;
                let weights = shape(described.order, 2.0 * share - 1.0).value;
                let first = element * described.order;
                let own = &nodes[first..=first + described.order];
                [0, 1].map(|d| {
                    own.iter()
                        .zip(weights)
                        .map(|(node, w)| w * values[node[d]])
                        .sum()
                })
            })
            .collect()
    }
}
