//! Friction of hinges.

use super::Checker;
use crate::checked::{
    Checked, FrictionHinge, Hinge, MemberLine, Part, PathEnds, PointId, Slider, SliderKind, Turns,
};
use crate::laws::bearing::SliderBearing;
use crate::laws::friction::Friction;
use crate::message::listed;
use crate::model::de::{Group, Name};
use crate::model::file;

impl file::Hinge {
    /// The friction of hinge `name`, where it has a radius.
    pub(super) fn friction(
        &self, check: &mut Checker<'_>, model: &mut Checked, name: &Name, joint: &file::Joint,
    ) {
        let Some(radius) = &self.radius else {
            return;
        };
        let radius = check.number(radius);
        let Some(friction) = &joint.friction else {
            return;
        };
        let friction = friction.check(check, name);
        if friction.kind().feels_inertia {
            let message = format!(
                "{}: the printed form of Siqueira and Coda (2023) belongs to joints that slide on paths; leave `transition` out",
                name.path
            );
            check.report_entry(name, message);
        }
        let Some(point) = check.point(&self.point).filter(|_| check.known.topology) else {
            return;
        };
        let Some((presses, sides)) = self.sides(check, model, name, point) else {
            return;
        };
        model.friction_hinges.push(FrictionHinge {
            slider: model.sliders.len(),
            point,
            presses,
            radius,
            sides,
        });
        model.sliders.push(slider(name, point, friction));
    }

    /// Whose force presses, and what turns against what; `None` with a fault on record.
    fn sides(
        &self, check: &mut Checker<'_>, model: &Checked, name: &Name, point: PointId,
    ) -> Option<(Part, [Turns; 2])> {
        let alone = |group: &[Group]| match group {
            [Group(names)] => <[Name; 1]>::try_from(names.clone()).ok(),
            _ => None,
        };
        let Some([released]) = &self.release.as_deref().and_then(alone) else {
            let members = model.members_at(point).into_iter();
            let bodies = model.bodies_turning_at(point);
            let members = members.map(|id| model.members[id].name.as_str());
            let names: Vec<&str> =
                members.chain(bodies.map(|id| model.bodies[id].name.as_str())).collect();
            let example = names.last().copied().unwrap_or("MEMBER");
            let message = format!(
                "{}: friction acts between one part at point `{}` and all others there; write which one, as release = [\"{example}\"]; \
                 allowed: {}",
                name.path,
                model.points[point].name,
                listed(names.iter().copied())
            );
            return check.refuse_entry(name, message);
        };
        let file = check.file;
        let body = |e: &file::Entry<file::Body>| e.name.value == released.value;
        let (presses, turns) = if file.bodies.iter().any(body) {
            let body = check.rigid_body_at(model, released, (point, &self.point))?;
            (Part::Body(body), Turns::Body(body))
        } else {
            let member = check.member(released)?;
            if matches!(model.members[member].line, MemberLine::Edge(_)) {
                let message = format!(
                    "{}: member `{}` follows an edge of a body and shares its nodes, so that its force at point `{}` is not \
                     known; name what turns on it",
                    released.path, released.value, self.point.value
                );
                return check.refuse(released, message);
            }
            if !model.members_at(point).contains(&member) {
                // On record with the hinge.
                return None;
            }
            (Part::Member(member), Turns::Member(member))
        };
        let rest = rest_at(check, model, (name, self), point, presses)?;
        Some((presses, [rest, turns]))
    }
}

/// What is at a point beside the part that turns there; `None` with a fault on record.
fn rest_at(
    check: &mut Checker<'_>, model: &Checked, (name, given): (&Name, &file::Hinge), point: PointId,
    part: Part,
) -> Option<Turns> {
    let mut rest: Vec<Turns> = Vec::new();
    for (k, group) in model.rotation_groups(point).iter().enumerate() {
        let carrier = model.rotation_carrier_at(point).filter(|_| k == 0);
        if group.iter().any(|&m| Part::Member(m) == part) || carrier.map(Part::Body) == Some(part) {
            continue;
        }
        let turns = group.first().map(|&member| Turns::Member(member));
        rest.extend(turns.or(carrier.map(Turns::Body)));
    }
    // Rigid bodies that nothing is clamped to.
    let bodies = model.rigid_bodies_at(point);
    let bodies = bodies.filter(|&b| model.bodies[b].member.is_none());
    let bodies = bodies.filter(|&b| model.rotation_carrier_at(point) != Some(b));
    rest.extend(bodies.filter(|&b| Part::Body(b) != part).map(Turns::Body));
    match rest.as_slice() {
        [] => ground_at(check, model, (name, given), point),
        [one] => Some(*one),
        [first, ..] if stays(model, point, *first) => Some(*first),
        several => {
            let names = several.iter().map(|turns| match turns {
                Turns::Ground => "the ground",
                Turns::Body(body) => model.bodies[*body].name.as_str(),
                Turns::Member(member) => model.members[*member].name.as_str(),
            });
            let message = format!(
                "{}: {} turn on their own at point `{}`, and it is open against which of them the friction acts; leave that one out of \
                 every `release`",
                name.path,
                listed(names),
                given.point.value
            );
            check.refuse(&given.point, message)
        }
    }
}

/// The ground, on which what is alone at a point turns with friction where something holds or loads the point; `None` with a fault on
/// record.
fn ground_at(
    check: &mut Checker<'_>, model: &Checked, (name, given): (&Name, &file::Hinge), point: PointId,
) -> Option<Turns> {
    let elastic = model.bodies_at(point).find(|&b| !model.is_rigid(b));
    if let Some(body) = elastic {
        let message = format!(
            "{}: {} has no rotation at point `{}` against which friction could act; let a member along its edge end there",
            name.path,
            model.bodies[body].quoted(),
            given.point.value
        );
        return check.refuse(&given.point, message);
    }
    let file = check.file;
    let named = |other: Option<&Name>| other.is_some_and(|n| n.value == given.point.value);
    let motions = file.motions.iter().filter_map(|e| e.value.as_ref());
    let springs = file.springs.iter().filter_map(|e| e.value.as_ref());
    let loads = file.loads.iter().filter_map(|e| e.value.as_ref());
    let held = model.is_among(point, model.supports.iter().map(|s| s.target))
        || model.masses.iter().any(|mass| mass.point == point)
        || model.sliders.iter().any(|slider| slider.point == point)
        || { motions }.any(|motion| named(motion.point.as_ref()))
        || { springs }.any(|s| named(Some(&s.to)) || named(s.from.as_ref()))
        || { loads }.any(|load| named(load.point.as_ref()));
    if held {
        return Some(Turns::Ground);
    }
    let message = format!(
        "{}: nothing else is at point `{}` against which friction could act; fix the point by a support, or let another member end \
         there",
        name.path, given.point.value
    );
    check.refuse(&given.point, message)
}

/// Whether no hinge releases what is at a point.
fn stays(model: &Checked, point: PointId, turns: Turns) -> bool {
    let Turns::Member(member) = turns else {
        return true;
    };
    let releases = |hinge: &Hinge| {
        hinge.point == point && hinge.released.iter().flatten().any(|m| *m == member)
    };
    !model.hinges.iter().any(releases)
}

fn slider(name: &Name, point: PointId, friction: Friction) -> Slider {
    Slider {
        name: name.value.clone(),
        kind: SliderKind::Hinge,
        point,
        turning: None,
        path: Vec::new(),
        ends: PathEnds::Continue,
        restitution: 0.0,
        impact_friction: false,
        smooth: false,
        side: None,
        bearing: SliderBearing::Pin,
        roughness: None,
        friction,
        equivalent: None,
        // The stick branch of laws that have one needs some: that of the whole mechanism.
        sliding_mass: None,
    }
}
