//! Many runs and one table: several models, the rows of a list of numbers, seeds.
//!
//! Each row of the table is a run: its model, the numbers that are set for it, and of each output the smallest, the largest and the
//! last value. A run that ends early keeps what it has, and the table says why it ended. Statistics are over the runs that reach their end.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use coulisse::columns::Wrong;
use coulisse::message::{excerpt, figure, rounded};

use crate::number::short;
use crate::results::Results;
use crate::rows::{Cell, Rows};
use crate::run::{self, Settings, Subject, Value};
use crate::statistics::{QUANTILES, Statistics};
use crate::table::plain;
use crate::{columns, files, print, several};

/// Runs that are asked for.
pub struct Sweep<'a> {
    pub subjects: &'a [PathBuf],
    /// CSV: a column for each number, a row for each run.
    pub list: Option<&'a Path>,
    /// How many seeds each model runs with.
    pub seeds: Option<usize>,
    pub output: Option<&'a Path>,
    /// Where statistics of the table's columns go.
    pub statistics: Option<&'a Path>,
}

/// A run to come.
struct Run {
    subject: PathBuf,
    /// Which of the seeds, from 0.
    seed: Option<usize>,
    /// The numbers of its row of the list.
    row: Vec<Value>,
    /// Those and the seeds.
    values: Vec<Value>,
}

/// What has become of it.
struct Ended {
    results: Option<Results>,
    failure: Option<String>,
}

/// So many runs of models or of a list stand side by side in the printed table; more, and those of seeds, by their mean and deviation.
const MAX_SIDE_BY_SIDE: usize = 5;

/// Most runs of a sweep.
const MAX_RUNS: usize = 1_000_000;

/// Runs them all, writes and prints the table.
///
/// # Errors
/// When a model or the list has faults, the table cannot be written, or a run ended early.
pub fn perform(sweep: &Sweep<'_>, settings: &Settings) -> Result<()> {
    let tables = [sweep.output, sweep.statistics].into_iter().flatten();
    let mut endings = tables.filter_map(|path| path.extension());
    if let Some(ending) = endings.find(|ending| !ending.eq_ignore_ascii_case("csv")) {
        bail!("a table of runs is written as .csv, not as .{}", ending.display());
    }
    let rows = match sweep.list {
        Some(list) => read(list, sweep.subjects)?,
        None => vec![Vec::new()],
    };
    let mut runs = Vec::new();
    for subject in sweep.subjects {
        let seeds = match sweep.seeds {
            Some(count) => seeds(subject, count)?.into_iter().enumerate().collect(),
            None => vec![(0, Vec::new())],
        };
        for row in &rows {
            for (k, seeds) in &seeds {
                let each = [&settings.set, row, seeds].into_iter().flatten();
                runs.push(Run {
                    subject: subject.clone(),
                    seed: sweep.seeds.map(|_| *k),
                    row: row.clone(),
                    values: each.cloned().collect(),
                });
            }
        }
    }
    if runs.len() > MAX_RUNS {
        bail!("{} runs; allowed: at most {MAX_RUNS}", runs.len());
    }
    let ended = several::all(runs.len(), |k| simulate(&runs[k], settings));
    let mut failed = (ended.iter().enumerate()).filter_map(|(k, run)| {
        let numbers: Vec<String> = (runs[k].row.iter())
            .map(|(name, value)| format!("{name} = {}", figure(*value)))
            .collect();
        let with = if numbers.is_empty() { "" } else { " with " };
        let which = format!("run {}{with}{}", k + 1, numbers.join(", "));
        Some(format!("{which}: {}", run.failure.as_ref()?))
    });
    if ended.iter().all(|run| run.results.is_none())
        && let Some(first) = failed.next()
    {
        bail!("no run begins; {first}");
    }
    if let Some(path) = sweep.output {
        files::write(path, &csv(&runs, &ended).context("the table cannot be written")?)?;
    }
    let wanted = format!("{} runs", runs.len());
    let mut table = match sweep.output {
        Some(path) => format!("{}: {wanted}\n", path.display()),
        None => format!("{wanted}\n"),
    };
    let columns = Columns::of(&ended);
    if let Some(path) = sweep.statistics {
        files::write(path, &columns.csv().context("the statistics cannot be written")?)?;
        let (path, whole, failed) = (path.display(), columns.whole, columns.failed);
        table +=
            &format!("{path}: statistics of {whole} runs, without {failed} that ended early\n");
    }
    table += &match sweep.seeds.is_none() && runs.len() <= MAX_SIDE_BY_SIDE {
        true => side_by_side(&runs, &ended),
        false => columns.summary(),
    };
    print(&table)?;
    match failed.next() {
        None => Ok(()),
        Some(first) => {
            bail!("{} of {wanted} ended early, the first of them {first}", 1 + failed.count())
        }
    }
}

fn simulate(run: &Run, settings: &Settings) -> Ended {
    // Numbers of a list are set, too.
    let own = |told: String| match told.strip_prefix("--set: ") {
        Some(own) if settings.set.is_empty() => own.to_owned(),
        _ => told,
    };
    let outcome =
        Subject::open_with(&run.subject, run.values.clone()).and_then(|(mut subject, set)| {
            subject.run(&Settings {
                set,
                signals: settings.signals.clone(),
                stop: settings.stop,
                step: settings.step,
                quiet: true,
                ..Settings::default()
            })
        });
    match outcome {
        Ok(outcome) => Ended {
            results: Some(outcome.results),
            failure: outcome.failure.map(|failure| format!("{failure:#}")),
        },
        Err(error) => Ended { results: None, failure: Some(own(format!("{error:#}"))) },
    }
}

/// The rows of a list: names of numbers of the models in its first line, values in each other one.
fn read(list: &Path, subjects: &[PathBuf]) -> Result<Vec<Vec<Value>>> {
    let file = list.display().to_string();
    let columns = columns::read(list)?;
    let headings = columns.headings();
    if headings.is_empty() || headings.iter().any(String::is_empty) {
        let shown = if headings.is_empty() { &columns.title } else { &headings.join(",") };
        bail!(
            "{file}: the first row is `{}`; allowed: names of numbers of the model",
            excerpt(shown)
        );
    }
    let mut named: Vec<(&str, f64)> = Vec::new();
    for heading in headings {
        let line = columns.heading_line();
        let wrong = |what| columns::at(&file, Wrong { line, what });
        let unit_of = |name: &str| subjects.iter().find_map(|subject| run::unit_of(subject, name));
        let (name, factor) = columns::variable(heading, unit_of).map_err(wrong)?;
        if named.iter().any(|(other, _)| *other == name) {
            return Err(wrong(format!("the column `{name}` is there twice; leave one out")));
        }
        named.push((name, factor));
    }
    let width = columns.width().max(1);
    let row = |numbers: &[f64]| -> Vec<Value> {
        let each = named.iter().zip(numbers);
        each.map(|((name, factor), value)| (name.to_string(), factor * value)).collect()
    };
    let rows: Vec<Vec<Value>> = columns.numbers().chunks(width).map(row).collect();
    if rows.is_empty() {
        bail!("{file}: no row of values below the names");
    }
    Ok(rows)
}

/// Values for all seeds of a model file, run by run: those of the file first, then others that no run before has had.
fn seeds(subject: &Path, count: usize) -> Result<Vec<Vec<Value>>> {
    if count == 0 {
        bail!("--seeds is 0; allowed: 1 or more");
    }
    if run::is_fmu(subject) {
        bail!("{}: an FMU; --seeds takes a model file (TOML)", subject.display());
    }
    let mut own = run::model(subject)?.numbers();
    own.retain(|path, _| path.ends_with(".seed"));
    let ends = own.values().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], seed| {
        [low.min(*seed), high.max(*seed)]
    });
    if own.is_empty() {
        bail!(
            "{}: no `seed` generates anything in it, so all runs would be the same",
            subject.display()
        );
    }
    let stride = ends[1] - ends[0] + 1.0;
    let shifted = |k: usize| {
        own.iter().map(|(path, seed)| (path.clone(), seed + k as f64 * stride)).collect()
    };
    Ok((0..count).map(shifted).collect())
}

/// Smallest, largest and last value of each output.
fn extremes(results: &Results) -> impl Iterator<Item = (&str, &str, [f64; 3])> {
    let columns = results.columns.iter().enumerate();
    columns.map(|(index, column)| {
        let start = [f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        let found =
            results.column(index).fold(start, |[low, high, _], v| [low.min(v), high.max(v), v]);
        (column.name.as_str(), column.unit.as_str(), found)
    })
}

const OF_OUTPUTS: [&str; 3] = ["smallest", "largest", "at the end"];

fn csv(runs: &[Run], ended: &[Ended]) -> Result<Vec<u8>> {
    let mut outputs: Vec<&str> = Vec::new();
    let mut numbers: Vec<&str> = Vec::new();
    for (run, ended) in runs.iter().zip(ended) {
        for column in ended.results.iter().flat_map(|results| &results.columns) {
            if !outputs.contains(&column.name.as_str()) {
                outputs.push(&column.name);
            }
        }
        for (name, _) in &run.row {
            if !numbers.contains(&name.as_str()) {
                numbers.push(name);
            }
        }
    }
    let mut head: Vec<String> = ["run", "model", "seed", "failure"].map(String::from).into();
    head.extend(numbers.iter().map(|name| name.to_string()));
    head.extend(outputs.iter().flat_map(|name| OF_OUTPUTS.map(|of| format!("{name} {of}"))));
    let mut rows = Rows::under(head.iter().map(String::as_str))?;
    for (number, (run, ended)) in runs.iter().zip(ended).enumerate() {
        let subject = run.subject.display().to_string();
        let seed = run.seed.map(|seed| (seed + 1).to_string());
        let texts = [seed.unwrap_or_default(), ended.failure.clone().unwrap_or_default()];
        let mut cells = vec![
            Cell::from(number + 1),
            Cell::from(&subject),
            Cell::from(&texts[0]),
            Cell::from(&texts[1]),
        ];
        let row: BTreeMap<&str, f64> =
            run.row.iter().map(|(name, v)| (name.as_str(), *v)).collect();
        // As short as in a list.
        let cell = |value: Option<&f64>| match value {
            Some(value) if value.is_finite() => Cell::Text(value.to_string().into()),
            _ => Cell::Number(None),
        };
        cells.extend(numbers.iter().map(|name| cell(row.get(name))));
        let found: BTreeMap<&str, [f64; 3]> = (ended.results.iter())
            .flat_map(extremes)
            .map(|(name, _, found)| (name, found))
            .collect();
        cells.extend(
            outputs.iter().flat_map(|name| [0, 1, 2].map(|i| cell(found.get(name).map(|f| &f[i])))),
        );
        rows.add(cells)?;
    }
    rows.bytes()
}

/// Smallest, largest and last value of each output, a column for each run.
fn side_by_side(runs: &[Run], ended: &[Ended]) -> String {
    type Extremes = Option<[f64; 3]>;
    let mut outputs: Vec<(&str, &str, Vec<Extremes>)> = Vec::new();
    for (k, results) in ended.iter().enumerate() {
        for (name, unit, values) in results.results.iter().flat_map(extremes) {
            let place = outputs.iter().position(|(own, ..)| *own == name);
            let place = place.unwrap_or_else(|| {
                outputs.push((name, unit, vec![None; ended.len()]));
                outputs.len() - 1
            });
            outputs[place].2[k] = Some(values);
        }
    }
    let several = runs.iter().any(|run| run.subject != runs[0].subject);
    let title = |(k, run): (usize, &Run)| {
        let model = run.subject.file_stem().unwrap_or_default().to_string_lossy();
        let model = if several { format!(": {model}") } else { String::new() };
        let numbers = run.row.iter();
        let numbers = numbers.map(|(name, value)| format!(", {name} = {}", figure(*value)));
        format!("run {}{model}{}", k + 1, numbers.collect::<String>())
    };
    let head = ["output", "unit", ""].map(String::from).into_iter();
    let head: Vec<String> = head.chain(runs.iter().enumerate().map(title)).collect();
    let mut table = plain(head, 3..3 + runs.len());
    for (name, unit, values) in outputs {
        for (i, of) in OF_OUTPUTS.iter().enumerate() {
            let [name, unit] = if i == 0 { [name, unit] } else { ["", ""] };
            let first = [name, unit, of].map(String::from).into_iter();
            let numbers =
                values.iter().map(|found| found.map_or("–".into(), |found| short(found[i])));
            table.add_row(first.chain(numbers));
        }
    }
    table.trim_fmt()
}

/// Smallest, largest and last value of an output in the runs that reached their end.
struct Column<'a> {
    name: &'a str,
    unit: &'a str,
    values: Vec<[f64; 3]>,
}

/// All columns of the runs that reached their end.
struct Columns<'a> {
    all: Vec<Column<'a>>,
    /// How many runs reached their end, and how many did not.
    whole: usize,
    failed: usize,
}

impl<'a> Columns<'a> {
    fn of(ended: &'a [Ended]) -> Columns<'a> {
        let mut all: Vec<Column> = Vec::new();
        let whole: Vec<&Ended> = ended.iter().filter(|run| run.failure.is_none()).collect();
        for results in whole.iter().filter_map(|run| run.results.as_ref()) {
            for (name, unit, values) in extremes(results) {
                match all.iter_mut().find(|own| own.name == name) {
                    Some(own) => own.values.push(values),
                    None => all.push(Column { name, unit, values: vec![values] }),
                }
            }
        }
        Columns { all, whole: whole.len(), failed: ended.len() - whole.len() }
    }

    /// The statistics of each, as a table for a file.
    fn csv(&self) -> Result<Vec<u8>> {
        let head = ["output", "unit", "value", "runs", "failed", "mean", "deviation"];
        let mut rows = Rows::under(head.into_iter().chain(QUANTILES.map(|(_, heading)| heading)))?;
        for Column { name, unit, values } in &self.all {
            for (i, of) in OF_OUTPUTS.into_iter().enumerate() {
                let Some(found) = Statistics::of(values.iter().map(|v| v[i])) else {
                    continue;
                };
                let texts = [*name, *unit, of].map(Cell::from);
                let counts = [found.count, self.failed].map(Cell::from);
                let numbers = [found.mean, found.deviation].into_iter().chain(found.quantiles);
                rows.add(texts.into_iter().chain(counts).chain(numbers.map(Cell::from)))?;
            }
        }
        rows.bytes()
    }

    /// Mean and standard deviation of each, for a terminal.
    fn summary(&self) -> String {
        let head =
            OF_OUTPUTS.iter().flat_map(|of| [format!("{of}: mean"), "deviation".to_string()]);
        let head: Vec<String> =
            ["output", "unit"].map(String::from).into_iter().chain(head).collect();
        let mut table = plain(head, 2..8);
        for Column { name, unit, values } in &self.all {
            let mut cells = vec![name.to_string(), unit.to_string()];
            for i in 0..3 {
                let found = Statistics::of(values.iter().map(|v| v[i]));
                cells.extend(match found {
                    Some(found) => [short(found.mean), rounded(found.deviation, 3)],
                    None => Default::default(),
                });
            }
            table.add_row(cells);
        }
        table.trim_fmt()
    }
}
