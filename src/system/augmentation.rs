//! Contacts of surfaces whose points may be pressed in so far only.
//!
//! ```text
//! N = k χ ⟨π + α⟩,    α ← ⟨α + π⟩  until  |π| ≤ the depth that is allowed, where N > 0
//! ```
//!
//! On a strip of a rigid surface these are π and α of its points themselves, which of a curved one's middle are means of its coefficients.
//!
//! The method of the augmented Lagrangian by Uzawa's steps (Simo & Laursen 1992, Table 1): k α is the multiplier of the condition π = 0, and
//! the lining's k only says how fast it is found. With the compliance C of what bears at a point each step leaves about 1/(1 + k C) of
//! the depth.

use num_dual::Dual64;

use super::surface_stands::Standing;
use super::{Ease, Iterate, State, System, Workspace};
use crate::numerics::positions::Positions;
use crate::surfaces::lining::PointMemory;

/// Positions with what points remember, and the change of both.
pub(crate) type Varied<'a> = (
    (&'a Positions, &'a [PointMemory]),
    (&'a Positions, &'a [PointMemory]),
);

/// A contact of which a point is farther off its face than it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Off {
    pub contact: usize,
    /// |π|, m.
    pub by: f64,
    /// m.
    pub allowed: f64,
}

impl System {
    /// Lets all faces come to where the points that bear on them press as hard without a depth, if one of these is farther off than it may
    /// be. Returns the one that was farthest off by what is allowed; none where no face has come.
    ///
    /// What is passing an end of its path keeps its α: its force fades. On the way of a continuation faces stay.
    pub(crate) fn augment(&self, at: &mut Iterate) -> Option<Off> {
        if at.ease != Ease::default() {
            return None;
        }
        let mut worst = None::<Off>;
        for (contact, described) in self.contacts.iter().enumerate() {
            let Some(allowed) = described.deepest else {
                continue;
            };
            let stands = self.look(contact, &at.q, &at.points);
            let first = described.points.start;
            for i in described.points.clone() {
                if !stands.points[i - first].bears() {
                    continue;
                }
                let depth = self.at_itself(i, |i| stands.points[i - first].depth);
                let advance = self.at_itself(i, |i| at.points[i].advance);
                // What has no multiplier may be off its face.
                let by = depth.max(advance.min(-depth));
                let worse = |worst: &Off| by / allowed > worst.by / worst.allowed;
                if worst.as_ref().is_none_or(worse) {
                    worst = Some(Off {
                        contact,
                        by,
                        allowed,
                    });
                }
            }
        }
        let worst = worst.filter(|off| off.by > off.allowed)?;
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let stands = self.look(contact, &at.q, &at.points);
                let first = described.points.start;
                let bearing = |i: &usize| stands.points[i - first].bears();
                self.advance(contact, bearing, &mut at.points, |i, memories| {
                    let reach = |i: usize| stands.points[i - first].depth + memories[i].advance;
                    self.at_itself(i, reach).max(0.0)
                });
            }
        }
        Some(worst)
    }

    /// What there is at point `i` itself, of which `value` gives the coefficients.
    fn at_itself(&self, i: usize, value: impl Fn(usize) -> f64) -> f64 {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        match point.middle_of(contact) {
            Some(k) => {
                let own = contact.strips[k].points.iter().zip([0.25, 0.5, 0.25]);
                own.map(|(&i, weight)| weight * value(i)).sum()
            }
            None => value(i),
        }
    }

    /// Lets the faces of points of a contact that are `bearing` come by α, which `find` gives at these points themselves.
    fn advance(
        &self,
        contact: usize,
        bearing: impl Fn(&usize) -> bool,
        memories: &mut [PointMemory],
        find: impl Fn(usize, &[PointMemory]) -> f64,
    ) {
        let contact = &self.contacts[contact];
        let of = |middle: bool| {
            let own = contact.points.clone().filter(&bearing);
            own.filter(move |&i| self.points[i].middle_of(contact).is_some() == middle)
        };
        // Those of middles before those of the ends that they are found from.
        for i in of(true).chain(of(false)) {
            memories[i].advance = find(i, memories);
        }
        for i in of(true) {
            let k = self.points[i].middle_of(contact);
            let ends = k.map_or(0.0, |k| {
                let own = &contact.strips[k].points;
                memories[own[0]].advance + memories[own[2]].advance
            });
            memories[i].advance = 2.0 * memories[i].advance - 0.5 * ends;
        }
    }

    /// What faces that do not give way take in the step from `state` to the iterate, J: their work on the mechanism, with the mean of the forces of
    /// both ends or those of the end, without what their linings store. Faces move by α, for which nothing does work; below 0 is what
    /// they make, as where a point that pressed is off its face at the end.
    pub(crate) fn taken_by_faces(
        &self,
        state: &State,
        at: &Iterate,
        work: &mut Workspace,
        mean: bool,
    ) -> f64 {
        let weights = if mean { [0.5, 0.5] } else { [0.0, 1.0] };
        let limited = (self.contacts.iter().enumerate()).filter(|(_, c)| c.deepest.is_some());
        let taken = limited.map(|(c, contact)| {
            let begin = &mut work.room.stands;
            self.stand(c, &state.q, &state.points, begin);
            let end = self.look(c, &at.q, &at.points);
            let pairs = begin.points.iter().zip(&end.points);
            let works = pairs.map(|(before, after)| {
                let pressed = [&before.pressed, &after.pressed];
                let across = weights[0] * before.side * pressed[0].force
                    + weights[1] * after.side * pressed[1].force;
                let along = weights[0] * pressed[0].along[0] + weights[1] * pressed[1].along[0];
                let slid = contact.path.beside(after.s, before.s) - before.s;
                across * (after.distance - before.distance) + along * slid
                    - (pressed[1].stored - pressed[0].stored)
            });
            works.sum::<f64>()
        });
        taken.sum()
    }

    /// Its change by those of the state and of the iterate, where the forces are the mean of both ends.
    pub(crate) fn taken_by_faces_change(&self, [state, iterate]: [Varied<'_>; 2]) -> f64 {
        let limited = (0..self.contacts.len()).filter(|c| self.contacts[*c].deepest.is_some());
        let taken = limited.map(|c| {
            let ends = [state, iterate].map(|end| self.faces(c, end));
            let pairs = ends[0].iter().zip(&ends[1]);
            let works = pairs.map(|([n, d, t, s, e], [n1, d1, t1, s1, e1])| {
                ((*n + n1) * (*d1 - d) + (*t + t1) * (*s1 - s)) * 0.5 - (*e1 - e)
            });
            works.map(|work| work.eps).sum::<f64>()
        });
        taken.sum()
    }

    /// Of each point of a contact σ N and d, the force along the path of what is stored and s, and what is stored.
    fn faces(&self, contact: usize, (now, by): Varied<'_>) -> Vec<[Dual64; 5]> {
        let mut all = Vec::new();
        self.each_look_at(contact, now, |look| {
            let Standing { side, pressed, .. } = *look.standing;
            let [distance, s] = look.moved(by.0);
            let [normal, along] = look.pressed_change(by);
            let advance = by.1[look.i].advance;
            let stored = side * pressed.force * distance
                + pressed.along[0] * s
                + pressed.by_advance[1] * advance;
            all.push([
                Dual64::new(side * pressed.force, side * normal),
                Dual64::new(look.standing.distance, distance),
                Dual64::new(pressed.along[0], along),
                Dual64::new(look.standing.s, s),
                Dual64::new(pressed.stored, stored),
            ]);
        });
        all
    }

    /// The same of a change `by` of the iterate, to which faces come by the change of π.
    pub(crate) fn augment_change(&self, at: &Iterate, by: &mut Iterate) {
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let first = described.points.start;
                let mut found = Vec::new();
                self.each_look_at(contact, (&at.q, &at.points), |look| {
                    let [distance, _] = look.moved(&by.q);
                    let Standing { side, depth, .. } = *look.standing;
                    found.push((look.standing.bears(), depth, side * distance));
                });
                let bearing = |i: &usize| found[i - first].0;
                self.advance(contact, bearing, &mut by.points, |i, memories| {
                    let reach = |i: usize| found[i - first].1 + at.points[i].advance;
                    match self.at_itself(i, reach) >= 0.0 {
                        true => self.at_itself(i, |i| found[i - first].2 + memories[i].advance),
                        false => 0.0,
                    }
                });
            }
        }
    }
}

impl Standing {
    /// Whether all of its lining presses.
    fn bears(&self) -> bool {
        self.pressed.touches && self.beside == 1.0
    }
}
