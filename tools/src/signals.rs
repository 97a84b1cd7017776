//! Inputs over time, from a CSV file.

use std::path::Path;

use anyhow::{Result, bail};
use coulisse::columns::{Columns, Wrong};
use coulisse::message::{excerpt, figure, rounded};
use coulisse::quantity::{FINITE, Quantity, SIZES};

use crate::columns::{self, at};
use crate::description::{Description, Kind, Variable};

/// Times that differ by less, relatively, are one: those of a run are multiples of its step, those
/// of a file decimals.
const SAME: f64 = 1e-9;

/// A column `time` and one column for each input.
#[derive(Debug, Clone)]
pub struct Signals {
    file: String,
    /// s.
    times: Vec<f64>,
    columns: Columns,
}

/// One input over time: straight between the rows, constant before the first and after the last.
/// Where two rows have the same time it jumps.
#[derive(Debug)]
pub struct Signal<'a> {
    times: &'a [f64],
    values: Vec<f64>,
}

impl Signals {
    /// Reads a file with headings.
    ///
    /// # Errors
    /// When it is not a table of numbers with times in order.
    pub fn read(path: &Path) -> Result<Signals> {
        let file = path.display().to_string();
        let columns = columns::read(path)?;
        let names = columns.headings();
        let time = columns.stated(0, &[Quantity::Time], None).map_err(|wrong| at(&file, wrong))?;
        if !time.name.eq_ignore_ascii_case("time") || names.len() < 2 {
            let shown = match (names, columns.title.as_str()) {
                ([], "") => "has no names".to_string(),
                ([], title) => format!("is `{}`", excerpt(title)),
                _ => format!("is `{}`", excerpt(&names.join(","))),
            };
            bail!(
                "{file}: the first row {shown}; allowed: `time` and then names of inputs, \
                 separated by commas, semicolons, tabs or blanks"
            );
        }
        let factor = time.unit.map_or(1.0, |unit| unit.factor);
        let times: Vec<f64> = columns.values(0).map(|t| factor * t).collect();
        if times.is_empty() {
            bail!("{file}: no rows below the header");
        }
        if let Some(i) = times.windows(2).position(|two| two[1] < two[0]) {
            let what = format!(
                "time {} s after {} s; allowed: times in order, the same time twice is a jump",
                times[i + 1],
                times[i]
            );
            let line = columns.lines().nth(i + 1).unwrap_or(0);
            return Err(at(&file, Wrong { line, what }));
        }
        Ok(Signals { file, times, columns })
    }

    /// Where the inputs change and the rows begin after the start of a run or end before `stop`, by more than a step.
    pub fn open_ends(&self, stop: f64, step: f64) -> Vec<String> {
        let (first, last) = (self.times[0], self.times[self.times.len() - 1]);
        let columns = || (1..self.columns.headings().len()).map(|i| self.columns.values(i));
        let changes = columns().any(|mut values| {
            let begin = values.next();
            values.any(|value| Some(value) != begin)
        });
        let mut lines = Vec::new();
        if changes && first > step {
            lines.push(format!(
                "{}: its first row is at {} s, and until then the inputs keep its values; begin at 0 s",
                self.file,
                rounded(first, 6)
            ));
        }
        let goes_on = columns().any(|values| {
            let values: Vec<f64> = values.collect();
            values.len() > 1 && values[values.len() - 1] != values[values.len() - 2]
        });
        if goes_on && last < stop - step {
            lines.push(format!(
                "{}: its last row is at {} s, and from then on to {} s the inputs keep its values; end later, or stop with --stop {}",
                self.file,
                rounded(last, 6),
                rounded(stop, 6),
                rounded(last, 6)
            ));
        }
        lines
    }

    /// Finds the input of each column.
    ///
    /// # Errors
    /// When a column is no real input of the model, or two are the same.
    pub fn bind(&self, description: &Description) -> Result<Vec<(Variable, Signal<'_>)>> {
        let unit_of = |name: &str| {
            let mut variables = description.variables.iter();
            variables.find(|v| v.name == name).map(|v| v.unit.clone())
        };
        let mut bound: Vec<(Variable, Signal<'_>)> = Vec::new();
        for (i, heading) in self.columns.headings().iter().enumerate().skip(1) {
            let line = self.columns.heading_line();
            let wrong = |what| at(&self.file, Wrong { line, what });
            let (name, factor) = columns::variable(heading, unit_of).map_err(wrong)?;
            let variable = (description.settable(name)).map_err(|e| wrong(e.to_string()))?;
            if variable.causality != "input" || variable.kind != Kind::Real {
                bail!("{}: `{name}` is no input over time; give it with --set", self.file);
            }
            if bound.iter().any(|(other, _)| other.name == name) {
                return Err(wrong(format!("the column `{name}` is there twice; leave one out")));
            }
            let values = self.columns.values(i).zip(self.columns.lines());
            let values = values.map(|(value, line)| {
                FINITE.admit(factor * value).ok_or_else(|| {
                    let what = format!("`{}`; allowed: {SIZES}", figure(value));
                    at(&self.file, Wrong { line, what })
                })
            });
            let values = values.collect::<Result<Vec<f64>>>()?;
            let times = &self.times;
            bound.push((variable.clone(), Signal { times, values }));
        }
        Ok(bound)
    }
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
        let jump = Signal { times: &[0.0, 0.3, 0.3, 1.0], values: vec![0.0, 3.0, 5.0, 5.0] };
        // 0.30000000000000004, as a run counts three steps of 0.1 s.
        for time in [0.3, 3.0 * 0.1, 0.3 - 1e-16] {
            assert!((jump.until(time) - 3.0).abs() < 1e-12);
            assert!((jump.from(time) - 5.0).abs() < 1e-12);
        }
        assert!((jump.from(0.15) - 1.5).abs() < 1e-12);
        assert_eq!([jump.from(-1.0), jump.until(2.0)], [0.0, 5.0]);
    }
}
