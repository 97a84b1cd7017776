//! Files in the COSMOS format (version 1.20), as the Center for Engineering Strong Motion Data has them.
//!
//! A header of text, whole numbers, real numbers and comments, each announced by a line such as
//! `100 Real-header values follow on  17 lines, Format= (6F13.6)`; then `12725 acceleration pts, approx 63 secs,
//! units=cm/sec2(04), Format=(8F10.3)` and the values, in columns that may touch. Real number 34 is the step in s, 62 in ms.
//! Of a channel with velocities and displacements behind its accelerations these are read.

use super::{Given, Raw, cell, complete, count, every, finite};
use crate::columns::Unit;
use crate::message::excerpt;

/// Lines among which the announcement of the real numbers is.
const LONGEST_HEADER: usize = 60;

const REALS: &str = "Real-header values follow";

/// Whether a text is such a file.
pub fn is(text: &str) -> bool {
    text.lines().take(LONGEST_HEADER).any(|line| line.contains(REALS))
}

pub fn read(text: &str, given: &Given) -> Result<Raw, String> {
    let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
    let find = |what: [&str; 2]| {
        let found = lines.iter().position(|line| what.iter().all(|word| line.contains(word)));
        found.ok_or_else(|| format!("has no line `{}`; is it a COSMOS record?", what.join(" … ")))
    };
    let (header, data) = (find([REALS, "Format"])?, find([" pts", "units="])?);
    let reals = block(&lines, header, 100)?;
    let (announced, rest) = leading(&lines, data)?;
    let values = block(&lines, data, announced)?;
    complete(&values, announced, "")?;
    let kind = rest.split(" pts").next().unwrap_or("").trim();
    if lines[data + 1..].iter().any(|line| line.contains(&format!(" {kind} pts"))) {
        return Err("contains several channels; keep one of them in the file".to_string());
    }
    let step = [(33, 1.0), (61, 1e-3)].into_iter().find_map(|(i, factor)| {
        let value = reals.get(i).filter(|value| **value > 0.0)?;
        Some(factor * value)
    });
    let step = step.ok_or("has no step among its real numbers (34 in s, 62 in ms)")?;
    let seconds =
        rest.split_once("approx").and_then(|(_, text)| finite(text.split_whitespace().next()?));
    let span = step * announced as f64;
    if let Some(seconds) = seconds.filter(|seconds| (span - seconds).abs() > 1.0 + 0.05 * seconds) {
        return Err(format!(
            "has {announced} values every {step} s, and line {} says {seconds} s",
            data + 1
        ));
    }
    let written = rest.split_once("units=").map_or("", |(_, text)| text);
    let written = written.split(['(', ',']).next().unwrap_or("").trim();
    let unit = Given::unit(written).ok();
    if unit.is_none() && given.unit.is_none() {
        return Err(format!(
            "line {}: unit `{}` is not known; allowed: {}",
            data + 1,
            excerpt(written),
            super::units()
        ));
    }
    Ok(Raw {
        format: "COSMOS",
        title: lines[..header]
            .iter()
            .take(2)
            .map(|line| line.trim())
            .collect::<Vec<_>>()
            .join(", "),
        unit,
        time_unit: Unit::named("s"),
        times: every(step, announced),
        values,
    })
}

/// The number at the beginning of a line, and what follows it.
fn leading<'a>(lines: &[&'a str], line: usize) -> Result<(usize, &'a str), String> {
    let (number, rest) = lines[line].trim_start().split_once(' ').unwrap_or_default();
    let number = finite(number).and_then(count);
    let number = number
        .ok_or_else(|| format!("line {}: `{}` counts nothing", line + 1, excerpt(lines[line])))?;
    Ok((number, rest))
}

/// At most `most` numbers below the line that announces them, in columns of its format.
fn block(lines: &[&str], announced: usize, most: usize) -> Result<Vec<f64>, String> {
    let format = lines[announced].rsplit_once('(').map_or("", |(_, format)| format);
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (in_a_line, rest) = format.split_at(digits(format));
    let letter = rest.chars().next().map_or(0, char::len_utf8);
    let width = &rest[letter..][..digits(&rest[letter..])];
    let (Ok(in_a_line), Ok(width @ 1..)) = (in_a_line.parse::<usize>(), width.parse::<usize>())
    else {
        return Err(format!(
            "line {}: `{}` is no format",
            announced + 1,
            excerpt(lines[announced])
        ));
    };
    let mut values = Vec::new();
    for (i, line) in lines.iter().enumerate().skip(announced + 1) {
        for column in 0..in_a_line.min(line.len().div_ceil(width)) {
            if values.len() == most {
                return Ok(values);
            }
            let cell = cell(line, column, width).unwrap_or("");
            values.push(finite(cell).ok_or_else(|| {
                format!("line {}: `{}` is no finite number", i + 1, excerpt(cell))
            })?);
        }
    }
    Ok(values)
}
