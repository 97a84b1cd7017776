//! Probes at places of bodies, inside and on edges.

use super::Checker;
use crate::checked::{Behaviour, BodyId, Checked, On, Place, Point, PointId};
use crate::elements::initial::ArcLength;
use crate::message::rounded;
use crate::model::de::{Name, Scalar};
use crate::numerics::hypot::hypot;
use crate::numerics::triangle_map::Within;

/// Digits of a place that a message names: enough for it to be inside when it is copied.
const DIGITS: usize = 9;

pub(super) fn place(
    check: &mut Checker<'_>, model: &mut Checked, name: &Name, body: &Name, at: &[Scalar; 2],
) {
    let position = [0, 1].map(|i| check.number(&at[i]));
    let Some(id) = check.body_named(body) else {
        return;
    };
    if !check.known.geometry || !check.are_known(at) {
        return;
    }
    let mesh = &model.bodies[id].mesh;
    let within = mesh.locate(position);
    if within.is_empty() {
        let nearest = mesh.nearest(position);
        let away = hypot(nearest[0] - position[0], nearest[1] - position[1]);
        let shown = |[x, y]: [f64; 2]| format!("({}, {})", rounded(x, DIGITS), rounded(y, DIGITS));
        let message = format!(
            "{}.place.at is {} m, which is outside body `{}`; the nearest place of the body is {} m, \
             {} m away",
            name.path,
            shown(position),
            body.value,
            shown(nearest),
            rounded(away, 3)
        );
        check.report(&at[0], message);
        return;
    }
    add_place(check, model, name, id, position, within);
}

pub(super) fn edge_place(
    check: &mut Checker<'_>, model: &mut Checked, name: &Name, edge: &Name, fraction: &Scalar,
) {
    let fraction = check.number(fraction);
    let Some(id) = check.edge(model, edge) else {
        return;
    };
    if !check.known.geometry {
        return;
    }
    let axes = model.axes_of_edge(id);
    let lengths: Vec<ArcLength> = axes.iter().map(ArcLength::of).collect();
    let total: f64 = lengths.iter().map(ArcLength::total).sum();
    let (mut side, mut along) = (0, fraction * total);
    while side + 1 < axes.len() && along > lengths[side].total() {
        along -= lengths[side].total();
        side += 1;
    }
    let [xi, ..] = lengths[side].coordinate(along);
    let position = axes[side].position(xi);
    let mesh = &model.bodies[id.body].mesh;
    let nodes = &mesh.edges[id.edge].nodes[side * mesh.order..=(side + 1) * mesh.order];
    let mut within = mesh.locate(position);
    // Not those beyond a slit whose other face lies there as well.
    let triangles: Vec<&[usize]> = mesh.triangles().collect();
    within.retain(|w| triangles[w.element].iter().any(|n| nodes.contains(n)));
    add_place(check, model, name, id.body, position, within);
}

fn add_place(
    check: &mut Checker<'_>, model: &mut Checked, name: &Name, body: BodyId, position: [f64; 2],
    within: Vec<Within>,
) {
    let on = match model.is_rigid(body) {
        true => {
            let point = format!("{}[{}]", model.bodies[body].name, name.value);
            On::Point(point_on_body(check, model, body, point, position))
        }
        false => On::Triangles(within),
    };
    model.places.push(Place { name: name.value.clone(), body, position, on });
}

/// A point that the file does not have.
pub(super) fn own_point(
    check: &mut Checker<'_>, model: &mut Checked, name: String, position: [f64; 2],
) -> PointId {
    model.points.push(Point { name: name.clone(), position });
    check.mesh_points.push(name);
    model.points.len() - 1
}

/// A nameless point that a rigid body carries.
pub(super) fn point_on_body(
    check: &mut Checker<'_>, model: &mut Checked, body: BodyId, name: String, position: [f64; 2],
) -> PointId {
    let point = own_point(check, model, name, position);
    if let Behaviour::Rigid(rigid) = &mut model.bodies[body].behaviour {
        rigid.points.push(point);
    }
    point
}
