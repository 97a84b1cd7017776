//! What a host can set while the simulation runs.

use super::wording;
use crate::checked::history::MotionLaw;
use crate::checked::{
    Between, BushingNumber, Checked, Direction, Input, InputVariable, Reconstruction, SpringNumber,
};
use crate::laws::spring::{Damper, Elastic};
use crate::quantity::Quantity;

/// Everything that can be an input.
pub(super) fn inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, load) in model.loads.iter().enumerate() {
        for (component, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            let quantity = if component < 2 {
                Quantity::Force
            } else if model.has_one_rotation(load.point, load.member) {
                Quantity::Moment
            } else {
                continue;
            };
            if load.factors.own[component].is_some() {
                continue;
            }
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::Load { load: id, component },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                least: f64::NEG_INFINITY,
                quantity,
                description: wording::component(key, &model.points[load.point].name),
            });
        }
    }
    for (id, load) in model.line_loads.iter().enumerate() {
        let keys = load.keys().iter().enumerate();
        for (component, key) in keys.filter(|(c, _)| load.factors.own[*c].is_none()) {
            all.push(InputVariable {
                path: format!("loads.{}.{key}", load.name),
                input: Input::LineLoad { load: id, component },
                start: load.components[component],
                reconstruction: Reconstruction::Hold,
                least: f64::NEG_INFINITY,
                quantity: load.quantity(component),
                description: wording::line_load(load, component, model),
            });
        }
    }
    for (id, motion) in model.motions.iter().enumerate() {
        let turning = motion.direction == Direction::Rotation;
        let (key, input, start, quantity) = match (&motion.law, turning) {
            (MotionLaw::Position(v), true) => {
                ("angle", Input::MotionPosition { motion: id }, *v, Quantity::Angle)
            }
            (MotionLaw::Position(v), false) => {
                ("displacement", Input::MotionPosition { motion: id }, *v, Quantity::Length)
            }
            (MotionLaw::Rate(v), true) => {
                ("rate", Input::MotionRate { motion: id }, *v, Quantity::AngularVelocity)
            }
            (MotionLaw::Rate(v), false) => {
                ("velocity", Input::MotionRate { motion: id }, *v, Quantity::Velocity)
            }
            (MotionLaw::Acceleration(v), _) => (
                "acceleration",
                Input::MotionAcceleration { motion: id },
                *v,
                if turning { Quantity::AngularAcceleration } else { Quantity::Acceleration },
            ),
            (MotionLaw::Scaled { .. } | MotionLaw::Record { .. }, _) => continue,
        };
        all.push(InputVariable {
            path: format!("motions.{}.{key}", motion.name),
            input,
            start,
            reconstruction: match (model.jumps_if_held(input), input) {
                (Some(_), _) | (None, Input::MotionAcceleration { .. }) => Reconstruction::Linear,
                _ => Reconstruction::Hold,
            },
            least: f64::NEG_INFINITY,
            quantity,
            description: format!("Imposed {key} of motion {}", motion.name),
        });
    }
    all.extend(spring_inputs(model));
    all.extend(bushing_inputs(model));
    for (component, key) in ["x", "y"].into_iter().enumerate() {
        all.push(InputVariable {
            path: format!("gravity.{key}"),
            input: Input::Gravity { component },
            start: model.gravity[component],
            reconstruction: Reconstruction::Hold,
            least: f64::NEG_INFINITY,
            quantity: Quantity::Acceleration,
            description: wording::gravity(key),
        });
    }
    all
}

/// The inputs that springs can have.
fn spring_inputs(model: &Checked) -> Vec<InputVariable> {
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

/// The inputs that bushings can have.
fn bushing_inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, bushing) in model.bushings.iter().enumerate() {
        let (sides, way) = (bushing.sides, [1.0, 0.0, 0.0]);
        let ends = model.name_of_ends(&Between::Bushing { sides, way });
        for &number in BushingNumber::ALL {
            let component = |i: usize| bushing.free.map(|free| free[i]);
            let (key, start, quantity, what) = match number {
                BushingNumber::FreeX => (
                    "free[0]",
                    component(0),
                    Quantity::Length,
                    "Displacement along x of its frame without a force",
                ),
                BushingNumber::FreeY => (
                    "free[1]",
                    component(1),
                    Quantity::Length,
                    "Displacement along y of its frame without a force",
                ),
                BushingNumber::FreeAngle => {
                    ("free[2]", component(2), Quantity::Angle, "Angle without a moment")
                }
                BushingNumber::StiffnessScale => (
                    "stiffness_scale",
                    Some(bushing.scales[0]),
                    Quantity::Dimensionless,
                    "Factor of the stiffness",
                ),
                BushingNumber::DampingScale => (
                    "damping_scale",
                    Some(bushing.scales[1]),
                    Quantity::Dimensionless,
                    "Factor of the damping",
                ),
                BushingNumber::Fx => (
                    "fx",
                    Some(bushing.force[0]),
                    Quantity::Force,
                    "Force of the actuator against growing x of the frame",
                ),
                BushingNumber::Fy => (
                    "fy",
                    Some(bushing.force[1]),
                    Quantity::Force,
                    "Force of the actuator against growing y of the frame",
                ),
                BushingNumber::Moment => (
                    "moment",
                    Some(bushing.force[2]),
                    Quantity::Moment,
                    "Moment of the actuator against a growing angle",
                ),
            };
            let Some(start) = start else { continue };
            let positive =
                matches!(number, BushingNumber::StiffnessScale | BushingNumber::DampingScale);
            all.push(InputVariable {
                path: format!("springs.{}.bushing.{key}", bushing.name),
                input: Input::Bushing { bushing: id, number },
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
