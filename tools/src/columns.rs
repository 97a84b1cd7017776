//! Files with a column for each variable: inputs over time, lists of runs, measurements.

use std::path::{Path, PathBuf};

use anyhow::{Error, Result, anyhow, bail};
use coulisse::columns::{Columns, Heading, Unit, Wrong, is_logarithm, of_logarithm};
use coulisse::message::excerpt;

use crate::description::Description;
use crate::fit::renaming;
use crate::linear::response;
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::table::plain;
use crate::{files, print, run};

#[derive(clap::Args)]
pub struct Request {
    /// File of columns.
    file: PathBuf,
    /// Model file or FMU whose variables headings may name: their units are checked.
    #[arg(long, value_name = "MODEL")]
    model: Option<PathBuf>,
    /// The variable of the model that a column holds, where its heading is another name; may be repeated.
    #[arg(long, value_name = "COLUMN=NAME", value_parser = renaming, requires = "model")]
    column: Vec<(String, String)>,
    /// The unit of a column that holds no variable: values in other units of its quantity are converted, units of others refused; may be
    /// repeated.
    #[arg(long, value_name = "COLUMN=UNIT", value_parser = renaming)]
    unit: Vec<(String, String)>,
    /// Write the columns here as CSV, in SI units, with names alone as headings.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
}

/// Prints, and writes, what a file of columns says in SI units.
///
/// # Errors
/// When it cannot be read, has no headings or units that are not known, or the result cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let file = request.file.display().to_string();
    files::may_write(&request.output, &[&request.file])?;
    let columns = read(&request.file)?;
    let known = request.model.as_deref().map(units).transpose()?;
    let variable_of = |name: &str| {
        let mut renamed = request.column.iter();
        renamed.find(|(column, _)| column == name).map_or(name, |(_, variable)| variable).to_owned()
    };
    let unit_of = |name: &str| match request.unit.iter().find(|(column, _)| column == name) {
        Some((_, unit)) => Some(unit.clone()),
        None => known.as_ref()?(&variable_of(name)),
    };
    let wrong = |what| at(&file, Wrong { line: columns.heading_line(), what });
    let named = columns.headings().iter().map(|heading| variable(heading, unit_of));
    let named: Vec<(&str, f64)> = named.collect::<Result<_, _>>().map_err(wrong)?;
    if named.is_empty() {
        bail!(
            "{file}: no headings; write a line of names, as `time [ms], force [kN]`, above the numbers"
        );
    }
    let mut table = plain(["from", "to", "times, for SI", "column"], 0..3);
    for (i, (name, factor)) in named.iter().enumerate() {
        let values: Vec<f64> = columns.values(i).map(|value| value * factor).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        table.add_row([short(least), short(most), short(*factor), (*name).to_owned()]);
    }
    if let Some(output) = &request.output {
        let mut rows = Rows::under(named.iter().map(|(name, _)| *name))?;
        for row in columns.numbers().chunks(columns.width()) {
            let row = row.iter().zip(&named).map(|(value, (_, factor))| value * factor);
            rows.add(row.map(Cell::from))?;
        }
        files::write(output, &rows.bytes()?)?;
    }
    print(&format!("{file}: {} rows\n\n{}", columns.lines().len(), table.trim_fmt()))
}

/// The units of the variables of a model file or an FMU, and of the numbers of a model file.
fn units(model: &Path) -> Result<impl Fn(&str) -> Option<String> + '_> {
    let described = match run::is_fmu(model) {
        true => None,
        false => Some(Description::of(&run::load(model)?)),
    };
    Ok(move |name: &str| {
        let mut variables = described.iter().flat_map(|described| &described.variables);
        let variable = variables.find(|variable| variable.name == name);
        variable.map(|variable| variable.unit.clone()).or_else(|| run::unit_of(model, name))
    })
}

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

/// The name of a variable in a heading, and how many of the variable's unit one of the column is, of the SI unit where the variable is not
/// known. `unit_of` knows the units of variables.
///
/// # Errors
/// Where the heading states a unit that is not known, or of something else, or a logarithm.
pub fn variable(
    heading: &str, unit_of: impl Fn(&str) -> Option<String>,
) -> Result<(&str, f64), String> {
    if response::is_heading(heading) {
        return Ok((heading, 1.0));
    }
    let shown = excerpt(heading);
    let allowed = "m, mm, N, kN, s, ms, g, deg, % and the like";
    if is_logarithm(heading) && unit_of(heading).is_none() {
        return Err(of_logarithm(heading, allowed));
    }
    let read = Heading::of_variable(heading, |name| unit_of(name).is_some());
    let Heading { name, unit } = read.map_err(|written| {
        format!("heading `{shown}`: unit `{}` is not known; allowed: {allowed}", excerpt(written))
    })?;
    let (Some(unit), Some(own)) = (&unit, unit_of(name)) else {
        return Ok((name, unit.map_or(1.0, |unit| unit.factor)));
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
