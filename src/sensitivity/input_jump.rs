//! Change of the jump with which a communication step begins where inputs or numbers of friction laws jump: it is linear in the jump.

use super::common::Turn;
use super::{Change, NoDerivative};
use crate::checked::Analysis;
use crate::linear::Singular;
use crate::newton::Newton;
use crate::solve::plan::steps_of;
use crate::solve::stepper::Stepper;
use crate::system::{Instant, Iterate, Linear, Numbers, SlidingVelocity, State, System, Varied};

impl Change {
    /// Carries the change over the jump with which a communication step of `length` begins from `state`, whose inputs are set.
    ///
    /// # Errors
    /// Where the jump makes a slider lift off, stop, stick or slide.
    pub(crate) fn jump_inputs(
        &mut self, stepper: &mut Stepper, system: &System, mut state: State, length: f64,
    ) -> Result<(), NoDerivative> {
        if system.model.solver.analysis == Analysis::QuasiStatic {
            return Ok(());
        }
        let h = length / steps_of(length, state.step());
        let mut before = state.clone();
        if !stepper.jump_inputs(system, &mut state, h) {
            return Err(NoDerivative::Transition { time: state.time });
        }
        let state = &state;
        // The solution for the jump, none where nothing jumps.
        let (x, y) = stepper.integrator.newton.corrections.room();
        let jump = if state.acceleration == before.acceleration { 0.0 } else { 1.0 };
        let jump = [x, y].map(|solved| solved.iter().map(|x| jump * x).collect::<Vec<f64>>());
        let singular = |_: Singular| NoDerivative::Singular { time: state.time };
        let rates = self.jump_rates(stepper, system, &before, state).map_err(singular)?;
        before.velocity.copy_from_slice(&state.velocity);
        before.motions.copy_from_slice(&state.motions);
        let newton = &mut stepper.integrator.newton;
        let factor = system.weights().stage(h).mass_factor();
        let factored = newton.factor_input_jump(system, (&before, state), h);
        let decided = newton.at.clone();
        newton.load_input_jump(system, state, h);
        let (by, at) = (&mut self.by, &mut self.at);
        at.q.fill(0.0);
        at.acceleration.fill(0.0);
        at.flow.factor = newton.at.flow.factor;
        at.flow.origin.fill(0.0);
        if rates {
            for (u, v) in by.velocity[..system.nodal].iter().enumerate() {
                at.flow.regularisation(u, 0.0.into(), *v);
            }
            let sliders = system.sliders.iter().zip(&newton.at.sliders);
            for (own, (slider, now)) in at.sliders.iter_mut().zip(sliders) {
                let v = by.velocity[slider.coordinate];
                own.velocity = SlidingVelocity::at_rate(now.velocity.factor, 0.0.into(), v);
            }
        }
        // Laws with memory act from the step that follows on.
        let jumping = |(law, numbers): (usize, &Vec<f64>)| {
            let remembers = state.tuning.friction(law).kind().remembers;
            numbers.iter().map(|change| if remembers { 0.0 } else { *change }).collect()
        };
        let jumps: Vec<Vec<f64>> = self.friction.iter().enumerate().map(jumping).collect();
        let tuned = std::mem::replace(&mut self.friction, jumps);
        let about = Linear::at(system, &newton.at);
        system.residual_change((&newton.at, &about), at, &self.friction, &mut self.residual);
        for (slider, own) in system.sliders.iter().zip(&mut by.sliders) {
            own.friction = self.residual.border[slider.border];
        }
        let point = Instant::of_communication(state.time);
        let input = |i: usize| by.signals[i].at(0.0)[0];
        system.loads.change(point.time, input, &mut at.external);
        system.loads.lines.follower_change(point.time, input, &mut at.follower_loads);
        let varied = Varied { now: state, by };
        let input = |i: usize| varied.get(|s| s.signals[i].at(0.0)[0]);
        system.springs.set_change(input, &mut at.springs);
        for m in 0..system.motions.len() {
            by.motions[m].acceleration =
                system.motions.change_at(m, (state, by), point).acceleration;
        }
        for (m, u) in system.motions.driven(state) {
            at.acceleration[u] = by.motions[m].acceleration;
        }
        let moves =
            by.motions.iter().any(|motion| motion.rate != 0.0 || motion.acceleration != 0.0);
        let solved = factored.and_then(|()| match moves {
            true => {
                let jump = (&decided, [&jump[0][..], &jump[1][..]]);
                self.solve_for_motions((newton, &about), system, state, jump, factor)
            }
            false => self.solve_by_factored((newton, &about), system, Some(factor)),
        });
        if solved.is_ok() {
            self.take_input_jump((newton, &about), system, state, factor);
        }
        self.friction = tuned;
        Ok(())
    }

    /// Carries the change over the jump of velocities from `before` to `state`; whether there is any.
    fn jump_rates(
        &mut self, stepper: &mut Stepper, system: &System, before: &State, state: &State,
    ) -> Result<bool, Singular> {
        let by = &mut self.by;
        let point = Instant::of_communication(state.time);
        for m in 0..system.motions.len() {
            by.motions[m].rate = system.motions.change_at(m, (state, by), point).rate;
        }
        if by.motions.iter().all(|motion| motion.rate == 0.0) {
            return Ok(false);
        }
        by.velocity.fill(0.0);
        for (m, u) in system.motions.driven(state) {
            by.velocity[u] = by.motions[m].rate;
        }
        stepper.discontinuity(system).impulses().factor_motion_jump(before)?;
        let newton = &mut stepper.integrator.newton;
        newton.follow_rates(system, &before.q, before.step(), &mut by.velocity)?;
        let gained = system.energy().kinetic(&Varied { now: state, by }).eps;
        by.energy.input_work += gained;
        by.energy.kinetic += gained;
        by.energy.mechanical += gained;
        Ok(true)
    }

    /// [`Change::solve_by_factored`] where motions move, with the accelerations that constraints ask for, and with the change of the matrix by velocities:
    /// `jump` holds the iterate from which it is and the solution with it.
    fn solve_for_motions(
        &mut self, (newton, about): (&mut Newton, &Linear), system: &System, state: &State,
        (decided, [x, y]): (&Iterate, [&[f64]; 2]), factor: f64,
    ) -> Result<(), Singular> {
        let (mut there, mut rows) = (newton.at.clone(), vec![0.0; system.border()]);
        self.velocity.copy_from_slice(&self.by.velocity);
        let Newton { at, work, .. } = newton;
        system.residual_change((at, about), &self.at, &self.friction, &mut self.residual);
        let tau = factor.recip().sqrt();
        self.vary_constraints(system, tau, at, &state.velocity, (&mut there, &mut rows));
        let along = self.at.clone();
        self.correct_by(system, at, work, Some(factor))?;
        if let Some(turn) = Turn::of(system, newton, decided, (x, y), 0.0) {
            let mut beside = [Linear::new(system), Linear::new(system)];
            turn.linearise(system, &mut beside);
            self.interior.fill(0.0);
            self.border.fill(0.0);
            self.turn(newton, system, &along, (&turn, &beside));
            newton.work.matrix.solve(&mut self.interior, &mut self.border)?;
            self.apply(system, &newton.at, Some(factor));
        }
        self.follow_closest_points(system, &newton.at);
        Ok(())
    }

    /// The change of what a jump gives to `state`.
    fn take_input_jump(
        &mut self, (newton, about): (&Newton, &Linear), system: &System, state: &State, factor: f64,
    ) {
        let (by, at) = (&mut self.by, &mut self.at);
        for (j, slider) in system.sliders.iter().enumerate() {
            if state.sliders[j].regime.is_open() {
                continue;
            }
            at.acceleration[slider.coordinate] = factor * at.q[slider.coordinate];
            by.multipliers[j] = at.sliders[j].multipliers;
            let forces = &newton.work.inertia_forces;
            by.sliders[j].friction +=
                system.sliders[j].friction_by_multipliers(&newton.at, forces, &by.multipliers[j]);
        }
        by.pins.copy_from_slice(&at.pins);
        by.acceleration.copy_from_slice(&at.acceleration);
        by.algorithmic.copy_from_slice(&at.acceleration);
        at.q.fill(0.0);
        for (c, contact) in system.surfaces.contacts.iter().enumerate() {
            let changes = system.surfaces.contact_change(c, &newton.at, at, &self.friction);
            for (i, change) in contact.points.clone().zip(changes) {
                by.points[i].friction = change.memory.friction.eps;
            }
        }
        system.residual_change((&newton.at, about), at, &self.friction, &mut self.residual);
        for (u, left) in self.residual.nodal.iter().enumerate() {
            let prescribed = newton.at.driven[u].is_some() || !system.equation.has(u);
            *by.left_by_jump(u, prescribed) = *left;
        }
    }
}
