//! Kinematics of the points of contacts of surfaces, with their normal forces.
//!
//! Sides far from a face are evaluated at their nodes alone. Where means over a side may differ so much from the values at its nodes that
//! a point touches, the side is evaluated in segments.

mod evaluate;

use std::ops::{Deref, Range};
use std::sync::Mutex;

use crate::numerics::derivative::Differentiable;
use crate::numerics::positions::Positions;
use crate::surfaces::cover::Cover;
use crate::surfaces::layer::{Motion, PointMemory, Pressed};
use crate::surfaces::sample::{Exerted, Sample};
use crate::surfaces::strip::Between;

/// Kinematics of a point and its normal force.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PointKinematics {
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
    /// Whether it is a node of sides of which only the part on the path is in contact.
    pub covered: bool,
    pub pressed: Pressed,
    /// Length of its part of the surface that touches, m.
    pub length: f64,
}

impl PointKinematics {
    /// N that friction follows: what the end of a strip gets of the face beyond its own presses the other way, and has no friction.
    pub fn normal(&self) -> f64 {
        self.pressed.force.not_negative()
    }

    /// What it exerts under the friction T (N), by N (N) and the force of what is stored by what χ follows; of nodes that stays with the end of
    /// the path.
    pub fn exerted<D: Differentiable>(&self, [normal, passing]: [D; 2], friction: D) -> Exerted<D> {
        Exerted {
            across: normal * self.side,
            along: friction + if self.covered { D::zero() } else { passing },
        }
    }

    /// How friction sees it where it slides with a `velocity` (m/s).
    pub fn motion(&self, velocity: f64) -> Motion {
        Motion { normal_force: self.normal(), s: self.s, velocity }
    }

    /// N and the force of what is stored by what χ follows, N.
    pub fn forces(&self) -> [f64; 2] {
        [self.pressed.force, self.pressed.along[0]]
    }

    /// What rounding of d and of W (m) makes of the normal force, N.
    pub fn rounding(&self, offset: f64) -> f64 {
        0.5 * f64::EPSILON * (self.distance.abs() + offset) * self.pressed.by_depth
    }
}

/// The samples at which a contact's stretches are evaluated.
#[derive(Debug, Clone, Default)]
struct Samples {
    list: Vec<Sample>,
    /// Where the samples of each stretch end.
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

/// Kinematics and normal forces of all points of a contact.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactKinematics {
    /// Points and nodes of sides by themselves, and of each stretch by how much means differ from them in d and s, m.
    alone: Samples,
    strays: Vec<[f64; 2]>,
    /// The samples of sides in segments.
    segmented: Samples,
    /// Whether any side is evaluated in segments.
    near: bool,
    /// Of each point the sums of d, of s and of d over all of its part of the surface; and the length of what of that is on the path, m.
    means: Vec<[f64; 3]>,
    lengths: Vec<f64>,
    /// In the order of the contact's points.
    pub points: Vec<PointKinematics>,
    /// In the order of its strips.
    pub strips: Vec<Between>,
}

impl ContactKinematics {
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

    /// Multiplies the stiffness of the contact layers by `factor`.
    fn soften(&mut self, factor: f64) {
        for at_point in &mut self.points {
            at_point.pressed.soften(factor);
        }
        for between in &mut self.strips {
            between.soften(factor);
        }
    }

    /// Takes over what of the surface of `other` is on the path.
    pub fn on_path_as(&mut self, other: &ContactKinematics) {
        self.lengths.clone_from(&other.lengths);
    }

    fn current(&self) -> &Samples {
        if self.near { &self.segmented } else { &self.alone }
    }

    /// The numbers of the samples of a stretch.
    pub fn range(&self, stretch: usize) -> Range<usize> {
        self.current().range(stretch)
    }

    /// The samples of a stretch.
    pub fn of(&self, stretch: usize) -> &[Sample] {
        self.current().of(stretch)
    }

    /// The samples of all stretches.
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

/// The last evaluation of a contact: room, and no state, as the same positions give the same.
#[derive(Debug, Default)]
pub(crate) struct Cache(Mutex<Option<Box<Last>>>);

#[derive(Debug, Default)]
struct Last {
    q: Positions,
    memories: Vec<PointMemory>,
    evaluated: ContactKinematics,
}

impl Clone for Cache {
    fn clone(&self) -> Cache {
        Cache::default()
    }
}

/// The evaluation of a contact, in room that goes back to the contact.
pub(crate) struct Evaluated<'a> {
    room: &'a Cache,
    last: Option<Box<Last>>,
}

impl Deref for Evaluated<'_> {
    type Target = ContactKinematics;

    fn deref(&self) -> &ContactKinematics {
        match &self.last {
            Some(last) => &last.evaluated,
            None => unreachable!("it goes back at the end"),
        }
    }
}

impl Drop for Evaluated<'_> {
    fn drop(&mut self) {
        if let Ok(mut room) = self.room.0.lock() {
            *room = self.last.take();
        }
    }
}
