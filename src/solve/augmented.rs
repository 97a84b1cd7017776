//! Solutions between which faces of contacts come towards what they bear, until nothing is pressed in deeper than it may be.

use super::tolerances::AUGMENTATIONS;
use crate::solve::criteria::{Miss, Of, Unmet};
use crate::system::{Iterate, System};

/// What is still off its face though this has come as often as it may.
pub(crate) struct StillOff {
    pub times: usize,
    pub left: Unmet,
}

/// Whether faces have come after the solution in `at`, so that there has to be another.
///
/// # Errors
/// Where they have come so often that they will not get there.
pub(crate) fn faces_come(system: &System, at: &mut Iterate) -> Result<bool, StillOff> {
    let Some(off) = system.augment(at) else {
        return Ok(false);
    };
    at.augmented += 1;
    if at.augmented <= AUGMENTATIONS {
        return Ok(true);
    }
    let miss = Miss {
        of: Of::Depth {
            contact: off.contact as u32,
        },
        by: off.by,
        allowed: off.allowed,
    };
    Err(StillOff {
        times: at.augmented,
        left: Unmet {
            depth: Some(miss),
            ..Unmet::default()
        },
    })
}
