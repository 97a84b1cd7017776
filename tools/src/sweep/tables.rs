//! Tables of runs: a row for each, a column for each, and statistics over all.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::{Context, Result};
use coulisse::message::{figure, rounded};

use super::file::Table;
use super::{Ended, Run};
use crate::extremes::{Extremes, mean_frequency, over_time};
use crate::number::short;
use crate::results::Results;
use crate::rows::Cell;
use crate::run;
use crate::statistics::{QUANTILES, Statistics};
use crate::table::plain;

/// What a table has of each output: numbers in the order of [`OF_OUTPUTS`].
type Values = [f64; 7];

const OF_OUTPUTS: [&str; 7] = [
    "smallest",
    "largest",
    "at the end",
    "peak to peak",
    "mean frequency",
    "mean over time",
    "deviation over time",
];
/// How many of them are printed of every output, and of one that oscillates; files have all.
const ALWAYS: usize = 3;
const OSCILLATING: usize = 5;
const FREQUENCY: usize = 4;

/// Unit of a number of [`OF_OUTPUTS`] for an output in this `unit`.
fn unit_of(place: usize, unit: &str) -> &str {
    if place == FREQUENCY { "Hz" } else { unit }
}

/// An output of a run.
pub struct Found {
    name: String,
    unit: String,
    values: Values,
}

/// The numbers of each output of a run, from the time `from` (s) on.
pub fn outputs_of(results: &Results, from: f64) -> Vec<Found> {
    let columns = results.columns.iter().enumerate();
    let found = columns.map(|(index, column)| {
        let found = Extremes::of(results, index, from);
        let (frequency, [mean, deviation]) = match column.is_real {
            true => (mean_frequency(results, index, from), over_time(results, index, from)),
            false => (f64::NAN, [f64::NAN; 2]),
        };
        let Extremes { smallest, largest, last, .. } = found;
        let peaks = found.peak_to_peak();
        let values = [smallest, largest, last, peaks, frequency, mean, deviation];
        Found { name: column.name.clone(), unit: column.unit.clone(), values }
    });
    found.collect()
}

/// Writes the numbers of each output of a run, from the time `from` (s) on.
///
/// # Errors
/// When the file cannot be written.
pub fn write_statistics(results: &Results, from: f64, path: &Path, units: bool) -> Result<()> {
    let head = ["output", "unit"].into_iter().chain(OF_OUTPUTS);
    let head = head.map(|name| {
        let unit = if name == OF_OUTPUTS[FREQUENCY] { "Hz" } else { "" };
        [name.to_owned(), unit.to_owned()]
    });
    let found = outputs_of(results, from);
    let rows = found.iter().map(|Found { name, unit, values }| {
        let texts = [name, unit].map(Cell::from);
        texts.into_iter().chain(values.map(Cell::from)).collect()
    });
    let table = Table { head: head.collect(), rows: rows.collect() };
    table.write(path, units).context("the statistics cannot be written")
}

/// The outputs of all runs, each once, in the order in which they come.
#[derive(Default)]
struct Outputs<'a> {
    /// Name and unit.
    list: Vec<(&'a str, &'a str)>,
    places: HashMap<&'a str, usize>,
}

impl<'a> Outputs<'a> {
    /// The place of an output of a run in the list, where it is the `k`-th of its run.
    fn place(&mut self, k: usize, found: &'a Found) -> usize {
        // As a rule all runs have the same ones.
        if self.list.get(k).is_some_and(|(name, _)| *name == found.name) {
            return k;
        }
        *self.places.entry(&found.name).or_insert_with(|| {
            self.list.push((&found.name, &found.unit));
            self.list.len() - 1
        })
    }
}

/// Names of the numbers of a list and of seeds, each once, with their units.
fn numbers_of(runs: &[Run]) -> Vec<(&str, String)> {
    let mut numbers: Vec<(&str, String)> = Vec::new();
    for run in runs {
        for (name, _) in &run.row {
            if !numbers.iter().any(|(own, _)| own == name) {
                numbers.push((name, run::unit_of(&run.subject, name).unwrap_or_default()));
            }
        }
    }
    numbers
}

/// A row for each run.
pub fn of_runs<'a>(runs: &'a [Run], ended: &'a [Ended]) -> Table<'a> {
    let numbers = numbers_of(runs);
    let mut outputs = Outputs::default();
    let places: Vec<Vec<usize>> = (ended.iter())
        .map(|run| {
            let found = run.outputs.iter().flatten().enumerate();
            found.map(|(k, found)| outputs.place(k, found)).collect()
        })
        .collect();
    let outputs = outputs.list;
    let are_warned = ended.iter().any(|run| !run.warnings.is_empty());
    let first = ["run", "model", "failure"].into_iter().chain(are_warned.then_some("warnings"));
    let mut head: Vec<_> = first.map(|name| [name.to_owned(), String::new()]).collect();
    head.extend(numbers.iter().map(|(name, unit)| [name.to_string(), unit.clone()]));
    for (name, unit) in &outputs {
        let of = OF_OUTPUTS.iter().enumerate();
        head.extend(of.map(|(i, of)| [format!("{name} {of}"), unit_of(i, unit).to_owned()]));
    }
    let rows = runs.iter().zip(ended).zip(places).enumerate();
    let rows = rows.map(|(number, ((run, ended), places))| {
        let text = |text: String| match Cell::from(text.as_str()) {
            Cell::Text(text) => Cell::Text(text.into_owned().into()),
            _ => Cell::Text(String::new().into()),
        };
        let mut cells = vec![
            Cell::from(number + 1),
            text(run.subject.display().to_string()),
            text(ended.failure.clone().unwrap_or_default()),
        ];
        cells.extend(are_warned.then(|| Cell::from(ended.warnings.len())));
        let row: BTreeMap<&str, f64> =
            run.row.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        cells.extend(numbers.iter().map(|(name, _)| Cell::from(row.get(name).copied())));
        let mut values = vec![[f64::NAN; OF_OUTPUTS.len()]; outputs.len()];
        for (place, found) in places.into_iter().zip(ended.outputs.iter().flatten()) {
            values[place] = found.values;
        }
        cells.extend(values.into_iter().flatten().map(Cell::from));
        cells
    });
    Table { rows: rows.collect(), head }
}

/// A column for each run: its numbers of a list, then those of each output.
pub fn side_by_side(runs: &[Run], ended: &[Ended]) -> String {
    let mut outputs = Outputs::default();
    let mut of_each: Vec<Vec<Option<Values>>> = Vec::new();
    for (k, run) in ended.iter().enumerate() {
        for (own, found) in run.outputs.iter().flatten().enumerate() {
            let place = outputs.place(own, found);
            if place == of_each.len() {
                of_each.push(vec![None; ended.len()]);
            }
            of_each[place][k] = Some(found.values);
        }
    }
    let several = runs.iter().any(|run| run.subject != runs[0].subject);
    let title = |(k, run): (usize, &Run)| {
        let model = run.subject.file_stem().unwrap_or_default().to_string_lossy();
        let model = if several { format!(": {model}") } else { String::new() };
        format!("run {}{model}", k + 1)
    };
    let head = ["output", "unit", ""].map(String::from).into_iter();
    let head: Vec<String> = head.chain(runs.iter().enumerate().map(title)).collect();
    let mut table = plain(head, 3..3 + runs.len());
    for (name, unit) in numbers_of(runs) {
        let value = |run: &Run| {
            let own = run.row.iter().find(|(own, _)| own == name);
            own.map_or("–".to_owned(), |(_, value)| figure(*value))
        };
        let first = [name.to_owned(), unit, "set".to_owned()].into_iter();
        table.add_row(first.chain(runs.iter().map(value)));
    }
    if ended.iter().any(|run| !run.warnings.is_empty()) {
        let first = ["warnings", "", ""].map(String::from).into_iter();
        table.add_row(first.chain(ended.iter().map(|run| run.warnings.len().to_string())));
    }
    if ended.iter().any(|run| run.failure.is_some()) {
        let first = ["ended early at", "s", ""].map(String::from).into_iter();
        table.add_row(first.chain(ended.iter().map(Ended::early)));
    }
    for ((name, unit), values) in outputs.list.into_iter().zip(of_each) {
        let oscillates = values.iter().flatten().any(|values| values[FREQUENCY].is_finite());
        let shown = if oscillates { OSCILLATING } else { ALWAYS };
        for (i, of) in OF_OUTPUTS.iter().enumerate().take(shown) {
            let name = if i == 0 { name } else { "" };
            let unit = if i == 0 || i == FREQUENCY { unit_of(i, unit) } else { "" };
            let first = [name, unit, of].map(String::from).into_iter();
            let number = |found: &Option<Values>| match found.map(|found| found[i]) {
                Some(value) if value.is_finite() => short(value),
                _ => "–".to_owned(),
            };
            table.add_row(first.chain(values.iter().map(number)));
        }
    }
    table.trim_fmt()
}

/// How many outputs [`one_below_another`] shows.
const SHOWN: usize = 4;

/// A row for each run: its numbers of a list, then of the first outputs the largest magnitude and the last value.
pub fn one_below_another(runs: &[Run], ended: &[Ended]) -> String {
    let numbers = numbers_of(runs);
    let mut outputs = Outputs::default();
    let places: Vec<Vec<usize>> = (ended.iter())
        .map(|run| {
            let found = run.outputs.iter().flatten().enumerate();
            found.map(|(k, found)| outputs.place(k, found)).collect()
        })
        .collect();
    let shown = &outputs.list[..outputs.list.len().min(SHOWN)];
    let fails = ended.iter().any(|run| run.failure.is_some());
    let several = runs.iter().any(|run| run.subject != runs[0].subject);
    let with_unit = |name: &str, unit: &str| match unit {
        "" => name.to_owned(),
        unit => format!("{name}, {unit}"),
    };
    let mut head = vec!["run".to_owned()];
    head.extend(several.then(|| "model".to_owned()));
    head.extend(numbers.iter().map(|(name, unit)| with_unit(name, unit)));
    head.extend(fails.then(|| "ended early at, s".to_owned()));
    for (name, unit) in shown {
        head.extend([
            format!(
                "largest |{name}|{}",
                if unit.is_empty() { String::new() } else { format!(", {unit}") }
            ),
            "at the end".to_owned(),
        ]);
    }
    let first_number = if several { 2 } else { 1 };
    let right: Vec<usize> = [0].into_iter().chain(first_number..head.len()).collect();
    let mut table = plain(head, right);
    for (k, ((run, own), places)) in runs.iter().zip(ended).zip(places).enumerate() {
        let mut cells = vec![(k + 1).to_string()];
        cells.extend(several.then(|| run.subject.display().to_string()));
        let set = |name: &str| run.row.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
        let number = |value: Option<f64>| match value {
            Some(value) if value.is_finite() => short(value),
            _ => "–".to_owned(),
        };
        cells.extend(numbers.iter().map(|(name, _)| number(set(name))));
        cells.extend(fails.then(|| own.early()));
        for place in 0..shown.len() {
            let found = places.iter().zip(own.outputs.iter().flatten());
            let values =
                found.filter(|(at, _)| **at == place).map(|(_, found)| found.values).next();
            let [smallest, largest, last, ..] = values.unwrap_or([f64::NAN; OF_OUTPUTS.len()]);
            cells
                .extend([largest.abs().max(smallest.abs()), last].map(|value| number(Some(value))));
        }
        table.add_row(cells);
    }
    let more = match outputs.list.len() - shown.len() {
        0 => String::new(),
        n => format!("\n… and {n} more outputs: choose by --outputs, or write all with -o"),
    };
    format!("{}{more}", table.trim_fmt())
}

/// Numbers of an output in the runs that reached their end.
struct Column<'a> {
    name: &'a str,
    unit: &'a str,
    values: Vec<Values>,
}

/// All columns of the runs that reached their end.
pub struct Columns<'a> {
    all: Vec<Column<'a>>,
    /// How many runs reached their end, and how many did not.
    pub whole: usize,
    pub failed: usize,
}

impl<'a> Columns<'a> {
    /// Of these runs.
    pub fn of(ended: &'a [Ended]) -> Columns<'a> {
        let mut outputs = Outputs::default();
        let mut all: Vec<Column> = Vec::new();
        let whole: Vec<&Ended> = ended.iter().filter(|run| run.failure.is_none()).collect();
        for run in &whole {
            for (own, found) in run.outputs.iter().flatten().enumerate() {
                let place = outputs.place(own, found);
                if place == all.len() {
                    all.push(Column { name: &found.name, unit: &found.unit, values: Vec::new() });
                }
                all[place].values.push(found.values);
            }
        }
        Columns { all, whole: whole.len(), failed: ended.len() - whole.len() }
    }

    /// The statistics of each, as a table for a file.
    pub fn statistics(&self) -> Table<'a> {
        let head = ["output", "unit", "value", "runs", "failed", "mean", "deviation"];
        let head = head.into_iter().chain(QUANTILES.map(|(_, heading)| heading));
        let mut rows = Vec::new();
        for Column { name, unit, values } in &self.all {
            for (i, of) in OF_OUTPUTS.into_iter().enumerate() {
                let Some(found) = Statistics::of(values.iter().map(|v| v[i])) else {
                    continue;
                };
                let texts = [*name, unit_of(i, unit), of].map(Cell::from);
                let counts = [found.count, self.failed].map(Cell::from);
                let numbers = [found.mean, found.deviation].into_iter().chain(found.quantiles);
                rows.push(texts.into_iter().chain(counts).chain(numbers.map(Cell::from)).collect());
            }
        }
        Table { head: head.map(|name| [name.to_owned(), String::new()]).collect(), rows }
    }

    /// Mean and standard deviation of each, for a terminal.
    pub fn summary(&self) -> String {
        let head = OF_OUTPUTS[..ALWAYS].iter();
        let head = head.flat_map(|of| [format!("{of}: mean"), "deviation".to_string()]);
        let head: Vec<String> =
            ["output", "unit"].map(String::from).into_iter().chain(head).collect();
        let mut table = plain(head, 2..2 + 2 * ALWAYS);
        for Column { name, unit, values } in &self.all {
            let mut cells = vec![name.to_string(), unit.to_string()];
            for i in 0..ALWAYS {
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
