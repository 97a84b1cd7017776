//! What time integration works with: room for one step, and what comes of one.

use super::alpha::Weights;
use super::events::Events;
use super::movement::Movement;
use super::newton::{Corrections, Failure, Kinetics};
use super::scheme::Scheme;
use crate::joints::regime::End;
use crate::message::shown;
use crate::numerics::positions::Positions;
use crate::solve::events::crossing::Crossing;
use crate::solve::events::rows::{Impacts, Rows};
use crate::system::{Instant, Iterate, MassFactor, MotionState, State, System, Workspace};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(crate) at: Iterate,
    pub(crate) work: Workspace,
    pub(crate) corrections: Corrections,
    /// q₀ of [`Affine`].
    pub(crate) origin: Positions,
    /// Places that are put aside.
    pub(super) places: Positions,
    pub(crate) motions: Vec<MotionState>,
    pub(super) impacts: Impacts,
    pub(crate) rows: Rows,
    /// Length of the present step, s.
    pub(crate) length: f64,
    /// Length of the steps for which the state has a and v since generalized-α has begun anew in the present step, s.
    pub(super) paced: Option<f64>,
    /// The jerk there.
    pub(super) jerk: Vec<f64>,
    /// That of the start.
    pub(super) start_jerk: Vec<f64>,
    /// Forces without balance before inputs jump.
    pub(super) unleapt: Vec<f64>,
    /// How the unknowns move at the end of the step.
    pub(crate) end: Movement,
    /// Weights of generalized-α.
    pub(crate) alpha: Weights,
    /// How the present part of a step is integrated.
    pub(super) scheme: Scheme,
    /// Whether the present step has been halved so often that its length is not what it fails by.
    pub(super) halved: bool,
    /// Whether what slid is at rest in the solution that is in the iterate, because nothing else solves it.
    pub(super) jammed: bool,
    /// Whether the present step may be taken in halves for its energy.
    pub(super) divisible: bool,
    /// Whether it may be taken in halves at all.
    pub(super) halvable: bool,
    /// The most that a part of the present step leaves unexplained, as a share of what it may.
    pub(crate) share: f64,
    /// When friction changed in the present step, s.
    pub(super) changed: f64,
    /// Linear solutions since the last accepted step.
    pub(super) spent: u64,
    /// Closed contacts that may open in an event, and those that close in it.
    pub(crate) touching: Vec<bool>,
    /// Stops at which sliders stand.
    pub(super) stops: Vec<Option<End>>,
    pub(super) crossing: Crossing,
    pub(crate) events: Events,
    /// Motions that let go at the end of the part of a step that is taken.
    pub(super) releasing: Vec<bool>,
    /// The state at the beginning of a step that is taken in parts.
    pub(crate) begin: State,
    /// The state before a trial.
    pub(crate) kept: State,
    /// Whether the present step is taken in parts.
    pub(super) in_parts: bool,
}

/// A step that could not be taken. The state is the last accepted one, at [`State::time`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", shown(.message))]
pub struct StepFault {
    pub message: String,
}

/// What makes velocities or accelerations jump at the end of a substep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    None,
    /// A slider meets a stop or a kink.
    Impact,
    /// A slider begins to stick or to slide.
    Transition,
    /// A motion lets go.
    Release,
}

/// A substep whose solution is in the [`Stepper`].
pub(crate) struct Solved {
    /// Length of the substep, s.
    pub h: f64,
    pub end: Instant,
    /// What happens at its end.
    pub jump: Jump,
}

/// q̈ is an affine function of the positions, f (q − q₀): the time integration over a step, or the
/// springs that stand for the masses.
pub(crate) struct Affine<'a> {
    pub factor: f64,
    pub origin: &'a Positions,
}

impl Affine<'_> {
    /// Over a short step of length `h` and constant acceleration that would end at `origin` without one.
    pub fn short(h: f64, origin: &Positions) -> Affine<'_> {
        let factor = 2.0 / (h * h);
        Affine { factor, origin }
    }
}

impl Kinetics for Affine<'_> {
    fn mass_factor(&self) -> MassFactor {
        Some(self.factor)
    }

    fn update(&self, system: &System, at: &mut Iterate) {
        for &u in &system.unknown {
            at.acceleration[u] = at.driven[u].unwrap_or(self.factor * at.q.way(u, self.origin));
        }
    }
}

/// Why a step has not been taken.
pub(crate) enum Rejected {
    /// It may be with half its length.
    Retry(Failure),
    /// It leaves so many times the energy unexplained that it may.
    Coarse(f64),
    /// No length helps that it may have, but another scheme.
    Struck,
    /// No other length helps.
    Final(StepFault),
}

/// The rest of a step that is taken in parts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rest {
    /// s.
    pub length: f64,
    /// The end of the whole step.
    pub end: Instant,
}

impl Rest {
    /// The end of a part of `length` (s).
    pub fn until(&self, length: f64) -> Instant {
        Instant {
            time: self.end.time - (self.length - length),
            elapsed: self.end.elapsed - (self.length - length),
            elapsed_before: self.end.elapsed - self.length,
        }
    }
}

impl Stepper {
    /// The weights of the present scheme.
    pub(crate) fn weights(&self) -> Weights {
        self.scheme.weights(self.alpha)
    }

    /// Scratch space for `system`.
    pub fn new(system: &System) -> Stepper {
        let solver = &system.model.solver;
        Stepper {
            at: Iterate::new(system),
            work: Workspace::new(system),
            corrections: Corrections::new(system),
            origin: Positions::from(&system.initial[..system.nodal]),
            places: Positions::from(&system.initial[..]),
            motions: vec![MotionState::default(); system.motions.len()],
            impacts: Impacts::new(system),
            rows: Rows::new(system),
            length: 0.0,
            paced: None,
            jerk: vec![0.0; system.initial.len()],
            start_jerk: vec![0.0; system.initial.len()],
            unleapt: vec![0.0; system.nodal],
            end: Movement::of(system.initial.len()),
            alpha: Weights::new(solver.method, solver.spectral_radius),
            scheme: Scheme::Alpha,
            halved: false,
            jammed: false,
            divisible: false,
            halvable: false,
            share: 0.0,
            changed: 0.0,
            spent: 0,
            touching: vec![false; system.sliders.len()],
            stops: vec![None; system.sliders.len()],
            crossing: Crossing::new(system),
            events: Events::default(),
            releasing: vec![false; system.motions.len()],
            in_parts: false,
            begin: State::as_drawn(system, &vec![0.0; system.model.inputs.len()]),
            kept: State::as_drawn(system, &vec![0.0; system.model.inputs.len()]),
        }
    }

    /// What sliders did in the last communication step; kept only where it is
    /// [wanted](Events::want) before.
    pub fn events(&mut self) -> &mut Events {
        &mut self.events
    }
}
