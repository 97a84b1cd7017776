//! Inputs over time, from a CSV file.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::description::{Description, Kind, Variable};

/// A column `time` and one column for each input.
#[derive(Debug)]
pub struct Signals {
    file: String,
    times: Vec<f64>,
    columns: Vec<(String, Vec<f64>)>,
}

/// One input over time: straight between the rows, constant before the first and after the last.
#[derive(Debug)]
pub struct Signal<'a> {
    times: &'a [f64],
    values: &'a [f64],
}

impl Signals {
    /// Reads a CSV file with a header.
    ///
    /// # Errors
    /// When it is not a table of numbers with increasing times.
    pub fn read(path: &Path) -> Result<Signals> {
        let file = path.display().to_string();
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_path(path)
            .with_context(|| format!("{file}: cannot be read"))?;
        let header = reader.headers().with_context(|| file.clone())?.clone();
        if header.get(0) != Some("time") || header.len() < 2 {
            bail!(
                "{file}: the first row is `{}`; allowed: `time` and then names of inputs",
                header.iter().collect::<Vec<_>>().join(",")
            );
        }
        let mut times: Vec<f64> = Vec::new();
        let mut columns: Vec<(String, Vec<f64>)> = header
            .iter()
            .skip(1)
            .map(|name| (name.to_owned(), Vec::new()))
            .collect();
        for record in reader.records() {
            let record = record.with_context(|| file.clone())?;
            let line = record.position().map_or(0, csv::Position::line);
            let mut row = Vec::new();
            for field in &record {
                match field.parse::<f64>() {
                    Ok(value) if value.is_finite() => row.push(value),
                    _ => bail!("{file}:{line}: `{field}`; allowed: finite numbers"),
                }
            }
            if times.last().is_some_and(|last| row[0] <= *last) {
                bail!("{file}:{line}: time {} s does not increase", row[0]);
            }
            times.push(row[0]);
            for ((_, values), value) in columns.iter_mut().zip(&row[1..]) {
                values.push(*value);
            }
        }
        if times.is_empty() {
            bail!("{file}: no rows below the header");
        }
        Ok(Signals {
            file,
            times,
            columns,
        })
    }

    /// Finds the input of each column.
    ///
    /// # Errors
    /// When a column is no real input of the model.
    pub fn bind(&self, description: &Description) -> Result<Vec<(Variable, Signal<'_>)>> {
        let bound = self.columns.iter().map(|(name, values)| {
            let variable = description
                .settable(name)
                .with_context(|| self.file.clone())?;
            if variable.causality != "input" || variable.kind != Kind::Real {
                bail!(
                    "{}: `{name}` is no input over time; give it with --set",
                    self.file
                );
            }
            let signal = Signal {
                times: &self.times,
                values,
            };
            Ok((variable.clone(), signal))
        });
        bound.collect()
    }
}

impl Signal<'_> {
    /// The value at a time.
    pub fn at(&self, time: f64) -> f64 {
        let after = self.times.partition_point(|t| *t <= time);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let (v0, v1) = (self.values[after - 1], self.values[after]);
        v0 + (v1 - v0) * (time - t0) / (t1 - t0)
    }
}
