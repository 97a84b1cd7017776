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
use super::kinematics::{ContactKinematics, PointKinematics};
use super::point_view::Configuration;
use crate::surfaces::layer::PointMemory;
use crate::surfaces::local::Locals;
use crate::surfaces::side::Side;
use crate::system::state::PathEnd;
use crate::system::{ContinuationFactors, Iterate, State, Workspace};

/// A configuration with its change.
type Varied<'a> = (Configuration<'a>, Option<Configuration<'a>>);

/// Where the ends of a path are below a surface, with the changes of their places, m.
type MovedEnds = [Option<(PathEnd, f64)>; 2];

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
    /// Lets all faces come to where the points that touch them press as hard without a depth, if one of these is farther off than it may
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
    /// not yield, whose work on the mechanism by the mean of the forces of both ends of the step, or by those of its end, is another
    /// than what their layers store. These faces move by α, for which nothing does work; below 0 is what they make, as where a point that
    /// pressed is off its face at the end.
    pub(crate) fn taken_by_faces(
        &self, state: &State, at: &Iterate, work: &mut Workspace, mean: bool,
    ) -> f64 {
        let weights = if mean { [0.5, 0.5] } else { [0.0, 1.0] };
        let taken = (0..self.contacts.len()).map(|c| {
            let before = state.contacts[c].ends.map(|end| end.map(|end| (end, 0.0)));
            let ends = taken_by_ends([before, self.ends_moved(c, at.into(), None)], weights);
            let both = [(state.into(), None), (at.into(), None)];
            (self.taken_by_layer(c, both, weights, &mut work.contacts[c].evaluated) + ends).re
        });
        taken.sum()
    }

    /// Change of what [`SurfaceContacts::taken_by_faces`] returns by those of the state and of the iterate, each behind what it changes, where
    /// the forces are the mean of both ends of the step. Those of the ends of paths count as unchanged: their change times a step of theirs
    /// is small beside them.
    pub(crate) fn taken_by_faces_change(&self, both: [[Configuration<'_>; 2]; 2]) -> f64 {
        let mut begin = ContactKinematics::default();
        let both = both.map(|[now, by]| (now, Some(by)));
        let taken = (0..self.contacts.len()).map(|c| {
            let ends = taken_by_ends(both.map(|(now, by)| self.ends_moved(c, now, by)), [0.5; 2]);
            (self.taken_by_layer(c, both, [0.5; 2], &mut begin) + ends).eps
        });
        taken.sum()
    }

    /// What a contact layer whose penetration is limited gives back without work in a step between two configurations, each with its change, J; of
    /// the forces of both the mean with these `weights`. The first one is evaluated in `begin`.
    fn taken_by_layer(
        &self, c: usize, [(before, by), (after, after_by)]: [Varied<'_>; 2], weights: [f64; 2],
        begin: &mut ContactKinematics,
    ) -> Dual64 {
        let contact = &self.contacts[c];
        if contact.deepest.is_none() {
            return 0.0.into();
        }
        self.evaluate(c, before.q, before.memories, begin);
        let end = self.evaluated(c, after.q, after.memories);
        let pairs = self.views(c, begin, before, by).zip(self.views(c, &end, after, after_by));
        let works = pairs.map(|both| {
            let both = [both.0, both.1];
            let forces = both.map(|point| {
                let [normal, along] = point.forces();
                [normal * point.kinematics.side, along]
            });
            let [across, along] =
                [0, 1].map(|k| forces[0][k] * weights[0] + forces[1][k] * weights[1]);
            let [[from, _, before], [to, _, mut after]] = both.map(|point| point.place());
            after.re = contact.path.beside(after.re, before.re);
            let stored = both[1].stored() - both[0].stored();
            across * (to - from) + along * (after - before) - stored
        });
        works.sum()
    }

    /// Where the beginning and the end of the path are below the surface of a contact.
    pub(crate) fn ends_below(&self, c: usize, now: Configuration<'_>) -> [Option<PathEnd>; 2] {
        self.ends_moved(c, now, None).map(|end| end.map(|(end, _)| end))
    }

    /// Where the beginning and the end of the path are below the surface of a contact, with the changes of their places (m) `by` that of the
    /// configuration.
    fn ends_moved(
        &self, c: usize, now: Configuration<'_>, by: Option<Configuration<'_>>,
    ) -> MovedEnds {
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

    /// What [`SurfaceContacts::augment`] does to a change `by` of the iterate, to which faces come by the change of π.
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

/// What the ends of a path take of contact layers as they move, J; of the forces at both ends of the step the mean with these `weights`.
fn taken_by_ends([before, after]: [MovedEnds; 2], weights: [f64; 2]) -> Dual64 {
    let pairs = before.into_iter().zip(after).filter_map(|(before, after)| before.zip(after));
    let works = pairs.map(|((before, from), (after, to))| {
        let force = weights[0] * before.force + weights[1] * after.force;
        Dual64::new(after.place - before.place, to - from) * -force
    });
    works.sum()
}

impl PointKinematics {
    /// Whether it touches a face that comes to it: not that of a point whose χ fades.
    fn presses(&self) -> bool {
        self.pressed.touches && (self.covered || self.bearing == 1.0)
    }
}
