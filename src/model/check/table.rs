//! Histories given as tables: two lists in the model, or a data file of two columns.

use super::Checker;
use crate::checked::history::{History, Interpolation};
use crate::columns::{Columns, Read, Wrong};
use crate::message::figure;
use crate::model::de::{DataFile, Located, Name, Scalar};
use crate::model::file::Beyond;
use crate::model::quantity::Quantity;

impl Checker<'_> {
    pub(super) fn table(
        &mut self, owner: &Name, (times, values): (Option<&[Scalar]>, Option<&[Scalar]>),
        file: Option<&DataFile>, scaled: Quantity,
        (interpolation, beyond): (Interpolation, Beyond),
    ) -> History {
        let columns = match (times, values, file) {
            (Some(times), Some(values), None) => {
                let at = times.iter().chain(values).next();
                let at = at.map_or(&owner.span, |s| &s.span).clone();
                let known = [
                    self.series(times, Quantity::Time),
                    self.series(values, Quantity::Dimensionless),
                ];
                let [x, y] = known;
                self.are_known(times.iter().chain(values)).then_some((x, y, at))
            }
            (None, None, Some(DataFile(file))) => self
                .columns(
                    file,
                    "time and value",
                    [&[Quantity::Time], &[Quantity::Dimensionless, scaled]],
                )
                .map(|(times, values)| (times, values, file.span.clone())),
            // One of both is missed among the relations of the keys.
            _ => None,
        };
        let Some((times, values, span)) = columns else {
            return History::Constant;
        };
        let what = wrong(&times, &values);
        match interpolation.through(times, values, beyond == Beyond::Hold) {
            Some(spline) => History::Table(spline, interpolation),
            None => {
                let message = format!(
                    "{}.history.table has {what}; allowed: at least two rows, as many values as \
                     times, each time later than the one before",
                    owner.path
                );
                let path = format!("{}.history.table", owner.path);
                self.report(&Located::at(path, span), message);
                History::Constant
            }
        }
    }

    pub(super) fn series(&mut self, list: &[Scalar], quantity: Quantity) -> Vec<f64> {
        list.iter().map(|s| self.number_in(s, quantity)).collect()
    }

    /// The two columns of a data file in SI units, the first rising; each measures one of its `quantities`, the first where the file states no
    /// unit. `None` with a fault on record.
    pub(super) fn columns(
        &mut self, file: &Name, what: &str, quantities: [&[Quantity]; 2],
    ) -> Option<(Vec<f64>, Vec<f64>)> {
        let text = self.text_of(file)?;
        match two_columns(text, what, quantities) {
            Ok(([x, y], read)) => {
                self.read.push((file.clone(), read.to_vec()));
                Some((x, y))
            }
            Err(wrong) => {
                let message = format!("{}: `{}` {wrong}", file.path, file.value);
                self.report(file, message);
                None
            }
        }
    }
}

/// The two columns of a table, and how they were understood.
fn two_columns(
    text: &str, what: &str, quantities: [&[Quantity]; 2],
) -> Result<([Vec<f64>; 2], [Read; 2]), Wrong> {
    let columns = Columns::read(text)?;
    let line = columns.lines().next().unwrap_or(0);
    let wrong = |line, what| Err(Wrong { line, what });
    match columns.width() {
        0 => return wrong(0, "has no numbers".to_string()),
        2 => {}
        width => return wrong(line, format!("{width} numbers; expected two, {what}")),
    }
    let x: Vec<f64> = columns.values(0).collect();
    if let Some(i) = x.windows(2).position(|two| two[0] >= two[1]) {
        let [before, this] = [x[i], x[i + 1]].map(figure);
        let line = columns.lines().nth(i + 1).unwrap_or(0);
        return wrong(
            line,
            format!("{this} after {before}; allowed: rising numbers in the first column"),
        );
    }
    let x = columns.column(0, quantities[0])?;
    let stated = columns.stated(1, quantities[1], None);
    stated.map_err(|mut wrong| {
        if quantities[1].len() > 1 {
            wrong.what += "; values in a unit of force need components of 1 or -1 in the model, those without a unit are factors of the components";
        }
        wrong
    })?;
    let y = columns.column(1, quantities[1])?;
    Ok(([x.values, y.values], [x.read, y.read]))
}

/// What keeps two columns from being a table.
fn wrong(times: &[f64], values: &[f64]) -> String {
    if times.len() != values.len() {
        return format!("{} times and {} values", times.len(), values.len());
    }
    if times.len() < 2 {
        return format!("{} rows", times.len());
    }
    match times.windows(2).position(|w| w[0] >= w[1]) {
        Some(i) => {
            format!("time {} s after {} s in row {}", figure(times[i + 1]), figure(times[i]), i + 2)
        }
        None => "numbers that are not finite".to_string(),
    }
}
