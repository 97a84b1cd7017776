//! What a motion moves and the law it follows; records of ground motion.

use std::ops::Range;
use std::sync::Arc;

use super::Checker;
use super::structure::Place;
use crate::checked::history::{History, Interpolation, MotionLaw};
use crate::checked::{Checked, Direction, Moved};
use crate::columns::Unit;
use crate::message::excerpt;
use crate::message::listed;
use crate::model::de::{DataFile, Located, Name, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;
use crate::records::{Baseline, Given, GroundMotion, Series};

impl file::Motion {
    /// What motion `name` moves; `None` with a fault on record.
    pub(super) fn moved(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, along: Direction,
    ) -> Option<Moved> {
        let place = Place {
            point: self.point.as_ref(),
            member: self.member.as_ref(),
            edge: self.edge.as_ref(),
        };
        if let Some(coupling) = &self.coupling {
            return check.coupling_named(model, coupling).map(Moved::Coupling);
        }
        let Some(supports) = &self.supports else {
            return place.target(check, model).map(Moved::Target);
        };
        if supports.is_empty() {
            let message = format!("{}.supports is empty; name at least one support", name.path);
            check.report_entry(name, message);
        }
        let mut named = Vec::new();
        for support in supports {
            let all = check.supports_named(support);
            if all.iter().any(|id| named.iter().any(|(other, _)| other == id)) {
                let message = format!("{}: `{}` is there twice", support.path, support.value);
                check.report(support, message);
                continue;
            }
            named.extend(all.into_iter().map(|id| (id, support)));
        }
        if named.is_empty() && !check.off.is_empty() && !check.reader.is_faulty(&name.path) {
            let message = format!(
                "{}: all supports that it moves are switched off; switch one on, or the motion off with them",
                name.path
            );
            check.report_entry(name, message);
        }
        for (id, support) in &named {
            let name = &check.file.supports[*id].name.value;
            // Broken supports are left out of the model, and their places shift.
            let fixed = (model.supports.iter()).find(|s| s.name == *name).map(|s| &s.fixed);
            let word = ["x", "y", "rotation"][along as usize];
            if let Some(fixed) = fixed
                && !fixed.contains(&along)
            {
                let message = format!(
                    "{}: supports.{name} does not fix {word} and cannot carry the motion; add \
                     \"{word}\" to its `fix`",
                    support.path
                );
                check.report(support, message);
            }
        }
        Some(Moved::Supports(named.into_iter().map(|(id, _)| id).collect()))
    }

    /// The one law that motion `name` follows; `None` with a fault on record.
    pub(super) fn law(
        &self, check: &mut Checker<'_>, name: &Name, turning: bool,
    ) -> Option<MotionLaw> {
        let (quantities, words): ([Quantity; 3], _) = if turning {
            (
                [Quantity::Angle, Quantity::AngularVelocity, Quantity::AngularAcceleration],
                "`angle`, `rate`, `acceleration`, or `amplitude` with `history`",
            )
        } else {
            (
                [Quantity::Length, Quantity::Velocity, Quantity::Acceleration],
                "`displacement`, `velocity`, `acceleration`, `record`, or `amplitude` with `history`",
            )
        };
        let [position, rate, acceleration] = quantities;
        let along = [&self.displacement, &self.velocity];
        let about = [&self.angle, &self.rate];
        let (own, foreign) = if turning { (about, along) } else { (along, about) };
        let what = if turning { "rotation" } else { "translation" };
        let mut wrong: Vec<(String, Range<usize>)> = (foreign.into_iter().flatten())
            .map(|scalar| (scalar.path.clone(), scalar.span.clone()))
            .collect();
        if let (true, Some(record)) = (turning, &self.record) {
            wrong.push((name.key("record"), record.file.0.span.clone()));
        }
        for (path, span) in &wrong {
            let message = format!("{path} does not go with a {what}; allowed: {words}");
            let at = Located::at(path.clone(), span.clone());
            check.report(&at, message);
        }
        let [constant, steady] = own;
        let laws = (constant, steady, &self.acceleration, &self.record);
        let law = match (laws, &self.amplitude, &self.history) {
            ((Some(value), None, None, None), None, None) => {
                match check.function(value, position, true) {
                    Some(function) => {
                        MotionLaw::Scaled { value: 1.0, history: History::Expression(function) }
                    }
                    None => MotionLaw::Position(check.number_in(value, position)),
                }
            }
            ((None, Some(value), None, None), None, None) => {
                MotionLaw::Rate(check.number_in(value, rate))
            }
            ((None, None, Some(value), None), None, None) => {
                MotionLaw::Acceleration(check.number_in(value, acceleration))
            }
            ((None, None, None, Some(record)), None, None) => record.law(check, name)?,
            ((None, None, None, None), Some(value), Some(history)) => MotionLaw::Scaled {
                value: check.number_in(value, position),
                history: history.of_motion(check, name, (value, position)),
            },
            // None or several of them are found among the relations of the keys.
            _ => return None,
        };
        Some(law)
    }
}

impl Checker<'_> {
    /// The support of this name, or those whose names begin with what stands before a `*`; none that are switched off.
    fn supports_named(&mut self, name: &Name) -> Vec<usize> {
        let supports = &self.file.supports;
        let Some(beginning) = name.value.strip_suffix('*') else {
            if self.is_off("supports", &name.value) {
                return Vec::new();
            }
            return (self.find(name, "supports", supports).into_iter()).collect();
        };
        let begins = |id: &usize| supports[*id].name.value.starts_with(beginning);
        let all: Vec<usize> = (0..supports.len()).filter(begins).collect();
        let path = format!("supports.{beginning}");
        if all.is_empty() && !self.off.iter().any(|off| off.starts_with(&path)) {
            let names = listed(supports.iter().map(|e| e.name.value.as_str()));
            let message = format!(
                "{}: no support begins with `{}`; there are: {names}",
                name.path,
                excerpt(beginning)
            );
            self.report_entry(name, message);
        }
        all
    }
}

impl file::History {
    /// The history of a motion: a table without `interpolation` is smooth, for its velocity and acceleration act, too.
    fn of_motion(
        &self, check: &mut Checker<'_>, name: &Name, (amplitude, quantity): (&Scalar, Quantity),
    ) -> History {
        let scaled = [(Some(amplitude), quantity)];
        let history = self.in_time(check, name, &scaled, Interpolation::Smooth);
        if let History::Table(_, Interpolation::Step) = history {
            let message = format!(
                "{}.history.table.interpolation is \"step\": no motion can jump; allowed: \"smooth\" (default), \"monotone\", \"linear\" (its \
                 velocity jumps)",
                name.path
            );
            check.report_entry(name, message);
        }
        history
    }
}

impl file::Record {
    /// The law of a record; `None` with a fault on record.
    fn law(&self, check: &mut Checker<'_>, owner: &Name) -> Option<MotionLaw> {
        let path = |key: &str| format!("{}.record.{key}", owner.path);
        let scale = check.usual(self.scale.as_ref(), path("scale"));
        let start = check.usual(self.start.as_ref(), path("start"));
        let step = (self.step.as_ref()).map(|step| check.number(step));
        let unit = unit_of_record(check, self.unit.as_ref(), Given::unit);
        let time_unit = unit_of_record(check, self.time_unit.as_ref(), Given::time_unit);
        let given = Given { unit: unit?, time_unit: time_unit?, step };
        let DataFile(file) = &self.file;
        let text = check.text_of(file)?;
        let record = match Series::read(&file.value, text, &given) {
            Ok(series) => {
                check.read.push((file.clone(), series.reads().to_vec()));
                series.record
            }
            Err(wrong) => {
                let message = format!("{}: `{}` {wrong}", file.path, file.value);
                return check.refuse(file, message);
            }
        };
        let kind = record.kind.name();
        let Some(record) = record.corrected(self.baseline) else {
            let message = format!(
                "{}: baseline \"{}\" is for accelerations, and `{}` holds a {kind}; allowed: none, \
                 mean, linear, quadratic",
                path("baseline"),
                Baseline::Rest.name(),
                file.value,
            );
            return check.refuse(file, message);
        };
        Some(MotionLaw::Record { ground: Arc::new(GroundMotion::of(&record)), scale, start })
    }
}

/// The unit that a key names; `None` with a fault on record.
fn unit_of_record(
    check: &mut Checker<'_>, name: Option<&Name>, read: fn(&str) -> Result<Unit, String>,
) -> Option<Option<Unit>> {
    let Some(name) = name else { return Some(None) };
    match read(&name.value) {
        Ok(unit) => Some(Some(unit)),
        Err(allowed) => {
            let message =
                format!("{} is `{}`; allowed: {allowed}", name.path, excerpt(&name.value));
            check.refuse_entry(name, message)
        }
    }
}
