//! Outputs of springs.

use super::{Connector, List, Source};
use crate::checked::{Between, Subject};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a spring does.
    pub enum OfSpring of (model, spring = usize) {
        let between = &model.springs[spring].between;
        let (units, turns) = (between.units(), between.turns());
        let line = matches!(between, Between::Line { .. });
    }
    /// m.
    Measure => match () {
        () if turns => at_positions("angle", units.measure, "Angle by which it has turned since the start,"),
        () if line => at_positions("length", units.measure, "Length of the spring"),
        () => at_positions("length", units.measure, "Coordinate along its direction, that of its end less that of its beginning,"),
    },
    Rate => at_velocities("rate", units.rate, if turns { "Rate of the angle" } else { "Rate of the length" }),
    Force => match () {
        () if turns => at_forces("moment", units.force, "Moment against a growing angle"),
        () if line => at_forces("force", units.force, "Force, above 0 where it pulls,"),
        () => at_forces("force", units.force, "Force against a growing length"),
    },
    Power => at_forces("power", Power, "Power that the spring takes up, all of its parts together,"),
    StoredEnergy => at_forces("stored_energy", Energy, "Energy stored"),
    DissipatedEnergy => from_zero("dissipated_energy", Energy, "Energy that damper, stops and slip element have taken since the start,"),
    /// Of rigid stops, above 0 where they hold a growing measure.
    StopForce => match turns {
        true => at_forces("stop_moment", units.force, "Moment of the rigid stops against a growing angle"),
        false => at_forces("stop_force", units.force, "Force of the rigid stops against a growing length"),
    },
}

/// The outputs of all springs, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, spring) in model.lone_springs() {
        let ends = model.name_of_ends(&spring.between);
        let rigid = model.rigid_stops.iter().any(|stop| stop.spring == id);
        let offered = |of: &&OfSpring| **of != OfSpring::StopForce || rigid;
        for of in OfSpring::ALL.iter().filter(offered) {
            list.add(&format!("springs.{}", spring.name), &ends, of.of(Subject::Spring(id)));
        }
    }
}

impl OfSpring {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, i: usize,
    ) -> N::Number {
        let reached = |k: usize| state.get(|s| s.reached[k][0]);
        let found = system.springs.of_state(i, state, reached);
        match self {
            OfSpring::Measure => found.measured.value,
            OfSpring::Rate => found.rate,
            OfSpring::Force => found.answer.force,
            OfSpring::Power => found.answer.force * found.rate,
            OfSpring::StoredEnergy => {
                let spring = &system.springs.list[i];
                let setting = spring.setting(reached);
                let potential = spring.law.energy(found.measured.value, &setting);
                potential + state.get(|s| s.springs[i].stored)
            }
            OfSpring::StopForce => {
                let mut stops = system.model.rigid_stops.iter();
                match stops.position(|stop| stop.spring == i) {
                    // c falls as the measure grows.
                    Some(stop) => -state.get(|s| s.pins[system.pins.place_of_stop(stop)][0]),
                    None => N::Number::from(0.0),
                }
            }
            OfSpring::DissipatedEnergy => state.get(|s| {
                let spring = &s.springs[i];
                spring.damping_work + spring.friction_work - spring.stored
            }),
        }
    }

    pub(super) fn sources(self, system: &System, i: usize) -> Vec<Source> {
        let measured = system.springs.list[i].measure.unknowns().map(Source::Unknown);
        measured.chain([Source::Of(Connector::Spring, i)]).collect()
    }
}
