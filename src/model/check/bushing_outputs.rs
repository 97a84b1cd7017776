//! What can be read of bushings, and what of them can be an input.

use crate::model::checked::{
    Between, BushingNumber, Checked, Input, InputVariable, OfBushing, Output, OutputVariable,
    Reconstruction,
};
use crate::model::quantity::Quantity;

/// "from point a to point b".
fn ends(model: &Checked, bushing: usize) -> String {
    let sides = model.bushings[bushing].sides;
    let way = [1.0, 0.0, 0.0];
    model.name_of_ends(&Between::Bushing { sides, way })
}

/// The outputs of all bushings, in the order of the file.
pub(super) fn bushing_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, bushing) in model.bushings.iter().enumerate() {
        let ends = ends(model, id);
        for &of in OfBushing::ALL {
            let (key, quantity, what) = match of {
                OfBushing::X => ("x", Quantity::Length, "Displacement along x of its frame"),
                OfBushing::Y => ("y", Quantity::Length, "Displacement along y of its frame"),
                OfBushing::Angle => {
                    ("angle", Quantity::Angle, "Angle by which it has turned since the start,")
                }
                OfBushing::Vx => ("vx", Quantity::Velocity, "Rate of the displacement along x"),
                OfBushing::Vy => ("vy", Quantity::Velocity, "Rate of the displacement along y"),
                OfBushing::Rate => ("rate", Quantity::AngularVelocity, "Rate of the angle"),
                OfBushing::Fx => {
                    ("fx", Quantity::Force, "Force of the bushing against growing x of its frame")
                }
                OfBushing::Fy => {
                    ("fy", Quantity::Force, "Force of the bushing against growing y of its frame")
                }
                OfBushing::Moment => ("moment", Quantity::Moment, "Moment against a growing angle"),
                OfBushing::Power => (
                    "power",
                    Quantity::Power,
                    "Power that the bushing takes up, all of its parts together,",
                ),
                OfBushing::StoredEnergy => ("stored_energy", Quantity::Energy, "Energy stored"),
                OfBushing::DissipatedEnergy => (
                    "dissipated_energy",
                    Quantity::Energy,
                    "Energy that its damping has taken since the start,",
                ),
            };
            all.push(OutputVariable {
                path: format!("springs.{}.{key}", bushing.name),
                output: Output::Bushing { bushing: id, of },
                quantity,
                description: format!("{what} {ends}"),
            });
        }
    }
    all
}

/// The inputs that bushings can have.
pub(super) fn bushing_inputs(model: &Checked) -> Vec<InputVariable> {
    let mut all = Vec::new();
    for (id, bushing) in model.bushings.iter().enumerate() {
        let ends = ends(model, id);
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
