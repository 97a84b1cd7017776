//! `coulisse modes`: natural frequencies, participation and shapes; growth of small motions about steady sliding.

mod growth;
mod list;
mod page;
mod resolution;
mod shapes;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use coulisse::fmu::MODEL_FILE;
use coulisse::message::{figure, rounded};
use coulisse::model::checked::Part;
use coulisse::model::{Checked, Model};
use coulisse::modes::{Loads, Modes, Sliding, modes};
use coulisse::solve::Stepper;
use coulisse::start::equilibrium;
use coulisse::start::start;
use coulisse::system::{State, System};

use crate::archive::Unpacked;
use crate::sliding::seconds;
use crate::{assignment, files, print, run};

use shapes::Shapes;

#[derive(Args)]
pub struct Request {
    /// Model file (TOML) or FMU of this project.
    model: PathBuf,
    /// How many modes, from the lowest on.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, allow_negative_numbers = true, value_parser = crate::whole)]
    count: usize,
    /// State about which the mechanism vibrates.
    #[arg(long, value_enum, value_name = "WHERE", default_value_t = At::Start)]
    at: At,
    /// Vibrate about the state of the simulation at this time, s.
    #[arg(long, value_name = "T", conflicts_with = "at", allow_negative_numbers = true)]
    at_time: Option<f64>,
    /// Sliding joints stick; unless given, they slide without friction.
    #[arg(long)]
    stuck: bool,
    /// These members alone, with the supports, masses and joints at them; as damping by `modes` uses them. Separated by commas.
    #[arg(long, value_name = "MEMBERS", value_delimiter = ',')]
    members: Vec<String>,
    /// Complex eigenvalues of steady sliding of a surface in its guide instead (friction-induced instability), most unstable first.
    #[arg(long, conflicts_with_all = ["at", "at_time", "stuck", "members", "shapes", "svg", "html"])]
    sliding: bool,
    /// The contact that slides; the first unless given.
    #[arg(long, value_name = "NAME", requires = "sliding")]
    contact: Option<String>,
    /// Slide backwards, towards falling s.
    #[arg(long, requires = "sliding")]
    backwards: bool,
    /// Slide under the loads of this time, s.
    #[arg(long, value_name = "T", default_value_t = 0.0, value_parser = seconds, allow_hyphen_values = true, requires = "sliding")]
    time: f64,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// Compute once for each row: CSV whose first row names numbers as --set does; the table then has a row for each.
    #[arg(long, value_name = "CSV", conflicts_with_all = ["sliding", "shapes", "svg", "html"])]
    list: Option<PathBuf>,
    /// Write the table here as CSV.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// Write the shapes here as CSV: for each node its position and its displacement and rotation in each
    /// mode, of a modal mass of 1.
    #[arg(long, value_name = "CSV")]
    shapes: Option<PathBuf>,
    /// Draw the shapes here.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Write a self-contained page here on which the shapes move.
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum At {
    /// As the simulation begins: with the strains of loads in a quasi-static analysis and with `initial.equilibrium = true`, without
    /// them otherwise.
    Start,
    /// The static equilibrium under the loads of t = 0.
    Equilibrium,
}

/// More are not the lowest ones any more.
const MAX_MODES: usize = 1000;

/// Communication steps to a time, at the most.
const MAX_STEPS: f64 = 1e8;

/// What was found, and about which state.
struct Found {
    system: System,
    state: State,
    /// In words.
    place: String,
    modes: Modes,
}

/// Prints, draws and writes what `request` asks for.
///
/// # Errors
/// The faults of the model; when there is no such state or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    if !(1..=MAX_MODES).contains(&request.count) {
        bail!("-n is {}; allowed: from 1 to {MAX_MODES}", request.count);
    }
    let read: Vec<&Path> =
        [&request.model].into_iter().chain(&request.list).map(PathBuf::as_path).collect();
    files::may_write(
        [&request.output, &request.shapes, &request.svg, &request.html].into_iter().flatten(),
        &read,
    )?;
    if request.sliding {
        return growth::perform(request, &model_of(&request.model, &request.set)?);
    }
    if let Some(list) = &request.list {
        return list::perform(request, list);
    }
    let found = find(request, &[])?;
    if let Some(file) = &request.output {
        files::write(file, &table::csv(&found)?)?;
    }
    if let Some(file) = &request.shapes {
        files::write(file, &table::shapes(&found)?)?;
    }
    if request.svg.is_some() || request.html.is_some() {
        let shapes = Shapes::of(&found);
        if let Some(file) = &request.svg {
            files::write(file, shapes.drawing(&found).as_bytes())?;
        }
        if let Some(file) = &request.html {
            files::write(file, page::page(&found, &shapes)?.as_bytes())?;
        }
    }
    print(&table::text(&found))
}

/// The modes with these numbers set besides those of the request.
fn find(request: &Request, values: &[(String, f64)]) -> Result<Found> {
    let model = model_of(&request.model, &[&request.set, values].concat())?;
    let checked = part(model.check()?, &request.members)?;
    let system = System::build(&checked).map_err(|fault| model.faults(&fault))?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let (state, loads, place) = match (request.at_time, request.at) {
        (Some(time), _) => {
            let state = start(&system, &inputs).map_err(|fault| model.faults(&fault))?;
            let state = reach(&system, state, time)?;
            (state, Loads::Acting, format!("at t = {} s", figure(time)))
        }
        (None, At::Start) => {
            let state = start(&system, &inputs).map_err(|fault| model.faults(&fault))?;
            (state, Loads::at_start(&checked), "at the start".to_owned())
        }
        (None, At::Equilibrium) => {
            let state = equilibrium(&system, &inputs).map_err(|fault| model.faults(&fault))?;
            let place = "in equilibrium under the loads of t = 0";
            (state, Loads::Acting, place.to_owned())
        }
    };
    let (sliding, joints) = match request.stuck {
        true => (Sliding::Stuck, "sliding joints stuck"),
        false => (Sliding::Free, "sliding joints free of friction"),
    };
    let modes = modes(&system, &state, request.count, sliding, loads)
        .map_err(|fault| model.faults(&fault))?;
    let place = match loads {
        Loads::Absent => format!(
            "{place}, without the stiffness of forces under loads (P-Delta), which --at equilibrium has"
        ),
        Loads::Acting => format!("{place}, with the stiffness of initial forces (P-Delta)"),
    };
    let place = match checked.sliders.is_empty() {
        true => format!("{place}, motions fixed"),
        false => format!("{place}, motions fixed, {joints}"),
    };
    Ok(Found { system, state, place, modes })
}

/// A model file, or that inside an FMU.
fn model_of(path: &Path, set: &[(String, f64)]) -> Result<Model> {
    let unpacked;
    let path = if run::is_fmu(path) {
        unpacked = Unpacked::open(path)?;
        let inside = unpacked.resources().join(MODEL_FILE);
        if !inside.is_file() {
            bail!("{}: an FMU without a model of this project inside", path.display());
        }
        inside
    } else {
        path.to_owned()
    };
    run::with_values(run::model(&path)?, set)
}

fn part(model: Checked, names: &[String]) -> Result<Checked> {
    if names.is_empty() {
        return Ok(model);
    }
    let of = |name: &String| {
        let member = model.members.iter().position(|member| member.name == *name);
        let body = model.bodies.iter().position(|body| body.name == *name);
        let found = member.map(|id| model.part_of(id)).or(body.map(Part::Body));
        found.with_context(|| {
            let members = model.members.iter().map(|m| m.name.as_str());
            let bodies = model.bodies.iter().map(|b| b.name.as_str());
            let names: Vec<&str> = members.chain(bodies).collect();
            format!("--members: no member or body `{name}`; there are: {}", names.join(", "))
        })
    };
    let mut parts = names.iter().map(of).collect::<Result<Vec<Part>>>()?;
    // In the order of the file.
    parts.sort_unstable();
    parts.dedup();
    Ok(model.part(&parts))
}

/// The state of the simulation at a time, from that at the start.
fn reach(system: &System, mut state: State, time: f64) -> Result<State> {
    let step = system.model().experiment.communication_step;
    if !(time.is_finite() && time >= 0.0) {
        bail!("--at-time is {}; allowed: a finite number from 0 on", figure(time));
    }
    let steps = (time / step * (1.0 - 1e-9)).ceil();
    if steps > MAX_STEPS {
        bail!(
            "--at-time {} is {} communication steps of {} s away; allowed: {}",
            figure(time),
            rounded(steps, 3),
            figure(step),
            figure(MAX_STEPS)
        );
    }
    let mut stepper = Stepper::new(system);
    for i in 0..steps as u64 {
        let at = |i: u64| time * i as f64 / steps;
        let (from, to) = (at(i), at(i + 1));
        let outcome = stepper.advance(system, &mut state, from, to - from);
        outcome.with_context(|| format!("--at-time {} is not reached", figure(time)))?;
    }
    Ok(state)
}
