//! Small changes of what contacts of surfaces do: that of friction by dual numbers through the law itself, those of positions and normal forces
//! by their derivatives.

use num_dual::Dual64;

use super::SurfaceContacts;
use super::kinematics::ContactKinematics;
use super::point_view::PointView;
use crate::numerics::derivative::Differentiable;
use crate::surfaces::layer::{Motion, PointMemory};
use crate::surfaces::local::Locals;
use crate::surfaces::sample::Exerted;
use crate::system::Iterate;

/// A point at the end of a step, each number with its change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointChange {
    pub memory: PointMemory<Dual64>,
    /// Work of friction over the step, with what it stores, J.
    pub work: Dual64,
    /// What it stores, J.
    pub stored_along: Dual64,
    /// Change of what χ follows.
    passing: f64,
    exerted: Exerted<Dual64>,
}

impl SurfaceContacts {
    /// Adds the change of the forces of all contacts by the change `by` of an iterate and by the changes `numbers[law]` of the
    /// numbers of the laws.
    pub(crate) fn add_change(
        &self, at: &Iterate, by: &Iterate, numbers: &[Vec<f64>], out: &mut [f64],
    ) {
        let (mut locals, mut evaluated) = (Locals::default(), ContactKinematics::default());
        for (c, contact) in self.contacts.iter().enumerate() {
            self.evaluate_in(c, at, &mut evaluated);
            let points = self.points_change(c, &evaluated, (at, by), numbers);
            let first = contact.points.start;
            for (k, stretch) in contact.stretches.iter().enumerate() {
                let passing = |i: usize| points[i - first].passing;
                let counts = self.counts_change(c, k, &evaluated, (&at.q, &by.q), passing);
                for (sample, counts) in evaluated.of(k).iter().zip(&counts) {
                    let exerted = stretch.points.iter().map(|&i| points[i - first].exerted);
                    let [across, along] = sample.exerted_change(counts, exerted);
                    if [across.re, along.re, across.eps, along.eps] == [0.0; 4] {
                        continue;
                    }
                    let mut sample = *sample;
                    (sample.closest).look_up_third(&contact.path, &at.q, &sample.placed);
                    self.locals_of(contact, k, &sample, &at.q, &mut locals);
                    let halves = sample.halves(&locals);
                    for half in &halves {
                        let [d, s] = sample.first_change(half, (&locals.arms, &halves), &by.q);
                        out[half.unknown] += (across * d + along * s).eps;
                    }
                }
            }
        }
    }

    /// What the points of a contact remember, their work and what they store at the end of a step, with the changes.
    pub(crate) fn contact_change(
        &self, c: usize, at: &Iterate, by: &Iterate, numbers: &[Vec<f64>],
    ) -> Vec<PointChange> {
        let mut evaluated = ContactKinematics::default();
        self.evaluate_in(c, at, &mut evaluated);
        self.points_change(c, &evaluated, (at, by), numbers)
    }

    fn points_change(
        &self, c: usize, evaluated: &ContactKinematics, (at, by): (&Iterate, &Iterate),
        numbers: &[Vec<f64>],
    ) -> Vec<PointChange> {
        let law = &numbers[self.first_law + c];
        let points = self.views(c, evaluated, at.into(), Some(by.into()));
        points.map(|point| self.point_change(&point, (at, by), law)).collect()
    }

    fn point_change(
        &self, point: &PointView<'_>, (at, by): (&Iterate, &Iterate), numbers: &[f64],
    ) -> PointChange {
        let i = point.i;
        let before = at.points[i].zip(&by.points[i], Dual64::new);
        let stored_before = self.stored_along_before(&before, i);
        let [_, s, passing] = point.place();
        if !point.kinematics.pressed.touches {
            return PointChange {
                memory: PointMemory::open(s),
                work: -stored_before,
                stored_along: 0.0.into(),
                passing: passing.eps,
                exerted: Exerted::default(),
            };
        }
        let forces = point.forces();
        let felt = at.flow.factor != 0.0 && self.contacts[self.points[i].contact].friction.acts;
        let velocity = if felt { point.velocity(at, by) } else { 0.0.into() };
        let motion = Motion { normal_force: forces[0].not_negative(), s, velocity };
        let found = self.friction_at(i, at, &before, motion, numbers);
        PointChange {
            memory: PointMemory { advance: before.advance, ..found.memory },
            work: found.dissipated + found.stored - stored_before,
            stored_along: found.stored,
            passing: passing.eps,
            exerted: point.kinematics.exerted(forces, found.force),
        }
    }
}
