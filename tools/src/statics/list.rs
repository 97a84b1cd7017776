//! The ends of paths of equilibria for each row of a list of numbers.

use std::path::Path;
use std::slice;

use anyhow::{Context, Result};
use coulisse::message::figure;

use super::{Request, load, path};
use crate::equilibria::{Early, Equilibria, Row};
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::run::Value;
use crate::sweep;
use crate::table::plain;
use crate::{files, print, several};

/// The last point of a path.
struct End {
    /// Names and units of the outputs.
    outputs: Vec<[String; 2]>,
    last: Row,
    /// Why the path ended before its end; empty where it did not.
    failure: String,
}

/// Prints and writes the end of the path for each row of the list.
///
/// # Errors
/// When the list cannot be read, or a row of it has no equilibrium to begin with.
pub fn perform(request: &Request, list: &Path) -> Result<()> {
    let rows = sweep::read(list, slice::from_ref(&request.model))?;
    let ends = several::all(rows.len(), |k| {
        end(request, &rows[k]).with_context(|| format!("row {} of {}", k + 1, list.display()))
    });
    let ends = ends.into_iter().collect::<Result<Vec<End>>>()?;
    let names = rows[0].iter().map(|(name, _)| name.clone());
    let head = ["factor", "unstable_modes", "failure"].map(String::from);
    let outputs = ends[0].outputs.iter();
    let with_unit = |[name, unit]: &[String; 2]| match unit.as_str() {
        "" => name.clone(),
        unit => format!("{name}, {unit}"),
    };
    let shown: Vec<String> =
        names.clone().chain(head.clone()).chain(outputs.clone().map(with_unit)).collect();
    let head: Vec<String> =
        names.chain(head).chain(outputs.map(|[name, _]| name.clone())).collect();
    let mut table = plain(shown, 0..head.len());
    let mut csv = Rows::under(head.iter().map(String::as_str))?;
    for (values, end) in rows.iter().zip(&ends) {
        let set = values.iter().map(|(_, value)| *value);
        let (last, outputs) = (&end.last, end.last.values.iter().copied());
        let state =
            [Cell::from(last.factor), Cell::from(last.unstable as usize), Cell::from(&end.failure)];
        csv.add(set.clone().map(Cell::from).chain(state).chain(outputs.clone().map(Cell::from)))?;
        let state = [short(last.factor), last.unstable.to_string(), end.failure.clone()];
        table.add_row(set.map(figure).chain(state).chain(outputs.map(short)));
    }
    if let Some(file) = &request.output {
        files::write(file, &csv.bytes()?)?;
    }
    print(&table.trim_fmt())
}

fn end(request: &Request, values: &[Value]) -> Result<End> {
    let blueprint = load(&request.model, &[&request.set, values].concat())?;
    let path = path(request, blueprint.checked())?;
    let found = Equilibria::of(&blueprint, path, &request.outputs)?;
    let failure = match found.ended() {
        Early::No => String::new(),
        Early::Points(points) => format!("ends after {points} points"),
        Early::Stuck(why) => why.to_owned(),
    };
    let outputs = found.outputs.iter();
    let outputs = outputs.map(|o| [o.path.clone(), o.quantity.unit().to_owned()]).collect();
    Ok(End { outputs, last: found.into_end().context("the path has no point")?, failure })
}
