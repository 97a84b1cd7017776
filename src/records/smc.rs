//! Files in the SMC format of the US Geological Survey.
//!
//! Eleven lines of text, of which the first says what the record is (`2 CORRECTED ACCELEROGRAM`); six
//! lines of eight integers in columns of 10 (the 16th is the number of comment lines, the 17th that of
//! values); ten lines of five reals in columns of 15 (the 2nd is the number of samples per second); the
//! comments; then eight values in a line, in columns of 10, which may touch. Accelerations are in cm/s²,
//! velocities in cm/s, displacements in cm.
//! (USGS National Strong Motion Program, *SMC-format data files*.)

use super::{Given, Raw, cell, complete, count, every, finite};
use crate::columns::Unit;
use crate::message::excerpt;

const TEXT: usize = 11;
const INTEGERS: usize = 6;
const REALS: usize = 10;

pub fn read(text: &str, _: &Given) -> Result<Raw, String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    if lines.len() < TEXT + INTEGERS + REALS {
        return Err(format!(
            "has {} lines; an SMC record has at least {} of header",
            lines.len(),
            TEXT + INTEGERS + REALS
        ));
    }
    let unit = unit(lines[0])?;
    let field = |line: usize, column: usize, width: usize, what: &str| {
        let cell = cell(lines[line], column, width);
        cell.and_then(finite).ok_or_else(|| {
            format!(
                "line {}: columns {} to {} contain `{}`; expected {what}",
                line + 1,
                column * width + 1,
                (column + 1) * width,
                excerpt(cell.unwrap_or("").trim())
            )
        })
    };
    let whole = |line: usize, column: usize, what: &str| {
        let value = field(line, column, 10, what)?;
        self::count(value).ok_or_else(|| format!("line {}: {value} is no {what}", line + 1))
    };
    let comments = whole(TEXT + 1, 7, "number of comment lines")?;
    let count = whole(TEXT + 2, 0, "number of values")?;
    let rate = field(TEXT + INTEGERS, 1, 15, "samples per second")?;
    if !(1e-3..=1e6).contains(&rate) {
        return Err(format!(
            "line {}: {rate} samples per second; allowed: from 0.001 to 1e6",
            TEXT + INTEGERS + 1
        ));
    }
    let mut values = Vec::new();
    let first = TEXT + INTEGERS + REALS + comments;
    for (i, line) in lines.iter().enumerate().skip(first) {
        let columns = line.len().div_ceil(10);
        for column in (0..columns).take(count.saturating_sub(values.len())) {
            values.push(field(i, column, 10, "a finite number")?);
        }
    }
    complete(&values, count, &format!(" after {comments} lines of comments"))?;
    Ok(Raw {
        format: "SMC",
        title: lines[1..TEXT]
            .iter()
            .map(|line| line.trim())
            .find(|line| !line.is_empty() && *line != "*")
            .unwrap_or("")
            .to_string(),
        unit: Some(unit),
        time_unit: Unit::named("s"),
        times: every(1.0 / rate, count),
        values,
    })
}

fn unit(first: &str) -> Result<Unit, String> {
    let upper = first.to_uppercase();
    let name = if upper.contains("ACCEL") {
        "cm/s2"
    } else if upper.contains("VELOCITY") {
        "cm/s"
    } else if upper.contains("DISPLACEMENT") {
        "cm"
    } else {
        return Err(format!(
            "line 1 is `{}`; expected 1 UNCORRECTED ACCELEROGRAM, 2 CORRECTED ACCELEROGRAM, \
             VELOCITY or DISPLACEMENT; response spectra are no records",
            excerpt(first.trim())
        ));
    };
    Unit::named(name).ok_or_else(|| name.to_string())
}
