//! Forces and tangent of contacts of surfaces.
//!
//! A point with the forces N across and T along its path adds, with the depth π = σ d − W and its place s,
//!
//! ```text
//! f_i = N σ ∂d/∂z_i + (T + ½ k (⟨π + α⟩² − α²) χ′) ∂s/∂z_i
//! ```
//!
//! to the equations of all unknowns z that it and its feet hang on. Their tangent is complete; what makes it unsymmetric is that T follows
//! N where the point slides.

use super::surface_room::{Acts, Room};
use super::surface_stands::Standing;
use super::{FoundPoint, Iterate, PRESCRIBED, System, Workspace};
use crate::joints::regime::Sense;
use crate::surfaces::lining::{PointMemory, Rubbed, Touch};
use crate::surfaces::side::Sample;

impl System {
    /// Adds the forces of all contacts, and their tangent where it is asked for; returns the largest force.
    pub(super) fn add_surface_contacts(
        &self,
        at: &Iterate,
        work: &mut Workspace,
        tangent: bool,
    ) -> f64 {
        let mut room = std::mem::take(&mut work.room);
        let contacts = 0..self.contacts.len();
        let forces = contacts.map(|c| self.add_contact(c, at, work, &mut room, tangent));
        let largest = forces.fold(0.0, f64::max);
        work.room = room;
        largest
    }

    fn add_contact(
        &self,
        c: usize,
        at: &Iterate,
        work: &mut Workspace,
        room: &mut Room,
        tangent: bool,
    ) -> f64 {
        let contact = &self.contacts[c];
        self.stand_in(c, at, &mut room.stands);
        for (i, standing) in contact.points.clone().zip(&room.stands.points) {
            work.points[i] = FoundPoint {
                memory: PointMemory::open(standing.s),
                ..FoundPoint::default()
            };
        }
        if !(room.stands.points.iter()).any(|standing| standing.pressed.touches) {
            return 0.0;
        }
        self.derive(c, at, room, tangent);
        let mut largest = 0.0_f64;
        room.acts.clear();
        for i in contact.points.clone() {
            let acts = self.add_point(i, at, work, room);
            largest = largest.max(acts.across.abs()).max(acts.along.abs());
            room.acts.push(acts);
        }
        if tangent {
            for (k, stretch) in contact.stretches.iter().enumerate() {
                for &i in &stretch.points {
                    let last = self.points[i].stretches.last();
                    if last.is_some_and(|[last, _]| *last == k) {
                        self.add_point_tangent(i, at, work, room);
                    }
                }
                self.add_stretch_tangent(c, k, work, room);
            }
        }
        largest
    }

    /// Finds the derivatives of all samples of which a point touches.
    fn derive(&self, c: usize, at: &Iterate, room: &mut Room, tangent: bool) {
        let contact = &self.contacts[c];
        let first = contact.points.start;
        room.halves.clear();
        room.ends.clear();
        room.arms.clear();
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let touches = |&i: &usize| room.stands.points[i - first].pressed.touches;
            let touches = stretch.points.iter().any(touches);
            for number in room.stands.range(k) {
                if touches {
                    let mut sample = room.stands.samples()[number];
                    if tangent {
                        (sample.foot).look_up_third(&contact.path, &at.q, &sample.placed);
                    }
                    self.locals_of(contact, k, &sample, &at.q, &mut room.locals);
                    let locals = room.locals.as_slice().iter();
                    room.halves.extend(locals.map(|local| sample.half(local)));
                }
                room.ends.push(room.halves.len());
                room.arms.push(room.locals.arms);
            }
        }
    }

    /// Adds to the slopes of a point what presses on its strips as their other ends move.
    fn gather_strips(&self, i: usize, room: &mut Room) {
        let contact = &self.contacts[self.points[i].contact];
        let mut slopes = std::mem::take(&mut room.slopes);
        for &[k, end] in &self.points[i].strips {
            let between = room.stands.strips[k];
            let others = contact.strips[k].points.iter().enumerate();
            for (b, &other) in others.filter(|(b, _)| *b != end) {
                let side = room.stands.points[other - contact.points.start].side;
                for (share, number) in self.parts(other, &room.stands) {
                    for half in room.halves_of(number) {
                        let [by_distance, by_s] = half.first;
                        let depth = side * by_distance;
                        let normal = between.by_depth[end][b] * depth + between.by_s[end][b] * by_s;
                        let along = between.by_s[b][end] * depth;
                        slopes.add(half.unknown, share, [0.0, 0.0, 0.0, normal, along]);
                    }
                }
            }
        }
        room.slopes = slopes;
    }

    /// Finds the slopes of a point, those of its velocity where these `turn`.
    fn gather(&self, i: usize, at: &Iterate, room: &mut Room, turns: bool) {
        let mut slopes = std::mem::take(&mut room.slopes);
        slopes.clear();
        let rate = |u: usize| at.flow.velocity(u, at.q.get(u));
        for (share, number) in self.parts(i, &room.stands) {
            let (halves, arms) = (room.halves_of(number), &room.arms[number]);
            let sample = &room.stands.samples()[number];
            for b in halves {
                let turned = match turns {
                    true => (halves.iter())
                        .map(|a| sample.second(arms, a, b)[1] * rate(a.unknown))
                        .sum(),
                    false => 0.0,
                };
                let [by_distance, by_s] = match sample.is_place() {
                    true => b.first,
                    false => [0.0; 2],
                };
                slopes.add(b.unknown, share, [by_distance, by_s, turned, 0.0, 0.0]);
            }
        }
        room.slopes = slopes;
    }

    fn add_point(&self, i: usize, at: &Iterate, work: &mut Workspace, room: &mut Room) -> Acts {
        let contact = self.points[i].contact;
        let standing = room.stands.points[i - self.contacts[contact].points.start];
        if !standing.pressed.touches {
            return Acts::default();
        }
        self.gather(i, at, room, false);
        let velocity = match at.flow.factor == 0.0 {
            true => 0.0,
            false => (room.slopes.list.iter())
                .map(|&(u, [_, by_s, ..])| by_s * at.flow.velocity(u, at.q.get(u)))
                .sum(),
        };
        let rubbed = self.rubbed_at(i, at, &standing, velocity);
        work.points[i] = FoundPoint {
            memory: PointMemory {
                advance: at.points[i].advance,
                ..rubbed.memory
            },
            normal: standing.pressed.force,
            rounding: standing.rounding(self.contacts[contact].offset),
            stored: standing.pressed.stored,
            rubbed: rubbed.stored,
            dissipated: rubbed.dissipated,
            dissipated_at_end: rubbed.dissipated_at_end,
        };
        let acts = Acts {
            across: standing.side * standing.pressed.force,
            along: rubbed.force + standing.pressed.along[0],
            rubbed,
        };
        for &(unknown, [by_distance, by_s, ..]) in &room.slopes.list {
            work.residual[unknown] += acts.across * by_distance + acts.along * by_s;
        }
        acts
    }

    /// Friction of point `i`, which stands so and slides with `velocity` (m/s).
    pub(super) fn rubbed_at(
        &self,
        i: usize,
        at: &Iterate,
        standing: &Standing,
        velocity: f64,
    ) -> Rubbed {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let law = at.tuning.friction(self.sliders.len() + point.contact);
        let lining = point.lining.softened(at.ease.stiffness);
        // Friction grows with the normal force.
        let (normal, s) = (at.ease.friction * standing.normal(), standing.s);
        let slips = at.slips[point.contact];
        let mut rubbed = match slips {
            Sense::Neither if at.turns_back[i] => lining.hold(&at.points[i], s),
            Sense::Neither => {
                let before = &at.points[i];
                lining.rub(law, contact.friction, before, normal, s, velocity)
            }
            _ => lining.slide(law, normal, s, slips),
        };
        rubbed.by_normal *= at.ease.friction;
        rubbed
    }

    /// Begins with a coupling of the unknowns of a list that have an equation.
    fn couple(
        &self,
        unknowns: impl Iterator<Item = usize>,
        moves: bool,
        room: (&mut Vec<usize>, &mut Vec<u32>),
        work: &mut Workspace,
    ) {
        let (free, equations) = room;
        free.clear();
        equations.clear();
        for (place, unknown) in unknowns.enumerate() {
            if self.equation[unknown] != PRESCRIBED {
                free.push(place);
                equations.push(self.equation[unknown]);
            }
        }
        if moves {
            work.matrix.couple(equations);
        }
    }

    fn add_point_tangent(&self, i: usize, at: &Iterate, work: &mut Workspace, room: &mut Room) {
        let contact = &self.contacts[self.points[i].contact];
        let number = i - contact.points.start;
        let (standing, acts) = (room.stands.points[number], room.acts[number]);
        let (pressed, rubbed, side) = (standing.pressed, acts.rubbed, standing.side);
        if !pressed.touches {
            return;
        }
        let turns = rubbed.by_velocity * at.flow.factor != 0.0;
        self.gather(i, at, room, turns);
        self.gather_strips(i, room);
        let Room {
            slopes,
            free,
            equations,
            ..
        } = room;
        let list = &slopes.list[..];
        self.couple(
            list.iter().map(|(u, _)| *u),
            contact.moves,
            (free, equations),
            work,
        );
        // ∂N/∂z and ∂/∂z of the force along of what is stored.
        let changes = |j: usize| {
            let (_, [d, s, _, normal, along]) = list[j];
            let depth = side * d;
            [
                pressed.by_depth * depth + pressed.along[1] * s + normal,
                pressed.along[1] * depth + pressed.along[2] * s + along,
            ]
        };
        let held = rubbed.by_way + rubbed.by_velocity * at.flow.factor;
        for (b, &j) in free.iter().enumerate() {
            let (_, [d_j, s_j, turned_j, ..]) = list[j];
            let [normal_j, stored_j] = changes(j);
            let rubs_j = rubbed.by_normal * normal_j + rubbed.by_velocity * turned_j;
            for (a, &i) in free.iter().enumerate() {
                let (_, [d_i, s_i, ..]) = list[i];
                let [row, column] = [equations[a], equations[b]].map(|e| e as usize);
                // T ∂s/∂z_i grows with N, without a counterpart in the rows of N.
                if s_i * rubs_j != 0.0 {
                    work.matrix.add_beside(row, column, s_i * rubs_j);
                }
                if a <= b {
                    // What the ends of a strip do to each other is symmetric in both together.
                    let [normal_i, stored_i] = changes(i);
                    let symmetric = 0.5 * side * (d_i * normal_j + d_j * normal_i)
                        + 0.5 * (s_i * stored_j + s_j * stored_i)
                        + held * s_i * s_j;
                    work.add_symmetric([a, b], [row, column], contact.moves, symmetric);
                }
            }
        }
    }

    /// Adds what forces change by as their directions turn.
    fn add_stretch_tangent(&self, c: usize, k: usize, work: &mut Workspace, room: &mut Room) {
        let contact = &self.contacts[c];
        for number in room.stands.range(k) {
            let sample: &Sample = &room.stands.samples()[number];
            let points = contact.stretches[k].points.iter().zip(&sample.shares);
            let [across, along] = points.fold([0.0; 2], |[across, along], (i, share)| {
                let acts = &room.acts[i - contact.points.start];
                [across + share * acts.across, along + share * acts.along]
            });
            if across == 0.0 && along == 0.0 {
                continue;
            }
            let (mut free, mut equations) = (
                std::mem::take(&mut room.free),
                std::mem::take(&mut room.equations),
            );
            let (halves, arms) = (room.halves_of(number), &room.arms[number]);
            let unknowns = halves.iter().map(|half| half.unknown);
            self.couple(unknowns, contact.moves, (&mut free, &mut equations), work);
            for (b, &j) in free.iter().enumerate() {
                for (a, &i) in free[..=b].iter().enumerate() {
                    let [d_ij, s_ij] = sample.second(arms, &halves[i], &halves[j]);
                    let [row, column] = [equations[a], equations[b]].map(|e| e as usize);
                    let value = across * d_ij + along * s_ij;
                    work.add_symmetric([a, b], [row, column], contact.moves, value);
                }
            }
            (room.free, room.equations) = (free, equations);
        }
    }
}

impl Workspace {
    /// Adds to the tangent at a pair of places of the last coupling, or where there is none of their equations.
    fn add_symmetric(
        &mut self,
        [a, b]: [usize; 2],
        [row, column]: [usize; 2],
        moves: bool,
        value: f64,
    ) {
        if moves {
            self.matrix.add_coupled(a, b, value);
        } else {
            let place = self.matrix.interior.layout.position(row, column);
            self.matrix.interior.values[place] += value;
        }
    }
}

impl FoundPoint {
    /// What friction takes in a step from `before`, with what it stores, J.
    pub fn work(&self, before: &PointMemory, system: &System, i: usize) -> f64 {
        self.dissipated + self.rubbed - system.rubbed_before(before, i)
    }

    /// The same by the forces of the step's end.
    pub fn work_at_end(&self, before: &PointMemory, system: &System, i: usize) -> f64 {
        self.dissipated_at_end + self.rubbed - system.rubbed_before(before, i)
    }
}

impl System {
    /// What friction of point `i` had stored along its lining, J.
    pub(crate) fn rubbed_before(&self, before: &PointMemory, i: usize) -> f64 {
        let kind = self.contacts[self.points[i].contact].friction;
        match kind.holds && before.touch != Touch::Open {
            true => 0.5 * before.friction * before.friction / self.points[i].lining.tangential,
            false => 0.0,
        }
    }
}
