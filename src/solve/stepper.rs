//! What time integration works with: room for one step, and what comes of one.

use super::events::Events;
use super::guess::Middle;
use super::scheme::Scheme;
use crate::message::shown;
use crate::newton::kinetics::Motion;
use crate::newton::{Corrections, Failure};
use crate::numerics::positions::Positions;
use crate::solve::events::search::Search;
use crate::system::{Iterate, MotionState, Movement, Span, State, System, Workspace};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(crate) at: Iterate,
    pub(crate) work: Workspace,
    pub(crate) corrections: Corrections,
    /// What the iterate is.
    pub(crate) holds: Holds,
    /// Where springs that stand for masses begin.
    pub(crate) origin: Positions,
    /// The motion in the present stage.
    pub(crate) motion: Motion,
    /// The ends of the stages of a step but the last.
    pub(crate) middle: Vec<Middle>,
    /// How the unknowns move at the end of the step.
    pub(crate) end: Movement,
    pub(crate) motions: Vec<MotionState>,
    /// How the present part of a step is integrated.
    pub(super) scheme: Scheme,
    /// The search for events, and what happens at them.
    pub(crate) search: Search,
    /// What sliders did in the last communication step; kept only where it is [wanted](Events::want) before.
    pub events: Events,
    /// The states at the beginning of the step and before a trial, to go back to.
    pub(crate) begun: State,
    pub(crate) untried: State,
}

/// What the iterate of a [`Stepper`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Under way to a solution, or anything else.
    Nothing,
    /// The solution of a step; `jammed` where what slid is at rest in it, because nothing else solves it.
    Step { stages: bool, jammed: bool },
    /// The accelerations and forces that were reported last.
    Report,
}

/// A step that could not be taken. The state is the last accepted one, at [`State::time`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{}", shown(.0))]
pub struct StepFault(pub String);

/// What makes velocities or accelerations jump at the end of a part of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Jump {
    None,
    /// A slider meets a stop or a kink.
    Impact,
    /// A slider begins to stick or to slide.
    Transition,
    /// A motion ends.
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
    /// Its error is too large; that of a step of `length` (s) may not be.
    Inaccurate { length: f64 },
    /// A force has a kink inside it; that ends a step of `length` (s).
    Kink { length: f64 },
    /// No other length helps.
    Final(StepFault),
}

impl Stepper {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Stepper {
        let initial = State::initial(system, &vec![0.0; system.model.inputs.len()]);
        Stepper {
            at: Iterate::new(system),
            work: Workspace::new(system),
            corrections: Corrections::new(system),
            holds: Holds::Nothing,
            origin: Positions::from(&system.initial[..system.nodal]),
            motion: Motion::new(system),
            middle: Middle::of_stages(system),
            end: Movement::of(system.initial.len()),
            motions: vec![MotionState::default(); system.motions.len()],
            scheme: Scheme::Alpha,
            search: Search::new(system),
            events: Events::default(),
            begun: initial.clone(),
            untried: initial,
        }
    }
}
