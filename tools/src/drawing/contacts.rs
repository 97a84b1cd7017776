//! Surfaces in contact and the faces of their guides.

use coulisse::system::System;

use super::Drawing;
use super::scene::{Ink, Pixel};

/// Straight pieces that each element of a face and of a surface is drawn with.
const PIECES: usize = 8;

/// The faces that the surface of a contact may bear on, as it starts, m.
fn faces(system: &System, contact: usize) -> Vec<Vec<[f64; 2]>> {
    let sides = system.surfaces.sides_of(contact);
    let face = |&side: &f64| system.surfaces.face_of(contact, side, system.initial(), PIECES);
    sides.iter().map(face).collect()
}

/// The faces of the guides of all contacts as they start, those of contact layers first.
pub fn all_faces(system: &System) -> Vec<Vec<Vec<[f64; 2]>>> {
    let model = system.model();
    let layers = (0..model.contacts.len()).map(|id| faces(system, id));
    let rigid = 0..model.rigid_contacts.len();
    let rigid = rigid.map(|id| system.drawing().faces_of_corners(id, system.initial(), PIECES));
    layers.chain(rigid).collect()
}

impl Drawing<'_> {
    /// Thin lines along the faces, thick ones along the surfaces, with the name of the contact at the middle of each.
    pub(super) fn contacts(&mut self) {
        let model = self.model;
        self.scene.begin_picture();
        let layers = model.contacts.iter().map(|c| (&c.name, &c.surface));
        let rigid = model.rigid_contacts.iter().map(|c| (&c.name, &c.surface));
        for (id, (name, surface)) in layers.chain(rigid).enumerate() {
            for face in &self.faces[id] {
                let line: Vec<Pixel> = face.iter().map(|&place| self.pixel(place)).collect();
                self.scene.line(&line, 1.5, Ink::Joint);
            }
            for &part in surface {
                let axes = model.axes_of_surface(part);
                let on = |axis, k| {
                    let xi = -1.0 + 2.0 * k as f64 / PIECES as f64;
                    self.pixel(model.on_surface(part, axis, xi).0)
                };
                let places = axes.iter().flat_map(|axis| (0..=PIECES).map(move |k| (axis, k)));
                let line: Vec<Pixel> = places.map(|(axis, k)| on(axis, k)).collect();
                let middle = line[line.len() / 2];
                self.scene.line(&line, 3.5, Ink::Joint);
                self.label(middle, name, Ink::Joint);
            }
        }
    }
}
