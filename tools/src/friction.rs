//! `coulisse friction`: what a law does, before it is put into a mechanism.

mod characteristic;
mod hysteresis;

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::{Table, presets};
use coulisse::fmu::Blueprint;
use coulisse::laws::friction::{Friction, LAWS};
use coulisse::message::figure;
use coulisse::quantity::{POSITIVE, Quantity};
use quick_xml::escape::escape;

use self::characteristic::{POINTS, characteristic, speeds};
use self::hysteresis::Swing;
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;
use crate::template::fill;
use crate::{assignment, columns, files, print, run};

#[derive(Args)]
#[command(arg_required_else_help = true)]
pub struct Request {
    /// Name of a law, with the numbers of an example; or MODEL.toml#JOINT, the law of that joint.
    #[arg(value_name = "LAW|MODEL#JOINT")]
    subject: String,
    /// Set a number of the law, or of the model file by its path; may be repeated.
    #[arg(long, value_name = "KEY=VALUE", value_parser = assignment)]
    set: Vec<(String, f64)>,
    /// Normal force, N.
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true)]
    normal_force: f64,
    /// Largest velocity, m/s; default: a few times the velocities of the law.
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    velocity: Option<f64>,
    /// Largest amplitude of a law with memory, m; default: a few deflections of its bristles.
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    amplitude: Option<f64>,
    /// Frequency at which a law with memory is shaken, Hz.
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true)]
    frequency: f64,
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

/// Rows of the table.
const ROWS: u32 = 12;

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
    positive("--normal-force", request.normal_force)?;
    let Shown { table, plots, mut columns } = shown(request, &law)?;
    if let Some(file) = &request.velocities {
        columns = steady(&law, request.normal_force, &velocities(file)?);
    }
    let svg = drawing(&plots);
    if let Some(path) = &request.output {
        files::write(path, &columns.csv()?)?;
    }
    if let Some(path) = &request.svg {
        files::write(path, svg.as_bytes())?;
    }
    if let Some(path) = &request.html {
        files::write(path, page(&law, request.normal_force, &svg, &table).as_bytes())?;
    }
    print(&format!("{}\n\n{}", listing(&law, request.normal_force), table.trim_fmt()))
}

/// What is reported about a law.
struct Shown {
    table: Table,
    plots: [Plot; 3],
    columns: Columns,
}

/// Numbers with their names, in SI units; what is not known is NaN.
struct Columns {
    names: &'static [&'static str],
    rows: Vec<Vec<f64>>,
}

impl Columns {
    fn csv(&self) -> Result<Vec<u8>> {
        let mut rows = Rows::under(self.names.iter().copied())?;
        for row in &self.rows {
            rows.add(row.iter().copied().map(Cell::from))?;
        }
        rows.bytes()
    }
}

/// Table, plots and columns of the law.
fn shown(request: &Request, law: &Friction) -> Result<Shown> {
    let normal_force = request.normal_force;
    let Some(memory_law) = law.memory_law() else {
        if request.amplitude.is_some() {
            bail!(
                "--amplitude is for laws with memory, and {} has none; give the largest --velocity",
                law.name()
            );
        }
        let velocity = request.velocity.unwrap_or_else(|| largest_velocity(law));
        positive("--velocity", velocity)?;
        return Ok(Shown {
            table: table(law, normal_force, velocity),
            plots: plots(law, normal_force, velocity),
            columns: numbers(law, normal_force, velocity),
        });
    };
    if request.velocity.is_some() {
        bail!(
            "--velocity is for laws of velocity, and {} has a memory; give --amplitude and \
             --frequency",
            law.name()
        );
    }
    let amplitude = request
        .amplitude
        .unwrap_or_else(|| hysteresis::largest_amplitude(law, memory_law, normal_force));
    positive("--amplitude", amplitude)?;
    positive("--frequency", request.frequency)?;
    let swing = Swing { law, normal_force, amplitude, frequency: request.frequency };
    Ok(Shown { table: swing.table(), plots: swing.plots(), columns: swing.columns() })
}

fn positive(what: &str, value: f64) -> Result<()> {
    if POSITIVE.admit(value).is_none() {
        bail!("{what} is {}; allowed: a number from 1e-50 to 1e50", figure(value));
    }
    Ok(())
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

/// Force of steady sliding at `velocities`; at 0 that of forward sliding as it begins.
fn steady(law: &Friction, normal_force: f64, velocities: &[f64]) -> Columns {
    let row = |v: &f64| vec![*v, law.characteristic(*v, normal_force)];
    Columns { names: &["velocity", "force"], rows: velocities.iter().map(row).collect() }
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

/// Three times the largest velocity among the law's numbers, 1 m/s without one.
fn largest_velocity(law: &Friction) -> f64 {
    let mut largest = 0.0_f64;
    law.map(&mut |place, value| {
        if place.key.quantity == Quantity::Velocity {
            largest = largest.max(*value);
        }
        *value
    });
    if largest > 0.0 { 3.0 * largest } else { 1.0 }
}

/// Name and numbers of the law, with their meanings, and the normal force (N) that the table is for.
fn listing(law: &Friction, normal_force: f64) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    law.map(&mut |place, value| {
        let number = format!("{} {}", short(*value), place.key.quantity.unit());
        table.add_row([place.to_string(), number, place.key.meaning.trim().to_owned()]);
        *value
    });
    let force = short(normal_force);
    format!(
        "{}, for a normal force of {force} N (--normal-force)\n{}",
        law.name(),
        table.trim_fmt()
    )
}

/// Force and equivalent damping over the velocity and its amplitude.
fn table(law: &Friction, normal_force: f64, velocity: f64) -> Table {
    let mut table =
        plain(["v or v0, m/s", "F(v), N", "b_e(v0), N.s/m", "closed form, N.s/m"], 0..4);
    for row in 1..=ROWS {
        let v = velocity * f64::from(row) / f64::from(ROWS);
        let closed = law.closed_form(v, normal_force);
        table.add_row([
            short(v),
            short(law.characteristic(v, normal_force)),
            short(law.equivalent_damping(v, normal_force)),
            closed.map_or_else(|| "-".to_owned(), short),
        ]);
    }
    table
}

/// The same at each of the speeds that the characteristic is drawn through, but 0.
fn numbers(law: &Friction, normal_force: f64, velocity: f64) -> Columns {
    let speeds = speeds(law, velocity).into_iter().filter(|v| *v > 0.0);
    let rows = speeds.map(|v| {
        let closed = law.closed_form(v, normal_force);
        vec![
            v,
            law.characteristic(v, normal_force),
            law.equivalent_damping(v, normal_force),
            closed.unwrap_or(f64::NAN),
        ]
    });
    Columns {
        names: &["velocity", "force", "equivalent_damping", "closed_damping"],
        rows: rows.collect(),
    }
}

fn plots(law: &Friction, normal_force: f64, velocity: f64) -> [Plot; 3] {
    let curve = |points| vec![Curve { label: String::new(), points, dashed: false }];
    let cycle = (0..=4 * POINTS).map(|i| TAU * f64::from(i) / f64::from(4 * POINTS));
    let cycle = cycle.map(|tau| {
        let v = velocity * tau.cos();
        (tau.sin(), law.characteristic(v, normal_force))
    });
    let damping = speeds(law, velocity).into_iter().filter(|v| *v >= velocity / 40.0);
    let damping = damping.map(|v| (v, law.equivalent_damping(v, normal_force)));
    [
        Plot {
            to_scale: false,
            title: format!("{}, F_N = {} N", law.name(), short(normal_force)),
            x: "v, m/s".to_owned(),
            y: "F, N".to_owned(),
            curves: curve(characteristic(law, normal_force, velocity)),
        },
        Plot {
            to_scale: false,
            title: format!("one cycle, v0 = {} m/s", short(velocity)),
            x: "x / amplitude".to_owned(),
            y: "F, N".to_owned(),
            curves: curve(cycle.collect()),
        },
        Plot {
            to_scale: false,
            title: "equivalent damping".to_owned(),
            x: "v0, m/s".to_owned(),
            y: "b_e, N.s/m".to_owned(),
            curves: curve(damping.collect()),
        },
    ]
}

fn page(law: &Friction, normal_force: f64, svg: &str, table: &Table) -> String {
    let words = format!("{}\n\n{}", listing(law, normal_force), table.trim_fmt());
    let values = [("name", &*escape(law.name())), ("drawing", svg), ("words", &*escape(&words))];
    fill(include_str!("friction/page.html"), &values)
}
