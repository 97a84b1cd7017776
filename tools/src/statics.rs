//! `coulisse static`: a path of equilibria with its limit and bifurcation points.

mod columns;
mod list;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coulisse::continuation::{Ended, Point, Station, follow};
use coulisse::fmu::Blueprint;
use coulisse::model::checked::{Checked, LineLoad, OutputVariable};
use coulisse::model::statics::{Branch, Control, FixedSliders, Scaled, StaticPath, Steered};
use coulisse::system::{ActingForces, Look, System};

use self::columns::columns;
use crate::drawing::{Diagram, draw_at, has_diagrams, svg as mechanism};
use crate::number::short;
use crate::report::{self, To};
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;
use crate::{assignment, files, png, print, run, warnings};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    /// What increases: `loads`, `loads.NAME`, `gravity` or `motions.NAME`; may be repeated.
    #[arg(long, value_name = "NAME")]
    scale: Vec<String>,
    /// What is prescribed from step to step.
    #[arg(long, value_enum)]
    control: Option<ControlName>,
    /// Quantity of displacement control and of the drawing, like points.tip.y or probes.NAME.
    #[arg(long, value_name = "NAME")]
    quantity: Option<String>,
    /// End of the path: the factor, or the quantity under displacement control. Without it and without [static] the loads as
    /// written: 1.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    to: Option<f64>,
    /// First step, in the unit of `--to`.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    first_step: Option<f64>,
    /// Largest move between two points, relative to the mechanism's size.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    largest_move: Option<f64>,
    /// Largest number of points.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = crate::whole)]
    points: Option<usize>,
    /// Continue on the other branch at the first bifurcation point, on this side of it.
    #[arg(long, value_enum, value_name = "SIDE", num_args = 0..=1, default_missing_value = "plus")]
    switch: Option<BranchName>,
    /// Sliders that keep their positions.
    #[arg(long, value_enum)]
    fixed_sliders: Option<FixedSlidersName>,
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

#[derive(Clone, Copy, ValueEnum)]
enum ControlName {
    Load,
    Displacement,
    #[value(name = "arc_length", alias = "arc")]
    ArcLength,
}

#[derive(Clone, Copy, ValueEnum)]
enum BranchName {
    Plus,
    Minus,
}

#[derive(Clone, Copy, ValueEnum)]
enum FixedSlidersName {
    Friction,
    All,
    None,
}

/// A point with the values of the model's outputs.
struct Row {
    station: Station,
    factor: f64,
    unstable: u32,
    values: Vec<f64>,
}

/// Lines of the table beside those of special points.
const LINES: usize = 24;

/// Factor of the loads of a file without `[static]`.
const AS_WRITTEN: f64 = 1.0;

/// Outputs beside the factor in the table of the path.
const SHOWN: usize = 4;

/// Plots of a drawing.
const MAX_PLOTS: usize = 6;

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
    let outputs = columns(request, checked, &path)?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let system = &blueprint.built()?.system;
    let (mut rows, mut coarse, mut last) = (Vec::new(), Vec::new(), None);
    let mut keep = |point: Point<'_>| {
        rows.push(row(system, &outputs, &point));
        last = Some((point.state.q.clone(), ActingForces::of(point.state), point.factor));
        let when = format!("at the factor {}", short(point.factor));
        coarse = warnings::of_state(system, point.state, &when);
    };
    let ended = follow(system, &inputs, &path, &mut keep)
        .map_err(|fault| blueprint.model().faults(&fault))?;
    if let Some(file) = &request.output {
        files::write(file, &csv(&outputs, &rows).context("the rows cannot be written")?)?;
    }
    if let Some(file) = &request.svg {
        files::write(file, drawing(&plots(checked, &path, &outputs, &rows)).as_bytes())?;
    }
    if let (Some(file), Some((q, acting, factor))) = (&request.picture, &last) {
        let look = Look::new(system, q, acting);
        let scene = draw_at(system, q, request.diagram.map(|diagram| (diagram, &look)));
        let title = format!("{} at the factor {}", checked.name, short(*factor));
        png::write_drawing(file, &mechanism(&scene, &title))?;
    }
    print(&report(checked, &path, &outputs, &rows))?;
    for line in &coarse {
        eprintln!("{}", report::warning(line, blueprint.model(), To::Stderr));
    }
    match ended {
        Ended::Reached => Ok(()),
        Ended::Points => print(&format!(
            "ends after {} points; more with --points, or longer steps with --largest-move",
            path.points
        )),
        Ended::Stuck(why) => bail!("the path ends early: {why}"),
    }
}

fn load(file: &Path, values: &[(String, f64)]) -> Result<Blueprint> {
    Ok(Blueprint::of(run::with_values(run::model(file)?, values)?)?)
}

/// The path of the file with what the command line says instead.
fn path(request: &Request, model: &Checked) -> Result<StaticPath> {
    let mut path = match (&model.statics, request.to) {
        (Some(path), _) => path.clone(),
        (None, to) => StaticPath::new(model, to.unwrap_or(AS_WRITTEN)),
    };
    if !request.scale.is_empty() {
        path.scaled.clear();
        for name in &request.scale {
            let scaled = Scaled::named(model, name).map_err(|text| anyhow!("--scale: {text}"))?;
            path.scaled.extend(scaled);
        }
    }
    if let Some(control) = request.control {
        path.control = match control {
            ControlName::Load => Control::Load,
            ControlName::Displacement => Control::Displacement,
            ControlName::ArcLength => Control::ArcLength,
        };
    }
    if let Some(name) = &request.quantity {
        let steered = Steered::named(model, name).map_err(|text| anyhow!("--quantity: {text}"))?;
        path.quantity = Some(steered);
    }
    if let Some(to) = request.to {
        path.to = finite("--to", to)?;
    }
    if let Some(step) = request.first_step {
        path.first_step = Some(positive("--first-step", step)?);
    }
    if let Some(share) = request.largest_move {
        path.largest_move = positive("--largest-move", share)?;
    }
    if let Some(points) = request.points {
        if !StaticPath::ALLOWED_POINTS.contains(&points) {
            let [least, most] =
                [StaticPath::ALLOWED_POINTS.start(), StaticPath::ALLOWED_POINTS.end()];
            bail!("--points is {points}; allowed: a whole number from {least} to {most}");
        }
        path.points = points;
    }
    path.switch = match request.switch {
        Some(BranchName::Plus) => Some(Branch::Plus),
        Some(BranchName::Minus) => Some(Branch::Minus),
        None => path.switch,
    };
    path.fixed_sliders = match request.fixed_sliders {
        Some(FixedSlidersName::Friction) => FixedSliders::Friction,
        Some(FixedSlidersName::All) => FixedSliders::All,
        Some(FixedSlidersName::None) => FixedSliders::None,
        None => path.fixed_sliders,
    };
    let is_factor = path.scaled.iter().all(|scaled| !matches!(scaled, Scaled::Motion(_)))
        && path.control != Control::Displacement;
    if model.statics.is_none() && request.to.is_none() && !is_factor {
        bail!(
            "{} has no [static] section: give the end of the path with --to, the displacement of the motion or the quantity \
             (m or rad)",
            request.model.display()
        );
    }
    match path.contradiction(model) {
        Some(text) => Err(anyhow!(text)),
        None => Ok(path),
    }
}

fn finite(option: &str, value: f64) -> Result<f64> {
    if !value.is_finite() {
        bail!("{option} is {value}; allowed: a finite number");
    }
    Ok(value)
}

fn positive(option: &str, value: f64) -> Result<f64> {
    if !(value.is_finite() && value > 0.0) {
        bail!("{option} is {value}; allowed: a finite number above 0");
    }
    Ok(value)
}

fn row(system: &System, outputs: &[OutputVariable], point: &Point<'_>) -> Row {
    let values = outputs.iter().map(|o| system.read(point.state, o.output));
    Row {
        station: point.station,
        factor: point.factor,
        unstable: point.state.unstable_modes,
        values: values.collect(),
    }
}

fn name(station: Station) -> &'static str {
    match station {
        Station::Start => "start",
        Station::Along => "",
        Station::Limit => "limit",
        Station::Bifurcation { .. } => "bifurcation",
        Station::Branch => "branch",
    }
}

fn csv(outputs: &[OutputVariable], rows: &[Row]) -> Result<Vec<u8>> {
    let names = outputs.iter().map(|o| o.path.as_str());
    let head = ["factor", "unstable_modes", "point"];
    let mut table = Rows::under(head.into_iter().chain(names))?;
    for row in rows {
        let first = [
            Cell::from(row.factor),
            Cell::from(row.unstable as usize),
            Cell::from(name(row.station)),
        ];
        table.add(first.into_iter().chain(row.values.iter().copied().map(Cell::from)))?;
    }
    table.bytes()
}

fn report(model: &Checked, path: &StaticPath, outputs: &[OutputVariable], rows: &[Row]) -> String {
    let shown: Vec<usize> = (0..outputs.len()).take(SHOWN).collect();
    let head = |name: &str, unit: &str| match unit {
        "" => name.to_owned(),
        unit => format!("{name}, {unit}"),
    };
    let mut header = vec!["point".to_owned(), head("factor", unit(model, path))];
    header.extend(shown.iter().map(|&i| head(&outputs[i].path, outputs[i].quantity.unit())));
    header.push("stable".into());
    let mut table = plain(header, 1..shown.len() + 2);
    let ordinary = rows.iter().filter(|row| row.station == Station::Along).count();
    let every = ordinary.div_ceil(LINES).max(1);
    let mut seen = 0;
    for (i, row) in rows.iter().enumerate() {
        if row.station == Station::Along {
            seen += 1;
            if seen % every != 0 && i + 1 != rows.len() {
                continue;
            }
        }
        let mut cells = vec![name(row.station).to_owned(), short(row.factor)];
        cells.extend(shown.iter().map(|&i| short(row.values[i])));
        cells.push(match (row.station, row.unstable) {
            (Station::Limit | Station::Bifurcation { .. }, _) => String::new(),
            (_, 0) => "yes".to_owned(),
            (_, n) => format!("no, {n}"),
        });
        table.add_row(cells);
    }
    let special: Vec<String> = (rows.iter())
        .filter_map(|row| {
            let what = match row.station {
                Station::Limit => "limit point".to_owned(),
                Station::Bifurcation { motions: 1 } => "bifurcation point".to_owned(),
                Station::Bifurcation { motions } => {
                    format!("bifurcation point of {motions} motions")
                }
                _ => return None,
            };
            let of =
                (shown.iter()).map(|&i| format!(", {} {}", outputs[i].path, short(row.values[i])));
            Some(format!("{what} at {:.9}{}\n", row.factor, of.collect::<String>()))
        })
        .collect();
    let special = match special.is_empty() {
        true => "no limit or bifurcation point\n".to_owned(),
        false => special.concat(),
    };
    let follows = model.line_loads.iter().any(LineLoad::follows);
    let note = match follows {
        true => {
            "\n\nStable means here that nothing runs away. Loads that follow the structure can also make it flutter, \
             which no equilibrium shows: simulate it."
        }
        false => "",
    };
    let last = rows.last().filter(|_| outputs.len() > SHOWN);
    let last = last.map_or(String::new(), |row| at_the_end(outputs, row));
    format!(
        "{}: {} points over {}, equilibria of the displaced structure (second order)\n{special}\n{}{last}{note}",
        model.name,
        rows.len(),
        scaled(model, path),
        table.trim_fmt()
    )
}

/// All outputs at the last point.
fn at_the_end(outputs: &[OutputVariable], row: &Row) -> String {
    let mut table = plain(["output", "unit", "at the end"], [2]);
    for (output, value) in outputs.iter().zip(&row.values) {
        table.add_row([output.path.clone(), output.quantity.unit().to_owned(), short(*value)]);
    }
    format!("\n\n{}", table.trim_fmt())
}

fn scaled(model: &Checked, path: &StaticPath) -> String {
    let names: Vec<String> = (path.scaled.iter())
        .map(|scaled| match *scaled {
            Scaled::Load(id) => format!("loads.{}", model.loads[id].name),
            Scaled::LineLoad(id) => format!("loads.{}", model.line_loads[id].name),
            Scaled::Gravity => "gravity".to_owned(),
            Scaled::Motion(id) => format!("motions.{}", model.motions[id].name),
        })
        .collect();
    names.join(", ")
}

/// Unit of the factor.
fn unit(model: &Checked, path: &StaticPath) -> &'static str {
    use coulisse::model::checked::Direction;
    match path.scaled.first() {
        Some(Scaled::Motion(m)) if model.motions[*m].direction == Direction::Rotation => "rad",
        Some(Scaled::Motion(_)) => "m",
        _ => "",
    }
}

/// The factor over each output, or over the factor the outputs where it is a motion's.
fn plots(
    model: &Checked, path: &StaticPath, outputs: &[OutputVariable], rows: &[Row],
) -> Vec<Plot> {
    let label = |name: &str, unit: &str| match unit {
        "" => name.to_owned(),
        unit => format!("{name}, {unit}"),
    };
    let driven = matches!(path.scaled.first(), Some(Scaled::Motion(_)));
    let factor = label(&scaled(model, path), unit(model, path));
    (outputs.iter().enumerate())
        .take(MAX_PLOTS)
        .map(|(i, output)| {
            let value = label(&output.path, output.quantity.unit());
            let at = |row: &Row| match driven {
                true => (row.factor, row.values[i]),
                false => (row.values[i], row.factor),
            };
            let (x, y) = match driven {
                true => (factor.clone(), value),
                false => (value, factor.clone()),
            };
            let mut curves = pieces(rows, at);
            curves.extend(rows.iter().filter_map(|row| marker(row, at(row))));
            Plot { to_scale: false, title: y, x, y: String::new(), curves }
        })
        .collect()
}

/// The path cut where its stability changes.
fn pieces(rows: &[Row], at: impl Fn(&Row) -> (f64, f64)) -> Vec<Curve> {
    let mut curves: Vec<Curve> = Vec::new();
    for row in rows {
        let (dashed, point) = (row.unstable > 0, at(row));
        let fresh =
            curves.last().is_none_or(|c| c.dashed != dashed) || row.station == Station::Branch;
        if fresh {
            let joint = match (curves.last(), row.station) {
                (Some(curve), _) => curve.points.last().copied(),
                (None, _) => None,
            };
            curves.push(Curve {
                label: String::new(),
                points: joint.into_iter().collect(),
                dashed,
            });
        }
        if let Some(curve) = curves.last_mut() {
            curve.points.push(point);
        }
    }
    curves
}

/// The name of a special point, as a curve of one point.
fn marker(row: &Row, point: (f64, f64)) -> Option<Curve> {
    let label = match row.station {
        Station::Limit | Station::Bifurcation { .. } => {
            format!("{} at {}", name(row.station), short(point.1))
        }
        _ => return None,
    };
    Some(Curve { label, points: vec![point], dashed: false })
}
