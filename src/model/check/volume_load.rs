//! Loads through bodies.

use super::Checker;
use crate::checked::{Checked, Extent};
use crate::model::de::Name;
use crate::model::file;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// A load per volume of a body.
    pub(super) fn volume_load(
        &mut self, model: &mut Checked, name: &Name, on: &Name, given: &file::Load,
    ) {
        let parts = [given.bx.as_ref(), given.by.as_ref()];
        let gradient = given
            .gradient
            .as_ref()
            .map_or([0.0; 2], |gradient| [0, 1].map(|i| self.number(&gradient[i])));
        let history = self.load_history(
            name,
            given.history.as_ref(),
            &parts.map(|part| (part, Quantity::VolumeLoad)),
        );
        let Some(body) = self.body_named(on) else {
            return;
        };
        if model.bodies[body].matter().is_none() {
            let message = format!(
                "{} loads {}, which has no thickness: its mass and inertia are given; let a load act at one of its \
                 points or along an edge",
                name.path,
                model.bodies[body].quoted()
            );
            self.report(on, message);
            return;
        }
        let extent = Extent::Through { body, gradient };
        self.add_line_load(model, name, extent, history, &parts);
    }
}
