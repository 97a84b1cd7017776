//! Substeps of a communication step.

use super::alpha::{Before, Weights};
use super::books::Movement;
use super::bristles::slipped;
use super::events::Events;
use super::newton::{Corrections, Failure, Kinetics, Static};
use super::release::Releasing;
use super::transition::Crossing;
use crate::model::checked::Analysis;
use crate::system::{
    Glide, Grip, Inertia, Instant, Iterate, MotionState, Phase, Rates, SliderState, State, System,
    Workspace, mean_friction,
};

/// Factorisation and scratch space; holds nothing that a result depends on.
#[derive(Debug, Clone)]
pub struct Stepper {
    pub(super) at: Iterate,
    pub(super) work: Workspace,
    pub(super) corrections: Corrections,
    /// Position from which q̈ = (∂q̈/∂q)(q − origin).
    pub(super) origin: Vec<f64>,
    pub(super) motions: Vec<MotionState>,
    /// Velocities before an impact.
    pub(super) approach: Vec<f64>,
    /// How the unknowns move at the end of the step.
    pub(super) end: Movement,
    pub(super) weights: Weights,
    /// Linear solutions since the last accepted step.
    spent: u64,
    /// Closed contacts that may open in an event, and those that close in it.
    pub(super) touching: Vec<bool>,
    pub(super) crossing: Crossing,
    pub(super) events: Events,
    pub(super) releasing: Releasing,
}

/// A step that could not be taken. The state is the last accepted one, at [`State::time`].
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{message}")]
pub struct StepFault {
    pub message: String,
}

/// What makes velocities or accelerations jump at the end of a substep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Jump {
    None,
    /// A slider meets a stop or a kink.
    Impact,
    /// A slider begins to stick or to slide.
    Transition,
    /// A motion lets go.
    Release,
}

/// A substep whose solution is in the [`Stepper`].
pub(super) struct Solved {
    /// Length of the substep, s.
    pub h: f64,
    pub end: Instant,
    /// What happens at its end.
    pub jump: Jump,
}

/// q̈ follows the positions through a quadrature over the step.
pub(super) struct Following<'a> {
    pub factor: f64,
    pub origin: &'a [f64],
}

impl Kinetics for Following<'_> {
    fn inertia(&self) -> Inertia {
        Some(self.factor)
    }

    fn update(&self, system: &System, at: &mut Iterate) {
        for &u in &system.unknown {
            at.acceleration[u] = at.driven[u].unwrap_or(self.factor * (at.q[u] - self.origin[u]));
        }
    }
}

impl Stepper {
    /// Scratch space for `system`.
    pub fn new(system: &System) -> Stepper {
        let solver = &system.model.solver;
        Stepper {
            at: Iterate::new(system),
            work: Workspace::new(system),
            corrections: Corrections::new(system),
            origin: vec![0.0; system.nodal],
            motions: vec![MotionState::default(); system.motions.len()],
            approach: vec![0.0; system.initial.len()],
            end: Movement::of(system.initial.len()),
            weights: Weights::new(solver.method, solver.spectral_radius),
            spent: 0,
            touching: vec![false; system.sliders.len()],
            crossing: Crossing::new(system),
            events: Events::default(),
            releasing: Releasing::new(system),
        }
    }

    /// What sliders did in the last communication step; kept only where it is
    /// [wanted](Events::want) before.
    pub fn events(&mut self) -> &mut Events {
        &mut self.events
    }

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
    pub(super) fn advance_watched(
        &mut self,
        system: &System,
        state: &mut State,
        start: f64,
        length: f64,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
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
        self.events.begin(system, state);
        let result = self.substeps(system, state, from, whole, watch);
        if result.is_err() && state.counters.steps == steps {
            state.run_ahead(ahead);
            state.time = start;
        }
        result
    }

    fn substeps(
        &mut self,
        system: &System,
        state: &mut State,
        start: f64,
        length: f64,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), StepFault> {
        let solver = &system.model.solver;
        // A host's step is rarely an exact multiple in binary: a hair more is not one more.
        let substeps = (length / solver.step * (1.0 - 1e-9)).ceil().max(1.0);
        system.begin_signals(state, length);
        state.books.input_work += system.gravity_jump(state);
        let parts = 1_u64 << solver.max_halvings.min(40);
        let elapsed =
            |substep: f64, part: u64| length * ((substep + part as f64 / parts as f64) / substeps);
        let mut substep = 0.0;
        while substep < substeps {
            let (mut done, mut size) = (0, parts);
            while done < parts {
                let h = length / substeps * (size as f64 / parts as f64);
                let end = elapsed(substep, done + size);
                let end = Instant {
                    time: start + end,
                    elapsed: end,
                    elapsed_before: elapsed(substep, done),
                };
                match self.take(system, state, h, end, watch) {
                    Ok(()) => {
                        done += size;
                        if done % (2 * size) == 0 && done < parts {
                            size *= 2;
                        }
                    }
                    Err(Rejected::Final(fault)) => return Err(fault),
                    Err(Rejected::Retry(failure)) => {
                        state.counters.rejections += 1;
                        size /= 2;
                        if size == 0 {
                            return Err(explain(system, state.time, h, &failure));
                        }
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
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        if system.may_release(state) {
            return self.take_releasing(system, state, h, end, watch);
        }
        self.take_driven(system, state, h, end, watch)
    }

    /// Takes a step in which no motion lets go.
    pub(super) fn take_driven(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        if dynamic && system.has_transitions() {
            return self.take_through(system, state, h, end, watch);
        }
        self.attempt(system, state, h, end)?;
        self.finish(system, state, h, end, Jump::None, watch)?;
        Ok(())
    }

    /// Solves a step of length `h` that ends at `end`; the solution is then in the iterate.
    pub(super) fn attempt(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        end: Instant,
    ) -> Result<(), Rejected> {
        self.predict(system, state, h, end);
        self.solve_step(system, h)
    }

    /// Solves a step with contacts that open and close as the end of the step asks for.
    pub(super) fn attempt_complementary(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        end: Instant,
    ) -> Result<(), Rejected> {
        self.predict(system, state, h, end);
        self.at.complementary = true;
        self.solve_step(system, h)
    }

    pub(super) fn solve_step(&mut self, system: &System, h: f64) -> Result<(), Rejected> {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let outcome = if dynamic {
            let kinetics = Following {
                factor: self.weights.inertia(h),
                origin: &self.origin,
            };
            self.corrections
                .solve(system, &kinetics, &mut self.at, &mut self.work)
        } else {
            self.corrections
                .solve(system, &Static, &mut self.at, &mut self.work)
        };
        match outcome {
            Ok(iterations) => self.spent += iterations as u64,
            Err(failure) => return Err(Rejected::Retry(failure)),
        }
        Ok(())
    }

    /// Makes the solution of a step the new state; returns what happened at its end.
    pub(super) fn finish(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        jump: Jump,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<Jump, Rejected> {
        self.check_ends(system, end.time).map_err(Rejected::Final)?;
        let impact = self.meets_obstacle(system, state);
        let jump = if impact { Jump::Impact } else { jump };
        self.find_movement(system, state, h);
        watch(self, state, &Solved { h, end, jump });
        if impact {
            self.keep_approach(system, state, h);
            self.accept(system, state, end);
            self.leave_impact(system, state, h);
        } else {
            state.books.numerical_dissipation += self.numerical_dissipation(system, state);
            self.accept(system, state, end);
        }
        self.note(system, state);
        Ok(jump)
    }

    /// Keeps what sliders do from now on that they did not do before.
    pub(super) fn note(&mut self, system: &System, state: &mut State) {
        state.keep_journal();
        self.events.look(system, state);
    }

    /// First guess: constant acceleration; prescribed unknowns get their values.
    pub(super) fn predict(&mut self, system: &System, state: &State, h: f64, end: Instant) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let at = &mut self.at;
        let w = &self.weights;
        at.step = h;
        at.complementary = !dynamic;
        at.grips.fill(Grip::Law);
        at.tuning.clone_from(&state.tuning);
        for u in 0..state.q.len() {
            let a = state.algorithmic[u];
            at.q[u] = state.q[u] + h * (state.velocity[u] + 0.5 * h * a);
        }
        // Where q̈ vanishes by Newmark's formulas and the α weights, and where q̇ does.
        let c = w.beta * h * h;
        let damped = dynamic && system.damping.is_some();
        at.flow.factor = if damped { w.gamma / (w.beta * h) } else { 0.0 };
        for &u in &system.unknown {
            let history = (w.alpha_m * state.algorithmic[u] - w.alpha_f * state.acceleration[u])
                / (1.0 - w.alpha_m);
            self.origin[u] =
                state.q[u] + h * state.velocity[u] + (0.5 - w.beta) * h * h * state.algorithmic[u]
                    - c * history;
            if damped {
                let before = Before::of(state, u);
                let unmoved = w.velocity(h, w.algorithmic(h, before.q, &before), &before);
                at.flow.give(u, before.q, unmoved);
            }
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            at.sliding_before[j] = state.q[slider.coordinate];
            let before = Before::of(state, slider.coordinate);
            let phase = slider.phase(&state.sliders[j]);
            at.glides[j] = Glide::of(dynamic.then_some(w), h, phase, &before);
            if phase == Phase::Sticks {
                at.q[slider.coordinate] = before.q;
            }
            at.multipliers[j] = state.multipliers[j];
            at.stops[j] = state.sliders[j].stop;
            at.open[j] = state.sliders[j].open;
            at.memory[j] = state.sliders[j].memory;
            at.slips[j] = slipped(&state.sliders[j]);
        }
        system.find_footing(state, at.step, &mut at.footing);
        system.find_driven(state, &mut at.driven);
        let input = |i: usize| state.signals[i].at(end.elapsed)[0];
        system.external_forces(end.time, input, &mut at.external);
        system.following(end.time, input, &mut at.following);
        system.hold_prescribed(at);
        for m in 0..system.motions.len() {
            let motion = system.motion_at(m, state, end);
            self.motions[m] = motion;
            system.move_prescribed(at, m, motion);
        }
    }

    /// Finds how the unknowns move at the end of a step of length `h` to the iterate.
    fn find_movement(&mut self, system: &System, state: &State, h: f64) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let weights = dynamic.then_some(&self.weights);
        self.end.follow(weights, h, state, &self.at.q);
        for (m, u) in system.driven(state) {
            let motion = self.motions[m];
            self.end.drive(u, motion.rate, motion.acceleration);
        }
        system
            .held
            .iter()
            .for_each(|&u| self.end.drive(u, 0.0, 0.0));
    }

    /// Makes the iterate the new state and books the energy.
    fn accept(&mut self, system: &System, state: &mut State, end: Instant) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        state.books.input_work += self.input_work(system, state, end);
        state.books.damping_work += system.damping_work(state, &self.at);
        for (j, slider) in system.sliders.iter().enumerate() {
            state.journal[j].work += if slider.friction.remembers {
                self.work.friction_work[j]
            } else {
                let slid = self.at.q[slider.coordinate] - state.q[slider.coordinate];
                let ends = [state.sliders[j].friction, self.work.sliders[j].friction];
                mean_friction(ends, slid, ends) * slid
            };
        }
        self.end.give(state);
        state.q.copy_from_slice(&self.at.q);
        state.motions.copy_from_slice(&self.motions);
        self.follow_feet(system, state);
        self.keep_forces(system, state);
        self.keep_memory(state);
        if !dynamic {
            state.unstable_modes = self.unstable_modes(system);
        }
        system.keep_signals(state, end.elapsed);
        state.time = end.time;
        state.counters.steps += 1;
        state.counters.iterations += std::mem::take(&mut self.spent);
    }

    /// Makes what laws with memory remember at the end of the step that of `state`.
    pub(super) fn keep_memory(&self, state: &mut State) {
        for (kept, new) in state.sliders.iter_mut().zip(&self.work.sliders) {
            kept.memory = new.memory;
        }
        for (journal, stored) in state.journal.iter_mut().zip(&self.work.friction_stored) {
            journal.stored = *stored;
        }
    }

    /// Copies multipliers, friction and reactions of the iterate into `state`.
    pub(super) fn keep_forces(&self, system: &System, state: &mut State) {
        state.multipliers.copy_from_slice(&self.at.multipliers);
        for (kept, new) in state.sliders.iter_mut().zip(&self.work.sliders) {
            let memory = kept.memory;
            *kept = SliderState { memory, ..*new };
        }
        for u in 0..system.nodal {
            let prescribed = system.equation[u] == crate::system::PRESCRIBED;
            state.reactions[u] = if prescribed || self.at.driven[u].is_some() {
                self.work.residual[u]
            } else {
                0.0
            };
        }
    }
}

pub(super) enum Rejected {
    Retry(Failure),
    Final(StepFault),
}

fn explain(system: &System, time: f64, h: f64, failure: &Failure) -> StepFault {
    let steps = format!("step of {h:.3e} s from t = {time:.9} s");
    let message = match failure {
        Failure::NotConverged {
            iterations,
            residual,
        } => format!(
            "{steps}: Newton stopped at iteration {iterations} with an imbalance of \
             {residual:.3e} N after halving `solver.step` {} times; reduce `solver.step`, raise \
             `solver.max_iterations`, or look for a mechanism that locks",
            system.model.solver.max_halvings
        ),
        Failure::Crushed { element } => format!(
            "{steps}: in the only equilibrium found, also after halving `solver.step` {} times, \
             {}; reduce `solver.step`, apply loads more slowly, or use a stiffer member if it is \
             overloaded",
            system.model.solver.max_halvings,
            system.describe_crushed(*element)
        ),
        Failure::Bristles { reason } => format!(
            "{steps}: the friction forces of the joints with bounded bristles cannot be found together, also after \
             halving `solver.step` {} times: {reason}; if nothing but their friction holds the \
             mechanism, it is overloaded",
            system.model.solver.max_halvings
        ),
        Failure::Diverged { iterations } => format!(
            "{steps}: Newton diverged at iteration {iterations} although `solver.step` was \
             halved {} times; reduce `solver.step` or check loads and stiffnesses",
            system.model.solver.max_halvings
        ),
        Failure::Singular { motion } => format!(
            "{steps}: the equations are singular; {}",
            system.describe_motion(motion)
        ),
    };
    StepFault { message }
}
