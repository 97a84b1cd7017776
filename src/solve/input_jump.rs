//! Inputs, and numbers of friction laws, that jump where a communication step begins.
//!
//! Positions go on as they were, and so does what sticks, slides, touches and stops. Velocities jump where those of motions do, see
//! [motions that jump](super::events). Accelerations, joint forces and friction jump. With S = ∂R/∂q of the step that follows and f = ∂q̈/∂q of its time integration,
//!
//! ```text
//! S Δx = −ΔR, Δq̈ = f Δx
//! ```
//!
//! where ΔR is the change of the equations at the same place, with the accelerations that constraints ask for in their rows where motions jump. That is M⁻¹ of what the joints leave of it, but for vibrations that the
//! step does not resolve: they are not excited. A time integration that went on with the old q̈ would feel the jump as a ramp over a
//! step, half a step late. What a jump breaks, such as sticking, is found where the step begins.
//!
//! The size of the force of a hinge is no linear function of it; what lacks of it is solved for with the same S.

use super::stepper::Stepper;
use crate::linear::Singular;
use crate::newton::Newton;
use crate::system::{SlidingVelocity, State, System, Tuning};

/// Most solutions for the sizes of the forces of hinges: friction feels them by the radius of a pin, so that each has a small share of the error
/// of the one before.
const HINGE_SOLUTIONS: usize = 20;

/// Share of the largest force below which what lacks of the force of a hinge is rounding.
const LACKING: f64 = 1e-13;

impl State {
    /// Where the force is kept that a jump leaves on nodal unknown `u`: the reaction of what is `prescribed`, or no balance.
    pub(crate) fn left_by_jump(&mut self, u: usize, prescribed: bool) -> &mut f64 {
        match prescribed {
            true => &mut self.reactions[u],
            false => &mut self.unbalanced[u],
        }
    }
}

impl Stepper {
    /// Gives `state` the velocities, accelerations and forces after the jump of inputs and of numbers of friction laws with which its communication
    /// step begins; the steps that follow have the length `h`. Whether what sliders do goes on.
    pub(crate) fn jump_inputs(&mut self, system: &System, state: &mut State, h: f64) -> bool {
        let lifted = system.loads.gravity.jump(state) + system.springs.jump(state);
        state.energy.input_work += lifted;
        state.energy.mechanical += lifted;
        let tuned_from = state.tuned_from.take().map(|before| state.tuning.jump_from(&before));
        let tuned_from = tuned_from.filter(|before| *before != state.tuning);
        // An equilibrium goes the way from where the inputs were.
        if !system.is_dynamic() {
            return true;
        }
        let rates = system.motions.rates_jump(state);
        if rates {
            self.begun.copy_from(state);
            if !self.discontinuity(system).impulses().jump_rates(state) {
                self.begin_afresh(system, state);
                return false;
            }
        }
        let moves = rates && system.follows_velocity() || system.motions.jump(state);
        if moves || state.inputs_jump() || tuned_from.is_some() {
            let before = rates.then_some(&self.begun);
            self.integrator.newton.jump_inputs(system, state, (before, tuned_from.as_ref()), h);
        }
        true
    }

    /// Finds accelerations, forces and regimes of sliders of `state` behind a jump of velocities.
    fn begin_afresh(&mut self, system: &System, state: &mut State) {
        state.keep_signals(0.0);
        system.motions.jump_accelerations(state);
        // Where there are no accelerations, the step says so.
        let _ = self.discontinuity(system).set_regimes(state);
        system.energy().renew(state);
        self.record(system, state);
    }
}

impl Newton {
    /// Gives `state` the accelerations and forces after a jump from the state `before`, if it has other velocities, and the numbers of friction laws
    /// before, if those have jumped.
    fn jump_inputs(
        &mut self, system: &System, state: &mut State,
        (before, tuned_from): (Option<&State>, Option<&Tuning>), h: f64,
    ) {
        self.load_input_jump(system, before.unwrap_or(state), h);
        if let Some(before) = tuned_from {
            self.at.tuning.clone_from(before);
        }
        // Where nothing can be solved for, the step says so.
        let _ = self.solve_input_jump(system, before, state, h);
        state.keep_signals(0.0);
        self.find_reactions(system, state, h);
    }

    /// Evaluates the equations of the iterate at `state`; where motions jump, those for the accelerations that constraints ask for stand in their rows.
    fn evaluate_input_jump(&mut self, system: &System, state: &State, moves: bool, factor: f64) {
        system.residual(&self.at, &mut self.work);
        if moves {
            self.accelerate_constraints(system, &state.velocity, factor.recip());
        }
    }

    /// Writes `scale` times the accelerations of constraints, with these velocities and the accelerations of the iterate, into their rows of the border.
    pub(crate) fn accelerate_constraints(&mut self, system: &System, velocity: &[f64], scale: f64) {
        let Newton { at, work, .. } = self;
        let rows = &mut work.border;
        system.constraint_accelerations(at, &work.placed, velocity, scale, rows);
    }

    /// Puts the iterate where `state` is as a step of length `h` begins, with the forces of the inputs before they jump.
    pub(crate) fn load_input_jump(&mut self, system: &System, state: &State, h: f64) {
        self.load_state(system, state, h);
        let at = &mut self.at;
        at.ahead = h;
        let factor = system.weights().stage(h).rate();
        for (slider, own) in system.sliders.iter().zip(&mut at.sliders) {
            let velocity = state.velocity[slider.coordinate];
            own.velocity = SlidingVelocity::at_rate(factor, own.before, velocity);
        }
        at.acceleration.copy_from_slice(&state.acceleration);
        if system.feels_velocity() {
            self.load_velocities(system, state, factor);
        }
    }

    /// Solves for the jump from the equations in the iterate, and gives it to `state`.
    fn solve_input_jump(
        &mut self, system: &System, before: Option<&State>, state: &mut State, h: f64,
    ) -> Result<(), Singular> {
        let factor = system.weights().stage(h).mass_factor();
        let moves = before.is_some() || system.motions.jump(state);
        self.evaluate_input_jump(system, before.unwrap_or(state), moves, factor);
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter_mut().zip(&system.unknown) {
            *x = self.work.residual[u];
        }
        y.copy_from_slice(&self.work.border);
        let friction_jumps = before.is_some() || self.at.tuning != state.tuning;
        if friction_jumps {
            self.add_friction(state, -1.0);
        }
        if before.is_some() {
            self.load_input_jump(system, state, h);
        }
        system.motions.jump_accelerations(state);
        self.load_inputs_behind_jump(system, state);
        let factored = system.factored_tangent(&mut self.at, &mut self.work, Some(factor));
        if moves {
            self.accelerate_constraints(system, &state.velocity, factor.recip());
        }
        if friction_jumps {
            self.add_friction(state, 1.0);
        }
        factored?;
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter_mut().zip(&system.unknown) {
            *x = match self.at.driven[u] {
                None => *x - self.work.residual[u],
                Some(_) => 0.0,
            };
        }
        (y.iter_mut().zip(&self.work.border)).for_each(|(y, row)| *y -= row);
        self.work.matrix.solve(x, y)?;
        self.take_input_jump(system, state, factor);
        for _ in 0..HINGE_SOLUTIONS {
            let lacks = system.hinges.lacks(&self.at).map(|(_, lacks)| lacks.abs());
            if lacks.fold(0.0, f64::max) <= LACKING * self.work.force_scale {
                break;
            }
            let (x, y) = self.corrections.room();
            x.fill(0.0);
            y.fill(0.0);
            for (n, lacks) in system.hinges.lacks(&self.at) {
                system.equation.of(n).into_iter().for_each(|e| x[e] = lacks);
            }
            self.work.matrix.solve(x, y)?;
            self.take_input_jump(system, state, factor);
        }
        for (kept, own) in state.multipliers.iter_mut().zip(&self.at.sliders) {
            *kept = own.multipliers;
        }
        state.pins.copy_from_slice(&self.at.pins);
        state.acceleration.copy_from_slice(&self.at.acceleration);
        system.motions.give_rates(state);
        Ok(())
    }

    /// Gives the iterate the inputs and numbers of friction laws that `state` has behind the jump.
    fn load_inputs_behind_jump(&mut self, system: &System, state: &State) {
        self.at.tuning.clone_from(&state.tuning);
        system.load_inputs(&mut self.at, state.time, |i| state.signals[i].at(0.0)[0]);
        for (m, u) in system.motions.driven(state) {
            self.at.acceleration[u] = state.motions[m].acceleration;
        }
    }

    /// Factors the tangent with which the jump from the one state to the other was solved for; the forces of hinges have the directions behind it.
    ///
    /// # Errors
    /// Where it is singular.
    pub(crate) fn factor_input_jump(
        &mut self, system: &System, (before, behind): (&State, &State), h: f64,
    ) -> Result<(), Singular> {
        self.load_input_jump(system, before, h);
        self.load_inputs_behind_jump(system, behind);
        if !system.hinges.is_empty() {
            self.at.pins.copy_from_slice(&behind.pins);
        }
        let factor = system.weights().stage(h).mass_factor();
        system.factored_tangent(&mut self.at, &mut self.work, Some(factor))
    }

    /// Adds `share` times the friction of the last evaluation to that of `state`.
    fn add_friction(&mut self, state: &mut State, share: f64) {
        for (kept, found) in state.sliders.iter_mut().zip(&self.work.sliders) {
            if !kept.regime.is_open() {
                kept.friction += share * found.state.friction;
            }
        }
        for (kept, found) in state.points.iter_mut().zip(&self.work.points) {
            if kept.touch.touches() {
                kept.friction += share * found.memory.friction;
            }
        }
    }

    /// Adds the solution for the jump to the iterate, and to what of `state` is not in it.
    fn take_input_jump(&mut self, system: &System, state: &mut State, factor: f64) {
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter().zip(&system.unknown) {
            self.at.acceleration[u] += factor * x;
            state.algorithmic[u] += factor * x;
        }
        for (j, slider) in system.sliders.iter().enumerate() {
            if state.sliders[j].regime.is_open() {
                continue;
            }
            let s = slider.coordinate;
            self.at.acceleration[s] += factor * y[slider.border];
            state.algorithmic[s] += factor * y[slider.border];
            let mut change = [0.0; 3];
            let count = slider.conditions();
            change[..count].copy_from_slice(&y[slider.border + 1..][..count]);
            let forces = &self.work.inertia_forces;
            state.sliders[j].friction +=
                system.sliders[j].friction_by_multipliers(&self.at, forces, &change);
        }
        self.at.add_forces(system, 1.0, y);
    }

    /// Gives `state` the reactions to its accelerations and multipliers, and what they leave without balance; what follows is a step
    /// of length `h`.
    pub(super) fn find_reactions(&mut self, system: &System, state: &mut State, h: f64) {
        self.load_input_jump(system, state, h);
        system.residual(&self.at, &mut self.work);
        for (u, left) in self.work.residual.iter().enumerate() {
            let prescribed = self.at.driven[u].is_some() || !system.equation.has(u);
            *state.left_by_jump(u, prescribed) = *left;
        }
    }
}
