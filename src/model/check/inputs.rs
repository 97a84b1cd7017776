//! What a host can set while the simulation runs: numbers of the file, by their paths.

use super::Checker;
use super::wording::meaning;
use crate::checked::history::MotionLaw;
use crate::checked::{
    BushingNumber, Checked, Direction, Input, InputVariable, Reconstruction, SpringNumber,
};
use crate::laws::spring::{Damper, Elastic};
use crate::quantity::Quantity;

/// A number that can be an input: its path, what it sets, its value in the file and what it measures.
type Number = (String, Input, f64, Quantity);

/// Everything that can be an input; range and description are declared with the key of its number.
pub(super) fn inputs(check: &Checker<'_>, model: &Checked) -> Vec<InputVariable> {
    let mut numbers = Vec::new();
    loads(model, &mut numbers);
    motions(model, &mut numbers);
    springs(model, &mut numbers);
    bushings(model, &mut numbers);
    for (component, key) in ["x", "y"].into_iter().enumerate() {
        let (input, start) = (Input::Gravity { component }, model.gravity[component]);
        numbers.push((format!("gravity.{key}"), input, start, Quantity::Acceleration));
    }
    let variable = |(path, input, start, quantity): Number| {
        let accelerates = matches!(input, Input::MotionAcceleration { .. });
        let least = check.declared(&path).limit.min;
        InputVariable {
            input,
            start,
            reconstruction: match accelerates || model.jumps_if_held(input).is_some() {
                true => Reconstruction::Linear,
                false => Reconstruction::Hold,
            },
            least: if least < 0.0 { f64::NEG_INFINITY } else { least },
            quantity,
            description: meaning(check.keys, model, &path).unwrap_or_default(),
            path,
        }
    };
    numbers.into_iter().map(variable).collect()
}

/// Components of loads that are no functions of time.
fn loads(model: &Checked, numbers: &mut Vec<Number>) {
    for (id, load) in model.loads.iter().enumerate() {
        for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            let quantity = if component < 2 { Quantity::Force } else { Quantity::Moment };
            let acts = component < 2 || model.has_one_rotation(load.point, load.member);
            if acts && load.factors.own[component].is_none() {
                let (path, start) =
                    (format!("loads.{}.{key}", load.name), load.components[component]);
                numbers.push((path, Input::Load { load: id, component }, start, quantity));
            }
        }
    }
    for (id, load) in model.line_loads.iter().enumerate() {
        for (component, key) in load.keys().iter().enumerate() {
            if load.factors.own[component].is_none() {
                let (path, start) =
                    (format!("loads.{}.{key}", load.name), load.components[component]);
                let input = Input::LineLoad { load: id, component };
                numbers.push((path, input, start, load.quantity(component)));
            }
        }
    }
}

/// Displacements, velocities or accelerations of motions that are no functions of time.
fn motions(model: &Checked, numbers: &mut Vec<Number>) {
    for (motion, given) in model.motions.iter().enumerate() {
        let turns = given.direction == Direction::Rotation;
        let by = |turning, straight| if turns { turning } else { straight };
        let (key, input, start, quantity) = match given.law {
            MotionLaw::Position(start) => (
                by("angle", "displacement"),
                Input::MotionPosition { motion },
                start,
                if turns { Quantity::Angle } else { Quantity::Length },
            ),
            MotionLaw::Rate(start) => (
                by("rate", "velocity"),
                Input::MotionRate { motion },
                start,
                if turns { Quantity::AngularVelocity } else { Quantity::Velocity },
            ),
            MotionLaw::Acceleration(start) => (
                "acceleration",
                Input::MotionAcceleration { motion },
                start,
                if turns { Quantity::AngularAcceleration } else { Quantity::Acceleration },
            ),
            MotionLaw::Scaled { .. } | MotionLaw::Record { .. } => continue,
        };
        numbers.push((format!("motions.{}.{key}", given.name), input, start, quantity));
    }
}

fn springs(model: &Checked, numbers: &mut Vec<Number>) {
    for (id, spring) in model.lone_springs() {
        let (units, set) = (spring.between.units(), &spring.law.setting);
        for &number in SpringNumber::ALL {
            let (key, start, quantity) = match number {
                SpringNumber::Free if spring.between.turns() => {
                    ("free_angle", set.free, units.measure)
                }
                SpringNumber::Free => ("free_length", set.free, units.measure),
                SpringNumber::Stiffness if spring.law.elastic == Elastic::Linear => {
                    ("stiffness", set.stiffness, units.stiffness)
                }
                SpringNumber::Damping if spring.law.damper == Damper::Linear => {
                    ("damping", set.damping, units.damping)
                }
                SpringNumber::Force => ("actuator", set.force, units.force),
                SpringNumber::Stiffness | SpringNumber::Damping => continue,
            };
            let path = format!("springs.{}.{key}", spring.name);
            numbers.push((path, Input::Spring { spring: id, number }, start, quantity));
        }
    }
}

fn bushings(model: &Checked, numbers: &mut Vec<Number>) {
    for (id, bushing) in model.bushings.iter().enumerate() {
        let (force, scales) = (bushing.force, bushing.scales);
        let free = |component: usize| bushing.free.map(|free| free[component]);
        for &number in BushingNumber::ALL {
            let (key, start, quantity) = match number {
                BushingNumber::FreeX => ("free[0]", free(0), Quantity::Length),
                BushingNumber::FreeY => ("free[1]", free(1), Quantity::Length),
                BushingNumber::FreeAngle => ("free[2]", free(2), Quantity::Angle),
                BushingNumber::StiffnessScale => {
                    ("stiffness_scale", Some(scales[0]), Quantity::Dimensionless)
                }
                BushingNumber::DampingScale => {
                    ("damping_scale", Some(scales[1]), Quantity::Dimensionless)
                }
                BushingNumber::Fx => ("fx", Some(force[0]), Quantity::Force),
                BushingNumber::Fy => ("fy", Some(force[1]), Quantity::Force),
                BushingNumber::Moment => ("moment", Some(force[2]), Quantity::Moment),
            };
            let path = format!("springs.{}.bushing.{key}", bushing.name);
            let input = Input::Bushing { bushing: id, number };
            numbers.extend(start.map(|start| (path, input, start, quantity)));
        }
    }
}
