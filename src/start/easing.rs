//! Statics of contacts of surfaces by continuation in their friction and the stiffness of their contact layers.
//!
//! From rest Newton's method does not find which of many points with stiff contact layers touch, stick and slip: it goes to and fro. With
//! soft contact layers a slider sinks in evenly, and with much friction all that touches sticks, or without any all slides. From there
//!
//! ```text
//! k → k f_k^(1−λ),    μ → μ f_μ^(1−λ)  (λ μ where f_μ = 0),    λ = 0 … 1
//! ```
//!
//! leads to the contact as it is, by steps of λ that are halved where they are too long. What the points remember stays that of the
//! beginning on the whole way, so that its end is a solution like any other.

use crate::joints::regime::Sense;
use crate::linear::FreeMotion;
use crate::newton::{Failure, Newton};
use crate::numerics::positions::Positions;
use crate::surfaces::layer::Touch;
use crate::system::{ContinuationFactors, State, System};

/// The ways in, of what finds itself what sticks and slips: much friction, much friction and soft contact layers, soft contact layers, much friction
/// and stiff contact layers.
pub(super) const TO_STICK: [ContinuationFactors; 4] = [
    ContinuationFactors { stiffness: 1.0, friction: 1e3 },
    ContinuationFactors { stiffness: 1e-3, friction: 1e3 },
    ContinuationFactors { stiffness: 1e-3, friction: 1.0 },
    ContinuationFactors { stiffness: 1e3, friction: 1e3 },
];

/// Without friction.
pub(crate) const SMOOTH: ContinuationFactors =
    ContinuationFactors { stiffness: 1.0, friction: 0.0 };

/// Continuation factors towards steady sliding in one sense.
pub(crate) const TO_SLIDE: [ContinuationFactors; 3] = [
    SMOOTH,
    ContinuationFactors { stiffness: 1e-3, friction: 0.0 },
    ContinuationFactors { stiffness: 1e-3, friction: 1.0 },
];

/// The first step of λ, and the shortest.
const FIRST: f64 = 0.25;
const SHORTEST: f64 = 1.0 / 1024.0;

/// Share of the largest acting force within which those along a path balance.
const BALANCED: f64 = 1e-6;

/// Rounding of the place of a point along its path, relative to the path's length.
const PATH_ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Largest number of solutions of one continuation.
const MAX_SOLUTIONS: usize = 200;

impl ContinuationFactors {
    /// That at λ on the way from here to a contact as it is.
    fn towards(self, lambda: f64) -> ContinuationFactors {
        let of = |factor: f64| match factor {
            0.0 => lambda,
            _ => factor.powf(1.0 - lambda),
        };
        ContinuationFactors { stiffness: of(self.stiffness), friction: of(self.friction) }
    }
}

impl Newton {
    /// Puts the iterate on a way, and where a solution is known there, at that.
    pub(crate) fn begin_with(&mut self, factors: ContinuationFactors, known: Option<&Positions>) {
        self.at.factors = factors;
        if let Some(q) = known {
            self.at.q.copy_from(q);
        }
    }

    /// A solution directly or else by one of the `ways`; it is then in the iterate. `solve` finds one from where the iterate
    /// begins, with continuation factors and perhaps positions to begin at.
    ///
    /// # Errors
    /// The failure without a continuation.
    pub(crate) fn solve_easing(
        &mut self, system: &System, ways: &[ContinuationFactors],
        mut solve: impl FnMut(
            &mut Newton,
            ContinuationFactors,
            Option<&Positions>,
        ) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let direct = solve(self, ContinuationFactors::default(), None);
        if direct.is_ok() || system.surfaces.contacts.is_empty() {
            return direct;
        }
        match ways.iter().any(|way| self.follows(*way, None, &mut solve)) {
            true => Ok(()),
            false => direct,
        }
    }

    /// Whether a way leads to a solution, `from` somewhere.
    pub(crate) fn follows(
        &mut self, way: ContinuationFactors, from: Option<&Positions>,
        solve: &mut impl FnMut(
            &mut Newton,
            ContinuationFactors,
            Option<&Positions>,
        ) -> Result<(), Failure>,
    ) -> bool {
        if solve(self, way, from).is_err() {
            return false;
        }
        let mut known = self.at.q.clone();
        let (mut lambda, mut by) = (0.0_f64, FIRST);
        for _ in 0..MAX_SOLUTIONS {
            let next = (lambda + by).min(1.0);
            if solve(self, way.towards(next), Some(&known)).is_err() {
                by *= 0.5;
                if by < SHORTEST {
                    return false;
                }
                continue;
            }
            if next == 1.0 {
                return true;
            }
            known.copy_from(&self.at.q);
            (lambda, by) = (next, 2.0 * by);
        }
        false
    }

    /// Why the iterate is no equilibrium though its forces balance within the rounding of positions in what is stiff, about which the sum of
    /// them along a path knows nothing: what a contact leads is driven along it, or all that touches slips, and nothing holds it there.
    pub(super) fn slides_away(&mut self, system: &System, state: &State) -> Option<Failure> {
        let allowed = BALANCED * self.work.force_scale + self.rounding_of_friction(system);
        let driven = (0..system.surfaces.contacts.len()).find_map(|contact| {
            let moving = system.moving_with(contact, state).ok()?;
            let by = moving.along(&self.work.residual).abs();
            (by > allowed).then_some(moving)
        });
        if let Some(moving) = driven {
            let interior = system.unknown.iter().map(|&u| moving.shape[u]);
            let motion = FreeMotion::new(interior.collect(), vec![0.0; system.border()]);
            return Some(Failure::Singular { motion });
        }
        if !(0..system.surfaces.contacts.len())
            .any(|contact| self.slips_one_way(system, contact, state))
        {
            return None;
        }
        system.residual_and_tangent(&self.at, &mut self.work, None);
        self.corrections.factor(&mut self.work).err()
    }

    /// Whether all that touches of what moves with a contact slips the same way. Points that slip towards or away from each other hold what
    /// they bear: whichever way it goes, one of them turns back and sticks.
    fn slips_one_way(&self, system: &System, contact: usize, state: &State) -> bool {
        let senses = match system.moving_with(contact, state) {
            Ok(moving) => moving.senses,
            Err(_) => (0..system.surfaces.contacts.len())
                .map(|other| Sense::of(f64::from(u8::from(other == contact))))
                .collect(),
        };
        let points = self.work.points.iter().zip(&system.surfaces.points);
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
    fn rounding_of_friction(&self, system: &System) -> f64 {
        let touching = (self.work.points.iter().zip(&system.surfaces.points))
            .filter(|(found, _)| found.memory.touch.touches());
        let each = touching.map(|(_, point)| {
            let length = system.surfaces.contacts[point.contact].path.length();
            PATH_ROUNDING * length * point.layer.tangential
        });
        each.sum()
    }

    /// Whether `state` comes to rest where its surfaces have come to the faces of their guides, which nothing does that has clearance in
    /// statics.
    pub(super) fn comes_to_faces(
        &mut self, system: &System, state: &mut State, put: impl Fn(&mut Newton, &State) + Copy,
    ) -> bool {
        if system.surfaces.contacts.is_empty() {
            return false;
        }
        let came = self.approach(system, state.clone(), None, put, |newton, at| {
            put(newton, at);
            newton.solve_static_from(system, state)
        });
        if came.is_ok() {
            self.keep(system, state);
        }
        came.is_ok()
    }

    /// Solves for an equilibrium whose points remember what they do as `drawn`, from `found`, another, to which they have slipped on the
    /// way there; whether there is one. What they remember is led from the one to the other.
    pub(super) fn forget(
        &mut self, system: &System, (drawn, found): (&State, &State),
        put: impl Fn(&mut Newton, &State),
    ) -> bool {
        let mut known = found.q.clone();
        let (mut lambda, mut by) = (0.0_f64, 1.0);
        loop {
            let next = (lambda + by).min(1.0);
            put(self, drawn);
            if next < 1.0 {
                let memories = drawn.points.iter().zip(&found.points);
                for (own, (drawn, found)) in self.at.points.iter_mut().zip(memories) {
                    if found.touch.touches() {
                        own.touch = Touch::Sticks;
                        own.anchor = found.anchor + next * (drawn.s - found.anchor);
                    }
                }
            }
            self.at.q.copy_from(&known);
            if self.solve_static(system).is_err() {
                by *= 0.5;
                if by < SHORTEST {
                    return false;
                }
            } else if next == 1.0 {
                return true;
            } else {
                known.copy_from(&self.at.q);
                (lambda, by) = (next, 2.0 * by);
            }
        }
    }
}
