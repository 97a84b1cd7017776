//! One step: its solution, and what the solution leaves in the state.

use super::energy::Entries;
use super::guess::Guess;
use super::scheme::Scheme;
use super::stepper::{Holds, Jump, Rejected, Solved, Stepper};
use super::tolerances::{HALVINGS_BEFORE_SWITCH, LEAST_RADIUS};
use crate::joints::regime::{Regime, Sense};
use crate::newton::kinetics::{Before, Static};
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

impl Stepper {
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
        matches!(self.holds, Holds::Step { stages: true, .. })
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
        self.holds = Holds::Step { stages: false, jammed };
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
        self.begin_stage(system, state, part, stage, guess, |u, before| {
            tableau.base(i, h, before, |j| middle[j].unknowns[u])
        });
        self.middle = middle;
        self.solve_stage(system)?;
        let Some(end) = self.middle.get_mut(i) else {
            self.holds = Holds::Step { stages: true, jammed: false };
            return Ok(());
        };
        self.motion.find_velocities(system, &self.at);
        for (u, rates) in end.unknowns.iter_mut().enumerate() {
            *rates = self.motion.rates(system, &self.at, u);
        }
        end.keep_forces(&self.at);
        match tableau.order > 2 {
            true => self.accelerate_stage(system, i).map_err(Rejected::Retry),
            false => Ok(()),
        }
    }

    /// [`Stepper::attempt`] from where nothing slides in the step. What presses a slider that jams while it slides grows with what brakes
    /// it: sliding has no solution any more, and rest is out of reach from there.
    fn attempt_from_rest(
        &mut self, system: &System, state: &State, span: Span,
    ) -> Result<(), Rejected> {
        self.predict(system, state, span);
        for [from, to] in [[Along::Law, Along::Stick], [Along::Stick, Along::Law]] {
            for (slider, own) in system.sliders.iter().zip(&mut self.at.sliders) {
                let held = slider.friction.acts && own.constraint == Constraint::Path;
                if own.along == from && (held || to == Along::Law) {
                    own.along = to;
                    self.at.q.set(slider.coordinate, own.before);
                }
            }
            self.solve_stage(system)?;
        }
        Ok(())
    }

    /// Solves the stage in the iterate.
    pub(super) fn solve_stage(&mut self, system: &System) -> Result<(), Rejected> {
        let Stepper { at, work, .. } = self;
        let outcome = match system.is_dynamic() {
            true => (self.corrections).solve(system, &mut self.motion, at, work),
            false => (self.corrections).solve(system, &mut Static, at, work),
        };
        self.corrections.solutions += outcome.map_err(Rejected::Retry)? as u64;
        Ok(())
    }

    /// Makes the solution of a step the new state, unless another scheme has to take it: that one is returned.
    ///
    /// # Errors
    /// Where it is not to be taken.
    pub(crate) fn finish(
        &mut self, system: &System, state: &mut State, span: Span, jump: Jump,
        watch: &mut impl FnMut(&Stepper, &State, &Solved),
    ) -> Result<Option<Scheme>, Rejected> {
        let Span { length: h, end, .. } = span;
        self.check_ends(system, end.time).map_err(Rejected::Final)?;
        self.find_movement(system, state, h);
        self.take_back_faces();
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

    /// Faces of what has lifted off go back to where they stood.
    fn take_back_faces(&mut self) {
        for (point, found) in self.at.points.iter_mut().zip(&self.work.points) {
            point.advance = found.memory.advance;
        }
    }

    /// Keeps what sliders do from now on that they did not do before.
    pub(super) fn note(&mut self, system: &System, state: &mut State) {
        self.search.changed = state.time;
        self.note_at(system, state, state.time);
    }

    /// Keeps what sliders do from `time` (s) on.
    pub(super) fn note_at(&mut self, system: &System, state: &mut State, time: f64) {
        state.keep_journal(time);
        self.events.look(system, state, time);
    }

    /// Finds how the unknowns move at the end of the step of length `h` from `state` to the iterate.
    fn find_movement(&mut self, system: &System, state: &State, h: f64) {
        let alpha = system.weights();
        let stages = self.has_stages();
        let (end, at, motion) = (&mut self.end, &self.at, &mut self.motion);
        if !system.is_dynamic() {
            for u in 0..state.q.len() {
                end.drive(u, at.q.way(u, &state.q) / h, 0.0);
            }
        } else {
            motion.find_velocities(system, at);
            for u in 0..state.q.len() {
                let [velocity, x] = motion.rates(system, at, u);
                (end.velocity[u], end.acceleration[u]) = (velocity, x);
                end.algorithmic[u] = match (self.scheme, stages) {
                    (Scheme::Alpha, true) => alpha.algorithmic_after(
                        system.tableau().end(0),
                        [self.middle[0].unknowns[u][1], x],
                    ),
                    (Scheme::Alpha, false) => alpha.algorithmic(x, &Before::of(state, u)),
                    (Scheme::Euler | Scheme::Complementary, _) => x,
                };
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
            state.journal[j].work += self.friction_work(system, state, j);
        }
        self.add_contact_friction(system, state);
        for i in 0..system.springs.list.len() {
            let work = system.springs.work(i, state, &self.at, &self.work.springs[i], end);
            state.springs[i].friction_work += work.friction_work;
            state.springs[i].damping_work += work.damping_work;
        }
        state.leave();
        self.end.regularisation(state);
        state.q.copy_from(&self.at.q);
        state.elastic.copy_from_slice(&self.work.elastic);
        state.motions.copy_from_slice(&self.motions);
        self.keep_forces(system, state);
        self.follow_feet(system, state);
        self.keep_memory(system, state);
        if !system.is_dynamic() {
            state.unstable_modes = self.unstable_modes(system);
        }
        state.keep_signals(end.elapsed);
        state.time = end.time;
        state.counters.steps += 1;
        state.counters.iterations += std::mem::take(&mut self.corrections.solutions);
    }

    /// Adds what friction of contacts of surfaces takes in the step from `state`.
    fn add_contact_friction(&self, system: &System, state: &mut State) {
        for (c, contact) in system.surfaces.contacts.iter().enumerate() {
            let points = contact.points.clone();
            let work: f64 = points.map(|i| self.contact_friction_work(system, state, i)).sum();
            state.contacts[c].work += work;
        }
    }

    /// Makes the equilibrium in the iterate, the next one on a path of equilibria after `state`, the new state: forces, what points of
    /// contacts and slip elements of springs remember, and what their friction has taken on the way.
    ///
    /// What laws of sliders remember stays: on a path sliders are held or free.
    pub(crate) fn keep_on_path(&self, system: &System, state: &mut State) {
        self.add_contact_friction(system, state);
        for (kept, found) in state.springs.iter_mut().zip(&self.work.springs) {
            kept.friction_work += found.dissipated + found.stored - kept.stored;
        }
        state.q.copy_from(&self.at.q);
        self.keep_forces(system, state);
        self.keep_slip(system, state);
    }

    /// Makes what laws with memory and points of contacts remember at the end of the step that of `state`.
    pub(crate) fn keep_memory(&self, system: &System, state: &mut State) {
        self.keep_slip(system, state);
        for (j, found) in self.work.sliders.iter().enumerate() {
            state.sliders[j].memory = found.state.memory;
            state.journal[j].stored = found.stored;
        }
    }

    /// The same of points of contacts and of springs alone.
    fn keep_slip(&self, system: &System, state: &mut State) {
        for (memory, found) in state.points.iter_mut().zip(&self.work.points) {
            *memory = found.memory;
        }
        for (c, (journal, contact)) in
            (state.contacts.iter_mut().zip(&system.surfaces.contacts)).enumerate()
        {
            let points = &self.work.points[contact.points.clone()];
            journal.stored = points.iter().map(|point| point.stored_along).sum();
            journal.ends = system.surfaces.ends_below(c, (&self.at).into());
        }
        for (spring, found) in state.springs.iter_mut().zip(&self.work.springs) {
            (spring.anchor, spring.stored) = (found.anchor, found.stored);
        }
    }

    /// Copies forces of the iterate and what sliders do in it into `state`.
    pub(crate) fn keep_forces(&self, system: &System, state: &mut State) {
        for (j, slider) in system.sliders.iter().enumerate() {
            let found = self.work.sliders[j].state.regime;
            state.sliders[j].regime = match (found, self.at.sliders[j].along) {
                (Regime::Slip(_), Along::Slip(_)) => found,
                // It slides with its velocity, and before it has one against its friction.
                (Regime::Slip(sense), _) => {
                    let v = state.velocity[slider.coordinate];
                    let moves = v.abs() > system.rest_speed();
                    Regime::Slip(if moves { Sense::of(v) } else { sense })
                }
                _ => found,
            };
        }
        state.unbalanced.fill(0.0);
        self.keep_multipliers(system, state);
    }

    /// Copies multipliers, friction and reactions of the iterate into `state`.
    pub(super) fn keep_multipliers(&self, system: &System, state: &mut State) {
        for (j, own) in self.at.sliders[..system.sliders.len()].iter().enumerate() {
            state.multipliers[j] = own.multipliers;
            state.sliders[j].friction = self.work.sliders[j].state.friction;
        }
        state.pins.copy_from_slice(&self.at.pins);
        for u in 0..system.nodal {
            let prescribed = !system.equation.has(u);
            state.reactions[u] =
                if prescribed || self.at.driven[u].is_some() { self.work.residual[u] } else { 0.0 };
        }
    }
}
