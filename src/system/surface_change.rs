//! Small changes of what contacts of surfaces do.

use super::contact_kinematics::{ContactKinematics, PointKinematics};
use super::{Iterate, System};
use crate::laws::friction::{Contact, Response};
use crate::surfaces::layer::{PointFriction, PointMemory, Pressed, Touch};
use crate::surfaces::local::Locals;

/// Change of a point over a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PointChange {
    /// Of s, s_a and T.
    pub memory: PointMemory,
    /// Of the work of friction over the step, with what it stores, J.
    pub work: f64,
    /// Of what it stores, J.
    pub stored_along: f64,
    /// Of what χ follows.
    passing: f64,
    /// Of N and of the force of what is stored.
    pressed: [f64; 2],
    /// What friction does there.
    acts: PointFriction,
}

/// How a sample moves.
#[derive(Debug, Clone, Copy, Default)]
struct Moved {
    /// Changes of d and s.
    by: [f64; 2],
    /// ṡ, m/s, and its change.
    rate: [f64; 2],
}

/// How a point moves.
#[derive(Debug, Clone, Copy, Default)]
struct PointMoved {
    /// Changes of d, s and of what χ follows.
    by: [f64; 3],
    /// ṡ, m/s, and its change.
    rate: [f64; 2],
}

/// Changes of the points of a contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactChange {
    evaluated: ContactKinematics,
    /// In the order of the contact's points.
    pub points: Vec<PointChange>,
}

impl System {
    /// Adds the change of the forces of all contacts by the change `by` of an iterate and by the changes `numbers[law]` of the
    /// numbers of the laws.
    pub(crate) fn add_contacts_change(
        &self, at: &Iterate, by: &Iterate, numbers: &[Vec<f64>], out: &mut [f64],
    ) {
        let mut locals = Locals::default();
        for (c, contact) in self.contacts.iter().enumerate() {
            let found = self.contact_change(c, at, by, numbers);
            let of = |i: usize| {
                let n = i - contact.points.start;
                let (at_point, change) = (&found.evaluated.points[n], &found.points[n]);
                match at_point.pressed.touches {
                    true => {
                        let Pressed { force, along, .. } = at_point.pressed;
                        [
                            at_point.exerted([force, along[0]], change.acts.force),
                            at_point.exerted(change.pressed, change.memory.friction),
                        ]
                    }
                    false => Default::default(),
                }
            };
            for (k, stretch) in contact.stretches.iter().enumerate() {
                let passing = |i: usize| found.points[i - contact.points.start].passing;
                let counts = self.counts_change(c, k, &found.evaluated, (&at.q, &by.q), passing);
                for (sample, counts_by) in found.evaluated.of(k).iter().zip(&counts) {
                    let all = |which: usize| stretch.points.iter().map(move |&i| of(i)[which]);
                    let [across, along] = sample.exerted(all(0));
                    let by_points = sample.exerted(all(1));
                    let by_counts = counts_by.exerted(all(0));
                    let [across_by, along_by] = [0, 1].map(|n| by_points[n] + by_counts[n]);
                    if [across, along, across_by, along_by] == [0.0; 4] {
                        continue;
                    }
                    let mut sample = *sample;
                    (sample.foot).look_up_third(&contact.path, &at.q, &sample.placed);
                    self.locals_of(contact, k, &sample, &at.q, &mut locals);
                    let halves = || (locals.as_slice().iter()).map(|local| sample.half(local));
                    for half in halves() {
                        let mut force = match sample.moves() {
                            true => across_by * half.first[0] + along_by * half.first[1],
                            false => 0.0,
                        };
                        for other in halves() {
                            let [d, s] = sample.second(&locals.arms, &half, &other);
                            force += (across * d + along * s) * by.q[other.unknown];
                        }
                        out[half.unknown] += force;
                    }
                }
            }
        }
    }

    /// How the samples of a contact move, their velocities too where these are `felt`.
    fn moved(
        &self, c: usize, at: &Iterate, by: &Iterate, evaluated: &ContactKinematics, felt: bool,
    ) -> Vec<Moved> {
        let contact = &self.contacts[c];
        let mut locals = Locals::default();
        let mut all = Vec::with_capacity(evaluated.samples().len());
        for k in 0..contact.stretches.len() {
            for sample in evaluated.of(k) {
                let mut sample = *sample;
                self.locals_of(contact, k, &sample, &at.q, &mut locals);
                let mut moved = Moved::default();
                if felt {
                    (sample.foot).look_up_third(&contact.path, &at.q, &sample.placed);
                }
                let halves = || (locals.as_slice().iter()).map(|local| sample.half(local));
                for half in halves() {
                    let (first, u) = (half.first, half.unknown);
                    let rate = at.flow.velocity(u, at.q.get(u));
                    if sample.moves() {
                        moved.by = [0, 1].map(|n| moved.by[n] + first[n] * by.q[u]);
                        moved.rate[0] += first[1] * rate;
                        let way = by.q.way(u, &by.flow.origin);
                        moved.rate[1] += first[1] * at.flow.factor * way;
                    }
                    if !felt {
                        continue;
                    }
                    for other in halves() {
                        let [_, second] = sample.second(&locals.arms, &half, &other);
                        moved.rate[1] += second * rate * by.q[other.unknown];
                    }
                }
                all.push(moved);
            }
        }
        all
    }

    /// Changes of what the points of a contact remember, of their work and of what they store.
    pub(crate) fn contact_change(
        &self, c: usize, at: &Iterate, by: &Iterate, numbers: &[Vec<f64>],
    ) -> ContactChange {
        let mut evaluated = ContactKinematics::default();
        self.evaluate_contact_in(c, at, &mut evaluated);
        let felt = at.flow.factor != 0.0 && self.contacts[c].friction.acts;
        let samples = self.moved(c, at, by, &evaluated, felt);
        let range = self.contacts[c].points.clone();
        let all = range.clone().map(|i| {
            let mut own = PointMoved::default();
            for (place, number) in self.parts(i, &evaluated) {
                let (moved, sample) = (&samples[number], &evaluated.samples()[number]);
                let by = sample.moved(place, moved.by);
                own.by = [0, 1, 2].map(|n| own.by[n] + by[n]);
                let [_, share] = sample.shares(place);
                own.rate = [0, 1].map(|n| own.rate[n] + share * moved.rate[n]);
            }
            own
        });
        let all: Vec<PointMoved> = all.collect();
        let moved = |i: usize| {
            let n = i - range.start;
            let [distance, _, passing] = all[n].by;
            [evaluated.points[n].side * distance, passing, by.points[i].advance]
        };
        let points = range.clone().map(|i| {
            let n = i - range.start;
            let pressed = self.pressed_change(i, &evaluated, moved);
            self.point_change(i, (at, by), numbers, (&evaluated.points[n], pressed), &all[n])
        });
        let points = points.collect();
        ContactChange { evaluated, points }
    }

    fn point_change(
        &self, i: usize, (at, by): (&Iterate, &Iterate), numbers: &[Vec<f64>],
        (at_point, pressed_by): (&PointKinematics, [f64; 2]), moved: &PointMoved,
    ) -> PointChange {
        let (point, before) = (&self.points[i], &at.points[i]);
        let contact = &self.contacts[point.contact];
        let [_, s, passing] = moved.by;
        let stored_before = match before.touch.touches() && contact.friction.holds {
            true => before.friction * by.points[i].friction / point.layer.tangential,
            false => 0.0,
        };
        if !at_point.pressed.touches {
            return PointChange {
                memory: PointMemory::open(s),
                work: -stored_before,
                passing,
                ..PointChange::default()
            };
        }
        let [normal, _] = pressed_by;
        let velocity = if at.flow.factor == 0.0 { 0.0 } else { moved.rate[0] };
        let tangential = self.friction_at(i, at, at_point, velocity);
        let held = before.touch.touches();
        let from = match held {
            true => by.points[i].anchor,
            false => by.points[i].s,
        };
        let sticks = tangential.memory.touch == Touch::Sticks;
        let friction = if sticks {
            point.layer.tangential * (s - from)
        } else {
            let seen = Contact {
                velocity,
                normal_force: at_point.normal() / point.layer.share,
                ..Contact::default()
            };
            let law = self.sliders.len() + point.contact;
            let response = Response {
                force: tangential.force / point.layer.share,
                sticking: !contact.friction.holds && tangential.force == 0.0,
                ..Response::default()
            };
            let friction = at.tuning.friction(law);
            let by_numbers =
                (friction.change(&seen, &response, &Contact::default(), &numbers[law])).force
                    * point.layer.share;
            tangential.by_normal * normal + tangential.by_velocity * moved.rate[1] + by_numbers
        };
        let holds = contact.friction.holds && contact.friction.acts;
        let anchor = match (sticks, holds) {
            (true, _) => from,
            (false, true) => s - friction / point.layer.tangential,
            (false, false) => s,
        };
        let (start, started) = match (holds, held) {
            (true, true) => (before.anchor, by.points[i].anchor),
            _ => (before.s, by.points[i].s),
        };
        let (slid, slid_by) = match holds {
            true => (tangential.memory.anchor - start, anchor - started),
            false => (tangential.memory.s - start, s - started),
        };
        let mean =
            |ends: [f64; 2]| tangential.weights[0] * ends[0] + tangential.weights[1] * ends[1];
        let dissipated = mean([by.points[i].friction, friction]) * slid
            + mean([before.friction, tangential.force]) * slid_by;
        let stored = match holds {
            true => tangential.force * friction / point.layer.tangential,
            false => 0.0,
        };
        PointChange {
            memory: PointMemory {
                s,
                anchor,
                friction,
                advance: by.points[i].advance,
                ..PointMemory::default()
            },
            work: dissipated + stored - stored_before,
            stored_along: stored,
            passing,
            pressed: pressed_by,
            acts: tangential,
        }
    }
}
