//! Curves given by points: two lists in the model, or a data file of two columns.

use super::Checker;
use crate::columns::{Columns, Read, Wrong};
use crate::message::{figure, rounded};
use crate::model::de::{DataFile, Located, Name, Scalar};
use crate::model::quantity::Quantity;

/// The points of a curve as they are written: two lists, or a data file with them.
pub(super) struct Points<'a> {
    pub keys: [&'static str; 2],
    /// What the columns of a data file may measure, and lists the first of.
    pub quantities: [&'a [Quantity]; 2],
    pub lists: [Option<&'a [Scalar]>; 2],
    pub file: Option<&'a DataFile>,
}

impl Checker<'_> {
    /// Both columns of the points at `path`, in the entry `name`: the first rising, of two rows or more, with the place where they are
    /// written. `None` with a fault on record.
    pub(super) fn curve(
        &mut self, name: &Name, path: String, points: &Points<'_>,
    ) -> Option<([Vec<f64>; 2], Located<()>)> {
        let Points { keys: [x_key, y_key], quantities, lists, file } = points;
        let ([xs, ys], span) = match (lists, file) {
            ([Some(x), Some(y)], None) => {
                let columns = [self.series(x, quantities[0][0]), self.series(y, quantities[1][0])];
                if !self.are_known(x.iter().chain(*y)) {
                    return None;
                }
                let first = x.iter().chain(*y).next();
                (columns, first.map_or(&name.span, |scalar| &scalar.span))
            }
            ([None, None], Some(DataFile(file))) => {
                let what = format!("{x_key} and {y_key}");
                (self.columns(file, &what, *quantities)?, &file.span)
            }
            // One of both is missed among the relations of the keys.
            _ => return None,
        };
        let wrong = if xs.len() != ys.len() {
            Some(format!("{} {x_key} and {} {y_key}", xs.len(), ys.len()))
        } else if xs.len() < 2 {
            Some(format!("{} rows", xs.len()))
        } else {
            let falls = xs.windows(2).position(|two| two[0] >= two[1]);
            falls.map(|i| {
                let [a, b] = [xs[i + 1], xs[i]].map(|x| rounded(x, 8));
                format!("{a} after {b} in row {}", i + 2)
            })
        };
        let at = Located::at(path, span.clone());
        if let Some(wrong) = wrong {
            let message = format!(
                "{} has {wrong}; allowed: at least two rows, as many {y_key} as {x_key}, {x_key} rising",
                at.path
            );
            return self.refuse(&at, message);
        }
        Some(([xs, ys], at))
    }

    pub(super) fn series(&mut self, list: &[Scalar], quantity: Quantity) -> Vec<f64> {
        list.iter().map(|s| self.number_in(s, quantity)).collect()
    }

    /// The two columns of a data file in SI units, the first rising; each measures one of its `quantities`, the first where the file states no
    /// unit. `None` with a fault on record.
    pub(super) fn columns(
        &mut self, file: &Name, what: &str, quantities: [&[Quantity]; 2],
    ) -> Option<[Vec<f64>; 2]> {
        let text = self.text_of(file)?;
        match two_columns(text, what, quantities) {
            Ok((columns, read)) => {
                self.read.push((file.clone(), read.to_vec()));
                Some(columns)
            }
            Err(wrong) => {
                let message = format!("{}: `{}` {wrong}", file.path, file.value);
                self.refuse(file, message)
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
        let y: Vec<f64> = columns.values(1).collect();
        let falls = x.windows(2).all(|two| two[0] >= two[1]);
        let exchanged = match falls && y.windows(2).all(|two| two[0] < two[1]) {
            true => format!(", and the second one rises; expected {what}"),
            false => String::new(),
        };
        return wrong(
            line,
            format!(
                "{this} after {before}; allowed: rising numbers in the first column{exchanged}"
            ),
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
