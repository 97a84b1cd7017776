//! Model Exchange: the mechanism as a sampled block in the equations of the host.
//!
//! It has no continuous states. Its instants are t_k = t₀ + k H with the host's start time t₀ and
//! the model's `experiment.communication_step` H, each of which is a time event. The first
//! `fmi2NewDiscreteStates` at or after t_k advances the mechanism to it, with its own solver, exactly
//! as a communication step from t_(k−1) to t_k would. Until the next one outputs hold, or, with
//! `experiment.extrapolation_order` 1, real outputs are extrapolated with their rates: y(t) = y_k + (t − t_k) ẏ_k.
//!
//! Inputs are sampled too. One that is held over a step acts from t_k to t_(k+1) with the last value
//! that the host has set while its clock was that of the event; one that is reconstructed (`linear`,
//! `cubic`) runs to the value that is set when the mechanism advances, so it is not late. What the
//! host sets in between, as its integrator tries times, is read back and has no effect.
//!
//! A host may come to an event late: the mechanism still advances to t_k, and if whole intervals were
//! missed, to the last instant that has passed. It may come early by rounding.

use super::clock::{GAP_TOLERANCE, TIME_TOLERANCE};
use super::instance::Instance;
use super::interface::Role;
use super::mode::{Mode, Protocol};
use super::report::{Refusal, Status};
use crate::checked::{Output, Reconstruction};
use crate::message::figure;
use crate::system::{StateWithRates, System, TimeDerivatives};

/// Instants that a host may pass without an event: one more, and it does not know of them.
const MAX_MISSED: f64 = 1000.0;

fn none_of(count: usize) -> Result<(), Refusal> {
    if count == 0 {
        return Ok(());
    }
    Err(Refusal::error(format!(
        "an array for {count} continuous states; the mechanism is a sampled block and has none, allowed: 0"
    )))
}

impl Instance {
    /// Takes the host's independent variable.
    ///
    /// # Errors
    /// When the time is not finite or lies before the instant at which the mechanism stands.
    pub fn set_time(&mut self, time: f64) -> Result<(), Refusal> {
        if !time.is_finite() {
            return Err(Refusal::error(format!(
                "time {} s; allowed: a finite number",
                figure(time)
            )));
        }
        if self.memory.mode == Mode::Instantiated {
            self.memory.start = time;
            self.memory.time = time;
            self.memory.sampling.begin(time);
            return Ok(());
        }
        let rounding = self.rounding(time)?;
        if time < self.memory.time - rounding {
            return Err(Refusal::error(format!(
                "time {} s, but the mechanism is at {} s, the last sampled instant; \
                 allowed: times from there on, or an earlier state with fmi2SetFMUstate",
                figure(time),
                figure(self.memory.time)
            )));
        }
        self.memory.sampling.clock = time;
        Ok(())
    }

    /// Advances the mechanism to the last instant that the host's clock has reached, if it does not
    /// stand there already; the time of the next one, s. Calling it again changes nothing.
    ///
    /// # Errors
    /// When the host's clock is too far ahead, which it may set back; or when the mechanism cannot be advanced: then
    /// [`Instance::time`] is what was reached, values stay readable, and only a reset or an earlier state helps.
    pub fn new_discrete_states(&mut self) -> Result<f64, Refusal> {
        let step = self.interval()?;
        let (start, clock) = (self.memory.start, self.memory.sampling.clock);
        let passed = ((clock - start + self.rounding(clock)?) / step).floor();
        let instant = self.memory.sampling.instant;
        if passed - instant > MAX_MISSED + 1.0 {
            return Err(Refusal::error(format!(
                "time {} s, but the next event is at {} s and another every {} s; allowed: to miss up to {MAX_MISSED} events. \
                 Set the time of the event, which fmi2NewDiscreteStates returns as nextEventTime",
                figure(clock),
                figure(start + (instant + 1.0) * step),
                figure(step)
            )));
        }
        if passed > instant {
            let (time, end) = (self.memory.time, start + passed * step);
            self.hand_over_inputs(|how| how != Reconstruction::Hold);
            if let Err(refusal) = self.do_step(time, end - time) {
                return Err(self.stuck(refusal));
            }
            // The instant itself, without the rounding of the difference.
            self.memory.time = end;
            self.memory.sampling.instant = passed;
            self.memory.sampling.sampled = clock;
            self.hand_over_inputs(|_| true);
        }
        Ok(start + (self.memory.sampling.instant + 1.0) * step)
    }

    /// Whether the host has passed an instant without an event, as hosts without time events do.
    ///
    /// # Errors
    /// When the parameters do not fit each other.
    pub fn completed_integrator_step(&mut self) -> Result<bool, Refusal> {
        let next = self.memory.start + (self.memory.sampling.instant + 1.0) * self.interval()?;
        let clock = self.memory.sampling.clock;
        Ok(clock >= next - self.rounding(clock)?)
    }

    /// Accepts an array of `count` continuous states, of which there are none.
    ///
    /// # Errors
    /// When there should be any.
    pub fn set_states(
        &mut self, count: usize, _value: impl Fn(usize) -> f64,
    ) -> Result<(), Refusal> {
        none_of(count)
    }

    /// As [`Instance::set_states`].
    ///
    /// # Errors
    /// When there should be any.
    pub fn states(&mut self, count: usize, _put: impl FnMut(usize, f64)) -> Result<(), Refusal> {
        none_of(count)
    }

    /// As [`Instance::set_states`].
    ///
    /// # Errors
    /// When there should be any.
    pub fn derivatives(
        &mut self, count: usize, _put: impl FnMut(usize, f64),
    ) -> Result<(), Refusal> {
        none_of(count)
    }

    /// As [`Instance::set_states`].
    ///
    /// # Errors
    /// When there should be any.
    pub fn nominals(&mut self, count: usize, _put: impl FnMut(usize, f64)) -> Result<(), Refusal> {
        none_of(count)
    }

    /// How long after the instant at which the mechanism stands real outputs are to be read, s: 0 where they hold, and
    /// for a host that is late by rounding alone.
    ///
    /// # Errors
    /// When the parameters do not fit each other.
    pub(super) fn ahead(&mut self) -> Result<f64, Refusal> {
        let memory = &self.memory;
        let (clock, ahead) = (memory.sampling.clock, memory.sampling.clock - memory.time);
        // After an error the state itself is what helps to find the cause.
        let stands = memory.protocol != Protocol::ModelExchange || memory.mode == Mode::Error;
        if stands || ahead <= 0.0 {
            return Ok(0.0);
        }
        let built = self.built()?;
        let holds = built.system.model().experiment.extrapolation_order == 0;
        if holds || ahead <= self.rounding(clock)? {
            return Ok(0.0);
        }
        Ok(ahead)
    }

    /// A real output `ahead` seconds after the instant at which the mechanism stands, on the line of its rate there. One
    /// that is never below 0 stays so; one whose rate is not finite holds.
    pub(super) fn extrapolated(
        &mut self, reference: u32, output: usize, ahead: f64,
    ) -> Result<f64, Refusal> {
        let value = self.value(Role::Output(output))?;
        let built = self.built()?;
        let output = built.system.model().outputs[output].output;
        let rate = self.rate(&built.system, reference, output)?;
        let variable = self.blueprint.interface().get(reference);
        let least = variable.and_then(|v| v.range[0]);
        let value = value + ahead * rate;
        Ok(match least {
            Some(least) if value < least => least,
            _ => value,
        })
    }

    /// Rate of an output at the instant at which the mechanism stands; 0 where it has no finite one.
    fn rate(&mut self, system: &System, reference: u32, output: Output) -> Result<f64, Refusal> {
        let (Some(state), Some(last)) = (&self.memory.state, &self.memory.last) else {
            return Err(Refusal::error("the mechanism has no start"));
        };
        let slopes = &mut self.slopes;
        let by = (slopes.derivatives).get_or_insert_with(|| TimeDerivatives::of(system, state));
        if !slopes.known {
            by.find(system, state);
            let variables = self.blueprint.interface().variables().len();
            slopes.rates.resize(variables, f64::NAN);
            slopes.known = true;
        }
        // A value reference is a place in the table.
        let rate = &mut slopes.rates[reference as usize];
        if rate.is_nan() {
            let found = last.rate(system, &StateWithRates { now: state, by }, output);
            *rate = if found.is_finite() { found } else { 0.0 };
        }
        Ok(*rate)
    }

    /// Time between sampled instants, s.
    fn interval(&mut self) -> Result<f64, Refusal> {
        let built = self.built()?;
        Ok(built.system.model().experiment.communication_step)
    }

    /// How far a host may come to an instant too early, s.
    fn rounding(&mut self, time: f64) -> Result<f64, Refusal> {
        Ok(TIME_TOLERANCE * time.abs() + GAP_TOLERANCE * self.interval()?)
    }

    /// Lets the inputs act that are reconstructed as `which` says, with the values set last.
    fn hand_over_inputs(&mut self, which: impl Fn(Reconstruction) -> bool) {
        let inputs = &self.blueprint.checked().inputs;
        let Some(state) = &mut self.memory.state else {
            return;
        };
        for ((acting, set), input) in state.inputs.iter_mut().zip(&self.memory.inputs).zip(inputs) {
            if let (Some(value), true) = (set, which(input.reconstruction)) {
                *acting = *value;
            }
        }
    }

    /// An event cannot be taken back by a shorter step as a communication step can: the standard has
    /// no discarded event.
    fn stuck(&mut self, refusal: Refusal) -> Refusal {
        if refusal.status == Status::Discard {
            self.memory.mode = Mode::Error;
        }
        Refusal::error(refusal.message)
    }
}
