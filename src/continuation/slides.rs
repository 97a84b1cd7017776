//! Whether a surface begins to slide where a path of equilibria ends.
//!
//! A surface breaks away point by point. With one point that sticks it is held, and where the last of them has reached the limit of its
//! friction nothing is that resists more of what drives it: there the path ends, and the surface slides as a whole.

use crate::joints::regime::Sense;
use crate::surfaces::layer::{Motion, Touch};
use crate::system::{State, System};

/// Share of the limit of friction from which on a point is at it.
const AT_LIMIT: f64 = 0.999;

/// Share of the largest normal force of a contact below which a point bears nothing.
const BEARS_NOTHING: f64 = 1e-9;

/// How near the surfaces of a mechanism are to sliding in an equilibrium.
pub(super) struct Breakaway<'a> {
    system: &'a System,
    state: &'a State,
    /// Normal force of each point of contacts, N.
    normals: Vec<f64>,
}

impl<'a> Breakaway<'a> {
    /// Of the surfaces of a `system` in the equilibrium `state`.
    pub fn of(system: &'a System, state: &'a State) -> Breakaway<'a> {
        let found = system.surfaces.kinematics_of_points(&state.q, &state.points);
        let normals = found.iter().map(|at| at.normal()).collect();
        Breakaway { system, state, normals }
    }

    /// A contact whose surface is about to slide as a whole: friction of all that presses, of all contacts
    /// whose surfaces move with it, is at its limit the same way.
    pub fn of_surface(&self) -> Option<usize> {
        (0..self.system.surfaces.contacts.len()).find(|&contact| {
            let ways = self.senses_of(contact);
            let first = ways.first().copied().flatten();
            first.is_some_and(|way| way != 0.0 && ways.iter().all(|other| *other == Some(way)))
        })
    }

    /// A contact at one of whose points friction is about to break away by so much that it slides with less: an
    /// equilibrium without it may be far away.
    pub fn of_point(&self) -> Option<usize> {
        let Breakaway { system, state, .. } = *self;
        let point = (system.surfaces.points.iter().enumerate()).find(|&(i, point)| {
            let memory = &state.points[i];
            let kind = system.surfaces.contacts[point.contact].friction;
            if memory.touch != Touch::Sticks || !(kind.acts && kind.sticks) {
                return false;
            }
            let n = self.normals[i];
            let law = system.surfaces.law_of_point(i, &state.tuning, &[]).friction;
            let held = point.layer.static_force(law, n);
            let slides = self.sliding_force(i);
            memory.friction.abs() >= AT_LIMIT * held && slides.abs() < AT_LIMIT * held
        });
        point.map(|(_, point)| point.contact)
    }

    /// Which way friction is at its limit at each point that presses of what moves with a contact, 1 or −1 as that contact sees it; none
    /// where it is not.
    fn senses_of(&self, contact: usize) -> Vec<Option<f64>> {
        let Breakaway { system, state, normals } = self;
        let senses = match system.moving_with(contact, state) {
            Ok(moving) => moving.senses,
            // On a path that is not straight all that is known to move with it is itself.
            Err(_) => (0..system.surfaces.contacts.len())
                .map(|other| Sense::of(f64::from(u8::from(other == contact))))
                .collect(),
        };
        let slips = |other: usize| {
            let kind = system.surfaces.contacts[other].friction;
            kind.acts && kind.sticks && senses[other] != Sense::Neither
        };
        let largest = normals.iter().fold(0.0_f64, |most, n| most.max(*n));
        (system.surfaces.points.iter().enumerate())
            .filter(|&(i, point)| slips(point.contact) && normals[i] > BEARS_NOTHING * largest)
            .map(|(i, point)| {
                let sense = self.sense_at_limit(i)?;
                Some(sense.sign() * senses[point.contact].sign())
            })
            .collect()
    }

    /// The sense in which point `i` slides, or would with next to nothing more.
    fn sense_at_limit(&self, i: usize) -> Option<Sense> {
        let memory = &self.state.points[i];
        match memory.touch {
            Touch::Open => None,
            Touch::Slips(sense) => Some(sense),
            Touch::Sticks => {
                let slides = self.sliding_force(i);
                let at_limit = memory.friction.abs() >= AT_LIMIT * slides.abs();
                at_limit.then_some(Sense::of(memory.friction))
            }
        }
    }

    /// Friction of point `i` if it slid the way that friction resists, N.
    fn sliding_force(&self, i: usize) -> f64 {
        let (memory, surfaces) = (&self.state.points[i], &self.system.surfaces);
        let law = surfaces.law_of_point(i, &self.state.tuning, &[]);
        let motion = Motion { normal_force: self.normals[i], s: memory.s, velocity: 0.0 };
        let sense = Sense::of(memory.friction);
        surfaces.points[i].layer.slide(&law, &motion, sense).force
    }
}
