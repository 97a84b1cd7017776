//! Springs between points.

use super::coordinate::{Along, Ends};
use super::{Checker, FINITE, NOT_NEGATIVE};
use crate::checked::{Checked, Spring, SpringUnits};
use crate::laws::spring::{
    Characteristic, Damper, Elastic, Setting, SlipElement, Spring as Law, Stops,
};
use crate::message::{figure, rounded};
use crate::model::de::{DataFile, Name, Scalar};
use crate::model::file::{self, SpringDirection};
use crate::model::quantity::Quantity;

impl Checker<'_> {
    /// All springs, in the order of the file.
    pub(super) fn springs(&mut self, model: &mut Checked) {
        let file = self.file;
        for entry in &file.springs {
            self.identifier(&entry.name, "spring");
            if let Some(given) = &entry.value {
                self.spring(model, &entry.name, given);
            }
        }
    }

    fn spring(&mut self, model: &mut Checked, name: &Name, given: &file::Spring) {
        if let Some(bushing) = &given.bushing {
            self.bushing(model, name, given, bushing);
            return;
        }
        let ends = Ends {
            what: "spring",
            moves: false,
            from: given.from.as_ref(),
            ground: given.ground.as_ref(),
            to: &given.to,
            along: Along::of(given.direction),
            from_member: given.from_member.as_ref(),
            to_member: given.to_member.as_ref(),
        };
        let between = self.between(model, name, &ends);
        let units = match given.direction {
            SpringDirection::Rotation => SpringUnits::ANGLES,
            _ => SpringUnits::LENGTHS,
        };
        let drawn = between.map_or(0.0, |between| model.drawn_measure(&between));
        let law = self.law_of_spring(name, given, units, drawn);
        let (Some(between), Some(law)) = (between, law) else {
            return;
        };
        if let Some(stop) = given.stop.as_ref().filter(|stop| stop.rigid) {
            self.rigid_stop(model, name, stop, &between);
        }
        model.springs.push(Spring {
            name: name.value.clone(),
            between,
            law,
            unit: [1.0; 4],
            bushing: None,
        });
    }

    fn law_of_spring(
        &mut self, name: &Name, given: &file::Spring, units: SpringUnits, drawn: f64,
    ) -> Option<Law> {
        let path = |key: &str| format!("{}.{key}", name.path);
        let turns = units == SpringUnits::ANGLES;
        let table = (given.table.as_ref()).map(|table| self.spring_table(name, table, units));
        let stiffness = match table {
            Some(_) => 0.0,
            None => self.usual_in(given.stiffness.as_ref(), path("stiffness"), units.stiffness),
        };
        let springs = stiffness > 0.0 || table.is_some();
        let preload = (given.preload.as_ref()).map(|p| self.number_in(p, units.force));
        if let (Some(preload), Some(_), false) = (&given.preload, &given.stiffness, springs) {
            let message = format!(
                "{}: nothing holds a preload with a stiffness of 0; `actuator` is a constant force",
                preload.path
            );
            self.report(preload, message);
        }
        let (key, own, other) = match turns {
            true => ("free_angle", &given.free_angle, &given.free_length),
            false => ("free_length", &given.free_length, &given.free_angle),
        };
        if let Some(other) = other {
            let message = format!("{}: with this `direction` it is `{key}`", other.path);
            self.report(other, message);
        }
        let limit = if given.direction == SpringDirection::Line { NOT_NEGATIVE } else { FINITE };
        let free = match preload {
            None => self.number_of_or(own.as_ref(), path(key), drawn, units.measure, limit),
            Some(preload) if table.is_none() && stiffness > 0.0 => drawn - preload / stiffness,
            Some(_) => drawn,
        };
        let damper = (given.damper.as_ref()).map(|damper| self.damper_table(name, damper, units));
        let damping = match damper {
            Some(_) => 0.0,
            None => self.usual_in(given.damping.as_ref(), path("damping"), units.damping),
        };
        let force = self.usual_in(given.actuator.as_ref(), path("actuator"), units.force);
        let elastic = given.stop.as_ref().filter(|stop| !stop.rigid);
        let stops = elastic.map(|stop| self.stops(name, stop, units));
        let slip = given.friction.as_ref().map(|slip| SlipElement {
            force: self.number_in(&slip.force, units.force),
            stiffness: self.number_in(&slip.stiffness, units.stiffness),
        });
        let elastic = match table {
            Some(curve) => {
                let shift = preload.unwrap_or(0.0);
                let (x, forces) = curve?;
                let forces: Vec<f64> = forces.iter().map(|force| force + shift).collect();
                Elastic::Table(Characteristic::through(&x, &forces))
            }
            None => Elastic::Linear,
        };
        let damper = match damper {
            Some(curve) => {
                let (x, forces) = curve?;
                Damper::Table(Characteristic::through(&x, &forces))
            }
            None => Damper::Linear,
        };
        Some(Law {
            elastic,
            damper,
            stops: stops.unwrap_or_default(),
            slip,
            setting: Setting { free, stiffness, damping, force },
        })
    }

    fn stops(&mut self, name: &Name, given: &file::Stop, units: SpringUnits) -> Stops {
        let path = format!("{}.stop", name.path);
        let stiffness = given.stiffness.as_ref();
        let stiffness = stiffness.map_or(0.0, |k| self.number_in(k, units.stiffness));
        let damping =
            self.usual_in(given.damping.as_ref(), format!("{path}.damping"), units.damping);
        let limits = self.limits_of_stop(name, given, units);
        Stops { limits, stiffness, damping }
    }

    /// The smallest and the largest measure that is free, where both are in order.
    pub(super) fn limits_of_stop(
        &mut self, name: &Name, given: &file::Stop, units: SpringUnits,
    ) -> [Option<f64>; 2] {
        let path = format!("{}.stop", name.path);
        let mut limit = |scalar: &Option<Scalar>| {
            (scalar.as_ref()).map(|scalar| self.number_in(scalar, units.measure))
        };
        let limits = [limit(&given.least), limit(&given.most)];
        let known = self.are_known(given.least.iter().chain(&given.most));
        let unit = units.measure.unit();
        match limits {
            [Some(least), Some(most)] if known && least >= most => {
                let message = format!(
                    "{path}.least is {} {unit}, and `most` {} {unit}; allowed: least below most",
                    figure(least),
                    figure(most)
                );
                self.report_entry(name, message);
            }
            _ => {}
        }
        limits
    }

    fn spring_table(
        &mut self, name: &Name, given: &file::SpringTable, units: SpringUnits,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let path = format!("{}.table", name.path);
        let lists = (given.elongations.as_deref(), given.forces.as_deref());
        let quantities = [units.measure, units.force];
        let keys = ["elongations", "forces"];
        self.characteristic(name, &path, keys, quantities, lists, given.file.as_ref())
    }

    /// The points of a damper, mirrored where they begin at rest.
    fn damper_table(
        &mut self, name: &Name, given: &file::DamperTable, units: SpringUnits,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let path = format!("{}.damper", name.path);
        let lists = (given.rates.as_deref(), given.forces.as_deref());
        let quantities = [units.rate, units.force];
        let keys = ["rates", "forces"];
        let (rates, forces) =
            self.characteristic(name, &path, keys, quantities, lists, given.file.as_ref())?;
        let rest = rates.iter().zip(&forces).any(|(rate, force)| *rate == 0.0 && *force == 0.0);
        if !rest {
            let message = format!(
                "{path}: a damper has no force at rest; allowed: a table with the point (0, 0)"
            );
            self.report_entry(name, message);
            return None;
        }
        let against = rates.iter().zip(&forces).find(|(rate, force)| *rate * *force < 0.0);
        if let Some((rate, force)) = against {
            let message = format!(
                "{path}: at {} {} the force is {} {}, which would add energy; allowed: forces with the sign of \
                 their rates",
                figure(*rate),
                units.rate.unit(),
                figure(*force),
                units.force.unit()
            );
            self.report_entry(name, message);
            return None;
        }
        if rates[0] < 0.0 {
            return Some((rates, forces));
        }
        let mirrored = |list: &[f64]| -> Vec<f64> {
            let below = list[1..].iter().rev().map(|x| -x);
            below.chain(list.iter().copied()).collect()
        };
        Some((mirrored(&rates), mirrored(&forces)))
    }

    /// Two columns, the first rising, of two rows or more; `None` with a fault on record.
    pub(super) fn characteristic(
        &mut self, name: &Name, path: &str, [x_key, y_key]: [&str; 2],
        [x_quantity, y_quantity]: [Quantity; 2], (x, y): (Option<&[Scalar]>, Option<&[Scalar]>),
        file: Option<&DataFile>,
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let (xs, ys) = match (x, y, file) {
            (Some(x), Some(y), None) => {
                let lists = (self.series(x, x_quantity), self.series(y, y_quantity));
                if !self.are_known(x.iter().chain(y)) {
                    return None;
                }
                lists
            }
            (None, None, Some(DataFile(file))) => {
                let what = format!("{x_key} and {y_key}");
                self.columns(file, &what, [&[x_quantity], &[y_quantity]])?
            }
            // One of both is missed among the relations of the keys.
            _ => return None,
        };
        let wrong = if xs.len() != ys.len() {
            Some(format!("{} {x_key} and {} {y_key}", xs.len(), ys.len()))
        } else if xs.len() < 2 {
            Some(format!("{} rows", xs.len()))
        } else {
            let falls = xs.windows(2).position(|two| two[0] >= two[1]);
            falls.map(|i| {
                let [a, b] = [xs[i + 1], xs[i]].map(|x| rounded(x, 8));
                format!("{a} after {b} in row {}", i + 2)
            })
        };
        if let Some(wrong) = wrong {
            let message = format!(
                "{path} has {wrong}; allowed: at least two rows, as many {y_key} as {x_key}, {x_key} rising"
            );
            self.report_entry(name, message);
            return None;
        }
        Some((xs, ys))
    }
}
