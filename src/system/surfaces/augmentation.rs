//! Contacts of surfaces whose points may be pressed in so far only.
//!
//! ```text
//! N = k χ ⟨π + α⟩,    α ← ⟨α + π⟩  until  |π| ≤ the depth that is allowed, where N > 0
//! ```
//!
//! On a strip of a rigid surface these are π and α of its points themselves, which of a curved one's middle are means of its coefficients.
//!
//! The method of the augmented Lagrangian by Uzawa's steps (Simo & Laursen 1992, Table 1): k α is the multiplier of the condition π = 0, and
//! the contact layer's k only says how fast it is found. With the compliance C of what bears at a point each step leaves about 1/(1 + k C) of
//! the depth.

use num_dual::Dual64;

use super::SurfaceContacts;
use super::kinematics::PointKinematics;
use super::point_view::Configuration;
use crate::surfaces::layer::PointMemory;
use crate::surfaces::local::Locals;
use crate::surfaces::side::Side;
use crate::system::state::PathEnd;
use crate::system::{ContinuationFactors, Iterate, State, Workspace};

/// A contact of which a point is farther off its face than it may be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Off {
    pub contact: usize,
    /// |π|, m.
    pub by: f64,
    /// m.
    pub allowed: f64,
}

impl SurfaceContacts {
    /// Lets all faces come to where the points that bear on them press as hard without a depth, if one of these is farther off than it may
    /// be. Returns the one that was farthest off by what is allowed; none where no face has come.
    ///
    /// What is passing an end of its path keeps its α: its force fades. On the way of a continuation faces stay.
    pub(crate) fn augment(&self, at: &mut Iterate) -> Option<Off> {
        if at.factors != ContinuationFactors::default() {
            return None;
        }
        let mut worst = None::<Off>;
        for (contact, described) in self.contacts.iter().enumerate() {
            let Some(allowed) = described.deepest else {
                continue;
            };
            let evaluated = self.evaluated(contact, &at.q, &at.points);
            let first = described.points.start;
            for i in described.points.clone() {
                if !evaluated.points[i - first].presses() {
                    continue;
                }
                let depth = self.at_itself(i, |i| evaluated.points[i - first].depth);
                let advance = self.at_itself(i, |i| at.points[i].advance);
                // What has no multiplier may be off its face.
                let by = depth.max(advance.min(-depth));
                let worse = |worst: &Off| by / allowed > worst.by / worst.allowed;
                if worst.as_ref().is_none_or(worse) {
                    worst = Some(Off { contact, by, allowed });
                }
            }
        }
        let worst = worst.filter(|off| off.by > off.allowed)?;
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let evaluated = self.evaluated(contact, &at.q, &at.points);
                let first = described.points.start;
                let bearing = |i: &usize| evaluated.points[i - first].presses();
                self.advance(contact, bearing, &mut at.points, |i, memories| {
                    let reach = |i: usize| evaluated.points[i - first].depth + memories[i].advance;
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
        &self, contact: usize, bearing: impl Fn(&usize) -> bool, memories: &mut [PointMemory],
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

    /// What contact layers give back without work in the step from `state` to the iterate, J: what the ends of paths take of them, and faces that do
    /// not give way, whose work on the mechanism by the mean of the forces of both ends of the step, or by those of its end, is another
    /// than what their layers store. These faces move by α, for which nothing does work; below 0 is what they make, as where a point that
    /// pressed is off its face at the end.
    pub(crate) fn taken_by_faces(
        &self, state: &State, at: &Iterate, work: &mut Workspace, mean: bool,
    ) -> f64 {
        let weights = if mean { [0.5, 0.5] } else { [0.0, 1.0] };
        let taken = self.contacts.iter().enumerate().map(|(c, contact)| {
            let ends = state.contacts[c].ends.iter().zip(self.ends_below(c, at.into()));
            let ends = ends.map(|(before, after)| match (before, after) {
                (Some(before), Some(after)) => {
                    let force = weights[0] * before.force + weights[1] * after.force;
                    -force * (after.place - before.place)
                }
                _ => 0.0,
            });
            let ends = ends.sum::<f64>();
            if contact.deepest.is_none() {
                return ends;
            }
            let begin = &mut work.contacts[c].evaluated;
            self.evaluate(c, &state.q, &state.points, begin);
            let end = self.evaluated(c, &at.q, &at.points);
            let pairs = begin.points.iter().zip(&end.points);
            let works = pairs.map(|(before, after)| {
                let pressed = [&before.pressed, &after.pressed];
                let across = weights[0] * before.side * pressed[0].force
                    + weights[1] * after.side * pressed[1].force;
                let along = weights[0] * pressed[0].along[0] + weights[1] * pressed[1].along[0];
                let passed = match contact.covers {
                    true => after.passing - before.passing,
                    false => contact.path.beside(after.s, before.s) - before.s,
                };
                across * (after.distance - before.distance) + along * passed
                    - (pressed[1].stored - pressed[0].stored)
            });
            works.sum::<f64>() + ends
        });
        taken.sum()
    }

    /// Where the beginning and the end of the path are below the surface of a contact.
    pub(crate) fn ends_below(&self, c: usize, now: Configuration<'_>) -> [Option<PathEnd>; 2] {
        self.ends_moved(c, now, None).map(|end| end.map(|(end, _)| end))
    }

    /// Where the beginning and the end of the path are below the surface of a contact, with the changes of their places (m) `by` that of the
    /// configuration.
    fn ends_moved(
        &self, c: usize, now: Configuration<'_>, by: Option<Configuration<'_>>,
    ) -> [Option<(PathEnd, f64)>; 2] {
        let contact = &self.contacts[c];
        let (mut ends, mut start) = ([None; 2], 0.0);
        if !contact.covers {
            return ends;
        }
        let evaluated = self.evaluated(c, now.q, now.memories);
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let length = stretch.side.as_ref().map_or(0.0, Side::length);
            for (_, number) in evaluated.cover(k).ends() {
                let sample = &evaluated.of(k)[number];
                let energy = stretch.points.iter().enumerate().map(|(j, &i)| {
                    let at_point = &evaluated.points[i - contact.points.start];
                    let [distance, _, passing] = sample.moved(j, [0.0, 1.0]);
                    at_point.side * at_point.pressed.force * distance
                        + at_point.pressed.along[0] * passing
                });
                let end = PathEnd {
                    place: start + 0.5 * length * (1.0 + sample.xi),
                    force: 2.0 * energy.sum::<f64>() / length,
                };
                let mut moved = 0.0;
                if let Some(by) = by {
                    let mut locals = Locals::default();
                    self.locals_of(contact, k, sample, now.q, &mut locals);
                    let moves = locals.as_slice().iter();
                    let moves = moves.map(|local| sample.first(local)[1] * by.q[local.unknown]);
                    moved = 0.5 * length * moves.sum::<f64>();
                }
                ends[usize::from(sample.closest.s() > 0.0)] = Some((end, moved));
            }
            start += length;
        }
        ends
    }

    /// Change of what [`SurfaceContacts::taken_by_faces`] returns by those of the state and of the iterate, each behind what it changes, where the forces are the mean of both ends. Those of the ends of paths count as
    /// unchanged: their change times a step of theirs is small beside them.
    pub(crate) fn taken_by_faces_change(
        &self, [state, iterate]: [[Configuration<'_>; 2]; 2],
    ) -> f64 {
        let taken = self.contacts.iter().enumerate().map(|(c, contact)| {
            let moved = |[now, by]: [Configuration<'_>; 2]| self.ends_moved(c, now, Some(by));
            let [before, after] = [state, iterate].map(moved);
            let ends = before.iter().zip(&after).map(|pair| match pair {
                (Some((before, from)), Some((after, to))) => {
                    -0.5 * (before.force + after.force) * (to - from)
                }
                _ => 0.0,
            });
            let ends = ends.sum::<f64>();
            if contact.deepest.is_none() {
                return ends;
            }
            let both = [state, iterate].map(|end| self.faces(c, end));
            let pairs = both[0].iter().zip(&both[1]);
            let works = pairs.map(|([n, d, t, s, e], [n1, d1, t1, s1, e1])| {
                ((*n + n1) * (*d1 - d) + (*t + t1) * (*s1 - s)) * 0.5 - (*e1 - e)
            });
            works.map(|work| work.eps).sum::<f64>() + ends
        });
        taken.sum()
    }

    /// Of each point of a contact σ N and d, the force of what is stored and what χ follows, and what is stored.
    fn faces(&self, contact: usize, [now, by]: [Configuration<'_>; 2]) -> Vec<[Dual64; 5]> {
        let mut all = Vec::new();
        self.each_point(contact, now, Some(by), |point| {
            let ([distance, _, passing], [normal, along]) = (point.place(), point.forces());
            all.push([normal * point.kinematics.side, distance, along, passing, point.stored()]);
        });
        all
    }

    /// The same of a change `by` of the iterate, to which faces come by the change of π.
    pub(crate) fn augment_change(&self, at: &Iterate, by: &mut Iterate) {
        for (contact, described) in self.contacts.iter().enumerate() {
            if described.deepest.is_some() {
                let first = described.points.start;
                let mut found = Vec::new();
                let change = Configuration::from(&*by);
                self.each_point(contact, at.into(), Some(change), |point| {
                    let [distance, ..] = point.place();
                    let PointKinematics { side, depth, .. } = *point.kinematics;
                    found.push((point.kinematics.presses(), depth, side * distance.eps));
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

impl PointKinematics {
    /// Whether it touches a face that comes to it: not that of a point whose χ fades.
    fn presses(&self) -> bool {
        self.pressed.touches && (self.covered || self.bearing == 1.0)
    }
}
