//! Contacts of surfaces for the page: their surfaces, the faces of their guides, and the forces in every frame.

use coulisse::model::checked::SurfacePart;
use serde::Serialize;

use super::nodes::Nodes;
use super::{PARTS, PathData, bytes, largest, path_data, singles};
use crate::drawing;
use crate::film::{Film, state_of};

#[derive(Debug, Serialize)]
pub struct ContactData {
    name: String,
    surface: Vec<SurfaceData>,
    path: Vec<PathData>,
    /// The sides of the path on which there is a face, 1 to the left, and how far beside it, m.
    sides: Vec<f64>,
    offset: f64,
    points: usize,
    /// Place of the foot of each point on the path in each frame, m, in single precision.
    positions: String,
    /// Pressure and friction on the path by length of the surface of each point in each frame, 16-bit numbers: pressure
    /// positive to the left of the path, friction along growing s.
    forces: String,
    /// What each point does in each frame: 0 open, 1 sticks, 2 slips.
    states: String,
}

/// A part of a surface as it is drawn.
#[derive(Debug, Serialize)]
struct SurfaceData {
    nodes: Vec<usize>,
    order: usize,
    /// Pieces that each element is drawn with.
    pieces: usize,
    /// How far it stands to the left of its nodes, m.
    height: f64,
}

/// Unit of all forces by length, N/m.
pub fn unit(film: &Film) -> f64 {
    let points = film.frames.iter().flat_map(|frame| frame.surfaces.iter());
    let sizes: Vec<f64> = points.flatten().flat_map(|p| [p.pressure, p.friction]).collect();
    match largest(sizes.iter()) {
        0.0 => 1.0,
        most => most / PARTS,
    }
}

/// All contacts, their forces in whole parts of this `unit`.
pub fn contacts(film: &Film, nodes: &mut Nodes, unit: f64) -> Vec<ContactData> {
    let system = film.system();
    let model = system.model();
    let mut list = Vec::new();
    for (id, contact) in model.contacts.iter().enumerate() {
        let surface = contact.surface.iter().map(|&part| {
            let (chain, order) = match part {
                SurfacePart::Edge(edge) => {
                    (nodes.edges[edge.body][edge.edge].clone(), model.bodies[edge.body].mesh.order)
                }
                SurfacePart::Face { member, .. } => {
                    (nodes.members[member].clone(), model.members[member].order)
                }
            };
            SurfaceData {
                nodes: chain,
                order,
                pieces: drawing::pieces(order),
                height: model.height_of_surface(part),
            }
        });
        let surface = surface.collect();
        let points = || film.frames.iter().flat_map(|frame| &frame.surfaces[id]);
        let count = |force: f64| ((force / unit).round() as i16).to_le_bytes();
        let forces = points().flat_map(|p| [p.side * p.pressure, p.friction].map(count));
        list.push(ContactData {
            name: contact.name.clone(),
            surface,
            path: path_data(system.surfaces.path_of(id), &contact.guide.path, nodes),
            sides: system.surfaces.sides_of(id),
            offset: system.surfaces.offset_of(id),
            points: system.surfaces.count_of_points(id),
            positions: singles(points().map(|p| p.s)),
            forces: bytes(forces),
            states: bytes(points().map(|p| [state_of(p.touch)])),
        });
    }
    list
}
