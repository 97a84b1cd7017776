//! Springs between points.

use num_dual::Dual64;

use super::coordinate::{Along, Ends};
use super::table::Points;
use super::{Checker, FINITE, NOT_NEGATIVE};
use crate::checked::{Checked, Spring, SpringUnits};
use crate::laws::spring::{
    Characteristic, Damper, Elastic, ForceLaw, Setting, SlipElement, Spring as Law, Stops,
};
use crate::message::{excerpt, figure};
use crate::model::de::{Name, Scalar};
use crate::model::file::{self, SpringDirection};

/// All springs, in the order of the file.
pub(super) fn springs(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, given) in check.entries(&file.springs, "spring") {
        given.check(check, model, name);
    }
}

impl file::Spring {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        if let Some(bushing) = &self.bushing {
            bushing.check(check, model, name, self);
            return;
        }
        let ends = Ends {
            what: "spring",
            moves: false,
            from: self.from.as_ref(),
            ground: self.ground.as_ref(),
            to: &self.to,
            along: Along::of(self.direction),
            from_member: self.from_member.as_ref(),
            to_member: self.to_member.as_ref(),
        };
        let between = ends.between(check, model, name);
        let units = match self.direction {
            SpringDirection::Rotation => SpringUnits::ANGLES,
            _ => SpringUnits::LENGTHS,
        };
        let initial = between.map_or(0.0, |between| model.initial_measure(&between));
        let law = self.law(check, name, units, initial);
        let (Some(between), Some(law)) = (between, law) else {
            return;
        };
        if let Some(stop) = self.stop.as_ref().filter(|stop| stop.rigid) {
            stop.rigid(check, model, name, &between);
        }
        model.springs.push(Spring {
            name: name.value.clone(),
            between,
            law,
            unit: [1.0; 4],
            bushing: None,
        });
    }

    fn law(
        &self, check: &mut Checker<'_>, name: &Name, units: SpringUnits, initial: f64,
    ) -> Option<Law> {
        let path = |key: &str| format!("{}.{key}", name.path);
        let turns = units == SpringUnits::ANGLES;
        let table = (self.table.as_ref()).map(|table| table.points(check, name, units));
        let stiffness = match table {
            Some(_) => 0.0,
            None => check.usual_in(self.stiffness.as_ref(), path("stiffness"), units.stiffness),
        };
        let springs = stiffness > 0.0 || table.is_some();
        let preload = (self.preload.as_ref()).map(|p| check.number_in(p, units.force));
        if let (Some(preload), Some(_), false) = (&self.preload, &self.stiffness, springs) {
            let message = format!(
                "{}: a preload needs a stiffness above 0; `actuator` is a constant force",
                preload.path
            );
            check.report(preload, message);
        }
        let (key, own) = match turns {
            true => ("free_angle", &self.free_angle),
            false => ("free_length", &self.free_length),
        };
        let limit = if self.direction == SpringDirection::Line { NOT_NEGATIVE } else { FINITE };
        let free = match preload {
            None => check.number_of_or(own.as_ref(), path(key), initial, units.measure, limit),
            Some(preload) if table.is_none() && stiffness > 0.0 => initial - preload / stiffness,
            Some(_) => initial,
        };
        let damper = (self.damper.as_ref()).map(|damper| damper.points(check, name, units));
        let damping = match damper {
            Some(_) => 0.0,
            None => check.usual_in(self.damping.as_ref(), path("damping"), units.damping),
        };
        let force = check.usual_in(self.actuator.as_ref(), path("actuator"), units.force);
        let elastic = self.stop.as_ref().filter(|stop| !stop.rigid);
        let stops = elastic.map(|stop| stop.stops(check, name, units));
        let slip = self.friction.as_ref().map(|slip| SlipElement {
            force: check.number_in(&slip.force, units.force),
            stiffness: check.number_in(&slip.stiffness, units.stiffness),
        });
        let force_law = (self.force.as_ref()).map(|force| check.force_law(force, units));
        let elastic = match table {
            None if let Some(law) = force_law => Elastic::Law(law?),
            Some(curve) => {
                let shift = preload.unwrap_or(0.0);
                let [x, forces] = curve?;
                let forces: Vec<f64> = forces.iter().map(|force| force + shift).collect();
                Elastic::Table(Characteristic::through(&x, &forces))
            }
            None => Elastic::Linear,
        };
        let damper = match damper {
            Some(curve) => {
                let [x, forces] = curve?;
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
}

/// Sizes of elongations and rates at which a force law is looked at, m and m/s, or rad and rad/s.
const LOOKED_AT: [f64; 7] = [-1.0, -1e-2, -1e-4, 0.0, 1e-4, 1e-2, 1.0];

impl Checker<'_> {
    /// The law of a force that is an expression; `None` where it has a fault.
    fn force_law(&mut self, force: &Scalar, units: SpringUnits) -> Option<ForceLaw> {
        let variables = ForceLaw::VARIABLES;
        let expression = self.expression(force, &variables)?;
        let law = ForceLaw::of(expression);
        if !law.springs() && !law.damps() {
            let message = format!(
                "{}: it depends neither on the elongation `x` nor on its rate `v`; a constant force is an `actuator`",
                force.path
            );
            return self.refuse(force, message);
        }
        let pairs = LOOKED_AT.into_iter().flat_map(|x| LOOKED_AT.map(|v| [x, v]));
        let mut wrong = pairs.filter(|&[x, v]| {
            let [by_x, by_v] = [[1.0, 0.0], [0.0, 1.0]]
                .map(|[dx, dv]| law.force(Dual64::new(x, dx), Dual64::new(v, dv)));
            [by_x.re, by_x.eps, by_v.eps].iter().any(|value| !value.is_finite())
        });
        if let Some([x, v]) = wrong.next() {
            let message = format!(
                "{} = \"{}\": at x = {} {} and v = {} {} its value or its slope is no finite number; look for a division by zero or a root \
                 or logarithm of a number that is not above 0",
                force.path,
                excerpt(law.text()),
                figure(x),
                units.measure.unit(),
                figure(v),
                units.rate.unit()
            );
            return self.refuse(force, message);
        }
        Some(law)
    }
}

impl file::Stop {
    fn stops(&self, check: &mut Checker<'_>, name: &Name, units: SpringUnits) -> Stops {
        let path = name.key("stop");
        let stiffness = self.stiffness.as_ref();
        let stiffness = stiffness.map_or(0.0, |k| check.number_in(k, units.stiffness));
        let damping =
            check.usual_in(self.damping.as_ref(), format!("{path}.damping"), units.damping);
        let limits = self.limits(check, units);
        Stops { limits, stiffness, damping }
    }

    /// The smallest and the largest measure that is free.
    pub(super) fn limits(&self, check: &mut Checker<'_>, units: SpringUnits) -> [Option<f64>; 2] {
        let limits = [&self.least, &self.most];
        limits.map(|limit| (limit.as_ref()).map(|scalar| check.number_in(scalar, units.measure)))
    }
}

impl file::SpringTable {
    fn points(
        &self, check: &mut Checker<'_>, name: &Name, units: SpringUnits,
    ) -> Option<[Vec<f64>; 2]> {
        let points = Points {
            keys: ["elongations", "forces"],
            quantities: [&[units.measure], &[units.force]],
            lists: [self.elongations.as_deref(), self.forces.as_deref()],
            file: self.file.as_ref(),
        };
        let (columns, _) = check.curve(name, name.key("table"), &points)?;
        Some(columns)
    }
}

impl file::DamperTable {
    /// The points of a damper, mirrored where they begin at rest.
    fn points(
        &self, check: &mut Checker<'_>, name: &Name, units: SpringUnits,
    ) -> Option<[Vec<f64>; 2]> {
        let points = Points {
            keys: ["rates", "forces"],
            quantities: [&[units.rate], &[units.force]],
            lists: [self.rates.as_deref(), self.forces.as_deref()],
            file: self.file.as_ref(),
        };
        let ([rates, forces], at) = check.curve(name, name.key("damper"), &points)?;
        let rest = rates.iter().zip(&forces).any(|(rate, force)| *rate == 0.0 && *force == 0.0);
        if !rest {
            let message = format!(
                "{}: a damper has no force at rest; allowed: a table with the point (0, 0)",
                at.path
            );
            return check.refuse(&at, message);
        }
        let against = rates.iter().zip(&forces).find(|(rate, force)| *rate * *force < 0.0);
        if let Some((rate, force)) = against {
            let message = format!(
                "{}: at {} {} the force is {} {}, which would add energy; allowed: forces with the sign of \
                 their rates",
                at.path,
                figure(*rate),
                units.rate.unit(),
                figure(*force),
                units.force.unit()
            );
            return check.refuse(&at, message);
        }
        if rates[0] < 0.0 {
            return Some([rates, forces]);
        }
        let mirrored = |list: &[f64]| -> Vec<f64> {
            let below = list[1..].iter().rev().map(|x| -x);
            below.chain(list.iter().copied()).collect()
        };
        Some([mirrored(&rates), mirrored(&forces)])
    }
}
