//! Many runs and one table: several models, the rows of a list of numbers, seeds.
//!
//! Each row of the table is a run: its model, the numbers that are set for it, and of each output the smallest, the largest and the
//! last value. A run that ends early keeps what it has, and the table says why it ended. Statistics are over the runs that reach their end.
//! Warnings are counted run by run, and their texts follow once for all runs.

mod file;
mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use coulisse::columns::Wrong;
use coulisse::message::{excerpt, figure};

use crate::number::short;
use crate::run::{self, Settings, Source, Value};
use crate::{columns, print, report, several};
pub use file::may_be_written;
pub use tables::write_statistics;
use tables::{Columns, Found};

/// Runs that are asked for.
pub struct Sweep<'a> {
    pub subjects: &'a [PathBuf],
    /// CSV: a column for each number, a row for each run.
    pub list: Option<&'a Path>,
    /// How many seeds each model runs with.
    pub seeds: Option<usize>,
    pub output: Option<&'a Path>,
    /// Whether the headings of CSV have units.
    pub units: bool,
    /// Where statistics of the table's columns go.
    pub statistics: Option<&'a Path>,
}

/// A run to come.
struct Run {
    subject: PathBuf,
    /// The numbers of its row of the list, and its seeds.
    row: Vec<Value>,
    /// Those and what all runs have.
    values: Vec<Value>,
}

/// What has become of it.
struct Ended {
    /// Of each output; `None` where the run did not begin.
    outputs: Option<Vec<Found>>,
    failure: Option<String>,
    /// Time of its last row, s.
    last: Option<f64>,
    warnings: Vec<String>,
}

impl Ended {
    /// Of a run that did not begin.
    fn without_start(failure: String) -> Ended {
        Ended { outputs: None, failure: Some(failure), last: None, warnings: Vec::new() }
    }

    /// Where it ended before its end, s; nothing where it did not.
    fn early(&self) -> String {
        match (&self.failure, self.last) {
            (None, _) => String::new(),
            (Some(_), Some(time)) => short(time),
            (Some(_), None) => "no start".to_owned(),
        }
    }
}

/// So many runs of models or of a list stand side by side in the printed table.
const MAX_SIDE_BY_SIDE: usize = 5;

/// So many have a row each; more, and those of seeds, are printed as their mean and deviation.
const MAX_ROWS: usize = 100;

/// Most runs of a sweep.
const MAX_RUNS: usize = 1_000_000;

/// Runs them all, writes and prints the table.
///
/// # Errors
/// When a model or the list has faults, the table cannot be written, or a run ended early.
pub fn perform(sweep: &Sweep<'_>, settings: &Settings) -> Result<()> {
    let mut tables = [sweep.output, sweep.statistics].into_iter().flatten();
    tables.try_for_each(file::may_be_written)?;
    let rows = match sweep.list {
        Some(list) => read(list, sweep.subjects)?,
        None => vec![Vec::new()],
    };
    let mut runs = Vec::new();
    for subject in sweep.subjects {
        let seeds = match sweep.seeds {
            Some(count) => seeds(subject, count)?,
            None => vec![Vec::new()],
        };
        for row in &rows {
            for seeds in &seeds {
                let row: Vec<Value> = row.iter().chain(seeds).cloned().collect();
                let values = settings.set.iter().chain(&row).cloned().collect();
                runs.push(Run { subject: subject.clone(), row, values });
            }
        }
    }
    if runs.len() > MAX_RUNS {
        bail!("{} runs; allowed: at most {MAX_RUNS}", runs.len());
    }
    let sources: BTreeMap<&Path, Result<Source>> = sweep
        .subjects
        .iter()
        .map(|path| (path.as_path(), Source::open(path, &settings.outputs)))
        .collect();
    let ended = several::all(runs.len(), |k| {
        let run = &runs[k];
        simulate(&sources[run.subject.as_path()], run, settings)
    });
    let which = |k: usize| {
        let numbers: Vec<String> = (runs[k].row.iter())
            .map(|(name, value)| format!("{name} = {}", figure(*value)))
            .collect();
        let with = if numbers.is_empty() { "" } else { " with " };
        format!("run {}{with}{}", k + 1, numbers.join(", "))
    };
    let mut failed = (ended.iter().enumerate())
        .filter_map(|(k, run)| Some(format!("{}: {}", which(k), run.failure.as_ref()?)));
    let warned = report::of_runs(ended.iter().map(|run| &run.warnings[..]), which);
    let warn = || warned.iter().for_each(|line| eprintln!("{line}"));
    if ended.iter().all(|run| run.outputs.is_none())
        && let Some(first) = failed.next()
    {
        warn();
        bail!("no run begins; {first}");
    }
    if let Some(path) = sweep.output {
        let written = tables::of_runs(&runs, &ended);
        written.write(path, sweep.units).context("the table cannot be written")?;
    }
    let wanted = format!("{} runs", runs.len());
    let mut table = match sweep.output {
        Some(path) => format!("{}: {wanted}\n", path.display()),
        None => format!("{wanted}\n"),
    };
    let columns = Columns::of(&ended);
    if let Some(path) = sweep.statistics {
        let written = columns.statistics();
        written.write(path, sweep.units).context("the statistics cannot be written")?;
        let (path, whole, failed) = (path.display(), columns.whole, columns.failed);
        table +=
            &format!("{path}: statistics of {whole} runs, without {failed} that ended early\n");
    }
    table += &match runs.len() {
        n if sweep.seeds.is_some() || n > MAX_ROWS => columns.summary(),
        n if n > MAX_SIDE_BY_SIDE => tables::one_below_another(&runs, &ended),
        _ => tables::side_by_side(&runs, &ended),
    };
    print(&table)?;
    warn();
    match failed.next() {
        None => Ok(()),
        Some(first) => {
            bail!("{} of {wanted} ended early, the first of them {first}", 1 + failed.count())
        }
    }
}

fn simulate(source: &Result<Source>, run: &Run, settings: &Settings) -> Ended {
    // Numbers of a list are set, too.
    let own = |error: String| match error.strip_prefix("--set: ") {
        Some(own) if settings.set.is_empty() => own.to_owned(),
        _ => error,
    };
    let source = match source {
        Ok(source) => source,
        Err(error) => return Ended::without_start(own(format!("{error:#}"))),
    };
    let mut warnings = Vec::new();
    let outcome = source.subject(run.values.clone()).and_then(|(mut subject, set)| {
        let outcome = subject.run(&Settings {
            set,
            signals: settings.signals.clone(),
            stop: settings.stop,
            step: settings.step,
            from: settings.from,
            outputs: settings.outputs.clone(),
            quiet: true,
            ..Settings::default()
        });
        warnings = subject.warnings;
        outcome
    });
    match outcome {
        Ok(outcome) => Ended {
            // Rows of a thousand runs would not find room.
            outputs: Some(tables::outputs_of(&outcome.results, settings.from)),
            last: outcome.results.times.last().copied(),
            failure: outcome.failure.map(|failure| format!("{failure:#}")),
            warnings,
        },
        Err(error) => Ended { warnings, ..Ended::without_start(own(format!("{error:#}"))) },
    }
}

/// The rows of a list: names of numbers of the models in its first line, values in each other one.
///
/// # Errors
/// When the list cannot be read, or names what is no number of the models.
pub fn read(list: &Path, subjects: &[PathBuf]) -> Result<Vec<Vec<Value>>> {
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
