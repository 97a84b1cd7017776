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
//! follows the others as K lets it. Where its forces do not balance at the instant, they stay unbalanced.

use super::integrator::{Contents, Integrator};
use super::tolerances::{
    INSTANT, INSTANT_SOLUTIONS, LEAST_INSTANT, MOST_INSTANT_SOLUTIONS, SET_TIME,
};
use crate::joints::regime::Sense;
use crate::newton::kinetics::Kinetics;
use crate::newton::{Failure, Newton, SHRINKS, friction_agrees};
use crate::system::{Along, Constraint, EqualSteps, Iterate, State, System};

impl State {
    /// τ, s.
    pub(crate) fn instant(&self) -> f64 {
        let step = self.control.length;
        (INSTANT * step).max(LEAST_INSTANT).min(step)
    }

    /// τ with which contact sets are found, s: a short time t = √2 τ, over which accelerations of what the step does not resolve are those that
    /// K lets through. What moves by rounding within it rests, and what leaves within it has left.
    pub(super) fn short(&self) -> f64 {
        SET_TIME * self.step() * std::f64::consts::FRAC_1_SQRT_2
    }
}

impl Integrator {
    /// Puts the iterate where `state` is, with its velocities and, but for what motions drive, without accelerations, for a solution with τ = `tau` (s).
    pub(super) fn load_instant(&mut self, system: &System, state: &State, tau: f64) {
        let step = state.step();
        self.newton.load_state(system, state, step);
        // What laws with memory slide in so short a time is nothing.
        self.newton.at.step = tau;
        self.motion.velocity.copy_from_slice(&state.velocity);
        // Velocities are given; for unknowns without mass dampers stand beside K as over a step.
        self.newton.load_velocities(system, state, 1.0 / step);
        self.newton.place_motions(system, state);
        system.find_passive(&self.newton.at, &mut self.newton.work, true);
    }

    /// Factors the equations for accelerations and forces of the iterate, with τ = `tau` (s), and puts what they lack into the workspace. The last
    /// evaluation was of its positions and velocities; K is that of the last tangent, which in steps is as old as their matrix.
    ///
    /// # Errors
    /// Where they are singular.
    pub(crate) fn factor_instant(&mut self, system: &System, tau: f64) -> Result<(), Failure> {
        let factor = Some(1.0 / (tau * tau));
        let Newton { at, work, corrections } = &mut self.newton;
        loop {
            system.evaluate_joints(at, work, Some(factor));
            match corrections.factor(work) {
                Err(_) if system.regularise(at, factor) => continue,
                factored => break factored?,
            }
        }
        corrections.keep_branches(work);
        self.accelerate_constraints(system, tau);
        Ok(())
    }

    /// Puts what accelerations lack of those that constraints ask for into the border, times τ².
    fn accelerate_constraints(&mut self, system: &System, tau: f64) {
        self.newton.accelerate_constraints(system, &self.motion.velocity, tau * tau);
    }

    /// Solves for the accelerations and forces of the iterate, which are then in it: those of M q̈ + τ² K (q̈ − q̈₀) + Gᵀλ = f, where q̈₀ is in it
    /// before each of the `solutions`. One finds what differs little from what is there before. More are taken where friction does not agree yet with
    /// what presses.
    ///
    /// # Errors
    /// Where the equations are singular.
    pub(super) fn solve_instant(
        &mut self, system: &System, tau: f64, solutions: usize,
    ) -> Result<(), Failure> {
        for (slider, own) in system.sliders.iter().zip(&mut self.newton.at.sliders) {
            let s = self.newton.at.q.get(slider.coordinate);
            own.velocity = own.velocity.given(s, system.model.solver.step);
        }
        // Friction follows the normal forces, which nothing is known of at first: a matrix serves as long as the corrections shrink quickly.
        let (mut fresh, mut last) = (true, 0.0);
        for solved in 1..=MOST_INSTANT_SOLUTIONS {
            if fresh || !self.newton.corrections.same_branches(&self.newton.work) {
                self.factor_instant(system, tau)?;
            } else {
                self.accelerate_constraints(system, tau);
            }
            self.newton.corrections.find(system, &mut self.newton.at, &mut self.newton.work)?;
            let size = self.apply_to_forces(system, tau);
            self.newton.at.press_hinges(system);
            if !size.is_finite() {
                return Err(Failure::Diverged { iterations: solved });
            }
            fresh = size > SHRINKS * last;
            last = size;
            system.evaluate_joints(&self.newton.at, &mut self.newton.work, None);
            if solved >= solutions && friction_agrees(system, &self.newton.at, &self.newton.work) {
                break;
            }
        }
        Ok(())
    }

    /// Applies a correction to accelerations and forces; returns the largest of a force, no number where it has none.
    fn apply_to_forces(&mut self, system: &System, tau: f64) -> f64 {
        let factor = 1.0 / (tau * tau);
        let at = &mut self.newton.at;
        let (x, y) = self.newton.corrections.room();
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
            self.newton.at.acceleration[s] = self.motion.acceleration(s, &self.newton.at);
        }
        self.accelerate_constraints(system, tau);
        (self.newton.corrections).find(system, &mut self.newton.at, &mut self.newton.work)?;
        self.newton.corrections.solutions += 1;
        if !self.apply_to_forces(system, tau).is_finite() {
            return Err(Failure::Diverged { iterations: 1 });
        }
        let end = &mut self.middle[i];
        for (rates, x) in end.unknowns.iter_mut().zip(&self.newton.at.acceleration) {
            rates[1] = *x;
        }
        end.keep_forces(&self.newton.at);
        // The iterate remains the solution of the stage.
        let (_, y) = self.newton.corrections.room();
        self.newton.at.add_forces(system, -1.0, y);
        self.motion.update(system, &mut self.newton.at);
        Ok(())
    }

    /// Gives `state` the accelerations that stiffness lets through over a short time: the first guess of the next step.
    pub(super) fn set_smooth_accelerations(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), Failure> {
        self.find_accelerations(system, state, state.short())?;
        state.keep_earlier();
        Ok(())
    }

    /// Gives `state` the accelerations of the instant, with which the next step begins.
    pub(super) fn set_exact_accelerations(
        &mut self, system: &System, state: &mut State,
    ) -> Result<(), Failure> {
        self.find_accelerations(system, state, state.instant())?;
        for (u, left) in self.newton.work.residual.iter().enumerate() {
            state.unbalanced[u] = left - state.reactions[u];
        }
        state.algorithmic.copy_from_slice(&state.acceleration);
        state.equal = EqualSteps::default();
        Ok(())
    }

    /// Gives `state` accelerations and joint forces with τ = `tau` (s).
    fn find_accelerations(
        &mut self, system: &System, state: &mut State, tau: f64,
    ) -> Result<(), Failure> {
        self.find_forces(system, state, tau, |_| ())
    }

    /// The same where `choose` says what holds the sliders; the solution is then in the iterate.
    ///
    /// # Errors
    /// Where there is none.
    pub(crate) fn find_forces(
        &mut self, system: &System, state: &mut State, tau: f64, choose: impl FnOnce(&mut Iterate),
    ) -> Result<(), Failure> {
        self.load_instant(system, state, tau);
        choose(&mut self.newton.at);
        self.solve_instant(system, tau, INSTANT_SOLUTIONS)?;
        self.newton.keep_accelerations(system, state);
        self.newton.keep_forces(system, state);
        system.motions.rest_fixed(state);
        system.motions.give_rates(state);
        Ok(())
    }

    /// Gives `state` the accelerations and forces of its positions and velocities; the solution of the step that has led to it may be in the iterate.
    pub(crate) fn report(&mut self, system: &System, state: &mut State) {
        state.keep_stepped();
        let at_end = matches!(self.contents, Contents::Step { .. });
        self.contents = Contents::Nothing;
        if !system.is_dynamic() {
            return;
        }
        let tau = state.instant();
        if at_end {
            for slider in &system.sliders {
                let s = slider.coordinate;
                self.newton.at.acceleration[s] = state.acceleration[s];
            }
            self.motion.velocity.copy_from_slice(&state.velocity);
            system.regularise_anew(&mut self.newton.at, Some(1.0 / (tau * tau)));
        } else {
            self.load_instant(system, state, tau);
        }
        let mut solutions = if at_end { 1 } else { INSTANT_SOLUTIONS };
        while self.solve_instant(system, tau, solutions).is_ok() {
            if !self.newton.release_overloaded(system) {
                self.newton.keep_accelerations(system, state);
                self.newton.keep_multipliers(system, state);
                self.contents = Contents::Report;
                return;
            }
            solutions = INSTANT_SOLUTIONS;
        }
    }
}

impl Newton {
    /// Opens the closed contacts that would have to pull in the solution in the iterate, and where there are none lets those slide that stick and
    /// carry more than they bear; whether there are any. They open or break away in the next step, and what is reported is without them: the
    /// forces of an instant are not those with which a step has ended, which are a mean of what it does not resolve. Friction comes last,
    /// because what sticks may carry too much only as long as another contact pulls.
    fn release_overloaded(&mut self, system: &System) -> bool {
        let Newton { at, work, corrections } = self;
        corrections.share(system, at, work);
        self.open_pulling(system) || self.slide_overloaded(system)
    }

    fn open_pulling(&mut self, system: &System) -> bool {
        let mut any = false;
        for (slider, own) in system.sliders.iter().zip(&mut self.at.sliders) {
            if own.constraint != Constraint::Open
                && slider.opening_force(&self.at.q, &own.multipliers) > 0.0
            {
                (own.constraint, own.multipliers) = (Constraint::Open, [0.0; 3]);
                any = true;
            }
        }
        any
    }

    fn slide_overloaded(&mut self, system: &System) -> bool {
        let mut any = false;
        for (j, slider) in system.sliders.iter().enumerate() {
            let k = self.work.placed[j];
            let own = &self.at.sliders[j];
            let sticks = (own.constraint, own.along) == (Constraint::Path, Along::Stick);
            if sticks && slider.cuts && slider.beyond(&self.at, || k, 0.0) > 0.0 {
                let pushed = Sense::pushed(k.tangential_force(&own.multipliers));
                self.at.sliders[j].along = Along::Slip(pushed);
                any = true;
            }
        }
        any
    }
}
