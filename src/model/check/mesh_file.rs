//! Meshes from files: which part of a file, and that it is one body.

use super::Checker;
use crate::mesh::pieces::Meeting;
use crate::mesh::{HIGHEST_ORDER, Mesh, gmsh};
use crate::message::excerpt;
use crate::model::de::{Name, Scalar};
use crate::model::file;

impl Checker<'_> {
    /// The mesh of body `name`.
    pub(super) fn mesh_file(
        &mut self, name: &Name, given: &file::MeshFile, order: Option<&Scalar>,
    ) -> Option<Mesh> {
        let path = format!("{}.mesh.pieces", name.path);
        let pieces = self.count_or(given.pieces.as_ref(), path, 1);
        let path = format!("{}.mesh.scale", name.path);
        let scale = given.scale.as_ref();
        let scale = self.usual(scale, path);
        let data = self.data;
        // Why it could not be read is on record.
        let bytes = data.get(&given.file.0.value)?;
        if self.is_unread(&format!("{}.mesh.surface", name.path)) {
            return None;
        }
        let labels = given.surface.iter().flat_map(|surface| &surface.0);
        let surfaces: Vec<&str> = labels.map(|label| label.value.0.as_str()).collect();
        let mesh = match gmsh::read(bytes, &surfaces) {
            Ok(mesh) => mesh.scaled(scale),
            Err(fault) => {
                let lengths = match scale {
                    1.0 => "",
                    _ => " (lengths as in the file, without `scale`)",
                };
                self.report_file(given, &format!("{fault}{lengths}"));
                return None;
            }
        };
        let path = format!("{}.order", name.path);
        let raised = self.count_or(order, path, mesh.order);
        if let Some(order) = order.filter(|_| raised < mesh.order) {
            let message = format!(
                "{} is {raised}, and the triangles in `{}` have order {}; allowed: as high or higher, up to {HIGHEST_ORDER}, or leave it out",
                order.path,
                excerpt(&given.file.0.value),
                mesh.order
            );
            self.report(order, message);
            return None;
        }
        self.in_pieces(given, mesh.raised(raised), pieces)
    }

    fn report_file(&mut self, given: &file::MeshFile, message: &str) {
        let file = &given.file.0;
        let message = format!("{}: `{}`: {message}", file.path, excerpt(&file.value));
        self.report(file, message);
    }

    /// A mesh of as many pieces as are stated, which do not overlap.
    fn in_pieces(&mut self, given: &file::MeshFile, mesh: Mesh, stated: usize) -> Option<Mesh> {
        let pieces = mesh.pieces();
        let count = pieces.count();
        let overlap = matches!(pieces.meeting(), Meeting::Overlap(_));
        if count == stated && !overlap {
            return Some(mesh);
        }
        let mut message = match count {
            1 => "the mesh is one piece".to_string(),
            _ => format!("the mesh has {}", pieces.described()),
        };
        match &given.pieces {
            Some(pieces) if count != stated => {
                message += &format!(", and {} is {stated}", pieces.path)
            }
            _ if overlap => {}
            _ => {
                message += &format!(
                    "; choose one by `surface` for a body of its own, or state `pieces = {count}` if they are one body as they are"
                );
            }
        }
        self.report_file(given, &message);
        None
    }
}
