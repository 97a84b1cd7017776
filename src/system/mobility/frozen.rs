//! Mechanisms of rigid parts in which nothing can move.

use super::RigidMotions;
use super::drives::MAX_COLUMNS_OF_CURES;
use crate::checked::{Behaviour, PointId};
use crate::system::System;

impl System {
    /// Points at which a hinge alone would let something move, of a mechanism whose parts are all rigid and in which nothing can; `None` where
    /// something can move or bend, or where that would take too long to find out.
    pub fn frozen(&self) -> Option<Vec<PointId>> {
        let model = &self.model;
        let elastic = model.members.iter().any(|member| member.properties.is_some())
            || model.bodies.iter().any(|body| matches!(body.behaviour, Behaviour::Elastic(..)))
            || !model.contacts.is_empty();
        let own = RigidMotions::driven(self, &[], None);
        if elastic || own.columns() > MAX_COLUMNS_OF_CURES || !own.lasting().is_empty() {
            return None;
        }
        let clamps = self.pins.list.iter().filter_map(|pin| pin.coupled()?.clamps);
        let mut points: Vec<PointId> = clamps.collect();
        points.sort_unstable();
        points.dedup();
        points.retain(|&point| {
            let hinge = self.nodes.rotations_of(point).first().map(|(r, _)| (point, *r));
            hinge.is_some_and(|hinge| {
                !RigidMotions::driven(self, &[hinge], None).lasting().is_empty()
            })
        });
        Some(points)
    }
}
