//! Surfaces in their guides.

use coulisse::elements::initial::ArcLength;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Guide, Side, Stiffness, Subject, SurfacePart, facing};
use coulisse::system::outputs::OfContact;
use coulisse::system::{State, System};

/// Share of the clearance by which the middle of an edge may be within a face before that is worth a word.
const BULGES: f64 = 0.01;

/// So many times as wide as what stands between its faces, a guide is worth a word.
const WIDE: f64 = 3.0;

/// Rigid surfaces that would meet their guide elsewhere than with their corners: with the middle of an edge where a face bulges towards it, or with
/// corners that turn over and meet the other face.
pub(super) fn between_corners(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for contact in &model.rigid_contacts {
        let (name, clearance) = (&contact.name, contact.guide.clearance);
        let bulge = model.bulge_of(contact);
        if bulge > BULGES * clearance {
            lines.push(format!(
                "contacts.{name} takes the corners of a rigid surface only, and a face of its guide bulges towards it: the middle of an edge would be {} m \
                 within that face (the clearance is {} m) before its corners touch; divide the edge of the body, or write `stiffness` instead of `rigid`, \
                 which takes the whole edge",
                rounded(bulge, 3),
                rounded(clearance, 3),
            ));
        }
        let corners = &model.sliders[contact.corners.clone()];
        let on = |side: Side| corners.iter().any(|corner| corner.side == Some(side));
        let places = corners.iter().map(|corner| model.points[corner.point].position);
        let apart = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let pairs = places.clone().flat_map(|a| places.clone().map(move |b| (a, b)));
        let longest = pairs.fold(0.0, |most: f64, (a, b)| most.max(apart(a, b)));
        let clear = 2.0 * contact.guide.offset();
        if on(Side::Left) && on(Side::Right) && longest < clear {
            lines.push(format!(
                "contacts.{name} has corners at most {} m apart between faces {} m apart: the surface can turn over, and each corner meets only the \
                 face on its side of the initial configuration; where it may turn so far, write joints with `contact = \"unilateral\"` for the other \
                 face, too",
                rounded(longest, 3),
                rounded(clear, 3),
            ));
        }
    }
    lines
}

/// Surfaces between two faces that wedge there: friction at corners opposite each other holds them without any load.
pub(super) fn wedged(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, surface, guide, most) in guided(model) {
        let Some(size) = between_faces(model, surface, guide) else {
            continue;
        };
        // Tilted as far as the faces let it, it stands on opposite corners.
        let clear = 2.0 * guide.offset();
        let diagonal = size.length.hypot(size.height);
        let along = ((diagonal - clear) * (diagonal + clear)).sqrt();
        if diagonal > clear && most * clear >= along {
            lines.push(format!(
                "contacts.{name} has friction with a coefficient of up to {} between faces {} m apart, and its opposite corners touch them {} m apart \
                 along the path: from a coefficient of {} on it wedges, and friction supports it without any load; take less friction, or a surface that is \
                 longer along the path",
                rounded(most, 3),
                rounded(clear, 3),
                rounded(along, 3),
                rounded(along / clear, 3),
            ));
        }
    }
    lines
}

/// Guides much wider than what they guide: probably in other units than their surface.
pub(super) fn far_from_its_faces(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (name, surface, guide, _) in guided(model) {
        let Some(Size { height, .. }) = between_faces(model, surface, guide) else {
            continue;
        };
        if guide.width > WIDE * height {
            lines.push(format!(
                "contacts.{name}: its guide has a width of {} m, and what is between the faces is {} m high; write `width` = {} m if it is meant to fit: \
                 the distance of the faces without the clearance",
                rounded(guide.width, 3),
                rounded(height, 3),
                rounded(height, 3),
            ));
        }
    }
    lines
}

/// So many elements of a surface in contact resolve the pressure there.
const FEWEST: f64 = 2.0;

/// Surfaces that touch in a state, that `when` names, along less than two of the elements that resolve the pressure there: those of the surface, and
/// of a rigid surface those of its path where that deforms. On a path that does not, the pressure on a rigid surface is integrated exactly.
pub fn small_patches(system: &System, state: &State, when: &str) -> Vec<String> {
    let model = system.model();
    let mut lines = Vec::new();
    for (contact, described) in model.contacts.iter().enumerate() {
        let rigid = |part: &SurfacePart| matches!(part, SurfacePart::Edge(edge) if model.is_rigid(edge.body));
        let lengths_of = |part: &SurfacePart| -> Vec<f64> {
            let axes = model.axes_of_surface(*part);
            axes.iter().map(|axis| ArcLength::of(axis).total()).collect()
        };
        let total: f64 = described.surface.iter().flat_map(lengths_of).sum();
        let elastic = described.surface.iter().filter(|part| !rigid(part));
        let mut of = "surface";
        let mut shortest = elastic.flat_map(lengths_of).fold(f64::INFINITY, f64::min);
        let at_nodes = matches!(described.stiffness, Stiffness::Nodes(_));
        let on_elements = !at_nodes && !system.surfaces.integrates_pressure(contact);
        if shortest.is_infinite() && on_elements {
            of = "path";
            let elements = system.surfaces.path_of(contact).elements().iter();
            shortest = elements.fold(shortest, |shortest, element| shortest.min(element.length));
        }
        let read = |of: OfContact| system.read(state, of.of(Subject::Contact(contact)));
        let touching = read(OfContact::ContactLength);
        let pressed = read(OfContact::NormalForce) > 0.0;
        // A single point has none.
        let length = if touching > 0.0 { touching.min(shortest) } else { shortest };
        if pressed && shortest.is_finite() && touching < FEWEST * shortest && touching < total {
            lines.push(format!(
                "contacts.{} touches {when} along {} m, and the shortest element of its {of} is {} m long: forces balance, but the pressure, the length \
                 in contact and the penetration are not resolved; make the elements of the {of} there {} m long or shorter",
                described.name,
                rounded(touching, 3),
                rounded(shortest, 3),
                rounded(0.2 * length, 1),
            ));
        }
    }
    lines
}

/// All contacts of surfaces: name, surface, guide, and the largest coefficient of friction.
pub(super) fn guided(model: &Checked) -> impl Iterator<Item = (&str, &[SurfacePart], &Guide, f64)> {
    let layers = model.contacts.iter().map(|contact| {
        let most = contact.friction.largest_coefficient();
        (&contact.name[..], &contact.surface[..], &contact.guide, most)
    });
    let rigid = model.rigid_contacts.iter().map(|contact| {
        let friction = &model.sliders[contact.corners.start].friction;
        let most = friction.largest_coefficient();
        (&contact.name[..], &contact.surface[..], &contact.guide, most)
    });
    layers.chain(rigid)
}

/// What stands between two faces, m: the length along which it touches both, and its height across them.
pub(super) struct Size {
    pub length: f64,
    pub height: f64,
}

/// The size of a surface that looks at both faces of its guide, in the initial configuration; none of others.
pub(super) fn between_faces(
    model: &Checked, surface: &[SurfacePart], guide: &Guide,
) -> Option<Size> {
    let mut sides = [Reach::NONE; 2];
    let mut origin = None;
    let outlined = model.outlines_of(guide);
    for &part in surface {
        for axis in model.axes_of_surface(part) {
            for xi in [-1.0, 1.0] {
                let (place, outward) = model.on_surface(part, &axis, xi);
                let Some((normal, distance)) = model.closest_point_on(&outlined, place) else {
                    continue;
                };
                let origin = *origin.get_or_insert(place);
                let away = [0, 1].map(|i| place[i] - origin[i]);
                let along = normal[1] * away[0] - normal[0] * away[1];
                let side = facing(normal, outward);
                let reach = &mut sides[usize::from(side < 0.0)];
                reach.first = reach.first.min(along);
                reach.last = reach.last.max(along);
                reach.height = reach.height.max(side * distance);
            }
        }
    }
    let [left, right] = sides;
    let height = left.height + right.height;
    // Where it bears at opposite corners, tilted one way or the other.
    let length = (left.last - right.first).min(right.last - left.first);
    (height > 0.0).then_some(Size { length, height })
}

/// What of a surface looks at one face: from where to where along the path, and how far it stands beside that, m.
#[derive(Clone, Copy)]
struct Reach {
    first: f64,
    last: f64,
    height: f64,
}

impl Reach {
    const NONE: Reach =
        Reach { first: f64::INFINITY, last: f64::NEG_INFINITY, height: f64::NEG_INFINITY };
}
