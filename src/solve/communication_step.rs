//! A communication step in which its host takes part: it may pause behind each of its steps, and end at the first event.
//!
//! A step that ends at an event is one whose communication step had ended there: what changes is resolved at that instant, as at any
//! other communication point, and what follows begins there. Two events are no place to stop: one at the very beginning of the
//! communication step, from which there would be no progress, and one that a step has found without cutting it, as where implicit
//! Euler says what sticks. The communication step then ends behind the step in which they have happened.

use super::integrator::Contents;
use super::plan::Plan;
use super::stepper::{StepFault, Stepper, Stopped, Watch};
use crate::system::{Rates, State, System};

/// A communication step under way.
#[derive(Debug)]
pub struct CommunicationStep {
    plan: Plan,
    /// Its beginning on the model's clock, s.
    start: f64,
    /// Time by which the state was ahead of it there, s.
    ahead: f64,
    /// Steps that had been taken before.
    steps: u64,
}

/// How far a communication step has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// Another step of the solver is taken.
    Step,
    /// It ends because of events, `early` if before its end.
    Event { early: bool },
    /// It has come to its end.
    End,
}

impl Stepper {
    /// Lets communication steps end at the first event after the instant `after` (s, on the model's clock), and behind the first
    /// step with earlier ones; an infinite one lets none of them stop. Events have to be [kept](super::Events::want).
    pub fn stop_at_events(&mut self, after: f64) {
        self.stop_after = after;
    }

    /// Begins a communication step of `state` from `start` over `length` (both s); `None` where it is at its end at once, as one of a
    /// rounding's length is.
    pub fn begin(
        &mut self, system: &System, state: &mut State, start: f64, length: f64,
    ) -> Option<CommunicationStep> {
        self.integrator.newton.corrections.solutions = 0;
        if state.is_unresolved(system, length) {
            self.events.begin(system, state);
            state.extrapolate_by(length);
            state.time = start + length;
            state.input_rates.fill(Rates::default());
            return None;
        }
        let (ahead, steps) = (state.extrapolated, state.counters.steps);
        let (from, whole) = state.go_back(start, length);
        state.exchange_stepped();
        self.integrator.contents = Contents::Nothing;
        self.integrator.newton.corrections.begin();
        self.events.begin(system, state);
        state.begin_signals(&system.model.inputs, whole);
        let plan = Plan::new(from, whole, state.step(), system.model.solver.max_halvings);
        self.jump_inputs(system, state, plan.step());
        Some(CommunicationStep { plan, start, ahead, steps })
    }

    /// Takes the next step of a communication step. At its end, or where events end it, `state` has the forces to report.
    ///
    /// # Errors
    /// As [`Stepper::advance`].
    pub fn go_on(
        &mut self, system: &System, state: &mut State, current: &mut CommunicationStep,
    ) -> Result<Progress, StepFault> {
        self.take_next(system, state, current, &mut |_, _, _| {})
    }

    pub(super) fn take_next(
        &mut self, system: &System, state: &mut State, current: &mut CommunicationStep,
        watch: &mut Watch<'_>,
    ) -> Result<Progress, StepFault> {
        let result = self.take_step(system, state, &mut current.plan, watch);
        if result.is_err() && state.counters.steps == current.steps {
            state.exchange_stepped();
            state.extrapolate_by(current.ahead);
            state.time = current.start;
        } else if result != Ok(Progress::Step) {
            self.integrator.report(system, state);
        }
        result
    }

    /// Gives `state` the forces to report between two steps of a communication step.
    pub fn pause(&mut self, system: &System, state: &mut State) {
        self.integrator.report(system, state);
    }

    /// Goes back to what the next step begins with, after [`Stepper::pause`].
    pub fn resume(&mut self, state: &mut State) {
        state.exchange_stepped();
    }

    /// Whether the communication step ends at the event at which `state` is, `inside` a step of the solver or at its end.
    pub(super) fn stops_at(&mut self, state: &State, inside: bool) -> bool {
        let stops = state.time > self.stop_after;
        if stops {
            self.stopped = Some(if inside { Stopped::Inside } else { Stopped::AtEnd });
        }
        stops
    }

    /// Ends the communication step behind a step with other events than the first `before`.
    pub(super) fn stop_after_events(&mut self, before: (usize, usize)) {
        if self.stop_after.is_finite() && self.stopped.is_none() && self.events.stop(before) {
            self.stopped = Some(Stopped::AtEnd);
        }
    }
}
