//! Imposed motions that can move the mechanism only by bending members.

use coulisse::message::listed;
use coulisse::model::Checked;
use coulisse::model::checked::{Direction, Motion, Moved, Target};
use coulisse::system::{Cure, Locked, System};

/// Cranks that lock, each with what would free them. What else moves may be meant to bend its members, as a rod that is pulled until it buckles.
pub fn locked(system: &System) -> Vec<String> {
    let model = system.model();
    let locked = system.mobility().map_or(Vec::new(), |mobility| mobility.locked);
    let cranks = locked.iter().filter(|one| is_crank(model, &model.motions[one.motion]));
    cranks.map(|one| warning(model, one)).collect()
}

/// Rigid mechanisms in which nothing can move, although springs, friction or loads are to move something.
pub fn frozen(system: &System) -> Vec<String> {
    let model = system.model();
    let springs = model.springs.iter().map(|spring| format!("springs.{}", spring.name));
    let loads = model.loads.iter().map(|load| format!("loads.{}", load.name));
    let rough = |id: &usize| model.sliders[*id].friction.largest_coefficient() > 0.0;
    let joints = (0..model.sliders.len()).filter(rough).map(|id| model.path_of_slider(id));
    let acting = springs.chain(joints).chain(loads).next();
    let (Some(acting), Some(hinges)) = (acting, system.frozen()) else {
        return Vec::new();
    };
    let hinges = match hinges.is_empty() {
        true => "free a direction of a support, or add a hinge.".to_owned(),
        false => {
            let names = hinges.iter().map(|&point| model.points[point].name.as_str());
            format!("is a hinge missing at {}?", listed(names).replace(", ", " or at "))
        }
    };
    vec![format!(
        "{acting} acts where nothing can move: all members and bodies are rigid, and supports and joints leave no motion (mobility 0), so that springs, \
         friction and loads only change reactions; {hinges} Members that meet without a joint are rigidly connected",
    )]
}

/// Whether a motion turns something about a supported point.
fn is_crank(model: &Checked, motion: &Motion) -> bool {
    let turns = motion.direction == Direction::Rotation;
    match motion.moved {
        Moved::Target(Target::Point { point, .. }) if turns => {
            let held = |direction: Direction| {
                let supports = model.supports.iter();
                let own = supports.filter(|support| support.fixed.contains(&direction));
                model.is_among(point, own.map(|support| support.target))
            };
            held(Direction::X) && held(Direction::Y)
        }
        _ => false,
    }
}

fn warning(model: &Checked, locked: &Locked) -> String {
    let mut points = Vec::new();
    let mut joints = Vec::new();
    for cure in &locked.cures {
        match *cure {
            Cure::Hinge(point) => points.push(point),
            Cure::Cylindrical(slider) => joints.push(slider),
        }
    }
    let parts = |point| {
        let members = model.members_at(point).into_iter().map(|m| &model.members[m].name);
        let bodies = model.bodies_turning_at(point).map(|b| &model.bodies[b].name);
        let names: Vec<String> = members.chain(bodies).map(|name| format!("`{name}`")).collect();
        names.join(" and ")
    };
    let rigid: Vec<String> = (points.iter())
        .map(|&point| {
            format!("{} are rigidly connected at `{}`", parts(point), model.points[point].name)
        })
        .collect();
    let held: Vec<String> = (joints.iter())
        .map(|&slider| {
            format!(
                "the prismatic joint {} fixes the angle of its slider",
                model.path_of_slider(slider)
            )
        })
        .collect();
    let hinges = match points[..] {
        [] => String::new(),
        [a, b] if locked.together => {
            let [a, b] = [a, b].map(|point| &model.points[point].name);
            format!("are hinges missing at `{a}` and `{b}`")
        }
        _ => format!(
            "is a hinge missing at {}",
            listed(points.iter().map(|&p| model.points[p].name.as_str()))
        ),
    };
    let hinges = hinges.replace(", ", " or at ");
    let cylindrical = match joints[..] {
        [] => "",
        _ => "a cylindrical joint does not fix the angle",
    };
    let cure = match (points.is_empty(), joints.is_empty()) {
        (false, true) => format!("{hinges}?"),
        (true, _) => cylindrical.to_owned(),
        (false, false) if locked.together => format!("{hinges}, and is the joint cylindrical?"),
        (false, false) => format!("{hinges}? Or {cylindrical}"),
    };
    let guides = locked.guides.iter().map(|&id| &model.rigid_contacts[id].name);
    let guides: Vec<String> =
        guides.map(|name| format!("contacts.{name} does not let them move as one")).collect();
    let reasons = rigid.into_iter().chain(held).chain(guides);
    format!(
        "motions.{} can move the mechanism only by bending its members: {}; {cure}",
        model.motions[locked.motion].name,
        reasons.collect::<Vec<String>>().join(", "),
    )
}
