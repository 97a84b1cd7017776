//! Kinematics of the points of a contact at given positions, and the normal forces that follow from them.

use super::{ContactKinematics, Evaluated, Last, PointKinematics};
use crate::numerics::positions::Positions;
use crate::surfaces::closest_point::ClosestPoint;
use crate::surfaces::cover::Cover;
use crate::surfaces::layer::{PointMemory, Pressed};
use crate::surfaces::local::Locals;
use crate::surfaces::sample::{Counts, Sample, Shifts};
use crate::surfaces::side::View;
use crate::surfaces::strip::{Between, End, MOST};
use crate::system::Iterate;
use crate::system::surfaces::SurfaceContacts;

impl SurfaceContacts {
    /// Evaluates a contact at `q`, following its points from what they remember.
    pub(crate) fn evaluated(
        &self, c: usize, q: &Positions, memories: &[PointMemory],
    ) -> Evaluated<'_> {
        let contact = &self.contacts[c];
        let room = &contact.cache;
        let own = &memories[contact.points.clone()];
        let found = room.0.lock().ok().and_then(|mut room| room.take());
        let mut last = found.unwrap_or_else(|| {
            let mut last = Box::<Last>::default();
            last.evaluated.reserve(contact.most_samples());
            last
        });
        if last.q != *q || last.memories != own {
            if last.q.len() == q.len() {
                last.q.copy_from(q)
            } else {
                last.q = q.clone()
            }
            last.memories.clear();
            last.memories.extend_from_slice(own);
            self.evaluate(c, q, memories, &mut last.evaluated);
        }
        Evaluated { room, last: Some(last) }
    }

    /// Evaluates a contact at `q` into `out`.
    pub(crate) fn evaluate(
        &self, c: usize, q: &Positions, memories: &[PointMemory], out: &mut ContactKinematics,
    ) {
        let contact = &self.contacts[c];
        let view = View { path: &contact.path, q, rule: &contact.rule, covers: contact.covers };
        out.near = false;
        let ContactKinematics { alone, strays, .. } = &mut *out;
        alone.clear();
        strays.clear();
        for stretch in &contact.stretches {
            let [first, last] = [stretch.points[0], stretch.points[stretch.points.len() - 1]];
            let s = memories[first].s;
            strays.push(match &stretch.side {
                None => {
                    for (k, &i) in stretch.points.iter().enumerate() {
                        let point = &self.points[i];
                        let placed = point.surface.at(q);
                        let closest = ClosestPoint::of(view.path, q, &placed, memories[i].s);
                        let shares = stretch.shares(k, 1.0 / point.stretches.len() as f64);
                        let sample = Sample::of_point(&point.surface, placed, closest, shares);
                        alone.list.push(sample);
                    }
                    alone.covers.push(Cover::default());
                    [0.0; 2]
                }
                Some(side) => {
                    let ends = [s, contact.path.beside(memories[last].s, s)];
                    let from = alone.list.len();
                    let strays = side.add_nodes(&view, ends, &mut alone.list);
                    let nodes = &alone.list[from..];
                    let on = |a: usize| contact.is_along(nodes[a].closest.s());
                    alone.covers.push(Cover::of_nodes(side.parts(), on));
                    strays
                }
            });
            alone.ends.push(alone.list.len());
        }
        self.find_points_of_contact(c, memories, out);
        let near = |k: usize, out: &ContactKinematics| {
            let mut points = contact.stretches[k].points.iter();
            contact.stretches[k].side.is_some()
                && contact.reaches(out.alone.of(k), out.strays[k][1])
                && points.any(|&i| self.may_touch(i, memories, out))
        };
        if !(0..contact.stretches.len()).any(|k| near(k, out)) {
            return self.share_out(c, out);
        }
        let mut segmented = std::mem::take(&mut out.segmented);
        segmented.clear();
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let nodes = out.alone.of(k);
            segmented.covers.push(match &stretch.side {
                Some(side) if near(k, out) => {
                    let ends = [nodes[0].closest.s(), nodes[nodes.len() - 1].closest.s()];
                    side.add_segments(&view, ends, &mut segmented.list)
                }
                _ => {
                    segmented.list.extend_from_slice(nodes);
                    out.alone.covers[k]
                }
            });
            segmented.ends.push(segmented.list.len());
        }
        (out.segmented, out.near) = (segmented, true);
        self.find_points_of_contact(c, memories, out);
        self.share_out(c, out);
    }

    /// Whether point `i` may touch a face, where the nodes of all sides are looked at by themselves.
    fn may_touch(&self, i: usize, memories: &[PointMemory], out: &ContactKinematics) -> bool {
        let contact = &self.contacts[self.points[i].contact];
        let at_point = &out.points[i - contact.points.start];
        let stretches = self.points[i].stretches.iter();
        let by = stretches.fold(0.0_f64, |most, &[k, _]| most.max(out.strays[k][0]));
        at_point.depth + memories[i].advance + by >= 0.0
    }

    /// Finds the points of a contact from its samples, by whose lengths they count.
    fn find_points_of_contact(
        &self, c: usize, memories: &[PointMemory], out: &mut ContactKinematics,
    ) {
        let contact = &self.contacts[c];
        let (first, path) = (contact.points.start, &contact.path);
        let current = if out.near { &out.segmented } else { &out.alone };
        out.means.clear();
        out.means.resize(contact.points.len(), [0.0; 3]);
        out.lengths.clear();
        out.lengths.resize(contact.points.len(), 0.0);
        for (k, stretch) in contact.stretches.iter().enumerate() {
            for (&i, on) in stretch.points.iter().zip(current.covers[k].lengths) {
                out.lengths[i - first] += on;
            }
            for sample in current.of(k).iter().filter(|sample| sample.is_place()) {
                let (distance, s) = (sample.closest.distance(), sample.closest.s());
                for (j, &i) in stretch.points.iter().enumerate() {
                    let [by_distance, by_s] = [sample.counts.distance[j], sample.counts.s[j]];
                    let mean = &mut out.means[i - first];
                    mean[0] += by_distance * distance;
                    mean[1] += by_s * path.beside(s, memories[i].s);
                    mean[2] += by_s * distance;
                }
            }
        }
        let (means, lengths) = (std::mem::take(&mut out.means), &out.lengths[..]);
        let place = |n: usize| {
            let ([d, s, of_all], on) = (means[n], lengths[n]);
            let whole = self.points[first + n].surface.length;
            match contact.path_deforms() {
                true if contact.covers && on > 0.0 => [d / on, s / whole],
                true => [of_all / whole, s / whole],
                false => [d, s],
            }
        };
        let (points, strips) = (&mut out.points, &mut out.strips);
        self.press(c, memories, place, lengths, (points, strips));
        out.means = means;
    }

    /// Finds what presses on the points of a contact and its strips where point number `n` of it is at these d and s (m), with these `lengths`
    /// (m) on the path.
    fn press(
        &self, c: usize, memories: &[PointMemory], place: impl Fn(usize) -> [f64; 2],
        lengths: &[f64], (points, strips): (&mut Vec<PointKinematics>, &mut Vec<Between>),
    ) {
        let contact = &self.contacts[c];
        points.clear();
        for (n, i) in contact.points.clone().enumerate() {
            let on = contact.covers.then_some(lengths[n]);
            points.push(self.point_kinematics(i, place(n), on, &memories[i]));
        }
        strips.resize(contact.strips.len(), Between::default());
        self.press_strips(c, memories, points, strips);
    }

    /// The same in an iterate, into other room: of the surface there is on the path what was in `stands`.
    pub(crate) fn press_in(
        &self, c: usize, at: &Iterate, place: impl Fn(usize) -> [f64; 2],
        evaluated: &mut ContactKinematics,
    ) {
        let (points, strips) = (&mut evaluated.points, &mut evaluated.strips);
        self.press(c, &at.points, place, &evaluated.lengths, (points, strips));
        evaluated.soften(at.factors.stiffness);
    }

    /// Makes lengths by which points count shares of what of them is on the path, and of all of them; and finds how they count with its ends.
    fn share_out(&self, c: usize, out: &mut ContactKinematics) {
        let contact = &self.contacts[c];
        if !contact.path_deforms() {
            return;
        }
        let current = if out.near { &mut out.segmented } else { &mut out.alone };
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let range = current.range(k);
            let (cover, samples) = (&current.covers[k], &mut current.list[range]);
            let first = contact.points.start;
            let shifts = self.shifts(&stretch.points, first, &out.points, &out.lengths);
            for sample in &mut *samples {
                sample.counts.share_out(&shifts);
            }
            for (u, end) in cover.ends() {
                samples[end].counts = cover.counts(u, &shifts);
            }
        }
    }

    /// What the counts of samples follow from at these `points`.
    fn shifts(
        &self, points: &[usize], first: usize, kinematics_of_points: &[PointKinematics],
        lengths: &[f64],
    ) -> Shifts {
        let mut shifts = Shifts::default();
        for (j, &i) in points.iter().enumerate() {
            shifts.distance[j] = kinematics_of_points[i - first].distance;
            shifts.whole[j] = self.points[i].surface.length;
            shifts.length[0][j] = match kinematics_of_points[i - first].covered {
                true => lengths[i - first],
                false => shifts.whole[j],
            };
        }
        shifts
    }

    /// The changes of the counts of all samples of stretch `k` by which its points exert forces, by the change `by` of the unknowns, where
    /// what χ of its points follows changes by `passing`.
    pub(crate) fn counts_change(
        &self, c: usize, k: usize, evaluated: &ContactKinematics, (q, by): (&Positions, &[f64]),
        passing: impl Fn(usize) -> f64,
    ) -> Vec<Counts> {
        let contact = &self.contacts[c];
        let (stretch, samples) = (&contact.stretches[k], evaluated.of(k));
        let Some(side) = stretch.side.as_ref().filter(|_| contact.covers) else {
            return vec![Counts::default(); samples.len()];
        };
        let first = contact.points.start;
        let mut shifts = self.shifts(&stretch.points, first, &evaluated.points, &evaluated.lengths);
        for (j, &i) in stretch.points.iter().enumerate() {
            shifts.length[1][j] = passing(i) * shifts.whole[j];
        }
        let (cover, mut ends, mut locals) = (evaluated.cover(k), [0.0; 2], Locals::default());
        for (u, end) in cover.ends() {
            self.locals_of(contact, k, &samples[end], q, &mut locals);
            let moves = locals.as_slice().iter();
            let moves = moves.map(|local| samples[end].first(local)[1] * by[local.unknown]);
            ends[u] = moves.sum();
        }
        let change = |sample| cover.counts_change(side.duals(), sample, &shifts, ends);
        samples.iter().enumerate().map(change).collect()
    }

    /// Finds the normal forces of the strips of a contact from its points.
    fn press_strips(
        &self, c: usize, memories: &[PointMemory], points: &mut [PointKinematics],
        strips: &mut [Between],
    ) {
        let contact = &self.contacts[c];
        for (k, strip) in contact.strips.iter().enumerate() {
            let mut ends = [End::default(); MOST];
            for (end, &i) in ends.iter_mut().zip(&strip.points) {
                let at = &points[i - contact.points.start];
                *end = End {
                    depth: at.depth,
                    advance: memories[i].advance,
                    side: at.side,
                    share: contact.share(at.s),
                    rounding: contact.rounding(at.distance),
                };
            }
            let between = strip.press(&ends[..strip.points.len()], contact.offset);
            for (n, &i) in strip.points.iter().enumerate() {
                let at = &mut points[i - contact.points.start];
                at.pressed.add(&between.ends[n]);
                at.length += between.touching[n];
            }
            strips[k] = between;
        }
    }

    /// Changes of N and of the force of what is stored by what χ follows at point `i`, where points `moved` by π, by that and by α (m).
    pub(crate) fn pressed_change(
        &self, i: usize, evaluated: &ContactKinematics, moved: impl Fn(usize) -> [f64; 3],
    ) -> [f64; 2] {
        let contact = &self.contacts[self.points[i].contact];
        let pressed = &evaluated.points[i - contact.points.start].pressed;
        let [depth, passing, advance] = moved(i);
        let mut change = [
            pressed.by_depth * (depth + advance) + pressed.along[1] * passing,
            pressed.along[1] * depth + pressed.along[2] * passing + pressed.by_advance[0] * advance,
        ];
        for &[k, end] in &self.points[i].strips {
            let between = &evaluated.strips[k];
            let others = contact.strips[k].points.iter().enumerate();
            for (b, &other) in others.filter(|(b, _)| *b != end) {
                let [depth, s, advance] = moved(other);
                change[0] +=
                    between.by_depth[end][b] * (depth + advance) + between.by_s[end][b] * s;
                change[1] += between.by_s[b][end] * depth + between.by_advance[end][b] * advance;
            }
        }
        change
    }

    /// Kinematics and normal force of a point at these d and s (m), of a node with the length (m) that is on the path.
    fn point_kinematics(
        &self, i: usize, [distance, s]: [f64; 2], on: Option<f64>, memory: &PointMemory,
    ) -> PointKinematics {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let side = point.facing.side(distance);
        let depth = side * distance - contact.offset;
        let whole = point.surface.length;
        let (share, passing) = match on {
            Some(on) => ([on / whole, 1.0, 0.0], on / whole),
            None => (contact.share(s), s),
        };
        // Of strips comes what their ends get.
        let pressed = match point.strips.is_empty() {
            true => {
                let rounding = contact.rounding(distance);
                (point.layer).press(depth, memory.advance, share, rounding)
            }
            false => Pressed::default(),
        };
        PointKinematics {
            distance,
            s,
            side,
            depth,
            bearing: share[0],
            passing,
            covered: on.is_some(),
            pressed,
            length: if pressed.touches { on.unwrap_or(whole) } else { 0.0 },
        }
    }

    /// The points by whose values that at point `i` itself is found, with their weights; of a curved strip's middle that where it is deepest.
    pub(crate) fn weights_at(
        &self, i: usize, evaluated: &ContactKinematics,
    ) -> impl Iterator<Item = (usize, f64)> {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let middle = point.middle_of(contact);
        let (own, weights) = match middle {
            Some(k) => (
                &contact.strips[k].points[..],
                evaluated.strips[k].deepest.unwrap_or([0.25, 0.5, 0.25]),
            ),
            None => (&[][..], [0.0; MOST]),
        };
        let itself = middle.is_none().then_some((i, 1.0));
        itself.into_iter().chain(own.iter().copied().zip(weights))
    }

    /// The numbers of the samples that point `i` is a mean of, with its place among their points.
    pub(crate) fn parts<'a>(
        &'a self, i: usize, evaluated: &'a ContactKinematics,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let stretches = self.points[i].stretches.iter();
        stretches
            .flat_map(move |&[stretch, place]| evaluated.range(stretch).map(move |k| (place, k)))
    }

    /// Kinematics and normal forces of the points of all contacts.
    pub(crate) fn kinematics_of_points(
        &self, q: &Positions, memories: &[PointMemory],
    ) -> Vec<PointKinematics> {
        let mut all = Vec::with_capacity(self.points.len());
        for contact in 0..self.contacts.len() {
            all.extend_from_slice(&self.evaluated(contact, q, memories).points);
        }
        all
    }

    /// Evaluates a contact in an iterate.
    pub(crate) fn evaluate_in(&self, contact: usize, at: &Iterate, out: &mut ContactKinematics) {
        self.evaluate(contact, &at.q, &at.points, out);
        out.soften(at.factors.stiffness);
    }
}
