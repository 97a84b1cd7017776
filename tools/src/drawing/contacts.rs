//! Surfaces in contact and the faces of their guides.

use coulisse::model::checked::{Carrier, SurfacePart};
use coulisse::system::System;

use super::Drawing;
use super::scene::{Ink, Pixel};

/// Straight pieces that each element of a face and of a surface is drawn with.
const PIECES: usize = 8;

/// The faces of the guides of all contacts at the positions `q`, those of contact layers first.
pub fn all_faces(system: &System, q: &[f64]) -> Vec<Vec<Vec<[f64; 2]>>> {
    let model = system.model();
    let layers = (0..model.contacts.len()).map(|contact| {
        let sides = system.surfaces.sides_of(contact);
        let face = |&side: &f64| system.surfaces.face_of(contact, side, q, PIECES);
        sides.iter().map(face).collect()
    });
    let rigid = 0..model.rigid_contacts.len();
    let rigid = rigid.map(|id| system.drawing().faces_of_corners(id, q, PIECES));
    layers.chain(rigid).collect()
}

/// The parts of the surfaces of all contacts at the positions `q`, those of contact layers first.
pub fn all_surfaces(system: &System, q: &[f64]) -> Vec<Vec<Vec<[f64; 2]>>> {
    let model = system.model();
    let part = |&part: &SurfacePart| match part {
        SurfacePart::Edge(edge) => system.drawing().line_of(Carrier::Edge(edge), q, PIECES),
        SurfacePart::Face { member, .. } => {
            let places =
                Vec::from_iter((0..=PIECES).map(|k| -1.0 + 2.0 * k as f64 / PIECES as f64));
            let height = model.height_of_surface(part);
            let elements = 0..model.members[member].elements;
            let beside = elements.flat_map(|element| {
                let section = |&xi| system.drawing().interpolate(member, element, xi, q);
                places.iter().map(section).collect::<Vec<_>>()
            });
            let beside = beside.map(|([x, y], axis)| {
                let (sin, cos) = axis.sin_cos();
                [x - height * sin, y + height * cos]
            });
            beside.collect()
        }
    };
    let layers = model.contacts.iter().map(|contact| &contact.surface);
    let surfaces = layers.chain(model.rigid_contacts.iter().map(|contact| &contact.surface));
    surfaces.map(|parts| parts.iter().map(part).collect()).collect()
}

impl Drawing<'_> {
    /// Thin lines along the faces, thick ones along the surfaces, with the name of the contact at the middle of each.
    pub(super) fn contacts(&mut self) {
        let model = self.model;
        self.scene.begin_picture();
        let layers = model.contacts.iter().map(|c| &c.name);
        let names = layers.chain(model.rigid_contacts.iter().map(|c| &c.name));
        for (id, name) in names.enumerate() {
            let pixels = |line: &Vec<[f64; 2]>| -> Vec<Pixel> {
                line.iter().map(|&place| self.pixel(place)).collect()
            };
            let faces: Vec<_> = self.faces[id].iter().map(pixels).collect();
            let surfaces: Vec<_> = self.surfaces[id].iter().map(pixels).collect();
            for face in faces {
                self.scene.line(&face, 1.5, Ink::Joint);
            }
            for surface in surfaces {
                self.scene.line(&surface, 3.5, Ink::Joint);
                self.label(surface[surface.len() / 2], name, Ink::Joint);
            }
        }
    }
}
