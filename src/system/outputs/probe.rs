//! Outputs of probes between points and along members.

use super::{List, OfPoint, Source};
use crate::checked::{Direction, Member, MemberId, ProbeKind, Subject};
use crate::numerics::hypot::hypot;
use crate::numerics::lagrange::shape;
use crate::system::numbers::{Number, Numbers};
use crate::system::{State, System};

items! {
    /// What a [probe](crate::checked::Probe) finds.
    pub enum OfProbe of (model, id = usize) {
        let kind = model.probes[id].kind;
        let (quantity, words) = kind.meaning(model);
    }
    Value => {
        let item = at_positions("", quantity, words);
        match kind {
            ProbeKind::Rotation { point, .. } if model.rotations_at(point) == 1 => {
                item.same_as(OfPoint::Rotation.of(Subject::Point(point)))
            }
            _ => {
                let first = model.probes.iter().position(|p| p.kind == kind).unwrap_or(id);
                let item = item.same_as(OfProbe::Value.of(Subject::Probe(first)));
                match kind {
                    ProbeKind::Distance { .. } => item.place().never_negative(),
                    _ => item,
                }
            }
        }
    },
}

/// The outputs of all probes, in the order of the file.
pub(super) fn list(list: &mut List<'_>) {
    for (id, probe) in list.model.probes.iter().enumerate() {
        list.add(&format!("probes.{}", probe.name), "", OfProbe::Value.of(Subject::Probe(id)));
    }
}

impl OfProbe {
    pub(super) fn value<N: Numbers<State>>(
        self, system: &System, state: &N, id: usize,
    ) -> N::Number {
        Probe::of(system, system.model.probes[id].kind).value(|u| state.get(|s| s.q[u]))
    }

    pub(super) fn sources(self, system: &System, id: usize) -> Vec<Source> {
        let nodes = &system.nodes;
        let places = |points: [usize; 2]| points.into_iter().flat_map(|p| nodes.of_place(p));
        let unknowns: Vec<usize> = match system.model.probes[id].kind {
            ProbeKind::Deflection { point, from, member } => {
                places([point, from]).chain(nodes.rotation(from, member)).collect()
            }
            ProbeKind::Rotation { point, member } => {
                nodes.rotation(point, member).into_iter().collect()
            }
            ProbeKind::Distance { point, from } => places([point, from]).collect(),
            ProbeKind::Drift { point, from, direction } => {
                let axis = usize::from(direction != Direction::X);
                vec![nodes.of_place(point)[axis], nodes.of_place(from)[axis]]
            }
            ProbeKind::Chord { member, .. } => {
                nodes.of_member(member).iter().flat_map(|node| node.position).collect()
            }
            ProbeKind::Displacement { member, direction, .. } => {
                nodes.of_member(member).iter().map(|node| node.unknown(direction)).collect()
            }
        };
        unknowns.into_iter().map(Source::Unknown).collect()
    }
}

/// A probe of a mechanism.
#[derive(Clone, Copy)]
pub(crate) struct Probe<'a> {
    system: &'a System,
    kind: ProbeKind,
}

impl<'a> Probe<'a> {
    pub fn of(system: &'a System, kind: ProbeKind) -> Probe<'a> {
        Probe { system, kind }
    }

    /// What it finds where `place(u)` is the unknown u, a number or one with its derivatives.
    pub fn value<D: Number>(&self, place: impl Fn(usize) -> D) -> D {
        let (model, nodes, initial) =
            (&self.system.model, &self.system.nodes, &self.system.initial);
        let turn = |point: usize, member: Option<usize>| {
            let unknown = nodes.of_point(point, member, Direction::Rotation);
            unknown.map_or_else(D::zero, &place)
        };
        let between = |point: usize, from: usize| {
            let ([a, b], [c, d]) = (nodes.of_place(point), nodes.of_place(from));
            [place(a) - place(c), place(b) - place(d)]
        };
        match self.kind {
            ProbeKind::Deflection { point, from, member } => {
                let (sin, cos) = turn(from, member).sin_cos();
                // The line through `from` as it was initially, turned with the section.
                let [a, b] = [from, point].map(|p| model.points[p].position);
                let line = [b[0] - a[0], b[1] - a[1]];
                let length = hypot(line[0], line[1]);
                let [x, y] = between(point, from);
                let along = cos * line[0] - sin * line[1];
                let across = sin * line[0] + cos * line[1];
                (along * y - across * x) / length
            }
            ProbeKind::Rotation { point, member } => turn(point, member),
            ProbeKind::Distance { point, from } => {
                let [x, y] = between(point, from);
                (x * x + y * y).sqrt()
            }
            ProbeKind::Drift { point, from, direction } => {
                let axis = usize::from(direction != Direction::X);
                let moved = |point: usize| {
                    let u = nodes.of_place(point)[axis];
                    place(u) - initial[u]
                };
                moved(point) - moved(from)
            }
            ProbeKind::Displacement { member, at, direction } => {
                self.displacement(member, at, direction, place)
            }
            ProbeKind::Chord { member, at } => {
                let Member { from, to, .. } = model.members[member];
                let moved = [Direction::X, Direction::Y]
                    .map(|direction| self.displacement(member, at, direction, &place));
                let initial = self.initial_on(member, at);
                let start = nodes.of_place(from);
                let [x, y] = [0, 1].map(|i| moved[i] + initial[i] - place(start[i]));
                let [along, across] = between(to, from);
                let [a, b] = [from, to].map(|p| model.points[p].position);
                let line = [b[0] - a[0], b[1] - a[1]];
                let before = line[0] * (initial[1] - a[1]) - line[1] * (initial[0] - a[0]);
                let before = before / hypot(line[0], line[1]);
                (along * y - across * x) / along.hypot(across) - before
            }
        }
    }

    /// Where a member's material point was initially, m.
    fn initial_on(&self, member: MemberId, at: f64) -> [f64; 2] {
        let system = self.system;
        let (element, xi) = system.model.place_on_member(member, at);
        system.drawing().interpolate(member, element, xi, &system.initial).0
    }

    /// Displacement or rotation of a member's material point.
    fn displacement<D: Number>(
        &self, member: usize, at: f64, direction: Direction, place: impl Fn(usize) -> D,
    ) -> D {
        let (model, initial) = (&self.system.model, &self.system.initial);
        let described = &model.members[member];
        let (element, xi) = model.place_on_member(member, at);
        let first = element * described.order;
        let nodes = &self.system.nodes.of_member(member)[first..=first + described.order];
        let weights = shape(described.order, xi).value;
        nodes.iter().zip(weights).fold(D::zero(), |sum, (node, w)| {
            let u = node.unknown(direction);
            sum + (place(u) - initial[u]) * w
        })
    }
}
