//! Loads through bodies.

use super::{Checker, drives, line_load};
use crate::checked::{Checked, Extent};
use crate::model::de::Name;
use crate::model::file;
use crate::model::quantity::Quantity;

impl file::Load {
    /// A load per volume of a body.
    pub(super) fn through_body(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, on: &Name,
    ) {
        let parts = [self.bx.as_ref(), self.by.as_ref()];
        let gradient = self
            .gradient
            .as_ref()
            .map_or([0.0; 2], |gradient| [0, 1].map(|i| check.number(&gradient[i])));
        let history = drives::load_history(
            check,
            name,
            self.history.as_ref(),
            &parts.map(|part| (part, Quantity::VolumeLoad)),
        );
        let Some(body) = check.body_named(on) else {
            return;
        };
        if model.bodies[body].matter().is_none() {
            let message = format!(
                "{} loads {}, which has no thickness: its mass and inertia are given; let a load act at one of its \
                 points or along an edge",
                name.path,
                model.bodies[body].quoted()
            );
            check.report(on, message);
            return;
        }
        let extent = Extent::Through { body, gradient };
        line_load::add_line_load(check, model, name, extent, history, &parts);
    }
}
