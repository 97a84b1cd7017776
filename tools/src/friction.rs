//! `coulisse friction`: what a law does, before it is put into a mechanism.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use coulisse::fmu::Blueprint;
use coulisse::laws::friction::{Friction, LAWS};

use crate::law::{Asked, Law, steady};
use crate::print;
use crate::svg::drawing;
use crate::template::sheet;
use crate::{assignment, columns, files, run};

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Request {
    /// Name of a law, with the numbers of an example; or MODEL.toml#JOINT, the law of that joint.
    #[arg(value_name = "LAW|MODEL#JOINT")]
    subject: String,
    /// Set a number of the law, or of the model file by its path; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    #[command(flatten)]
    asked: Asked,
    /// Write the force of steady sliding at the velocities in the column `velocity` of this file, in place of the table, to --output.
    #[arg(long, value_name = "FILE", requires = "output", conflicts_with_all = ["velocity", "amplitude"])]
    velocities: Option<PathBuf>,
    /// Draw characteristic, loop and equivalent damping here.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Write drawing and table here, as one self-contained page.
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,
    /// Write the columns of the table here as CSV, in closer steps and with all their digits.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
}

/// Prints and draws what `request` asks for.
///
/// # Errors
/// When there is no such law, number or model, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let subject = request.subject.as_str();
    let model = subject.rsplit_once('#').map_or("", |(model, _)| model);
    files::may_write(
        [&request.svg, &request.html, &request.output].into_iter().flatten(),
        &[Path::new(model)],
    )?;
    let law = law(subject, &request.set)?;
    let shown = Law::of(&law, &request.asked)?;
    let svg = drawing(&shown.plots);
    if let Some(path) = &request.output {
        let columns = match &request.velocities {
            Some(file) => &steady(&law, request.asked.normal_force, &velocities(file)?),
            None => &shown.columns,
        };
        files::write(path, &columns.csv()?)?;
    }
    if let Some(path) = &request.svg {
        files::write(path, svg.as_bytes())?;
    }
    if let Some(path) = &request.html {
        files::write(path, sheet(law.name(), &svg, &shown.text()).as_bytes())?;
    }
    print(&shown.text())
}

/// The column `velocity` of a file, m/s.
fn velocities(file: &Path) -> Result<Vec<f64>> {
    let read = columns::read(file)?;
    let named = read.headings().iter().map(|heading| columns::variable(heading, |_| None));
    let named: Vec<(&str, f64)> = named.flatten().collect();
    let column = named.iter().position(|(name, _)| *name == "velocity");
    let column = column.filter(|_| named.len() == read.width());
    let column = column.with_context(|| format!("{}: no column `velocity`", file.display()))?;
    let factor = named[column].1;
    Ok(read.values(column).map(|value| factor * value).collect())
}

/// A law with some of its numbers replaced. Of the law of a joint, `values` that are no numbers of the law are numbers of the model file.
fn law(subject: &str, values: &[(String, f64)]) -> Result<Friction> {
    let law = found(subject, &[])?;
    let numbers = law.numbers();
    let of_law = |(name, _): &&(String, f64)| numbers.iter().any(|(own, _)| own == name);
    let of_model =
        |value: &&(String, f64)| subject.contains('#') && value.0.contains('.') && !of_law(value);
    let (model, own): (Vec<_>, Vec<_>) = values.iter().partition(of_model);
    let cloned = |values: Vec<&(String, f64)>| values.into_iter().cloned().collect::<Vec<_>>();
    let law = if model.is_empty() { law } else { found(subject, &cloned(model))? };
    with_values(law, &cloned(own))
}

/// The example of a law by its name, or the law of a joint of a model with these `values`.
fn found(subject: &str, values: &[(String, f64)]) -> Result<Friction> {
    if let Some((model, joint)) = subject.rsplit_once('#') {
        let file = run::model(Path::new(model))?;
        let blueprint = Blueprint::of(run::with_values(file, values)?)?;
        let sliders = || blueprint.checked().sliders_of_joints().map(|(_, slider)| slider);
        let names: Vec<&str> = sliders().map(|s| s.name.as_str()).collect();
        let joint = joint.strip_prefix("joints.").unwrap_or(joint);
        let slider = sliders().find(|s| s.name == joint).with_context(|| {
            match names.join(", ") {
                names if names.is_empty() => {
                    format!("{model}: no sliding joint `{joint}`, and no other: hinges have friction by `radius` and a law")
                }
                names => format!("{model}: no sliding joint `{joint}`; there are: {names}"),
            }
        })?;
        if slider.friction == Friction::None {
            bail!("{model}: joints.{joint} has no friction");
        }
        return Ok(slider.friction.clone());
    }
    let mut samples = Friction::samples().into_iter();
    let found = samples.find(|law| law.name() == subject && *law != Friction::None);
    found.with_context(|| {
        let names: Vec<&str> = LAWS.iter().map(|law| law.name).collect();
        format!("no friction law `{subject}`; allowed: {}, or MODEL.toml#JOINT", names.join(", "))
    })
}

/// `law` with some of its numbers replaced.
fn with_values(law: Friction, values: &[(String, f64)]) -> Result<Friction> {
    let numbers = law.numbers();
    for (name, _) in values {
        if !numbers.iter().any(|(n, _)| n == name) {
            let names: Vec<&str> = numbers.iter().map(|(n, _)| n.as_str()).collect();
            bail!(
                "{} has no number `{name}` here; there are: {}; for others write the law into a \
                 model and ask for MODEL.toml#JOINT",
                law.name(),
                names.join(", ")
            );
        }
    }
    let mut wrong = None;
    let law = law.map(&mut |place, value| {
        let name = place.to_string();
        let given = values.iter().rev().find(|(n, _)| *n == name);
        let value = given.map_or(*value, |(_, value)| *value);
        let admitted = place.key.limit.admit(value);
        if admitted.is_none() {
            wrong = Some(format!("{name} is {value}; allowed: {}", place.key.limit.text));
        }
        admitted.unwrap_or(value)
    });
    let clash = law.contradiction();
    let clash = clash.map(|clash| format!("{} {}", clash.place, clash.text));
    match wrong.or(clash) {
        Some(message) => bail!("{message}"),
        None => Ok(law),
    }
}
