//! Small changes of what contacts of surfaces do.

use super::{Iterate, System};
use crate::laws::friction::{Contact, Response};
use crate::surfaces::lining::{PointMemory, Touch};
use crate::surfaces::local::{Locals, MOST};

/// Change of a point over a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct PointChange {
    /// Of s, s_a and T.
    pub memory: PointMemory,
    /// Of the work of friction over the step, with what it stores, J.
    pub work: f64,
    /// Of what it stores, J.
    pub rubbed: f64,
    /// Of N and of v.
    normal: f64,
}

impl System {
    /// Adds the change of the forces of all contacts by the change `by` of an iterate and by the changes `numbers[law]` of the
    /// numbers of the laws.
    pub(super) fn add_contacts_change(
        &self,
        at: &Iterate,
        by: &Iterate,
        numbers: &[Vec<f64>],
        out: &mut [f64],
    ) {
        let (mut locals, mut firsts) = (Locals::default(), [[0.0; 2]; MOST]);
        for i in 0..self.points.len() {
            let mut standing = self.standing_in(i, at);
            if !standing.pressed.touches {
                continue;
            }
            let path = &self.contacts[self.points[i].contact].path;
            (standing.foot).look_up_third(path, &at.q, &standing.placed);
            self.locals_of(i, &standing, &mut locals, &mut firsts);
            let change = self.point_change(i, at, by, numbers);
            let (pressed, side) = (&standing.pressed, standing.side);
            let [distance, s] = moved(&locals, &firsts, by);
            let rubbed = self.rubbed_at(i, at, &locals, &firsts, &standing);
            let across = side * pressed.force;
            let along = rubbed.force + pressed.along[0];
            let along_by = change.memory.friction
                + pressed.along[1] * side * distance
                + pressed.along[2] * s
                + pressed.by_advance[0] * by.points[i].advance;
            for (a, local) in locals.as_slice().iter().enumerate() {
                let mut force = side * change.normal * firsts[a][0] + along_by * firsts[a][1];
                for (b, other) in locals.as_slice().iter().enumerate() {
                    let second = standing.foot.second(&locals, a, b, [firsts[a], firsts[b]]);
                    force += (across * second[0] + along * second[1]) * by.q[other.unknown];
                }
                out[local.unknown] += force;
            }
        }
    }

    /// Change of what point `i` remembers, of its work and of what it stores.
    pub(crate) fn point_change(
        &self,
        i: usize,
        at: &Iterate,
        by: &Iterate,
        numbers: &[Vec<f64>],
    ) -> PointChange {
        let (point, before) = (&self.points[i], &at.points[i]);
        let contact = &self.contacts[point.contact];
        let (mut locals, mut firsts) = (Locals::default(), [[0.0; 2]; MOST]);
        let mut standing = self.standing_in(i, at);
        (standing.foot).look_up_third(&contact.path, &at.q, &standing.placed);
        self.locals_of(i, &standing, &mut locals, &mut firsts);
        let [distance, s] = moved(&locals, &firsts, by);
        let stored_before = match before.touch.touches() && contact.friction.holds {
            true => before.friction * by.points[i].friction / point.lining.tangential,
            false => 0.0,
        };
        if !standing.pressed.touches {
            return PointChange {
                memory: PointMemory::open(s),
                work: -stored_before,
                ..PointChange::default()
            };
        }
        let pressed = &standing.pressed;
        let deeper = standing.side * distance + by.points[i].advance;
        let normal = pressed.by_depth * deeper + pressed.along[1] * s;
        let rubbed = self.rubbed_at(i, at, &locals, &firsts, &standing);
        let held = before.touch.touches();
        let from = match held {
            true => by.points[i].anchor,
            false => by.points[i].s,
        };
        let sticks = rubbed.memory.touch == Touch::Sticks;
        let friction = if sticks {
            point.lining.tangential * (s - from)
        } else {
            let seen = Contact {
                velocity: self.velocity_of(at, &locals, &firsts),
                normal_force: pressed.force / point.lining.share,
                ..Contact::default()
            };
            let law = self.sliders.len() + point.contact;
            let response = Response {
                force: rubbed.force / point.lining.share,
                sticking: !contact.friction.holds && rubbed.force == 0.0,
                ..Response::default()
            };
            let friction = at.tuning.friction(law);
            let by_numbers =
                (friction.change(&seen, &response, &Contact::default(), &numbers[law])).force
                    * point.lining.share;
            let mut velocity = 0.0;
            if rubbed.by_velocity != 0.0 {
                for (a, local) in locals.as_slice().iter().enumerate() {
                    let u = local.unknown;
                    velocity += firsts[a][1] * at.flow.factor * by.q.way(u, &by.flow.origin);
                    let rate = at.flow.velocity(u, at.q.get(u));
                    for (b, other) in locals.as_slice().iter().enumerate() {
                        let [_, second] =
                            standing.foot.second(&locals, a, b, [firsts[a], firsts[b]]);
                        velocity += second * rate * by.q[other.unknown];
                    }
                }
            }
            rubbed.by_normal * normal + rubbed.by_velocity * velocity + by_numbers
        };
        let holds = contact.friction.holds && contact.friction.rubs;
        let anchor = match (sticks, holds) {
            (true, _) => from,
            (false, true) => s - friction / point.lining.tangential,
            (false, false) => s,
        };
        let (start, started) = match (holds, held) {
            (true, true) => (before.anchor, by.points[i].anchor),
            _ => (before.s, by.points[i].s),
        };
        let (slid, slid_by) = match holds {
            true => (rubbed.memory.anchor - start, anchor - started),
            false => (rubbed.memory.s - start, s - started),
        };
        let mean = |ends: [f64; 2]| rubbed.weights[0] * ends[0] + rubbed.weights[1] * ends[1];
        let dissipated = mean([by.points[i].friction, friction]) * slid
            + mean([before.friction, rubbed.force]) * slid_by;
        let stored = match holds {
            true => rubbed.force * friction / point.lining.tangential,
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
            rubbed: stored,
            normal,
        }
    }
}

/// Changes of d and s.
pub(super) fn moved(locals: &Locals, firsts: &[[f64; 2]; MOST], by: &Iterate) -> [f64; 2] {
    let pairs = locals.as_slice().iter().zip(firsts);
    pairs.fold([0.0; 2], |sum, (local, first)| {
        [0, 1].map(|k| sum[k] + first[k] * by.q[local.unknown])
    })
}
