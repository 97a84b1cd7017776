//! Frequencies for each row of a list of numbers.

use std::path::Path;
use std::slice;

use anyhow::{Context, Result};
use coulisse::message::figure;
use coulisse::modes::Nature;

use super::{Request, find};
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::shapes::Found;
use crate::sweep;
use crate::table::plain;
use crate::{files, print, several};

/// Prints and writes a row of frequencies for each row of the list.
///
/// # Errors
/// When the list cannot be read, or a row of it gives no modes.
pub fn perform(request: &Request, list: &Path) -> Result<()> {
    let rows = sweep::read(list, slice::from_ref(&request.model))?;
    let found = several::all(rows.len(), |k| {
        let frequencies = find(request, &rows[k]).map(|found| frequencies(&found));
        frequencies.with_context(|| format!("row {} of {}", k + 1, list.display()))
    });
    let found = found.into_iter().collect::<Result<Vec<Vec<f64>>>>()?;
    let count = found.iter().map(Vec::len).max().unwrap_or(0);
    let names: Vec<&str> = rows[0].iter().map(|(name, _)| name.as_str()).collect();
    let modes: Vec<String> = (1..=count).map(|mode| format!("mode {mode}, Hz")).collect();
    let head: Vec<&str> = names.into_iter().chain(modes.iter().map(String::as_str)).collect();
    let mut table = plain(head.clone(), 0..head.len());
    let mut csv = Rows::under(head)?;
    for (values, found) in rows.iter().zip(&found) {
        let set = values.iter().map(|(_, value)| *value);
        let none = std::iter::repeat_n(f64::NAN, count - found.len());
        let modes = found.iter().copied().chain(none);
        csv.add(set.clone().chain(modes.clone()).map(Cell::from))?;
        let shown = |value: f64| if value.is_nan() { "-".to_owned() } else { short(value) };
        table.add_row(set.map(figure).chain(modes.map(shown)));
    }
    if let Some(file) = &request.output {
        files::write(file, &csv.bytes()?)?;
    }
    print(&table.trim_fmt())
}

/// Frequencies in Hz; 0 of rigid-body modes, NaN of what grows.
fn frequencies(found: &Found) -> Vec<f64> {
    let frequency = |mode: &coulisse::modes::Mode| match mode.nature {
        Nature::Vibration => mode.angular_frequency() / std::f64::consts::TAU,
        Nature::Rigid => 0.0,
        Nature::Unstable => f64::NAN,
    };
    found.modes.list.iter().map(frequency).collect()
}
