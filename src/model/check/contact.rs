//! Sliding joints that can open.

use super::Checker;
use crate::checked::{Side, SliderKind};
use crate::message::rounded;
use crate::model::de::Name;
use crate::model::file::{Contact, Sliding};

impl Checker<'_> {
    /// The side of its path that a slider stands on, where it may lift off.
    pub(super) fn side(&mut self, name: &Name, kind: SliderKind, given: &Sliding) -> Option<Side> {
        let path = &name.path;
        match (given.contact, kind, given.side) {
            (Contact::Bilateral, _, None) => None,
            (Contact::Bilateral, _, Some(_)) => {
                let message = format!(
                    "{path} has a `side`, but its slider cannot leave its path; add \
                     contact = \"unilateral\" or leave `side` out"
                );
                self.report_entry(name, message);
                None
            }
            (Contact::Unilateral, SliderKind::Prismatic, _) => {
                let message = format!(
                    "{path}: a prismatic slider encloses its path and cannot lift off; with \
                     contact = \"unilateral\" make the joint `cylindrical`, two of them for a body \
                     that stands on two points"
                );
                self.report_entry(name, message);
                None
            }
            (Contact::Unilateral, _, side) => {
                // An edge has its body on the left.
                let outside = given.path.iter().all(|part| part.value.contains('.'));
                let default = if outside { Side::Right } else { Side::Left };
                Some(side.unwrap_or(default))
            }
        }
    }
}

/// Why a slider that may lift off cannot start where it was initially: on the wrong side of its path.
pub(crate) fn wrong_side(joint: &str, point: &str, depth: f64, s: f64, side: Side) -> String {
    let (right, wrong, other) = match side {
        Side::Left => ("left", "right", "right"),
        Side::Right => ("right", "left", "left"),
    };
    format!(
        "{joint}: point `{point}` is {} m to the {wrong} of the path (nearest at s = {} m), but the \
         slider stands on its {right} side, seen along growing s; move it there, or write \
         side = \"{other}\"",
        rounded(depth, 6),
        rounded(s, 6)
    )
}
