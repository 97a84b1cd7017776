//! Motions, loads, gravity, initial velocities and probes; what only the whole can show.

use super::{Checker, FINITE, NOT_NEGATIVE, POSITIVE, direction};
use crate::model::checked::{
    Checked, Direction, Load, Motion, Probe, ProbeKind, Start, StartVelocities, Target,
};
use crate::model::de::{Name, Scalar};
use crate::model::fault::listed;
use crate::model::file;
use crate::model::history::{History, MotionLaw, Spline};
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
        let g = Quantity::Acceleration;
        model.gravity = [
            self.number_or(gravity.x.as_ref(), "gravity.x".into(), 0.0, g, FINITE),
            self.number_or(gravity.y.as_ref(), "gravity.y".into(), 0.0, g, FINITE),
        ];
        self.initial(model);
        for entry in &file.probes {
            self.identifier(&entry.name, "probe");
            if let Some(given) = &entry.value {
                self.probe(model, &entry.name, given);
            }
        }
    }

    fn motion(&mut self, model: &mut Checked, name: &Name, given: &file::Motion) {
        let (point, member) = (given.point.as_ref(), given.member.as_ref());
        let Some(target) = self.target(name, point, member) else {
            return;
        };
        let direction = direction(given.direction);
        let turning = direction == Direction::Rotation;
        if turning && matches!(target, Target::Member(_)) {
            let message = format!(
                "{}: a rotation needs a `point`; a whole member cannot be turned by one angle \
                 at every node",
                name.path
            );
            self.report(&name.span, message);
        }
        self.turns(model, target, direction, &name.span, &name.path);
        let (position, rate) = if turning {
            (Quantity::Angle, Quantity::AngularVelocity)
        } else {
            (Quantity::Length, Quantity::Velocity)
        };
        let (held, constant, wrong): (_, _, [&Option<Scalar>; 2]) = if turning {
            (
                &given.angle,
                &given.rate,
                [&given.displacement, &given.velocity],
            )
        } else {
            (
                &given.displacement,
                &given.velocity,
                [&given.angle, &given.rate],
            )
        };
        let words = if turning {
            "`angle`, `rate`, or `amplitude` with `history`"
        } else {
            "`displacement`, `velocity`, or `amplitude` with `history`"
        };
        for scalar in wrong.into_iter().flatten() {
            let what = if turning { "rotation" } else { "translation" };
            let message = format!(
                "{} does not go with a {what}; allowed: {words}",
                scalar.path
            );
            self.report(&scalar.span, message);
        }
        let law = match (held, constant, &given.amplitude, &given.history) {
            (Some(value), None, None, None) => {
                MotionLaw::Held(self.number(value, position, FINITE))
            }
            (None, Some(value), None, None) => MotionLaw::Rate(self.number(value, rate, FINITE)),
            (None, None, Some(value), Some(history)) => MotionLaw::Scaled {
                value: self.number(value, position, FINITE),
                history: self.history(&name.path, history),
            },
            _ => {
                if wrong.iter().all(|w| w.is_none()) {
                    let message = format!("{} needs exactly one law: {words}", name.path);
                    self.report(&name.span, message);
                }
                return;
            }
        };
        model.motions.push(Motion {
            name: name.value.clone(),
            target,
            direction,
            law,
        });
    }

    fn load(&mut self, model: &mut Checked, name: &Name, given: &file::Load) {
        let point = self.point(&given.point);
        let member = self.optional_member(given.member.as_ref());
        let parts = [&given.fx, &given.fy, &given.moment];
        if parts.iter().all(|p| p.is_none()) {
            let message = format!("{} needs at least one of `fx`, `fy`, `moment`", name.path);
            self.report(&name.span, message);
        }
        let mut components = [0.0; 3];
        for (i, key) in ["fx", "fy", "moment"].into_iter().enumerate() {
            // A moment belongs to the table of numbers only where something can turn.
            if key == "moment" && parts[i].is_none() {
                continue;
            }
            let quantity = if i < 2 {
                Quantity::Force
            } else {
                Quantity::Moment
            };
            let path = format!("{}.{key}", name.path);
            components[i] = self.number_or(parts[i].as_ref(), path, 0.0, quantity, FINITE);
        }
        if given.moment.is_some() {
            let path = format!("{}.moment", name.path);
            self.one_rotation(model, point, member, &name.span, &path);
        }
        let history = match &given.history {
            Some(history) => self.history(&name.path, history),
            None => History::Constant,
        };
        model.loads.push(Load {
            name: name.value.clone(),
            point,
            member,
            components,
            history,
        });
    }

    fn history(&mut self, owner: &str, given: &file::History) -> History {
        match given {
            file::History::Ramp {
                start,
                duration,
                smooth,
            } => History::Ramp {
                start: self.number_or(
                    start.as_ref(),
                    format!("{owner}.history.ramp.start"),
                    0.0,
                    Quantity::Time,
                    FINITE,
                ),
                duration: self.number(duration, Quantity::Time, POSITIVE),
                smooth: smooth.unwrap_or(true),
            },
            file::History::Sine { frequency, phase } => History::Sine {
                frequency: self.number(frequency, Quantity::Frequency, NOT_NEGATIVE),
                phase: self.number_or(
                    phase.as_ref(),
                    format!("{owner}.history.sine.phase"),
                    0.0,
                    Quantity::Angle,
                    FINITE,
                ),
            },
            file::History::Table {
                times,
                values,
                file,
            } => {
                let (times, values) = match (times, values, file) {
                    (Some(times), Some(values), None) => (
                        self.series(times, Quantity::Time),
                        self.series(values, Quantity::Dimensionless),
                    ),
                    (None, None, Some(file)) => self.columns(file),
                    _ => {
                        let message = format!(
                            "{owner}.history.table needs either `times` and `values` or `file`"
                        );
                        let span = times
                            .iter()
                            .chain(values)
                            .flatten()
                            .map(|s| s.span.clone())
                            .chain(file.iter().map(|f| f.span.clone()))
                            .next()
                            .unwrap_or(0..0);
                        self.report(&span, message);
                        return History::Constant;
                    }
                };
                let span = file.as_ref().map(|f| f.span.clone()).unwrap_or_else(|| {
                    let first = [&times.1, &values.1].into_iter().find(|s| !s.is_empty());
                    first.cloned().unwrap_or(0..0)
                });
                let (counts, lengths) = ((times.0.len(), values.0.len()), times.0.clone());
                match Spline::natural(times.0, values.0) {
                    Some(spline) => History::Table(spline),
                    None => {
                        let falls = lengths.windows(2).position(|w| w[0] >= w[1]);
                        let what = match falls {
                            _ if counts.0 != counts.1 => {
                                format!("{} times and {} values", counts.0, counts.1)
                            }
                            _ if counts.0 < 2 => format!("{} rows", counts.0),
                            Some(i) => {
                                format!("time {} after {}", lengths[i + 1], lengths[i])
                            }
                            None => "numbers that are not finite".to_string(),
                        };
                        let message = format!(
                            "{owner}.history.table has {what}; allowed: at least two rows, as \
                             many values as times, times rising"
                        );
                        self.report(&span, message);
                        History::Constant
                    }
                }
            }
        }
    }

    /// Numbers of a list and the place of the first.
    fn series(
        &mut self,
        list: &[Scalar],
        quantity: Quantity,
    ) -> (Vec<f64>, std::ops::Range<usize>) {
        let span = list.first().map_or(0..0, |s| s.span.clone());
        let numbers = list
            .iter()
            .map(|s| self.number(s, quantity, FINITE))
            .collect();
        (numbers, span)
    }

    /// The two columns of a data file.
    #[allow(clippy::type_complexity)]
    fn columns(
        &mut self,
        file: &Name,
    ) -> (
        (Vec<f64>, std::ops::Range<usize>),
        (Vec<f64>, std::ops::Range<usize>),
    ) {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let text = self.data.get(&file.value).cloned().unwrap_or_default();
        let mut header = true;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells: Vec<&str> = line.split([',', ';', '\t']).map(str::trim).collect();
            let numbers: Vec<Option<f64>> = cells.iter().map(|c| c.parse().ok()).collect();
            match numbers.as_slice() {
                [Some(t), Some(v)] if t.is_finite() && v.is_finite() => {
                    times.push(*t);
                    values.push(*v);
                }
                _ if header && times.is_empty() => {}
                _ => {
                    let message = format!(
                        "{}: line {} of `{}` is `{line}`; expected two finite numbers, time and \
                         value",
                        file.path,
                        number + 1,
                        file.value
                    );
                    self.report(&file.span, message);
                    return ((vec![0.0, 1.0], 0..0), (vec![0.0, 1.0], 0..0));
                }
            }
            header = false;
        }
        ((times, file.span.clone()), (values, file.span.clone()))
    }

    fn initial(&mut self, model: &mut Checked) {
        let file = self.file;
        let velocities = match file.initial.clone().unwrap_or_default().velocities {
            file::Velocities::Rest => StartVelocities::Rest,
            file::Velocities::RigidMechanism => StartVelocities::RigidMechanism,
        };
        let mut given = Vec::new();
        for entry in &file.initial_points {
            let name = Name {
                path: "initial.points".to_string(),
                ..entry.name.clone()
            };
            let point = self.point(&name);
            let Some(values) = &entry.value else { continue };
            for (scalar, direction, quantity) in [
                (&values.vx, Direction::X, Quantity::Velocity),
                (&values.vy, Direction::Y, Quantity::Velocity),
                (
                    &values.rotation_rate,
                    Direction::Rotation,
                    Quantity::AngularVelocity,
                ),
            ] {
                let Some(scalar) = scalar else { continue };
                let value = self.number(scalar, quantity, FINITE);
                if direction == Direction::Rotation {
                    self.one_rotation(model, point, None, &scalar.span, &scalar.path);
                }
                given.push((point, direction, value));
            }
        }
        model.start = Start { velocities, given };
    }

    fn probe(&mut self, model: &mut Checked, name: &Name, given: &file::Probe) {
        let kind = match given {
            file::Probe::Deflection {
                point,
                from,
                member,
            } => {
                let kind = ProbeKind::Deflection {
                    point: self.point(point),
                    from: self.point(from),
                    member: self.optional_member(member.as_ref()),
                };
                if let ProbeKind::Deflection { from, member, .. } = kind {
                    self.one_rotation(model, from, member, &name.span, &name.path);
                }
                kind
            }
            file::Probe::Rotation { point, member } => {
                let (id, member) = (self.point(point), self.optional_member(member.as_ref()));
                self.one_rotation(model, id, member, &name.span, &name.path);
                ProbeKind::Rotation { point: id, member }
            }
            file::Probe::Distance { point, from } => ProbeKind::Distance {
                point: self.point(point),
                from: self.point(from),
            },
            file::Probe::Displacement {
                member,
                at,
                direction: along,
            } => {
                let id = self.member(member);
                let arc = self.number(at, Quantity::Length, NOT_NEGATIVE);
                if !self.incomplete && arc > model.length_of(id) * (1.0 + 1e-12) {
                    let message = format!(
                        "{} is {arc} m; allowed: at most the length of member `{}`, {} m",
                        at.path,
                        member.value,
                        model.length_of(id)
                    );
                    self.report(&at.span, message);
                }
                ProbeKind::Displacement {
                    member: id,
                    at: arc,
                    direction: direction(*along),
                }
            }
        };
        model.probes.push(Probe {
            name: name.value.clone(),
            kind,
        });
    }

    /// What no single entry shows: members without stiffness that may move, unknowns held twice,
    /// nothing left to move.
    pub(super) fn whole(&mut self, model: &Checked) {
        let nodes = crate::system::Nodes::of(model);
        let mut holder: Vec<Option<String>> = vec![None; nodes.initial.len()];
        let file = self.file;
        let mut claims = Vec::new();
        for (support, entry) in model.supports.iter().zip(&file.supports) {
            for &direction in &support.fixed {
                claims.push((nodes.of_target(support.target, direction), &entry.name));
            }
        }
        for (motion, entry) in model.motions.iter().zip(&file.motions) {
            claims.push((
                nodes.of_target(motion.target, motion.direction),
                &entry.name,
            ));
        }
        for (unknowns, name) in claims {
            for u in unknowns {
                match &holder[u] {
                    Some(first) if *first != name.path && name.path.starts_with("motions") => {
                        let message = format!(
                            "{} moves {}, which {first} holds already; let one of them go",
                            name.path,
                            nodes.describe(model, u)
                        );
                        self.report(&name.span, message);
                        break;
                    }
                    _ => holder[u] = Some(name.path.clone()),
                }
            }
        }
        for (id, (member, entry)) in model.members.iter().zip(&file.members).enumerate() {
            let loose = nodes
                .of_member(id)
                .iter()
                .flatten()
                .find(|&&u| holder[u].is_none());
            if let (None, Some(&u)) = (&member.properties, loose) {
                let message = format!(
                    "{} has no material and section, and {} is not held; give both, or hold all \
                     of the member by a support or motions in x, y and rotation",
                    entry.name.path,
                    nodes.describe(model, u)
                );
                self.report(&entry.name.span, message);
            }
        }
        if holder.iter().all(Option::is_some) {
            let points = listed(model.points.iter().map(|p| p.name.as_str()));
            let message = format!("nothing can move: all of {points} is held");
            self.report(&(0..0), message);
        }
    }
}
