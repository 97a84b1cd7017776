//! Communication steps, and what a host of FMI 3.0 takes part in: events that end them, Event Mode, and calls back behind each step of
//! the solver.
//!
//! Where the host allows early return, a communication step ends at the first located event: see [`crate::solve`]. In Event Mode the
//! host learns of it, and may set parameters and inputs that act from there on. An input that is set in a call back acts from that
//! instant on, as at a communication point.

use std::ffi::CString;

use super::clock::Clock;
use super::happened::STOPS_IN_A_STEP;
use super::instance::Instance;
use super::interface::{Kind, Own, Role, Variability};
use super::mode::{Mode, Protocol};
use super::report::{Category, Refusal, Status};
use super::step_log::{StepLog, log_event};
use super::under_way::Stepping;
use crate::message::{figure, rounded};
use crate::solve::{self, Event, MOST_SUBSTEPS, StepFault, Stepper};
use crate::system::outputs::OfSolver;

/// How far a communication step has come.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Progress {
    /// The host is to be called back.
    Update,
    Done(Outcome),
}

/// How a communication step has ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Whether Event Mode is to follow.
    pub event: bool,
    /// Whether it ended before the end that the host has asked for.
    pub early: bool,
    /// The host's time that was reached, s.
    pub time: f64,
}

impl Instance {
    /// Advances from the communication point `current` by `length`, both s, without calling back.
    ///
    /// # Errors
    /// [`Status::Error`] when the times make no sense; [`Status::Discard`] when the step could not
    /// be finished: [`Instance::time`] is then what was reached.
    pub fn do_step(&mut self, current: f64, length: f64) -> Result<(), Refusal> {
        self.begin_step(current, length)?;
        while self.go_on()? == Progress::Update {}
        Ok(())
    }

    /// Begins a communication step from `current` over `length` (both s).
    ///
    /// # Errors
    /// When the times make no sense, or parameters that were tuned do not.
    pub fn begin_step(&mut self, current: f64, length: f64) -> Result<(), Refusal> {
        let built = self.built()?;
        self.check_times(current, length, built.step)?;
        self.memory.tune(&self.blueprint)?;
        self.begin_part(current, current + length, length)
    }

    /// Begins the part of a communication step from `from` to `end`, over `length` (all s).
    fn begin_part(&mut self, from: f64, end: f64, length: f64) -> Result<(), Refusal> {
        let built = self.built()?;
        let (system, memory) = (&built.system, &mut self.memory);
        let start = from - memory.start;
        memory.begin_last(start, length);
        let Some(state) = &mut memory.state else {
            return Err(Refusal::error("the mechanism has no start; initialize first"));
        };
        self.slopes.forget();
        memory.events.at_event = false;
        let begun = StepLog::of(&self.log, system, state);
        let steps = state.counters.steps;
        let stepper = self.stepper.get_or_insert_with(|| Stepper::new(system));
        stepper.events.recall(&memory.events.layers);
        stepper.events.want(self.host.version_3 || self.log.wants(Category::Events));
        stepper.stop_at_events(match self.host.early_return {
            true => memory.events.stop_after(start, state.step()),
            false => f64::INFINITY,
        });
        let current = stepper.begin(system, state, start, length);
        let whole = self.stepping.as_ref().map_or(end, |stepping| stepping.whole);
        let stepping =
            Stepping { current, end, whole, steps, begun, paused: false, changed: false };
        self.stepping = Some(stepping);
        Ok(())
    }

    /// Goes on until the host is to be called back, or to the end.
    ///
    /// # Errors
    /// [`Status::Discard`] when the step could not be finished.
    pub fn go_on(&mut self) -> Result<Progress, Refusal> {
        let built = self.built()?;
        if !self.take_up()? {
            return self.finish();
        }
        let (Some(stepping), Some(stepper), Some(state)) =
            (&mut self.stepping, &mut self.stepper, &mut self.memory.state)
        else {
            return Err(Refusal::error("no communication step is under way"));
        };
        let result = loop {
            let Some(current) = &mut stepping.current else {
                break Ok(solve::Progress::End);
            };
            match stepper.go_on(&built.system, state, current) {
                Ok(solve::Progress::Step) if self.host.updates => {
                    stepper.pause(&built.system, state);
                    stepping.paused = true;
                    self.memory.time = self.memory.start + state.time;
                    self.memory.mode = Mode::Intermediate;
                    if let Some(last) = &mut self.memory.last {
                        last.length = state.time - last.start;
                    }
                    self.slopes.forget();
                    return Ok(Progress::Update);
                }
                Ok(solve::Progress::Step) => {}
                result => break result,
            }
        };
        self.end_part(result)?;
        self.finish()
    }

    /// Takes the communication step up after a call back; whether anything is left of it.
    fn take_up(&mut self) -> Result<bool, Refusal> {
        let Some(stepping) = self.stepping.as_mut().filter(|stepping| stepping.paused) else {
            return Ok(true);
        };
        stepping.paused = false;
        if !stepping.changed {
            if let (Some(stepper), Some(state)) = (&mut self.stepper, &mut self.memory.state) {
                stepper.resume(state);
            }
            return Ok(true);
        }
        let end = stepping.end;
        self.end_part(Ok(solve::Progress::Step))?;
        let now = self.memory.time;
        if end > now {
            self.begin_part(now, end, end - now)?;
        }
        Ok(end > now)
    }

    /// Lets the communication step end at `time` (s), or at once where that has passed.
    pub fn return_at(&mut self, time: f64) {
        let now = self.memory.time;
        if let Some(stepping) = &mut self.stepping
            && time < stepping.end
        {
            stepping.end = time.max(now);
            stepping.changed = true;
        }
    }

    /// Looks at what a part of a communication step has brought, and logs it.
    fn end_part(&mut self, result: Result<solve::Progress, StepFault>) -> Result<(), Refusal> {
        let built = self.built()?;
        let (system, memory) = (&built.system, &mut self.memory);
        let (Some(stepping), Some(stepper), Some(state), Some(last)) =
            (&mut self.stepping, &mut self.stepper, &mut memory.state, &mut memory.last)
        else {
            return Err(Refusal::error("no communication step is under way"));
        };
        let begun = std::mem::replace(&mut stepping.begun, StepLog::of(&self.log, system, state));
        begun.report(&self.log, system, state, &stepper.events, memory.start);
        if self.host.version_3 {
            let events = &stepper.events;
            memory.events.add(events.list(), events.missed(), memory.start);
        }
        let layers = memory.events.layers.iter_mut().zip(stepper.events.layers());
        layers.for_each(|(own, now)| *own = *now);
        let result = result.map_err(|fault| fault.to_string()).and_then(|progress| {
            let tolerance = stepper.energy_of_tolerance(system);
            (memory.watch)
                .look(&self.log, system, state, tolerance, stepping.steps, memory.start)
                .inspect_err(|_| state.copy_from(&last.before))?;
            Ok(progress)
        });
        match result {
            Ok(progress) => {
                memory.time = match progress {
                    solve::Progress::End | solve::Progress::Event { early: false } => stepping.end,
                    solve::Progress::Step | solve::Progress::Event { early: true } => {
                        last.length = state.time - last.start;
                        memory.start + state.time
                    }
                };
                if matches!(progress, solve::Progress::Event { .. }) && memory.events.stopped() {
                    let text = format!(
                        "events chatter: at t = {} s the {STOPS_IN_A_STEP}th in {} s has ended a communication step; what follows so closely is \
                         reported once in this time",
                        rounded(memory.time, 10),
                        figure(state.step())
                    );
                    self.log.send(Status::Warning, Category::Warning, &text);
                }
                (memory.contacts).look(&self.log, system, stepper, memory.time);
                (memory.forces).look(&self.log, system, state, stepper, memory.time);
                (memory.bends).look(&self.log, system, state, memory.time);
                memory.last_step = Status::Ok;
                // An event of Model Exchange remains one.
                if memory.mode == Mode::Intermediate {
                    memory.mode = Mode::StepComplete;
                }
                Ok(())
            }
            Err(fault) => {
                // Not a bit of rounding where not even one substep succeeded.
                if state.counters.steps > stepping.steps {
                    memory.time = memory.start + state.time;
                }
                self.stepping = None;
                memory.last_step = Status::Discard;
                memory.mode = Mode::StepFailed;
                let mut text =
                    format!("{fault}\nlast successful time: {} s", rounded(memory.time, 10));
                if memory.start != 0.0 {
                    text += &format!(
                        " (t is the model's own clock, which was 0 at {} s)",
                        figure(memory.start)
                    );
                }
                memory.failure = Some(text.clone());
                Err(Refusal::discard(text))
            }
        }
    }

    /// How the communication step has ended.
    fn finish(&mut self) -> Result<Progress, Refusal> {
        let end = self.stepping.take().map_or(self.memory.time, |stepping| stepping.whole);
        let time = self.memory.time;
        let takes_part = self.memory.protocol == Protocol::CoSimulationWithEvents;
        if takes_part {
            self.note_jumps()?;
        }
        let event = takes_part && self.memory.events.now != self.memory.events.handled;
        Ok(Progress::Done(Outcome { event, early: time < end, time }))
    }

    /// Gives discrete outputs the values that they have since the last event.
    ///
    /// # Errors
    /// When the start cannot be computed.
    pub fn handle_events(&mut self) -> Result<(), Refusal> {
        for k in self.discrete_outputs() {
            self.memory.events.discrete[k] = self.value(Role::Output(k))?;
        }
        self.memory.events.handled = self.memory.events.now;
        Ok(())
    }

    /// Makes an event of each discrete output that has another value than at the last event that was handled, where no event accounts for it,
    /// as of the number of faces that a contact touches. The solver's counts go on without one.
    fn note_jumps(&mut self) -> Result<(), Refusal> {
        if self.memory.events.now != self.memory.events.handled {
            return Ok(());
        }
        let built = self.built()?;
        let time = self.memory.time - self.memory.start;
        for k in self.discrete_outputs() {
            let counts = OfSolver::counts(self.blueprint.checked().outputs[k].output);
            if counts || self.value(Role::Output(k))? == self.memory.events.discrete[k] {
                continue;
            }
            let (event, start) = (Event::of_output(k, time), self.memory.start);
            self.memory.events.add(&[event], 0, start);
            log_event(&self.log, &built.system, &event, start);
        }
        Ok(())
    }

    /// Places of the outputs that change in jumps.
    fn discrete_outputs(&self) -> Vec<usize> {
        let variables = self.blueprint.interface().variables().iter();
        let discrete = variables.filter(|v| v.variability == Variability::Discrete);
        let places = discrete.filter_map(|v| match v.role {
            Role::Output(k) => Some(k),
            _ => None,
        });
        places.collect()
    }

    /// Whether a discrete output is read as it was when the host handled the last event.
    pub(super) fn holds_outputs(&self) -> bool {
        self.memory.protocol == Protocol::CoSimulationWithEvents
            && !matches!(self.memory.mode, Mode::Instantiated | Mode::Initialization)
    }

    /// A variable that is no number of the model.
    pub(super) fn own_value(&self, own: Own) -> f64 {
        let memory = &self.memory;
        let events = if self.holds_outputs() { &memory.events.handled } else { &memory.events.now };
        match own {
            Own::Time if memory.protocol == Protocol::ModelExchange => memory.sampling.clock,
            Own::Time => memory.time,
            Own::Count => events.count as f64,
            Own::Instant => events.time,
            Own::What => 0.0,
        }
    }

    /// Reads texts, which stay what they are until others are read.
    ///
    /// # Errors
    /// When a value reference is unknown or of another type.
    pub fn texts(&mut self, references: &[u32]) -> Result<&[CString], Refusal> {
        for &reference in references {
            self.role(Kind::Text, reference)?;
        }
        // There is one text only.
        let text = match (references, &self.memory.built) {
            ([], _) | (_, None) => String::new(),
            (_, Some(built)) => match self.holds_outputs() {
                true => self.memory.events.handled.text(&built.system),
                false => self.memory.events.now.text(&built.system),
            },
        };
        let text = CString::new(text.replace('\0', " ")).unwrap_or_default();
        self.texts.clear();
        self.texts.resize(references.len(), text);
        Ok(&self.texts)
    }

    fn check_times(&self, current: f64, length: f64, substep: f64) -> Result<(), Refusal> {
        let memory = &self.memory;
        let clock = Clock { start: memory.start, time: memory.time, stop: self.stop };
        clock.check_step(current, length)?;
        if length / substep > f64::from(MOST_SUBSTEPS) {
            return Err(Refusal::error(format!(
                "communication step {} s with `solver.step` = {} s; \
                 allowed: up to {MOST_SUBSTEPS} solver steps in one communication step",
                figure(length),
                figure(substep)
            )));
        }
        Ok(())
    }
}
