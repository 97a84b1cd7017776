//! Forces and tangent of contacts of surfaces.
//!
//! A point with the forces N across and T along its path adds, with the depth π = σ d − W, its place s, and c, which χ follows (s, of a
//! node χ itself),
//!
//! ```text
//! f_i = N σ ∂d/∂z_i + T ∂s/∂z_i + ½ k (⟨π + α⟩² − α²) χ′ ∂c/∂z_i
//! ```
//!
//! to the equations of all unknowns z that it and its closest points hang on. Where what of a side is on the path bears, ∂d/∂z is that at a fixed cover and
//! the last term is left out: it is of the order of the depth, and would draw on surfaces whose ends meet. Their tangent is complete; what makes it unsymmetric is that
//! T follows N where the point slides, and the cover of sides.

use super::SurfaceContacts;
use super::workspace::{Change, ContactWorkspace, PointForces};
use crate::joints::regime::Sense;
use crate::linear::{Interior, each_pair};
use crate::numerics::derivative::Differentiable;
use crate::numerics::lagrange::MAX_NODES;
use crate::surfaces::layer::{Law, Motion, PointFriction, PointMemory, Touch};
use crate::surfaces::sample::{Exerted, Sample};
use crate::system::equations::Equations;
use crate::system::{FoundPoint, Iterate, Tuning, Workspace};

impl SurfaceContacts {
    /// Adds the forces of all contacts to the residual, and where it is asked for their tangent in `equations`; returns the largest force.
    pub(crate) fn add_forces(
        &self, at: &Iterate, work: &mut Workspace, equations: &Equations, tangent: bool,
    ) -> f64 {
        if self.contacts.is_empty() {
            return 0.0;
        }
        let mut scratch = std::mem::take(&mut work.contacts);
        let contacts = scratch.iter_mut().enumerate();
        let matrix = tangent.then_some(equations);
        let forces = contacts.map(|(c, scratch)| self.add_contact(c, at, work, scratch, matrix));
        let largest = forces.fold(0.0, f64::max);
        work.contacts = scratch;
        largest
    }

    /// Adds the forces of a contact, and where there are `equations` their tangent; returns the largest force.
    fn add_contact(
        &self, c: usize, at: &Iterate, work: &mut Workspace, scratch: &mut ContactWorkspace,
        equations: Option<&Equations>,
    ) -> f64 {
        let (contact, tangent) = (&self.contacts[c], equations.is_some());
        self.evaluate_in(c, at, &mut scratch.evaluated);
        scratch.exact.clear();
        let points = scratch.evaluated.points.iter();
        (scratch.exact).extend(points.map(|at_point| [at_point.distance, at_point.s]));
        if tangent && !at.predicted.is_empty() {
            let place = |n: usize| at.predicted[contact.points.start + n].place;
            self.press_in(c, at, place, &mut scratch.evaluated);
        }
        scratch.forces.clear();
        scratch.ends.clear();
        for (i, at_point) in contact.points.clone().zip(&scratch.evaluated.points) {
            work.points[i] =
                FoundPoint { memory: PointMemory::open(at_point.s), ..FoundPoint::default() };
        }
        if !(scratch.evaluated.points.iter()).any(|at_point| at_point.pressed.touches) {
            (scratch.forces).resize(contact.points.len(), PointForces::default());
            return 0.0;
        }
        self.derive(c, at, scratch, tangent);
        let mut largest = 0.0_f64;
        for i in contact.points.clone() {
            let exerted = self.add_point(i, at, work, scratch, tangent);
            largest = largest.max(exerted.across.abs()).max(exerted.along.abs());
        }
        if let Some(equations) = equations {
            for (k, stretch) in contact.stretches.iter().enumerate() {
                for &i in &stretch.points {
                    let last = self.points[i].stretches.last();
                    if last.is_some_and(|[last, _]| *last == k) {
                        self.add_point_tangent(i, at, work, scratch, equations);
                    }
                }
                self.add_stretch_tangent(c, k, work, scratch, equations);
                if scratch.evaluated.cover(k).is_cut() {
                    self.add_cover_tangent(c, k, work, scratch, equations);
                }
            }
        }
        largest
    }

    /// Finds the derivatives of all samples of which a point touches.
    fn derive(&self, c: usize, at: &Iterate, scratch: &mut ContactWorkspace, tangent: bool) {
        let contact = &self.contacts[c];
        let first = contact.points.start;
        scratch.halves.clear();
        scratch.arms.clear();
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let touches = |&i: &usize| scratch.evaluated.points[i - first].pressed.touches;
            let touches = stretch.points.iter().any(touches);
            for number in scratch.evaluated.range(k) {
                if touches {
                    let mut sample = scratch.evaluated.samples()[number];
                    if tangent {
                        (sample.closest).look_up_third(&contact.path, &at.q, &sample.placed);
                    }
                    self.locals_of(contact, k, &sample, &at.q, &mut scratch.locals);
                    let locals = scratch.locals.as_slice().iter();
                    scratch.halves.extend(locals.map(|local| sample.half(local)));
                }
                scratch.ends.push(scratch.halves.len());
                scratch.arms.push(scratch.locals.arms);
            }
        }
    }

    /// Adds to the slopes of a point what presses on its strips as their other ends move.
    fn gather_strips(&self, i: usize, scratch: &mut ContactWorkspace) {
        let contact = &self.contacts[self.points[i].contact];
        let mut slopes = std::mem::take(&mut scratch.slopes);
        for &[k, end] in &self.points[i].strips {
            let between = scratch.evaluated.strips[k];
            let others = contact.strips[k].points.iter().enumerate();
            for (b, &other) in others.filter(|(b, _)| *b != end) {
                let side = scratch.evaluated.points[other - contact.points.start].side;
                for (place, number) in self.parts(other, &scratch.evaluated) {
                    let sample = &scratch.evaluated.samples()[number];
                    for half in scratch.halves_of(number) {
                        let [by_distance, by_s, _] = sample.moved(place, half.first);
                        let depth = side * by_distance;
                        let normal = between.by_depth[end][b] * depth + between.by_s[end][b] * by_s;
                        let along = between.by_s[b][end] * depth;
                        slopes.add(half.unknown, [0.0, 0.0, 0.0, 0.0, normal, along, 0.0]);
                    }
                }
            }
        }
        scratch.slopes = slopes;
    }

    /// Finds the slopes of a point, those of its velocity where these `turn`.
    fn gather(&self, i: usize, at: &Iterate, scratch: &mut ContactWorkspace, turns: bool) {
        let mut slopes = std::mem::take(&mut scratch.slopes);
        slopes.clear();
        let rate = |u: usize| at.flow.velocity(u, at.q.get(u));
        for (place, number) in self.parts(i, &scratch.evaluated) {
            let (halves, arms) = (scratch.halves_of(number), &scratch.arms[number]);
            let sample = &scratch.evaluated.samples()[number];
            for b in halves {
                let turned = match turns {
                    true => (halves.iter())
                        .map(|a| sample.second(arms, a, b)[1] * rate(a.unknown))
                        .sum(),
                    false => 0.0,
                };
                let [by_distance, by_s, passing] = sample.moved(place, b.first);
                let turned = sample.shares(place)[1] * turned;
                let (d, end) = match sample.is_place() {
                    true => (by_distance, 0.0),
                    false => (0.0, by_distance),
                };
                slopes.add(b.unknown, [d, by_s, passing, turned, 0.0, 0.0, end]);
            }
        }
        scratch.slopes = slopes;
    }

    /// Adds the forces of a point; returns what it exerts.
    fn add_point(
        &self, i: usize, at: &Iterate, work: &mut Workspace, scratch: &mut ContactWorkspace,
        tangent: bool,
    ) -> Exerted {
        let contact = self.points[i].contact;
        let n = i - self.contacts[contact].points.start;
        let at_point = scratch.evaluated.points[n];
        if !at_point.pressed.touches {
            scratch.forces.push(PointForces::default());
            return Exerted::default();
        }
        self.gather(i, at, scratch, false);
        let velocity = match at.flow.factor == 0.0 {
            true => 0.0,
            false => (scratch.slopes.list.iter())
                .map(|&(u, [_, by_s, ..])| by_s * at.flow.velocity(u, at.q.get(u)))
                .sum(),
        };
        let ahead = at.flow.factor * (at_point.s - scratch.exact[n][1]);
        let motion = at_point.motion(velocity + ahead);
        let tangential = self.friction_at(i, at, &at.points[i], motion, &[]);
        work.points[i] = FoundPoint {
            memory: PointMemory { advance: at.points[i].advance, ..tangential.memory },
            normal: at_point.pressed.force,
            rounding: at_point.rounding(self.contacts[contact].offset),
            stored: at_point.pressed.stored,
            stored_along: tangential.stored,
            dissipated: tangential.dissipated,
            dissipated_at_end: tangential.dissipated_at_end,
        };
        let exerted = at_point.exerted(at_point.forces(), tangential.force);
        let predicted = at.predicted.get(i).filter(|_| tangent);
        scratch.forces.push(PointForces {
            exerted,
            tangential,
            turns: match predicted {
                Some(predicted) => predicted.exerted,
                None if at.guessed => Exerted::default(),
                None => exerted,
            },
        });
        let forces = match predicted {
            Some(_) => self.exerted_after(i, at, scratch, 0.0),
            None => exerted,
        };
        for &(unknown, [by_distance, by_s, ..]) in &scratch.slopes.list {
            work.residual[unknown] += forces.across * by_distance + forces.along * by_s;
        }
        exerted
    }

    /// The friction law of point `i` with changes of its `numbers`.
    pub(crate) fn law_of_point<'a>(
        &self, i: usize, tuning: &'a Tuning, numbers: &'a [f64],
    ) -> Law<'a> {
        let contact = self.points[i].contact;
        let friction = tuning.friction(self.first_law + contact);
        Law { friction, kind: self.contacts[contact].friction, numbers }
    }

    /// Friction of point `i` from what it remembers, under the normal force N; derivatives follow changes of the `numbers` of its law, too.
    pub(crate) fn friction_at<D: Differentiable>(
        &self, i: usize, at: &Iterate, before: &PointMemory<D>, motion: Motion<D>, numbers: &[f64],
    ) -> PointFriction<D> {
        let point = &self.points[i];
        let law = self.law_of_point(i, &at.tuning, numbers);
        let layer = point.layer.softened(at.factors.stiffness);
        // Friction grows with the normal force.
        let normal_force = motion.normal_force * at.factors.friction;
        let ahead = match before.touch {
            Touch::Slips(_) => at.ahead,
            Touch::Open | Touch::Sticks => 0.0,
        };
        let s = motion.s + motion.velocity * ahead;
        let motion = Motion { normal_force, s, ..motion };
        let slips = at.slips[point.contact];
        let mut tangential = match slips {
            Sense::Neither if at.turns_back[i] => layer.hold(before, motion.s),
            Sense::Neither => layer.friction(&law, before, &motion),
            _ => layer.slide(&law, &motion, slips),
        };
        tangential.by_normal *= at.factors.friction;
        tangential
    }

    /// Adds what the forces of a point change by as it moves.
    fn add_point_tangent(
        &self, i: usize, at: &Iterate, work: &mut Workspace, scratch: &mut ContactWorkspace,
        all: &Equations,
    ) {
        let contact = &self.contacts[self.points[i].contact];
        let number = i - contact.points.start;
        let (at_point, forces) = (scratch.evaluated.points[number], scratch.forces[number]);
        let (pressed, tangential, side) = (at_point.pressed, forces.tangential, at_point.side);
        if !pressed.touches {
            return;
        }
        let turns = tangential.by_velocity * at.flow.factor != 0.0;
        self.gather(i, at, scratch, turns);
        self.gather_strips(i, scratch);
        let ContactWorkspace { slopes, places, equations, changes, .. } = scratch;
        let unknowns = slopes.list.iter().map(|(u, _)| *u);
        work.couple(unknowns.map(|u| all.of(u)), contact.moves, (places, equations));
        let covered = at_point.covered;
        changes.clear();
        changes.extend(places.iter().map(|&place| {
            let (_, [d, s, passing, turned, normal, along, end]) = slopes.list[place];
            let (depth, passes) = (side * d, if covered { 0.0 } else { passing });
            let normal = pressed.by_depth * depth + pressed.along[1] * passes + normal;
            // As ends of the path move, means are over more or less of the surface.
            let (ended, followed) = match covered {
                true => {
                    let ended = pressed.by_depth * side * end;
                    (ended, ended + pressed.along[1] * passing)
                }
                false => (0.0, 0.0),
            };
            Change {
                depth,
                s,
                passing: passes,
                normal,
                stored: pressed.along[1] * depth + pressed.along[2] * passes + along,
                friction: tangential.by_normal * (normal + followed)
                    + tangential.by_velocity * turned,
                ended,
            }
        }));
        // T ∂s/∂z_i grows with N, without a counterpart in the rows of N; and so does N as ends move.
        for (column, j) in equations.iter().zip(&*changes) {
            for (row, i) in equations.iter().zip(&*changes) {
                let beside = i.s * j.friction + i.depth * j.ended;
                if beside != 0.0 {
                    work.matrix.add_beside(*row as usize, *column as usize, beside);
                }
            }
        }
        // What the ends of a strip do to each other is symmetric in both together.
        let held = tangential.by_displacement + tangential.by_velocity * at.flow.factor;
        work.add_symmetric(equations, contact.moves, |a, b| {
            let (i, j) = (&changes[a], &changes[b]);
            0.5 * (i.depth * j.normal + j.depth * i.normal)
                + held * i.s * j.s
                + 0.5 * (i.passing * j.stored + j.passing * i.stored)
        });
    }

    /// Adds what forces change by as their directions turn.
    fn add_stretch_tangent(
        &self, c: usize, k: usize, work: &mut Workspace, scratch: &mut ContactWorkspace,
        all: &Equations,
    ) {
        let contact = &self.contacts[c];
        for number in scratch.evaluated.range(k) {
            let sample: &Sample = &scratch.evaluated.samples()[number];
            let points = contact.stretches[k].points.iter();
            let exerted = points.map(|i| scratch.forces[i - contact.points.start].turns);
            let [across, along] = sample.exerted(exerted);
            if across == 0.0 && along == 0.0 {
                continue;
            }
            let mut places = std::mem::take(&mut scratch.places);
            let mut equations = std::mem::take(&mut scratch.equations);
            let (halves, arms) = (scratch.halves_of(number), &scratch.arms[number]);
            let own = halves.iter().map(|half| all.of(half.unknown));
            work.couple(own, contact.moves, (&mut places, &mut equations));
            work.add_symmetric(&equations, contact.moves, |a, b| {
                let [i, j] = [a, b].map(|place| &halves[places[place]]);
                let [d_ij, s_ij] = sample.second(arms, i, j);
                across * d_ij + along * s_ij
            });
            (scratch.places, scratch.equations) = (places, equations);
        }
    }

    /// Adds what the forces of a side change by as the ends of its path move along it.
    fn add_cover_tangent(
        &self, c: usize, k: usize, work: &mut Workspace, scratch: &mut ContactWorkspace,
        equations: &Equations,
    ) {
        let contact = &self.contacts[c];
        let stretch = &contact.stretches[k];
        let Some(side) = &stretch.side else { return };
        let mut pressed = [0.0; MAX_NODES];
        for (j, &i) in stretch.points.iter().enumerate() {
            let n = i - contact.points.start;
            let (at_point, exerted) = (&scratch.evaluated.points[n], scratch.forces[n].exerted);
            if at_point.pressed.touches {
                pressed[j] = exerted.across / at_point.length;
            }
        }
        // Of each unknown the force as either end moves, and how it moves these.
        let mut slopes = std::mem::take(&mut scratch.slopes);
        slopes.clear();
        let cover = scratch.evaluated.cover(k);
        for (n, number) in scratch.evaluated.range(k).enumerate() {
            let by_ends = cover.slopes(side.duals(), n, &scratch.evaluated.samples()[number]);
            let forces = by_ends.map(|by| by.iter().zip(&pressed).map(|(a, b)| a * b).sum::<f64>());
            let end = cover.ends().find(|(_, end)| *end == n);
            for half in scratch.halves_of(number) {
                let [d, xi] = half.first;
                let mut all = [forces[0] * d, forces[1] * d, 0.0, 0.0, 0.0, 0.0, 0.0];
                if let Some((u, _)) = end {
                    all[2 + u] = xi;
                }
                slopes.add(half.unknown, all);
            }
        }
        let list = slopes.list.iter();
        let moves = list.clone().filter(|(_, of)| of[2] != 0.0 || of[3] != 0.0);
        let equation = |unknown: usize| equations.of(unknown);
        for (i, forces) in list {
            let Some(row) = equation(*i) else { continue };
            for (j, moves) in moves.clone() {
                if let Some(column) = equation(*j) {
                    let value = forces[0] * moves[2] + forces[1] * moves[3];
                    work.matrix.add_beside(row, column, value);
                }
            }
        }
        scratch.slopes = slopes;
    }

    /// What friction of point `i` had stored along its contact layer, J.
    pub(crate) fn stored_along_before<D: Differentiable>(
        &self, before: &PointMemory<D>, i: usize,
    ) -> D {
        let kind = self.contacts[self.points[i].contact].friction;
        match kind.sticks && before.touch != Touch::Open {
            true => self.points[i].layer.stored_along(before.friction),
            false => D::zero(),
        }
    }
}

impl Workspace {
    /// Begins with a coupling of the unknowns with these `equations`, as far as they have one: their `places` in the list, and the equations.
    fn couple(
        &mut self, equations: impl Iterator<Item = Option<usize>>, moves: bool,
        (places, own): (&mut Vec<usize>, &mut Vec<u32>),
    ) {
        places.clear();
        own.clear();
        for (place, equation) in equations.enumerate() {
            if let Some(equation) = equation {
                places.push(place);
                own.push(equation as u32);
            }
        }
        if moves {
            self.matrix.couple(own);
        }
    }

    /// Adds the symmetric matrix of these `entries`, of all pairs a ≤ b of the `equations`, to the tangent: to the last coupling, or where there
    /// is none.
    fn add_symmetric(
        &mut self, equations: &[u32], moves: bool, entries: impl Fn(usize, usize) -> f64,
    ) {
        if moves {
            self.matrix.add_coupled(entries);
            return;
        }
        let Interior { layout, values } = &mut self.matrix.interior;
        each_pair(equations, entries, |_, pair, value| {
            let [row, column] = pair.map(|e| e as usize);
            values[layout.position(row, column)] += value;
        });
    }
}

impl FoundPoint {
    /// What friction takes in a step from `before`, with what it stores, J.
    pub fn work(&self, before: &PointMemory, contacts: &SurfaceContacts, i: usize) -> f64 {
        self.dissipated + self.stored_along - contacts.stored_along_before(before, i)
    }

    /// What friction takes in a step from `before` by the forces of the step's end, with what it stores, J.
    pub fn work_at_end(&self, before: &PointMemory, contacts: &SurfaceContacts, i: usize) -> f64 {
        self.dissipated_at_end + self.stored_along - contacts.stored_along_before(before, i)
    }
}
