//! Closed paths.

use super::Checker;
use crate::checked::{Checked, PathPart};
use crate::model::de::Name;

/// Checks that a path that is closed, as these `words` say, ends where it begins and has neither corners nor anything else
/// that begins and ends; whether its ends meet.
pub(super) fn is_closed_round(
    check: &mut Checker<'_>, model: &Checked, name: &Name, path: &[PathPart], words: &str,
) -> bool {
    let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
        return false;
    };
    let [from, to] = [model.ends_of_part(first)[0], model.ends_of_part(last)[1]];
    if from != to {
        let message = format!(
            "{}: {words}, but the path begins at {} and ends at {}; name members that \
             lead round and back to the first one's point",
            name.path,
            model.name_of_end(from),
            model.name_of_end(to)
        );
        check.report_entry(name, message);
        return false;
    }
    let elements: usize = path.iter().map(|p| model.elements_of_part(*p)).sum();
    if elements < 3 {
        let message =
            format!("{}: a closed path of {elements} elements; allowed: 3 or more", name.path);
        check.report_entry(name, message);
    }
    let next = path.iter().cycle().skip(1);
    let mut joints = path.iter().zip(next);
    let corner = joints.find(|(part, next)| model.is_corner(**part, **next));
    if let (true, Some((part, next))) = (check.known.geometry, corner) {
        let [a, b] = [part, next].map(|part| part.carrier.quoted(model));
        let message = format!(
            "{}: {a} and {b} of its closed path meet at an angle; a closed path has no corners: round it \
             off by an arc",
            name.path
        );
        check.report_entry(name, message);
    }
    true
}
