//! What time integration works with: room for one step, and what comes of one.

use super::alpha::Weights;
use super::events::Events;
use super::guess::Middle;
use super::movement::Movement;
use super::newton::{Corrections, Failure};
use super::scheme::Scheme;
use super::stage::Motion;
use crate::joints::regime::End;
use crate::message::shown;
use crate::numerics::positions::Positions;
use crate::solve::events::crossing::Crossing;
use crate::solve::events::rows::{Impacts, Rows};
use crate::system::{Iterate, MotionState, Span, State, System, Workspace};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(crate) at: Iterate,
    pub(crate) work: Workspace,
    pub(crate) corrections: Corrections,
    /// Where springs that stand for masses begin.
    pub(crate) origin: Positions,
    /// The motion in the present stage.
    pub(crate) motion: Motion,
    /// The end of the first of two stages.
    pub(crate) middle: Middle,
    /// Whether the step in the iterate has taken two.
    pub(crate) two_stages: bool,
    /// Whether the iterate is the solution with which the state has been reached.
    pub(super) at_end: bool,
    /// Whether the iterate has the accelerations and forces that were reported last.
    pub(crate) reported: bool,
    pub(crate) motions: Vec<MotionState>,
    pub(super) impacts: Impacts,
    pub(crate) rows: Rows,
    /// Forces without balance before inputs jump.
    pub(super) unleapt: Vec<f64>,
    /// How the unknowns move at the end of the step.
    pub(crate) end: Movement,
    /// Weights of generalized-α.
    pub(crate) alpha: Weights,
    /// How the present part of a step is integrated.
    pub(super) scheme: Scheme,
    /// Whether what slid is at rest in the solution that is in the iterate, because nothing else solves it.
    pub(super) jammed: bool,
    /// When friction changed in the present step, s.
    pub(super) changed: f64,
    /// Linear solutions since the last accepted step.
    pub(crate) spent: u64,
    /// Closed contacts that may open in an event, and those that close in it.
    pub(crate) touching: Vec<bool>,
    /// Stops at which sliders stand.
    pub(super) stops: Vec<Option<End>>,
    pub(super) crossing: Crossing,
    pub(crate) events: Events,
    /// Motions that let go at the end of the part of a step that is taken.
    pub(super) releasing: Vec<bool>,
    /// The state at the beginning of the step.
    pub(crate) begin: State,
    /// The state before a trial.
    pub(crate) kept: State,
}

/// A step that could not be taken. The state is the last accepted one, at [`State::time`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", shown(.message))]
pub struct StepFault {
    pub message: String,
}

/// What makes velocities or accelerations jump at the end of a part of a step.
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

/// A part of a step whose solution is in the [`Stepper`].
pub(crate) struct Solved {
    pub span: Span,
    /// What happens at its end.
    pub jump: Jump,
}

/// Why a step has not been taken.
pub(crate) enum Rejected {
    /// It may be with half its length.
    Retry(Failure),
    /// Another scheme gets through.
    Switch(Scheme),
    /// No other length helps.
    Final(StepFault),
}

impl Stepper {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Stepper {
        let solver = &system.model.solver;
        Stepper {
            at: Iterate::new(system),
            work: Workspace::new(system),
            corrections: Corrections::new(system),
            origin: Positions::from(&system.initial[..system.nodal]),
            motions: vec![MotionState::default(); system.motions.len()],
            impacts: Impacts::new(system),
            rows: Rows::new(system),
            motion: Motion::new(system),
            middle: Middle::new(system),
            two_stages: false,
            at_end: false,
            reported: false,
            unleapt: vec![0.0; system.nodal],
            end: Movement::of(system.initial.len()),
            alpha: Weights::new(solver.method, solver.spectral_radius),
            scheme: Scheme::Alpha,
            jammed: false,
            changed: 0.0,
            spent: 0,
            touching: vec![false; system.sliders.len()],
            stops: vec![None; system.sliders.len()],
            crossing: Crossing::new(system),
            events: Events::default(),
            releasing: vec![false; system.motions.len()],
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
