//! What can be read of springs, and what of them can be an input.

use crate::laws::spring::Damper;
use crate::laws::spring::Elastic;
use crate::model::checked::{
    Between, Checked, Input, InputVariable, OfSpring, Output, OutputVariable, Reconstruction,
    SpringNumber,
};
use crate::model::quantity::Quantity;

/// The outputs of all springs, in the order of the file.
pub(super) fn spring_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, spring) in model.lone_springs() {
        let (units, turns) = (spring.between.units(), spring.between.turns());
        let ends = model.name_of_ends(&spring.between);
        let rigid = model.rigid_stops.iter().any(|stop| stop.spring == id);
        for &of in OfSpring::ALL {
            if of == OfSpring::StopForce && !rigid {
                continue;
            }
            let (key, quantity, what) = match of {
                OfSpring::Measure if turns => {
                    ("angle", units.measure, "Angle by which it has turned since the start,")
                }
                OfSpring::Measure if matches!(spring.between, Between::Line { .. }) => {
                    ("length", units.measure, "Length of the spring")
                }
                OfSpring::Measure => (
                    "length",
                    units.measure,
                    "Coordinate along its direction, that of its end less that of its beginning,",
                ),
                OfSpring::Rate if turns => ("rate", units.rate, "Rate of the angle"),
                OfSpring::Rate => ("rate", units.rate, "Rate of the length"),
                OfSpring::Force if turns => {
                    ("moment", units.force, "Moment against a growing angle")
                }
                OfSpring::Force if matches!(spring.between, Between::Line { .. }) => {
                    ("force", units.force, "Force, above 0 where it pulls,")
                }
                OfSpring::Force => ("force", units.force, "Force against a growing length"),
                OfSpring::Power => (
                    "power",
                    Quantity::Power,
                    "Power that the spring takes up, all of its parts together,",
                ),
                OfSpring::StoredEnergy => ("stored_energy", Quantity::Energy, "Energy stored"),
                OfSpring::StopForce if turns => (
                    "stop_moment",
                    units.force,
                    "Moment of the rigid stops against a growing angle",
                ),
                OfSpring::StopForce => {
                    ("stop_force", units.force, "Force of the rigid stops against a growing length")
                }
                OfSpring::DissipatedEnergy => (
                    "dissipated_energy",
                    Quantity::Energy,
                    "Energy that damper, stops and slip element have taken since the start,",
                ),
            };
            all.push(OutputVariable {
                path: format!("springs.{}.{key}", spring.name),
                output: Output::Spring { spring: id, of },
                quantity,
                description: format!("{what} {ends}"),
            });
        }
    }
    all
}

/// The inputs that springs can have.
pub(super) fn spring_inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, spring) in model.lone_springs() {
        let (units, set) = (spring.between.units(), &spring.law.setting);
        let ends = model.name_of_ends(&spring.between);
        for &number in SpringNumber::ALL {
            let (key, start, quantity, what) = match number {
                SpringNumber::Free if spring.between.turns() => {
                    ("free_angle", set.free, units.measure, "Angle without a moment")
                }
                SpringNumber::Free => {
                    ("free_length", set.free, units.measure, "Length without a force")
                }
                SpringNumber::Stiffness if spring.law.elastic == Elastic::Linear => {
                    ("stiffness", set.stiffness, units.stiffness, "Stiffness")
                }
                SpringNumber::Damping if spring.law.damper == Damper::Linear => {
                    ("damping", set.damping, units.damping, "Coefficient of the damper")
                }
                SpringNumber::Force => (
                    "actuator",
                    set.force,
                    units.force,
                    "Force of the actuator against a growing length",
                ),
                SpringNumber::Stiffness | SpringNumber::Damping => continue,
            };
            let positive = matches!(number, SpringNumber::Stiffness | SpringNumber::Damping);
            all.push(InputVariable {
                path: format!("springs.{}.{key}", spring.name),
                input: Input::Spring { spring: id, number },
                start,
                reconstruction: Reconstruction::Hold,
                least: if positive { 0.0 } else { f64::NEG_INFINITY },
                quantity,
                description: format!("{what} {ends}"),
            });
        }
    }
    all
}
