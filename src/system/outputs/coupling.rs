//! Outputs of couplings and of their drivers.

use super::item::{at_forces, at_positions};
use super::{Connector, Item, List, Source};
use crate::checked::{Between, Subject};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a coupling does to what follows in it.
    pub enum OfCoupling of (model, coupling = usize) {
        let own = &model.couplings[coupling].driven;
    }
    /// How far what follows has moved since the start, m or rad.
    Way => way(own),
    Rate => match own.turns() {
        true => at_velocities("rate", own.units().rate, "Rate of the angle"),
        false => at_velocities("velocity", own.units().rate, "Rate of the displacement"),
    },
    /// On what follows, N or N·m.
    Force => force(own),
    /// Of the motion that drives it.
    Power => at_forces("power", Power, "Power that the motion which drives the coupling puts in,"),
}

items! {
    /// What a coupling does to a driver.
    pub enum OfDriver of (model, (coupling, driver) = (usize, usize)) {
        let own = &model.couplings[coupling].drivers[driver].coordinate;
    }
    /// How far a driver has moved since the start.
    Way => way(own),
    Force => force(own),
}

fn way(own: &Between) -> Item {
    let of = own.units().measure;
    match own.turns() {
        true => at_positions("angle", of, "Angle by which it has turned since the start,"),
        false => at_positions("displacement", of, "How far it has moved since the start,"),
    }
}

fn force(own: &Between) -> Item {
    let (key, towards) = match own.turns() {
        true => ("moment", "Moment of the coupling, above 0 towards a growing angle,"),
        false => ("force", "Force of the coupling, above 0 towards a growing displacement,"),
    };
    at_forces(key, own.units().force, towards)
}

/// The outputs of all couplings, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, coupling) in model.couplings.iter().enumerate() {
        let path = format!("couplings.{}", coupling.name);
        let ends = model.name_of_ends(&coupling.driven);
        let offered = |of: &&OfCoupling| **of != OfCoupling::Power || model.drive_of(id).is_some();
        for of in OfCoupling::ALL.iter().filter(offered) {
            list.add(&path, &ends, of.of(Subject::Coupling(id)));
        }
        for (k, driver) in coupling.drivers.iter().enumerate() {
            let ends = model.name_of_ends(&driver.coordinate);
            for of in OfDriver::ALL {
                list.add(&format!("{path}.drivers[{k}]"), &ends, of.of(Subject::Driver(id, k)));
            }
        }
    }
}

impl OfCoupling {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, coupling: usize,
    ) -> N::Number {
        let Some((pin, placed)) = system.pins.coupling(coupling) else {
            return N::Number::from(0.0);
        };
        let part = || placed.parts[0].evaluate(state);
        let force = || -state.get(|s| s.pins[pin][0]);
        match self {
            OfCoupling::Way => part().way,
            OfCoupling::Rate => part().measured.along(|u| state.get(|s| s.velocity[u])),
            OfCoupling::Force => force(),
            OfCoupling::Power => match placed.drive {
                Some(u) => force() * state.get(|s| s.velocity[u]),
                None => N::Number::from(0.0),
            },
        }
    }

    pub(super) fn sources(self, system: &System, coupling: usize) -> Vec<Source> {
        let pin = system.pins.place_of_coupling(coupling);
        let unknowns = system.pins.list[pin].unknowns();
        let own = unknowns.flat_map(|u| [Source::Unknown(u), Source::Force(u)]);
        own.chain([Source::Of(Connector::Pin, pin)]).collect()
    }
}

impl OfDriver {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, (coupling, driver): (usize, usize),
    ) -> N::Number {
        let Some((_, placed)) = system.pins.coupling(coupling) else {
            return N::Number::from(0.0);
        };
        let part = placed.parts[1 + driver].evaluate(state);
        match self {
            OfDriver::Way => part.way,
            OfDriver::Force => OfCoupling::Force.value(system, state, coupling) * part.slope,
        }
    }

    pub(super) fn sources(self, system: &System, (coupling, _): (usize, usize)) -> Vec<Source> {
        OfCoupling::Force.sources(system, coupling)
    }
}
