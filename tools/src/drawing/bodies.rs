//! Bodies as areas with the sides of their triangles.

use coulisse::model::Checked;
use coulisse::model::checked::{BodyId, Carrier, EdgeId};

use super::scene::{Ink, Pixel, Scene};
use super::{Drawing, labels, pieces};
use crate::outline::{Sides, places};

/// Sides of triangles that are shorter would be a grey area, px.
const SHORTEST: f64 = 4.0;
/// Length of the straight pieces that a side is drawn with, px.
const PIECE: f64 = 6.0;

/// Draws the meshes of some bodies alone, with the names of their edges and points.
pub fn meshes(model: &Checked, bodies: &[BodyId]) -> Scene {
    let points = model.points.iter().map(|point| point.position).collect();
    let nodes = model.bodies.iter().map(|body| body.mesh.nodes.clone()).collect();
    let mut drawing = Drawing::new(model, points, nodes);
    let edges = bodies.iter().flat_map(|&body| &drawing.edges[body]);
    drawing.fit([super::extent_of(edges.flatten())].into_iter());
    drawing.bodies(bodies);
    drawing.surroundings();
    for &body in bodies {
        for &(_, point) in &model.bodies[body].points {
            let at = drawing.point(point);
            drawing.scene.circle(at, 2.0, Ink::Text, Ink::Text);
            drawing.label(at, &model.points[point].name, Ink::Text);
        }
        for (edge, described) in model.bodies[body].mesh.edges.iter().enumerate() {
            let middle = drawing.along_line(Carrier::Edge(EdgeId { body, edge }), 0.5);
            drawing.label(middle, &described.name, Ink::Joint);
        }
    }
    labels::place(&mut drawing.scene, drawing.labels);
    drawing.scene
}

impl Drawing<'_> {
    pub(super) fn bodies(&mut self, bodies: &[BodyId]) {
        for &body in bodies {
            let (mesh, nodes) = (&self.model.bodies[body].mesh, &self.nodes[body]);
            let sides = Sides::of(mesh);
            let pixel = |node: usize| self.pixel(nodes[node]);
            let loops = (sides.loops.iter()).map(|nodes| {
                let mut line = places(mesh.order, nodes, pieces(mesh.order), pixel);
                line.pop();
                line
            });
            let chord = |nodes: &[usize]| -> f64 {
                let [a, b]: [Pixel; 2] = [nodes[0], nodes[mesh.order]].map(pixel);
                (b[0] - a[0]).hypot(b[1] - a[1])
            };
            let seen = sides.inner.iter().filter(|nodes| chord(nodes) >= SHORTEST);
            let lines = seen.map(|nodes| {
                let wanted = (chord(nodes) / PIECE).ceil() as usize;
                places(mesh.order, nodes, wanted.min(pieces(mesh.order)), pixel)
            });
            let (loops, lines) = (loops.collect(), lines.collect());
            self.scene.area_with_holes(loops, Ink::Body, Ink::Member);
            self.scene.hairlines(lines, Ink::Ground);
        }
    }
}
