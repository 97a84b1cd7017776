//! A communication step: steps of the time integration, and the parts of each between its events.
//!
//! A part is attempted with the scheme that is at work, and judged: it is taken as it is, cut at its first event, attempted
//! with another scheme, or the step begins again with half its length.

use super::communication_step::Progress;
use super::failure::{endless, explain};
use super::integrator::Contents;
use super::judge::{Taken, Verdict};
use super::plan::Plan;
use super::scheme::Scheme;
use super::stepper::{Rejected, Solved, StepFault, Stepper, Stopped, Watch};
use super::tolerances::{BORDER, CORNER_BORDER, PARTS_OF_A_STEP};
use crate::newton::Failure;
use crate::system::{Rates, Span, State, System};

impl Stepper {
    /// Advances `state` from `start` by `length` (both s, `length` > 0) in steps no longer than the solver's. Those of equal length
    /// end at `start + length·i/n`; time is never accumulated. A step that does not converge is halved, down to the floor that the
    /// model states. A communication step of a rounding's length is not solved for but extrapolated; see `unresolved.rs`. Where
    /// [events are to stop it](Stepper::stop_at_events), it ends at the first of them.
    ///
    /// # Errors
    /// When a step does not converge at the smallest length, or a slider leaves a path whose
    /// ends are an error; `state` is then the last accepted one.
    pub fn advance(
        &mut self, system: &System, state: &mut State, start: f64, length: f64,
    ) -> Result<(), StepFault> {
        self.advance_watched(system, state, start, length, &mut |_, _, _| {})
    }

    /// [`Stepper::advance`], with a look at every solved part of a step before it is accepted.
    pub(crate) fn advance_watched(
        &mut self, system: &System, state: &mut State, start: f64, length: f64,
        watch: &mut Watch<'_>,
    ) -> Result<(), StepFault> {
        let Some(mut current) = self.begin(system, state, start, length) else {
            return Ok(());
        };
        while self.take_next(system, state, &mut current, watch)? == Progress::Step {}
        Ok(())
    }

    /// Takes the next step of a communication step.
    pub(super) fn take_step(
        &mut self, system: &System, state: &mut State, plan: &mut Plan, watch: &mut Watch<'_>,
    ) -> Result<Progress, StepFault> {
        let solver = &system.model.solver;
        while let Some(span) = plan.next() {
            if plan.is_spent() {
                return Err(endless(system, state.time, span.length));
            }
            if let Some(tolerance) = solver.tolerance
                && let Some(length) = system.loads.corner_inside(span, CORNER_BORDER, tolerance)
            {
                plan.cut(length);
                continue;
            }
            self.integrator.newton.corrections.contradicts = None;
            let failure = match self.take(system, state, span, watch) {
                Ok(()) if self.stopped.is_some() => {
                    plan.go_on();
                    return Ok(self.stop(state, plan));
                }
                Ok(()) => {
                    plan.go_on();
                    if solver.tolerance.is_some() {
                        plan.divide(state.step());
                    }
                    return Ok(Progress::Step);
                }
                Err(Rejected::Final(fault)) => return Err(fault),
                Err(Rejected::Inaccurate { length }) => {
                    state.counters.rejections += 1;
                    state.control.length = length;
                    plan.divide(length);
                    continue;
                }
                Err(Rejected::Kink { length }) => {
                    plan.cut(length);
                    continue;
                }
                Err(Rejected::Retry(failure)) => failure,
            };
            state.counters.rejections += 1;
            if plan.halve() {
                continue;
            }
            let contradiction = self.integrator.newton.corrections.contradicts;
            if let Some(slider) = contradiction {
                let failure = Failure::Contradiction { slider };
                return Err(explain(system, state, span.length, &failure, None));
            }
            let too_long = self.integrator.newton.too_long(system, state, span.length, &failure);
            let events = self.events.count();
            if !self.snap_through(system, state, plan.rest_of_step(), watch)? {
                return Err(explain(system, state, span.length, &failure, too_long));
            }
            plan.end_step();
            self.stop_after_events(events);
            if self.stopped.is_some() {
                return Ok(self.stop(state, plan));
            }
        }
        state.input_rates.fill(Rates::default());
        Ok(Progress::End)
    }

    /// Ends the communication step at the events that have stopped its last step.
    fn stop(&self, state: &mut State, plan: &Plan) -> Progress {
        state.input_rates.fill(Rates::default());
        let early = self.stopped == Some(Stopped::Inside) || !plan.is_done();
        Progress::Event { early }
    }

    /// Takes a step over `span`, in as many parts as there are events; `state` changes only if all of it is taken.
    fn take(
        &mut self, system: &System, state: &mut State, span: Span, watch: &mut Watch<'_>,
    ) -> Result<(), Rejected> {
        self.begun.copy_from(state);
        let events = self.events.begin_step();
        self.stopped = None;
        let mut outcome = self.take_releasing(system, state, span, watch);
        if let Err(Rejected::Kink { length }) = &mut outcome {
            *length += state.time - self.begun.time;
        }
        if outcome.is_err() {
            self.integrator.contents = Contents::Nothing;
            state.copy_from(&self.begun);
            self.events.go_back(system, state, events);
            self.stopped = None;
            return outcome;
        }
        if !system.is_dynamic() {
            self.look_for_snap_through(system, state, span);
        }
        self.stop_after_events(events);
        outcome
    }

    /// Takes a step in which no motion ends. What it has taken of one that fails remains in `state`.
    pub(crate) fn take_parts(
        &mut self, system: &System, state: &mut State, whole: Span, watch: &mut Watch<'_>,
    ) -> Result<(), Rejected> {
        self.integrator.scheme = Scheme::Alpha;
        let (mut rest, mut parts) = (whole, 0);
        while rest.length > 0.0 {
            self.search.begin(system, state);
            let short = parts > 0 && rest.length < BORDER * whole.length;
            if short && !self.search.extrapolation_meets(system, &mut self.integrator, state, rest)
            {
                self.integrator.extrapolate(system, state, rest, &mut self.untried);
                break;
            }
            let extrapolates =
                short && parts < PARTS_OF_A_STEP && self.integrator.scheme != Scheme::Complementary;
            if short && !extrapolates {
                self.switch_to(Scheme::Complementary, state);
            }
            let scheme = self.integrator.scheme;
            let taken = match extrapolates {
                true => self.extrapolate_to_impact(system, state, rest),
                false => self.take_part(system, state, rest, watch)?,
            };
            rest = rest.after(taken);
            parts += 1;
            if self.stopped.is_some() {
                break;
            }
            let mut regimes = self.search.sliders.iter().zip(&state.sliders);
            let stays = taken == 0.0
                && scheme == self.integrator.scheme
                && regimes.all(|(tried, own)| tried.regime == own.regime);
            if rest.length > 0.0 && (stays || parts == PARTS_OF_A_STEP) {
                self.switch_to(Scheme::Complementary, state);
            }
        }
        if self.integrator.scheme != Scheme::Alpha {
            self.end_implicit(system, state);
        }
        Ok(())
    }

    /// Takes the first part of `rest`, up to an event if there is one; returns its length, s: nothing where another scheme has to take it.
    fn take_part(
        &mut self, system: &System, state: &mut State, rest: Span, watch: &mut Watch<'_>,
    ) -> Result<f64, Rejected> {
        let alpha = self.integrator.scheme == Scheme::Alpha;
        let Taken { part, event, jump } = match self.judge(system, state, rest)? {
            Verdict::Take(taken) => taken,
            Verdict::Switch(scheme) => {
                self.switch_to(scheme, state);
                return Ok(0.0);
            }
        };
        if part.length > 0.0 {
            if let Some(scheme) = self.integrator.finish(system, state, part, jump, watch)? {
                self.switch_to(scheme, state);
                return Ok(0.0);
            }
        } else {
            watch(&mut self.integrator, state, &Solved { span: part, jump });
        }
        let Some(place) = event else {
            if self.integrator.scheme == Scheme::Alpha {
                let time = if alpha { state.time } else { self.changed };
                self.events.record(system, state, time);
            }
            return Ok(part.length);
        };
        if part.length == 0.0 {
            self.integrator.extrapolate(system, state, rest.first(place), &mut self.untried);
        }
        let inside = place < rest.length;
        let stops = self.stops_at(state, inside);
        if self.search.is_friction() && inside && !stops {
            if !self.goes_on(system, state, rest.after(place)) {
                self.switch_to(Scheme::Euler, state);
            }
        } else {
            self.search.breaks_away = stops;
            self.change_regimes(system, state);
        }
        Ok(place)
    }

    /// Resolves the event of friction at which `state` is by the accelerations there; whether what then sticks and slides holds over the `rest` of the
    /// step. Otherwise `state` stays as it is: accelerations say nothing where stiffness answers them within the step.
    fn goes_on(&mut self, system: &System, state: &mut State, rest: Span) -> bool {
        self.untried.copy_from(state);
        let events = self.events.count();
        self.change_regimes(system, state);
        let mut regimes = self.search.sliders.iter().zip(&state.sliders);
        let changes = regimes.any(|(tried, own)| tried.regime != own.regime);
        if changes && self.integrator.attempt(system, state, rest).is_ok() {
            self.search.look_at_end(system, &self.integrator.newton);
            if !self.search.any() && !self.integrator.newton.friction_drives(system) {
                return true;
            }
        }
        state.copy_from(&self.untried);
        self.events.go_back(system, state, events);
        false
    }

    /// Resolves the event at which `state` is, and records it.
    pub(super) fn change_regimes(&mut self, system: &System, state: &mut State) {
        self.discontinuity(system).change_regimes(state);
        let (before, _) = self.events.count();
        self.record(system, state);
        self.events.hit(&self.search, before, state.time);
    }

    /// Records what sliders do from now on that they did not do before.
    pub(super) fn record(&mut self, system: &System, state: &mut State) {
        self.changed = state.time;
        self.events.record(system, state, state.time);
    }
}
