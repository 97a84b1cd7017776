//! One step: its solution, and what the solution leaves in the state.

use super::energy::Entries;
use super::newton::Static;
use super::scheme::Scheme;
use super::stepper::{Affine, Jump, Rejected, Solved, Stepper};
use crate::joints::regime::{Regime, Sense};
use crate::model::checked::Analysis;
use crate::system::{Along, Constraint, Instant, Iterate, SliderState, Sliding, State, System};

impl Stepper {
    /// Solves a step of length `h` that ends at `end`; the solution is then in the iterate.
    pub(crate) fn attempt(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        end: Instant,
    ) -> Result<(), Rejected> {
        self.predict(system, state, h, end);
        self.jammed = false;
        let attempt = self.solve_step(system, h);
        if attempt.is_err() && self.scheme != Scheme::Alpha && self.halved {
            let from_rest = self.attempt_from_rest(system, state, h, end);
            self.jammed = from_rest.is_ok();
            return from_rest.or(attempt);
        }
        attempt
    }

    /// [`Stepper::attempt`] from where nothing slides in the step. What presses a slider that jams while it slides grows with what brakes
    /// it: sliding has no solution any more, and rest is out of reach from there.
    fn attempt_from_rest(
        &mut self,
        system: &System,
        state: &State,
        h: f64,
        end: Instant,
    ) -> Result<(), Rejected> {
        self.predict(system, state, h, end);
        let rubs = |j: usize, own: &Sliding| {
            let held = own.along == Along::Law && own.constraint == Constraint::Path;
            held && system.sliders[j].friction.rubs
        };
        let all = |at: &mut Iterate, from: Along, to: Along| {
            for (j, own) in at.sliders.iter_mut().enumerate() {
                if own.along == from && (to == Along::Law || rubs(j, own)) {
                    own.along = to;
                    at.q.set(system.sliders[j].coordinate, own.before);
                }
            }
        };
        all(&mut self.at, Along::Law, Along::Stick);
        self.solve_step(system, h)?;
        all(&mut self.at, Along::Stick, Along::Law);
        self.solve_step(system, h)
    }

    pub(super) fn solve_step(&mut self, system: &System, h: f64) -> Result<(), Rejected> {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let outcome = if dynamic {
            let kinetics = Affine {
                factor: self.weights().mass_factor(h),
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

    /// Makes the solution of a step the new state.
    pub(crate) fn finish(
        &mut self,
        system: &System,
        state: &mut State,
        h: f64,
        end: Instant,
        jump: Jump,
        watch: &mut impl FnMut(&mut Stepper, &State, &Solved),
    ) -> Result<(), Rejected> {
        self.check_ends(system, end.time).map_err(Rejected::Final)?;
        self.find_movement(system, state, h);
        let entries = self.entries(system, state, end);
        self.check_energy(system, state, &entries)?;
        watch(self, state, &Solved { h, end, jump });
        self.accept(system, state, &entries, end);
        Ok(())
    }

    /// Keeps what sliders do from now on that they did not do before.
    pub(super) fn note(&mut self, system: &System, state: &mut State) {
        self.changed = state.time;
        self.note_at(system, state, state.time);
    }

    /// Keeps what sliders do from `time` (s) on.
    pub(super) fn note_at(&mut self, system: &System, state: &mut State, time: f64) {
        state.keep_journal(time);
        self.events.look(system, state, time);
    }

    /// Finds how the unknowns move at the end of a step of length `h` to the iterate.
    fn find_movement(&mut self, system: &System, state: &State, h: f64) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        let weights = dynamic.then_some(self.weights());
        self.end.follow(weights.as_ref(), h, state, &self.at.q);
        for (m, u) in system.driven(state) {
            let motion = self.motions[m];
            self.end.drive(u, motion.rate, motion.acceleration);
        }
        system
            .fixed
            .iter()
            .for_each(|&u| self.end.drive(u, 0.0, 0.0));
    }

    /// Makes the iterate the new state and enters the step into the energy balance.
    fn accept(&mut self, system: &System, state: &mut State, entries: &Entries, end: Instant) {
        let dynamic = system.model.solver.analysis == Analysis::Dynamic;
        state.energy = entries.balance(state);
        for j in 0..system.sliders.len() {
            state.journal[j].work += self.friction_work(system, state, j);
        }
        self.count_rubbing(system, state);
        for i in 0..system.springs.len() {
            let work = self.spring_work(system, state, i, end);
            state.springs[i].friction_work += work.friction_work;
            state.springs[i].damping_work += work.damping_work;
        }
        self.end.give(state);
        state.q.copy_from(&self.at.q);
        state.motions.copy_from_slice(&self.motions);
        self.keep_forces(system, state);
        self.follow_feet(system, state);
        self.keep_memory(system, state);
        if !dynamic {
            state.unstable_modes = self.unstable_modes(system);
        }
        system.keep_signals(state, end.elapsed);
        state.time = end.time;
        state.counters.steps += 1;
        state.counters.iterations += std::mem::take(&mut self.spent);
    }

    /// Adds what friction of contacts of surfaces takes in the step from `state`.
    fn count_rubbing(&self, system: &System, state: &mut State) {
        for (c, contact) in system.contacts.iter().enumerate() {
            let points = contact.points.clone();
            let work: f64 = points.map(|i| self.rubbing_work(system, state, i)).sum();
            state.contacts[c].work += work;
        }
    }

    /// Makes the equilibrium in the iterate, the next one on a path of equilibria after `state`, the new state: forces, what points of
    /// contacts and slip elements of springs remember, and what their friction has taken on the way.
    ///
    /// What laws of sliders remember stays: on a path sliders are held or free.
    pub(crate) fn keep_on_path(&self, system: &System, state: &mut State) {
        self.count_rubbing(system, state);
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
        for (journal, contact) in state.contacts.iter_mut().zip(&system.contacts) {
            let points = &self.work.points[contact.points.clone()];
            journal.stored = points.iter().map(|point| point.rubbed).sum();
        }
        for (spring, found) in state.springs.iter_mut().zip(&self.work.springs) {
            (spring.anchor, spring.stored) = (found.anchor, found.stored);
        }
    }

    /// Copies multipliers, friction and reactions of the iterate into `state`.
    pub(crate) fn keep_forces(&self, system: &System, state: &mut State) {
        for (j, slider) in system.sliders.iter().enumerate() {
            let (own, found) = (&self.at.sliders[j], &self.work.sliders[j].state);
            let regime = match (found.regime, own.along) {
                (Regime::Slip(_), Along::Slip(_)) => found.regime,
                // It slides with its velocity, and before it has one against its friction.
                (Regime::Slip(sense), _) => {
                    let v = state.velocity[slider.coordinate];
                    let moves = v.abs() > system.still();
                    Regime::Slip(if moves { Sense::of(v) } else { sense })
                }
                (regime, _) => regime,
            };
            state.multipliers[j] = own.multipliers;
            state.sliders[j] = SliderState {
                regime,
                friction: found.friction,
                memory: state.sliders[j].memory,
            };
        }
        state.pins.copy_from_slice(&self.at.pins);
        state.unbalanced.fill(0.0);
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
