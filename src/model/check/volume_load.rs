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
        let others = [("a `member`", &given.member), ("an `edge`", &given.edge)];
        for (another, other) in others {
            if let Some(other) = other {
                let message = format!("{} has both a `body` and {another}; give one", name.path);
                self.report(other, message);
            }
        }
        let single = [
            &given.fx,
            &given.fy,
            &given.moment,
            &given.qx,
            &given.qy,
            &given.normal,
            &given.tangential,
            &given.at,
        ];
        let ends = [&given.between, &given.variation].into_iter().flatten();
        for scalar in single.into_iter().flatten().chain(ends.map(|ends| &ends[0])) {
            let path = scalar.path.trim_end_matches("[0]");
            let message = format!(
                "{path} does not belong to a load through a body; allowed: bx, by in N/m³, and `gradient`"
            );
            self.report(scalar, message);
        }
        let parts = [given.bx.as_ref(), given.by.as_ref()];
        if parts.iter().all(Option::is_none) {
            let message = format!("{} needs at least one of bx, by in N/m³", name.path);
            self.report_entry(name, message);
        }
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

    /// Refuses what describes a load through a body, where there is none.
    pub(super) fn only_through(&mut self, name: &Name, given: &file::Load) {
        let gradient = given.gradient.as_ref().map(|gradient| &gradient[0]);
        for scalar in [given.bx.as_ref(), given.by.as_ref(), gradient].into_iter().flatten() {
            let path = scalar.path.trim_end_matches("[0]");
            let message =
                format!("{path} belongs to a load through a `body`, and {} has none", name.path);
            self.report(scalar, message);
        }
    }
}
