//! When imposed motions end.

use super::Checker;
use crate::checked::history::Release;
use crate::checked::{Analysis, Checked};
use crate::message::{did_you_mean, figure};
use crate::model::de::Name;
use crate::model::file;

impl file::Release {
    /// When the motion `name` ends; `None` where what is written has a fault.
    pub(super) fn check(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
    ) -> Option<Release> {
        if model.solver.analysis == Analysis::QuasiStatic {
            let message = format!(
                "{}.release: what is released has a velocity and a mass, and `analysis = \
                 \"quasi_static\"` knows neither; leave it out or take `analysis = \"dynamic\"`",
                name.path
            );
            check.report_entry(name, message);
        }
        match self {
            file::Release::Time(time) => Some(Release::Time(check.number(time))),
            file::Release::Position { joint, at } => {
                let place = check.number(at);
                let mut joints = model.sliders_of_joints();
                let found = joints.find(|(_, s)| s.name == joint.value);
                let found = found.map(|(slider, _)| slider);
                let Some(slider) = found else {
                    // One with a fault of its own is not among the sliders.
                    let path = format!("joints.{}", joint.value);
                    let written = check.file.joints.iter().any(|e| e.name.value == joint.value);
                    if check.reader.is_faulty(&path)
                        || check.is_unread(&joint.path)
                        || written && !check.known.topology
                    {
                        return None;
                    }
                    let known = || model.sliders_of_joints().map(|(_, s)| s.name.as_str());
                    let hint = did_you_mean(&joint.value, known());
                    check.unknown(joint, "which is no sliding joint", known(), &hint);
                    return None;
                };
                let path = model.sliders[slider].path.iter();
                let length: f64 = path.map(|part| model.length_of_carrier(part.carrier)).sum();
                if place > length && check.known.geometry {
                    let message = format!(
                        "{} is {} m; allowed: from 0 to the length of the path of joint `{}`, {} m",
                        at.path,
                        figure(place),
                        joint.value,
                        figure(length)
                    );
                    check.report(at, message);
                }
                Some(Release::Position { slider, at: place })
            }
        }
    }
}
