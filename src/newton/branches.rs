//! On which branches of their equations sliders and points of contacts are during the iterations.

use super::Corrections;
use super::tolerances::BESIDE_ELEMENT;
use crate::joints::regime::{Regime, Sense};
use crate::surfaces::layer::Touch;
use crate::system::{Constraint, Iterate, System, Workspace};

impl Corrections {
    pub(super) fn keep_elements(&mut self, system: &System, at: &mut Iterate) {
        let sliders = system.sliders.iter().zip(&mut at.sliders);
        for ((slider, own), kept) in sliders.zip(&mut self.kept) {
            *kept = own.decided.element.is_none();
            let now = || slider.path.element_at(at.q[slider.coordinate]);
            own.decided.element = Some(own.decided.element.unwrap_or_else(now));
        }
    }

    /// A slider that stays on an element which it has left.
    pub(super) fn beside_its_path(&self, system: &System, at: &Iterate) -> Option<u32> {
        let left = |j: usize| {
            let (path, own) = (&system.sliders[j].path, &at.sliders[j]);
            let Some(element) = own.decided.element.filter(|_| self.kept[j]) else {
                return false;
            };
            let s = at.q[system.sliders[j].coordinate];
            let length = path.elements()[element].length;
            let along = s - path.start_near(element, s);
            let beside = BESIDE_ELEMENT * length;
            let beyond = |forward: bool| path.next(element, forward).is_some();
            (along < -beside && beyond(false)) || (along > length + beside && beyond(true))
        };
        (0..system.sliders.len())
            .find(|&j| at.sliders[j].constraint == Constraint::Path && left(j))
            .map(|j| j as u32)
    }

    /// Marks the sliders and the points of contacts that slide against the way they had in the matrix factored last.
    pub(super) fn hold_reversing(
        &self, system: &System, at: &mut Iterate, work: &Workspace,
    ) -> bool {
        let mut any = false;
        for (j, slider) in at.sliders.iter_mut().enumerate() {
            let (before, now) = (self.branches[j].regime, work.sliders[j].branch.regime);
            let reverses =
                matches!((before, now), (Regime::Slip(a), Regime::Slip(b)) if a == b.reversed());
            let slides = now.sense() != Sense::Neither;
            slider.decided.reverses = reverses && slides && !system.sliders[j].friction.bounded;
            any |= slider.decided.reverses;
        }
        let points = self.touches.iter().zip(&work.points);
        for (turns, (before, now)) in at.turns_back.iter_mut().zip(points) {
            *turns = matches!((before, now.memory.touch), (Touch::Slips(a), Touch::Slips(b))
                if b != Sense::Neither && *a == b.reversed());
            any |= *turns;
        }
        any
    }

    /// Keeps the branches on which a matrix is factored.
    pub(crate) fn keep_branches(&mut self, work: &Workspace) {
        for (kept, slider) in self.branches.iter_mut().zip(&work.sliders) {
            *kept = slider.branch;
        }
        for (kept, point) in self.touches.iter_mut().zip(&work.points) {
            *kept = point.memory.touch;
        }
    }

    /// Whether the last correction leads the points of contacts, to first order, to nothing else than what they did in the matrix factored last.
    pub(super) fn touches_stay(&self, work: &Workspace) -> bool {
        self.touches.iter().eq(work.contacts.iter().flat_map(|contact| &contact.touches))
    }

    /// Whether every slider and every point of a contact is on the branch that it was on in the matrix factored last.
    pub(crate) fn same_branches(&self, work: &Workspace) -> bool {
        let now = work.sliders.iter().map(|slider| &slider.branch);
        let touches = work.points.iter().map(|point| &point.memory.touch);
        self.branches.iter().eq(now) && self.touches.iter().eq(touches)
    }
}

/// Whether a slider has come to a stop or left one.
pub(super) fn stops_change(system: &System, at: &Iterate) -> bool {
    (0..system.sliders.len())
        .any(|j| system.sliders[j].constraint_at(at) != at.sliders[j].constraint)
}

/// Takes the stops at which sliders are now.
pub(super) fn update_stops(system: &System, at: &mut Iterate) {
    for j in 0..system.sliders.len() {
        at.sliders[j].constraint = system.sliders[j].constraint_at(at);
    }
}
