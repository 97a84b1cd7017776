//! Faces of contacts that come towards what they bear between two solutions.

use super::criteria::{Miss, Of, Unmet};
use super::failure::Failure;
use super::tolerances::AUGMENTATIONS;
use crate::system::{Iterate, System};

/// Whether faces of contacts have come towards what they bear after the solution in `at`, so that there has to be another: until nothing is
/// pressed in deeper than it may be.
///
/// # Errors
/// Where they have come so often that they will not get there.
pub(crate) fn faces_come(system: &System, at: &mut Iterate) -> Result<bool, Failure> {
    let Some(off) = system.surfaces.augment(at) else {
        return Ok(false);
    };
    at.augmented += 1;
    if at.augmented <= AUGMENTATIONS {
        return Ok(true);
    }
    let depth = Some(Miss {
        of: Of::Depth { contact: off.contact as u32 },
        by: off.by,
        allowed: off.allowed,
    });
    Err(Failure::NotConverged {
        iterations: at.augmented,
        left: Unmet { depth, ..Unmet::default() },
    })
}
