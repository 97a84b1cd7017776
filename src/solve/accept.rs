//! One step: its solution, and what the solution leaves in the state.

use fearless_simd::dispatch;

use super::energy::Entries;
use super::guess::Guess;
use super::integrator::{Contents, Integrator};
use super::scheme::Scheme;
use super::stepper::{Jump, Rejected, Solved, Watch};
use super::tolerances::{HALVINGS_BEFORE_SWITCH, LEAST_RADIUS};
use crate::newton::Newton;
use crate::newton::kinetics::{Before, Static};
use crate::numerics::lanes::level;
use crate::system::{Along, Constraint, Instant, Span, State, System};

impl Span {
    /// Whether its step has been halved so often that its length is not what it fails by.
    pub(super) fn is_halved(&self) -> bool {
        self.halvings >= HALVINGS_BEFORE_SWITCH
    }

    /// That of a stage that ends at a `share` of it.
    pub(crate) fn stage(self, share: f64) -> Span {
        let length = share * self.length;
        Span { length, end: self.end.before(self.length - length), ..self }
    }
}

impl Integrator {
    /// Solves a step from `state` over `span`; the solution is then in the iterate.
    pub(crate) fn attempt(
        &mut self, system: &System, state: &State, span: Span,
    ) -> Result<(), Rejected> {
        if !self.takes_stages(system, state, span.length) {
            return self.only_stage(system, state, span);
        }
        (0..system.tableau().stages()).try_for_each(|i| self.take_stage(system, state, span, i))
    }

    /// Whether the solution in the iterate is one of several stages.
    pub(crate) fn has_stages(&self) -> bool {
        matches!(self.contents, Contents::Step { stages: true, .. })
    }

    /// Takes a step of one stage.
    fn only_stage(&mut self, system: &System, state: &State, span: Span) -> Result<(), Rejected> {
        self.predict(system, state, span);
        let attempt = self.solve_stage(system);
        let jammed = attempt.is_err()
            && self.scheme != Scheme::Alpha
            && span.is_halved()
            && self.attempt_from_rest(system, state, span).is_ok();
        if !jammed {
            attempt?;
        }
        self.contents = Contents::Step { stages: false, jammed };
        Ok(())
    }

    /// Whether a step of length `h` from `state` is one of several stages; otherwise it is one of one.
    fn takes_stages(&self, system: &System, state: &State, h: f64) -> bool {
        let solver = &system.model.solver;
        system.is_dynamic()
            && self.scheme == Scheme::Alpha
            && solver.method.is_stabilised()
            && !(solver.tolerance.is_none()
                && solver.spectral_radius >= LEAST_RADIUS
                && state.equal.allow(h))
    }

    /// Takes stage `i` of a step from `state` over `span`, after those before.
    pub(crate) fn take_stage(
        &mut self, system: &System, state: &State, span: Span, i: usize,
    ) -> Result<(), Rejected> {
        self.motion.stabilised = true;
        let (tableau, h) = (system.tableau(), span.length);
        let part = span.stage(tableau.end(i));
        let middle = std::mem::take(&mut self.middle);
        let guess = Guess::of_stage(tableau, i, state, part.length, &middle);
        let stage = tableau.stage(h);
        self.newton.at.flow.circling = tableau.circling(i, h, state.circling);
        self.begin_stage(system, state, part, stage, guess, |u, before| {
            tableau.base(i, h, before, |j| middle[j].unknowns[u])
        });
        self.middle = middle;
        self.solve_stage(system)?;
        let Some(end) = self.middle.get_mut(i) else {
            self.contents = Contents::Step { stages: true, jammed: false };
            return Ok(());
        };
        self.motion.find_velocities(system, &self.newton.at);
        for (u, rates) in end.unknowns.iter_mut().enumerate() {
            *rates = self.motion.rates(system, &self.newton.at, u);
        }
        end.keep_forces(&self.newton.at);
        match tableau.order > 2 {
            true => self.accelerate_stage(system, i).map_err(Rejected::Retry),
            false => Ok(()),
        }
    }

    /// [`Integrator::attempt`] from where nothing slides in the step. What presses a slider that jams while it slides grows with what brakes
    /// it: sliding has no solution any more, and rest is out of reach from there.
    fn attempt_from_rest(
        &mut self, system: &System, state: &State, span: Span,
    ) -> Result<(), Rejected> {
        self.predict(system, state, span);
        for [from, to] in [[Along::Law, Along::Stick], [Along::Stick, Along::Law]] {
            for (slider, own) in system.sliders.iter().zip(&mut self.newton.at.sliders) {
                let held = slider.friction.acts && own.constraint == Constraint::Path;
                if own.along == from && (held || to == Along::Law) {
                    own.along = to;
                    self.newton.at.q.set(slider.coordinate, own.before);
                }
            }
            self.solve_stage(system)?;
        }
        Ok(())
    }

    /// Solves the stage in the iterate.
    pub(super) fn solve_stage(&mut self, system: &System) -> Result<(), Rejected> {
        let outcome = match system.is_dynamic() {
            true => self.newton.solve(system, &mut self.motion),
            false => self.newton.solve(system, &mut Static),
        };
        self.newton.corrections.solutions += outcome.map_err(Rejected::Retry)? as u64;
        Ok(())
    }

    /// Makes the solution of a step the new state, unless another scheme has to take it: that one is returned.
    ///
    /// # Errors
    /// Where it is not to be taken.
    pub(crate) fn finish(
        &mut self, system: &System, state: &mut State, span: Span, jump: Jump,
        watch: &mut Watch<'_>,
    ) -> Result<Option<Scheme>, Rejected> {
        let Span { length: h, end, .. } = span;
        self.newton.check_ends(system, end.time).map_err(Rejected::Final)?;
        self.find_movement(system, state, h);
        // Faces of what has lifted off go back to where they were.
        let Newton { at, work, .. } = &mut self.newton;
        for (point, found) in at.points.iter_mut().zip(&work.points) {
            point.advance = found.memory.advance;
        }
        let entries = self.entries(system, state, end);
        if let Some(scheme) = self.check_energy(system, state, span, &entries)? {
            return Ok(Some(scheme));
        }
        let control = self.controlled(system, state, h)?;
        watch(self, state, &Solved { span, jump });
        self.accept(system, state, &entries, end);
        state.equal.count(h);
        state.control = control;
        Ok(None)
    }

    /// Finds how the unknowns move at the end of the step of length `h` from `state` to the iterate.
    fn find_movement(&mut self, system: &System, state: &State, h: f64) {
        let alpha = system.weights();
        let stages = self.has_stages();
        let (end, at, motion) = (&mut self.end, &self.newton.at, &mut self.motion);
        if !system.is_dynamic() {
            for u in 0..state.q.len() {
                end.drive(u, at.q.way(u, &state.q) / h, 0.0);
            }
        } else {
            motion.find_velocities(system, at);
            end.velocity.copy_from_slice(&motion.velocity);
            let (nodal, sliding) = end.acceleration.split_at_mut(system.nodal);
            nodal.copy_from_slice(&at.acceleration[..system.nodal]);
            for (s, acceleration) in (system.nodal..).zip(sliding) {
                *acceleration = motion.acceleration(s, at);
            }
            let ends = end.algorithmic.iter_mut().zip(&end.acceleration);
            match (self.scheme, stages) {
                (Scheme::Alpha, true) => {
                    let share = system.tableau().end(0);
                    for ((a, x), [_, middle]) in ends.zip(&self.middle[0].unknowns) {
                        *a = alpha.algorithmic_after(share, [*middle, *x]);
                    }
                }
                (Scheme::Alpha, false) => dispatch!(level(), _ => {
                    for ((a, x), before) in ends.zip(Before::each(state)) {
                        *a = alpha.algorithmic(*x, &before);
                    }
                }),
                (Scheme::Euler | Scheme::Complementary, _) => ends.for_each(|(a, x)| *a = *x),
            }
        }
        for (m, u) in system.motions.driven(state) {
            let driven = self.motions[m];
            end.drive(u, driven.rate, driven.acceleration);
        }
        (system.motions.fixed.iter()).for_each(|&u| end.drive(u, 0.0, 0.0));
    }

    /// Makes the iterate the new state and enters the step into the energy balance.
    fn accept(&mut self, system: &System, state: &mut State, entries: &Entries, end: Instant) {
        state.energy = entries.balance;
        for j in 0..system.sliders.len() {
            state.journal[j].work += self.works(system, state).of_friction(j);
        }
        for (c, contact) in system.surfaces.contacts.iter().enumerate() {
            let works = self.works(system, state);
            let points = contact.points.clone();
            state.contacts[c].work += points.map(|i| works.of_contact_friction(i)).sum::<f64>();
        }
        let Newton { at, work, .. } = &self.newton;
        for i in 0..system.springs.list.len() {
            let work = system.springs.work(i, state, at, &work.springs[i], end);
            state.springs[i].friction_work += work.friction_work;
            state.springs[i].damping_work += work.damping_work;
        }
        state.leave();
        self.end.regularisation(state);
        state.q.copy_from(&self.newton.at.q);
        state.circling = self.newton.at.flow.circling;
        state.elastic.copy_from_slice(&self.newton.work.elastic);
        state.motions.copy_from_slice(&self.motions);
        self.newton.keep_forces(system, state);
        self.newton.follow_closest_points(system, state);
        self.newton.keep_memory(system, state);
        self.newton.keep_places(state);
        if !system.is_dynamic() {
            state.unstable_modes = self.newton.unstable_modes(system);
        }
        state.keep_signals(end.elapsed);
        state.time = end.time;
        state.counters.steps += 1;
        state.counters.iterations += std::mem::take(&mut self.newton.corrections.solutions);
    }
}
