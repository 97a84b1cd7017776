//! Contacts of surfaces with paths.

use std::ops::Range;

use super::{
    Analysis, BodyId, Carrier, Checked, DampingLaw, EdgeId, MemberId, MemberLine, Part, PathPart,
    Side, Slider,
};
use crate::axis::turn;
use crate::elements::initial::InitialAxis;
use crate::laws::friction::Friction;
use crate::numerics::hypot::hypot;

/// Surfaces that touch the faces of a guide, point by point.
#[derive(Debug, Clone)]
pub struct SurfaceContact {
    pub name: String,
    pub surface: Vec<SurfacePart>,
    pub guide: Guide,
    pub stiffness: Stiffness,
    /// Stiffness along the faces over that across them.
    pub tangential_ratio: f64,
    /// How deep a point may be pressed in, m; none: as deep as its contact layer yields.
    pub deepest: Option<f64>,
    pub friction: Friction,
}

/// Surfaces of rigid bodies that strike the faces with friction of a guide with their corners: each corner is a slider that may lift off.
#[derive(Debug, Clone)]
pub struct RigidContact {
    pub name: String,
    pub surface: Vec<SurfacePart>,
    pub guide: Guide,
    /// Its corners in the order of the surface, in [`Checked::sliders`].
    pub corners: Range<usize>,
}

/// What has faces for a surface to touch.
#[derive(Debug, Clone)]
pub struct Guide {
    /// The path's members and edges in order of growing s.
    pub path: Vec<PathPart>,
    pub closed: bool,
    /// Clear width between the faces of the guide but for the clearance, m; 0: they are the path.
    pub width: f64,
    /// Clearance on each side, m.
    pub clearance: f64,
}

/// A guide whose path many places are looked for on.
pub struct Outlined<'a> {
    guide: &'a Guide,
    outlines: Vec<Vec<InitialAxis>>,
}

impl Guide {
    /// How far each face stands beside the path, m.
    pub fn offset(&self) -> f64 {
        0.5 * self.width + self.clearance
    }

    fn carriers(&self) -> impl Iterator<Item = Part> + '_ {
        self.path.iter().map(|part| match part.carrier {
            Carrier::Member(id) => Part::Member(id),
            Carrier::Edge(edge) => Part::Body(edge.body),
        })
    }
}

/// A part of a surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SurfacePart {
    /// An edge of a body.
    Edge(EdgeId),
    /// A face of a member, half its height beside its axis, seen along it.
    Face { member: MemberId, side: Side },
}

/// Stiffness of a contact layer across the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Stiffness {
    /// By length of the surface, N/m².
    Surface(f64),
    /// So many times that of the elements below, by length of the surface.
    Penalty(f64),
    /// At each node, N/m.
    Nodes(f64),
}

impl SurfacePart {
    /// What it belongs to.
    pub fn belongs_to(self, model: &Checked) -> Part {
        match self {
            SurfacePart::Edge(edge) => Part::Body(edge.body),
            SurfacePart::Face { member, .. } => model.part_of(member),
        }
    }
}

impl SurfaceContact {
    /// The members and bodies that it presses on each other.
    pub fn parts(&self) -> impl Iterator<Item = Part> + '_ {
        let on = self.surface.iter().map(|part| match *part {
            SurfacePart::Edge(edge) => Part::Body(edge.body),
            SurfacePart::Face { member, .. } => Part::Member(member),
        });
        on.chain(self.guide.carriers())
    }
}

/// Coefficient of friction from which on undamped sliding may grow unsteady.
const FELT: f64 = 0.1;

impl Checked {
    /// The contacts whose steady sliding may flutter in a dynamic analysis, each with an elastic part of it that nothing damps: those with a
    /// coefficient of friction of 0.1 or more.
    pub fn may_flutter(&self) -> Vec<(&SurfaceContact, Part)> {
        if self.solver.analysis != Analysis::Dynamic {
            return Vec::new();
        }
        let undamped = |part: &Part| {
            let elastic = match *part {
                // One that cannot move has none.
                Part::Member(id) => self.members[id].properties.is_some(),
                Part::Body(id) => !self.is_rigid(id),
            };
            let damps = self.damping.iter().any(|entry| {
                let positive = match entry.law {
                    DampingLaw::Coefficients(law) => law.mass > 0.0 || law.stiffness > 0.0,
                    DampingLaw::Modes { ratios, .. } => ratios.iter().any(|ratio| *ratio > 0.0),
                };
                positive && entry.parts.contains(part)
            });
            elastic && !damps
        };
        let rough = (self.contacts.iter()).filter(|c| c.friction.largest_coefficient() >= FELT);
        let of = |contact: &'_ SurfaceContact| contact.parts().find(undamped);
        let of = |contact| Some((contact, of(contact)?));
        rough.filter_map(of).collect()
    }

    /// A part of a surface as messages name it.
    pub fn name_of_surface(&self, part: SurfacePart) -> String {
        match part {
            SurfacePart::Edge(edge) => self.name_of_edge(edge),
            SurfacePart::Face { member, side } => {
                let side = match side {
                    Side::Left => "left",
                    Side::Right => "right",
                };
                format!("{}.{side}", self.members[member].name)
            }
        }
    }

    /// The elements, sides of triangles or pieces of a rigid outline that are a part of a surface, drawn along its axis, each with its order.
    pub fn axes_of_surface(&self, part: SurfacePart) -> Vec<InitialAxis> {
        match part {
            SurfacePart::Edge(edge) => self.outline_of_edge(edge),
            SurfacePart::Face { member, .. } => {
                let member = &self.members[member];
                match &member.line {
                    MemberLine::Edge(edge) => self.axes_of_edge(*edge),
                    MemberLine::Axis(axis) => {
                        let places = axis.places(member.elements * member.order);
                        let elements = places.windows(member.order + 1).step_by(member.order);
                        elements.map(InitialAxis::new).collect()
                    }
                }
            }
        }
    }

    /// The body along whose edge a member lies.
    pub fn body_under(&self, member: MemberId) -> Option<BodyId> {
        match self.members[member].line {
            MemberLine::Axis(_) => None,
            MemberLine::Edge(edge) => Some(edge.body),
        }
    }

    /// Thickness of a body, m; none of a rigid one that has numbers alone.
    pub fn thickness_of_body(&self, body: BodyId) -> Option<f64> {
        self.bodies[body].matter().map(|matter| matter.thickness)
    }

    /// Half the height of the member that has a part of a surface as its face, positive on its left; 0 of an edge.
    pub fn height_of_surface(&self, part: SurfacePart) -> f64 {
        match part {
            SurfacePart::Edge(_) => 0.0,
            SurfacePart::Face { member, side } => side.sign() * self.members[member].half_height,
        }
    }

    /// Initial position of a part of a surface at ξ of an element, and its outward normal there.
    pub fn on_surface(
        &self, part: SurfacePart, axis: &InitialAxis, xi: f64,
    ) -> ([f64; 2], [f64; 2]) {
        let (at, [x, y]) = (axis.at(xi), axis.position(xi));
        match part {
            // An edge has its body on the left.
            SurfacePart::Edge(_) => {
                let [a, b] = at.tangent.map(|t| t / at.stretch);
                ([x, y], [b, -a])
            }
            SurfacePart::Face { side, .. } => {
                let (sin, cos) = at.angle.sin_cos();
                let height = self.height_of_surface(part);
                let place = [x - height * sin, y + height * cos];
                (place, [-side.sign() * sin, side.sign() * cos])
            }
        }
    }

    /// The path of a guide with the outlines of the edges that it lies along.
    pub fn outlines_of<'a>(&self, guide: &'a Guide) -> Outlined<'a> {
        let outlines = guide.path.iter().map(|&part| self.outline_of_part(part)).collect();
        Outlined { guide, outlines }
    }

    /// How deep a place of a surface with this outward normal is initially beyond the face that it touches, m.
    pub fn depth_of(&self, guide: &Outlined<'_>, place: [f64; 2], outward: [f64; 2]) -> f64 {
        let closest = self.closest_point_on(guide, place);
        closest.map_or(f64::NEG_INFINITY, |(normal, distance)| {
            facing(normal, outward) * distance - guide.guide.offset()
        })
    }

    /// The normal of a guide's path, to its left, at the closest point of a place, and the distance of the place along it, m; none beyond an end.
    pub fn closest_point_on(
        &self, Outlined { guide, outlines }: &Outlined<'_>, place: [f64; 2],
    ) -> Option<([f64; 2], f64)> {
        let parts = guide.path.iter().zip(outlines);
        let parts = parts.map(|(&part, outline)| self.nearest_place(part, outline, place));
        let (distance, nearest) = { parts }.min_by(|a, b| a.0.total_cmp(&b.0))?;
        let (sin, cos) = nearest.angle.sin_cos();
        let away = [0, 1].map(|i| place[i] - nearest.position[i]);
        // Where it is no closest point it is beyond an end of the path.
        let along = (cos * away[0] + sin * away[1]).abs();
        let length = || self.length_of_carrier(guide.path[0].carrier);
        let is_closest = along <= 1e-6 * distance.max(guide.width) || along <= 1e-9 * length();
        is_closest.then_some(([-sin, cos], cos * away[1] - sin * away[0]))
    }
}

impl Checked {
    /// The sharpest bends of a guide's path to the left and to the right, 1/m.
    pub fn bends_of(&self, guide: &Guide) -> [f64; 2] {
        let mut most = [0.0_f64; 2];
        for part in &guide.path {
            let along = match part.carrier {
                Carrier::Edge(edge) => SurfacePart::Edge(edge),
                Carrier::Member(member) => SurfacePart::Face { member, side: Side::Left },
            };
            for axis in self.axes_of_surface(along) {
                for k in 0..PIECES {
                    let xi = [k, k + 1].map(|k| 2.0 * k as f64 / PIECES as f64 - 1.0);
                    let at = xi.map(|xi| axis.at(xi));
                    let length = 0.5 * (at[0].stretch + at[1].stretch) * (xi[1] - xi[0]);
                    let turned = turn(at[0].angle, at[1].angle) / length;
                    let bend = if part.reversed { -turned } else { turned };
                    most = [most[0].max(bend), most[1].max(-bend)];
                }
            }
        }
        most
    }

    /// How deep the middle of a straight edge of a contact would be within a face that bulges towards it before its ends touch that, m.
    pub fn bulge_of(&self, contact: &RigidContact) -> f64 {
        let bends = self.bends_of(&contact.guide);
        let offset = contact.guide.offset();
        let corners = &self.sliders[contact.corners.clone()];
        let mut deepest = 0.0_f64;
        for &part in &contact.surface {
            let axes = self.axes_of_surface(part);
            let (Some(first), Some(last)) = (axes.first(), axes.last()) else {
                continue;
            };
            let ends = [(first, -1.0), (last, 1.0)];
            let ends = ends.map(|(axis, xi)| self.on_surface(part, axis, xi).0);
            let [a, b] = ends;
            let near = |place: [f64; 2]| hypot(place[0] - a[0], place[1] - a[1]);
            let length = near(b);
            let here = |slider: &&Slider| near(self.points[slider.point].position) <= 1e-6 * length;
            let Some(corner) = corners.iter().find(here) else {
                continue;
            };
            // The face on the left bulges where the path turns to the left.
            let bend = match corner.side {
                Some(Side::Right) => bends[0],
                _ => bends[1],
            };
            if bend > 0.0 {
                deepest = deepest.max(length * length / (8.0 * (1.0 / bend - offset)));
            }
        }
        deepest
    }
}

/// Pieces of each element between which the bends of a path are looked at.
const PIECES: usize = 8;

/// The side of the path, 1 to the left of it, of the face that a surface with this outward normal touches, where the path
/// has the normal to its left.
pub fn facing(normal: [f64; 2], outward: [f64; 2]) -> f64 {
    let across = normal[0] * outward[0] + normal[1] * outward[1];
    if across < 0.0 { -1.0 } else { 1.0 }
}
