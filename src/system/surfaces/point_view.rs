//! Points of contacts of surfaces as outputs and energies see them, each number with its change where there is one.

use num_dual::Dual64;

use super::SurfaceContacts;
use super::kinematics::{ContactKinematics, PointKinematics};
use crate::numerics::derivative::Differentiable;
use crate::numerics::positions::Positions;
use crate::surfaces::layer::{PointMemory, Pressed};
use crate::surfaces::local::{Local, Locals};
use crate::surfaces::sample::{Counts, Exerted, Sample};
use crate::system::numbers::Numbers;
use crate::system::{Iterate, State};

/// Positions of all unknowns with what the points of contacts remember; or the changes of both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Configuration<'a> {
    pub q: &'a Positions,
    pub memories: &'a [PointMemory],
}

impl<'a> From<&'a State> for Configuration<'a> {
    fn from(state: &'a State) -> Configuration<'a> {
        Configuration { q: &state.q, memories: &state.points }
    }
}

impl<'a> From<&'a Iterate> for Configuration<'a> {
    fn from(at: &'a Iterate) -> Configuration<'a> {
        Configuration { q: &at.q, memories: &at.points }
    }
}

/// A point of a contact in a configuration.
#[derive(Clone, Copy)]
pub(crate) struct PointView<'a> {
    surfaces: &'a SurfaceContacts,
    now: Configuration<'a>,
    by: Option<Configuration<'a>>,
    pub evaluated: &'a ContactKinematics,
    /// Its number among all points.
    pub i: usize,
    pub kinematics: &'a PointKinematics,
}

impl PointView<'_> {
    /// Calls `see` with the samples that the point is a mean of, its place among their points, and the unknowns that they hang on, those of
    /// the surface first; `second` derivatives need more of the path.
    fn each_part(&self, second: bool, mut see: impl FnMut(usize, &Sample, &Locals)) {
        let (q, contact) =
            (self.now.q, &self.surfaces.contacts[self.surfaces.points[self.i].contact]);
        let mut locals = Locals::default();
        for &[stretch, place] in &self.surfaces.points[self.i].stretches {
            for sample in self.evaluated.of(stretch) {
                let mut sample = *sample;
                if second {
                    (sample.closest).look_up_third(&contact.path, q, &sample.placed);
                }
                (self.surfaces).locals_of(contact, stretch, &sample, q, &mut locals);
                see(place, &sample, &locals);
            }
        }
    }

    /// d, s and what χ follows.
    pub fn place(&self) -> [Dual64; 3] {
        let PointKinematics { distance, s, passing, .. } = *self.kinematics;
        let mut place = [distance, s, passing].map(Dual64::from);
        if let Some(by) = self.by {
            self.each_part(false, |j, sample, locals| {
                if sample.moves() {
                    for local in locals.as_slice() {
                        let moved = sample.moved(j, sample.first(local));
                        for (number, moved) in place.iter_mut().zip(moved) {
                            number.eps += moved * by.q[local.unknown];
                        }
                    }
                }
            });
        }
        place
    }

    /// ṡ in an iterate with its change, m/s.
    pub fn velocity(&self, at: &Iterate, by: &Iterate) -> Dual64 {
        let mut velocity = Dual64::from(0.0);
        self.each_part(true, |j, sample, locals| {
            let [_, share] = sample.shares(j);
            let halves = sample.halves(locals);
            for half in &halves {
                let [_, first] = sample.first_change(half, (&locals.arms, &halves), &by.q);
                let u = half.unknown;
                let change = at.flow.factor * by.q.way(u, &by.flow.origin);
                velocity += first * Dual64::new(at.flow.velocity(u, at.q.get(u)), change) * share;
            }
        });
        velocity
    }

    /// N and the force of what is stored by what χ follows, N.
    pub fn forces(&self) -> [Dual64; 2] {
        let mut forces = self.kinematics.forces().map(Dual64::from);
        if let Some(by) = self.by {
            let change = self.surfaces.pressed_change(self.i, self.evaluated, |i| {
                let other = self.other(i);
                let [distance, _, passing] = other.place();
                [other.kinematics.side * distance.eps, passing.eps, by.memories[i].advance]
            });
            [forces[0].eps, forces[1].eps] = change;
        }
        forces
    }

    /// N.
    pub fn normal_force(&self) -> Dual64 {
        self.forces()[0]
    }

    /// Energy across the contact layer, J.
    pub fn stored(&self) -> Dual64 {
        let Pressed { touches, force, along, by_advance, stored, .. } = self.kinematics.pressed;
        let mut stored = Dual64::from(stored);
        if let Some(by) = self.by.filter(|_| touches) {
            let [distance, _, passing] = self.place();
            stored.eps = self.kinematics.side * force * distance.eps
                + along[0] * passing.eps
                + by_advance[1] * by.memories[self.i].advance;
        }
        stored
    }

    /// What there is at the point itself, of which `value` gives the coefficients.
    fn own(&self, value: impl Fn(&Self) -> Dual64) -> Dual64 {
        let weights = (self.surfaces).weights_at(self.i, self.evaluated);
        weights.map(|(i, w)| value(&self.other(i)) * w).sum()
    }

    /// Its own depth, m.
    pub fn depth(&self) -> Dual64 {
        self.own(|point| {
            let PointKinematics { side, depth, .. } = *point.kinematics;
            Dual64::new(depth, side * point.place()[0].eps)
        })
    }

    /// How far its face has come towards it, m.
    fn advance(&self) -> Dual64 {
        self.own(|point| {
            let by = point.by.map_or(0.0, |by| by.memories[point.i].advance);
            Dual64::new(point.now.memories[point.i].advance, by)
        })
    }

    /// How far its contact layer is compressed, what a multiplier stands for included, m; below 0 how far it is off.
    pub fn compression(&self) -> Dual64 {
        self.depth() + self.advance()
    }

    /// Pressure by length of the surface, N/m.
    pub fn line_pressure(&self) -> Dual64 {
        let point = &self.surfaces.points[self.i];
        if !point.strips.is_empty() {
            let stiffness = point.layer.normal / point.surface.length;
            return self.compression().not_negative() * stiffness;
        }
        if !self.kinematics.pressed.touches {
            return 0.0.into();
        }
        let mut pressure = self.normal_force() / self.kinematics.length;
        // Of a node, pressure is the force by what of its length is on the path.
        if self.by.is_some() && self.kinematics.covered {
            pressure.eps -= pressure.re * self.place()[2].eps / self.kinematics.bearing;
        }
        pressure
    }

    /// Calls `see` with the samples of the point, the unknowns that they hang on, and the force that it exerts there on the path (N) with its
    /// friction, what it remembers of it.
    pub fn each_force(&self, mut see: impl FnMut(&Sample, &Locals, [Dual64; 2])) {
        let friction = self.by.map_or(0.0, |by| by.memories[self.i].friction);
        let friction = Dual64::new(self.now.memories[self.i].friction, friction);
        let exerted = self.kinematics.exerted(self.forces(), friction);
        let counts = self.by.map(|by| {
            let passing = |i: usize| self.other(i).place()[2].eps;
            let point = &self.surfaces.points[self.i];
            let change = |&[k, _]: &[usize; 2]| {
                let q = (self.now.q, &by.q[..]);
                self.surfaces.counts_change(point.contact, k, self.evaluated, q, passing)
            };
            point.stretches.iter().flat_map(change).collect::<Vec<_>>()
        });
        let mut number = 0;
        self.each_part(self.by.is_some(), |place, sample, locals| {
            let counts = counts.as_ref().map_or_else(Counts::default, |counts| counts[number]);
            let only = (0..=place).map(|j| if j == place { exerted } else { Exerted::default() });
            let [across, along] = sample.exerted_change(&counts, only);
            let halves = self.by.map_or_else(Vec::new, |_| sample.halves(locals));
            let q = self.by.map_or(&[][..], |by| by.q);
            let force = translations().map(|local| {
                let half = sample.half(&local);
                let [d, s] = sample.first_change(&half, (&locals.arms, &halves), q);
                across * d + along * s
            });
            number += 1;
            see(sample, locals, force);
        });
    }

    /// Force on the path, N.
    pub fn force(&self) -> [Dual64; 2] {
        let mut sum = [0.0; 2].map(Dual64::from);
        self.each_force(|_, _, force| sum = [0, 1].map(|k| sum[k] + force[k]));
        sum
    }

    /// Another point of the contact in the same configuration.
    fn other(&self, i: usize) -> Self {
        let first = self.surfaces.contacts[self.surfaces.points[i].contact].points.start;
        PointView { kinematics: &self.evaluated.points[i - first], i, ..*self }
    }
}

/// Motions of a point along x and y.
fn translations() -> [Local; 2] {
    [[1.0, 0.0], [0.0, 1.0]].map(|place| Local { place, ..Local::default() })
}

impl SurfaceContacts {
    /// Calls `see` with the points of a contact in a configuration that changes `by` another one.
    pub(crate) fn each_point(
        &self, contact: usize, now: Configuration<'_>, by: Option<Configuration<'_>>,
        see: impl FnMut(PointView<'_>),
    ) {
        let evaluated = self.evaluated(contact, now.q, now.memories);
        self.views(contact, &evaluated, now, by).for_each(see);
    }

    /// The points of a contact that is `evaluated` in a configuration that changes `by` another one.
    pub(crate) fn views<'a>(
        &'a self, contact: usize, evaluated: &'a ContactKinematics, now: Configuration<'a>,
        by: Option<Configuration<'a>>,
    ) -> impl Iterator<Item = PointView<'a>> {
        let points = self.contacts[contact].points.clone().zip(&evaluated.points);
        let surfaces = self;
        points.map(move |(i, kinematics)| PointView { surfaces, now, by, evaluated, i, kinematics })
    }

    /// Σ over the points of a contact.
    pub(crate) fn sum_over<N: Numbers<State>>(
        &self, contact: usize, state: &N, term: impl Fn(&PointView<'_>) -> Dual64,
    ) -> N::Number {
        let sum = |by: Option<&State>| {
            let mut sum = Dual64::from(0.0);
            let by = by.map(Configuration::from);
            self.each_point(contact, state.now().into(), by, |point| sum += term(&point));
            sum
        };
        state.with(sum(None).re, |by| sum(Some(by)).eps)
    }

    /// The largest `value` of a point of a contact.
    pub(crate) fn largest_of<N: Numbers<State>>(
        &self, contact: usize, state: &N, value: impl Fn(&PointView<'_>) -> Dual64,
    ) -> N::Number {
        let now = Configuration::from(state.now());
        let mut best = (self.contacts[contact].points.start, f64::NEG_INFINITY);
        self.each_point(contact, now, None, |point| {
            let value = value(&point).re;
            if value > best.1 {
                best = (point.i, value);
            }
        });
        state.with(best.1, |by| {
            let mut change = 0.0;
            self.each_point(contact, now, Some(by.into()), |point| {
                if point.i == best.0 {
                    change = value(&point).eps;
                }
            });
            change
        })
    }
}
