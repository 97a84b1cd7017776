//! What a mechanism consists of, kind by kind: the tables of `coulisse describe` and of the page in an FMU.

mod actions;
mod joints;
mod parts;

use coulisse::model::Checked;
use coulisse::model::checked::{Direction, MemberId, PathPart};
use coulisse::system::System;

use crate::table::Table;

/// All tables in the order of the model file's sections; one of a kind that the model has nothing of has no rows.
pub fn of(system: &System) -> Vec<Table> {
    let model = system.model();
    vec![
        parts::points(system),
        parts::members(model),
        parts::bodies(model),
        parts::edges(model),
        joints::joints(model),
        joints::contacts(system),
        joints::springs(model),
        joints::couplings(model),
        parts::masses(model),
        actions::supports(model),
        actions::motions(model),
        actions::loads(model),
        actions::line_loads(model),
    ]
}

fn members(model: &Checked, members: &[MemberId]) -> Vec<String> {
    members.iter().map(|&m| model.members[m].name.clone()).collect()
}

fn carriers(model: &Checked, path: &[PathPart]) -> String {
    let path: Vec<String> = path.iter().map(|p| p.carrier.plain(model)).collect();
    path.join(", ")
}

fn word(direction: Direction) -> &'static str {
    match direction {
        Direction::X => "x",
        Direction::Y => "y",
        Direction::Rotation => "rotation",
    }
}
