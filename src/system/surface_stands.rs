//! Where the points of contacts of surfaces stand, and what presses there.
//!
//! Points whose sides are far off a face are looked at by themselves. Where means over a side may differ so much from what its nodes do that
//! a point touches, it is looked at in segments.

use std::ops::{Deref, Range};
use std::sync::Mutex;

use super::{Iterate, System};
use crate::numerics::positions::Positions;
use crate::surfaces::foot::Foot;
use crate::surfaces::lining::{PointMemory, Pressed};
use crate::surfaces::side::{Sample, View};
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
    /// χ.
    pub beside: f64,
    pub pressed: Pressed,
    /// Length of its part of the surface that touches, m.
    pub length: f64,
}

impl Standing {
    /// N that friction follows: what the end of a strip gets of the face beyond its own presses the other way, and does not rub.
    pub fn normal(&self) -> f64 {
        self.pressed.force.max(0.0)
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
}

impl Samples {
    fn clear(&mut self) {
        self.list.clear();
        self.ends.clear();
    }

    fn range(&self, stretch: usize) -> Range<usize> {
        let first = match stretch {
            0 => 0,
            _ => self.ends[stretch - 1],
        };
        first..self.ends[stretch]
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
    /// d and s of each point, m.
    means: Vec<[f64; 2]>,
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
        &self.samples()[self.range(stretch)]
    }

    /// All of them.
    pub fn samples(&self) -> &[Sample] {
        &self.current().list
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
        Looking {
            room,
            last: Some(last),
        }
    }

    /// The same into other room.
    pub(crate) fn stand(
        &self,
        c: usize,
        q: &Positions,
        memories: &[PointMemory],
        out: &mut Stands,
    ) {
        let contact = &self.contacts[c];
        let view = View {
            path: &contact.path,
            q,
            rule: &contact.rule,
        };
        out.near = false;
        let Stands { alone, strays, .. } = &mut *out;
        alone.clear();
        strays.clear();
        for stretch in &contact.stretches {
            let from = alone.list.len();
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
                    [0.0; 2]
                }
                Some(side) => {
                    let ends = [s, contact.path.beside(memories[last].s, s)];
                    let strays = side.add_nodes(&view, ends, &mut alone.list);
                    self.share_out(&stretch.points, &mut alone.list[from..]);
                    strays
                }
            });
            alone.ends.push(alone.list.len());
        }
        self.stand_points(c, memories, out);
        let near = |k: usize, out: &Stands| {
            let mut points = contact.stretches[k].points.iter();
            contact.stretches[k].side.is_some() && points.any(|&i| self.may_touch(i, memories, out))
        };
        if !(0..contact.stretches.len()).any(|k| near(k, out)) {
            return;
        }
        let mut segmented = std::mem::take(&mut out.segmented);
        segmented.clear();
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let (from, nodes) = (segmented.list.len(), out.of(k));
            match &stretch.side {
                Some(side) if near(k, out) => {
                    let ends = [nodes[0].foot.s(), nodes[nodes.len() - 1].foot.s()];
                    side.add_segments(&view, ends, &mut segmented.list);
                    self.share_out(&stretch.points, &mut segmented.list[from..]);
                }
                _ => segmented.list.extend_from_slice(nodes),
            }
            segmented.ends.push(segmented.list.len());
        }
        (out.segmented, out.near) = (segmented, true);
        self.stand_points(c, memories, out);
    }

    /// Makes lengths of a side's samples shares of its points.
    fn share_out(&self, points: &[usize], samples: &mut [Sample]) {
        for sample in samples {
            for (share, &i) in sample.shares.iter_mut().zip(points) {
                *share /= self.points[i].surface.length;
            }
        }
    }

    /// Whether point `i` may touch a face, where the nodes of all sides are looked at by themselves.
    fn may_touch(&self, i: usize, memories: &[PointMemory], out: &Stands) -> bool {
        let contact = &self.contacts[self.points[i].contact];
        let standing = &out.points[i - contact.points.start];
        let stretches = self.points[i].stretches.iter();
        let [by, along] = stretches.fold([0.0_f64; 2], |most, &[k, _]| {
            [0, 1].map(|n| most[n].max(out.strays[k][n]))
        });
        let beyond = contact.fade.unwrap_or(f64::INFINITY) + along;
        standing.depth + memories[i].advance + by >= 0.0
            && -beyond < standing.s
            && standing.s < contact.path.length() + beyond
    }

    /// Finds the points of a contact from its samples.
    fn stand_points(&self, c: usize, memories: &[PointMemory], out: &mut Stands) {
        let contact = &self.contacts[c];
        let (first, path) = (contact.points.start, &contact.path);
        out.means.clear();
        out.means.resize(contact.points.len(), [0.0; 2]);
        for (k, stretch) in contact.stretches.iter().enumerate() {
            let current = match out.near {
                true => &out.segmented,
                false => &out.alone,
            };
            for sample in &current.list[current.range(k)] {
                if !sample.is_place() {
                    continue;
                }
                let (distance, s) = (sample.foot.distance(), sample.foot.s());
                for (&i, share) in stretch.points.iter().zip(&sample.shares) {
                    let mean = &mut out.means[i - first];
                    mean[0] += share * distance;
                    mean[1] += share * path.beside(s, memories[i].s);
                }
            }
        }
        out.points.clear();
        for (i, &[distance, s]) in contact.points.clone().zip(&out.means) {
            out.points.push(self.standing(i, distance, s, &memories[i]));
        }
        out.strips.resize(contact.strips.len(), Between::default());
        self.stand_strips(c, memories, out);
    }

    /// Finds what presses on the strips of a contact whose points stand.
    fn stand_strips(&self, c: usize, memories: &[PointMemory], out: &mut Stands) {
        let contact = &self.contacts[c];
        for (k, strip) in contact.strips.iter().enumerate() {
            let mut ends = [End::default(); MOST];
            for (end, &i) in ends.iter_mut().zip(&strip.points) {
                let at = &out.points[i - contact.points.start];
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
                let at = &mut out.points[i - contact.points.start];
                at.pressed.add(&between.ends[n]);
                at.length += between.touching[n];
            }
            out.strips[k] = between;
        }
    }

    /// Changes of N and of the force along the path of what is stored at point `i`, where points `moved` by π, s and α (m).
    pub(super) fn pressed_change(
        &self,
        i: usize,
        stands: &Stands,
        moved: impl Fn(usize) -> [f64; 3],
    ) -> [f64; 2] {
        let contact = &self.contacts[self.points[i].contact];
        let pressed = &stands.points[i - contact.points.start].pressed;
        let [depth, s, advance] = moved(i);
        let mut change = [
            pressed.by_depth * (depth + advance) + pressed.along[1] * s,
            pressed.along[1] * depth + pressed.along[2] * s + pressed.by_advance[0] * advance,
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

    /// Where a point at these d and s (m) stands.
    fn standing(&self, i: usize, distance: f64, s: f64, memory: &PointMemory) -> Standing {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let side = point.facing.side(distance);
        let depth = side * distance - contact.offset;
        let share = contact.share(s);
        // Of strips comes what their ends get.
        let pressed = match point.strips.is_empty() {
            true => {
                let rounding = contact.rounding(distance);
                (point.lining).press(depth, memory.advance, share, rounding)
            }
            false => Pressed::default(),
        };
        Standing {
            distance,
            s,
            side,
            depth,
            beside: share[0],
            pressed,
            length: match pressed.touches {
                true => point.surface.length,
                false => 0.0,
            },
        }
    }

    /// The points by whose values that at point `i` itself is found, with their weights; of a curved strip's middle that where it is deepest.
    pub(super) fn weights_at(
        &self,
        i: usize,
        stands: &Stands,
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
        weights
            .map(|(i, w)| w * stands.points[i - first].depth)
            .sum()
    }

    /// Pressure by length of the surface at point `i`, N/m, where points remember this.
    pub(super) fn line_pressure(&self, i: usize, stands: &Stands, memories: &[PointMemory]) -> f64 {
        let point = &self.points[i];
        let first = self.contacts[point.contact].points.start;
        match point.strips.is_empty() {
            true => stands.points[i - first].pressed.force / point.surface.length,
            false => {
                let weights = self.weights_at(i, stands);
                let came: f64 = weights.map(|(i, w)| w * memories[i].advance).sum();
                let reach = (self.depth_at(i, stands) + came).max(0.0);
                point.lining.normal / point.surface.length * reach
            }
        }
    }

    /// The numbers of the samples that point `i` is a mean of, with their shares.
    pub(crate) fn parts<'a>(
        &'a self,
        i: usize,
        stands: &'a Stands,
    ) -> impl Iterator<Item = (f64, usize)> + 'a {
        let stretches = self.points[i].stretches.iter();
        stretches.flat_map(move |&[stretch, place]| {
            let samples = stands.range(stretch);
            samples.map(move |k| (stands.samples()[k].shares[place], k))
        })
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
        for standing in &mut out.points {
            standing.pressed.soften(at.ease.stiffness);
        }
        for between in &mut out.strips {
            between.soften(at.ease.stiffness);
        }
    }
}
