//! Outlines of bodies, written as edges or drawn in a file.

use super::{Checker, bodies, chain};
use crate::checked::Checked;
use crate::mesh::dxf::{self, Choice, Drawing};
use crate::mesh::{Mesh, Outline, OutlineFault, Side, USUAL_TURN};
use crate::message::excerpt;
use crate::model::de::{Name, Scalar};
use crate::model::file;

/// The mesh inside the outline of a drawing, and the named points of it that are on no edge.
type MeshWithPoints = (Mesh, Vec<(String, [f64; 2])>);

/// Length of the sides of triangles, m, and the most that one turns, rad.
fn fineness(check: &mut Checker<'_>, size: &Scalar, turn: Option<&Scalar>) -> Option<[f64; 2]> {
    let length = check.number(size);
    let angle = turn.map(|turn| check.number(turn));
    let known = check.are_known(std::iter::once(size).chain(turn));
    known.then_some([length, angle.unwrap_or(USUAL_TURN)])
}

impl file::Outline {
    pub(super) fn mesh<'f>(
        &'f self, check: &mut Checker<'_>, model: &Checked, name: &Name, order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let fine = fineness(check, &self.size, self.largest_turn.as_ref());
        let outer = chain::chain(check, model, name, &name.key("outline.edges"), &self.edges, ends);
        let holes: Vec<Option<Vec<Side>>> = (self.holes.iter().enumerate())
            .map(|(k, hole)| {
                let path = format!("{}.outline.holes[{k}]", name.path);
                chain::chain(check, model, name, &path, hole, ends)
            })
            .collect();
        let holes: Option<Vec<Vec<Side>>> = holes.into_iter().collect();
        let (outer, holes) = (outer?, holes?);
        let [size, largest_turn] = fine?;
        let outline = Outline { order, size, largest_turn, outer, holes };
        bodies::meshed(check, name, outline.mesh())
    }
}

impl file::Drawing {
    /// The mesh inside the outline of a drawing, and the points of it that are on no edge.
    pub(super) fn mesh(
        &self, check: &mut Checker<'_>, name: &Name, order: usize,
    ) -> Option<MeshWithPoints> {
        let fine = fineness(check, &self.size, self.largest_turn.as_ref());
        let numbers = [&self.scale, &self.tolerance, &self.corner];
        let [scale, tolerance, corner] =
            numbers.map(|scalar| scalar.as_ref().map(|scalar| check.number(scalar)));
        let known = check.are_known(numbers.into_iter().flatten());
        let bytes = check.bytes_of(&self.file.0)?;
        if !known || check.is_unread(&name.key("drawing.layers")) {
            return None;
        }
        let labels = self.layers.iter().flat_map(|layers| &layers.0);
        let layers: Vec<&str> = labels.map(|label| label.value.0.as_str()).collect();
        let choice = Choice { layers: &layers, scale, tolerance, corner };
        let [size, largest_turn] = fine?;
        let drawing = match dxf::read(bytes, &choice) {
            Ok(drawing) => drawing,
            Err(fault) => return self.none(check, &fault.to_string()),
        };
        let Drawing { outer, holes, .. } = drawing;
        let outline = Outline { order, size, largest_turn, outer, holes };
        match outline.mesh() {
            Ok(mesh) => {
                let mesh =
                    Mesh { no_edges: drawing.no_edges, no_points: drawing.no_points, ..mesh };
                Some((mesh, drawing.places))
            }
            Err(fault) => {
                let hint = match fault {
                    OutlineFault::Hole { .. } => {
                        "; the largest loop is the outline, and a body has one: choose its layers with `layers`"
                    }
                    _ => "",
                };
                self.none(check, &format!("{fault}{hint}"))
            }
        }
    }

    fn none<T>(&self, check: &mut Checker<'_>, message: &str) -> Option<T> {
        let file = &self.file.0;
        let message = format!("{}: `{}`: {message}", file.path, excerpt(&file.value));
        check.refuse(file, message)
    }
}
