//! Surfaces that bear on the faces of guides: their points, and where these stand.
//!
//! A contact's path that does not give way is looked at from each point of the surface by itself. One that bends or stretches is looked at
//! from the [sides](Side) of the surface, whose nodes are the points: their distances and places are means over the sides.

#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use super::{Iterate, State, System};
use crate::joints::path::Path;
use crate::laws::friction::Kind;
use crate::linear::Passing;
use crate::nodes::Node;
use crate::numerics::positions::Positions;
use crate::surfaces::foot::Foot;
use crate::surfaces::lining::{Lining, PointMemory, Pressed, bearing_share};
use crate::surfaces::local::Locals;
use crate::surfaces::point::{Placed, SurfacePoint};
use crate::surfaces::side::{Sample, Side, View};

/// Rounding of a distance from a path, relative to itself.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// A contact in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceContact {
    pub path: Path,
    /// Its points among all of them.
    pub points: Range<usize>,
    /// What its points are looked at by, in the order of the surface.
    pub stretches: Vec<Stretch>,
    /// Gauss's rule for the segments of sides.
    pub rule: Vec<(f64, f64)>,
    /// Most elements of the path below a side.
    pub spans: usize,
    /// Whether what carries its path moves.
    pub moves: bool,
    /// W, m.
    pub offset: f64,
    /// Width around an end of the path over which what leaves it lets go, m; none of a closed path.
    pub fade: Option<f64>,
    /// How deep a point may be pressed in, m; none where its lining gives way as it does.
    pub deepest: Option<f64>,
    pub friction: Kind,
    /// Length of its surface as drawn, m.
    pub length: f64,
}

/// A piece of a surface.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Its points among all of them.
    pub points: Vec<usize>,
    /// The side whose nodes they are; none of one point that stands for itself.
    pub side: Option<Side>,
}

/// A point of a contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactPoint {
    pub contact: usize,
    pub surface: SurfacePoint,
    /// The stretches of its contact that it belongs to, with its place among their points.
    pub stretches: Vec<[usize; 2]>,
    pub facing: Facing,
    pub lining: Lining,
    /// s of its foot as drawn, m.
    pub drawn: f64,
    /// Thickness of its body, m; none of a member.
    pub thickness: Option<f64>,
}

/// Which face of the guide a point bears on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Facing {
    /// That on this side of the path, 1 to the left.
    Side(f64),
    /// The nearer one of a guide that it stands in.
    Nearer,
}

impl SurfaceContact {
    /// Direction of the path at `s` where the unknowns are `drawn`.
    pub fn direction_at(&self, s: f64, drawn: &[f64]) -> [f64; 2] {
        let q = Positions::from(drawn);
        let origin = Placed::origin();
        Foot::at(&self.path, &q, &origin, s).tangent
    }
}

impl Facing {
    /// σ of a point at the distance d.
    fn side(self, distance: f64) -> f64 {
        match self {
            Facing::Side(side) => side,
            Facing::Nearer if distance < 0.0 => -1.0,
            Facing::Nearer => 1.0,
        }
    }
}

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
}

/// Where the points of a contact stand.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stands {
    samples: Vec<Sample>,
    /// Where the samples of each stretch end.
    ends: Vec<usize>,
    /// In the order of the contact's points.
    pub points: Vec<Standing>,
}

impl Standing {
    /// What rounding of d and of W (m) makes of the normal force, N.
    pub fn rounding(&self, offset: f64) -> f64 {
        0.5 * f64::EPSILON * (self.distance.abs() + offset) * self.pressed.by_depth
    }
}

impl Stands {
    /// The numbers of the samples of a stretch.
    pub fn range(&self, stretch: usize) -> Range<usize> {
        let first = if stretch == 0 {
            0
        } else {
            self.ends[stretch - 1]
        };
        first..self.ends[stretch]
    }

    /// Those of a stretch.
    pub fn of(&self, stretch: usize) -> &[Sample] {
        &self.samples[self.range(stretch)]
    }

    /// All of them.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }
}

impl System {
    /// Where the points of a contact stand at `q`, followed from what all points remember.
    pub(crate) fn stand(
        &self,
        contact: usize,
        q: &Positions,
        memories: &[PointMemory],
        out: &mut Stands,
    ) {
        let contact = &self.contacts[contact];
        let (path, length) = (&contact.path, contact.path.length());
        out.samples.clear();
        out.ends.clear();
        out.points.clear();
        // s in the lap in which it is next to another.
        let beside = |s: f64, other: f64| match path.is_closed() {
            true => s - length * ((s - other) / length).round(),
            false => s,
        };
        let rule = &contact.rule[..];
        for stretch in &contact.stretches {
            let first = stretch.points[0];
            match &stretch.side {
                None => {
                    let surface = &self.points[first].surface;
                    let placed = surface.at(q);
                    let foot = Foot::of(path, q, &placed, memories[first].s);
                    out.samples.push(Sample::of_point(surface, placed, foot));
                }
                Some(side) => {
                    let last = stretch.points[stretch.points.len() - 1];
                    let s = memories[first].s;
                    let ends = [s, beside(memories[last].s, s)];
                    let touches = |foot: &Foot, reach: f64| {
                        let s = foot.s();
                        let beyond = contact.fade.unwrap_or(f64::INFINITY) + reach;
                        let beside = -beyond < s && s < length + beyond;
                        let near = |&i: &usize| {
                            let depth = self.depth_of(i, foot.distance);
                            depth + memories[i].advance + reach >= 0.0
                        };
                        beside && stretch.points.iter().any(near)
                    };
                    let from = out.samples.len();
                    let view = View { path, q, rule };
                    side.add_samples(&view, ends, touches, &mut out.samples);
                    for sample in &mut out.samples[from..] {
                        for (share, &i) in sample.shares.iter_mut().zip(&stretch.points) {
                            *share /= self.points[i].surface.length;
                        }
                    }
                }
            }
            out.ends.push(out.samples.len());
        }
        for i in contact.points.clone() {
            let (mut distance, mut s) = (0.0, 0.0);
            for (share, sample) in self.parts(i, out).filter(|(_, sample)| sample.is_place()) {
                distance += share * sample.foot.distance;
                s += share * beside(sample.foot.s(), memories[i].s);
            }
            let standing = self.standing(i, distance, s, &memories[i]);
            out.points.push(standing);
        }
    }

    /// Where a point at these d and s (m) stands.
    fn standing(&self, i: usize, distance: f64, s: f64, memory: &PointMemory) -> Standing {
        let point = &self.points[i];
        let contact = &self.contacts[point.contact];
        let depth = self.depth_of(i, distance);
        let share = match contact.fade {
            Some(width) => bearing_share(s, contact.path.length(), width),
            _ => [1.0, 0.0, 0.0],
        };
        let rounding = ROUNDING * (distance.abs() + contact.offset);
        Standing {
            distance,
            s,
            side: point.facing.side(distance),
            depth,
            beside: share[0],
            pressed: (point.lining).press(depth, memory.advance, share, rounding),
        }
    }

    /// π of a point at a distance d (m) from its path, m.
    fn depth_of(&self, i: usize, distance: f64) -> f64 {
        let point = &self.points[i];
        point.facing.side(distance) * distance - self.contacts[point.contact].offset
    }

    /// The samples that point `i` is a mean of, with their shares.
    pub(crate) fn parts<'a>(
        &'a self,
        i: usize,
        stands: &'a Stands,
    ) -> impl Iterator<Item = (f64, &'a Sample)> + 'a {
        self.parts_by_number(i, stands)
            .map(|(share, k)| (share, &stands.samples[k]))
    }

    /// The same with their numbers.
    pub(crate) fn parts_by_number<'a>(
        &'a self,
        i: usize,
        stands: &'a Stands,
    ) -> impl Iterator<Item = (f64, usize)> + 'a {
        let stretches = self.points[i].stretches.iter();
        stretches.flat_map(move |&[stretch, place]| {
            let samples = stands.range(stretch);
            samples.map(move |k| (stands.samples[k].shares[place], k))
        })
    }

    /// Where all points stand.
    pub(crate) fn standings(&self, q: &Positions, memories: &[PointMemory]) -> Vec<Standing> {
        let (mut all, mut stands) = (Vec::with_capacity(self.points.len()), Stands::default());
        for contact in 0..self.contacts.len() {
            self.stand(contact, q, memories, &mut stands);
            all.extend_from_slice(&stands.points);
        }
        all
    }

    /// Where the points of a contact stand in an iterate.
    pub(super) fn stand_in(&self, contact: usize, at: &Iterate, out: &mut Stands) {
        self.stand(contact, &at.q, &at.points, out);
        for standing in &mut out.points {
            standing.pressed.soften(at.ease.stiffness);
        }
    }

    /// The foot below point `i` itself.
    pub(crate) fn foot_below(&self, i: usize, q: &Positions, s: f64) -> (Placed, Foot) {
        let point = &self.points[i];
        let placed = point.surface.at(q);
        let foot = Foot::of(&self.contacts[point.contact].path, q, &placed, s);
        (placed, foot)
    }

    /// The unknowns that a sample of a stretch hangs on, those of the surface first.
    pub(crate) fn locals_of(
        &self,
        contact: &SurfaceContact,
        stretch: usize,
        sample: &Sample,
        locals: &mut Locals,
    ) {
        locals.clear();
        let nodes = self.nodes_of_stretch(&contact.stretches[stretch]);
        sample.carried(nodes).add_locals(&sample.placed, locals);
        sample.foot.add_locals(&contact.path, locals);
    }

    /// The nodes that a stretch hangs on.
    pub(crate) fn nodes_of_stretch<'a>(&'a self, stretch: &'a Stretch) -> &'a [Node] {
        match &stretch.side {
            Some(side) => side.nodes(),
            None => &self.points[stretch.points[0]].surface.nodes,
        }
    }

    /// Energy across the linings of all contacts at `q`, J, of `points` that remember this.
    pub(super) fn stored_across(&self, q: &Positions, points: &[PointMemory]) -> f64 {
        let (mut sum, mut stands) = (0.0, Stands::default());
        for (c, contact) in self.contacts.iter().enumerate() {
            if contact
                .stretches
                .iter()
                .any(|stretch| stretch.side.is_some())
            {
                self.stand(c, q, points, &mut stands);
                sum += (stands.points.iter())
                    .map(|at| at.pressed.stored)
                    .sum::<f64>();
                continue;
            }
            // Points that stand for themselves need no room.
            for i in contact.points.clone() {
                let (_, foot) = self.foot_below(i, q, points[i].s);
                let standing = self.standing(i, foot.distance, foot.s(), &points[i]);
                sum += standing.pressed.stored;
            }
        }
        sum
    }

    /// Its change by the change `by` of the state.
    pub(super) fn stored_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = 0.0;
        for contact in 0..self.contacts.len() {
            self.each_look(contact, state, |look| {
                let Pressed {
                    force,
                    along,
                    by_advance,
                    ..
                } = look.standing.pressed;
                if force != 0.0 {
                    let [distance, s] = look.moved(&by.q);
                    sum += by_advance[1] * by.points[look.i].advance
                        + look.standing.side * force * distance
                        + along[0] * s;
                }
            });
        }
        sum
    }

    /// The same for a matrix that is factored front by front, in equations: what passes along a path that moves.
    pub(super) fn passing(&self) -> Vec<Passing> {
        let equations = |nodes: &[Node]| {
            let unknowns = nodes.iter().flat_map(Node::unknowns);
            let mut all: Vec<u32> = (unknowns.filter_map(|u| self.equation_of(u)))
                .map(|e| e as u32)
                .collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let mut list: Vec<Passing> = Vec::new();
        for contact in self.contacts.iter().filter(|contact| contact.moves) {
            let elements = 0..contact.path.elements().len();
            let carriers = elements.map(|element| equations(contact.path.carriers(element)));
            let carriers: Vec<Vec<u32>> = carriers.collect();
            let longest = carriers.iter().map(Vec::len).max().unwrap_or(0);
            let mut reach = carriers.concat();
            reach.sort_unstable();
            reach.dedup();
            let reach: Arc<[u32]> = reach.into();
            let first = list.len();
            let mut add = |own: Vec<u32>, others: usize, most: usize| {
                let size = own.len() + others.min(reach.len());
                match list[first..].last_mut().filter(|last| last.own == own) {
                    Some(last) => (last.most, last.size) = (last.most + most, last.size.max(size)),
                    None => list.push(Passing {
                        size,
                        own,
                        reach: reach.clone(),
                        most,
                    }),
                }
            };
            for stretch in &contact.stretches {
                // A coupling of a segment and of the cut behind it.
                let most = if stretch.side.is_some() {
                    2 * contact.spans
                } else {
                    1
                };
                add(equations(self.nodes_of_stretch(stretch)), longest, most);
            }
            for i in contact.points.clone() {
                if contact.stretches[self.points[i].stretches[0][0]]
                    .side
                    .is_some()
                {
                    let own = self.points[i].stretches.iter();
                    let nodes = own.map(|&[k, _]| self.nodes_of_stretch(&contact.stretches[k]));
                    let sides = self.points[i].stretches.len();
                    add(
                        equations(&nodes.collect::<Vec<_>>().concat()),
                        sides * contact.spans * longest,
                        1,
                    );
                }
            }
        }
        list
    }
}
