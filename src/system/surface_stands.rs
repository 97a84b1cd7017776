//! Where the points of contacts of surfaces stand, and what presses there.
//!
//! Points whose sides are far off a face are looked at by themselves. Where means over a side may differ so much from what its nodes do that
//! a point touches, it is looked at in segments.

use std::ops::{Deref, Range};
use std::sync::Mutex;

use super::{Iterate, System};
use crate::numerics::positions::Positions;
use crate::surfaces::cover::Cover;
use crate::surfaces::foot::Foot;
use crate::surfaces::layer::{PointMemory, Pressed};
use crate::surfaces::local::Locals;
use crate::surfaces::sample::{Counts, Exerted, Sample, Shifts};
use crate::surfaces::side::View;
use crate::surfaces::strip::{Between, End, MOST};

/// Where a point stands and what presses on it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Standing {
    /// d and s, m.
    pub distance: f64,
    pub s: f64,
    /// σ.
    pub side: f64,
    /// π, m.
    pub depth: f64,
    /// χ, and what it follows: s of a point by itself, m; of a node χ itself.
    pub bearing: f64,
    pub passing: f64,
    /// Whether it is a node of sides of which what is on the path bears.
    pub covered: bool,
    pub pressed: Pressed,
    /// Length of its part of the surface that touches, m.
    pub length: f64,
}

impl Standing {
    /// N that friction follows: what the end of a strip gets of the face beyond its own presses the other way, and has no friction.
    pub fn normal(&self) -> f64 {
        self.pressed.force.max(0.0)
    }

    /// What it exerts under the friction T (N), by N (N) and the force of what is stored by what χ follows; of nodes that stays with the end of
    /// the path.
    pub fn exerted(&self, [normal, passing]: [f64; 2], friction: f64) -> Exerted {
        Exerted {
            across: self.side * normal,
            along: friction + if self.covered { 0.0 } else { passing },
        }
    }

    /// What rounding of d and of W (m) makes of the normal force, N.
    pub fn rounding(&self, offset: f64) -> f64 {
        0.5 * f64::EPSILON * (self.distance.abs() + offset) * self.pressed.by_depth
    }
}

/// What a contact's stretches are looked at by.
#[derive(Debug, Clone, Default)]
struct Samples {
    list: Vec<Sample>,
    /// Where those of each stretch end.
    ends: Vec<usize>,
    /// What of each stretch is on the path.
    covers: Vec<Cover>,
}

impl Samples {
    fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
        self.covers.clear();
    }

    fn range(&self, stretch: usize) -> Range<usize> {
        let first = match stretch {
            0 => 0,
            _ => self.ends[stretch - 1],
        };
        first..self.ends[stretch]
    }

    fn of(&self, stretch: usize) -> &[Sample] {
        &self.list[self.range(stretch)]
    }
}

/// Where the points of a contact stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stands {
    /// Points and nodes of sides by themselves, and of each stretch by how much means differ from them in d and s, m.
    alone: Samples,
    strays: Vec<[f64; 2]>,
    /// The same where sides are looked at in segments.
    segmented: Samples,
    /// Whether some are.
    near: bool,
    /// Of each point the sums of d, of s and of d over all of its part of the surface; and the length of what of that is on the path, m.
    means: Vec<[f64; 3]>,
    lengths: Vec<f64>,
    /// In the order of the contact's points.
    pub points: Vec<Standing>,
    /// In the order of its strips.
    pub strips: Vec<Between>,
}

impl Stands {
    /// Room for so many samples.
    pub fn reserve(&mut self, most: usize) {
        self.segmented.list.reserve(most);
        self.segmented.ends.reserve(most);
        self.segmented.covers.reserve(most);
    }

    /// Room for so many points and strips.
    pub fn reserve_points(&mut self, points: usize, strips: usize) {
        self.lengths.reserve(points);
        self.points.reserve(points);
        self.strips.reserve(strips);
    }

    /// That of contact layers whose stiffness is `factor` times as large.
    fn soften(&mut self, factor: f64) {
        for standing in &mut self.points {
            standing.pressed.soften(factor);
        }
        for between in &mut self.strips {
            between.soften(factor);
        }
    }

    /// Takes over what of the surface of `other` is on the path.
    pub fn on_path_as(&mut self, other: &Stands) {
        self.lengths.clone_from(&other.lengths);
    }

    fn current(&self) -> &Samples {
        match self.near {
            true => &self.segmented,
            false => &self.alone,
        }
    }

    /// The numbers of the samples of a stretch.
    pub fn range(&self, stretch: usize) -> Range<usize> {
        self.current().range(stretch)
    }

    /// Those of a stretch.
    pub fn of(&self, stretch: usize) -> &[Sample] {
        self.current().of(stretch)
    }

    /// All of them.
    pub fn samples(&self) -> &[Sample] {
        &self.current().list
    }

    /// By how much means of a stretch differ at the most from distances at its nodes, m.
    pub fn strays(&self, stretch: usize) -> f64 {
        self.strays[stretch][0]
    }

    /// What of a stretch is on the path.
    pub fn cover(&self, stretch: usize) -> &Cover {
        &self.current().covers[stretch]
    }
}

/// Where the points of a contact were last looked at: room, and no state, as the same comes of the same positions.
#[derive(Debug, Default)]
pub(crate) struct Looked(Mutex<Option<Box<Last>>>);

#[derive(Debug, Default)]
struct Last {
    q: Positions,
    memories: Vec<PointMemory>,
    stands: Stands,
}

impl Clone for Looked {
    fn clone(&self) -> Looked {
        Looked::default()
    }
}

/// Where the points of a contact stand, in room that goes back to the contact.
pub(crate) struct Looking<'a> {
    room: &'a Looked,
    last: Option<Box<Last>>,
}

impl Deref for Looking<'_> {
    type Target = Stands;

    fn deref(&self) -> &Stands {
        match &self.last {
            Some(last) => &last.stands,
            None => unreachable!("it goes back at the end"),
        }
    }
}

impl Drop for Looking<'_> {
    fn drop(&mut self) {
        if let Ok(mut room) = self.room.0.lock() {
            *room = self.last.take();
        }
    }
}

impl System {
    /// Where the points of a contact stand at `q`, followed from what all points remember.
    pub(crate) fn look(&self, c: usize, q: &Positions, memories: &[PointMemory]) -> Looking<'_> {
        let contact = &self.contacts[c];
        let room = &contact.looked;
        let own = &memories[contact.points.clone()];
        let found = room.0.lock().ok().and_then(|mut room| room.take());
        let mut last = found.unwrap_or_else(|| {
            let mut last = Box::<Last>::default();
            last.stands.reserve(contact.most_samples());
            last
        });
        if last.q != *q || last.memories != own {
            match last.q.len() == q.len() {
                true => last.q.copy_from(q),
                false => last.q = q.clone(),
            }
            last.memories.clear();
            last.memories.extend_from_slice(own);
            self.stand(c, q, memories, &mut last.stands);
        }
        Looking { room, last: Some(last) }
    }

    /// The same into other room.
    pub(crate) fn stand(
        &self, c: usize, q: &Positions, memories: &[PointMemory], out: &mut Stands,
    ) {
        let contact = &self.contacts[c];
        let view = View { path: &contact.path, q, rule: &contact.rule, covers: contact.covers };
        out.near = false;
        let Stands { alone, strays, .. } = &mut *out;
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
                        let foot = Foot::of(view.path, q, &placed, memories[i].s);
                        let shares = stretch.shares(k, 1.0 / point.stretches.len() as f64);
                        let sample = Sample::of_point(&point.surface, placed, foot, shares);
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
                    let on = |a: usize| contact.is_along(nodes[a].foot.s());
                    alone.covers.push(Cover::of_nodes(side.parts(), on));
                    strays
                }
            });
            alone.ends.push(alone.list.len());
        }
        self.stand_points(c, memories, out);
        let near = |k: usize, out: &Stands| {
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
                    let ends = [nodes[0].foot.s(), nodes[nodes.len() - 1].foot.s()];
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
        self.stand_points(c, memories, out);
        self.share_out(c, out);
    }

    /// Whether point `i` may touch a face, where the nodes of all sides are looked at by themselves.
    fn may_touch(&self, i: usize, memories: &[PointMemory], out: &Stands) -> bool {
        let contact = &self.contacts[self.points[i].contact];
        let standing = &out.points[i - contact.points.start];
        let stretches = self.points[i].stretches.iter();
        let by = stretches.fold(0.0_f64, |most, &[k, _]| most.max(out.strays[k][0]));
        standing.depth + memories[i].advance + by >= 0.0
    }

    /// Finds the points of a contact from its samples, by whose lengths they count.
    fn stand_points(&self, c: usize, memories: &[PointMemory], out: &mut Stands) {
        let contact = &self.contacts[c];
        let (first, path) = (contact.points.start, &contact.path);
        let current = match out.near {
            true => &out.segmented,
            false => &out.alone,
        };
        out.means.clear();
        out.means.resize(contact.points.len(), [0.0; 3]);
        out.lengths.clear();
        out.lengths.resize(contact.points.len(), 0.0);
        for (k, stretch) in contact.stretches.iter().enumerate() {
            for (&i, on) in stretch.points.iter().zip(current.covers[k].lengths) {
                out.lengths[i - first] += on;
            }
            for sample in current.of(k).iter().filter(|sample| sample.is_place()) {
                let (distance, s) = (sample.foot.distance(), sample.foot.s());
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
            match contact.gives_way() {
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
        lengths: &[f64], (points, strips): (&mut Vec<Standing>, &mut Vec<Between>),
    ) {
        let contact = &self.contacts[c];
        points.clear();
        for (n, i) in contact.points.clone().enumerate() {
            let on = contact.covers.then_some(lengths[n]);
            points.push(self.standing(i, place(n), on, &memories[i]));
        }
        strips.resize(contact.strips.len(), Between::default());
        self.press_strips(c, memories, points, strips);
    }

    /// The same in an iterate, into other room: of the surface there is on the path what was in `stands`.
    pub(super) fn press_in(
        &self, c: usize, at: &Iterate, place: impl Fn(usize) -> [f64; 2], stands: &mut Stands,
    ) {
        let (points, strips) = (&mut stands.points, &mut stands.strips);
        self.press(c, &at.points, place, &stands.lengths, (points, strips));
        stands.soften(at.ease.stiffness);
    }

    /// Makes lengths by which points count shares of what of them is on the path, and of all of them; and finds how they count with its ends.
    fn share_out(&self, c: usize, out: &mut Stands) {
        let contact = &self.contacts[c];
        if !contact.gives_way() {
            return;
        }
        let current = match out.near {
            true => &mut out.segmented,
            false => &mut out.alone,
        };
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

    /// How `points` stand.
    fn shifts(
        &self, points: &[usize], first: usize, standings: &[Standing], lengths: &[f64],
    ) -> Shifts {
        let mut shifts = Shifts::default();
        for (j, &i) in points.iter().enumerate() {
            shifts.distance[j] = standings[i - first].distance;
            shifts.whole[j] = self.points[i].surface.length;
            shifts.length[0][j] = match standings[i - first].covered {
                true => lengths[i - first],
                false => shifts.whole[j],
            };
        }
        shifts
    }

    /// The changes of the counts of all samples of stretch `k` by which its points exert forces, by the change `by` of the unknowns, where
    /// what χ of its points follows changes by `passing`.
    pub(super) fn counts_change(
        &self, c: usize, k: usize, stands: &Stands, (q, by): (&Positions, &[f64]),
        passing: impl Fn(usize) -> f64,
    ) -> Vec<Counts> {
        let contact = &self.contacts[c];
        let (stretch, samples) = (&contact.stretches[k], stands.of(k));
        let Some(side) = stretch.side.as_ref().filter(|_| contact.covers) else {
            return vec![Counts::default(); samples.len()];
        };
        let first = contact.points.start;
        let mut shifts = self.shifts(&stretch.points, first, &stands.points, &stands.lengths);
        for (j, &i) in stretch.points.iter().enumerate() {
            shifts.length[1][j] = passing(i) * shifts.whole[j];
        }
        let (cover, mut ends, mut locals) = (stands.cover(k), [0.0; 2], Locals::default());
        for (u, end) in cover.ends() {
            self.locals_of(contact, k, &samples[end], q, &mut locals);
            let moves = locals.as_slice().iter();
            let moves = moves.map(|local| samples[end].first(local)[1] * by[local.unknown]);
            ends[u] = moves.sum();
        }
        let change = |sample| cover.counts_change(side.duals(), sample, &shifts, ends);
        samples.iter().enumerate().map(change).collect()
    }

    /// Finds what presses on the strips of a contact whose points stand.
    fn press_strips(
        &self, c: usize, memories: &[PointMemory], points: &mut [Standing], strips: &mut [Between],
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
    pub(super) fn pressed_change(
        &self, i: usize, stands: &Stands, moved: impl Fn(usize) -> [f64; 3],
    ) -> [f64; 2] {
        let contact = &self.contacts[self.points[i].contact];
        let pressed = &stands.points[i - contact.points.start].pressed;
        let [depth, passing, advance] = moved(i);
        let mut change = [
            pressed.by_depth * (depth + advance) + pressed.along[1] * passing,
            pressed.along[1] * depth + pressed.along[2] * passing + pressed.by_advance[0] * advance,
        ];
        for &[k, end] in &self.points[i].strips {
            let between = &stands.strips[k];
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

    /// Where a point at these d and s (m) stands, of a node with the length (m) that is on the path.
    fn standing(
        &self, i: usize, [distance, s]: [f64; 2], on: Option<f64>, memory: &PointMemory,
    ) -> Standing {
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
        Standing {
            distance,
            s,
            side,
            depth,
            bearing: share[0],
            passing,
            covered: on.is_some(),
            pressed,
            length: match pressed.touches {
                true => on.unwrap_or(whole),
                false => 0.0,
            },
        }
    }

    /// The points by whose values that at point `i` itself is found, with their weights; of a curved strip's middle that where it is deepest.
    pub(super) fn weights_at(
        &self, i: usize, stands: &Stands,
    ) -> impl Iterator<Item = (usize, f64)> {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let middle = point.middle_of(contact);
        let (own, weights) = match middle {
            Some(k) => (
                &contact.strips[k].points[..],
                stands.strips[k].deepest.unwrap_or([0.25, 0.5, 0.25]),
            ),
            None => (&[][..], [0.0; MOST]),
        };
        let itself = middle.is_none().then_some((i, 1.0));
        itself.into_iter().chain(own.iter().copied().zip(weights))
    }

    /// Depth of point `i` itself, m.
    pub(super) fn depth_at(&self, i: usize, stands: &Stands) -> f64 {
        let first = self.contacts[self.points[i].contact].points.start;
        let weights = self.weights_at(i, stands);
        weights.map(|(i, w)| w * stands.points[i - first].depth).sum()
    }

    /// Pressure by length of the surface at point `i`, N/m, where points remember this.
    pub(super) fn line_pressure(&self, i: usize, stands: &Stands, memories: &[PointMemory]) -> f64 {
        let point = &self.points[i];
        let first = self.contacts[point.contact].points.start;
        match point.strips.is_empty() {
            true => {
                let standing = &stands.points[i - first];
                match standing.pressed.touches {
                    true => standing.pressed.force / standing.length,
                    false => 0.0,
                }
            }
            false => {
                let weights = self.weights_at(i, stands);
                let came: f64 = weights.map(|(i, w)| w * memories[i].advance).sum();
                let reach = (self.depth_at(i, stands) + came).max(0.0);
                point.layer.normal / point.surface.length * reach
            }
        }
    }

    /// The numbers of the samples that point `i` is a mean of, with its place among their points.
    pub(crate) fn parts<'a>(
        &'a self, i: usize, stands: &'a Stands,
    ) -> impl Iterator<Item = (usize, usize)> + 'a {
        let stretches = self.points[i].stretches.iter();
        stretches.flat_map(move |&[stretch, place]| stands.range(stretch).map(move |k| (place, k)))
    }

    /// Where all points stand.
    pub(crate) fn standings(&self, q: &Positions, memories: &[PointMemory]) -> Vec<Standing> {
        let mut all = Vec::with_capacity(self.points.len());
        for contact in 0..self.contacts.len() {
            all.extend_from_slice(&self.look(contact, q, memories).points);
        }
        all
    }

    /// Where the points of a contact stand in an iterate.
    pub(super) fn stand_in(&self, contact: usize, at: &Iterate, out: &mut Stands) {
        self.stand(contact, &at.q, &at.points, out);
        out.soften(at.ease.stiffness);
    }
}
