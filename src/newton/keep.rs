//! What a state keeps of the solution in the iterate, and what a correction leaves out.

use super::{Corrections, Newton};
use crate::joints::regime::{Regime, Sense};
use crate::system::{Along, Constraint, State, System, Workspace};

impl Newton {
    /// Makes the equilibrium in the iterate that of `state`.
    pub fn keep(&self, system: &System, state: &mut State) {
        state.q.copy_from(&self.at.q);
        self.keep_forces(system, state);
        self.keep_memory(system, state);
    }

    /// Makes the equilibrium in the iterate, the next one on a path of equilibria after `state`, the new state: forces, what points of
    /// contacts and slip elements of springs remember, and what their friction has taken on the way.
    ///
    /// What laws of sliders remember stays: on a path sliders are held or free.
    pub fn keep_on_path(&self, system: &System, state: &mut State) {
        for (kept, contact) in state.contacts.iter_mut().zip(&system.surfaces.contacts) {
            let each = contact.points.clone();
            let each =
                each.map(|i| self.work.points[i].work(&state.points[i], &system.surfaces, i));
            kept.work += each.sum::<f64>();
        }
        for (kept, found) in state.springs.iter_mut().zip(&self.work.springs) {
            kept.friction_work += found.dissipated + found.stored - kept.stored;
        }
        state.q.copy_from(&self.at.q);
        self.keep_forces(system, state);
        self.keep_slip(system, state);
    }

    /// Makes what laws with memory and points of contacts remember at the end of the step that of `state`.
    pub fn keep_memory(&self, system: &System, state: &mut State) {
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

    /// Makes the places of the points of contacts in the iterate the last ones of `state`.
    pub fn keep_places(&self, state: &mut State) {
        let found = self.work.contacts.iter().flat_map(|contact| &contact.exact);
        for (places, now) in state.places.iter_mut().zip(found) {
            *places = [*now, places[0]];
        }
    }

    /// Copies forces of the iterate and what sliders do in it into `state`.
    pub fn keep_forces(&self, system: &System, state: &mut State) {
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
    pub fn keep_multipliers(&self, system: &System, state: &mut State) {
        for (j, own) in self.at.sliders[..system.sliders.len()].iter().enumerate() {
            state.multipliers[j] = own.multipliers;
            state.sliders[j].friction = self.work.sliders[j].state.friction;
        }
        state.pins.copy_from_slice(&self.at.pins);
        state.reactions[..system.nodal].copy_from_slice(&self.work.residual[..system.nodal]);
        for run in self.at.moving(system) {
            state.reactions[run.unknowns()].fill(0.0);
        }
    }

    /// Gives `state` the accelerations that are in the iterate.
    pub fn keep_accelerations(&self, system: &System, state: &mut State) {
        state.acceleration.copy_from_slice(&self.at.acceleration);
        for (slider, own) in system.sliders.iter().zip(&self.at.sliders) {
            if own.constraint == Constraint::Open {
                // Its nearest place may be at a corner.
                state.acceleration[slider.coordinate] = 0.0;
            }
        }
    }
}

impl Corrections {
    /// Takes forces of joints out of the room where nothing acts that they could balance: rounding of positions leaves them there, and their
    /// tangent would be all of K in the next correction.
    pub(super) fn leave_out_rounding(&mut self, system: &System, work: &Workspace) {
        if work.is_forceless() {
            for slider in &system.sliders {
                self.border[slider.border + 1..][..slider.conditions()].fill(0.0);
            }
            for pin in &system.pins.list {
                self.border[pin.border..][..pin.rows()].fill(0.0);
            }
        }
    }
}
