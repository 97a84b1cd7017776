//! Outputs of pins.

use super::{Connector, List, Source};
use crate::checked::Subject;
use crate::system::numbers::{Numbers, size};
use crate::system::{State, System};

items! {
    /// Force of a [pin](crate::checked::Pin) on what its hole turns on, N.
    pub enum OfPin of (_model, _pin = usize) {}
    ForceX => at_forces("fx", Force, "Force along x of"),
    ForceY => at_forces("fy", Force, "Force along y of"),
    Size => at_forces("force", Force, "Size of the force of").never_negative(),
}

/// The outputs of all pins, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, pin) in model.pins.iter().enumerate() {
        let (hole, on) = (model.name_of_edge(pin.hole), pin.on.name(model));
        for of in OfPin::ALL {
            let name = format!("hole {hole}, exerted on {on}");
            list.add(&format!("joints.{}", pin.name), &name, of.of(Subject::Pin(id)));
        }
    }
}

impl OfPin {
    pub(super) fn value<N: Numbers<State>>(self, _: &System, state: &N, pin: usize) -> N::Number {
        let along = |axis: usize| state.get(|s| s.pins[pin][axis]);
        match self {
            OfPin::ForceX => along(0),
            OfPin::ForceY => along(1),
            OfPin::Size => size([along(0), along(1)]),
        }
    }

    pub(super) fn sources(self, _: &System, pin: usize) -> Vec<Source> {
        vec![Source::Of(Connector::Pin, pin)]
    }
}
