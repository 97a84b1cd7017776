//! Tables as CSV: numbers with all their digits, nothing where there is none, and text that spreadsheets take for text.

use std::borrow::Cow;

use anyhow::Result;
use csv::Writer;
use serde::Serialize;

/// What stands in a cell.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Cell<'a> {
    /// A number; none is an empty cell.
    Number(Option<f64>),
    Whole(u64),
    Text(Cow<'a, str>),
}

/// A table that is written line by line.
pub struct Rows(Writer<Vec<u8>>);

impl Rows {
    /// A table with these headings.
    ///
    /// # Errors
    /// None that headings can have.
    pub fn under<'a>(headings: impl IntoIterator<Item = &'a str>) -> Result<Rows> {
        let mut rows = Rows(Writer::from_writer(Vec::new()));
        rows.add(headings.into_iter().map(Cell::from))?;
        Ok(rows)
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it has not as many cells as there are headings.
    pub fn add<'a>(&mut self, cells: impl IntoIterator<Item = Cell<'a>>) -> Result<()> {
        let cells: Vec<Cell> = cells.into_iter().collect();
        Ok(self.0.serialize(cells)?)
    }

    /// The text.
    ///
    /// # Errors
    /// None that a table can have.
    pub fn bytes(self) -> Result<Vec<u8>> {
        Ok(self.0.into_inner()?)
    }
}

impl From<f64> for Cell<'_> {
    fn from(value: f64) -> Self {
        Cell::Number(value.is_finite().then_some(value))
    }
}

impl From<Option<f64>> for Cell<'_> {
    fn from(value: Option<f64>) -> Self {
        value.map_or(Cell::Number(None), Cell::from)
    }
}

impl From<usize> for Cell<'_> {
    fn from(value: usize) -> Self {
        Cell::Whole(value as u64)
    }
}

/// Spreadsheets calculate what begins like a formula, and names come from FMUs of others: an apostrophe in front
/// makes it text (OWASP, CSV injection).
impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(match text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']) {
            true => Cow::Owned(format!("'{text}")),
            false => Cow::Borrowed(text),
        })
    }
}

impl<'a> From<&'a String> for Cell<'a> {
    fn from(text: &'a String) -> Self {
        Cell::from(text.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_number_is_an_empty_cell_and_no_text_a_formula() {
        let mut rows = Rows::under(["time", "=cmd|'/c calc'!A1", "@SUM(1+1)", "a,b\"c"]).unwrap();
        let cells = [Cell::from(-1.5), f64::NAN.into(), f64::INFINITY.into()];
        rows.add(cells.into_iter().chain([Cell::from("-2+3")])).unwrap();
        rows.add([Cell::from(0.1), 3_usize.into(), None.into(), "plain".into()]).unwrap();
        let text = String::from_utf8(rows.bytes().unwrap()).unwrap();
        let expected =
            "time,'=cmd|'/c calc'!A1,'@SUM(1+1),\"a,b\"\"c\"\n-1.5,,,'-2+3\n0.1,3,,plain\n";
        assert_eq!(text, expected);
    }
}
