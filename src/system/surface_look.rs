//! Points of contacts of surfaces as outputs look at them.

use super::contact_kinematics::{ContactKinematics, PointKinematics};
use super::{State, System};
use crate::numerics::positions::Positions;
use crate::surfaces::layer::{PointMemory, Pressed};
use crate::surfaces::local::{Local, Locals};
use crate::surfaces::sample::{Exerted, Sample};

/// A point of a contact that is looked at.
pub(super) struct Look<'a> {
    system: &'a System,
    q: &'a Positions,
    pub evaluated: &'a ContactKinematics,
    /// Its number among all points.
    pub i: usize,
    pub at_point: &'a PointKinematics,
    memories: &'a [PointMemory],
}

/// What a point exerts at a sample, by ∂d/∂z and ∂s/∂z (N), and the change of that.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Acts {
    across: [f64; 2],
    along: [f64; 2],
}

impl Look<'_> {
    /// Calls `see` with the samples that the point is a mean of, its place among their points, and the unknowns that they hang on, those of
    /// the surface first.
    fn each_part(&self, mut see: impl FnMut(usize, &Sample, &Locals)) {
        let contact = &self.system.contacts[self.system.points[self.i].contact];
        let mut locals = Locals::default();
        for &[stretch, place] in &self.system.points[self.i].stretches {
            for sample in self.evaluated.of(stretch) {
                let mut sample = *sample;
                (sample.foot).look_up_third(&contact.path, self.q, &sample.placed);
                (self.system).locals_of(contact, stretch, &sample, self.q, &mut locals);
                see(place, &sample, &locals);
            }
        }
    }

    /// Changes of d, of s and of what χ follows by that of the unknowns.
    pub fn moved(&self, by: &[f64]) -> [f64; 3] {
        let mut sum = [0.0; 3];
        self.each_part(|place, sample, locals| {
            if sample.moves() {
                for local in locals.as_slice() {
                    let moved = sample.moved(place, sample.first(local));
                    sum = [0, 1, 2].map(|k| sum[k] + moved[k] * by[local.unknown]);
                }
            }
        });
        sum
    }

    /// Calls `see` with the samples of the point, the unknowns that they hang on, and what it exerts there under the friction `friction` (N), with
    /// its change by that of the state where there is one.
    pub fn each_act(
        &self, friction: f64, by: Option<&State>, mut see: impl FnMut(&Sample, &Locals, &Acts),
    ) {
        let Pressed { force, along, .. } = self.at_point.pressed;
        let exerted = self.at_point.exerted([force, along[0]], friction);
        let change = by.map(|by| {
            let pressed = self.pressed_change((&by.q, &by.points));
            let change = (self.at_point).exerted(pressed, by.points[self.i].friction);
            let passing = |i: usize| self.other(i).moved(&by.q)[2];
            let contact = self.system.points[self.i].contact;
            let stretches = self.system.points[self.i].stretches.iter();
            let counts = stretches.flat_map(|&[k, _]| {
                (self.system).counts_change(contact, k, self.evaluated, (self.q, &by.q), passing)
            });
            (change, counts.collect::<Vec<_>>())
        });
        let mut number = 0;
        self.each_part(|place, sample, locals| {
            let only = |of: Exerted| {
                (0..=place).map(move |j| if j == place { of } else { Exerted::default() })
            };
            let [across, along] = sample.exerted(only(exerted));
            let mut acts = Acts { across: [across, 0.0], along: [along, 0.0] };
            if let Some((change, counts)) = &change {
                let by_point = sample.exerted(only(*change));
                let by_counts = counts[number].exerted(only(exerted));
                acts.across[1] = by_point[0] + by_counts[0];
                acts.along[1] = by_point[1] + by_counts[1];
            }
            number += 1;
            see(sample, locals, &acts);
        });
    }

    /// Another point of the contact in the same state.
    fn other(&self, i: usize) -> Look<'_> {
        let first = self.system.contacts[self.system.points[i].contact].points.start;
        Look { at_point: &self.evaluated.points[i - first], i, ..*self }
    }

    /// Changes of N and of the force of what is stored by what χ follows.
    pub fn pressed_change(&self, (q, points): (&Positions, &[PointMemory])) -> [f64; 2] {
        self.system.pressed_change(self.i, self.evaluated, |i| {
            let look = self.other(i);
            let [distance, _, passing] = look.moved(q);
            [look.at_point.side * distance, passing, points[i].advance]
        })
    }

    /// Change of N.
    pub fn normal_change(&self, by: &State) -> f64 {
        self.pressed_change((&by.q, &by.points))[0]
    }

    /// Pressure by length of the surface, N/m.
    pub fn line_pressure(&self) -> f64 {
        (self.system).line_pressure(self.i, self.evaluated, self.memories)
    }

    /// Change of the pressure by length by that of the state.
    pub fn line_pressure_change(&self, by: &State) -> f64 {
        let point = &self.system.points[self.i];
        let k = point.layer.normal / point.surface.length;
        match point.strips.is_empty() {
            true if !self.at_point.pressed.touches => 0.0,
            true => {
                // Of a node, pressure is the force by what of its length is on the path.
                let less = match self.at_point.covered {
                    true => self.moved(&by.q)[2] / self.at_point.bearing,
                    false => 0.0,
                };
                let force = self.at_point.pressed.force;
                (self.normal_change(by) - force * less) / self.at_point.length
            }
            false if self.line_pressure() == 0.0 => 0.0,
            false => {
                let advances = (self.system).weights_at(self.i, self.evaluated);
                let came: f64 = advances.map(|(i, w)| w * by.points[i].advance).sum();
                k * (self.depth_change(by) + came)
            }
        }
    }

    /// Change of its own depth by that of the state.
    pub fn depth_change(&self, by: &State) -> f64 {
        let weights = (self.system).weights_at(self.i, self.evaluated);
        let changes = weights.map(|(i, w)| {
            let look = self.other(i);
            w * look.at_point.side * look.moved(&by.q)[0]
        });
        changes.sum()
    }

    /// Force on the path under the friction `friction`, N.
    pub fn force(&self, friction: f64) -> [f64; 2] {
        let mut sum = [0.0; 2];
        self.each_act(friction, None, |sample, _, acts| {
            let force = acts.force(sample);
            sum = [0, 1].map(|k| sum[k] + force[k]);
        });
        sum
    }

    /// Change of that force by the change of the state.
    pub fn force_change(&self, friction: f64, by: &State) -> [f64; 2] {
        let mut sum = [0.0; 2];
        self.each_act(friction, Some(by), |sample, locals, acts| {
            let force = acts.change(sample, locals, &by.q);
            sum = [0, 1].map(|k| sum[k] + force[k]);
        });
        sum
    }
}

impl Acts {
    /// Force on the path at a sample, N.
    pub fn force(&self, sample: &Sample) -> [f64; 2] {
        translations().map(|local| match sample.moves() {
            true => {
                let [by_distance, by_s] = sample.first(&local);
                self.across[0] * by_distance + self.along[0] * by_s
            }
            false => 0.0,
        })
    }

    /// Change of the force at a sample by that of the unknowns, `by`.
    pub fn change(&self, sample: &Sample, locals: &Locals, by: &[f64]) -> [f64; 2] {
        translations().map(|local| {
            let half = sample.half(&local);
            let mut change = match sample.moves() {
                true => self.across[1] * half.first[0] + self.along[1] * half.first[1],
                false => 0.0,
            };
            for other in locals.as_slice() {
                let [d, s] = sample.second(&locals.arms, &half, &sample.half(other));
                change += (self.across[0] * d + self.along[0] * s) * by[other.unknown];
            }
            change
        })
    }
}

/// Motions of a point along x and y.
fn translations() -> [Local; 2] {
    [[1.0, 0.0], [0.0, 1.0]].map(|place| Local { place, ..Local::default() })
}

impl System {
    /// Calls `look` with the points of a contact.
    pub(super) fn each_look(&self, contact: usize, state: &State, look: impl FnMut(Look<'_>)) {
        self.each_look_at(contact, (&state.q, &state.points), look);
    }

    /// Calls `look` with the points of a contact at `q`, where all points remember this.
    pub(super) fn each_look_at(
        &self, contact: usize, (q, memories): (&Positions, &[PointMemory]),
        mut look: impl FnMut(Look<'_>),
    ) {
        let evaluated = self.look(contact, q, memories);
        for (i, at_point) in self.contacts[contact].points.clone().zip(&evaluated.points) {
            look(Look { system: self, q, evaluated: &evaluated, i, at_point, memories });
        }
    }

    /// Σ over the points of a contact.
    pub(super) fn sum_over(
        &self, contact: usize, state: &State, term: impl Fn(Look<'_>) -> f64,
    ) -> f64 {
        let mut sum = 0.0;
        self.each_look(contact, state, |look| sum += term(look));
        sum
    }

    /// The point with the largest value, and that; none where there is none above −∞.
    pub(super) fn largest_of(
        &self, contact: usize, state: &State, value: impl Fn(&Look<'_>) -> f64,
    ) -> (usize, f64) {
        let mut best = (self.contacts[contact].points.start, f64::NEG_INFINITY);
        self.each_look(contact, state, |look| {
            let value = value(&look);
            if value > best.1 {
                best = (look.i, value);
            }
        });
        best
    }

    /// Whether something holds of a point of a contact.
    pub(super) fn any_of(
        &self, contact: usize, state: &State, holds: impl Fn(&Look<'_>) -> bool,
    ) -> bool {
        let mut any = false;
        self.each_look(contact, state, |look| any |= holds(&look));
        any
    }

    /// Sum of the sizes of the normal forces of a contact, N.
    pub fn pressing_on(&self, contact: usize, state: &State) -> f64 {
        self.sum_over(contact, state, |look| look.at_point.pressed.force)
    }
}
