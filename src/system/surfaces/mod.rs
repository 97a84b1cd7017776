//! Contacts of surfaces with the faces of guides: their points, kinematics, forces and tangent.
//!
//! The kinematics on a path that does not deform are those of each point of the surface by itself. On a path that bends or stretches they are
//! found on the [sides](Side) of the surface, whose nodes are the points: their distances and positions are means over the sides.

mod augmentation;
mod change;
mod figure;
mod forces;
mod kinematics;
mod point_view;
mod prediction;
mod rounding;
mod touch;
mod workspace;

use std::ops::Range;
use std::sync::Arc;

pub use figure::{SurfaceForce, face};
pub(crate) use kinematics::Cache;
pub(crate) use point_view::{Configuration, PointView};
pub(crate) use prediction::Correction;
pub(crate) use rounding::why_lost;
pub(crate) use touch::LayerTouch;
pub(crate) use workspace::ContactWorkspace;

use super::State;
use super::equations::Equations;
use crate::joints::path::Path;
use crate::laws::friction::Kind;
use crate::linear::Passing;
use crate::nodes::Node;
use crate::numerics::lagrange::MAX_NODES;
use crate::numerics::positions::Positions;
use crate::surfaces::closest_point::ClosestPoint;
use crate::surfaces::layer::{Layer, PointMemory, bearing_share};
use crate::surfaces::local::Locals;
use crate::surfaces::point::{Placed, SurfacePoint};
use crate::surfaces::sample::Sample;
use crate::surfaces::side::Side;
use crate::surfaces::strip::{MOST, Strip};

/// Rounding of a distance from a path, relative to itself.
const ROUNDING: f64 = 8.0 * f64::EPSILON;

/// The contacts of surfaces of a mechanism.
#[derive(Debug, Clone)]
pub struct SurfaceContacts {
    pub(crate) contacts: Vec<SurfaceContact>,
    /// The points of all contacts, one contact after the other.
    pub(crate) points: Vec<ContactPoint>,
    /// The place of the friction law of the first contact among those of the mechanism; those of the others follow.
    pub(crate) first_law: usize,
}

/// A contact in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct SurfaceContact {
    /// Its name in the model file.
    pub name: String,
    pub path: Path,
    /// Its points among all of them.
    pub points: Range<usize>,
    /// What its points are looked at by, in the order of the surface.
    pub stretches: Vec<Stretch>,
    /// The pieces of a rigid surface between its points.
    pub strips: Vec<Strip>,
    /// Gauss's rule for the segments of sides.
    pub rule: Vec<(f64, f64)>,
    /// Most elements of the path below a side.
    pub spans: usize,
    /// Whether what carries its path moves.
    pub moves: bool,
    /// W, m.
    pub offset: f64,
    /// Whether the stiffness of its layer is given for each node and not by length.
    pub at_nodes: bool,
    /// Width around an end of the path over which the force of what leaves it fades, m; none of a closed path.
    pub fade: Option<f64>,
    /// Whether it is what of its sides is on the path that bears, exactly; in time the force of a node fades, so that what leaves gives back
    /// what it had stored.
    pub covers: bool,
    /// How deep a point may be pressed in, m; none where the stiffness of its contact layer alone limits that.
    pub deepest: Option<f64>,
    pub friction: Kind,
    /// Length of its initial surface, m.
    pub length: f64,
    pub cache: Cache,
}

/// A piece of a surface.
#[derive(Debug, Clone)]
pub(crate) struct Stretch {
    /// Its points among all of them.
    pub points: Vec<usize>,
    /// The side whose nodes they are; none of one point that stands for itself, and of the three of a curved strip.
    pub side: Option<Side>,
}

/// A point of a contact.
#[derive(Debug, Clone)]
pub(crate) struct ContactPoint {
    pub contact: usize,
    pub surface: SurfacePoint,
    /// The stretches of its contact that it belongs to, with its place among their points.
    pub stretches: Vec<[usize; 2]>,
    /// The strips of its contact that end in it, with which of their ends.
    pub strips: Vec<[usize; 2]>,
    pub facing: Facing,
    pub layer: Layer,
    /// s of its closest point in the initial configuration, m.
    pub initial: f64,
    /// Thickness of its body, m; none of a member.
    pub thickness: Option<f64>,
}

/// Which face of the guide a point touches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Facing {
    /// That on this side of the path, 1 to the left.
    Side(f64),
    /// The nearer one of a guide that it stands in.
    Nearer,
}

impl SurfaceContact {
    /// Direction of the path at `s` where the unknowns have their `initial` values.
    pub fn direction_at(&self, s: f64, initial: &[f64]) -> [f64; 2] {
        let q = Positions::from(initial);
        let origin = Placed::origin();
        ClosestPoint::at(&self.path, &q, &origin, s).tangent
    }

    /// The most samples that it is looked at by.
    pub fn most_samples(&self) -> usize {
        // With what is beyond either end, and both ends.
        let by_side = (self.spans + 3) * self.rule.len() + self.spans + 4;
        let stretches = self.stretches.iter();
        stretches
            .map(|stretch| (stretch.side.as_ref()).map_or(stretch.points.len(), |_| by_side))
            .sum()
    }

    /// χ with its derivatives at `s`.
    pub fn share(&self, s: f64) -> [f64; 3] {
        match self.fade {
            Some(width) => bearing_share(s, self.path.length(), width),
            _ => [1.0, 0.0, 0.0],
        }
    }

    /// Whether its path deforms: its points are nodes of sides.
    pub fn path_deforms(&self) -> bool {
        (self.stretches.first()).is_some_and(|stretch| stretch.side.is_some())
    }

    /// Whether `s` is between the ends of the path.
    pub fn is_along(&self, s: f64) -> bool {
        self.path.is_closed() || (0.0..=self.path.length()).contains(&s)
    }

    /// Whether one of `samples`, or what is between them, is on the path or not farther than so much (m) beyond an end.
    pub fn reaches(&self, samples: &[Sample], beyond: f64) -> bool {
        let s = || samples.iter().map(|sample| sample.closest.s());
        let [low, high] =
            [s().fold(f64::INFINITY, f64::min), s().fold(f64::NEG_INFINITY, f64::max)];
        self.path.is_closed() || (high >= -beyond && low <= self.path.length() + beyond)
    }

    /// Rounding of a depth at a `distance` (m) from the path, m.
    pub fn rounding(&self, distance: f64) -> f64 {
        ROUNDING * (distance.abs() + self.offset)
    }
}

impl Stretch {
    /// By how much its points count with point number `k` of it alone: by `own` those at ends, and the middle of a curved strip, whose
    /// place and depth are the middle coefficient in Bernstein's form, c_m = 2 r_m − ½ (r_a + r_b).
    pub fn shares(&self, k: usize, own: f64) -> [f64; MAX_NODES] {
        let mut shares = [0.0; MAX_NODES];
        match (self.points.len(), k) {
            (1, _) => shares[0] = own,
            (_, 1) => shares[1] = 2.0,
            _ => (shares[k], shares[1]) = (own, -0.5),
        }
        shares
    }
}

impl ContactPoint {
    /// The strip whose middle it is.
    pub fn middle_of(&self, contact: &SurfaceContact) -> Option<usize> {
        let &[k, end] = self.strips.first()?;
        (end == 1 && contact.strips[k].points.len() == MOST).then_some(k)
    }
}

impl Facing {
    /// σ of a point at the distance d.
    pub fn side(self, distance: f64) -> f64 {
        match self {
            Facing::Side(side) => side,
            Facing::Nearer if distance < 0.0 => -1.0,
            Facing::Nearer => 1.0,
        }
    }
}

impl SurfaceContacts {
    /// The closest point below point `i` itself.
    pub(crate) fn closest_point(&self, i: usize, q: &Positions, s: f64) -> (Placed, ClosestPoint) {
        let point = &self.points[i];
        let placed = point.surface.at(q);
        let closest = ClosestPoint::of(&self.contacts[point.contact].path, q, &placed, s);
        (placed, closest)
    }

    /// The unknowns that a sample of a stretch hangs on, those of the surface first.
    pub(crate) fn locals_of(
        &self, contact: &SurfaceContact, stretch: usize, sample: &Sample, q: &Positions,
        locals: &mut Locals,
    ) {
        locals.clear();
        let nodes = self.nodes_of_stretch(&contact.stretches[stretch]);
        sample.add_locals(nodes, &contact.path, q, locals);
    }

    /// The nodes that a stretch hangs on.
    pub(crate) fn nodes_of_stretch<'a>(&'a self, stretch: &'a Stretch) -> &'a [Node] {
        match &stretch.side {
            Some(side) => side.nodes(),
            None => &self.points[stretch.points[0]].surface.nodes,
        }
    }

    /// Energy across the contact layers of all contacts at `q`, J, of `points` that remember this.
    pub(crate) fn stored_across(&self, q: &Positions, points: &[PointMemory]) -> f64 {
        let stored = (0..self.contacts.len()).map(|c| {
            let evaluated = self.evaluated(c, q, points);
            evaluated.points.iter().map(|at| at.pressed.stored).sum::<f64>()
        });
        stored.sum()
    }

    /// Change of the energy across the contact layers of all contacts by the change `by` of the state, J.
    pub(crate) fn stored_change(&self, state: &State, by: &State) -> f64 {
        let mut sum = 0.0;
        for contact in 0..self.contacts.len() {
            let add = |point: PointView<'_>| sum += point.stored().eps;
            self.each_point(contact, state.into(), Some(by.into()), add);
        }
        sum
    }

    /// The couplings of surfaces that move along paths that move, in `equations`, for a matrix that is factored front by front.
    pub(crate) fn passing(&self, equations: &Equations) -> Vec<Passing> {
        let equations = |nodes: &[Node]| {
            let own = nodes.iter().flat_map(Node::unknowns).filter_map(|u| equations.of(u));
            let mut all: Vec<u32> = own.map(|e| e as u32).collect();
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
                    None => list.push(Passing { size, own, reach: reach.clone(), most }),
                }
            };
            for stretch in &contact.stretches {
                // A coupling of a segment and of the cut behind it, also beyond both ends of the path.
                let most = if stretch.side.is_some() {
                    2 * contact.spans + 4
                } else {
                    stretch.points.len()
                };
                add(equations(self.nodes_of_stretch(stretch)), longest, most);
            }
            for i in contact.points.clone() {
                if contact.stretches[self.points[i].stretches[0][0]].side.is_some() {
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
