//! Columns of numbers: time and value, or values at a constant step, one or several in a line.

use super::{Given, KINDS, Raw, every};
use crate::columns::{Columns, Unit};
use crate::quantity::Quantity;

pub fn read(text: &str, given: &Given) -> Result<Raw, String> {
    let columns = Columns::scan(text)?;
    let width = columns.width();
    let mut time_unit = Unit::named("s");
    let (times, value) = match given.step {
        None if width == 1 => {
            return Err("has one column; add `step`, the time from value to value in s".to_string());
        }
        None if width > 2 => {
            let cure = match columns.headings() {
                [] => {
                    "times and values in turn go into lines of two; for values one after the other add `step` (s)"
                }
                _ => "keep that of the times and one other",
            };
            return Err(format!("has {width} columns; {cure}"));
        }
        None => {
            let columns = Columns::read(text)?;
            let stated = given.time_unit.as_ref();
            let unit = columns.stated(0, &[Quantity::Time], stated)?.unit;
            let factor = unit.as_ref().map_or(1.0, |unit| unit.factor);
            // What its user gives wins; here is what the file states.
            time_unit = match (stated, columns.stated(0, &[Quantity::Time], None)) {
                (Some(_), stated) => stated.ok().and_then(|heading| heading.unit),
                (None, _) => unit,
            };
            let times: Vec<f64> = columns.values(0).map(|t| factor * t).collect();
            (Some(times), 1)
        }
        Some(_) if width == 2 || width > 2 && are_times(&columns) => {
            return Err("has times of its own; leave `step` out".to_string());
        }
        Some(_) => {
            // The last line may be short.
            columns.even(columns.lines().len().saturating_sub(1))?;
            (None, 0)
        }
    };
    if times.is_none() && given.time_unit.is_some() {
        return Err("has no column of times; leave `time_unit` out".to_string());
    }
    let unit: Option<Unit> = match columns.headings().get(value) {
        Some(_) => {
            let kinds = KINDS.map(|kind| kind.quantity());
            let unit = columns.stated(value, &kinds, given.unit.as_ref())?.unit;
            // What its user gives wins later; here is what the file states.
            match (&given.unit, columns.stated(value, &kinds, None)) {
                (Some(_), stated) => stated.ok().and_then(|heading| heading.unit),
                (None, _) => unit,
            }
        }
        None => None,
    };
    let values: Vec<f64> = match &times {
        Some(_) => columns.values(1).collect(),
        None => columns.numbers().to_vec(),
    };
    let step = given.step.unwrap_or(0.0);
    Ok(Raw {
        format: "columns",
        title: match columns.title.as_str() {
            "" => columns.headings().join(", "),
            title => title.to_string(),
        },
        unit,
        time_unit,
        times: times.unwrap_or_else(|| every(step, values.len())),
        values,
    })
}

/// Whether the first numbers of the lines are times: they rise, and not with all that stand between them.
fn are_times(columns: &Columns) -> bool {
    let first: Vec<f64> = columns.values(0).collect();
    let rise = |values: &[f64]| values.windows(2).all(|two| two[0] < two[1]);
    first.len() > 1 && rise(&first) && !rise(columns.numbers())
}
