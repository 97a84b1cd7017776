//! Small changes of what contacts of surfaces do: that of friction by dual numbers through the law itself, those of places and normal forces by
//! their derivatives.

use num_dual::Dual64;

use super::SurfaceContacts;
use super::kinematics::{ContactKinematics, PointKinematics};
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

/// How a sample or a point moves.
#[derive(Debug, Clone, Copy)]
struct Moved {
    /// Changes of d, of s and of what χ follows; of a sample of d and s alone.
    by: [f64; 3],
    /// ṡ, m/s.
    rate: Dual64,
}

impl Default for Moved {
    fn default() -> Moved {
        Moved { by: [0.0; 3], rate: 0.0.into() }
    }
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
                    for local in locals.as_slice() {
                        let half = sample.half(local);
                        let [d, s] = sample.first_change(&half, &locals, &by.q);
                        out[half.unknown] += (across * d + along * s).eps;
                    }
                }
            }
        }
    }

    /// How the samples of a contact move, the changes of their velocities too where these are `felt`.
    fn moved(
        &self, c: usize, (at, by): (&Iterate, &Iterate), evaluated: &ContactKinematics, felt: bool,
    ) -> Vec<Moved> {
        let contact = &self.contacts[c];
        let mut locals = Locals::default();
        let mut all = Vec::with_capacity(evaluated.samples().len());
        for k in 0..contact.stretches.len() {
            for sample in evaluated.of(k) {
                let mut sample = *sample;
                self.locals_of(contact, k, &sample, &at.q, &mut locals);
                if felt {
                    (sample.closest).look_up_third(&contact.path, &at.q, &sample.placed);
                }
                let mut moved = Moved::default();
                for local in locals.as_slice() {
                    let (half, u) = (sample.half(local), local.unknown);
                    if sample.moves() {
                        moved.by[0] += half.first[0] * by.q[u];
                        moved.by[1] += half.first[1] * by.q[u];
                    }
                    if felt {
                        let [_, first] = sample.first_change(&half, &locals, &by.q);
                        let way = by.q.way(u, &by.flow.origin);
                        let velocity = at.flow.velocity(u, at.q.get(u));
                        moved.rate += first * Dual64::new(velocity, at.flow.factor * way);
                    }
                }
                all.push(moved);
            }
        }
        all
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
        let felt = at.flow.factor != 0.0 && self.contacts[c].friction.acts;
        let samples = self.moved(c, (at, by), evaluated, felt);
        let range = self.contacts[c].points.clone();
        let all = range.clone().map(|i| {
            let mut own = Moved::default();
            for (place, number) in self.parts(i, evaluated) {
                let (moved, sample) = (&samples[number], &evaluated.samples()[number]);
                let by = sample.moved(place, [moved.by[0], moved.by[1]]);
                own.by = [0, 1, 2].map(|n| own.by[n] + by[n]);
                let [_, share] = sample.shares(place);
                own.rate += moved.rate * share;
            }
            own
        });
        let all: Vec<Moved> = all.collect();
        let moved = |i: usize| {
            let [distance, _, passing] = all[i - range.start].by;
            [evaluated.points[i - range.start].side * distance, passing, by.points[i].advance]
        };
        let points = range.clone().map(|i| {
            let n = i - range.start;
            let forces = self.pressed_change(i, evaluated, moved);
            let at_point = &evaluated.points[n];
            let forces = [0, 1].map(|k| Dual64::new(at_point.forces()[k], forces[k]));
            self.point_change(i, (at, by), numbers, (at_point, forces), &all[n])
        });
        points.collect()
    }

    fn point_change(
        &self, i: usize, (at, by): (&Iterate, &Iterate), numbers: &[Vec<f64>],
        (at_point, forces): (&PointKinematics, [Dual64; 2]), moved: &Moved,
    ) -> PointChange {
        let before = at.points[i].varied(&by.points[i]);
        let [_, s, passing] = moved.by;
        let s = Dual64::new(at_point.s, s);
        let stored_before = self.stored_along_before(&before, i);
        if !at_point.pressed.touches {
            return PointChange {
                memory: PointMemory::open(s),
                work: -stored_before,
                stored_along: 0.0.into(),
                passing,
                exerted: Exerted::default(),
            };
        }
        let motion = Motion { normal_force: forces[0].not_negative(), s, velocity: moved.rate };
        let law = &numbers[self.first_law + self.points[i].contact];
        let found = self.friction_at(i, at, &before, motion, law);
        PointChange {
            memory: PointMemory { advance: before.advance, ..found.memory },
            work: found.dissipated + found.stored - stored_before,
            stored_along: found.stored,
            passing,
            exerted: at_point.exerted(forces, found.force),
        }
    }
}
