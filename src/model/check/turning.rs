//! Which of what turns at a point is meant.

use super::Checker;
use crate::checked::{BodyId, Checked, MemberId, PointId, Turns};
use crate::message::listed;
use crate::model::de::Name;

impl Checker<'_> {
    /// Checks that a rotation at `point` is one only: that of `member`'s end, or the point's.
    pub(super) fn one_rotation(
        &mut self, model: &Checked, point: PointId, member: Option<MemberId>, at: &Name, path: &str,
    ) {
        self.one_turns(model, (point, member), at, path, false);
    }

    /// [`Checker::one_rotation`] where rigid bodies may be `nameable`, too.
    pub(super) fn one_turns(
        &mut self, model: &Checked, (point, member): (PointId, Option<MemberId>), at: &Name,
        path: &str, nameable: bool,
    ) {
        if !self.known.topology {
            return;
        }
        let name = &model.points[point].name;
        let ending = model.members_at(point);
        let names = |ids: &[usize]| listed(ids.iter().map(|&m| model.members[m].name.as_str()));
        let bodies: Vec<BodyId> = model.bodies_turning_at(point).collect();
        match member {
            Some(m) if !ending.contains(&m) => self.report_entry(
                at,
                format!(
                    "{path}: member `{}` does not end at point `{name}`; members that do: {}",
                    model.members[m].name,
                    names(&ending)
                ),
            ),
            None if model.rotations_at(point) == 0 => self.report_entry(
                at,
                match model.body_centred_at(point) {
                    Some(body) => format!(
                        "{path}: point `{name}` has no rotation: it is only marked as the center of body `{0}`; list it in bodies.{0}.points",
                        body.name
                    ),
                    None => format!("{path}: point `{name}` has no rotation, no member ends there"),
                },
            ),
            None if !model.turns_as_one(point) => self.report_entry(
                at,
                format!(
                    "{path}: several {} turn on their own at point `{name}`; {}: {}",
                    if bodies.is_empty() { "members" } else { "parts" },
                    match (nameable || bodies.is_empty(), ending.is_empty()) {
                        (true, _) => "say which with `member`",
                        (false, true) => "take a point that only one of them carries",
                        (false, false) =>
                            "say which with `member`, or take a point that only one of them carries",
                    },
                    listed(
                        (ending.iter().map(|&m| model.members[m].name.as_str()))
                            .chain(bodies.iter().map(|&b| model.bodies[b].name.as_str()))
                    )
                ),
            ),
            _ => {}
        }
    }

    /// The end of a member or the rigid body of this name, which turns at a `point`; `None` with a fault on record.
    pub(super) fn turning(
        &mut self, model: &Checked, name: &Name, point: (PointId, &Name),
    ) -> Option<Turns> {
        let file = self.file;
        let member = file.members.iter().any(|e| e.name.value == name.value);
        let body = file.bodies.iter().any(|e| e.name.value == name.value);
        if body && !member {
            return self.rigid_body_at(model, name, point).map(Turns::Body);
        }
        self.member(name).map(Turns::Member)
    }

    /// The rigid body of this name, which carries a `point`; `None` with a fault on record.
    pub(super) fn rigid_body_at(
        &mut self, model: &Checked, name: &Name, (point, written): (PointId, &Name),
    ) -> Option<BodyId> {
        let body = self.body_named(name)?;
        if model.rigid_bodies_at(point).any(|b| b == body) {
            return Some(body);
        }
        let message = match model.is_rigid(body) {
            true => format!(
                "{}: rigid body `{}` does not carry point `{}`; name it in its `points`",
                name.path, name.value, written.value
            ),
            false => format!(
                "{}: body `{}` is elastic and has no rotation at point `{}`; make it `rigid`, let one of its edges slide \
                 (`sliding`), or let a member along an edge end there",
                name.path, name.value, written.value
            ),
        };
        self.refuse(name, message)
    }
}
