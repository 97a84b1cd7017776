//! Outlines of bodies, written as edges or drawn in a file.

use super::Checker;
use crate::checked::Checked;
use crate::mesh::dxf::{self, Choice, Drawing};
use crate::mesh::{Mesh, Outline, OutlineFault, Side, USUAL_TURN};
use crate::message::excerpt;
use crate::model::de::{Name, Scalar};
use crate::model::file;

/// The mesh inside the outline of a drawing, and the named points of it that are on no edge.
type Drawn = (Mesh, Vec<(String, [f64; 2])>);

impl Checker<'_> {
    /// Length of the sides of triangles, m, and the most that one turns, rad.
    fn fineness(&mut self, size: &Scalar, turn: Option<&Scalar>) -> Option<[f64; 2]> {
        let length = self.number(size);
        let angle = turn.map(|turn| self.number(turn));
        let known = self.are_known(std::iter::once(size).chain(turn));
        known.then_some([length, angle.unwrap_or(USUAL_TURN)])
    }

    pub(super) fn outline<'f>(
        &mut self, model: &Checked, name: &Name, given: &'f file::Outline, order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let fine = self.fineness(&given.size, given.largest_turn.as_ref());
        let path = format!("{}.outline.edges", name.path);
        let outer = self.chain(model, name, &path, &given.edges, ends);
        let holes: Vec<Option<Vec<Side>>> = (given.holes.iter().enumerate())
            .map(|(k, hole)| {
                let path = format!("{}.outline.holes[{k}]", name.path);
                self.chain(model, name, &path, hole, ends)
            })
            .collect();
        let holes: Option<Vec<Vec<Side>>> = holes.into_iter().collect();
        let (outer, holes) = (outer?, holes?);
        let [size, largest_turn] = fine?;
        let outline = Outline { order, size, largest_turn, outer, holes };
        self.meshed(name, outline.mesh())
    }

    /// The mesh inside the outline of a drawing, and the points of it that are on no edge.
    pub(super) fn drawing(
        &mut self, name: &Name, given: &file::Drawing, order: usize,
    ) -> Option<Drawn> {
        let fine = self.fineness(&given.size, given.largest_turn.as_ref());
        let numbers = [&given.scale, &given.tolerance, &given.corner];
        let [scale, tolerance, corner] =
            numbers.map(|scalar| scalar.as_ref().map(|scalar| self.number(scalar)));
        let known = self.are_known(numbers.into_iter().flatten());
        let data = self.data;
        // Why it could not be read is on record.
        let bytes = data.get(&given.file.0.value)?;
        if !known || self.is_unread(&format!("{}.drawing.layers", name.path)) {
            return None;
        }
        let labels = given.layers.iter().flat_map(|layers| &layers.0);
        let layers: Vec<&str> = labels.map(|label| label.value.0.as_str()).collect();
        let choice = Choice { layers: &layers, scale, tolerance, corner };
        let [size, largest_turn] = fine?;
        let drawing = match dxf::read(bytes, &choice) {
            Ok(drawing) => drawing,
            Err(fault) => return self.no_drawing(given, &fault.to_string()),
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
                self.no_drawing(given, &format!("{fault}{hint}"))
            }
        }
    }

    fn no_drawing<T>(&mut self, given: &file::Drawing, message: &str) -> Option<T> {
        let file = &given.file.0;
        let message = format!("{}: `{}`: {message}", file.path, excerpt(&file.value));
        self.report(file, message);
        None
    }
}
