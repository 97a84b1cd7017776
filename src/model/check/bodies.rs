//! Plane bodies: their mesh, and the points that are nodes of it. What they are made of, see `matter.rs`.

use std::fmt::Display;
use std::sync::Arc as Shared;

use super::material::Material;
use super::matter::Made;
use super::{Checker, chain, is_identifier, places};
use crate::checked::{Behaviour, Body, Checked, PointId, Rigid, Source};
use crate::mesh::{Mesh, Patch, Side};
use crate::message::{figure, rounded};
use crate::model::de::Name;
use crate::model::file;
use crate::numerics::hypot::hypot;
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

/// The bodies, of materials (E, G, ρ).
pub(super) fn bodies(check: &mut Checker<'_>, model: &mut Checked, materials: &[Option<Material>]) {
    let file = check.file;
    for entry in &file.bodies {
        check.identifier(&entry.name, "body");
        let body = (entry.value.as_ref())
            .and_then(|given| given.check(check, model, &entry.name, materials));
        let body = body.map(|(body, places)| with_points_of_mesh(check, model, body, places));
        if body.is_none() {
            // Its corners may be at fault and not itself.
            (check.known.topology, check.known.geometry) = (false, false);
        }
        check.bodies.push(body.is_some().then_some(model.bodies.len()));
        model.bodies.extend(body);
    }
}

impl file::Body {
    fn check(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
        materials: &[Option<Material>],
    ) -> Option<(Body, Vec<Placed>)> {
        let made = self.matter(check, materials);
        let (mut ends, mut places) = (Vec::new(), Vec::new());
        let mesh = match (&self.patch, &self.outline, &self.drawing, &self.mesh) {
            (Some(patch), _, _, _) => {
                let order = self.order_of_triangles(check, name);
                patch.mesh(check, model, name, order, &mut ends)
            }
            (_, Some(outline), _, _) => {
                let order = self.order_of_triangles(check, name);
                outline.mesh(check, model, name, order, &mut ends)
            }
            (_, _, Some(drawing), _) => {
                let order = self.order_of_triangles(check, name);
                let drawn = drawing.mesh(check, name, order);
                drawn.map(|(mesh, points)| {
                    places = points;
                    mesh
                })
            }
            (_, _, _, Some(mesh)) => mesh.mesh(check, name, self.order.as_ref()),
            (None, None, None, None) => self.without_shape(check, name),
        };
        let named: Vec<(&Name, Option<usize>)> = (ends.into_iter())
            .chain(self.points.iter())
            .map(|point| (point, check.point(point)))
            .collect();
        let center = self.centre_of_mass(check, model);
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
        let points = points_of_body(check, model, name, &mut mesh, (&named, self.rigid))?;
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
            source: match self {
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
    fn centre_of_mass(&self, check: &mut Checker<'_>, model: &Checked) -> Option<[f64; 2]> {
        let center = self.center.as_ref()?;
        Some(model.points[check.point(center)?].position)
    }

    /// The empty mesh of a rigid body that is known by mass, inertia, centre of mass and points alone.
    fn without_shape(&self, check: &mut Checker<'_>, name: &Name) -> Option<Mesh> {
        if self.points.is_empty() && !check.reader.is_faulty(&name.path) {
            let message =
                format!("{}.points is empty; name the points that move with it", name.path);
            return check.refuse_entry(name, message);
        }
        is_weighed(self).then(Mesh::default)
    }

    /// The order of triangles that are made here.
    fn order_of_triangles(&self, check: &mut Checker<'_>, name: &Name) -> usize {
        check.count_or(self.order.as_ref(), name.key("order"), 3)
    }
}

impl file::Patch {
    fn mesh<'f>(
        &'f self, check: &mut Checker<'_>, model: &Checked, name: &Name, order: usize,
        ends: &mut Vec<&'f Name>,
    ) -> Option<Mesh> {
        let cells = [0, 1].map(|i| check.count(&self.cells[i]));
        let path = name.key("patch.edges");
        let sides = chain::chain(check, model, name, &path, &self.edges, ends)?;
        let Ok(sides) = <[Side; 4]>::try_from(sides) else {
            let seen = self.edges.len();
            let message = format!("{path} has {seen} entries; allowed: 4, counter-clockwise");
            return check.refuse_entry(name, message);
        };
        let names = sides.each_ref().map(|side| side.name.clone());
        let patch = Patch {
            order,
            cells,
            sides: sides.map(|side| side.curve),
            names,
            corners: [const { None }; 4],
        };
        meshed(check, name, patch.mesh())
    }
}

/// The points that a mesh file or a drawing names are points of the model, as `BODY.NAME`, where they are no points
/// of it already and their names are such.
fn with_points_of_mesh(
    check: &mut Checker<'_>, model: &mut Checked, mut body: Body, places: Vec<Placed>,
) -> Body {
    if matches!(body.source, Source::Model | Source::Points) {
        return body;
    }
    let whole = |name: &str| format!("{}.{name}", body.name);
    let several = body.mesh.no_points.iter();
    let several = several.map(|(name, why)| (whole(name), why.clone()));
    check.no_mesh_points.extend(several);
    for (name, node) in &body.mesh.points {
        let name = whole(name);
        if let Some((_, point)) = body.points.iter().find(|(n, _)| n == node) {
            let why =
                format!("is the node that point `{0}` is; name `{0}`", model.points[*point].name);
            check.no_mesh_points.push((name, why));
            continue;
        }
        let position = body.mesh.nodes[*node];
        if let Some(point) = point_of_mesh(check, model, &body.name, name, position) {
            body.points.push((*node, point));
        }
    }
    for (name, position) in places {
        let whole = format!("{}.{name}", body.name);
        match &mut body.behaviour {
            Behaviour::Rigid(rigid) => {
                let point = point_of_mesh(check, model, &body.name, whole, position);
                rigid.points.extend(point);
            }
            Behaviour::Elastic(..) => {
                let why = "lies on no edge of the body, and only a rigid body has points anywhere";
                check.no_mesh_points.push((whole, why.to_string()));
            }
        }
    }
    body
}

/// The point of the model `BODY.NAME`, where a point may be named so.
fn point_of_mesh(
    check: &mut Checker<'_>, model: &mut Checked, body: &str, name: String, position: [f64; 2],
) -> Option<PointId> {
    if !is_identifier(&name[body.len() + 1..]) {
        let why = "is no name of a point; allowed: letters, digits, underscores";
        check.no_mesh_points.push((name, why.to_string()));
        return None;
    }
    Some(places::own_point(check, model, name, position))
}

pub(super) fn meshed(
    check: &mut Checker<'_>, name: &Name, mesh: Result<Mesh, impl Display>,
) -> Option<Mesh> {
    match mesh {
        Ok(mesh) => Some(mesh),
        Err(fault) => check.refuse_entry(name, format!("{}: {fault}", name.path)),
    }
}

/// The points of the model that a body has: nodes, which are moved onto them, and of a rigid body others.
fn points_of_body(
    check: &mut Checker<'_>, model: &Checked, name: &Name, mesh: &mut Mesh,
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
        let far = |at: &[f64; 2]| hypot(at[0] - x, at[1] - y);
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
            return check.refuse(written, message);
        }
        if let Some(&(_, other)) = points.nodes.iter().find(|(n, _)| *n == node) {
            let message = format!(
                "{}: points `{}` and `{}` are the same node of body `{}`; leave one of them out",
                written.path, model.points[other].name, written.value, name.value
            );
            return check.refuse(written, message);
        }
        mesh.nodes[node] = [x, y];
        points.nodes.push((node, point));
    }
    Some(points)
}
