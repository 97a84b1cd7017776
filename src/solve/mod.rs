//! From a state to the next: consistent start, generalized-α, Newton, statics.

use crate::system::{State, System, SystemFault};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug)]
pub struct Stepper {}

/// A step that could not be taken. The state is the last accepted one, at [`State::time`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct StepFault(pub String);

/// The consistent state at t = 0 for the given inputs (one per `Checked::inputs`).
///
/// # Errors
/// When the mechanism is singular or cannot start; the message says which part.
pub fn start(_system: &System, _inputs: &[f64]) -> Result<State, SystemFault> {
    unreachable!("skeleton")
}

impl Stepper {
    /// Scratch space for `system`.
    pub fn new(_system: &System) -> Stepper {
        Stepper {}
    }

    /// Advances `state` from `start` by `length` (both s, `length` > 0) in equal substeps no
    /// longer than the solver's step; time is `start + length·i/n`, never accumulated.
    ///
    /// # Errors
    /// When a substep does not converge at the smallest step; `state` is then the last accepted.
    pub fn advance(
        &mut self,
        _system: &System,
        _state: &mut State,
        _start: f64,
        _length: f64,
    ) -> Result<(), StepFault> {
        unreachable!("skeleton")
    }
}
