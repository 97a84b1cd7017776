//! Plane bodies: their mesh, and the points that are nodes of it. What they are made of, see `matter.rs`.

use std::fmt::Display;
use std::sync::Arc as Shared;

use super::material::Material;
use super::matter::Made;
use super::{Checker, is_identifier};
use crate::checked::{Behaviour, Body, Checked, Point, PointId, Rigid, Source};
use crate::mesh::{Mesh, Patch, Side};
use crate::message::{figure, rounded};
use crate::model::de::Name;
use crate::model::file;
use crate::numerics::plane;

/// How far a point may be from the node that it is, relative to the body: coordinates of drawings are
/// rounded, and the node is moved onto the point.
const OFF_NODE: f64 = 1e-6;

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

/// A point of a drawing that is on no edge, m.
type Placed = (String, [f64; 2]);

/// Whether a body has its mass and inertia as such.
fn is_weighed(given: &file::Body) -> bool {
    given.rigid && given.mass.is_some() && given.inertia.is_some()
}

impl Checker<'_> {
    /// The bodies, of materials (E, G, ρ).
    pub(super) fn bodies(&mut self, model: &mut Checked, materials: &[Option<Material>]) {
        let file = self.file;
        for entry in &file.bodies {
            self.identifier(&entry.name, "body");
            let body = (entry.value.as_ref())
                .and_then(|given| self.body(model, &entry.name, given, materials));
            let body = body.map(|(body, places)| self.with_points_of_mesh(model, body, places));
            if body.is_none() {
                // Its corners may be at fault and not itself.
                (self.known.topology, self.known.geometry) = (false, false);
            }
            self.bodies.push(body.is_some().then_some(model.bodies.len()));
            model.bodies.extend(body);
        }
    }

    fn body(
        &mut self, model: &Checked, name: &Name, given: &file::Body, materials: &[Option<Material>],
    ) -> Option<(Body, Vec<Placed>)> {
        let made = self.made(given, materials);
        let (mut ends, mut places) = (Vec::new(), Vec::new());
        let mesh = match (&given.patch, &given.outline, &given.drawing, &given.mesh) {
            (Some(patch), _, _, _) => {
                let order = self.order(name, given);
                self.patch(model, name, patch, order, &mut ends)
            }
            (_, Some(outline), _, _) => {
                let order = self.order(name, given);
                self.outline(model, name, outline, order, &mut ends)
            }
            (_, _, Some(drawing), _) => {
                let order = self.order(name, given);
                let drawn = self.drawing(name, drawing, order);
                drawn.map(|(mesh, points)| {
                    places = points;
                    mesh
                })
            }
            (_, _, _, Some(mesh)) => self.mesh_file(name, mesh, given.order.as_ref()),
            (None, None, None, None) => self.without_shape(name, given),
        };
        let named: Vec<(&Name, Option<usize>)> = (ends.into_iter())
            .chain(given.points.iter())
            .map(|point| (point, self.point(point)))
            .collect();
        let center = self.center(model, given);
        let (mut mesh, made) = (mesh?, made?);
        if let (Made::Weighed([mass, inertia]), true, Some(centre)) =
            (&made, mesh.nodes.is_empty(), center)
        {
            let places: Option<Vec<[f64; 2]>> =
                (named.iter()).map(|(_, point)| Some(model.points[(*point)?].position)).collect();
            // A disc of this radius has mass and inertia of the body.
            let radius = (2.0 * inertia / mass).sqrt();
            let radius = if radius > 0.0 && radius.is_finite() { radius } else { 0.01 };
            mesh = Mesh::star(centre, &places?, radius);
        }
        let points = self.points_of_body(model, name, &mut mesh, (&named, given.rigid))?;
        let moments = mesh.drawn_moments();
        let rigid = |[mass, inertia]: [f64; 2], matter| {
            let centre = center.unwrap_or(moments.centre);
            let points = points.others;
            Behaviour::Rigid(Rigid { mass, inertia, centre, matter, points })
        };
        let behaviour = match made {
            Made::Elastic(law, matter) => Behaviour::Elastic(law, matter),
            Made::Rigid(matter) => rigid(matter.weight(&moments), Some(matter)),
            Made::Weighed(weight) => rigid(weight, None),
        };
        let body = Body {
            name: name.value.clone(),
            member: None,
            mesh: Shared::new(mesh),
            source: match given {
                file::Body { mesh: Some(_), .. } => Source::Mesh,
                file::Body { drawing: Some(_), .. } => Source::Drawing,
                file::Body { outline: None, patch: None, .. } => Source::Points,
                _ => Source::Model,
            },
            behaviour,
            points: points.nodes,
        };
        Some((body, places))
    }

    /// The centre of mass as it is given.
    fn center(&mut self, model: &Checked, given: &file::Body) -> Option<[f64; 2]> {
        let center = given.center.as_ref()?;
        Some(model.points[self.point(center)?].position)
    }

    /// The empty mesh of a rigid body that is known by mass, inertia, centre of mass and points alone.
    fn without_shape(&mut self, name: &Name, given: &file::Body) -> Option<Mesh> {
        if given.points.is_empty() && !self.reader.is_faulty(&name.path) {
            let message =
                format!("{}.points is empty; name the points that move with it", name.path);
            self.report_entry(name, message);
            return None;
        }
        is_weighed(given).then(Mesh::default)
    }

    /// The order of triangles that are made here.
    fn order(&mut self, name: &Name, given: &file::Body) -> usize {
        let path = format!("{}.order", name.path);
        self.count_or(given.order.as_ref(), path, 3)
    }

    /// The points that a mesh file or a drawing names are points of the model, as `BODY.NAME`, where they are no points
    /// of it already and their names are such.
    fn with_points_of_mesh(
        &mut self, model: &mut Checked, mut body: Body, places: Vec<Placed>,
    ) -> Body {
        if matches!(body.source, Source::Model | Source::Points) {
            return body;
        }
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
            let position = body.mesh.nodes[*node];
            if let Some(point) = self.point_of_mesh(model, &body.name, name, position) {
                body.points.push((*node, point));
            }
        }
        for (name, position) in places {
            let whole = format!("{}.{name}", body.name);
            match &mut body.behaviour {
                Behaviour::Rigid(rigid) => {
                    let point = self.point_of_mesh(model, &body.name, whole, position);
                    rigid.points.extend(point);
                }
                Behaviour::Elastic(..) => {
                    let why =
                        "lies on no edge of the body, and only a rigid body has points anywhere";
                    self.no_mesh_points.push((whole, why.to_string()));
                }
            }
        }
        body
    }

    /// The point of the model `BODY.NAME`, where a point may be named so.
    fn point_of_mesh(
        &mut self, model: &mut Checked, body: &str, name: String, position: [f64; 2],
    ) -> Option<PointId> {
        if !is_identifier(&name[body.len() + 1..]) {
            let why = "is no name of a point; allowed: letters, digits, underscores";
            self.no_mesh_points.push((name, why.to_string()));
            return None;
        }
        model.points.push(Point { name: name.clone(), position });
        self.mesh_points.push(name);
        Some(model.points.len() - 1)
    }

    fn patch<'f>(
        &mut self, model: &Checked, name: &Name, given: &'f file::Patch, order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let cells = [0, 1].map(|i| self.count(&given.cells[i]));
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

    pub(super) fn meshed(&mut self, name: &Name, mesh: Result<Mesh, impl Display>) -> Option<Mesh> {
        match mesh {
            Ok(mesh) => Some(mesh),
            Err(fault) => {
                self.report_entry(name, format!("{}: {fault}", name.path));
                None
            }
        }
    }

    /// The points of the model that a body has: nodes, which are moved onto them, and of a rigid body others.
    fn points_of_body(
        &mut self, model: &Checked, name: &Name, mesh: &mut Mesh,
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
            let nearest = nodes.min_by(|a, b| far(a.1).total_cmp(&far(b.1)));
            let Some((node, at)) = nearest.filter(|(_, at)| !rigid || far(at) <= OFF_NODE * size)
            else {
                points.others.push(point);
                continue;
            };
            if far(at) > OFF_NODE * size {
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
