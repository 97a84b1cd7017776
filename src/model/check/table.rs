//! Histories given as tables: two lists in the model, or a data file of two columns.

use super::{Checker, FINITE};
use crate::message::{excerpt, figure};
use crate::model::de::{DataFile, Located, Name, Scalar};
use crate::model::file::Beyond;
use crate::model::history::{History, Interpolation};
use crate::model::quantity::Quantity;

impl Checker<'_> {
    pub(super) fn table(
        &mut self,
        owner: &Name,
        (times, values): (Option<&[Scalar]>, Option<&[Scalar]>),
        file: Option<&DataFile>,
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
                self.are_known(times.iter().chain(values))
                    .then_some((x, y, at))
            }
            (None, None, Some(DataFile(file))) => self
                .columns(file, "time and value")
                .map(|(times, values)| (times, values, file.span.clone())),
            _ => {
                let message = format!(
                    "{}.history.table needs either `times` and `values` or `file`",
                    owner.path
                );
                self.report_entry(owner, message);
                None
            }
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
        list.iter()
            .map(|s| self.number(s, quantity, FINITE))
            .collect()
    }

    /// The two columns of a data file, of a history, a friction law or a rough path; `None` with a fault on record. One line of words may head
    /// them; a line with any number in it is data.
    pub(super) fn columns(&mut self, file: &Name, what: &str) -> Option<(Vec<f64>, Vec<f64>)> {
        let (mut times, mut values) = (Vec::new(), Vec::new());
        let text = self.text_of(file)?;
        let mut first = true;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_start_matches('\u{feff}').trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let cells = line.split([',', ';', '\t']).map(str::trim);
            let numbers: Vec<Option<f64>> = cells.map(|c| c.parse().ok()).collect();
            match numbers.as_slice() {
                [Some(t), Some(v)] if t.is_finite() && v.is_finite() => {
                    times.push(*t);
                    values.push(*v);
                }
                cells if first && cells.iter().all(Option::is_none) => {}
                _ => {
                    let message = format!(
                        "{}: line {} of `{}` is `{}`; expected two finite numbers, {what}, \
                         separated by a comma, a semicolon or a tab",
                        file.path,
                        number + 1,
                        file.value,
                        excerpt(line)
                    );
                    self.report(file, message);
                    return None;
                }
            }
            first = false;
        }
        Some((times, values))
    }
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
        Some(i) => format!(
            "time {} s after {} s in row {}",
            figure(times[i + 1]),
            figure(times[i]),
            i + 2
        ),
        None => "numbers that are not finite".to_string(),
    }
}
