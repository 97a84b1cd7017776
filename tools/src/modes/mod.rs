//! `coulisse modes`: natural frequencies, participation and shapes; growth of small motions about steady sliding.

mod growth;
mod list;
mod resolution;
mod table;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use coulisse::model::Checked;
use coulisse::model::checked::Part;
use coulisse::modes::{Loads, Sliding};
use coulisse::system::System;

use crate::shapes::{self, Found, Shapes};
use crate::sliding::seconds;
use crate::state::{Chosen, model_of};
use crate::{assignment, files, print};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML) or FMU of this project.
    model: PathBuf,
    /// How many modes, from the lowest on.
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, allow_hyphen_values = true, value_parser = crate::whole)]
    count: usize,
    #[command(flatten)]
    state: Chosen,
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

/// More are not the lowest ones any more.
const MAX_MODES: usize = 1000;

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
            files::write(file, shapes::page(&found, &shapes)?.as_bytes())?;
        }
    }
    print(&table::text(&found))
}

/// The modes with these numbers set besides those of the request.
fn find(request: &Request, values: &[(String, f64)]) -> Result<Found> {
    let model = model_of(&request.model, &[&request.set, values].concat())?;
    let checked = part(model.check()?, &request.members)?;
    let system = System::build(&checked).map_err(|fault| model.faults(&fault))?;
    let (state, place) = request.state.find(&model, &system)?;
    let loads = if request.state.is_start() { Loads::at_start(&checked) } else { Loads::Acting };
    let sliding = if request.stuck { Sliding::Stuck } else { Sliding::Free };
    let found = Found::about(system, state, &place, request.count, sliding, loads);
    Ok(found.map_err(|fault| model.faults(&fault))?)
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
