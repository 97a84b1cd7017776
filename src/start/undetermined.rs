//! Initial velocities that nothing determines, in the words in which the model file takes them.

use super::given::Given;
use super::velocities::Velocities;
use crate::checked::{Direction, PointId};
use crate::linear::FreeMotion;
use crate::message::rounded;
use crate::system::{SingularMotion, System, SystemFault};

/// Most velocities that a message asks for.
const MOST: usize = 6;

/// Share of what a rotation moves at the distance of the mechanism's size from which a translation is asked for in its place.
const TRANSLATES: f64 = 0.2;

/// Share of the largest velocity of a free motion above which a point moves in it, and from which on two are as large.
const MOVES: f64 = 1e-3;
const AS_LARGE: f64 = 0.999;

/// A velocity that \[initial.points\] may give.
#[derive(Clone, Copy)]
struct Settable {
    point: PointId,
    direction: Direction,
    unknown: usize,
}

impl Velocities<'_> {
    /// What the model file may give so that the motions with these `rates` and the `imposed` velocities determine all others; `motion` is free.
    pub(super) fn undetermined(
        &mut self, rates: &[f64], imposed: Vec<Given>, motion: FreeMotion,
    ) -> SystemFault {
        let system = self.system;
        let free = SingularMotion::of(system, &motion).moving().join(" with ");
        let begins = "velocities = \"rigid_mechanism\": the motions do not determine all velocities at t = 0";
        let Some(missing) = self.missing(rates, imposed, motion) else {
            return SystemFault(format!(
                "{begins}, that of {free} is free; give those of points that move in it under [initial.points], or take velocities = \"rest\""
            ));
        };
        let name = |one: &Settable| system.model.name_of_unknown(one.unknown, &system.nodes);
        let names: Vec<String> = missing.iter().map(name).collect();
        let are = if names.len() == 1 { "is" } else { "are" };
        let lines: Vec<String> = missing.iter().map(|one| one.line(system)).collect();
        SystemFault(format!(
            "{begins}: {} {are} free{}; write under [initial.points] {}, or other velocities, or take velocities = \"rest\"",
            names.join(" and "),
            clearances(system, &missing),
            lines.join(" and "),
        ))
    }

    /// Velocities of points that determine all others, one after the other in what is still free.
    fn missing(
        &mut self, rates: &[f64], mut imposed: Vec<Given>, mut motion: FreeMotion,
    ) -> Option<Vec<Settable>> {
        let system = self.system;
        let settable = self.settable();
        let mut missing = Vec::new();
        while missing.len() < MOST {
            let one = most_moved(system, &settable, &motion)?;
            missing.push(one);
            imposed.push(Given::of(system, one.unknown, 0.0));
            if self.least_motion(rates, &imposed).is_ok() {
                return Some(missing);
            }
            motion = self.newton.work.matrix.free_motion();
        }
        None
    }

    /// Velocities of points with a name that nothing prescribes.
    fn settable(&self) -> Vec<Settable> {
        let (system, driven) = (self.system, &self.newton.at.driven);
        let model = &system.model;
        let points = (0..model.points.len()).filter(|&point| !model.points[point].is_nameless());
        let all = points.flat_map(|point| {
            let directions = [Direction::X, Direction::Y, Direction::Rotation].into_iter();
            directions.filter_map(move |direction| {
                let turns = direction == Direction::Rotation;
                let one = !turns || model.turns_as_one(point);
                let unknown = system.nodes.of_point(point, None, direction).filter(|_| one)?;
                let free = system.equation.has(unknown) && driven[unknown].is_none();
                free.then_some(Settable { point, direction, unknown })
            })
        });
        all.collect()
    }
}

/// The first of the points that move most in a free motion; a translation where there is one that is not small.
fn most_moved(system: &System, settable: &[Settable], motion: &FreeMotion) -> Option<Settable> {
    let size = |one: &Settable| {
        let equation = system.equation.of(one.unknown);
        let arm = if system.is_rotation[one.unknown] { system.size } else { 1.0 };
        equation.map_or(0.0, |e| arm * motion.interior[e].abs())
    };
    let largest = motion.interior.iter().zip(&system.unknown).map(|(v, &u)| {
        let arm = if system.is_rotation[u] { system.size } else { 1.0 };
        arm * v.abs()
    });
    let least = MOVES * largest.fold(0.0, f64::max);
    let first = |turns: bool| {
        let own = settable.iter().filter(|one| system.is_rotation[one.unknown] == turns);
        let most = own.clone().map(size).fold(0.0, f64::max);
        let mut own = own.filter(|one| size(one) >= AS_LARGE * most);
        own.next().filter(|_| most > least).map(|one| (*one, most))
    };
    match [first(false), first(true)] {
        [Some((moved, way)), Some((_, turned))] if way >= TRANSLATES * turned => Some(moved),
        [moved, turned] => turned.or(moved).map(|(one, _)| one),
    }
}

/// Contacts between whose faces that moves, in words.
fn clearances(system: &System, missing: &[Settable]) -> String {
    let model = &system.model;
    let contacts = model.rigid_contacts.iter().filter(|contact| {
        let mut surface = contact.surface.iter().map(|part| part.belongs_to(model));
        surface.any(|part| missing.iter().any(|one| model.parts_at(one.point).contains(&part)))
    });
    let reasons: Vec<String> = contacts
        .map(|contact| {
            let clearance = rounded(contact.guide.clearance, 3);
            format!("contacts.{} leaves a clearance of {clearance} m", contact.name)
        })
        .collect();
    match reasons.is_empty() {
        true => String::new(),
        false => format!(", since {}", reasons.join(" and ")),
    }
}

impl Settable {
    /// The velocity 0 as the model file has it under \[initial.points\].
    fn line(&self, system: &System) -> String {
        let key = match self.direction {
            Direction::X => "vx",
            Direction::Y => "vy",
            Direction::Rotation => "rotation_rate",
        };
        format!("`{}.{key} = 0.0`", system.model.points[self.point].name)
    }
}
