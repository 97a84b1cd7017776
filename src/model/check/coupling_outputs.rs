//! What can be read of couplings, and what their numbers are called.

use crate::model::checked::{Between, Checked, OfCoupling, Output, OutputVariable};
use crate::model::quantity::Quantity;

/// The outputs of all couplings, in the order of the file.
pub(super) fn coupling_outputs(model: &Checked) -> Vec<OutputVariable> {
    let mut all = Vec::new();
    for (id, coupling) in model.couplings.iter().enumerate() {
        let mut add = |of: OfCoupling, driver: usize| {
            let (own, begin) = match of {
                OfCoupling::DriverWay | OfCoupling::DriverForce => {
                    (&coupling.drivers[driver].coordinate, format!("drivers[{driver}]."))
                }
                _ => (&coupling.driven, String::new()),
            };
            let (key, quantity, what) = described(of, own);
            all.push(OutputVariable {
                path: format!("couplings.{}.{begin}{key}", coupling.name),
                output: Output::Coupling { coupling: id, driver, of },
                quantity,
                description: format!("{what} {}", model.name_of_ends(own)),
            });
        };
        for &of in OfCoupling::ALL {
            match of {
                OfCoupling::Power if model.drive_of(id).is_none() => {}
                OfCoupling::DriverWay | OfCoupling::DriverForce => {}
                _ => add(of, 0),
            }
        }
        for driver in 0..coupling.drivers.len() {
            add(OfCoupling::DriverWay, driver);
            add(OfCoupling::DriverForce, driver);
        }
    }
    all
}

fn described(of: OfCoupling, own: &Between) -> (&'static str, Quantity, &'static str) {
    let units = own.units();
    match (of, own.turns()) {
        (OfCoupling::Way | OfCoupling::DriverWay, true) => {
            ("angle", units.measure, "Angle by which it has turned since the start,")
        }
        (OfCoupling::Way | OfCoupling::DriverWay, false) => {
            ("displacement", units.measure, "How far it has moved since the start,")
        }
        (OfCoupling::Rate, true) => ("rate", units.rate, "Rate of the angle"),
        (OfCoupling::Rate, false) => ("velocity", units.rate, "Rate of the displacement"),
        (OfCoupling::Force | OfCoupling::DriverForce, true) => {
            ("moment", units.force, "Moment of the coupling, above 0 towards a growing angle,")
        }
        (OfCoupling::Force | OfCoupling::DriverForce, false) => {
            ("force", units.force, "Force of the coupling, above 0 towards a growing displacement,")
        }
        (OfCoupling::Power, _) => {
            ("power", Quantity::Power, "Power that the motion which drives the coupling puts in,")
        }
    }
}
