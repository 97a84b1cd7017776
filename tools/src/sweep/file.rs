//! A table of runs as a file.

use std::path::Path;

use anyhow::{Result, bail};

use crate::rows::{Cell, Rows};
use crate::{files, xlsx};

/// A table with names and units over its columns.
pub struct Table<'a> {
    pub head: Vec<[String; 2]>,
    pub rows: Vec<Vec<Cell<'a>>>,
}

/// Refuses what asks for a format that is not written.
///
/// # Errors
/// For endings of other files. What has none takes CSV.
pub fn may_be_written(path: &Path) -> Result<()> {
    match path.extension() {
        Some(ending) if !["csv", "xlsx"].iter().any(|own| ending.eq_ignore_ascii_case(own)) => {
            bail!("a table of runs is written as .csv or .xlsx, not as .{}", ending.display())
        }
        _ => Ok(()),
    }
}

impl Table<'_> {
    /// Writes it in the format of the file's ending; with `units` the headings of CSV have them, those of a workbook always.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(self, path: &Path, units: bool) -> Result<()> {
        let bytes = match path.extension().is_some_and(|own| own.eq_ignore_ascii_case("xlsx")) {
            true => xlsx::bytes("runs", &self.head, self.rows.len(), self.rows.into_iter())?,
            false => self.csv(units)?,
        };
        files::write(path, &bytes)
    }

    fn csv(self, units: bool) -> Result<Vec<u8>> {
        let head = self.head.iter().map(|[name, unit]| match units && !unit.is_empty() {
            true => format!("{name} [{unit}]"),
            false => name.clone(),
        });
        let head: Vec<String> = head.collect();
        let mut rows = Rows::under(head.iter().map(String::as_str))?;
        for row in self.rows {
            // As short as in a list.
            rows.add(row.into_iter().map(|cell| match cell {
                Cell::Number(Some(value)) => Cell::Text(value.to_string().into()),
                other => other,
            }))?;
        }
        rows.bytes()
    }
}
