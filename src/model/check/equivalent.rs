//! Friction linearised for a harmonic motion: what a host can read of it.

use super::Checker;
use crate::laws::friction::Friction;
use crate::model::checked::{Checked, Harmonic, Output, OutputVariable};
use crate::model::de::Name;
use crate::model::file;
use crate::model::quantity::Quantity;

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

/// Equivalent damping and stiffness of all joints that ask for them.
pub(super) fn calculated(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, slider) in model.sliders.iter().enumerate() {
        if slider.equivalent.is_none() {
            continue;
        }
        let name = &slider.name;
        for (key, output, quantity, what) in [
            (
                "damping",
                Output::EquivalentDamping(id),
                Quantity::ViscousCoefficient,
                "damper that takes as much energy as",
            ),
            (
                "stiffness",
                Output::EquivalentStiffness(id),
                Quantity::Stiffness,
                "spring that acts in the mean like",
            ),
        ] {
            all.push(OutputVariable {
                path: format!("joints.{name}.equivalent.{key}"),
                output,
                quantity,
                description: format!("Linear {what} the friction of joint {name}"),
            });
        }
    }
    all
}
