//! What the time integration of a part of a step works with.

use super::guess::Middle;
use super::scheme::Scheme;
use super::tolerances::{EVENT_ROUNDING, EVENT_SHARPNESS};
use crate::newton::Newton;
use crate::newton::kinetics::Motion;
use crate::system::{MotionState, Movement, System};

/// Integrates a part of a step, and finds accelerations and forces at an instant: scratch space, which holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub(crate) struct Integrator {
    pub newton: Newton,
    /// What its iterate is.
    pub contents: Contents,
    /// How the present part of a step is integrated.
    pub scheme: Scheme,
    /// The motion in the present stage.
    pub motion: Motion,
    /// The ends of the stages of a step but the last.
    pub middle: Vec<Middle>,
    /// How the unknowns move at the end of the step.
    pub end: Movement,
    /// The imposed motions there.
    pub motions: Vec<MotionState>,
}

/// What the iterate is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Under way to a solution, or anything else.
    Nothing,
    /// The solution of a step; `jammed` where what slid is at rest in it, because nothing else solves it.
    Step { stages: bool, jammed: bool },
    /// The accelerations and forces that were reported last.
    Report,
}

impl Integrator {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Integrator {
        Integrator {
            newton: Newton::new(system),
            contents: Contents::Nothing,
            scheme: Scheme::Alpha,
            motion: Motion::new(system),
            middle: Middle::of_stages(system),
            end: Movement::of(system.initial.len()),
            motions: vec![MotionState::default(); system.motions.len()],
        }
    }

    /// Share of a step to which the place of an event is found.
    pub(crate) fn event_sharpness(&self) -> f64 {
        match self.newton.corrections.to_rounding {
            true => EVENT_ROUNDING,
            false => EVENT_SHARPNESS,
        }
    }
}
