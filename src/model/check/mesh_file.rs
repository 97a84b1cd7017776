//! Meshes from files: which part of a file, and that it is one body.

use super::Checker;
use crate::mesh::pieces::Meeting;
use crate::mesh::{HIGHEST_ORDER, Mesh, gmsh};
use crate::message::excerpt;
use crate::model::de::{Name, Scalar};
use crate::model::file;

impl file::MeshFile {
    /// The mesh of body `name`.
    pub(super) fn mesh(
        &self, check: &mut Checker<'_>, name: &Name, order: Option<&Scalar>,
    ) -> Option<Mesh> {
        let pieces = check.count_or(self.pieces.as_ref(), name.key("mesh.pieces"), 1);
        let path = name.key("mesh.scale");
        let scale = self.scale.as_ref();
        let scale = check.usual(scale, path);
        let bytes = check.bytes_of(&self.file.0)?;
        if check.is_unread(&name.key("mesh.surface")) {
            return None;
        }
        let labels = self.surface.iter().flat_map(|surface| &surface.0);
        let surfaces: Vec<&str> = labels.map(|label| label.value.0.as_str()).collect();
        let mesh = match gmsh::read(bytes, &surfaces) {
            Ok(mesh) => mesh.scaled(scale),
            Err(fault) => {
                let lengths = match scale {
                    1.0 => "",
                    _ => " (lengths as in the file, without `scale`)",
                };
                self.report(check, &format!("{fault}{lengths}"));
                return None;
            }
        };
        let raised = check.count_or(order, name.key("order"), mesh.order);
        if let Some(order) = order.filter(|_| raised < mesh.order) {
            let message = format!(
                "{} is {raised}, and the triangles in `{}` have order {}; allowed: as high or higher, up to {HIGHEST_ORDER}, or leave it out",
                order.path,
                excerpt(&self.file.0.value),
                mesh.order
            );
            return check.refuse(order, message);
        }
        self.in_pieces(check, mesh.raised(raised), pieces)
    }

    fn report(&self, check: &mut Checker<'_>, message: &str) {
        let file = &self.file.0;
        let message = format!("{}: `{}`: {message}", file.path, excerpt(&file.value));
        check.report(file, message);
    }

    /// A mesh of as many pieces as are stated, which do not overlap.
    fn in_pieces(&self, check: &mut Checker<'_>, mesh: Mesh, stated: usize) -> Option<Mesh> {
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
        match &self.pieces {
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
        self.report(check, &message);
        None
    }
}
