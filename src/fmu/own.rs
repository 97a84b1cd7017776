//! What an FMU of FMI 3.0 shows beside the variables of its model: the time, and the events that it has had.

use super::interface::{Interface, Kind, Own, Role, Variability, Variable};
use crate::quantity::Quantity;

impl Own {
    fn variable(self, reference: u32) -> Variable {
        let (name, kind, quantity, text) = match self {
            Own::Time => ("time", Kind::Real, Quantity::Time, "Time"),
            Own::Count => {
                let text = "Events since the start: changes of regime, impacts, ends of motions";
                ("events.count", Kind::Integer, Quantity::Count, text)
            }
            Own::Instant => {
                let text = "Time of the last event, or of the start";
                ("events.time", Kind::Real, Quantity::Time, text)
            }
            Own::What => {
                let text = "What the last events were, and of which parts of the model";
                ("events.what", Kind::Text, Quantity::Dimensionless, text)
            }
        };
        Variable {
            name: name.to_owned(),
            reference,
            role: Role::Own(self),
            kind,
            quantity,
            variability: match self {
                Own::Time => Variability::Continuous,
                _ => Variability::Discrete,
            },
            description: text.to_owned(),
            start: None,
            range: [None; 2],
            nominal: None,
            relative: false,
            structural: false,
            element: None,
        }
    }
}

impl Interface {
    /// What FMI 3.0 has beside [the model's variables](Interface::variables).
    pub fn own_variables(&self) -> impl Iterator<Item = Variable> + use<> {
        let first = self.variables().len();
        let references = (first..).map(|place| u32::try_from(place).unwrap_or(u32::MAX));
        Own::ALL.into_iter().zip(references).map(|(own, reference)| own.variable(reference))
    }

    /// The one among [those](Interface::own_variables) with a value reference.
    pub fn own(&self, reference: u32) -> Option<Variable> {
        let place = usize::try_from(reference).ok()?.checked_sub(self.variables().len())?;
        Own::ALL.get(place).map(|own| own.variable(reference))
    }
}
