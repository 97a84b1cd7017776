//! Files with a column for each variable: inputs over time, lists of runs.

use std::path::Path;

use anyhow::{Error, Result, anyhow};
use coulisse::columns::{Columns, Heading, Unit, Wrong, is_logarithm, of_logarithm};
use coulisse::message::excerpt;

use crate::files;

/// Reads a file of columns.
///
/// # Errors
/// When it cannot be read, or is no table of numbers.
pub fn read(path: &Path) -> Result<Columns> {
    let shown = path.display();
    let text = files::read_text(path)?;
    Columns::read(&text).map_err(|wrong| at(&shown.to_string(), wrong))
}

/// What is wrong, with file and line.
pub fn at(file: &str, Wrong { line, what }: Wrong) -> Error {
    match line {
        0 => anyhow!("{file}: {what}"),
        line => anyhow!("{file}:{line}: {what}"),
    }
}

/// The name of a variable in a heading, and how many of the variable's unit one of the column is. `unit_of` knows the units of variables.
///
/// # Errors
/// Where the heading states a unit that is not known, or of something else, or a logarithm.
pub fn variable(
    heading: &str, unit_of: impl Fn(&str) -> Option<String>,
) -> Result<(&str, f64), String> {
    let shown = excerpt(heading);
    let allowed = "m, mm, N, kN, s, ms, g, deg, % and the like";
    if is_logarithm(heading) && unit_of(heading).is_none() {
        return Err(of_logarithm(heading, allowed));
    }
    let read = Heading::of_variable(heading, |name| unit_of(name).is_some());
    let Heading { name, unit } = read.map_err(|written| {
        format!("heading `{shown}`: unit `{}` is not known; allowed: {allowed}", excerpt(written))
    })?;
    let (Some(unit), Some(own)) = (unit, unit_of(name)) else {
        return Ok((name, 1.0));
    };
    let plain = if own.is_empty() { "1" } else { &own };
    let factor = Unit::named(plain).and_then(|own| unit.per(&own));
    let factor = factor.ok_or_else(|| {
        format!(
            "heading `{shown}`: `{}` measures something else than {plain}, the unit of `{name}`",
            unit.name
        )
    })?;
    Ok((name, factor))
}

/// Whether `name` is that of `output`, or ends in `*` and begins as it does.
pub fn stands_for(name: &str, output: &str) -> bool {
    match name.strip_suffix('*') {
        Some(begin) => output.starts_with(begin),
        None => name == output,
    }
}
