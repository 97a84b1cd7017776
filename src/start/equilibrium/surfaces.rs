//! Equilibria of surfaces in contact: whether they are ones, and where faces lead to them.

use super::Statics;
use crate::joints::regime::Sense;
use crate::linear::FreeMotion;
use crate::newton::{Failure, Newton};
use crate::start::approach::approach;
use crate::surfaces::layer::Touch;
use crate::system::State;

/// Share of the largest acting force within which those along a path balance.
const BALANCED: f64 = 1e-6;

/// Rounding of the place of a point along its path, relative to the path's length.
const PATH_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// The shortest step on the way from one memory of points to another.
const SHORTEST: f64 = 1.0 / 1024.0;

impl Statics<'_> {
    /// Why the iterate is no equilibrium though its forces balance within the rounding of positions in what is stiff, about which the sum of
    /// them along a path knows nothing: what a contact leads is driven along it, or all that touches slips, and nothing resists there.
    pub(super) fn slides_away(&mut self, state: &State) -> Option<Failure> {
        let system = self.system;
        let allowed = BALANCED * self.newton.work.force_scale + self.rounding_of_friction();
        let driven = (0..system.surfaces.contacts.len()).find_map(|contact| {
            let moving = system.moving_with(contact, state).ok()?;
            let by = moving.along(&self.newton.work.residual).abs();
            (by > allowed).then_some(moving)
        });
        if let Some(moving) = driven {
            let interior = system.unknown.iter().map(|&u| moving.shape[u]);
            let motion = FreeMotion::new(interior.collect(), vec![0.0; system.border()]);
            return Some(Failure::Singular { motion });
        }
        if !(0..system.surfaces.contacts.len()).any(|contact| self.slips_one_way(contact, state)) {
            return None;
        }
        system.residual_and_tangent(&self.newton.at, &mut self.newton.work, None);
        self.newton.corrections.factor(&mut self.newton.work).err()
    }

    /// Whether all that touches of what moves with a contact slips the same way. Points that slip towards or away from each other hold what
    /// they bear: whichever way it goes, one of them turns back and sticks.
    fn slips_one_way(&self, contact: usize, state: &State) -> bool {
        let system = self.system;
        let senses = match system.moving_with(contact, state) {
            Ok(moving) => moving.senses,
            Err(_) => (0..system.surfaces.contacts.len())
                .map(|other| Sense::of(f64::from(u8::from(other == contact))))
                .collect(),
        };
        let points = self.newton.work.points.iter().zip(&system.surfaces.points);
        let ways = points.filter_map(|(found, point)| {
            match found.memory.touch {
                Touch::Open => None,
                Touch::Sticks => Some(0.0),
                Touch::Slips(sense) => Some(sense.sign() * senses[point.contact].sign()),
            }
            .filter(|_| senses[point.contact] != Sense::Neither)
        });
        let mut first = 0.0;
        for way in ways {
            if way == 0.0 || way * first < 0.0 {
                return false;
            }
            first = way;
        }
        first != 0.0
    }

    /// What rounding of s makes of the friction of all that touches, N.
    fn rounding_of_friction(&self) -> f64 {
        let system = self.system;
        let touching = (self.newton.work.points.iter().zip(&system.surfaces.points))
            .filter(|(found, _)| found.memory.touch.touches());
        let each = touching.map(|(_, point)| {
            let length = system.surfaces.contacts[point.contact].path.length();
            PATH_ROUNDING * length * point.layer.tangential
        });
        each.sum()
    }

    /// Whether `state` comes to rest where its surfaces have come to the faces of their guides, which nothing does that has clearance in
    /// statics.
    pub(super) fn reaches_faces(&mut self, state: &mut State) -> bool {
        let Statics { system, loads, fixed_sliders, .. } = *self;
        if system.surfaces.contacts.is_empty() {
            return false;
        }
        let put =
            |newton: &mut Newton, at: &State| newton.prepare(system, at, fixed_sliders, loads, 1.0);
        let came = approach(system, self.newton, state.clone(), None, put, |newton, at| {
            put(newton, at);
            newton.solve_static_from(system, state)
        });
        if came.is_ok() {
            self.newton.keep(system, state);
        }
        came.is_ok()
    }

    /// Solves for an equilibrium whose points remember what they do as `initial`, from `found`, another, to which they have slipped on the
    /// way there; whether there is one. What they remember is led from the one to the other.
    pub(super) fn reset_memory(&mut self, initial: &State, found: &State) -> bool {
        let mut known = found.q.clone();
        let (mut lambda, mut by) = (0.0_f64, 1.0);
        loop {
            let next = (lambda + by).min(1.0);
            self.put(initial);
            if next < 1.0 {
                let memories = initial.points.iter().zip(&found.points);
                for (own, (initial, found)) in self.newton.at.points.iter_mut().zip(memories) {
                    if found.touch.touches() {
                        own.touch = Touch::Sticks;
                        own.anchor = found.anchor + next * (initial.s - found.anchor);
                    }
                }
            }
            self.newton.at.q.copy_from(&known);
            if self.newton.solve_static(self.system).is_err() {
                by *= 0.5;
                if by < SHORTEST {
                    return false;
                }
            } else if next == 1.0 {
                return true;
            } else {
                known.copy_from(&self.newton.at.q);
                (lambda, by) = (next, 2.0 * by);
            }
        }
    }
}
