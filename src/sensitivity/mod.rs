//! Change of a communication step's outcome by a change of its inputs and tunable parameters.
//!
//! Every substep solves R(x, x₀, u) = 0 for the end x from the beginning x₀ and the inputs and
//! parameters u. With the tangent J = ∂R/∂x at the converged x,
//!
//! ```text
//! J δx = −(∂R/∂x₀ δx₀ + ∂R/∂u δu)
//! ```
//!
//! carries a change δx₀ of the beginning on to the end, exactly and without differences; so does
//! the chain of all substeps. The state at the beginning of the communication step does not
//! change. Friction and stops stay on the branch that the converged step is on: between sticking
//! and sliding the derivative is that of the side on which the step has ended.

mod about;
mod at_start;
mod input_jump;
mod instant;
mod stage;

pub(crate) use about::{About, Direction};
pub use at_start::change_of_start;

use crate::newton::Newton;
use crate::solve::integrator::Integrator;
use num_dual::Dual64;

use crate::checked::{Analysis, Tunable};
use crate::linear::Singular;
use crate::message::rounded;
use crate::newton::kinetics::Before;
use crate::solve::guess::Middle;
use crate::solve::stepper::{Jump, Solved, StepFault, Stepper};
use crate::surfaces::layer::PointMemory;
use crate::system::{
    Constraint, InertiaRoom, Iterate, MEAN, MassFactor, Movement, Passage, Rates, Residual,
    SlidingVelocity, Span, SpringState, State, System, Told, Varied, Workspace, flow_velocity,
    mean_friction,
};

/// Why a derivative does not exist.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NoDerivative {
    /// The step itself cannot be taken.
    #[error(transparent)]
    Step(#[from] StepFault),
    /// A stop, a kink or the path itself was met.
    #[error(
        "t = {} s: in the last step a slider met a stop, a kink of its path or its path; across \
         an impact there is no derivative",
        rounded(*.time, 10)
    )]
    Impact { time: f64 },
    /// The step was cut there.
    #[error(
        "t = {} s: in the last step a slider has lifted off or left a stop, or begun to stick or \
         to slide under a law that is set-valued at rest; across this there is no derivative",
        rounded(*.time, 10)
    )]
    Transition { time: f64 },
    /// A motion has ended.
    #[error(
        "t = {} s: in the last step a motion has released what it drove; across this there is \
         no derivative",
        rounded(*.time, 10)
    )]
    Release { time: f64 },
    /// The tangent of a solved substep has no inverse, which Newton's method did not need.
    #[error(
        "t = {} s: the tangent at the end of a solver step is singular; there is no derivative",
        rounded(*.time, 10)
    )]
    Singular { time: f64 },
}

/// A change that is carried along a communication step.
#[derive(Debug)]
struct Change {
    /// Change of the state; see [`crate::system::variation`].
    by: State,
    /// Change of the iterate.
    at: Iterate,
    residual: Residual,
    movement: Movement,
    inertia: InertiaRoom,
    /// Changes of Q + δ, V and q̇ in a stage, and of the ends of all stages of a step but the last.
    origin: Vec<f64>,
    base: Vec<f64>,
    velocity: Vec<f64>,
    middle: Vec<Middle>,
    /// Change of the numbers of each friction law, of the sliders and then of the contacts.
    friction: Vec<Vec<f64>>,
    interior: Vec<f64>,
    border: Vec<f64>,
    /// Why there is none.
    missing: Option<NoDerivative>,
}

/// Perturbation of a communication step: changes of what a host sets before it.
#[derive(Debug, Clone, PartialEq)]
pub struct Perturbation {
    /// Changes of the inputs, in the order of `Checked::inputs`.
    pub inputs: Vec<f64>,
    /// Changes of the parameters, in the order of `Checked::parameters`; those that are not tunable are
    /// passed over.
    pub parameters: Vec<f64>,
}

impl Perturbation {
    /// No change yet.
    pub fn none(system: &System) -> Perturbation {
        Perturbation {
            inputs: vec![0.0; system.model.inputs.len()],
            parameters: vec![0.0; system.model.parameters.len()],
        }
    }
}

impl Stepper {
    /// Change of the state at the end of the communication step of `length` from `before` (at
    /// `start` of the model's clock) by a change of what the host had set before that step.
    /// Returns the end and its change.
    ///
    /// # Errors
    /// [`NoDerivative`].
    pub fn change(
        &mut self, system: &System, before: &State, start: f64, length: f64,
        perturbation: &Perturbation,
    ) -> Result<(State, State), NoDerivative> {
        let mut state = before.clone();
        if state.is_unresolved(system, length) {
            // What has been set acts with the next step that is solved for.
            self.advance(system, &mut state, start, length)?;
            let nothing = Change::of_step(system, before, length, &Perturbation::none(system));
            return Ok((state, nothing.by));
        }
        let (start, length) = state.go_back(start, length);
        let mut change = Change::of_step(system, &state, length, perturbation);
        let mut stepped = state.clone();
        stepped.exchange_stepped();
        change.jump_inputs(&mut self.integrator.newton, system, &stepped, length);
        let mut carry = |integrator: &Integrator, state: &State, solved: &Solved| {
            // The step itself goes on as it does without derivatives.
            change.carry(&mut integrator.clone(), system, state, solved);
        };
        self.advance_watched(system, &mut state, start, length, &mut carry)?;
        change.report(&mut self.integrator, system, &state);
        match change.missing {
            Some(reason) => Err(reason),
            None => Ok((state, change.by)),
        }
    }
}

impl Change {
    /// Nothing has followed yet from what the host sets.
    fn none(system: &System, before: &State, perturbation: &Perturbation) -> Change {
        let mut by = State::initial(system, &perturbation.inputs);
        by.q.fill(0.0);
        by.points.fill(PointMemory::default());
        by.springs.fill(SpringState::default());
        let laws = 0..system.sliders.len() + system.surfaces.contacts.len();
        let laws = laws.map(|law| before.tuning.friction(law));
        let numbers = laws.map(|law| law.numbers().len());
        let mut friction: Vec<Vec<f64>> = numbers.map(|n| vec![0.0; n]).collect();
        for (parameter, change) in system.model.parameters.iter().zip(&perturbation.parameters) {
            let Some(Tunable { laws, number }) = parameter.tunable.clone() else {
                continue;
            };
            for law in &mut friction[laws] {
                law[number] = *change;
            }
        }
        Change {
            by,
            friction,
            at: Iterate::new(system),
            residual: Residual::new(system),
            movement: Movement::of(system.initial.len()),
            inertia: InertiaRoom::new(system),
            origin: vec![0.0; system.initial.len()],
            base: vec![0.0; system.initial.len()],
            velocity: vec![0.0; system.initial.len()],
            middle: Middle::of_stages(system),
            interior: vec![0.0; system.equations()],
            border: vec![0.0; system.border()],
            missing: None,
        }
    }

    /// At the beginning of a communication step of `length` from `before`.
    fn of_step(
        system: &System, before: &State, length: f64, perturbation: &Perturbation,
    ) -> Change {
        let mut change = Change::none(system, before, perturbation);
        let by = &mut change.by;
        for (i, variable) in system.model.inputs.iter().enumerate() {
            // A signal is linear in the values that were set; derivatives of the host do not change.
            let told = Told {
                value: perturbation.inputs[i],
                rates: Rates { told: before.input_rates[i].told, ..Rates::default() },
                reached: [0.0; 2],
            };
            by.signals[i] = told.signal(variable.reconstruction, length);
            by.reached[i] = [0.0; 2];
        }
        let varied = Varied { now: before, by };
        let jump = system.loads.gravity.jump(&varied) + system.springs.jump(&varied);
        by.energy.input_work = jump.eps;
        change
    }

    /// Carries the change over a substep from `state`.
    fn carry(
        &mut self, integrator: &mut Integrator, system: &System, state: &State, solved: &Solved,
    ) {
        let Solved { span, jump } = *solved;
        let time = span.end.time;
        self.missing = self.missing.take().or(match jump {
            Jump::None => None,
            Jump::Impact => Some(NoDerivative::Impact { time }),
            Jump::Transition => Some(NoDerivative::Transition { time }),
            Jump::Release => Some(NoDerivative::Release { time }),
        });
        if self.missing.is_some() {
            return;
        }
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        if self.carry_stages(integrator, system, state, span).is_err() {
            self.missing = Some(NoDerivative::Singular { time });
            return;
        }
        self.accept(integrator, system, state, span, dynamic);
    }

    /// Completes the change of the iterate, of which the known part is there, by the tangent.
    fn solve(
        &mut self, newton: &mut Newton, system: &System, factor: MassFactor,
    ) -> Result<(), Singular> {
        let Newton { at, work, .. } = newton;
        system.factored_tangent(at, work, factor)?;
        self.correct(system, at, work, factor)?;
        for _ in 0..at.augmented {
            system.surfaces.augment_change(at, &mut self.at);
            self.correct(system, at, work, factor)?;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if at.sliders[j].constraint == Constraint::Open {
                let rate = system.sliders[j].closest_point_rate(&at.q, &self.at.q);
                self.at.q.set(slider.coordinate, rate);
            }
        }
        // Now with the solution: what is left on prescribed unknowns changes their reactions.
        system.residual_change(at, &self.at, &self.friction, &mut self.residual);
        Ok(())
    }

    /// Adds to the change of the iterate what its equations are still off by, through the factored tangent.
    fn correct(
        &mut self, system: &System, at: &Iterate, work: &mut Workspace, factor: MassFactor,
    ) -> Result<(), Singular> {
        system.residual_change(at, &self.at, &self.friction, &mut self.residual);
        self.correct_by(system, at, work, factor)?;
        Ok(())
    }

    /// Corrects the iterate for the residual as it is; returns the largest change of a position.
    fn correct_by(
        &mut self, system: &System, at: &Iterate, work: &mut Workspace, factor: MassFactor,
    ) -> Result<f64, Singular> {
        for (x, &u) in self.interior.iter_mut().zip(&system.unknown) {
            *x = match at.driven[u] {
                None => -self.residual.nodal[u],
                Some(_) => 0.0,
            };
        }
        for (y, r) in self.border.iter_mut().zip(&self.residual.border) {
            *y = -r;
        }
        work.matrix.solve(&mut self.interior, &mut self.border)?;
        let mut largest = 0.0_f64;
        for (x, &u) in self.interior.iter().zip(&system.unknown) {
            if at.driven[u].is_some() {
                continue;
            }
            self.at.q.add(u, *x);
            self.at.acceleration[u] += factor.unwrap_or(0.0) * x;
            largest = largest.max(x.abs());
        }
        for slider in &system.sliders {
            let ds = self.border[slider.border];
            self.at.q.add(slider.coordinate, ds);
            largest = largest.max(ds.abs());
        }
        self.at.add_forces(system, 1.0, &self.border);
        Ok(largest)
    }

    /// The linear steps of [`Stepper`]'s acceptance, and the product rule for its energy balance.
    fn accept(
        &mut self, integrator: &Integrator, system: &System, state: &State, span: Span,
        dynamic: bool,
    ) {
        let newton = &integrator.newton;
        let Span { length: h, end, .. } = span;
        let Change { by, at, residual, movement, inertia: room, friction: numbers, .. } = self;
        if dynamic {
            let ends = [[state.into(), (&*by).into()], [(&newton.at).into(), (&*at).into()]];
            let [before, last] = [(&state.q, &by.q), (&newton.at.q, &at.q)];
            by.energy.numerical_dissipation += system.surfaces.taken_by_faces_change(ends)
                + system.groups.taken_change([before, last])
                + system.work().of_joints_change(
                    (state, by),
                    (&newton.at, at),
                    &newton.work.placed,
                );
        }
        let forces = |u: usize| {
            let last = Dual64::new(newton.work.residual[u], residual.nodal[u]);
            (Dual64::new(state.reactions[u], by.reactions[u]) + last) * 0.5
        };
        let varied = Varied { now: state, by };
        let iterate = Varied { now: &newton.at, by: at };
        let work = system.work().input(&varied, &iterate, forces, end).eps;
        let rate = |u: usize| flow_velocity(&iterate, u);
        let damping_work = (system.damped(newton.at.flow.factor))
            .map_or(0.0, |damped| damped.work(&varied, &iterate, rate, true).eps);
        by.energy.input_work += work;
        by.energy.damping_work += damping_work;
        for (j, slider) in system.sliders.iter().enumerate() {
            let s = slider.coordinate;
            let change = system.sliders[j].friction_change(&newton.at, at);
            let changes = [by.sliders[j].friction, change];
            by.sliders[j].friction = change;
            let (slid, slid_by) = (newton.at.q.way(s, &state.q), at.q.way(s, &by.q));
            let ends = [state.sliders[j].friction, newton.work.sliders[j].state.friction];
            let work = if slider.friction.remembers {
                let forces = &residual.inertia_forces;
                let both = (&newton.at, &*at);
                let change = system.sliders.memory_change(j, both, forces, &numbers[j]);
                by.sliders[j].memory = change.memory;
                by.journal[j].stored = change.stored;
                change.work
            } else {
                mean_friction(ends, slid, changes) * slid
                    + mean_friction(ends, slid, ends) * slid_by
            };
            by.journal[j].work += work;
            if dynamic {
                by.energy.numerical_dissipation -= work;
            }
        }
        for i in 0..system.springs.list.len() {
            let ended = Varied { now: &newton.at, by: at };
            let answer = system.springs.at(i, &ended).answer;
            let begun = Varied { now: state, by };
            let work = system.springs.work(i, &begun, &ended, &answer, end);
            let spring = &mut by.springs[i];
            (spring.anchor, spring.stored) = (answer.anchor.eps, answer.stored.eps);
            spring.friction_work += work.friction_work.eps;
            spring.damping_work += work.damping_work.eps;
            by.energy.damping_work += work.damping_work.eps;
            if dynamic {
                by.energy.numerical_dissipation += work.numerical.eps;
            }
        }
        for (c, contact) in system.surfaces.contacts.iter().enumerate() {
            let mut stored = 0.0;
            let changes = system.surfaces.contact_change(c, &newton.at, at, numbers);
            for (i, change) in contact.points.clone().zip(changes) {
                by.contacts[c].work += change.work.eps;
                stored += change.stored_along.eps;
                let memory = change.memory.zip(&change.memory, |now, _| now.eps);
                let (before, found) = (&state.points[i], &newton.work.points[i].memory);
                if dynamic {
                    let slid_by = memory.s - by.points[i].s;
                    let felt = (by.points[i].friction + memory.friction) * (found.s - before.s)
                        + (before.friction + found.friction) * slid_by;
                    by.energy.numerical_dissipation += 0.5 * felt - change.work.eps;
                }
                by.points[i] = memory;
            }
            by.contacts[c].stored = stored;
        }
        for (m, now) in state.motions.iter().enumerate() {
            if !now.released {
                by.motions[m] = system.motions.change_at(m, (state, by), end);
            }
        }
        for u in 0..at.q.len() {
            if !dynamic {
                movement.drive(u, at.q.way(u, &by.q) / h, 0.0);
                continue;
            }
            let x = at.acceleration[u];
            movement.velocity[u] = self.velocity[u];
            movement.acceleration[u] = x;
            movement.algorithmic[u] = match integrator.has_stages() {
                true => system
                    .weights()
                    .algorithmic_after(system.tableau().end(0), [self.middle[0].unknowns[u][1], x]),
                false => system.weights().algorithmic(x, &Before::of(by, u)),
            };
        }
        for (m, u) in system.motions.driven(state) {
            let change = by.motions[m];
            movement.drive(u, change.rate, change.acceleration);
        }
        system.motions.fixed.iter().for_each(|&u| movement.drive(u, 0.0, 0.0));
        let passage: Passage = (state, &newton.at.q, &integrator.end);
        let change: Passage = (by, &at.q, movement);
        let inertia = [(change, passage), (passage, change)]
            .map(|(x, y)| room.work(system, h, MEAN, x, y, &newton.at.driven));
        for inertia in inertia {
            by.energy.numerical_dissipation += inertia.taken;
            by.energy.input_work += inertia.driven;
        }
        // Where forces are reported, velocities are given.
        for (own, (slider, now)) in
            (at.sliders.iter_mut()).zip(system.sliders.iter().zip(&newton.at.sliders))
        {
            let s = at.q.get(slider.coordinate);
            let change = SlidingVelocity { factor: now.velocity.factor, ..own.velocity };
            own.velocity = change.given(s, system.model.solver.step);
        }
        by.equal = state.equal;
        by.leave();
        movement.regularisation(by);
        by.q.copy_from(&at.q);
        self.keep_forces(newton, system);
        self.by.keep_signals(end.elapsed);
    }

    /// Takes the changes of multipliers and reactions from those of the iterate.
    fn keep_forces(&mut self, newton: &Newton, system: &System) {
        let Change { by, at, residual, .. } = self;
        for (multipliers, own) in by.multipliers.iter_mut().zip(&at.sliders) {
            *multipliers = own.multipliers;
        }
        by.pins.copy_from_slice(&at.pins);
        by.unbalanced.fill(0.0);
        for u in 0..system.nodal {
            let driven = newton.at.driven[u].is_some();
            by.reactions[u] =
                if driven || !system.equation.has(u) { residual.nodal[u] } else { 0.0 };
        }
    }
}
