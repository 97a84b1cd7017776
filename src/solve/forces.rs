//! Accelerations and forces at an instant, from positions and velocities:
//!
//! ```text
//! M q̈ + Gᵀ λ = f(q, q̇, t),    G q̈ + q̇ᵀ Φ_qq q̇ + … = 0
//! ```
//!
//! These are what is reported, and what the time integration begins with at the start and after an event. λ of a step belongs to the
//! constraints on velocities and is off by what its rule leaves of them.
//!
//! M has no entry for unknowns without mass. S = M + τ² K stands for it, with τ so short that no other motion feels K; an unknown without mass then
//! follows the others as K lets it. Where its forces do not balance at the instant, they stay out of balance.

use super::stepper::{Holds, Stepper};
use super::tolerances::{INSTANT, INSTANT_SOLUTIONS, LEAST_INSTANT};
use crate::newton::kinetics::Kinetics;
use crate::newton::{Failure, SHRINKS};
use crate::system::{Constraint, State, System};

impl State {
    /// τ, s.
    pub(crate) fn instant(&self) -> f64 {
        let step = self.control.length;
        (INSTANT * step).max(LEAST_INSTANT).min(step)
    }
}

impl Stepper {
    /// Puts the iterate where `state` is, with its velocities and, but for what motions drive, without accelerations, for a solution with τ = `tau` (s).
    pub(super) fn load_instant(&mut self, system: &System, state: &State, tau: f64) {
        let step = state.step();
        self.load_state(system, state, step);
        // What laws with memory slide in so short a time is nothing.
        self.at.step = tau;
        self.motion.velocity.copy_from_slice(&state.velocity);
        // Velocities are given; for unknowns without mass dampers stand beside K as over a step.
        self.load_velocities(system, state, 1.0 / step);
        self.place_motions(system, state);
        system.find_passive(&self.at, &mut self.work, true);
    }

    /// Factors the equations for accelerations and forces of the iterate, with τ = `tau` (s), and puts what they lack into the workspace. The last
    /// evaluation was of its positions and velocities; K is that of the last tangent, which in steps is as old as their matrix.
    ///
    /// # Errors
    /// Where they are singular.
    pub(crate) fn factor_instant(&mut self, system: &System, tau: f64) -> Result<(), Failure> {
        let factor = Some(1.0 / (tau * tau));
        let Stepper { at, work, .. } = self;
        loop {
            system.evaluate_joints(at, work, Some(factor));
            match self.corrections.factor(work) {
                Err(_) if system.regularise(at, factor) => continue,
                factored => break factored?,
            }
        }
        self.corrections.keep_branches(work);
        self.accelerate_constraints(system, tau);
        Ok(())
    }

    /// Puts what accelerations lack of those that constraints ask for into the border, times τ².
    fn accelerate_constraints(&mut self, system: &System, tau: f64) {
        let (work, velocity) = (&mut self.work, &self.motion.velocity);
        let rows = &mut work.border;
        system.constraint_accelerations(&self.at, &work.placed, velocity, tau * tau, rows);
    }

    /// Solves for the accelerations and forces of the iterate, which are then in it: those of M q̈ + τ² K (q̈ − q̈₀) + Gᵀλ = f, where q̈₀ is in it
    /// before each of the `solutions`. One finds what differs little from what is there before.
    ///
    /// # Errors
    /// Where the equations are singular.
    pub(super) fn solve_instant(
        &mut self, system: &System, tau: f64, solutions: usize,
    ) -> Result<(), Failure> {
        for (slider, own) in system.sliders.iter().zip(&mut self.at.sliders) {
            let s = self.at.q.get(slider.coordinate);
            own.velocity = own.velocity.given(s, system.model.solver.step);
        }
        // Friction follows the normal forces, which nothing is known of at first: a matrix serves as long as the corrections shrink quickly.
        let (mut fresh, mut last) = (true, 0.0);
        for solved in 1..=solutions {
            if fresh || !self.corrections.same_branches(&self.work) {
                self.factor_instant(system, tau)?;
            } else {
                self.accelerate_constraints(system, tau);
            }
            self.corrections.find(system, &mut self.at, &mut self.work)?;
            let size = self.apply_to_forces(system, tau);
            if !size.is_finite() {
                return Err(Failure::Diverged { iterations: solved });
            }
            fresh = size > SHRINKS * last;
            last = size;
            system.evaluate_joints(&self.at, &mut self.work, None);
        }
        Ok(())
    }

    /// Applies a correction to accelerations and forces; returns the largest of a force, no number where it has none.
    fn apply_to_forces(&mut self, system: &System, tau: f64) -> f64 {
        let factor = 1.0 / (tau * tau);
        let at = &mut self.at;
        let (x, y) = self.corrections.room();
        for (x, &u) in x.iter().zip(&system.unknown) {
            if at.driven[u].is_none() {
                at.acceleration[u] += factor * x;
            }
        }
        for slider in &system.sliders {
            at.acceleration[slider.coordinate] += factor * y[slider.border];
        }
        at.add_forces(system, 1.0, y);
        match x.iter().chain(&*y).all(|part| part.is_finite()) {
            true => y.iter().fold(0.0, |most, force| most.max(force.abs())),
            false => f64::NAN,
        }
    }

    /// Gives the end of stage `i`, which is in the iterate, the accelerations and forces with which its constraints hold for accelerations, too, by the
    /// matrix of the stage. Those of the stage itself close velocities: where constraints bend they are of second order only, and so would be the
    /// forces, which turn over the step.
    ///
    /// # Errors
    /// Where there are none.
    pub(super) fn accelerate_stage(&mut self, system: &System, i: usize) -> Result<(), Failure> {
        let tau = self.motion.stage.by_velocity;
        for slider in &system.sliders {
            let s = slider.coordinate;
            self.at.acceleration[s] = self.motion.acceleration(s, &self.at);
        }
        self.accelerate_constraints(system, tau);
        (self.corrections).find(system, &mut self.at, &mut self.work)?;
        self.corrections.solutions += 1;
        if !self.apply_to_forces(system, tau).is_finite() {
            return Err(Failure::Diverged { iterations: 1 });
        }
        let end = &mut self.middle[i];
        for (rates, x) in end.unknowns.iter_mut().zip(&self.at.acceleration) {
            rates[1] = *x;
        }
        end.keep_forces(&self.at);
        // The iterate remains the solution of the stage.
        let (_, y) = self.corrections.room();
        self.at.add_forces(system, -1.0, y);
        self.motion.update(system, &mut self.at);
        Ok(())
    }

    /// Gives `state` the accelerations and forces of its positions and velocities; the solution of the step that has led to it may be in the iterate.
    pub(crate) fn report(&mut self, system: &System, state: &mut State) {
        state.keep_stepped();
        let at_end = matches!(self.holds, Holds::Step { .. });
        self.holds = Holds::Nothing;
        if !system.is_dynamic() {
            return;
        }
        let tau = state.instant();
        if at_end {
            for slider in &system.sliders {
                let s = slider.coordinate;
                self.at.acceleration[s] = state.acceleration[s];
            }
            self.motion.velocity.copy_from_slice(&state.velocity);
        } else {
            self.load_instant(system, state, tau);
        }
        let mut solutions = if at_end { 1 } else { INSTANT_SOLUTIONS };
        while self.solve_instant(system, tau, solutions).is_ok() {
            if !self.open_what_pulls(system) {
                self.keep_accelerations(system, state);
                self.keep_multipliers(system, state);
                self.holds = Holds::Report;
                return;
            }
            solutions = INSTANT_SOLUTIONS;
        }
    }

    /// Opens the closed contacts that would have to pull in the solution in the iterate; whether there are any. They open in the next step, and what is
    /// reported is without them.
    fn open_what_pulls(&mut self, system: &System) -> bool {
        let mut any = false;
        for (j, own) in self.at.sliders.iter_mut().enumerate() {
            let closed = own.constraint != Constraint::Open;
            if closed && system.sliders[j].opening_force(&self.at.q, &own.multipliers) > 0.0 {
                (own.constraint, own.multipliers) = (Constraint::Open, [0.0; 3]);
                any = true;
            }
        }
        any
    }

    /// Gives `state` the accelerations that are in the iterate.
    pub(super) fn keep_accelerations(&self, system: &System, state: &mut State) {
        state.acceleration.copy_from_slice(&self.at.acceleration);
        for (slider, own) in system.sliders.iter().zip(&self.at.sliders) {
            if own.constraint == Constraint::Open {
                // Its nearest place may be at a corner.
                state.acceleration[slider.coordinate] = 0.0;
            }
        }
    }
}
