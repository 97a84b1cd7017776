//! What time integration works with: room for one step, and what comes of one.

use super::events::Events;
use super::integrator::Integrator;
use crate::message::shown;
use crate::newton::Failure;
use crate::solve::events::rows::Rows;
use crate::solve::events::search::Search;
use crate::system::{Span, State, System};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(crate) integrator: Integrator,
    pub(crate) search: Search,
    pub(super) rows: Rows,
    /// When friction changed in the present step, s.
    pub(super) changed: f64,
    /// Motions that end with the part of a step that is taken.
    pub(super) releasing: Vec<bool>,
    /// What sliders did in the last communication step; kept only where it is [wanted](Events::want) before.
    pub events: Events,
    /// Instant from which on events end a communication step, s, on the model's clock; see `communication_step.rs`.
    pub(super) stop_after: f64,
    /// Where in the present step they have.
    pub(super) stopped: Option<Stopped>,
    /// The states at the beginning of the step and before a trial, to go back to.
    pub(super) begun: State,
    pub(super) untried: State,
}

/// Where in a step of the solver events have stopped it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stopped {
    Inside,
    AtEnd,
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

/// Looks at every solved part of a step, before the state that it begins with is replaced. The solution remains in the integrator.
pub(crate) type Watch<'a> = dyn FnMut(&mut Integrator, &State, &Solved) + 'a;

/// Why a step has not been taken.
pub(crate) enum Rejected {
    /// It may be with half its length.
    Retry(Failure),
    /// Its error is too large; that of a step of `length` (s) may not be.
    Inaccurate { length: f64 },
    /// A force has a kink inside it, where a step of `length` (s) ends.
    Kink { length: f64 },
    /// No other length helps.
    Final(StepFault),
}

impl Stepper {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Stepper {
        let initial = State::initial(system, &vec![0.0; system.model.inputs.len()]);
        Stepper {
            integrator: Integrator::new(system),
            search: Search::new(system),
            rows: Rows::new(system),
            changed: 0.0,
            releasing: vec![false; system.motions.len()],
            events: Events::default(),
            stop_after: f64::INFINITY,
            stopped: None,
            begun: initial.clone(),
            untried: initial,
        }
    }
}
