//! Where a correction of Newton's method leads the points of contacts.
//!
//! A layer is so stiff that what the second order of a correction does to its depth is a force far beyond those in clearance. The depths and places of
//! points are therefore unknowns of their own beside q (a mixed form, as in Magisano, Leonetti & Garcea 2017): a correction x leads them to first order to
//!
//! ```text
//! d̃ = d(q) + α ∂d/∂q x,    s̃ = s(q) + α ∂s/∂q x
//! ```
//!
//! Which points touch, stick and slip follows from these, and what turns with surface and path in the next tangent are the forces that the
//! correction has found. The equations of the next correction are those of d(q) and s(q) all the same, so that in the solution both are one.

use super::SurfaceContacts;
use super::workspace::{ContactWorkspace, Displacement};
use crate::numerics::root::Bracket;
use crate::surfaces::layer::Touch;
use crate::surfaces::sample::{Exerted, Predicted};
use crate::system::equations::Equations;
use crate::system::{Iterate, State, Workspace};

/// Share of the slope along a correction that may be left where it ends.
const SLOPE_LEFT: f64 = 0.5;

/// Times what the largest unknown moves that a point moves across its path at the most: polynomials of order 4 by 2.3 times, means with the dual
/// functions by three times that, and path and surface both.
const FARTHEST: f64 = 16.0;

/// Trials for that place: a contact that closes makes all but a jump, on which the bracket has to close in.
const MOST_TRIALS: usize = 100;

/// A correction of Newton's method.
pub(crate) struct Correction<'a> {
    /// Changes of the unknowns of each equation.
    pub x: &'a [f64],
    /// The equation of each unknown.
    pub equations: &'a Equations,
    /// How far an unknown moves by it at the most, m.
    pub size: f64,
}

impl SurfaceContacts {
    /// Predicts where the points of contacts are after a correction, along which the residual of the last evaluation has this `slope`. Returns the share of
    /// it after which forces do little work along it,
    ///
    /// ```text
    /// g(α) = r(q + α x)·x,    |g(α)| ≤ ½ |g(0)|
    /// ```
    ///
    /// with the points where they are to first order. Without friction g is the slope of a convex potential: with such steps Newton's method finds the
    /// minimum whichever points touch at first. With whole ones it can change for ever between two sets of them, or leave the contact.
    pub(crate) fn predict_points(
        &self, at: &mut Iterate, work: &mut Workspace, by: &Correction<'_>, slope: f64,
    ) -> f64 {
        at.predicted.clear();
        at.guessed = false;
        for (c, scratch) in work.contacts.iter_mut().enumerate() {
            self.find_displacements(c, at, by, scratch);
        }
        let mut left = |share: f64| {
            let scratch = work.contacts.iter_mut().enumerate();
            let changed = scratch.map(|(c, scratch)| self.work_of_changes(c, at, scratch, share));
            (1.0 - share) * slope + changed.sum::<f64>()
        };
        let enough = SLOPE_LEFT * slope.abs();
        let (mut share, whole) = (1.0, left(1.0));
        if slope < 0.0 && whole > enough {
            let mut bracket = Bracket::new([0.0, slope], [1.0, whole]);
            for _ in 0..MOST_TRIALS {
                share = bracket.trial();
                let slope = left(share);
                if slope.abs() <= enough {
                    break;
                }
                bracket.narrow(share, slope);
                // Where a contact closes, g all but jumps; behind that the matrix knows of it.
                share = bracket.high[0];
            }
        }
        for (contact, scratch) in self.contacts.iter().zip(&work.contacts) {
            for (n, i) in contact.points.clone().enumerate() {
                let predicted = Predicted {
                    place: place_after(scratch, n, share),
                    exerted: self.exerted_after(i, at, scratch, share),
                };
                at.predicted.push(predicted);
            }
        }
        share
    }

    /// Predicts where the points of contacts are a time `h` (s) after `state` from where they were at the ends of the last two steps.
    ///
    /// The first guess of positions is too far off for that. What the step does not resolve rings in the accelerations of generalized-α, and the
    /// error of their extrapolation moves positions by more than layers are pressed in; positions themselves hardly ring.
    pub(crate) fn extrapolate_points(&self, state: &State, h: f64, at: &mut Iterate) {
        let share = state.equal.share(h).unwrap_or(0.0);
        at.predicted.clear();
        at.predicted.extend(self.points.iter().zip(&state.places).map(|(point, places)| {
            let [[d, s], [d_before, s_before]] = *places;
            let s_before = self.contacts[point.contact].path.beside(s_before, s);
            let place = [d + share * (d - d_before), s + share * (s - s_before)];
            Predicted { place, ..Predicted::default() }
        }));
    }

    /// Shifts the points of contacts with a correction of positions onto constraints, to first order.
    pub(crate) fn shift_points(&self, at: &Iterate, work: &mut Workspace, by: &Correction<'_>) {
        for (c, scratch) in work.contacts.iter_mut().enumerate() {
            self.find_displacements(c, at, by, scratch);
            for (exact, displacement) in scratch.exact.iter_mut().zip(&scratch.displacements) {
                *exact = [0, 1].map(|k| exact[k] + displacement.by[k]);
            }
        }
    }

    /// Finds how the points of a contact move with a correction, where any of a stretch touches or may do so after it.
    fn find_displacements(
        &self, c: usize, at: &Iterate, correction: &Correction<'_>, scratch: &mut ContactWorkspace,
    ) {
        let contact = &self.contacts[c];
        scratch.displacements.clear();
        scratch.displacements.resize(contact.points.len(), Displacement::default());
        scratch.trial.on_path_as(&scratch.evaluated);
        let change =
            |unknown: usize| correction.equations.of(unknown).map_or(0.0, |e| correction.x[e]);
        let rate = |u: usize| match at.flow.factor == 0.0 {
            true => 0.0,
            false => at.flow.velocity(u, at.q.get(u)),
        };
        let reach = FARTHEST * correction.size;
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let open = |&i: &usize| {
                let n = i - contact.points.start;
                let at_point = &scratch.evaluated.points[n];
                let depth = at_point.side * scratch.exact[n][0] - contact.offset;
                let nearest = depth + at.points[i].advance + scratch.evaluated.strays(k);
                !at_point.pressed.touches && nearest < -reach
            };
            if stretch.points.iter().all(open) {
                continue;
            }
            for number in scratch.evaluated.range(k) {
                let sample = scratch.evaluated.samples()[number];
                if !sample.moves() {
                    continue;
                }
                let (mut by, mut velocity) = ([0.0; 2], [0.0; 2]);
                let mut add = |unknown: usize, first: [f64; 2]| {
                    let (x, v) = (change(unknown), rate(unknown));
                    by = [0, 1].map(|k| by[k] + first[k] * x);
                    velocity[1] += first[1] * v;
                };
                if scratch.halves_of(number).is_empty() {
                    self.locals_of(contact, k, &sample, &at.q, &mut scratch.locals);
                    let locals = scratch.locals.as_slice().iter();
                    locals.for_each(|local| add(local.unknown, sample.first(local)));
                } else {
                    let halves = scratch.halves_of(number).iter();
                    halves.for_each(|half| add(half.unknown, half.first));
                }
                for (j, &i) in stretch.points.iter().enumerate() {
                    let displacement = &mut scratch.displacements[i - contact.points.start];
                    let moved = sample.moved(j, by);
                    displacement.by = [0, 1, 2].map(|k| displacement.by[k] + moved[k]);
                    displacement.velocity += sample.moved(j, velocity)[1];
                }
            }
        }
    }

    /// What point `i` exerts by the equations of a correction after a `share` of it, to first order.
    pub(crate) fn exerted_after(
        &self, i: usize, at: &Iterate, scratch: &ContactWorkspace, share: f64,
    ) -> Exerted {
        let first = self.contacts[self.points[i].contact].points.start;
        let (at_point, forces) = (&scratch.evaluated.points[i - first], &scratch.forces[i - first]);
        if !at_point.pressed.touches {
            return Exerted::default();
        }
        let off = |i: usize| {
            let at_point = &scratch.evaluated.points[i - first];
            let [d, s] = place_after(scratch, i - first, share);
            let passing = match at_point.covered {
                true => moved_after(scratch, i - first, share)[2],
                false => s - at_point.s,
            };
            [d - at_point.distance, s - at_point.s, passing]
        };
        let [normal, along] = self.pressed_change(i, &scratch.evaluated, |i| {
            let [d, _, passing] = off(i);
            [scratch.evaluated.points[i - first].side * d, passing, 0.0]
        });
        let tangential = &forces.tangential;
        let held = tangential.by_displacement + tangential.by_velocity * at.flow.factor;
        let friction = tangential.by_normal * normal + held * off(i)[1];
        let change = at_point.exerted([normal, along], friction);
        Exerted {
            across: forces.exerted.across + change.across,
            along: forces.exerted.along + change.along,
        }
    }

    /// Work along the whole correction of what points of a contact exert after a `share` of it beside what its equations make of that.
    fn work_of_changes(
        &self, c: usize, at: &Iterate, scratch: &mut ContactWorkspace, share: f64,
    ) -> f64 {
        let contact = &self.contacts[c];
        let mut trial = std::mem::take(&mut scratch.trial);
        self.press_in(c, at, |n| place_after(scratch, n, share), &mut trial);
        let mut touches = std::mem::take(&mut scratch.touches);
        touches.clear();
        let points = contact.points.clone().zip(&trial.points).zip(&scratch.displacements);
        let works = points.map(|((i, at_point), displacement)| {
            let mut touch = Touch::Open;
            let exerted = match at_point.pressed.touches {
                true => {
                    let velocity =
                        displacement.velocity + at.flow.factor * share * displacement.by[1];
                    let motion = at_point.motion(velocity);
                    let tangential = self.friction_at(i, at, &at.points[i], motion, &[]);
                    touch = tangential.memory.touch;
                    at_point.exerted(at_point.forces(), tangential.force)
                }
                false => Exerted::default(),
            };
            touches.push(touch);
            let linear = self.exerted_after(i, at, scratch, share);
            (exerted.across - linear.across) * displacement.by[0]
                + (exerted.along - linear.along) * displacement.by[1]
        });
        let work = works.sum();
        (scratch.trial, scratch.touches) = (trial, touches);
        work
    }
}

/// d and s of point number `n` of a contact after a `share` of the correction, m.
fn place_after(scratch: &ContactWorkspace, n: usize, share: f64) -> [f64; 2] {
    let moved = moved_after(scratch, n, share);
    [0, 1].map(|k| scratch.exact[n][k] + moved[k])
}

/// Changes of d, of s and of what χ follows at point number `n` of a contact by a `share` of the correction; none of nothing, also before the first
/// correction.
fn moved_after(scratch: &ContactWorkspace, n: usize, share: f64) -> [f64; 3] {
    if share == 0.0 { [0.0; 3] } else { scratch.displacements[n].by.map(|by| share * by) }
}
