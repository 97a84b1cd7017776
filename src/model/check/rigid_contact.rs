//! Contacts of rigid surfaces: each of their corners is a slider that may lift off the face it looks at.

use super::surface_contact::INSIDE;
use super::{Checker, joints, places, sliding_edge};
use crate::checked::{
    Checked, EdgeId, Guide, PathEnds, PointId, RigidContact, Side, Slider, SliderKind, SurfacePart,
};
use crate::joints::roughness::{Profile, Roughness};
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;
use crate::message::rounded;
use crate::model::de::Name;
use crate::model::file;
use crate::nodes::BodyId;
use crate::numerics::hypot::hypot;

/// Sine of the angle up to which what a surface looks at is along its path.
const ALONG: f64 = 1e-3;

/// A corner of a rigid surface.
struct Corner<'a> {
    /// The part of the surface, as written, that it is an end of.
    written: &'a Name,
    body: BodyId,
    on: On,
    place: [f64; 2],
    /// The outward normals of the parts that it is an end of, added.
    outward: [f64; 2],
}

/// What a corner is of its body.
#[derive(Clone, Copy)]
enum On {
    /// A node of an edge.
    Node(EdgeId, usize),
    /// An end of a member's face, counted along its surface.
    Face(usize),
}

impl file::SurfaceContact {
    pub(super) fn rigid(&self, check: &mut Checker<'_>, model: &mut Checked, name: &Name) {
        let surface = self.surface_parts(check, model, name);
        let guide = self.guide(check, model, name);
        let restitution = check.usual(self.restitution.as_ref(), name.key("restitution"));
        let friction = (self.friction.as_ref()).map_or(Friction::None, |f| f.check(check, name));
        self.friction_without_inertia(check, name, &friction);
        if self.impact_friction {
            joints::friction_in_impacts(
                check,
                name,
                &format!("contact `{}`", name.value),
                &friction,
            );
        }
        let (Some(surface), Some(guide)) = (surface, guide) else {
            return;
        };
        self.is_not_its_own_guide(check, model, name, (&surface, &guide));
        let known = check.known.geometry && !check.reader.is_faulty(&name.path);
        let corners = self.corners(check, model, name, &surface);
        let (Some(corners), true) = (corners, known) else {
            return;
        };
        has_faces(check, model, name, &guide);
        if check.reader.is_faulty(&name.path) {
            return;
        }
        self.stands_beside_its_path(check, model, name, (&surface, &guide));
        let mut faces = Vec::new();
        for corner in &corners {
            let Some(face) = face_of_corner(check, model, name, &guide, corner) else {
                return;
            };
            faces.push(face);
        }
        if check.reader.is_faulty(&name.path) {
            return;
        }
        let first = model.sliders.len();
        for (k, (corner, face)) in corners.iter().zip(faces).enumerate() {
            let height = face.sign() * guide.offset();
            let slider = Slider {
                name: format!("{}[{}]", name.value, k + 1),
                kind: SliderKind::Corner,
                point: point_of_corner(check, model, corner, name),
                turning: None,
                path: guide.path.clone(),
                ends: if guide.closed { PathEnds::Closed } else { PathEnds::Error },
                restitution,
                impact_friction: self.impact_friction,
                smooth: true,
                // It stands on the side of its face on which the path is.
                side: Some(match face {
                    Side::Left => Side::Right,
                    Side::Right => Side::Left,
                }),
                bearing: SliderBearing::Point,
                roughness: (height != 0.0).then_some(Roughness {
                    profile: Profile::Level(height),
                    spectrum: None,
                    wheel_radius: None,
                }),
                friction: friction.clone(),
                equivalent: None,
                sliding_mass: None,
            };
            model.sliders.push(slider);
        }
        model.rigid_contacts.push(RigidContact {
            name: name.value.clone(),
            surface,
            guide,
            corners: first..model.sliders.len(),
        });
    }

    /// The corners of a surface: the ends of its parts, those that two of them share once.
    fn corners<'a>(
        &'a self, check: &mut Checker<'_>, model: &Checked, name: &Name, surface: &[SurfacePart],
    ) -> Option<Vec<Corner<'a>>> {
        let mut corners: Vec<Corner<'a>> = Vec::new();
        for (k, (&part, written)) in surface.iter().zip(&self.surface).enumerate() {
            let body = match part {
                SurfacePart::Edge(edge) => model.is_rigid(edge.body).then_some(edge.body),
                SurfacePart::Face { member, .. } => model.members[member].rigid,
            };
            let Some(body) = body else {
                let message = format!(
                    "{}: `{}` is elastic, and {} has `rigid = true`, which takes the corners of rigid bodies only; give the contact a \
                     `stiffness` instead of `rigid`, or make the body or member rigid",
                    written.path, written.value, name.path
                );
                return check.refuse(written, message);
            };
            let axes = model.axes_of_surface(part);
            let ends = [(axes.first()?, -1.0), (axes.last()?, 1.0)];
            let ends = ends.map(|(axis, xi)| model.on_surface(part, axis, xi));
            let [[(a, _), (b, _)], places] = [ends, ends];
            let [x, y] = [b[0] - a[0], b[1] - a[1]];
            let length = hypot(x, y);
            let off = |place: [f64; 2]| (x * (place[1] - a[1]) - y * (place[0] - a[0])).abs();
            let on_line = axes.iter().all(|axis| {
                let places = [-1.0, 0.0, 1.0].map(|xi| model.on_surface(part, axis, xi).0);
                places.iter().all(|&place| off(place) <= STRAIGHT * length * length)
            });
            if length == 0.0 || !on_line {
                let message = format!(
                    "{}: `{}` is not straight, and of a rigid surface the ends of straight edges are looked at; name straight edges, or \
                     give the contact a `stiffness` instead of `rigid`: a contact layer can touch anywhere",
                    written.path, written.value
                );
                return check.refuse(written, message);
            }
            for (end, (place, outward)) in places.into_iter().enumerate() {
                let near = |other: &&mut Corner<'_>| {
                    let [x, y] = [0, 1].map(|i| other.place[i] - place[i]);
                    other.body == body && hypot(x, y) <= STRAIGHT * length
                };
                if let Some(other) = corners.iter_mut().find(near) {
                    other.outward = [0, 1].map(|i| other.outward[i] + outward[i]);
                    continue;
                }
                let on = match part {
                    SurfacePart::Edge(edge) => {
                        let last = model.places_of_edge(edge).count() - 1;
                        On::Node(edge, end * last)
                    }
                    SurfacePart::Face { .. } => On::Face(2 * k + end),
                };
                corners.push(Corner { written, body, on, place, outward });
            }
        }
        Some(corners)
    }
}

/// Refuses a path that bends so sharply that it has no face on its inner side.
fn has_faces(check: &mut Checker<'_>, model: &Checked, name: &Name, guide: &Guide) {
    let [left, right] = model.bends_of(guide);
    let bend = left.max(right);
    let share = guide.offset() * bend;
    let (radius, offset) = (rounded(1.0 / bend, 4), rounded(guide.offset(), 6));
    if share >= 1.0 {
        let message = format!(
            "{}: the path bends with a radius of {radius} m, and its faces are {offset} m from it: there is none on the inner side; give \
             it less `width`, or a path that bends less",
            name.path
        );
        check.report_entry(name, message);
    }
}

/// On which side of the path the face stands that a corner looks at; `None` with a fault on record.
fn face_of_corner(
    check: &mut Checker<'_>, model: &Checked, name: &Name, guide: &Guide, corner: &Corner<'_>,
) -> Option<Side> {
    let [x, y] = corner.place.map(|c| rounded(c, 6));
    let at = format!("the corner of `{}` at [{x}, {y}]", corner.written.value);
    let outlined = model.outlines_of(guide);
    let Some((normal, distance)) = model.closest_point_on(&outlined, corner.place) else {
        let message = format!(
            "{}: {at} is initially beyond an end of the path of {}, where there is no face; lengthen the path, or let what ends there \
             be the surface",
            corner.written.path, name.path
        );
        return check.refuse(corner.written, message);
    };
    let [a, b] = corner.outward;
    let across = (normal[0] * a + normal[1] * b) / hypot(a, b);
    if across.abs() <= ALONG {
        let message = format!(
            "{}: {at} looks along the path of {} and at neither of its faces; name the edges that look at them",
            corner.written.path, name.path
        );
        return check.refuse(corner.written, message);
    }
    let length: f64 = (guide.path.iter()).map(|part| model.length_of_carrier(part.carrier)).sum();
    let face = if across > 0.0 { Side::Left } else { Side::Right };
    let depth = face.sign() * distance - guide.offset();
    if depth > INSIDE * length && !check.reader.is_faulty(&corner.written.path) {
        let message = format!(
            "{}: {at} is initially {} m within a face of the guide of {}; give it more width or move one of them",
            corner.written.path,
            rounded(depth, 6),
            name.path
        );
        return check.refuse(corner.written, message);
    }
    Some(face)
}

fn point_of_corner(
    check: &mut Checker<'_>, model: &mut Checked, corner: &Corner<'_>, name: &Name,
) -> PointId {
    match corner.on {
        On::Node(edge, place) => sliding_edge::point_of_edge(check, model, edge, place),
        On::Face(number) => {
            let own = format!("{}[{}]", name.value, number + 1);
            places::point_on_body(check, model, corner.body, own, corner.place)
        }
    }
}

/// How far a straight edge may be off the line through its ends, relative to its length.
const STRAIGHT: f64 = 1e-9;
