//! Change of the jump with which a communication step begins where inputs or numbers of friction laws jump: it is linear in the jump.

use super::Change;
use crate::checked::Analysis;
use crate::newton::Newton;
use crate::solve::plan::steps_of;
use crate::system::{Instant, Linear, Numbers, State, System, Varied};

impl Change {
    /// Carries the change over the jump with which a communication step of `length` begins from `state`, whose inputs are set.
    pub(crate) fn jump_inputs(
        &mut self, newton: &mut Newton, system: &System, mut state: State, length: f64,
    ) {
        if system.model.solver.analysis == Analysis::QuasiStatic {
            return;
        }
        let h = length / steps_of(length, state.step());
        let before = state.clone();
        newton.jump_inputs(system, &mut state, h);
        let state = &state;
        let factor = system.weights().stage(h).mass_factor();
        let factored = newton.factor_input_jump(system, (&before, state), h);
        newton.load_input_jump(system, state, h);
        let (by, at) = (&mut self.by, &mut self.at);
        at.q.fill(0.0);
        at.acceleration.fill(0.0);
        at.flow.factor = newton.at.flow.factor;
        at.flow.origin.fill(0.0);
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
        let solved =
            factored.and_then(|()| self.solve_by_factored((newton, &about), system, Some(factor)));
        if solved.is_ok() {
            self.take_input_jump((newton, &about), system, state, factor);
        }
        self.friction = tuned;
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
