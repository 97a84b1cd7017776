//! Motions, loads, gravity and probes.

use super::{Checker, initial, places};
use std::sync::Arc;

use super::table::Points;
use crate::checked::history::{Factors, History, Interpolation};
use crate::checked::{
    Checked, Cut, Direction, Load, MemberId, Motion, Moved, Part, Probe, ProbeKind, Target,
};
use crate::message::figure;
use crate::model::de::{Name, Number, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;
use crate::numerics::expression::Expression;

pub(super) fn drives(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    for (name, given) in check.entries(&file.motions, "motion") {
        given.check(check, model, name);
    }
    for (name, given) in check.entries(&file.loads, "load") {
        given.check(check, model, name);
    }
    let gravity = file.gravity.clone().unwrap_or_default();
    model.gravity = [
        check.usual(gravity.x.as_ref(), "gravity.x".into()),
        check.usual(gravity.y.as_ref(), "gravity.y".into()),
    ];
    for name in &gravity.weightless {
        let is_body = file.bodies.iter().any(|e| e.name.value == name.value);
        model.weightless.extend(match is_body {
            true => check.body_named(name).map(Part::Body),
            false => check.member(name).map(|id| model.part_of(id)),
        });
    }
    initial::initial(check, model);
    for (name, given) in check.entries(&file.probes, "probe") {
        match given {
            file::Probe::Place { body, at } => places::place(check, model, name, body, at),
            file::Probe::Section { member, at } => cut(check, model, name, member, at),
            file::Probe::EdgePlace { edge, fraction } => {
                places::edge_place(check, model, name, edge, fraction);
            }
            given => given.check(check, model, name),
        }
    }
}

impl file::Motion {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let Some(direction) = self.direction_of(check, model) else {
            return;
        };
        let turning = direction == Direction::Rotation;
        let moved = self.moved(check, model, name, direction);
        if turning && matches!(moved, Some(Moved::Target(Target::Member(_)))) {
            let message = format!(
                "{}: a rotation needs a `point`, or a member that is rigid: nothing else turns by one angle at every \
                 node",
                name.path
            );
            check.report_entry(name, message);
        }
        if let Some(Moved::Target(target)) = moved {
            check.turns(model, target, direction, name, &name.path);
        }
        let release = self.release.as_ref().and_then(|r| r.check(check, model, name));
        let law = self.law(check, name, turning);
        if let (Some(moved), Some(law)) = (moved, law) {
            model.motions.push(Motion { name: name.value.clone(), moved, direction, law, release });
        }
    }

    /// Along or about what a motion is: that of its coupling, or as it is written; `None` with a fault on record.
    fn direction_of(&self, check: &mut Checker<'_>, model: &Checked) -> Option<Direction> {
        match (&self.coupling, self.direction) {
            (Some(coupling), _) => {
                let driven = &model.couplings[check.coupling_named(model, coupling)?].driven;
                // A displacement along whatever it is.
                Some(if driven.turns() { Direction::Rotation } else { Direction::X })
            }
            (None, direction) => direction,
        }
    }
}

impl Checker<'_> {
    /// A coupling by its name; `None` with a fault on record, its own or that of the name.
    pub(super) fn coupling_named(&mut self, model: &Checked, name: &Name) -> Option<usize> {
        let file = self.file;
        let entry = self.find(name, "couplings", &file.couplings)?;
        // Broken ones are left out of the model, and their places shift.
        let name = &file.couplings[entry].name.value;
        model.couplings.iter().position(|c| c.name == *name)
    }
}

impl file::Load {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let Some(at) = &self.point else {
            return self.along_line(check, model, name);
        };
        let point = check.point(at);
        let member = check.optional_member(self.member.as_ref());
        let parts = [&self.fx, &self.fy, &self.moment];
        let mut components = [0.0; 3];
        let [fx, fy, moment] = parts.map(Option::as_ref);
        let scaled = [(fx, Quantity::Force), (fy, Quantity::Force), (moment, Quantity::Moment)];
        let mut factors = Factors::from(load_history(check, name, self.history.as_ref(), &scaled));
        for (i, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            // A moment belongs to the table of numbers only where something can turn.
            if key == "moment" && parts[i].is_none() {
                continue;
            }
            let quantity = if i < 2 { Quantity::Force } else { Quantity::Moment };
            let path = format!("{}.{key}", name.path);
            components[i] = check.component((parts[i].as_ref(), path), quantity, &mut factors, i);
        }
        let (Some(point), Some(member)) = (point, member) else {
            return;
        };
        if self.moment.is_some() {
            check.one_rotation(model, point, member, name, &name.key("moment"));
        }
        model.loads.push(Load { name: name.value.clone(), point, member, components, factors });
    }
}

impl file::History {
    /// A factor of time for what is `scaled`; `usual` is how a table runs that does not say so.
    pub(super) fn in_time(
        &self, check: &mut Checker<'_>, name: &Name, scaled: &[(Option<&Scalar>, Quantity)],
        usual: Interpolation,
    ) -> History {
        let owner = &name.path;
        match self {
            file::History::Ramp { start, duration, smooth } => History::Ramp {
                start: check.usual(start.as_ref(), format!("{owner}.history.ramp.start")),
                duration: check.number(duration),
                smooth: smooth.unwrap_or(true),
            },
            file::History::Sine { frequency, phase } => History::Sine {
                frequency: check.number(frequency),
                phase: check.usual(phase.as_ref(), format!("{owner}.history.sine.phase")),
            },
            file::History::Expression(scalar) => {
                let smooth = usual == Interpolation::Smooth;
                let function = check.function(scalar, Quantity::Dimensionless, smooth);
                History::Expression(function.unwrap_or_else(|| {
                    let value = check.number(scalar);
                    Arc::new(Expression::constant(value))
                }))
            }
            file::History::Table { times, values, file, beyond, interpolation } => {
                let factors = [Quantity::Dimensionless, ones(scaled)];
                let points = Points {
                    keys: ["times", "values"],
                    quantities: [&[Quantity::Time], &factors],
                    lists: [times.as_deref(), values.as_deref()],
                    file: file.as_ref(),
                };
                let path = format!("{owner}.history.table");
                let Some(([times, values], at)) = check.curve(name, path, &points) else {
                    return History::Constant;
                };
                let interpolation = interpolation.unwrap_or(usual);
                match interpolation.through(times, values, *beyond == file::Beyond::Hold) {
                    Some(spline) => History::Table(spline, interpolation),
                    None => {
                        let message =
                            format!("{} has values that change too fast for a number", at.path);
                        check.report(&at, message);
                        History::Constant
                    }
                }
            }
        }
    }
}

impl file::Probe {
    fn check(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        if let Some(kind) = self.kind_of(check, model, name) {
            model.probes.push(Probe { name: name.value.clone(), kind });
        }
    }

    /// What a probe measures; `None` where it names what is not there.
    fn kind_of(&self, check: &mut Checker<'_>, model: &Checked, name: &Name) -> Option<ProbeKind> {
        Some(match self {
            file::Probe::Deflection { point, from, member } => {
                let (id, origin) = (check.point(point), check.point(from));
                let member = check.optional_member(member.as_ref());
                let (id, origin, member) = (id?, origin?, member?);
                check.one_rotation(model, origin, member, name, &name.path);
                let [a, b] = [id, origin].map(|p| model.points[p].position);
                if check.known.geometry && a == b {
                    let message = format!(
                        "{}: points `{}` and `{}` are at the same position, no line goes through \
                         them; choose two points apart",
                        name.path, point.value, from.value
                    );
                    check.report(point, message);
                }
                ProbeKind::Deflection { point: id, from: origin, member }
            }
            file::Probe::Rotation { point, member } => {
                let (point, member) = (check.point(point), check.optional_member(member.as_ref()));
                let (point, member) = (point?, member?);
                check.one_rotation(model, point, member, name, &name.path);
                ProbeKind::Rotation { point, member }
            }
            file::Probe::Distance { point, from } => {
                let (point, from) = (check.point(point), check.point(from));
                ProbeKind::Distance { point: point?, from: from? }
            }
            file::Probe::Drift { point, from, direction: along } => {
                let (point, from) = (check.point(point), check.point(from));
                if *along == Direction::Rotation {
                    let message = format!(
                        "{}.drift.direction is \"rotation\"; allowed: \"x\", \"y\"",
                        name.path
                    );
                    check.report_entry(name, message);
                }
                ProbeKind::Drift { point: point?, from: from?, direction: *along }
            }
            file::Probe::Displacement { member, at, direction: along } => {
                let (id, arc) = along_member(check, model, member, at);
                ProbeKind::Displacement { member: id?, at: arc, direction: *along }
            }
            file::Probe::Chord { member, at } => {
                let (id, arc) = along_member(check, model, member, at);
                let id = id?;
                let [from, to] = [model.members[id].from, model.members[id].to];
                let [a, b] = [from, to].map(|p| model.points[p].position);
                if check.known.geometry && a == b {
                    let message = format!(
                        "{}: member `{}` ends where it begins, no line goes through its ends",
                        name.path, member.value
                    );
                    check.report(member, message);
                }
                ProbeKind::Chord { member: id, at: arc }
            }
            file::Probe::Section { .. }
            | file::Probe::Place { .. }
            | file::Probe::EdgePlace { .. } => return None,
        })
    }
}

/// The history of a load with the components `scaled`; a table without `interpolation` is straight between its values.
pub(super) fn load_history(
    check: &mut Checker<'_>, name: &Name, given: Option<&file::History>,
    scaled: &[(Option<&Scalar>, Quantity)],
) -> History {
    let history = |given: &file::History| given.in_time(check, name, scaled, Interpolation::Linear);
    given.map_or(History::Constant, history)
}

/// A place along a member.
fn along_member(
    check: &mut Checker<'_>, model: &Checked, member: &Name, at: &Scalar,
) -> (Option<MemberId>, f64) {
    let id = check.member(member);
    let arc = check.number(at);
    if let Some(id) = id.filter(|_| check.known.geometry)
        && arc > model.length_of(id) * (1.0 + 1e-12)
    {
        let message = format!(
            "{} is {} m; allowed: at most the length of member `{}`, {} m",
            at.path,
            figure(arc),
            member.value,
            figure(model.length_of(id))
        );
        check.report(at, message);
    }
    (id, arc)
}

fn cut(check: &mut Checker<'_>, model: &mut Checked, name: &Name, member: &Name, at: &Scalar) {
    let (id, arc) = along_member(check, model, member, at);
    let Some(id) = id else { return };
    if check.known.geometry && model.members[id].properties.is_none() {
        let [what, instead] = match model.members[id].rigid {
            Some(_) => ["is rigid", "read those on its ends, `from.fx` and so on"],
            None => ["has no material", "give it one"],
        };
        let message = format!(
            "{}: member `{}` {what}, so nothing is known of the forces in it; {instead}",
            name.path, member.value
        );
        check.report(member, message);
        return;
    }
    model.cuts.push(Cut { name: name.value.clone(), member: id, at: arc });
}

/// What a table may hold instead of factors: what all of `scaled` measure, where these are 1 or -1 (or 0).
fn ones(scaled: &[(Option<&Scalar>, Quantity)]) -> Quantity {
    let size = |scalar: &Scalar| match scalar.value {
        Number::Literal(value) => value.abs(),
        _ => f64::NAN,
    };
    let given = scaled.iter().filter_map(|(scalar, quantity)| Some((size((*scalar)?), *quantity)));
    let mut acting = given.filter(|(size, _)| *size != 0.0);
    match acting.next() {
        Some((1.0, quantity)) if acting.all(|other| other == (1.0, quantity)) => quantity,
        _ => Quantity::Dimensionless,
    }
}
