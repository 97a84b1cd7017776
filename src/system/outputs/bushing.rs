//! Outputs of bushings, in their frame.

use super::{List, OfSpring, Source};
use crate::checked::{Between, Subject};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// What a bushing does, in its frame.
    pub enum OfBushing of (_model, _bushing = usize) {}
    /// How far one side has moved from the other since the drawing, m and rad.
    X => at_positions("x", Length, "Displacement along x of its frame"),
    Y => at_positions("y", Length, "Displacement along y of its frame"),
    Angle => at_positions("angle", Angle, "Angle by which it has turned since the start,"),
    /// Rates of these displacements, m/s and rad/s.
    Vx => at_velocities("vx", Velocity, "Rate of the displacement along x"),
    Vy => at_velocities("vy", Velocity, "Rate of the displacement along y"),
    Rate => at_velocities("rate", AngularVelocity, "Rate of the angle"),
    /// Forces and moment against growing x, y and angle, N and N·m.
    Fx => at_forces("fx", Force, "Force of the bushing against growing x of its frame"),
    Fy => at_forces("fy", Force, "Force of the bushing against growing y of its frame"),
    Moment => at_forces("moment", Moment, "Moment against a growing angle"),
    Power => at_forces("power", Power, "Power that the bushing takes up, all of its parts together,"),
    StoredEnergy => at_forces("stored_energy", Energy, "Energy stored"),
    DissipatedEnergy => from_zero("dissipated_energy", Energy, "Energy that its damping has taken since the start,"),
}

/// The outputs of all bushings, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    for (id, bushing) in model.bushings.iter().enumerate() {
        let way = [1.0, 0.0, 0.0];
        let ends = model.name_of_ends(&Between::Bushing { sides: bushing.sides, way });
        for of in OfBushing::ALL {
            list.add(&format!("springs.{}", bushing.name), &ends, of.of(Subject::Bushing(id)));
        }
    }
}

impl OfBushing {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, i: usize,
    ) -> N::Number {
        let bushing = &system.model.bushings[i];
        let first = bushing.springs.start;
        let sum = |of: OfSpring, share: &dyn Fn([f64; 3]) -> f64| {
            let mut sum = N::Number::from(0.0);
            for spring in bushing.springs.clone() {
                if let Between::Bushing { way, .. } = system.model.springs[spring].between {
                    sum += of.value(system, state, spring) * share(way);
                }
            }
            sum
        };
        let moved = |axis: usize| {
            OfSpring::Measure.value(system, state, first + axis) - bushing.initial[axis]
        };
        let rate = |axis: usize| OfSpring::Rate.value(system, state, first + axis);
        let force = |axis: usize| sum(OfSpring::Force, &|way| way[axis]);
        match self {
            OfBushing::X => moved(0),
            OfBushing::Y => moved(1),
            OfBushing::Angle => moved(2),
            OfBushing::Vx => rate(0),
            OfBushing::Vy => rate(1),
            OfBushing::Rate => rate(2),
            OfBushing::Fx => force(0),
            OfBushing::Fy => force(1),
            OfBushing::Moment => force(2),
            OfBushing::Power => sum(OfSpring::Power, &|_| 1.0),
            OfBushing::StoredEnergy => sum(OfSpring::StoredEnergy, &|_| 1.0),
            OfBushing::DissipatedEnergy => sum(OfSpring::DissipatedEnergy, &|_| 1.0),
        }
    }

    pub(super) fn sources(self, system: &System, i: usize) -> Vec<Source> {
        let springs = system.model.bushings[i].springs.clone();
        springs.flat_map(|spring| OfSpring::Force.sources(system, spring)).collect()
    }
}
