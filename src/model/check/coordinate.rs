//! What is between two points, or between the rotations of two sections.

use super::Checker;
use crate::checked::{Between, Checked, PointId, Section, SpringEnd};
use crate::model::de::Name;
use crate::model::file::SpringDirection;

/// The ends of something as written.
pub(super) struct Ends<'a> {
    /// "spring" or "coupling", in messages.
    pub what: &'static str,
    /// Only how far it moves counts, not from where.
    pub moves: bool,
    pub from: Option<&'a Name>,
    pub ground: Option<&'a Name>,
    pub to: &'a Name,
    pub along: Along,
    pub from_member: Option<&'a Name>,
    pub to_member: Option<&'a Name>,
}

/// What is counted of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Along {
    Line,
    Axis(usize),
    /// A unit vector.
    Way([f64; 2]),
    Rotation,
}

impl Along {
    pub fn of(direction: SpringDirection) -> Along {
        match direction {
            SpringDirection::Line => Along::Line,
            SpringDirection::X => Along::Axis(0),
            SpringDirection::Y => Along::Axis(1),
            SpringDirection::Rotation => Along::Rotation,
        }
    }
}

impl Ends<'_> {
    /// What these ends are of; `None` with a fault on record.
    pub(super) fn between(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name,
    ) -> Option<Between> {
        let turns = self.along == Along::Rotation;
        let what = self.what;
        let from = match self.from {
            Some(from) => Some(check.point(from)?),
            None => None,
        };
        let ground = match self.ground {
            Some(ground) => Some(check.point(ground)?),
            None => None,
        };
        let to = check.point(self.to)?;
        if turns {
            return self.between_sections(check, model, name, from, to);
        }
        let from = match (from, ground) {
            (Some(point), _) => SpringEnd::Point(point),
            (None, Some(point)) => SpringEnd::Ground(point),
            (None, None) if self.moves && self.along != Along::Line => SpringEnd::Ground(to),
            // It is missed among the relations of the keys.
            (None, None) => return None,
        };
        if check.known.topology {
            let ends = [(self.from, from), (Some(self.to), SpringEnd::Point(to))];
            for (written, end) in ends {
                if let (Some(written), SpringEnd::Point(point)) = (written, end)
                    && !is_of_something(check, model, point)
                {
                    let message = format!(
                        "{}: nothing is at point `{}` but {what}s; give it a mass, or name it as `ground` if it is fixed",
                        written.path, written.value
                    );
                    return check.refuse(written, message);
                }
            }
        }
        let between = match self.along {
            Along::Axis(axis) => Between::Axis { axis, from, to },
            Along::Way(direction) => Between::Along { direction, from, to },
            Along::Line | Along::Rotation => Between::Line { from, to },
        };
        if from == SpringEnd::Point(to) {
            let message = format!(
                "{}: `from` and `to` are both `{}`; a {what} acts between two points",
                name.path, self.to.value
            );
            return check.refuse(self.to, message);
        }
        let line = matches!(between, Between::Line { .. });
        if line && check.known.geometry && model.initial_measure(&between) == 0.0 {
            let message = format!(
                "{}: `{}` and `{}` have the same initial position, and a line needs a direction; take direction = \"x\", \"y\" or \
                 \"rotation\"",
                name.path,
                model.points[from.point()].name,
                self.to.value
            );
            return check.refuse_entry(name, message);
        }
        Some(between)
    }

    pub(super) fn between_sections(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, from: Option<PointId>,
        to: PointId,
    ) -> Option<Between> {
        let from_member = check.optional_member(self.from_member)?;
        let to_member = check.optional_member(self.to_member)?;
        let to: Section = (to, to_member);
        let from: Option<Section> = from.map(|point| (point, from_member));
        check.one_rotation(model, to.0, to.1, name, &self.to.path);
        if let (Some((point, member)), Some(written)) = (from, self.from) {
            check.one_rotation(model, point, member, name, &written.path);
        }
        let same = from.is_some_and(|from| {
            let groups = model.rotation_groups(to.0);
            let group = |member| groups.iter().position(|group| member_in(group, member));
            from == to || from.0 == to.0 && group(from.1) == group(to.1)
        });
        if same && check.known.topology {
            let message = format!(
                "{}: both sides are one rotation, which a {} cannot turn against itself; name two members that a hinge lets turn \
                 with `from_member` and `to_member`",
                name.path, self.what
            );
            return check.refuse_entry(name, message);
        }
        Some(Between::Sections { from, to })
    }
}

/// Whether anything but springs is at a point, or it is held or moved.
fn is_of_something(check: &Checker<'_>, model: &Checked, point: PointId) -> bool {
    let name = &model.points[point].name;
    let named = |written: Option<&Name>| written.is_some_and(|written| written.value == *name);
    let file = check.file;
    let supports = file.supports.iter().filter_map(|e| e.value.as_ref());
    let motions = file.motions.iter().filter_map(|e| e.value.as_ref());
    !model.members_at(point).is_empty()
        || model.bodies_at(point).next().is_some()
        || model.masses.iter().any(|mass| mass.point == point)
        || (model.sliders_of_joints()).any(|(_, slider)| slider.point == point)
        || supports.map(|s| s.point.as_ref()).any(named)
        || motions.map(|m| m.point.as_ref()).any(named)
}

/// Whether a rotation is that of a member's end, or of a point without a member named, which then has one only.
fn member_in(group: &[usize], member: Option<usize>) -> bool {
    member.is_none_or(|member| group.contains(&member))
}
