//! Substeps of a communication step.

use super::failure::explain;
use super::scheme::Scheme;
use super::stepper::{Rejected, Rest, Solved, StepFault, Stepper};
use crate::model::checked::Analysis;
use crate::system::{Instant, Rates, State, System};

/// Into so many parts a step is halved before generalized-α gives way to another scheme: until then the step may only have
/// been too long.
const HALVED: u64 = 8;

impl System {
    /// Number of substeps of a communication step of `length` (s).
    pub(crate) fn substeps(&self, length: f64) -> f64 {
        // A host's step is rarely an exact multiple in binary: a hair more is not one more.
        (length / self.model.solver.step * (1.0 - 1e-9))
            .ceil()
            .max(1.0)
    }
}

impl Stepper {
    /// Advances `state` from `start` by `length` (both s, `length` > 0) in equal substeps no
    /// longer than the solver's step; time is `start + length·i/n`, never accumulated. A substep
    /// that does not converge is halved, down to the floor that the model states. A step far shorter
    /// than the solver's is not solved for but runs ahead; see `short.rs`.
    ///
    /// # Errors
    /// When a substep does not converge at the smallest step, or a slider leaves a path whose
    /// ends are an error; `state` is then the last accepted one.
    pub fn advance(
        &mut self,
        system: &System,
        state: &mut State,
        start: f64,
        length: f64,
    ) -> Result<(), StepFault> {
        self.advance_watched(system, state, start, length, &mut |_, _, _| {})
    }

    /// [`Stepper::advance`], with a look at every solved substep before it is accepted.
    pub(crate) fn advance_watched(
        &mut self,
        system: &System,
        state: &mut State,
        start: f64,
        length: f64,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<(), StepFault> {
        self.spent = 0;
        if state.is_short(system, length) {
            self.events.begin(system, state);
            state.run_ahead(length);
            state.time = start + length;
            state.input_rates.fill(Rates::default());
            return Ok(());
        }
        let (ahead, steps) = (state.ahead, state.counters.steps);
        let (from, whole) = state.go_back(start, length);
        state.exchange_stepped();
        self.at_end = false;
        self.corrections.begin();
        self.events.begin(system, state);
        let result = self.substeps(system, state, from, whole, watch);
        if result.is_err() && state.counters.steps == steps {
            state.exchange_stepped();
            state.run_ahead(ahead);
            state.time = start;
        } else {
            self.report(system, state);
        }
        result
    }

    fn substeps(
        &mut self,
        system: &System,
        state: &mut State,
        start: f64,
        length: f64,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<(), StepFault> {
        let solver = &system.model.solver;
        let substeps = system.substeps(length);
        system.begin_signals(state, length);
        self.leap(system, state, length / substeps);
        let parts = 1_u64 << solver.max_halvings.min(40);
        let elapsed =
            |substep: f64, part: u64| length * ((substep + part as f64 / parts as f64) / substeps);
        let mut substep = 0.0;
        while substep < substeps {
            let (mut done, mut size) = (0, parts);
            while done < parts {
                size = size.min(parts - done);
                let h = length / substeps * (size as f64 / parts as f64);
                let end = elapsed(substep, done + size);
                let end = Instant {
                    time: start + end,
                    elapsed: end,
                    elapsed_before: elapsed(substep, done),
                };
                self.halved = size * HALVED <= parts;
                let outcome = match solver.analysis {
                    Analysis::Dynamic => self.take(system, state, h, end, watch),
                    Analysis::QuasiStatic => self.take_static(system, state, h, end, watch),
                };
                match outcome {
                    Ok(()) => {
                        done += size;
                        if done % (2 * size) == 0 && done < parts {
                            size *= 2;
                        }
                    }
                    Err(Rejected::Final(fault)) => return Err(fault),
                    // Only within a step.
                    Err(Rejected::Struck) => size = (size / 2).max(1),
                    Err(Rejected::Retry(failure)) => {
                        state.counters.rejections += 1;
                        size /= 2;
                        if size > 0 {
                            continue;
                        }
                        let too_long = self.too_long(system, state, h, &failure);
                        let rest = Rest {
                            length: length / substeps * ((parts - done) as f64 / parts as f64),
                            end: Instant {
                                time: start + elapsed(substep, parts),
                                elapsed: elapsed(substep, parts),
                                elapsed_before: elapsed(substep, done),
                            },
                        };
                        if !self.falls(system, state, rest, watch)? {
                            return Err(explain(system, state.time, h, &failure, too_long));
                        }
                        done = parts;
                    }
                }
            }
            substep += 1.0;
        }
        state.input_rates.fill(Rates::default());
        Ok(())
    }

    /// One step of length `h` that ends at `end`; `state` changes only if it is accepted.
    fn take(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        self.in_parts = false;
        self.scheme = Scheme::Alpha;
        let events = self.events.count();
        let outcome = self.take_releasing(system, state, h, end, watch);
        match outcome {
            Err(Rejected::Retry(_) | Rejected::Struck) if self.in_parts => {
                state.copy_from(&self.begin);
                self.events.go_back(system, state, events);
            }
            Ok(()) if self.in_parts => {
                state.energy.kinetic = system.kinetic_energy(state);
                state.energy.mechanical = system.mechanical_energy(state);
            }
            _ => {}
        }
        outcome
    }

    /// Keeps the beginning of a step that is taken in parts: it is where a part that fails leads back to.
    pub(super) fn keep_begin(&mut self, state: &State) {
        if !self.in_parts {
            self.begin.copy_from(state);
            self.in_parts = true;
        }
    }
}
