//! Histories given as tables: two lists in the model, or a data file of two columns.

use super::{Checker, FINITE};
use crate::model::de::{Name, Scalar};
use crate::model::fault::excerpt;
use crate::model::history::{History, Spline};
use crate::model::quantity::Quantity;

impl Checker<'_> {
    pub(super) fn table(
        &mut self,
        owner: &Name,
        times: Option<&[Scalar]>,
        values: Option<&[Scalar]>,
        file: Option<&Name>,
    ) -> History {
        let columns = match (times, values, file) {
            (Some(times), Some(values), None) => {
                let span = times.iter().chain(values).map(|s| s.span.clone()).next();
                let times = self.series(times, Quantity::Time);
                let values = self.series(values, Quantity::Dimensionless);
                Some((times, values, span.unwrap_or(owner.span.clone())))
            }
            (None, None, Some(file)) => self
                .columns(file, "time and value")
                .map(|(times, values)| (times, values, file.span.clone())),
            _ => {
                let message = format!(
                    "{}.history.table needs either `times` and `values` or `file`",
                    owner.path
                );
                self.report(&owner.span, message);
                None
            }
        };
        let Some((times, values, span)) = columns else {
            return History::Constant;
        };
        let what = wrong(&times, &values);
        match Spline::natural(times, values) {
            Some(spline) => History::Table(spline),
            None => {
                let message = format!(
                    "{}.history.table has {what}; allowed: at least two rows, as many values as \
                     times, each time later than the one before",
                    owner.path
                );
                self.report(&span, message);
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
        let data = self.data;
        let text = data.get(&file.value).map_or("", String::as_str);
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
                    self.report(&file.span, message);
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
            times[i + 1],
            times[i],
            i + 2
        ),
        None => "numbers that are not finite".to_string(),
    }
}
