//! Velocities at the start.

use super::{Checker, FINITE};
use crate::model::checked::{Checked, Direction, Start, StartVelocities, Target};
use crate::model::de::{Name, Scalar};
use crate::model::file;
use crate::model::quantity::Quantity;
use crate::system::Nodes;

impl Checker<'_> {
    pub(super) fn initial(&mut self, model: &mut Checked) {
        let file = self.file;
        let velocities = match file.initial.clone().unwrap_or_default().velocities {
            file::Velocities::Rest => StartVelocities::Rest,
            file::Velocities::RigidMechanism => StartVelocities::RigidMechanism,
        };
        let mut given = Vec::new();
        for entry in &file.initial_points {
            let name = Name {
                path: "initial.points".to_string(),
                ..entry.name.clone()
            };
            let point = self.point(&name);
            let Some(values) = &entry.value else { continue };
            let target = Target::Point {
                point,
                member: None,
            };
            self.translation(target, &values.vx, &values.vy, &mut given);
            if let Some(scalar) = &values.rotation_rate {
                let value = self.number(scalar, Quantity::AngularVelocity, FINITE);
                self.one_rotation(model, point, None, &scalar.span, &scalar.path);
                given.push((target, Direction::Rotation, value));
            }
        }
        for entry in &file.initial_members {
            let name = Name {
                path: "initial.members".to_string(),
                ..entry.name.clone()
            };
            let target = Target::Member(self.member(&name));
            let Some(values) = &entry.value else { continue };
            self.translation(target, &values.vx, &values.vy, &mut given);
        }
        model.start = Start { velocities, given };
    }

    fn translation(
        &mut self,
        target: Target,
        vx: &Option<Scalar>,
        vy: &Option<Scalar>,
        given: &mut Vec<(Target, Direction, f64)>,
    ) {
        for (scalar, direction) in [(vx, Direction::X), (vy, Direction::Y)] {
            if let Some(scalar) = scalar {
                let value = self.number(scalar, Quantity::Velocity, FINITE);
                given.push((target, direction, value));
            }
        }
    }

    /// Velocities of points that are held, and of members that meet with different ones.
    pub(super) fn initial_velocities(
        &mut self,
        model: &Checked,
        nodes: &Nodes,
        holder: &[Option<String>],
    ) {
        self.velocities_of_what_is_held(model, nodes, holder);
        self.members_of_one_velocity(model, nodes);
    }

    fn velocities_of_what_is_held(
        &mut self,
        model: &Checked,
        nodes: &Nodes,
        holder: &[Option<String>],
    ) {
        let file = self.file;
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
                let held = nodes
                    .of_point(point, None, direction)
                    .and_then(|u| holder[u].as_ref().map(|name| (u, name)));
                if let (Some(scalar), Some((u, name))) = (scalar, held) {
                    let message = format!(
                        "{}: {name} holds {}, its velocity is not free; leave it out",
                        scalar.path,
                        nodes.describe(model, u)
                    );
                    self.report(&scalar.span, message);
                }
            }
        }
    }

    fn members_of_one_velocity(&mut self, model: &Checked, nodes: &Nodes) {
        let file = self.file;
        let mut before: Vec<Option<(f64, &str)>> = vec![None; nodes.initial.len()];
        let given = (model.start.given.iter()).filter(|g| !matches!(g.0, Target::Member(_)));
        let points: Vec<usize> = given
            .flat_map(|&(target, direction, _)| nodes.of_target(target, direction))
            .collect();
        for entry in &file.initial_members {
            let Some(values) = &entry.value else { continue };
            let member = model
                .members
                .iter()
                .position(|m| m.name == entry.name.value);
            let Some(member) = member else { continue };
            for (scalar, direction) in [(&values.vx, Direction::X), (&values.vy, Direction::Y)] {
                let Some(scalar) = scalar else { continue };
                let mine = |g: &&(Target, Direction, f64)| {
                    g.0 == Target::Member(member) && g.1 == direction
                };
                let value = model.start.given.iter().find(mine).map_or(0.0, |g| g.2);
                for u in nodes.of_target(Target::Member(member), direction) {
                    match before[u] {
                        Some((other, path)) if other != value && !points.contains(&u) => {
                            let message = format!(
                                "{} makes {} start with {value} m/s, and {path} with {other} m/s; \
                                 give both members the same velocity, or that point one of its own \
                                 in [initial.points]",
                                scalar.path,
                                nodes.describe(model, u)
                            );
                            self.report(&scalar.span, message);
                            break;
                        }
                        _ => before[u] = Some((value, scalar.path.as_str())),
                    }
                }
            }
        }
    }
}
