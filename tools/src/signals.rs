//! Inputs over time, from a CSV file.

use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::description::{Description, Kind, Variable};

/// What may stand between two columns; the first of them in the header is that of the file.
const SEPARATORS: [char; 3] = [';', '\t', ','];

/// Times that differ by less, relatively, are one: those of a run are multiples of its step, those
/// of a file decimals.
const SAME: f64 = 1e-9;

/// A column `time` and one column for each input.
#[derive(Debug, Clone)]
pub struct Signals {
    file: String,
    times: Vec<f64>,
    columns: Vec<(String, Vec<f64>)>,
}

/// One input over time: straight between the rows, constant before the first and after the last.
/// Where two rows have the same time it jumps.
#[derive(Debug)]
pub struct Signal<'a> {
    times: &'a [f64],
    values: &'a [f64],
}

impl Signals {
    /// Reads a CSV file with a header; commas, semicolons or tabs between the columns.
    ///
    /// # Errors
    /// When it is not a table of numbers with times in order.
    pub fn read(path: &Path) -> Result<Signals> {
        let file = path.display().to_string();
        let text =
            std::fs::read_to_string(path).with_context(|| format!("{file}: cannot be read"))?;
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator(text) as u8)
            .trim(csv::Trim::All)
            .comment(Some(b'#'))
            .from_reader(text.as_bytes());
        let header = reader.headers().with_context(|| file.clone())?.clone();
        if header.get(0) != Some("time") || header.len() < 2 {
            bail!(
                "{file}: the first row is `{}`; allowed: `time` and then names of inputs, \
                 separated by commas, semicolons or tabs",
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
                    _ => bail!(
                        "{file}:{line}: `{field}`; allowed: finite numbers with a decimal point"
                    ),
                }
            }
            if let Some(last) = times.last().filter(|last| row[0] < **last) {
                bail!(
                    "{file}:{line}: time {} s after {last} s; allowed: times in order, the same \
                     time twice is a jump",
                    row[0]
                );
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

/// The separator of a file, by its header.
pub fn separator(text: &str) -> char {
    let header = text.lines().find(|line| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with('#')
    });
    let header = header.unwrap_or_default();
    let mut separators = SEPARATORS.into_iter();
    separators.find(|s| header.contains(*s)).unwrap_or(',')
}

impl Signal<'_> {
    /// The value from `time` on: that after a jump.
    pub fn from(&self, time: f64) -> f64 {
        let slack = SAME * time.abs();
        self.between(self.times.partition_point(|t| *t <= time + slack), time)
    }

    /// The value up to `time`: that before a jump.
    pub fn until(&self, time: f64) -> f64 {
        let slack = SAME * time.abs();
        self.between(self.times.partition_point(|t| *t < time - slack), time)
    }

    /// The value at `time`, which lies before the row `after` and not before the one above it.
    fn between(&self, after: usize, time: f64) -> f64 {
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let (v0, v1) = (self.values[after - 1], self.values[after]);
        let share = ((time - t0) / (t1 - t0)).clamp(0.0, 1.0);
        v0 + (v1 - v0) * share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jump_has_a_value_on_each_side_and_rounding_does_not_move_it() {
        let jump = Signal {
            times: &[0.0, 0.3, 0.3, 1.0],
            values: &[0.0, 3.0, 5.0, 5.0],
        };
        // 0.30000000000000004, as a run counts three steps of 0.1 s.
        for time in [0.3, 3.0 * 0.1, 0.3 - 1e-16] {
            assert!((jump.until(time) - 3.0).abs() < 1e-12);
            assert!((jump.from(time) - 5.0).abs() < 1e-12);
        }
        assert!((jump.from(0.15) - 1.5).abs() < 1e-12);
        assert_eq!([jump.from(-1.0), jump.until(2.0)], [0.0, 5.0]);
    }
}
