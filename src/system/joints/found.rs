//! What the change of a residual needs of a slider.

use crate::joints::slider::{Kinematics, SlidingRow};
use crate::laws::friction::{Contact, Response};

/// Where a slider stands and what its friction answers there.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    pub k: Kinematics,
    /// Its linearised equation of s.
    pub row: SlidingRow,
    pub response: Response,
    /// What its law sees, where it acts.
    pub seen: Option<Contact>,
}
