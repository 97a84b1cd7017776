//! Motions, loads, gravity and probes.

use std::sync::Arc;

use super::Checker;
use crate::checked::expression::Expression;
use crate::checked::history::{Factors, History, Interpolation};
use crate::checked::{
    Checked, Cut, Direction, Load, MemberId, Motion, Moved, Part, Probe, ProbeKind, Target,
};
use crate::message::figure;
use crate::model::de::{Name, Number, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    pub(super) fn drives(&mut self, model: &mut Checked) {
        let file = self.file;
        for entry in &file.motions {
            self.identifier(&entry.name, "motion");
            if let Some(given) = &entry.value {
                self.motion(model, &entry.name, given);
            }
        }
        for entry in &file.loads {
            self.identifier(&entry.name, "load");
            if let Some(given) = &entry.value {
                self.load(model, &entry.name, given);
            }
        }
        let gravity = file.gravity.clone().unwrap_or_default();
        model.gravity = [
            self.usual(gravity.x.as_ref(), "gravity.x".into()),
            self.usual(gravity.y.as_ref(), "gravity.y".into()),
        ];
        for name in &gravity.weightless {
            let is_body = file.bodies.iter().any(|e| e.name.value == name.value);
            model.weightless.extend(match is_body {
                true => self.body_named(name).map(Part::Body),
                false => self.member(name).map(|id| model.part_of(id)),
            });
        }
        self.initial(model);
        for entry in &file.probes {
            self.identifier(&entry.name, "probe");
            match &entry.value {
                Some(file::Probe::Place { body, at }) => {
                    self.place(model, &entry.name, body, at);
                }
                Some(file::Probe::Section { member, at }) => {
                    self.cut(model, &entry.name, member, at);
                }
                Some(file::Probe::EdgePlace { edge, fraction }) => {
                    self.edge_place(model, &entry.name, edge, fraction);
                }
                Some(given) => self.probe(model, &entry.name, given),
                None => {}
            }
        }
    }

    fn motion(&mut self, model: &mut Checked, name: &Name, given: &file::Motion) {
        let Some(direction) = self.direction_of(model, given) else {
            return;
        };
        let turning = direction == Direction::Rotation;
        let moved = self.moved(model, name, given, direction);
        if turning && matches!(moved, Some(Moved::Target(Target::Member(_)))) {
            let message = format!(
                "{}: a rotation needs a `point`, or a member that is rigid: nothing else turns by one angle at every \
                 node",
                name.path
            );
            self.report_entry(name, message);
        }
        if let Some(Moved::Target(target)) = moved {
            self.turns(model, target, direction, name, &name.path);
        }
        let release = given.release.as_ref().and_then(|r| self.release(model, name, r));
        let law = self.law(name, given, turning);
        if let (Some(moved), Some(law)) = (moved, law) {
            model.motions.push(Motion { name: name.value.clone(), moved, direction, law, release });
        }
    }

    /// Along or about what a motion is: that of its coupling, or as it is written; `None` with a fault on record.
    fn direction_of(&mut self, model: &Checked, given: &file::Motion) -> Option<Direction> {
        match (&given.coupling, given.direction) {
            (Some(coupling), _) => {
                let driven = &model.couplings[self.coupling_named(model, coupling)?].driven;
                // A displacement along whatever it is.
                Some(match driven.turns() {
                    true => Direction::Rotation,
                    false => Direction::X,
                })
            }
            (None, direction) => direction,
        }
    }

    /// A coupling by its name; `None` with a fault on record, its own or that of the name.
    pub(super) fn coupling_named(&mut self, model: &Checked, name: &Name) -> Option<usize> {
        let file = self.file;
        let entry = self.find(name, "couplings", &file.couplings)?;
        // Broken ones are left out of the model, and their places shift.
        let name = &file.couplings[entry].name.value;
        model.couplings.iter().position(|c| c.name == *name)
    }

    fn load(&mut self, model: &mut Checked, name: &Name, given: &file::Load) {
        let Some(at) = &given.point else {
            return self.line_load(model, name, given);
        };
        let point = self.point(at);
        let member = self.optional_member(given.member.as_ref());
        let parts = [&given.fx, &given.fy, &given.moment];
        let mut components = [0.0; 3];
        let [fx, fy, moment] = parts.map(Option::as_ref);
        let scaled = [(fx, Quantity::Force), (fy, Quantity::Force), (moment, Quantity::Moment)];
        let mut factors = Factors::from(self.load_history(name, given.history.as_ref(), &scaled));
        for (i, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            // A moment belongs to the table of numbers only where something can turn.
            if key == "moment" && parts[i].is_none() {
                continue;
            }
            let quantity = if i < 2 { Quantity::Force } else { Quantity::Moment };
            let path = format!("{}.{key}", name.path);
            components[i] = self.component((parts[i].as_ref(), path), quantity, &mut factors, i);
        }
        let (Some(point), Some(member)) = (point, member) else {
            return;
        };
        if given.moment.is_some() {
            let path = format!("{}.moment", name.path);
            self.one_rotation(model, point, member, name, &path);
        }
        model.loads.push(Load { name: name.value.clone(), point, member, components, factors });
    }

    /// The history of a load with the components `scaled`; a table without `interpolation` is straight between its values.
    pub(super) fn load_history(
        &mut self, name: &Name, given: Option<&file::History>,
        scaled: &[(Option<&Scalar>, Quantity)],
    ) -> History {
        let history = |given| self.history(name, given, scaled, Interpolation::Linear);
        given.map_or(History::Constant, history)
    }

    /// A factor of time for what is `scaled`; `usual` is how a table runs that does not say so.
    pub(super) fn history(
        &mut self, name: &Name, given: &file::History, scaled: &[(Option<&Scalar>, Quantity)],
        usual: Interpolation,
    ) -> History {
        let owner = &name.path;
        match given {
            file::History::Ramp { start, duration, smooth } => History::Ramp {
                start: self.usual(start.as_ref(), format!("{owner}.history.ramp.start")),
                duration: self.number(duration),
                smooth: smooth.unwrap_or(true),
            },
            file::History::Sine { frequency, phase } => History::Sine {
                frequency: self.number(frequency),
                phase: self.usual(phase.as_ref(), format!("{owner}.history.sine.phase")),
            },
            file::History::Expression(scalar) => {
                let smooth = usual == Interpolation::Smooth;
                let function = self.function(scalar, Quantity::Dimensionless, smooth);
                History::Expression(function.unwrap_or_else(|| {
                    let value = self.number(scalar);
                    Arc::new(Expression::constant(value))
                }))
            }
            file::History::Table { times, values, file, beyond, interpolation } => {
                let lists = (times.as_deref(), values.as_deref());
                let runs = (interpolation.unwrap_or(usual), *beyond);
                self.table(name, lists, file.as_ref(), ones(scaled), runs)
            }
        }
    }

    fn probe(&mut self, model: &mut Checked, name: &Name, given: &file::Probe) {
        if let Some(kind) = self.probe_kind(model, name, given) {
            model.probes.push(Probe { name: name.value.clone(), kind });
        }
    }

    /// What a probe measures; `None` where it names what is not there.
    fn probe_kind(
        &mut self, model: &Checked, name: &Name, given: &file::Probe,
    ) -> Option<ProbeKind> {
        Some(match given {
            file::Probe::Deflection { point, from, member } => {
                let (id, origin) = (self.point(point), self.point(from));
                let member = self.optional_member(member.as_ref());
                let (id, origin, member) = (id?, origin?, member?);
                self.one_rotation(model, origin, member, name, &name.path);
                let [a, b] = [id, origin].map(|p| model.points[p].position);
                if self.known.geometry && a == b {
                    let message = format!(
                        "{}: points `{}` and `{}` are at the same place, no line goes through \
                         them; choose two points apart",
                        name.path, point.value, from.value
                    );
                    self.report(point, message);
                }
                ProbeKind::Deflection { point: id, from: origin, member }
            }
            file::Probe::Rotation { point, member } => {
                let (point, member) = (self.point(point), self.optional_member(member.as_ref()));
                let (point, member) = (point?, member?);
                self.one_rotation(model, point, member, name, &name.path);
                ProbeKind::Rotation { point, member }
            }
            file::Probe::Distance { point, from } => {
                let (point, from) = (self.point(point), self.point(from));
                ProbeKind::Distance { point: point?, from: from? }
            }
            file::Probe::Drift { point, from, direction: along } => {
                let (point, from) = (self.point(point), self.point(from));
                if *along == Direction::Rotation {
                    let message = format!(
                        "{}.drift.direction is \"rotation\"; allowed: \"x\", \"y\"",
                        name.path
                    );
                    self.report_entry(name, message);
                }
                ProbeKind::Drift { point: point?, from: from?, direction: *along }
            }
            file::Probe::Displacement { member, at, direction: along } => {
                let (id, arc) = self.along_member(model, member, at);
                ProbeKind::Displacement { member: id?, at: arc, direction: *along }
            }
            file::Probe::Chord { member, at } => {
                let (id, arc) = self.along_member(model, member, at);
                let id = id?;
                let [from, to] = [model.members[id].from, model.members[id].to];
                let [a, b] = [from, to].map(|p| model.points[p].position);
                if self.known.geometry && a == b {
                    let message = format!(
                        "{}: member `{}` ends where it begins, no line goes through its ends",
                        name.path, member.value
                    );
                    self.report(member, message);
                }
                ProbeKind::Chord { member: id, at: arc }
            }
            file::Probe::Section { .. }
            | file::Probe::Place { .. }
            | file::Probe::EdgePlace { .. } => return None,
        })
    }

    /// A place along a member.
    fn along_member(
        &mut self, model: &Checked, member: &Name, at: &Scalar,
    ) -> (Option<MemberId>, f64) {
        let id = self.member(member);
        let arc = self.number(at);
        if let Some(id) = id.filter(|_| self.known.geometry)
            && arc > model.length_of(id) * (1.0 + 1e-12)
        {
            let message = format!(
                "{} is {} m; allowed: at most the length of member `{}`, {} m",
                at.path,
                figure(arc),
                member.value,
                figure(model.length_of(id))
            );
            self.report(at, message);
        }
        (id, arc)
    }

    fn cut(&mut self, model: &mut Checked, name: &Name, member: &Name, at: &Scalar) {
        let (id, arc) = self.along_member(model, member, at);
        let Some(id) = id else { return };
        if self.known.geometry && model.members[id].properties.is_none() {
            let [what, instead] = match model.members[id].rigid {
                Some(_) => ["is rigid", "read those on its ends, `from.fx` and so on"],
                None => ["has no material", "give it one"],
            };
            let message = format!(
                "{}: member `{}` {what}, so nothing is known of the forces in it; {instead}",
                name.path, member.value
            );
            self.report(member, message);
            return;
        }
        model.cuts.push(Cut { name: name.value.clone(), member: id, at: arc });
    }
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
