//! Closed paths.

use super::Checker;
use crate::axis::turn;
use crate::joints::element::KINK;
use crate::model::checked::{Checked, PathMember, Slider};
use crate::model::de::Name;

impl Checker<'_> {
    /// Checks that the path of a slider with `ends = "closed"` ends where it begins and has neither corners nor anything else
    /// that begins and ends.
    pub(super) fn path_is_closed(&mut self, model: &Checked, name: &Name, slider: &Slider) {
        let (Some(&first), Some(&last)) = (slider.path.first(), slider.path.last()) else {
            return;
        };
        let [from, to] = [ends(model, first)[0], ends(model, last)[1]];
        if from != to {
            let message = format!(
                "{}: `ends = \"closed\"`, but the path begins at point `{}` and ends at point `{}`; name members that \
                 lead round and back to the first one's point",
                name.path, model.points[from].name, model.points[to].name
            );
            self.report_entry(name, message);
            return;
        }
        let elements: usize = slider
            .path
            .iter()
            .map(|p| model.members[p.member].elements)
            .sum();
        if elements < 3 {
            let message = format!(
                "{}: a closed path of {elements} elements; allowed: 3 or more",
                name.path
            );
            self.report_entry(name, message);
        }
        let next = slider.path.iter().cycle().skip(1);
        let corner = slider.path.iter().zip(next).find(|(part, next)| {
            let [leaving, entering] = [directions(model, **part)[1], directions(model, **next)[0]];
            turn(leaving, entering).abs() > KINK
        });
        if let (true, Some((part, next))) = (self.known.geometry, corner) {
            let [a, b] = [part, next].map(|part| &model.members[part.member].name);
            let message = format!(
                "{}: members `{a}` and `{b}` of its closed path meet at an angle; a closed path has no corners: round it \
                 off by an arc",
                name.path
            );
            self.report_entry(name, message);
        }
        if slider.roughness.is_some() {
            let message = format!(
                "{}: `roughness` on a closed path is not known; leave it out, or open the path where the slider does not get",
                name.path
            );
            self.report_entry(name, message);
        }
    }
}

/// Points at which a member of a path is entered and left.
fn ends(model: &Checked, part: PathMember) -> [usize; 2] {
    let member = &model.members[part.member];
    match part.reversed {
        true => [member.to, member.from],
        false => [member.from, member.to],
    }
}

/// Directions in which it is entered and left, rad.
fn directions(model: &Checked, part: PathMember) -> [f64; 2] {
    let axis = &model.members[part.member].axis;
    let [first, last] = [0.0, 1.0].map(|share| axis.at(share).angle);
    match part.reversed {
        true => [last, first].map(|angle| angle + std::f64::consts::PI),
        false => [first, last],
    }
}
