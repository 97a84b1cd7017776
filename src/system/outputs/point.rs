//! Outputs of points and of places of bodies.

use super::field::Of;
use super::{Field, List, Source};
use crate::checked::{Direction, Subject};
use crate::system::numbers::Numbers;
use crate::system::{State, System};

items! {
    /// How a point or a place of a body moves; only points turn.
    pub enum OfPoint of (_model, _of = Of) {}
    X => at_positions("x", Length, "Position x of").place(),
    Vx => at_velocities("vx", Velocity, "Velocity along x of"),
    Ax => at_forces("ax", Acceleration, "Acceleration along x of"),
    Y => at_positions("y", Length, "Position y of").place(),
    Vy => at_velocities("vy", Velocity, "Velocity along y of"),
    Ay => at_forces("ay", Acceleration, "Acceleration along y of"),
    Rotation => at_positions("rotation", Angle, "Rotation of {} from its initial direction"),
    RotationRate => at_velocities("rotation_rate", AngularVelocity, "Rate of rotation of"),
}

/// How many of them a place of a body has.
const OF_PLACES: usize = 6;

/// The outputs of all points, then stress and strain of those in bodies.
pub(super) fn list(list: &mut List<'_>) {
    let model = list.model;
    let named = |name: &str| (format!("points.{name}"), format!("point {name}"));
    for (point, p) in model.points.iter().enumerate() {
        let (path, name) = named(&p.name);
        let known = if model.turns_as_one(point) { OfPoint::ALL.len() } else { OF_PLACES };
        for of in &OfPoint::ALL[..known] {
            list.add(&path, &name, of.of(Subject::Point(point)));
        }
    }
    for (point, p) in model.points.iter().enumerate() {
        if model.bodies_at(point).any(|body| !model.is_rigid(body)) {
            let (path, name) = named(&p.name);
            for field in Field::ALL {
                list.add(&path, &name, field.of(Subject::PointField(point)));
            }
        }
    }
}

/// The outputs of all places of bodies.
pub(super) fn list_places(list: &mut List<'_>) {
    let model = list.model;
    for (place, p) in model.places.iter().enumerate() {
        let path = format!("probes.{}", p.name);
        let name = format!("place {} of body {}", p.name, model.bodies[p.body].name);
        for of in &OfPoint::ALL[..OF_PLACES] {
            list.add(&path, &name, of.of(Subject::Place(place)));
        }
        if !model.is_rigid(p.body) {
            for field in Field::ALL {
                list.add(&path, &name, field.of(Subject::PlaceField(place)));
            }
        }
    }
}

impl OfPoint {
    /// Which of position, velocity and acceleration, and its direction.
    pub(crate) fn motion(self) -> (usize, Direction) {
        match self {
            OfPoint::X => (0, Direction::X),
            OfPoint::Vx => (1, Direction::X),
            OfPoint::Ax => (2, Direction::X),
            OfPoint::Y => (0, Direction::Y),
            OfPoint::Vy => (1, Direction::Y),
            OfPoint::Ay => (2, Direction::Y),
            OfPoint::Rotation => (0, Direction::Rotation),
            OfPoint::RotationRate => (1, Direction::Rotation),
        }
    }

    pub(super) fn value<N: Numbers<State>>(self, system: &System, state: &N, of: Of) -> N::Number {
        let (order, direction) = self.motion();
        state.get(|s| {
            let values: &[f64] = match order {
                0 => &s.q,
                1 => &s.velocity,
                _ => &s.acceleration,
            };
            match of {
                Of::Point(point) => {
                    let unknown = system.nodes.of_point(point, None, direction);
                    unknown.map_or(0.0, |u| values[u])
                }
                Of::Place(place) => {
                    system.places[place]
                        .interpolated(&system.groups, direction as usize, |u| values[u])
                }
            }
        })
    }

    pub(super) fn sources(self, system: &System, of: Of) -> Vec<Source> {
        let (order, direction) = self.motion();
        let unknowns = match of {
            Of::Point(point) => Vec::from_iter(system.nodes.of_point(point, None, direction)),
            Of::Place(place) => system.places[place].unknowns(&system.groups),
        };
        let source = if order == 0 { Source::Unknown } else { Source::Rate };
        unknowns.into_iter().map(source).collect()
    }
}
