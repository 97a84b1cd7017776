//! Sliding joints that can open.

use crate::checked::{Side, SliderKind};
use crate::message::rounded;
use crate::model::file::{Contact, Sliding};

/// The side of its path that a slider stands on, where it may lift off.
pub(super) fn side(kind: SliderKind, given: &Sliding) -> Option<Side> {
    if given.contact == Contact::Bilateral || kind == SliderKind::Prismatic {
        return None;
    }
    // An edge has its body on the left.
    let outside = given.path.iter().all(|part| part.value.contains('.'));
    let default = if outside { Side::Right } else { Side::Left };
    Some(given.side.unwrap_or(default))
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
