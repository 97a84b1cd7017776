//! Couplings of coordinates.

use super::Checker;
use super::coordinate::{Along, Ends};
use super::table::Points;
use crate::checked::{Between, Checked, Coupling, Driver};
use crate::laws::transmission::Transmission;
use crate::message::figure;
use crate::model::de::{Name, Scalar};
use crate::model::file::{self, SpringDirection};
use crate::model::quantity::Quantity;
use crate::numerics::hypot::hypot;
use crate::numerics::spline::Spline;

/// Least length of a direction, whose components may be any numbers.
const SHORTEST: f64 = 1e-9;

/// All couplings, in the order of the file.
pub(super) fn couplings(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, given) in check.entries(&file.couplings, "coupling") {
        given.check(check, model, name);
    }
}

impl file::Coupling {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let part = |key: String| Name { path: format!("{}.{key}", name.path), ..name.clone() };
        let driven = self.driven.between(check, model, &part("driven".into()));
        let mut drivers = Vec::new();
        for (k, written) in self.drivers.iter().enumerate() {
            let name = part(format!("drivers[{k}]"));
            let coordinate = written.between(check, model, &name);
            let quantities = [Some(&driven), Some(&coordinate)]
                .map(|between| Some(between?.as_ref()?.units().measure));
            let law = match quantities {
                [Some(to), Some(from)] => written.transmission(check, &name, [from, to]),
                _ => None,
            };
            drivers.push(coordinate.zip(law));
        }
        let moved = check.file.motions.iter().filter_map(|e| e.value.as_ref());
        let mut moved = moved.filter_map(|motion| motion.coupling.as_ref());
        if self.drivers.is_empty() && !moved.any(|coupling| coupling.value == name.value) {
            let message = format!(
                "{} has nothing to follow: give it `drivers`, or let a motion drive it: coupling = \"{}\"",
                name.path, name.value
            );
            check.report_entry(name, message);
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
            check.report_entry(name, message);
        }
        model.couplings.push(Coupling { name: name.value.clone(), driven, drivers });
    }
}

impl file::Coordinate {
    fn between(&self, check: &mut Checker<'_>, model: &Checked, name: &Name) -> Option<Between> {
        let along = match (&self.along, self.direction) {
            (Some(along), _) => Along::Way(way(check, along)?),
            (None, direction) => Along::of(direction.unwrap_or(SpringDirection::Rotation)),
        };
        let ends = Ends {
            what: "coupling",
            moves: true,
            from: self.from.as_ref(),
            ground: self.ground.as_ref(),
            to: &self.to,
            along,
            from_member: self.from_member.as_ref(),
            to_member: self.to_member.as_ref(),
        };
        ends.between(check, model, name)
    }

    /// How what is driven follows the driver `name`, which are measured in `quantities`.
    fn transmission(
        &self, check: &mut Checker<'_>, name: &Name, quantities: [Quantity; 2],
    ) -> Option<Transmission> {
        let [from, to] = quantities;
        match (&self.ratio, &self.table) {
            (Some(ratio), _) => {
                let quantity = match quantities {
                    [a, b] if a == b => Quantity::Dimensionless,
                    [Quantity::Angle, _] => Quantity::LengthPerAngle,
                    _ => Quantity::AnglePerLength,
                };
                let value = check.number_in(ratio, quantity);
                if check.are_known([ratio]) && value == 0.0 {
                    let message = format!(
                        "{} is 0: what is driven would not move with it; allowed: any other number",
                        ratio.path
                    );
                    return check.refuse(ratio, message);
                }
                Some(Transmission::Ratio(value))
            }
            (None, Some(table)) => {
                let points = Points {
                    keys: ["driver", "driven"],
                    quantities: [&[from], &[to]],
                    lists: [table.driver.as_deref(), table.driven.as_deref()],
                    file: table.file.as_ref(),
                };
                let ([x, y], _) = check.curve(name, name.key("table"), &points)?;
                Spline::natural(x, y).map(Transmission::along)
            }
            (None, None) => {
                let message =
                    format!("{} has none of `ratio`, `table`; give exactly one of them", name.path);
                check.refuse_entry(name, message)
            }
        }
    }
}

/// A unit vector; `None` with a fault on record.
fn way(check: &mut Checker<'_>, given: &[Scalar; 2]) -> Option<[f64; 2]> {
    let [x, y] = [0, 1].map(|i| check.number(&given[i]));
    let length = hypot(x, y);
    if !check.are_known(given) {
        return None;
    }
    if length < SHORTEST {
        let path = given[0].path.trim_end_matches("[0]");
        let message = format!(
            "{path} is [{}, {}], which is no direction; allowed: two numbers of which one is not 0",
            figure(x),
            figure(y)
        );
        return check.refuse(&given[0], message);
    }
    Some([x / length, y / length])
}
