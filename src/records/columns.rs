//! Columns of numbers: time and value, or values at a constant step.
//!
//! Commas, semicolons, tabs or blanks separate them; lines that begin with `#` are comments. One line
//! of words may head them and state the unit of the values in brackets: `time (s), a (cm/s2)`.

use super::{Series, Unit, every, number};
use crate::message::excerpt;

pub fn read(text: &str, step: Option<f64>) -> Result<Series, String> {
    let mut series = Series {
        format: "columns",
        title: String::new(),
        unit: None,
        times: Vec::new(),
        values: Vec::new(),
    };
    let mut width = None;
    for (i, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<&str> = if line.contains([',', ';', '\t']) {
            line.split([',', ';', '\t']).collect()
        } else {
            line.split_whitespace().collect()
        };
        let numbers: Vec<Option<f64>> = cells.iter().map(|cell| number(cell)).collect();
        if width.is_none() && series.title.is_empty() && numbers.iter().all(Option::is_none) {
            series.title = line.to_string();
            series.unit = stated(line)?;
            continue;
        }
        let wanted = *width.get_or_insert(numbers.len());
        match numbers.as_slice() {
            [Some(value)] if wanted == 1 => series.values.push(*value),
            [Some(time), Some(value)] if wanted == 2 => {
                series.times.push(*time);
                series.values.push(*value);
            }
            _ => {
                return Err(format!(
                    "line {} is `{}`; expected {}",
                    i + 1,
                    excerpt(line),
                    match wanted {
                        1 => "one finite number, the value",
                        _ => "two finite numbers, time in s and value",
                    }
                ));
            }
        }
    }
    match (width, step) {
        (Some(1), Some(step)) => series.times = every(step, series.values.len()),
        (Some(1), None) => {
            return Err(
                "has one column; add `step`, the time from value to value in s".to_string(),
            );
        }
        (Some(_), Some(_)) => return Err("has times of its own; leave `step` out".to_string()),
        _ => {}
    }
    Ok(series)
}

/// The unit in the last pair of brackets of a heading.
fn stated(line: &str) -> Result<Option<Unit>, String> {
    let inside = line.rfind(['(', '[']).and_then(|from| {
        let rest = &line[from + 1..];
        rest.find([')', ']']).map(|to| &rest[..to])
    });
    match inside.map(str::trim) {
        // A heading that speaks of the time only.
        None | Some("s" | "sec") => Ok(None),
        Some(text) => match Unit::named(text) {
            Some(unit) => Ok(Some(unit)),
            None => Err(format!(
                "states the unit `{}` in its heading; allowed: {}",
                excerpt(text),
                Unit::names()
            )),
        },
    }
}
