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
    let members = |point| {
        let members = model.members_at(point).into_iter();
        let names: Vec<String> = members.map(|m| format!("`{}`", model.members[m].name)).collect();
        names.join(" and ")
    };
    let rigid: Vec<String> = (points.iter())
        .map(|&point| {
            format!("{} are rigidly connected at `{}`", members(point), model.points[point].name)
        })
        .collect();
    let held: Vec<String> = (joints.iter())
        .map(|&slider| {
            format!(
                "the prismatic joint {} holds the angle of its slider",
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
        _ => "a cylindrical joint does not hold the angle",
    };
    let cure = match (points.is_empty(), joints.is_empty()) {
        (false, true) => format!("{hinges}?"),
        (true, _) => cylindrical.to_owned(),
        (false, false) if locked.together => format!("{hinges}, and is the joint cylindrical?"),
        (false, false) => format!("{hinges}? Or {cylindrical}"),
    };
    format!(
        "motions.{} can move the mechanism only by bending its members: {}; {cure}",
        model.motions[locked.motion].name,
        rigid.into_iter().chain(held).collect::<Vec<String>>().join(", "),
    )
}
