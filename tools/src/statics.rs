//! `coulisse static`: a path of equilibria with its limit and bifurcation points.

mod list;

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use clap::Args;
use coulisse::fmu::Blueprint;
use coulisse::model::Checked;
use coulisse::model::statics::StaticPath;

use crate::drawing::{Diagram, has_diagrams};
use crate::equilibria::{Asked, Early, Equilibria};
use crate::report::{self, To};
use crate::svg::drawing;
use crate::{assignment, files, png, print, run};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    #[command(flatten)]
    asked: Asked,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// Follow a path for each row: CSV whose first row names numbers as --set does; the table then has the end of each.
    #[arg(long, value_name = "CSV", conflicts_with = "svg")]
    list: Option<PathBuf>,
    /// Show and write these outputs only, separated by commas, also those that the model's interface does not list; a name that ends in *
    /// stands for all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    outputs: Vec<String>,
    /// Write all points here as CSV; of a list the table.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// Draw the path here: each output over the factor, dashed where it is unstable.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Draw the mechanism at the end of the path here, with names; the name of the file ends in .svg or .png.
    #[arg(long, value_name = "SVG|PNG", conflicts_with = "list")]
    picture: Option<PathBuf>,
    /// Draw a section force along every elastic member of --picture, moments on the side in tension.
    #[arg(long, value_enum, requires = "picture")]
    diagram: Option<Diagram>,
}

/// Follows and prints what `request` asks for.
///
/// # Errors
/// When the model has faults, there is no path, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let read: Vec<&Path> =
        [&request.model].into_iter().chain(&request.list).map(PathBuf::as_path).collect();
    files::may_write(
        [&request.output, &request.svg, &request.picture].into_iter().flatten(),
        &read,
    )?;
    if let Some(list) = &request.list {
        return list::perform(request, list);
    }
    if let Some(file) = request.picture.as_ref().filter(|file| !png::is_named(file)) {
        bail!("--picture {}; allowed: a file whose name ends in .svg or .png", file.display());
    }
    let blueprint = load(&request.model, &request.set)?;
    let checked = blueprint.checked();
    if request.diagram.is_some() {
        has_diagrams(checked)?;
    }
    let path = path(request, checked)?;
    let found = Equilibria::of(&blueprint, path, &request.outputs)?;
    if let Some(file) = &request.output {
        files::write(file, &found.csv()?)?;
    }
    if let Some(file) = &request.svg {
        files::write(file, drawing(&found.plots()).as_bytes())?;
    }
    if let (Some(file), Some(drawn)) = (&request.picture, found.picture(request.diagram)) {
        png::write_drawing(file, &drawn)?;
    }
    print(&found.report())?;
    for line in &found.doubts {
        eprintln!("{}", report::warning(line, blueprint.model(), To::Stderr));
    }
    match found.ended() {
        Early::No => Ok(()),
        Early::Points(points) => print(&format!(
            "ends after {points} points; more with --points, or longer steps with --largest-move"
        )),
        Early::Stuck(why) => bail!("the path ends early: {why}"),
    }
}

fn load(file: &Path, values: &[(String, f64)]) -> Result<Blueprint> {
    Ok(Blueprint::of(run::with_values(run::model(file)?, values)?)?)
}

/// The path of the file with what the command line says instead.
fn path(request: &Request, model: &Checked) -> Result<StaticPath> {
    request.asked.path(model, &request.model.display().to_string())
}
