//! Plane bodies: their mesh, and the points that are nodes of it. What they are made of, see `matter.rs`.

use std::fmt::Display;
use std::sync::Arc as Shared;

use super::curves::Drawn;
use super::matter::Made;
use super::{Checker, Limit, POSITIVE, is_identifier};
use crate::axis::Axis;
use crate::mesh::{HIGHEST_ORDER, Mesh, Outline, Patch, Side, USUAL_TURN};
use crate::message::{figure, rounded};
use crate::model::checked::{Behaviour, Body, Checked, Point, PointId, Rigid};
use crate::model::de::Name;
use crate::model::file;
use crate::model::quantity::Quantity;
use crate::numerics::plane;

/// How far a point may be from the node that it is, relative to the body: coordinates of drawings are
/// rounded, and the node is moved onto the point.
const OFF_NODE: f64 = 1e-6;

/// Most that a side of a triangle turns on a curve.
const TURN: Limit = Limit {
    min: 0.01,
    max: 1.57,
    text: "from 0.01 to 1.57 rad",
};

/// Points of the model that move with a body.
#[derive(Default)]
struct BodyPoints {
    nodes: Vec<(usize, PointId)>,
    /// Those that are no nodes.
    others: Vec<PointId>,
}

impl BodyPoints {
    fn have(&self, point: PointId) -> bool {
        self.nodes.iter().any(|&(_, p)| p == point) || self.others.contains(&point)
    }
}

impl Checker<'_> {
    /// The bodies, of materials (E, G, ρ).
    pub(super) fn bodies(&mut self, model: &mut Checked, materials: &[Option<[f64; 3]>]) {
        let file = self.file;
        for entry in &file.bodies {
            self.identifier(&entry.name, "body");
            let body = (entry.value.as_ref())
                .and_then(|given| self.body(model, &entry.name, given, materials));
            let body = body.map(|body| self.with_points_of_mesh(model, body));
            if body.is_none() {
                // Its corners may be at fault and not itself.
                (self.known.topology, self.known.geometry) = (false, false);
            }
            self.bodies
                .push(body.is_some().then_some(model.bodies.len()));
            model.bodies.extend(body);
        }
    }

    fn body(
        &mut self,
        model: &Checked,
        name: &Name,
        given: &file::Body,
        materials: &[Option<[f64; 3]>],
    ) -> Option<Body> {
        let made = self.made(name, given, materials);
        let mut ends = Vec::new();
        let mesh = match (&given.patch, &given.outline, &given.mesh) {
            (Some(patch), None, None) => {
                let order = self.order(name, given);
                self.patch(model, name, patch, order, &mut ends)
            }
            (None, Some(outline), None) => {
                let order = self.order(name, given);
                self.outline(model, name, outline, order, &mut ends)
            }
            (None, None, Some(mesh)) => self.mesh_file(name, mesh, given.order.as_ref()),
            shapes => {
                let seen = [shapes.0.is_some(), shapes.1.is_some(), shapes.2.is_some()];
                let message = format!(
                    "{} has {} of `patch`, `outline`, `mesh`; give exactly one",
                    name.path,
                    seen.iter().filter(|seen| **seen).count()
                );
                self.report_entry(name, message);
                None
            }
        };
        let named: Vec<(&Name, Option<usize>)> = (ends.into_iter())
            .chain(given.points.iter())
            .map(|point| (point, self.point(point)))
            .collect();
        let mut mesh = mesh?;
        let points = self.points_of_body(model, name, &mut mesh, (&named, given.rigid))?;
        let moments = mesh.moments();
        let rigid = |[mass, inertia]: [f64; 2], matter| {
            let (centre, points) = (moments.centre, points.others);
            Behaviour::Rigid(Rigid {
                mass,
                inertia,
                centre,
                matter,
                points,
            })
        };
        let behaviour = match made? {
            Made::Elastic(law, matter) => Behaviour::Elastic(law, matter),
            Made::Rigid(matter) => rigid(matter.weight(&moments), Some(matter)),
            Made::Weighed(weight) => rigid(weight, None),
        };
        Some(Body {
            name: name.value.clone(),
            member: None,
            mesh: Shared::new(mesh),
            from_file: given.mesh.is_some(),
            behaviour,
            points: points.nodes,
        })
    }

    /// The order of triangles that are made here.
    fn order(&mut self, name: &Name, given: &file::Body) -> usize {
        let path = format!("{}.order", name.path);
        self.count_or(given.order.as_ref(), path, 3, [1, HIGHEST_ORDER])
    }

    /// The points that a mesh file names are points of the model, as `BODY.NAME`, where they are no points
    /// of it already and their names are such.
    fn with_points_of_mesh(&mut self, model: &mut Checked, mut body: Body) -> Body {
        let whole = |name: &str| format!("{}.{name}", body.name);
        let several = body.mesh.no_points.iter();
        let several = several.map(|(name, why)| (whole(name), why.clone()));
        self.no_mesh_points.extend(several);
        for (name, node) in &body.mesh.points {
            let name = whole(name);
            if let Some((_, point)) = body.points.iter().find(|(n, _)| n == node) {
                let why = format!(
                    "is the node that point `{0}` is; name `{0}`",
                    model.points[*point].name
                );
                self.no_mesh_points.push((name, why));
                continue;
            }
            if !is_identifier(&name[body.name.len() + 1..]) {
                let why = "is no name of a point; allowed: letters, digits, underscores";
                self.no_mesh_points.push((name, why.to_string()));
                continue;
            }
            body.points.push((*node, model.points.len()));
            model.points.push(Point {
                name: name.clone(),
                position: body.mesh.nodes[*node],
            });
            self.mesh_points.push(name);
        }
        body
    }

    fn patch<'f>(
        &mut self,
        model: &Checked,
        name: &Name,
        given: &'f file::Patch,
        order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let cells = [0, 1].map(|i| self.count(&given.cells[i], [1, 10_000]));
        let path = format!("{}.patch.edges", name.path);
        let sides = self.chain(model, name, &path, &given.edges, ends)?;
        let Ok(sides) = <[Side; 4]>::try_from(sides) else {
            let seen = given.edges.len();
            let message = format!("{path} has {seen} entries; allowed: 4, counter-clockwise");
            self.report_entry(name, message);
            return None;
        };
        let names = sides.each_ref().map(|side| side.name.clone());
        let patch = Patch {
            order,
            cells,
            sides: sides.map(|side| side.curve),
            names,
            corners: [const { None }; 4],
        };
        self.meshed(name, patch.mesh())
    }

    fn outline<'f>(
        &mut self,
        model: &Checked,
        name: &Name,
        given: &'f file::Outline,
        order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let size = self.number(&given.size, Quantity::Length, POSITIVE);
        let turn = given.largest_turn.as_ref();
        let turn = turn.map(|turn| self.number(turn, Quantity::Angle, TURN));
        let largest_turn = turn.unwrap_or(USUAL_TURN);
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
        let numbers = [Some(&given.size), given.largest_turn.as_ref()];
        if !self.are_known(numbers.into_iter().flatten()) {
            return None;
        }
        let outline = Outline {
            order,
            size,
            largest_turn,
            outer,
            holes,
        };
        self.meshed(name, outline.mesh())
    }

    fn meshed(&mut self, name: &Name, mesh: Result<Mesh, impl Display>) -> Option<Mesh> {
        match mesh {
            Ok(mesh) => Some(mesh),
            Err(fault) => {
                self.report_entry(name, format!("{}: {fault}", name.path));
                None
            }
        }
    }

    /// The curves of a closed chain of edges, or of one circle; their ends are added to `ends`.
    fn chain<'f>(
        &mut self,
        model: &Checked,
        name: &Name,
        path: &str,
        edges: &'f [file::Edge],
        ends: &mut Vec<&'f Name>,
    ) -> Option<Vec<Side>> {
        let mut sides = Vec::new();
        for (k, edge) in edges.iter().enumerate() {
            self.identifier(&edge.name, "edge");
            let size = edge.size.as_ref();
            let size = size.map(|size| self.number(size, Quantity::Length, POSITIVE));
            let whole = Name {
                path: format!("{path}[{k}]"),
                ..edge.name.clone()
            };
            let side = |curve: Axis, begins: &Name| Side {
                name: edge.name.value.clone(),
                curve,
                size,
                begins: Some(begins.value.clone()),
            };
            let drawn = match (&edge.circle, &edge.from, &edge.to) {
                (Some(circle), None, None) => self.circle(model, &whole, edge, circle, size),
                (None, Some(from), Some(to)) => {
                    let drawn = Drawn {
                        name: &whole,
                        what: "edge",
                        from,
                        to,
                        arc: edge.arc.as_ref(),
                        spline: edge.spline.as_ref(),
                    };
                    ends.extend([from, to]);
                    let places = self.point(from).zip(self.point(to));
                    let places = places.map(|(a, b)| [a, b].map(|p| model.points[p].position));
                    let curve = self.axis(&drawn, places);
                    curve.map(|curve| vec![side(curve, from)])
                }
                _ => {
                    let message = format!(
                        "{} needs `from` and `to`, or a `circle`; give one of both",
                        whole.path
                    );
                    self.report_entry(&whole, message);
                    None
                }
            };
            sides.push(drawn);
        }
        let follows = |k: usize| {
            let next = &edges[(k + 1) % edges.len()];
            match (&edges[k].to, &next.from) {
                (Some(to), Some(from)) => to.value == from.value,
                _ => edges.len() == 1 && edges[k].circle.is_some(),
            }
        };
        if edges.is_empty() {
            self.report_entry(
                name,
                format!("{path} is empty; give a closed chain of edges"),
            );
            return None;
        }
        let sides = sides.into_iter().collect::<Option<Vec<_>>>()?.concat();
        if let Some(k) = (0..edges.len()).find(|&k| !follows(k)) {
            let next = &edges[(k + 1) % edges.len()].name;
            let message = format!(
                "{path}: edge `{}` does not begin where `{}` ends; allowed: a closed chain, in which \
                 the `to` of each edge is the `from` of the next, or one circle",
                next.value, edges[k].name.value
            );
            self.report(next, message);
            return None;
        }
        self.known.geometry.then_some(sides)
    }

    fn circle(
        &mut self,
        model: &Checked,
        whole: &Name,
        edge: &file::Edge,
        circle: &file::Circle,
        size: Option<f64>,
    ) -> Option<Vec<Side>> {
        let radius = self.number(&circle.radius, Quantity::Length, POSITIVE);
        if edge.arc.is_some() || edge.spline.is_some() {
            let message = format!("{}: a circle has no `arc` and no `spline`", whole.path);
            self.report_entry(whole, message);
        }
        let center = model.points[self.point(&circle.center)?].position;
        let halves = Side::circle(&edge.name.value, center, radius).into_iter();
        Some(halves.map(|half| Side { size, ..half }).collect())
    }

    /// The points of the model that a body has: nodes, which are moved onto them, and of a rigid body others.
    fn points_of_body(
        &mut self,
        model: &Checked,
        name: &Name,
        mesh: &mut Mesh,
        (named, rigid): (&[(&Name, Option<PointId>)], bool),
    ) -> Option<BodyPoints> {
        let size = plane::extent(mesh.nodes.iter().copied());
        let mut points = BodyPoints::default();
        for (written, point) in named {
            let point = (*point)?;
            if points.have(point) {
                continue;
            }
            let [x, y] = model.points[point].position;
            let far = |at: &[f64; 2]| (at[0] - x).hypot(at[1] - y);
            let nodes = mesh.nodes.iter().enumerate();
            let (node, at) = nodes.min_by(|a, b| far(a.1).total_cmp(&far(b.1)))?;
            let is_node = far(at) <= OFF_NODE * size;
            if !is_node && rigid {
                points.others.push(point);
                continue;
            }
            if !is_node {
                let message = format!(
                    "{}: point `{}` is no node of body `{}`; the nearest is at ({}, {}), {} m away",
                    written.path,
                    written.value,
                    name.value,
                    figure(at[0]),
                    figure(at[1]),
                    rounded(far(at), 6)
                );
                self.report(written, message);
                return None;
            }
            if let Some(&(_, other)) = points.nodes.iter().find(|(n, _)| *n == node) {
                let message = format!(
                    "{}: points `{}` and `{}` are the same node of body `{}`; leave one of them out",
                    written.path, model.points[other].name, written.value, name.value
                );
                self.report(written, message);
                return None;
            }
            mesh.nodes[node] = [x, y];
            points.nodes.push((node, point));
        }
        Some(points)
    }
}
