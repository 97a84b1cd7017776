//! Friction linearised for a harmonic motion: the motion that it is linearised for.

use super::Checker;
use crate::checked::Harmonic;
use crate::model::file;

impl file::Equivalent {
    /// The motion for which the friction of joint `name` is linearised.
    pub(super) fn harmonic(&self, check: &mut Checker<'_>) -> Harmonic {
        Harmonic {
            amplitude: check.number(&self.amplitude),
            frequency: check.number(&self.frequency),
            normal_force: check.number(&self.normal_force),
        }
    }
}
