//! What no single entry shows.

use super::{Checker, initial, redundant};
use crate::checked::{
    Bearing, Checked, Direction, MemberId, Moved, PathEnds, PointId, Slider, SliderKind, Target,
};
use crate::message::listed;
use crate::model::de::Name;
use crate::model::file::Entry;
use crate::nodes::{FrameNode, Nodes};

/// Unknowns prescribed twice, members without stiffness that may move, velocities of what is prescribed,
/// friction without mass, nothing left to move.
pub(super) fn whole(check: &mut Checker<'_>, model: &Checked) {
    let nodes = model.nodes();
    let holder = holders(check, model, &nodes);
    let releasing = model.motions.iter().filter(|m| m.release.is_some());
    let released: Vec<usize> =
        releasing.flat_map(|motion| model.prescribed_by(motion, &nodes)).collect();
    members_without_stiffness(check, model, &nodes, &holder, &released);
    redundant::held_once(check, model, &nodes, &holder, &released);
    initial::initial_velocities(check, model, &nodes, &holder);
    friction_has_mass(check, model);
    what_leaves_has_mass(check, model);
    what_is_released_is_held(check, model);
    inertia_can_turn(check, model);
    if !holder.is_empty() && holder.iter().all(Option::is_some) && released.is_empty() {
        let points = listed(model.points.iter().map(|p| p.name.as_str()));
        let message = format!(
            "nothing can move: supports and motions constrain all directions of {points}; take a direction out of a `fix`, or leave a motion out"
        );
        let file = check.file;
        let supports = file.supports.iter().map(|entry| &entry.name);
        let motions = file.motions.iter().map(|entry| &entry.name);
        if let Some(first) = supports.chain(motions).next() {
            check.report_entry(first, message);
        }
    }
}

/// What holds each nodal unknown.
fn holders(check: &mut Checker<'_>, model: &Checked, nodes: &Nodes) -> Vec<Option<String>> {
    let mut holder: Vec<Option<String>> = vec![None; nodes.initial.len()];
    let file = check.file;
    let mut claims = Vec::new();
    for (support, entry) in model.supports.iter().zip(&file.supports) {
        for &direction in &support.fixed {
            let unknowns: Vec<usize> = nodes.of_target(support.target, direction).collect();
            claims.push((unknowns, &entry.name, Vec::new()));
        }
    }
    for (motion, entry) in model.motions.iter().zip(&file.motions) {
        // What these supports hold is theirs to move.
        let carried = match &motion.moved {
            Moved::Supports(list) => list.iter().map(|&s| &file.supports[s].name.path).collect(),
            Moved::Target(_) | Moved::Coupling(_) => Vec::new(),
        };
        claims.push((model.prescribed_by(motion, nodes), &entry.name, carried));
    }
    for (unknowns, name, carried) in claims {
        for u in unknowns {
            match &holder[u] {
                Some(first)
                    if *first != name.path
                        && !carried.contains(&first)
                        && name.path.starts_with("motions") =>
                {
                    let message = format!(
                        "{} moves {}, which {first} constrains already; remove one of them",
                        name.path,
                        model.name_of_unknown(u, nodes)
                    );
                    check.report_entry(name, message);
                    break;
                }
                _ => holder[u] = Some(name.path.clone()),
            }
        }
    }
    holder
}

fn members_without_stiffness(
    check: &mut Checker<'_>, model: &Checked, nodes: &Nodes, holder: &[Option<String>],
    released: &[usize],
) {
    let file = check.file;
    for (id, entry) in file.members.iter().enumerate() {
        let prescribed = |u: usize| holder[u].is_some() && !released.contains(&u);
        let mut unknowns = nodes.of_member(id).iter().flat_map(FrameNode::unknowns);
        let free = unknowns.find(|&u| !prescribed(u));
        let given = entry.value.as_ref();
        let bare = given.is_some_and(|g| !g.rigid && g.material.is_none() && g.section.is_none());
        let bare = bare && !check.is_unread(&entry.name.path);
        if let (true, Some(u)) = (bare, free) {
            let when = if holder[u].is_some() { "fixed for a time only" } else { "not fixed" };
            let message = format!(
                "{} has no material and section, and {} is {when}; give both, or \
                 `rigid = true` to what moves as a whole, or fix all of the member by a support \
                 or motions in x, y and rotation",
                entry.name.path,
                model.name_of_unknown(u, nodes)
            );
            check.report_entry(&entry.name, message);
        }
    }
}

/// The rotary inertia of a point where no member ends counts only where something else acts on its
/// rotation.
fn inertia_can_turn(check: &mut Checker<'_>, model: &Checked) {
    let file = check.file;
    for entry in &file.masses {
        let Some(inertia) = entry.value.as_ref().and_then(|m| m.rotary_inertia.as_ref()) else {
            continue;
        };
        let mut masses = model.masses.iter();
        let Some(mass) = masses.find(|m| m.name == entry.name.value) else {
            continue;
        };
        let ends = !model.members_at(mass.point).is_empty();
        // What has a fault may be what turns it.
        let doubtful = ["joints", "springs", "couplings", "loads", "supports", "motions"];
        let doubtful = doubtful.iter().any(|section| check.reader.is_faulty(section));
        let turns = ends || doubtful || is_turned(check, model, mass.point);
        if mass.rotary_inertia > 0.0 && !turns {
            let message = format!(
                "{}: nothing turns point `{}`: no member ends there, and no prismatic joint, \
                 spring, coupling, moment, support or motion acts on its rotation; leave it out",
                inertia.path, model.points[mass.point].name
            );
            check.report(inertia, message);
        }
    }
}

/// Whether something but members acts on the rotation of a point.
fn is_turned(check: &Checker<'_>, model: &Checked, point: PointId) -> bool {
    let prismatic = |s: &Slider| s.point == point && s.kind == SliderKind::Prismatic;
    let turning = |target: &Target| matches!(target, Target::Point { point: p, .. } if *p == point);
    let fixed = model.supports.iter();
    let fixed = fixed.filter(|support| support.fixed.contains(&Direction::Rotation));
    let driven = model.motions.iter().filter(|m| m.direction == Direction::Rotation);
    let driven = driven.filter_map(|motion| match &motion.moved {
        Moved::Target(target) => Some(target),
        Moved::Supports(_) | Moved::Coupling(_) => None,
    });
    let begun = model.start.given.iter();
    let begun = begun.filter(|(_, direction, _)| *direction == Direction::Rotation);
    let moments = check.file.loads.iter().filter_map(|entry| entry.value.as_ref());
    let mut moments = moments.filter(|load| load.moment.is_some());
    let name = &model.points[point].name;
    // As written: one that has a fault would turn it.
    let mut couplings = check.file.couplings.iter().filter_map(|e| e.value.as_ref());
    let mut springs = check.file.springs.iter().filter_map(|e| e.value.as_ref());
    model.sliders.iter().any(prismatic)
        || springs.any(|spring| spring.turns(name))
        || couplings.any(|coupling| coupling.turns(name))
        || fixed.map(|support| &support.target).any(turning)
        || driven.into_iter().any(turning)
        || begun.map(|(target, _, _)| target).any(turning)
        || moments.any(|load| load.point.as_ref().is_some_and(|p| p.value == *name))
}

fn friction_has_mass(check: &mut Checker<'_>, model: &Checked) {
    let file = check.file;
    let names: Vec<&Name> = file.joints.iter().map(|e| &e.name).collect();
    for slider in &model.sliders {
        let name = names.iter().find(|n| n.value == slider.name);
        if let Some(name) = name
            && slider.friction.kind().feels_inertia
            && slider.sliding_mass.is_none()
            && !has_mass(check, model, slider)
            && !check.reader.is_faulty(&name.path)
        {
            let message = format!(
                "{}: friction with transition = \"siqueira_coda_2023\" needs a mass that slides, and point \
                 `{}` has none; give the point a mass, its member a density, or the joint a \
                 `sliding_mass` (kg)",
                name.path, model.points[slider.point].name
            );
            check.report_entry(name, message);
        }
    }
}

/// What has left its path has nothing but its mass to say how it moves; a load alone has not to move.
fn what_leaves_has_mass(check: &mut Checker<'_>, model: &Checked) {
    let file = check.file;
    for slider in &model.sliders {
        let entry = file.joints.iter().find(|e| e.name.value == slider.name);
        if let Some(Entry { name, .. }) = entry
            && slider.ends == PathEnds::Leave
            && !has_mass(check, model, slider)
            && !model.is_bare(slider)
            && !check.reader.is_faulty(&name.path)
        {
            let message = format!(
                "{}: ends = \"leave\" needs a mass that flies on, and point `{}` has none for what is \
                 connected to it; give it one",
                name.path, model.points[slider.point].name
            );
            check.report_entry(name, message);
        }
    }
}

/// What a motion has released goes where its mass and what is connected with it say.
fn what_is_released_is_held(check: &mut Checker<'_>, model: &Checked) {
    let file = check.file;
    for (motion, entry) in model.motions.iter().zip(&file.motions) {
        let (Moved::Target(Target::Point { point, .. }), Some(_)) = (&motion.moved, motion.release)
        else {
            continue;
        };
        let coordinates = model.couplings.iter().flat_map(|c| c.coordinates());
        let springs = model.springs.iter().map(|spring| &spring.between);
        let mut between = coordinates.chain(springs);
        let held = !model.members_at(*point).is_empty()
            || model.bodies_at(*point).next().is_some()
            || (model.masses.iter()).any(|m| m.point == *point && m.mass > 0.0)
            || model.sliders.iter().any(|slider| slider.point == *point)
            || model.pins.iter().any(|pin| pin.on == Bearing::Point(*point))
            || between.any(|between| between.moving().any(|p| p == *point));
        if !held && !check.reader.is_faulty(&entry.name.path) {
            let message = format!(
                "{}.release: after it the motion of point `{}` is undetermined: it has no mass, and no member, body, joint or spring \
                 is at it; give it one, or leave `release` out",
                entry.name.path, model.points[*point].name
            );
            check.report_entry(&entry.name, message);
        }
    }
}

/// Whether a slider's point has a mass, or may have one.
fn has_mass(check: &Checker<'_>, model: &Checked, slider: &Slider) -> bool {
    let heavy = |m: MemberId| match (model.members[m].properties, model.members[m].rigid) {
        (Some(properties), _) => properties.mass_by_length() > 0.0,
        (None, Some(body)) => model.bodies[body].weight()[0] > 0.0,
        // The material is perhaps at fault.
        (None, None) => check.file.members[m].value.as_ref().is_none_or(|m| m.material.is_some()),
    };
    let mut masses = model.masses.iter();
    masses.any(|m| m.point == slider.point && m.mass > 0.0)
        || model.members_at(slider.point).into_iter().any(heavy)
}
