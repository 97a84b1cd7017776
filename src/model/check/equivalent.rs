//! Friction linearised for a harmonic motion: the motion that it is linearised for.

use super::Checker;
use crate::checked::Harmonic;
use crate::model::file;

impl Checker<'_> {
    /// The motion for which the friction of joint `name` is linearised.
    pub(super) fn harmonic(&mut self, given: &file::Equivalent) -> Harmonic {
        Harmonic {
            amplitude: self.number(&given.amplitude),
            frequency: self.number(&given.frequency),
            normal_force: self.number(&given.normal_force),
        }
    }
}
