//! The change of what a state keeps of a solved step.

use num_dual::Dual64;

use super::Change;
use crate::newton::Newton;
use crate::newton::kinetics::Before;
use crate::solve::integrator::Integrator;
use crate::system::{
    Linear, MEAN, Passage, SlidingVelocity, Span, State, System, Varied, flow_velocity,
    mean_friction,
};

impl Change {
    /// The linear steps of [`Stepper`]'s acceptance, and the product rule for its energy balance.
    pub(super) fn accept(
        &mut self, (integrator, about): (&Integrator, &Linear), system: &System, state: &State,
        span: Span,
    ) {
        let dynamic = system.is_dynamic();
        let newton = &integrator.newton;
        let Span { length: h, end, .. } = span;
        let Change {
            by, at, residual, movement, inertia: room, friction: numbers, elastic, ..
        } = self;
        system.elastic_change(about, &at.q, elastic);
        if dynamic {
            let ends = [[state.into(), (&*by).into()], [(&newton.at).into(), (&*at).into()]];
            let [before, last] = [(&state.q, &by.q), (&newton.at.q, &at.q)];
            by.energy.numerical_dissipation += system.surfaces.taken_by_faces_change(ends)
                + system.groups.taken_change(
                    [before, last],
                    [&state.elastic, &newton.work.elastic],
                    [&by.elastic, elastic],
                )
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
                let forces = &about.inertia_forces;
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
        by.elastic.copy_from_slice(elastic);
        by.equal = state.equal.given();
        by.leave();
        movement.regularisation(by);
        by.q.copy_from(&at.q);
        self.keep_forces(newton, system);
        self.by.keep_signals(end.elapsed);
    }

    /// Takes the changes of multipliers and reactions from those of the iterate.
    pub(super) fn keep_forces(&mut self, newton: &Newton, system: &System) {
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
