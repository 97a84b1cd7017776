//! What a model consists of, in tables.

use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result};
use coulisse::fmu::{Blueprint, MODEL_FILE};
use coulisse::message::rounded;
use coulisse::modes::{Loads, Sliding, modes};
use coulisse::start::start;
use coulisse::system::System;

use crate::description::Description;
use crate::number::short;
use crate::results::is_of;
use crate::table::{Cell, Table};
use crate::unpacked::Unpacked;
use crate::{inventory, run};

/// Memory from which on a simulation is worth a word, bytes.
const LARGE: f64 = 5e8;

/// One line for a model without faults.
///
/// # Errors
/// The fault of a mechanism that cannot be built.
pub fn line(blueprint: &Blueprint) -> Result<String> {
    let model = blueprint.checked();
    let system = &blueprint.built()?.system;
    let drawn = model.bodies.iter().filter(|body| body.member.is_none());
    let bodies = match drawn.count() {
        0 => String::new(),
        count => format!("{}, ", counted(count, "body", "bodies")),
    };
    let step = blueprint.proposal().map_or(String::new(), |proposal| {
        format!(
            "\n  no solver.step in the file: {} s, for {}; `coulisse converge` estimates its error",
            short(proposal.step),
            proposal.reason
        )
    });
    let points = (0..model.contacts.len()).map(|id| system.surfaces.count_of_points(id));
    let corners = model.rigid_contacts.iter().map(|one| one.corners.len());
    let contacts = match [points.sum::<usize>(), corners.sum()] {
        [0, 0] => String::new(),
        [points, corners] => {
            let of = [(points, "points"), (corners, "corners")];
            let of = of.iter().filter(|(count, _)| *count > 0);
            let of: Vec<String> = of.map(|(count, what)| format!("{count} {what}")).collect();
            let count = model.contacts.len() + model.rigid_contacts.len();
            let contacts = if count == 1 { "contact" } else { "contacts" };
            format!("{count} {contacts} of surfaces with {}, ", of.join(" and "))
        }
    };
    let memory = match system.memory() {
        bytes if bytes > LARGE => format!(
            "\n  a simulation takes about {} GB of memory; fewer elements or a lower order take less",
            rounded(bytes / 1e9, 2)
        ),
        _ => String::new(),
    };
    let members = counted(model.members.len(), "member", "members");
    let hinges = model.friction_hinges.len();
    let sliding = model.single_sliders().count() - hinges + model.sliding_edges.len();
    let sliding = counted(sliding, "sliding joint", "sliding joints");
    let hinges = match hinges {
        0 => String::new(),
        count => counted(count, "hinge with friction, ", "hinges with friction, "),
    };
    let off: Vec<&str> = model.switched_off().collect();
    let off = match off.is_empty() {
        true => String::new(),
        false => format!("\n  switched off: {}", off.join(", ")),
    };
    Ok(format!(
        "ok: {}, {members}, {bodies}{sliding}, {hinges}{contacts}{}{off}{step}{memory}",
        model.name,
        counted(system.equations() + model.sliders.len(), "unknown", "unknowns"),
    ) + &mobility(system))
}

/// `1 body`, `2 bodies`.
fn counted(count: usize, one: &str, more: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { more })
}

/// Mobility of a mechanism, on a line of its own.
fn mobility(system: &System) -> String {
    let Some(mobility) = system.mobility() else {
        return String::new();
    };
    let driven = match mobility.driven {
        0 => String::new(),
        count => format!(", {count} of it prescribed by motions"),
    };
    format!("\n  mobility with rigid members: {}{driven}", mobility.all)
}

/// Tables of a model file or an FMU, with as many natural frequencies as wanted.
///
/// # Errors
/// The faults of the model; what is wrong with the FMU.
pub fn text(path: &Path, modes: usize) -> Result<String> {
    if !run::is_fmu(path) {
        let blueprint = run::load(path)?;
        let description = Description::read(&blueprint.description(None)?)?;
        let off: Vec<String> = blueprint.checked().switched_off().map(str::to_owned).collect();
        return Ok(variables(&description, &off)
            + &mechanism(&blueprint)?
            + &vibration(&blueprint, modes)?);
    }
    let fmu = Unpacked::open(path)?;
    let mut text = variables(&fmu.description, &[]);
    let model = fmu.resources().join(MODEL_FILE);
    if model.is_file() {
        let blueprint = run::load(&model)?;
        text += &mechanism(&blueprint)?;
        text += &vibration(&blueprint, modes)?;
    }
    Ok(text)
}

/// Tables of the variables; those of entries that are `off` say so.
fn variables(description: &Description, off: &[String]) -> String {
    let mut text = format!("{}: {}\n", description.model_name, description.text);
    if let (Some(stop), Some(step)) = (description.stop_time, description.step_size) {
        let _ = writeln!(text, "default run: {stop} s in communication steps of {step} s");
    }
    for (causality, title) in [
        ("parameter", "Parameters"),
        ("calculatedParameter", "Calculated from parameters"),
        ("input", "Inputs"),
        ("output", "Outputs"),
    ] {
        let rows = description.with_causality(causality).map(|v| {
            let start = Cell::from(v.start.as_deref());
            let meaning = match is_of(off, &v.name) {
                true => format!("(switched off) {}", v.description),
                false => v.description.clone(),
            };
            [Cell::name(&v.name), Cell::from(&v.unit), start, Cell::from(meaning)]
        });
        text += &Table::new(title, ["Name", "Unit", "Start", "Meaning"], rows).text();
    }
    text
}

fn mechanism(blueprint: &Blueprint) -> Result<String> {
    let system = &blueprint.built()?.system;
    let sliders = system.model().sliders.len();
    let tables = inventory::of(system);
    let tables: String = tables.iter().map(Table::text).collect();
    Ok(format!(
        "{tables}\n{} free positions and rotations (those of the nodes inside members and bodies included), \
         {sliders} sliding coordinates, {} multipliers{}\n",
        system.equations(),
        system.border() - sliders,
        mobility(system)
    ))
}

fn vibration(blueprint: &Blueprint, count: usize) -> Result<String> {
    if count == 0 {
        return Ok(String::new());
    }
    let built = blueprint.built()?;
    let faults = |fault| blueprint.model().faults(&fault);
    let state = start(&built.system, &built.inputs).map_err(faults).context("--modes")?;
    let loads = Loads::at_start(blueprint.checked());
    let found = modes(&built.system, &state, count, Sliding::Free, loads)
        .map_err(faults)
        .context("--modes")?;
    let rows = found.list.iter().enumerate().map(|(number, mode)| {
        let w = mode.angular_frequency();
        let hertz = w / std::f64::consts::TAU;
        [(number + 1).into(), w.into(), hertz.into(), (1.0 / hertz).into()]
    });
    let columns = ["Mode", "rad/s", "Hz", "Period in s"];
    Ok(Table::new("Natural frequencies at the start", columns, rows).text())
}
