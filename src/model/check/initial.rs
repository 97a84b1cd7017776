//! Velocities at the start.

use super::Checker;
use crate::checked::{Checked, Direction, Part, PointId, Start, StartVelocities, Target};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::nodes::Nodes;

pub(super) fn initial(check: &mut Checker<'_>, model: &mut Checked) {
    let file = check.file;
    let initial = file.initial.clone().unwrap_or_default();
    let velocities = match initial.velocities {
        file::Velocities::Rest => StartVelocities::Rest,
        file::Velocities::RigidMechanism => StartVelocities::RigidMechanism,
    };
    let mut given = Vec::new();
    for entry in &file.initial_points {
        let name = Name { path: "initial.points".to_string(), ..entry.name.clone() };
        let point = check.point(&name);
        let Some(values) = &entry.value else { continue };
        let mut rates = translation(check, &values.vx, &values.vy);
        if let Some(scalar) = &values.rotation_rate {
            let value = check.number(scalar);
            rates.push((Direction::Rotation, value));
            if let Some(point) = point {
                let at = Name {
                    value: String::new(),
                    span: scalar.span.clone(),
                    path: scalar.path.clone(),
                };
                check.one_rotation(model, point, None, &at, &scalar.path);
            }
        }
        if let Some(point) = point {
            let target = Target::Point { point, member: None };
            given.extend(rates.into_iter().map(|(direction, v)| (target, direction, v)));
        }
    }
    for entry in &file.initial_bodies {
        let name = Name { path: "initial.bodies".to_string(), ..entry.name.clone() };
        let point = check.point(&name);
        let Some(values) = &entry.value else { continue };
        let velocity = translation(check, &values.vx, &values.vy);
        let Some(point) = point.filter(|_| check.known.topology) else {
            continue;
        };
        let parts = connected(model, point);
        if parts.is_empty() {
            let message = format!(
                "{}: point `{}` belongs to no member and to no body; give its velocity in \
                 [initial.points]",
                entry.name.path, entry.name.value
            );
            check.report_entry(&entry.name, message);
        }
        for (direction, value) in velocity {
            given.extend(parts.iter().map(|&part| (part, direction, value)));
        }
    }
    model.start = Start {
        velocities,
        equilibrium: initial.equilibrium.then_some(initial.fixed_sliders),
        given,
    };
}

fn translation(
    check: &mut Checker<'_>, vx: &Option<Scalar>, vy: &Option<Scalar>,
) -> Vec<(Direction, f64)> {
    let both = [(vx, Direction::X), (vy, Direction::Y)].into_iter();
    both.filter_map(|(scalar, direction)| {
        let value = check.number(scalar.as_ref()?);
        Some((direction, value))
    })
    .collect()
}

/// Velocities of what is prescribed, and bodies that have two.
pub(super) fn initial_velocities(
    check: &mut Checker<'_>, model: &Checked, nodes: &Nodes, holder: &[Option<String>],
) {
    velocities_of_what_is_prescribed(check, model, nodes, holder);
    bodies_with_two_velocities(check, model);
}

fn velocities_of_what_is_prescribed(
    check: &mut Checker<'_>, model: &Checked, nodes: &Nodes, holder: &[Option<String>],
) {
    let file = check.file;
    for entry in &file.initial_points {
        let Some(values) = &entry.value else { continue };
        let Some(point) = model.points.iter().position(|p| p.name == entry.name.value) else {
            continue;
        };
        for (scalar, direction) in [
            (&values.vx, Direction::X),
            (&values.vy, Direction::Y),
            (&values.rotation_rate, Direction::Rotation),
        ] {
            let prescribed = nodes
                .of_point(point, None, direction)
                .and_then(|u| holder[u].as_ref().map(|name| (u, name)));
            if let (Some(scalar), Some((u, name))) = (scalar, prescribed) {
                let message = format!(
                    "{}: {name} fixes {}, its velocity is not free; leave it out",
                    scalar.path,
                    model.name_of_unknown(u, nodes)
                );
                check.report(scalar, message);
            }
        }
    }
}

fn bodies_with_two_velocities(check: &mut Checker<'_>, model: &Checked) {
    let file = check.file;
    let mut before: Vec<(Target, &Name)> = Vec::new();
    for entry in &file.initial_bodies {
        let found = model.points.iter().position(|p| p.name == entry.name.value);
        let parts = found.map(|point| connected(model, point));
        let parts = parts.unwrap_or_default();
        match before.iter().find(|(other, _)| parts.contains(other)) {
            Some((_, other)) => {
                let message = format!(
                    "{} and {} are one body: members or bodies connect the points; give its velocity \
                     once",
                    entry.name.path, other.path
                );
                check.report_entry(&entry.name, message);
            }
            None => before.extend(parts.first().map(|&first| (first, &entry.name))),
        }
    }
}

/// The members and bodies that are connected with a point through points that they share, hinges included.
fn connected(model: &Checked, point: PointId) -> Vec<Target> {
    let at = |point: PointId| {
        let members = model.members_at(point).into_iter().map(Target::Member);
        members.chain(model.bodies_at(point).map(Target::Body))
    };
    let mut parts: Vec<Target> = at(point).collect();
    let mut next = 0;
    while let Some(&part) = parts.get(next) {
        next += 1;
        let points: Vec<PointId> = match part {
            Target::Member(id) => model.points_of(Part::Member(id)),
            Target::Body(id) => model.points_of(Part::Body(id)),
            Target::Point { .. } | Target::Edge(_) => Vec::new(),
        };
        for more in points.into_iter().flat_map(at) {
            if !parts.contains(&more) {
                parts.push(more);
            }
        }
    }
    parts
}
