//! Couplings of coordinates.

use super::Checker;
use super::coordinate::{Along, Ends};
use crate::checked::{Between, Checked, Coupling, Driver};
use crate::laws::transmission::Transmission;
use crate::message::figure;
use crate::model::de::{Name, Scalar};
use crate::model::file::{self, SpringDirection};
use crate::model::quantity::Quantity;
use crate::numerics::spline::Spline;

/// Least length of a direction, whose components may be any numbers.
const SHORTEST: f64 = 1e-9;

impl Checker<'_> {
    /// All couplings, in the order of the file.
    pub(super) fn couplings(&mut self, model: &mut Checked) {
        let file = self.file;
        for entry in &file.couplings {
            self.identifier(&entry.name, "coupling");
            if let Some(given) = &entry.value {
                self.coupling(model, &entry.name, given);
            }
        }
    }

    fn coupling(&mut self, model: &mut Checked, name: &Name, given: &file::Coupling) {
        let part = |key: String| Name { path: format!("{}.{key}", name.path), ..name.clone() };
        let driven = self.coordinate(model, &part("driven".into()), &given.driven);
        let mut drivers = Vec::new();
        for (k, written) in given.drivers.iter().enumerate() {
            let name = part(format!("drivers[{k}]"));
            let coordinate = self.coordinate(model, &name, written);
            let quantities = [Some(&driven), Some(&coordinate)]
                .map(|between| Some(between?.as_ref()?.units().measure));
            let law = match quantities {
                [Some(to), Some(from)] => self.transmission(&name, written, [from, to]),
                _ => None,
            };
            drivers.push(coordinate.zip(law));
        }
        let moved = self.file.motions.iter().filter_map(|e| e.value.as_ref());
        let mut moved = moved.filter_map(|motion| motion.coupling.as_ref());
        if given.drivers.is_empty() && !moved.any(|coupling| coupling.value == name.value) {
            let message = format!(
                "{} has nothing to follow: give it `drivers`, or let a motion drive it: coupling = \"{}\"",
                name.path, name.value
            );
            self.report_entry(name, message);
        }
        let drivers: Option<Vec<(Between, Transmission)>> = drivers.into_iter().collect();
        let (Some(driven), Some(drivers)) = (driven, drivers) else {
            return;
        };
        let drivers: Vec<Driver> =
            drivers.into_iter().map(|(coordinate, law)| Driver { coordinate, law }).collect();
        if let Some(k) = drivers.iter().position(|driver| driver.coordinate == driven) {
            let message = format!(
                "{}.drivers[{k}] is what is driven; a coordinate cannot follow itself",
                name.path
            );
            self.report_entry(name, message);
        }
        model.couplings.push(Coupling { name: name.value.clone(), driven, drivers });
    }

    fn coordinate(
        &mut self, model: &Checked, name: &Name, given: &file::Coordinate,
    ) -> Option<Between> {
        let along = match (&given.along, given.direction) {
            (Some(along), _) => Along::Way(self.way(along)?),
            (None, direction) => Along::of(direction.unwrap_or(SpringDirection::Rotation)),
        };
        let ends = Ends {
            what: "coupling",
            moves: true,
            from: given.from.as_ref(),
            ground: given.ground.as_ref(),
            to: &given.to,
            along,
            from_member: given.from_member.as_ref(),
            to_member: given.to_member.as_ref(),
        };
        self.between(model, name, &ends)
    }

    /// A unit vector; `None` with a fault on record.
    fn way(&mut self, given: &[Scalar; 2]) -> Option<[f64; 2]> {
        let [x, y] = [0, 1].map(|i| self.number(&given[i]));
        let length = x.hypot(y);
        if !self.are_known(given) {
            return None;
        }
        if length < SHORTEST {
            let path = given[0].path.trim_end_matches("[0]");
            let message = format!(
                "{path} is [{}, {}], which is no direction; allowed: two numbers of which one is not 0",
                figure(x),
                figure(y)
            );
            self.report(&given[0], message);
            return None;
        }
        Some([x / length, y / length])
    }

    /// How what is driven follows the driver `name`, which are measured in `quantities`.
    fn transmission(
        &mut self, name: &Name, given: &file::Coordinate, quantities: [Quantity; 2],
    ) -> Option<Transmission> {
        let [from, to] = quantities;
        match (&given.ratio, &given.table) {
            (Some(ratio), _) => {
                let quantity = match quantities {
                    [a, b] if a == b => Quantity::Dimensionless,
                    [Quantity::Angle, _] => Quantity::LengthPerAngle,
                    _ => Quantity::AnglePerLength,
                };
                let value = self.number_in(ratio, quantity);
                if self.are_known([ratio]) && value == 0.0 {
                    let message = format!(
                        "{} is 0: what is driven would not move with it; allowed: any other number",
                        ratio.path
                    );
                    self.report(ratio, message);
                    return None;
                }
                Some(Transmission::Ratio(value))
            }
            (None, Some(table)) => {
                let path = format!("{}.table", name.path);
                let lists = (table.driver.as_deref(), table.driven.as_deref());
                let file = table.file.as_ref();
                let keys = ["driver", "driven"];
                let (x, y) = self.characteristic(name, &path, keys, [from, to], lists, file)?;
                Spline::natural(x, y).map(Transmission::along)
            }
            (None, None) => {
                let message =
                    format!("{} has none of `ratio`, `table`; give exactly one of them", name.path);
                self.report_entry(name, message);
                None
            }
        }
    }
}
