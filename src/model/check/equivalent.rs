//! Friction linearised for a harmonic motion: the motion that it is linearised for.

use super::Checker;
use crate::checked::Harmonic;
use crate::laws::friction::Friction;
use crate::model::de::Name;
use crate::model::file;

impl Checker<'_> {
    /// The motion for which the friction of joint `name` is linearised.
    pub(super) fn harmonic(
        &mut self, name: &Name, given: &file::Equivalent, friction: &Friction,
    ) -> Harmonic {
        if *friction == Friction::None {
            let message = format!(
                "{}.equivalent linearises the joint's friction, but the joint has none; give it \
                 `friction` or leave `equivalent` out",
                name.path
            );
            self.report_entry(name, message);
        }
        Harmonic {
            amplitude: self.number(&given.amplitude),
            frequency: self.number(&given.frequency),
            normal_force: self.number(&given.normal_force),
        }
    }
}
