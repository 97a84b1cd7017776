//! Outputs that displacement control of a path of equilibria can prescribe.

use super::{OfPoint, OfProbe, OfSlider};
use crate::checked::statics::Steered;
use crate::checked::{Checked, Output, Subject};
use crate::message::{did_you_mean, excerpt};

impl Steered {
    /// The quantity of a name: `points.NAME.x`, `.y`, `.rotation`, `joints.NAME.position`,
    /// `probes.NAME`, `probes.NAME.x`, `.y`.
    ///
    /// # Errors
    /// With the names that there are.
    pub fn named(model: &Checked, name: &str) -> Result<Steered, String> {
        let all = Steered::all(model);
        let known = || all.iter().map(|steered| steered.path.as_str());
        (all.iter().find(|steered| steered.path == name).cloned()).ok_or_else(|| {
            format!(
                "`{}` cannot be prescribed; allowed: a position (`points.NAME.x`, `.y`, `probes.NAME.x`, `.y`), a rotation \
                 (`points.NAME.rotation`), a sliding coordinate (`joints.NAME.position`) or a \
                 probe (`probes.NAME`){}",
                excerpt(name),
                did_you_mean(name, known())
            )
        })
    }

    fn all(model: &Checked) -> Vec<Steered> {
        let mut all = Vec::new();
        let mut add = |path: String, output: Output| {
            let quantity = super::item(model, output).quantity;
            all.push(Steered { path, output, quantity });
        };
        for (point, p) in model.points.iter().enumerate() {
            add(format!("points.{}.x", p.name), OfPoint::X.of(Subject::Point(point)));
            add(format!("points.{}.y", p.name), OfPoint::Y.of(Subject::Point(point)));
            if model.turns_as_one(point) {
                let path = format!("points.{}.rotation", p.name);
                add(path, OfPoint::Rotation.of(Subject::Point(point)));
            }
        }
        for (slider, s) in model.sliders_of_joints() {
            let path = format!("joints.{}.position", s.name);
            add(path, OfSlider::Position.of(Subject::Slider(slider)));
        }
        for (place, p) in model.places.iter().enumerate() {
            add(format!("probes.{}.x", p.name), OfPoint::X.of(Subject::Place(place)));
            add(format!("probes.{}.y", p.name), OfPoint::Y.of(Subject::Place(place)));
        }
        for (probe, p) in model.probes.iter().enumerate() {
            add(format!("probes.{}", p.name), OfProbe::Value.of(Subject::Probe(probe)));
        }
        all
    }
}
