//! `coulisse converge`: what halved steps and meshes twice as fine change, and with which order.
//!
//! The model runs with its step doubled and halved again and again, its mesh as it is, and then with the mesh coarser and finer, its
//! step as it is. Of each output y the largest change from one run to the next counts, dₖ = max |yₖ − yₖ₊₁| over all rows but one of
//! twenty, as a share of the range of y (of energies, of the largest range of any): where something jumps, it does so between other rows
//! in another run. With the order p = log₂(dₖ₋₁/dₖ) of the last two
//! changes the error of a run is about the sum of the changes behind it and dₙ/(2ᵖ − 1), what the finest run is off by itself.

mod mesh;
mod row;

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coulisse::fmu::Blueprint;
use coulisse::message::{figure, listed, rounded};
use coulisse::model::Model;
use coulisse::model::checked::{Analysis, Checked, LARGEST_TOLERANCE};

use crate::description::chosen;
use crate::results::Results;
use crate::rows::{Cell, Rows};
use crate::run::{self, Settings, Subject, Value};
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;
use crate::{assignment, files, print, report, several};
use row::{Counting, Row};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    /// Refine only one of both.
    #[arg(long, value_enum)]
    only: Option<What>,
    /// How often the step is halved and the mesh refined.
    #[arg(long, value_name = "N", default_value_t = 2, allow_hyphen_values = true, value_parser = crate::whole)]
    finer: usize,
    /// How often the step is doubled and the mesh coarsened.
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = crate::whole)]
    coarser: usize,
    /// Accuracy wanted in all outputs, as a fraction of their ranges.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_hyphen_values = true)]
    accuracy: f64,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<Value>,
    /// End of the simulation, s; the model's own unless given.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    stop: Option<f64>,
    /// Only rows from this time on count, s: without a transient.
    #[arg(
        long,
        value_name = "T",
        default_value_t = 0.0,
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    from: f64,
    /// Only these outputs count, separated by commas; a name that ends in * stands for all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    outputs: Vec<String>,
    /// Write the changes here as CSV.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// Draw the changes here over step and mesh, both axes logarithmic.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Step,
    Mesh,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Step => "step",
            What::Mesh => "mesh",
        }
    }
}

/// Runs of a model that differ in step or mesh alone, the coarsest first.
struct Study {
    /// What is refined, in words.
    name: &'static str,
    /// How each differs from the file, in words.
    sizes: Vec<String>,
    /// What is set for it, in words; empty where the size says so.
    settings: Vec<String>,
    /// log₂ of the size of each by the file's.
    exponents: Vec<f64>,
    /// Which is the file's own.
    own: usize,
    rows: Vec<Row>,
    /// What could not be run.
    notes: Vec<String>,
    /// Whether there are errors that it does not see.
    is_blind: bool,
}

impl Study {
    /// Step or mesh of a run, in words.
    fn shown(&self, k: usize) -> String {
        let size = format!("the {} {}", self.name, self.sizes[k]);
        match self.settings[k].as_str() {
            "" => size,
            set => format!("{set} ({size})"),
        }
    }
}

/// Most runs of a study: each takes twice as long as the one before, or longer.
const MAX_REFINEMENTS: usize = 12;
/// Curves of a drawing.
const MAX_CURVES: usize = 6;

/// Runs and prints what `request` asks for.
///
/// # Errors
/// When the model has faults or does not run as it is, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    if run::is_fmu(&request.model) {
        bail!(
            "{}: an FMU; allowed: a model file (TOML), whose step and mesh can be refined",
            request.model.display()
        );
    }
    let results = [&request.output, &request.svg].into_iter().flatten();
    files::may_write(results, &[&request.model])?;
    if !(request.accuracy > 0.0 && request.accuracy.is_finite()) {
        bail!("--accuracy is {}; allowed: above 0", figure(request.accuracy));
    }
    if request.finer < 1 || request.finer + request.coarser > MAX_REFINEMENTS {
        bail!(
            "--finer {} and --coarser {}; allowed: at least one finer, together at most {MAX_REFINEMENTS}",
            request.finer,
            request.coarser
        );
    }
    let model = run::with_values(run::model(&request.model)?, &request.set)?;
    let blueprint = Blueprint::of(model)?;
    let (model, checked) = (blueprint.model(), blueprint.checked());
    let wanted = |what: &What| request.only.is_none_or(|only| only == *what);
    let mut studies = Vec::new();
    for what in [What::Step, What::Mesh].into_iter().filter(wanted) {
        studies.push(study(request, model, checked, what)?);
    }
    if let Some(file) = &request.output {
        files::write(file, &csv(&studies)?)?;
    }
    if let Some(file) = &request.svg {
        let plots: Vec<Plot> = studies.iter().map(plot).collect();
        files::write(file, drawing(&plots).as_bytes())?;
    }
    let lines: Vec<String> = studies.iter().map(|study| report(study, request.accuracy)).collect();
    let all = verdict(&studies, request.accuracy);
    print(&lines.into_iter().chain(all).collect::<Vec<_>>().join("\n\n"))
}

/// Runs the model with the values of each level.
fn study(request: &Request, model: &Model, checked: &Checked, what: What) -> Result<Study> {
    // Errors of steps grow with the third power of their length.
    let controlled = |tolerance: f64, level: i32| tolerance * 0.125_f64.powi(level);
    // Where no larger tolerance may be given, smaller ones stand for it.
    let least = match checked.solver.tolerance.filter(|_| what == What::Step) {
        Some(given) => {
            let allowed = |level: &i32| controlled(given, *level) <= LARGEST_TOLERANCE;
            (-(request.coarser as i32)..=0).find(allowed).unwrap_or(0)
        }
        None => -(request.coarser as i32),
    };
    let levels: Vec<i32> = (least..).take(request.coarser + request.finer + 1).collect();
    let mut variants: Vec<(String, f64, Vec<Value>)> = Vec::new();
    for &level in &levels {
        let (size, values) = match what {
            What::Step => match checked.solver.tolerance {
                Some(given) => {
                    let tolerance = controlled(given, level);
                    (figure(tolerance), vec![("solver.tolerance".to_string(), tolerance)])
                }
                None => {
                    let step = checked.solver.step * 0.5_f64.powi(level);
                    let size = format!("{} s", figure(step));
                    (size, vec![("solver.step".to_string(), step)])
                }
            },
            What::Mesh => {
                let values = mesh::refined(model, checked, level);
                (mesh::size(level, &values), values)
            }
        };
        // A mesh that cannot be coarser, or finer, is the same again; the file's own stays.
        if variants.last().is_none_or(|(.., before)| *before != values) {
            variants.push((size, -f64::from(level), values));
        } else if let Some(last) = variants.last_mut().filter(|_| level <= 0) {
            *last = (size, -f64::from(level), values);
        }
    }
    let mut found = Study {
        name: match checked.solver.tolerance {
            Some(_) if what == What::Step => "tolerance",
            _ => what.name(),
        },
        sizes: Vec::new(),
        settings: Vec::new(),
        exponents: Vec::new(),
        own: 0,
        rows: Vec::new(),
        notes: Vec::new(),
        is_blind: false,
    };
    if what == What::Mesh {
        found.notes.extend(mesh::beyond(checked));
        found.is_blind = !found.notes.is_empty();
        if variants.len() < 2 {
            let nothing = "nothing of the mesh can be refined";
            found.notes.push(nothing.to_string());
            return Ok(found);
        }
    }
    // Rows at the same instants whatever the step is.
    let coarsest = checked.solver.step * 2.0_f64.powi(request.coarser as i32);
    let simulate = |k: usize, warnings: &mut Vec<String>| -> Result<Results> {
        let values = variants[k].2.iter();
        let model = values.cloned().try_fold(model.clone(), |model, (path, value)| {
            model.with_value(&path, value).map_err(|fault| anyhow!("{fault}"))
        })?;
        let blueprint = Blueprint::of(model)?;
        let mut subject = Subject::of(blueprint)?;
        let own = subject.description.step_size;
        let own = own.or(request.stop.or(subject.description.stop_time).map(|t| t / 500.0));
        let step = own.unwrap_or(coarsest);
        let settings = Settings {
            stop: request.stop,
            step: Some(match step < coarsest {
                true => step * (coarsest / step).ceil(),
                false => step,
            }),
            from: request.from,
            quiet: true,
            ..Settings::default()
        };
        let outcome = subject.run(&settings);
        *warnings = subject.warnings;
        let outcome = outcome?;
        match outcome.failure {
            Some(failure) => Err(failure),
            None => Ok(outcome.results),
        }
    };
    let ended = several::all(variants.len(), |k| {
        let mut warnings = Vec::new();
        (simulate(k, &mut warnings), warnings)
    });
    let (outcomes, warnings): (Vec<_>, Vec<_>) = ended.into_iter().unzip();
    // What is coarser than in the file is the study's doing.
    let runs = warnings.iter().zip(&variants);
    let runs = runs.map(|(own, (_, exponent, _))| if *exponent > 0.0 { &[] } else { &own[..] });
    for line in report::of_runs(runs, |k| format!("{} {}", found.name, variants[k].0)) {
        eprintln!("{line}");
    }
    let mut results: Vec<Results> = Vec::new();
    for ((size, exponent, values), outcome) in variants.into_iter().zip(outcomes) {
        match outcome {
            Ok(result) => {
                if exponent == 0.0 {
                    found.own = results.len();
                }
                results.push(result);
                found.sizes.push(size);
                found.settings.push(if what == What::Mesh {
                    mesh::written(&values)
                } else {
                    String::new()
                });
                found.exponents.push(exponent);
            }
            Err(error) if exponent > 0.0 => {
                // Only what follows a failure without a gap is a row of halvings.
                results.clear();
                found.sizes.clear();
                found.settings.clear();
                found.exponents.clear();
                found.notes.push(format!("{} {size} does not run: {error:#}", found.name));
            }
            Err(error) => return Err(error.context(format!("{} {size}", found.name))),
        }
    }
    if results.len() < 2 {
        bail!("no two runs to compare");
    }
    if let Some(last) = results.last() {
        let own: Vec<&str> = last.columns.iter().map(|column| column.name.as_str()).collect();
        chosen("--outputs", "output", &request.outputs, &own)?;
    }
    let counts = Counting {
        is_static: checked.solver.analysis == Analysis::QuasiStatic,
        from: request.from,
        outputs: &request.outputs,
    };
    found.rows = Row::all(&results, &counts);
    Ok(found)
}

fn report(study: &Study, accuracy: f64) -> String {
    let what = study.name;
    let mut lines = study.notes.clone();
    if study.sizes.is_empty() {
        return lines.join("\n");
    }
    let mut head = vec!["output".to_string(), "range".to_string(), "unit".to_string()];
    head.extend(study.sizes.windows(2).map(|pair| format!("{} → {}", pair[0], pair[1])));
    head.extend(["order", "error of the file's", "jumps"].map(str::to_string));
    let columns = head.len();
    let mut table = plain(head, (1..columns).filter(|index| *index != 2));
    for row in &study.rows {
        let mut cells = vec![row.name.clone(), row.shown_range(), row.unit.clone()];
        cells.extend(row.changes.iter().map(|change| rounded(*change, 2)));
        cells.push(row.order().map_or("–".to_string(), |p| format!("{p:.1}")));
        cells.push(rounded(row.error(study.own), 2));
        cells.push(rounded(row.peak(study.own), 2));
        table.add_row(cells);
    }
    lines.push(format!(
        "{what}: changes from run to run, as fractions of the ranges, in 95 % of the time; \
         `jumps`: the largest change between the file's run and the finest at any time"
    ));
    lines.push(table.trim_fmt());
    if study.rows.iter().any(|row| row.is_constant) {
        lines.push("`at`: constant in time; the changes are fractions of this value".into());
    }
    if study.rows.is_empty() {
        lines.push(format!(
            "no output changes with the {what}, or none is named under `outputs` of the model's [interface]"
        ));
        return lines.join("\n");
    }
    let share = rounded(accuracy, 3);
    let good = |k: usize| study.rows.iter().all(|row| row.error(k) <= accuracy);
    match (0..study.sizes.len()).find(|&k| good(k)) {
        Some(k) => lines.push(format!(
            "the error of the {what} is below {share} of the range of every output with {}{}",
            study.shown(k),
            match k.cmp(&study.own) {
                std::cmp::Ordering::Less => ", coarser than the file's",
                std::cmp::Ordering::Equal => ", the file's own",
                std::cmp::Ordering::Greater => ", finer than the file's",
            }
        )),
        None => {
            let worst = study.rows.iter().map(|row| row.error(study.sizes.len() - 1));
            let worst = worst.fold(0.0, f64::max);
            lines.push(format!(
                "not even with {} the error is within {share}: about {} are left; more with --finer",
                study.shown(study.sizes.len() - 1),
                rounded(worst, 2)
            ));
        }
    }
    let jumping = (study.rows.iter()).filter(|row| row.jumps(study.own, accuracy));
    let jumping: Vec<String> = jumping
        .map(|row| format!("{} (by {})", row.name, rounded(row.peak(study.own), 2)))
        .collect();
    if !jumping.is_empty() {
        lines.push(format!(
            "this error leaves out jumps: at up to one of 20 instants {} change by more than {share} of their ranges from the file's {what} \
             to the finest: an event falls between other instants, or a peak depends on the {what}",
            listed(jumping.iter().map(String::as_str))
        ));
    }
    let restless: Vec<&str> = (study.rows.iter())
        .filter(|row| row.is_restless(accuracy))
        .map(|row| row.name.as_str())
        .collect();
    if !restless.is_empty() {
        lines.push(format!(
            "not converging: {}; they change by more than {share}, and no less from run to run: look at them, an event may fall \
             otherwise, or the motion may depend on everything (chaos, lost stability)",
            restless.join(", ")
        ));
    }
    lines.join("\n")
}

/// What errors of step and mesh come to together, where both are known.
fn verdict(studies: &[Study], accuracy: f64) -> Option<String> {
    let mut errors: BTreeMap<&str, Vec<(&str, f64)>> = BTreeMap::new();
    for study in studies {
        for row in &study.rows {
            let error = row.error(study.own);
            errors.entry(&row.name).or_default().push((study.name, error));
        }
    }
    let sum = |parts: &[(&str, f64)]| parts.iter().map(|(_, error)| error).sum::<f64>();
    let worst = errors.iter().max_by(|a, b| sum(a.1).total_cmp(&sum(b.1)));
    let (name, parts) = worst.filter(|_| studies.len() > 1)?;
    if sum(parts) <= accuracy && !studies.iter().any(|study| study.is_blind) {
        let rows =
            || studies.iter().flat_map(|study| study.rows.iter().map(move |row| (study, row)));
        let jumps = rows().any(|(study, row)| row.jumps(study.own, accuracy));
        return Some(format!(
            "all outputs of the file as it is are within {} of their ranges{}",
            rounded(accuracy, 3),
            if jumps { ", but for the jumps" } else { "" }
        ));
    }
    let each = parts.iter();
    let each = each.map(|(study, error)| format!("{study} {}", rounded(*error, 2)));
    Some(format!(
        "of the file as it is, `{name}` is off most, by about {} of its range ({})",
        rounded(sum(parts), 2),
        each.collect::<Vec<_>>().join(", ")
    ))
}

fn csv(studies: &[Study]) -> Result<Vec<u8>> {
    let head = ["refined", "from", "to", "output", "unit", "range", "change", "largest"];
    let mut rows = Rows::under(head)?;
    for study in studies {
        for row in &study.rows {
            let changes = row.changes.iter().zip(&row.peaks);
            for (pair, (change, peak)) in study.sizes.windows(2).zip(changes) {
                let texts = [study.name, &pair[0], &pair[1], &row.name, &row.unit];
                let numbers = [row.range, *change, *peak];
                rows.add(texts.map(Cell::from).into_iter().chain(numbers.map(Cell::from)))?;
            }
        }
    }
    rows.bytes()
}

/// log₁₀ of the changes of the outputs that change most over log₂ of the step or mesh.
fn plot(study: &Study) -> Plot {
    let mut rows: Vec<&Row> = study.rows.iter().collect();
    rows.sort_by(|a, b| b.error(study.own).total_cmp(&a.error(study.own)));
    let curve = |row: &&Row| Curve {
        label: row.name.clone(),
        points: (study.exponents.iter().zip(&row.changes))
            .filter(|(_, change)| **change > 0.0)
            .map(|(x, change)| (*x, change.log10()))
            .collect(),
        dashed: false,
    };
    Plot {
        to_scale: false,
        title: format!("Change by halving the {}", study.name),
        x: format!("log2 of the {} by the file's", study.name),
        y: "log10 change".to_string(),
        curves: rows.iter().take(MAX_CURVES).map(curve).collect(),
    }
}
