//! The rows of a run: in memory, as a file, as a summary.

mod mat;
mod npz;
#[cfg(feature = "parquet")]
mod parquet;

use crate::number::short;
use crate::table::plain;
use std::path::Path;

use anyhow::{Context, Result, bail};
use coulisse::message::listed;
use coulisse::quantity::SMALLEST;

use crate::description::{Kind, Variable};
use crate::extremes::Extremes;
use crate::rows::{Cell, Rows};
use crate::{files, xlsx};

/// What to do about a model that shows nothing.
pub const NO_OUTPUTS: &str = "no outputs: name some under `outputs` of the model's [interface], \
    like outputs = [\"points.tip.*\", \"energy.*\"]";

/// Values of the outputs over time.
#[derive(Debug, Default)]
pub struct Results {
    pub columns: Vec<Column>,
    pub times: Vec<f64>,
    /// One row after the other.
    values: Vec<f64>,
    /// Paths of the entries of the model that are switched off: their outputs are no results.
    pub off: Vec<String>,
}

/// Whether a variable is one of these entries of a model.
pub fn is_of(entries: &[String], variable: &str) -> bool {
    entries.iter().any(|path| {
        variable.strip_prefix(path.as_str()).is_some_and(|rest| rest.starts_with(['.', '[']))
    })
}

/// One output.
#[derive(Debug, Clone)]
pub struct Column {
    pub name: String,
    pub unit: String,
    pub description: String,
    /// Whether it is a number and no count, truth or choice.
    pub is_real: bool,
}

impl Results {
    /// An empty table for these variables.
    pub fn of(variables: &[&Variable]) -> Results {
        let columns = variables.iter().map(|v| Column {
            name: v.name.clone(),
            unit: v.unit.clone(),
            description: v.description.clone(),
            is_real: v.kind == Kind::Real,
        });
        Results { columns: columns.collect(), ..Results::default() }
    }

    /// Adds a row.
    pub fn push(&mut self, time: f64, row: &[f64]) {
        self.times.push(time);
        self.values.extend_from_slice(row);
    }

    /// The place of a column.
    pub fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name == name)
    }

    /// Values of one column over time.
    pub fn column(&self, index: usize) -> impl Iterator<Item = f64> {
        let width = self.columns.len();
        self.values.iter().skip(index).step_by(width).copied()
    }

    /// Times and values of one column from the time `from` (s) on.
    pub fn since(&self, index: usize, from: f64) -> impl Iterator<Item = (f64, f64)> {
        let rows = self.times.iter().copied().zip(self.column(index));
        rows.filter(move |(time, _)| *time >= from)
    }

    /// Time and values of each row.
    pub fn rows(&self) -> impl Iterator<Item = (f64, &[f64])> {
        let width = self.columns.len();
        let times = self.times.iter().enumerate();
        times.map(move |(row, time)| (*time, &self.values[row * width..(row + 1) * width]))
    }

    /// Refuses what asks for a format that is not written, before anything runs.
    ///
    /// # Errors
    /// For endings of other files. What has none, as a device or a pipe, takes CSV.
    pub fn may_be_written(path: &Path) -> Result<()> {
        let Some(ending) = path.extension() else {
            return Ok(());
        };
        let ending = ending.to_string_lossy();
        let mut written = ["csv", "npz", "mat", "xlsx"]
            .into_iter()
            .chain(cfg!(feature = "parquet").then_some("parquet"));
        if !written.any(|format| ending.eq_ignore_ascii_case(format)) {
            bail!(
                "{}: .{ending} is not written; allowed: .csv, .npz, .mat, .xlsx{}",
                path.display(),
                if cfg!(feature = "parquet") {
                    ", .parquet"
                } else {
                    ", and .parquet with a command that has the feature `parquet`"
                }
            );
        }
        Ok(())
    }

    /// Writes `time` and the outputs in the format of the file's ending, whole or not at all. Reading
    /// them back gives the same bits. With `units` the headings of CSV have them.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, path: &Path, units: bool) -> Result<()> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let bytes = match ending.map(str::to_ascii_lowercase).as_deref() {
            Some("npz") => npz::bytes(self),
            Some("mat") => mat::bytes(self),
            Some("xlsx") => self.xlsx(),
            #[cfg(feature = "parquet")]
            Some("parquet") => parquet::bytes(self),
            _ => self.csv(units),
        };
        files::write(path, &bytes.context("the rows cannot be written")?)
    }

    /// Names and units of `time` and each output.
    fn headings(&self) -> impl Iterator<Item = [&str; 2]> {
        let columns = self.columns.iter();
        let columns = columns.map(|column| [column.name.as_str(), column.unit.as_str()]);
        std::iter::once(["time", "s"]).chain(columns)
    }

    /// What `time` and each output has as text.
    fn named<'a>(&'a self, of: fn(&'a Column) -> &'a String, time: &'a str) -> Vec<&'a str> {
        let columns = self.columns.iter().map(|column| of(column).as_str());
        std::iter::once(time).chain(columns).collect()
    }

    /// The rows as CSV, with all their digits; with `units` behind the names, as `points.A.x [m]`.
    ///
    /// # Errors
    /// None that a table can have.
    pub fn csv(&self, units: bool) -> Result<Vec<u8>> {
        let headings = self.headings().map(|[name, unit]| match units && !unit.is_empty() {
            true => format!("{name} [{unit}]"),
            false => name.to_owned(),
        });
        let headings: Vec<String> = headings.collect();
        let mut rows = Rows::under(headings.iter().map(String::as_str))?;
        for (time, values) in self.rows() {
            rows.add(std::iter::once(time).chain(values.iter().copied()).map(Cell::from))?;
        }
        rows.bytes()
    }

    /// The rows as a workbook, names and units above them.
    ///
    /// # Errors
    /// When there are more rows or columns than a sheet may have.
    pub fn xlsx(&self) -> Result<Vec<u8>> {
        let head = self.headings().map(|heading| heading.map(str::to_owned));
        let rows = self.rows().map(|(time, values)| {
            std::iter::once(time).chain(values.iter().copied()).map(Cell::from).collect()
        });
        xlsx::bytes("results", &head.collect::<Vec<_>>(), self.times.len(), rows)
    }

    /// Smallest and largest value of each output from the time `from` (s) on, when they occur, and its last value.
    pub fn summary(&self, from: f64) -> String {
        if self.columns.is_empty() {
            return format!("{} rows, but {NO_OUTPUTS}", self.times.len());
        }
        let head = ["output", "unit", "smallest", "at, s", "largest", "at, s", "at the end"];
        let mut table = plain(head, 2..7);
        let mut hidden = Vec::new();
        for (index, column) in self.columns.iter().enumerate() {
            if is_of(&self.off, &column.name) {
                hidden.push(column);
                continue;
            }
            let found = Extremes::of(self, index, from);
            // As numbers of a model file do, what is smaller counts as 0.
            let value = |value: f64| short(if value.abs() < SMALLEST { 0.0 } else { value });
            table.add_row([
                column.name.clone(),
                column.unit.clone(),
                value(found.smallest),
                short(found.smallest_at),
                value(found.largest),
                short(found.largest_at),
                value(found.last),
            ]);
        }
        let shown = table.trim_fmt();
        if hidden.is_empty() {
            return shown;
        }
        let of =
            |path: &&String| hidden.iter().any(|c| is_of(std::slice::from_ref(*path), &c.name));
        let off = listed(self.off.iter().filter(of).map(String::as_str));
        format!("{shown}\nswitched off, and not shown: {off}")
    }
}
