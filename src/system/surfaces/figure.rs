//! What a drawing or a table shows of contacts of surfaces.

use super::{ContactPoint, Facing, SurfaceContacts};
use crate::joints::path::Path;
use crate::numerics::positions::Positions;
use crate::surfaces::closest_point::ClosestPoint;
use crate::surfaces::layer::Touch;
use crate::surfaces::local::Locals;
use crate::surfaces::point::Placed;
use crate::system::State;

/// A point of a surface with what it exerts on the face of its guide.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SurfaceForce {
    /// Where it is, m.
    pub place: [f64; 2],
    /// Initial position in the model, m.
    pub initial: [f64; 2],
    /// m/s.
    pub velocity: [f64; 2],
    /// Place of its closest point on the path, m.
    pub s: f64,
    /// The face of the guide that it touches: 1 to the left of the path, −1 to the right.
    pub side: f64,
    /// Normal of the path to that side, in which it presses.
    pub across: [f64; 2],
    /// Direction of growing s.
    pub along: [f64; 2],
    /// Normal force by length of the surface, N/m; not negative.
    pub pressure: f64,
    /// Friction on the path by length of the surface, N/m; positive along growing s.
    pub friction: f64,
    pub touch: Touch,
}

impl SurfaceForce {
    /// Force on the path by length of the surface, N/m.
    pub fn by_length(&self) -> [f64; 2] {
        [0, 1].map(|i| self.pressure * self.across[i] + self.friction * self.along[i])
    }
}

impl SurfaceContacts {
    /// Number of points of a contact.
    pub fn count_of_points(&self, contact: usize) -> usize {
        self.contacts[contact].points.len()
    }

    /// Whether the pressure on the rigid parts of the surface of a contact is integrated exactly between its points.
    pub fn integrates_pressure(&self, contact: usize) -> bool {
        !self.contacts[contact].strips.is_empty()
    }

    /// Smallest and largest stiffness of the contact layer along its surface: by length, N/m² (Pa), or of its nodes, N/m.
    pub fn stiffness_of(&self, contact: usize) -> [f64; 2] {
        let points = &self.points[self.contacts[contact].points.clone()];
        points.iter().fold([f64::INFINITY, 0.0], |[low, high], p| {
            let stiffness = match self.contacts[contact].at_nodes {
                true => p.layer.normal,
                false => p.layer.normal / p.surface.length,
            };
            [low.min(stiffness), high.max(stiffness)]
        })
    }

    /// The sides of its path, 1 to the left, on which a contact has a face that its surface may touch.
    pub fn sides_of(&self, contact: usize) -> Vec<f64> {
        let points = &self.points[self.contacts[contact].points.clone()];
        let has = |side: &f64| {
            let bears = |p: &ContactPoint| {
                matches!(p.facing, Facing::Nearer) || p.facing == Facing::Side(*side)
            };
            points.iter().any(bears)
        };
        [1.0, -1.0].into_iter().filter(has).collect()
    }

    /// How far the faces of the guide of a contact stand beside its path, m.
    pub fn offset_of(&self, contact: usize) -> f64 {
        self.contacts[contact].offset
    }

    /// The path of a contact.
    pub fn path_of(&self, contact: usize) -> &Path {
        &self.contacts[contact].path
    }

    /// Sum of the sizes of the normal forces of a contact, N.
    pub fn normal_force_of(&self, contact: usize, state: &State) -> f64 {
        self.sum_over(contact, state, |point| point.normal_force())
    }

    /// The points of a contact in the order of its surface, in a state.
    pub fn forces_at_points(&self, state: &State, contact: usize) -> Vec<SurfaceForce> {
        let mut all = Vec::with_capacity(self.count_of_points(contact));
        self.each_point(contact, state.into(), None, |point| {
            let (i, at_point) = (point.i, point.kinematics);
            let (surface, memory) = (&self.points[i].surface, &state.points[i]);
            let (placed, closest) = self.closest_point(i, &state.q, memory.s);
            let mut locals = Locals::default();
            surface.add_locals(&placed, &mut locals);
            let velocity = locals.as_slice().iter().fold([0.0; 2], |sum, local| {
                [0, 1].map(|k| sum[k] + local.place[k] * state.velocity[local.unknown])
            });
            all.push(SurfaceForce {
                place: [0, 1].map(|k| placed.place[k] + placed.from[k].displacement_from(0.0)),
                initial: surface.initial,
                velocity,
                s: self.contacts[contact].path.within_a_lap(at_point.s),
                side: at_point.side,
                across: closest.normal.map(|n| at_point.side * n),
                along: closest.tangent,
                pressure: point.line_pressure().re,
                friction: memory.friction / surface.length,
                touch: memory.touch,
            });
        });
        all
    }

    /// A face of the guide of a contact on one `side` of its path, 1 to the left, at the positions `q`: the places above those that
    /// divide each element of the path into `pieces`, m.
    pub fn face_of(&self, contact: usize, side: f64, q: &[f64], pieces: usize) -> Vec<[f64; 2]> {
        let contact = &self.contacts[contact];
        face(&contact.path, side * contact.offset, q, pieces)
    }
}

/// What stands at the height `offset` (m) to the left of a path at the positions `q`, see [`SurfaceContacts::face_of`].
pub fn face(path: &Path, offset: f64, q: &[f64], pieces: usize) -> Vec<[f64; 2]> {
    let (q, origin) = (Positions::from(q), Placed::origin());
    let elements = path.elements();
    let last = elements.len() - 1;
    let places = elements.iter().enumerate().flat_map(|(e, element)| {
        // The end of an element is the beginning of the next.
        let count = if e == last { pieces + 1 } else { pieces };
        (0..count).map(move |k| element.start + element.length * k as f64 / pieces as f64)
    });
    let place = |s: f64| {
        let closest = ClosestPoint::at(path, &q, &origin, s);
        [0, 1].map(|k| offset * closest.normal[k] - closest.gap[k])
    };
    places.map(place).collect()
}
