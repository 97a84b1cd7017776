//! Results as a workbook of Excel and LibreOffice.

use anyhow::{Context, Result, bail};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};

use super::Results;

/// Most rows and columns of a sheet.
const LIMITS: [usize; 2] = [1_048_576, 16_384];

/// An `.xlsx` file of one sheet: the first row has names, the second units, the others a row of results each. What is not finite is empty.
///
/// # Errors
/// When there are more rows or columns than a sheet may have.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let (rows, columns) = (results.times.len() + 2, results.columns.len() + 1);
    if rows > LIMITS[0] || columns > LIMITS[1] {
        bail!(
            "{rows} rows and {columns} columns; a sheet has at most {} and {}: take .csv or .parquet, or a longer --step",
            LIMITS[0],
            LIMITS[1]
        );
    }
    let mut book = Workbook::new();
    // Equal runs give equal bytes.
    let date = ExcelDateTime::from_ymd(1980, 1, 1).context("a date")?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&date));
    let sheet = book.add_worksheet();
    sheet.set_name("results")?.set_freeze_panes(2, 1)?;
    let bold = Format::new().set_bold();
    let names = results.named(|c| &c.name, "time");
    let units = results.named(|c| &c.unit, "s");
    for (column, (name, unit)) in (0..).zip(names.into_iter().zip(units)) {
        sheet.write_string_with_format(0, column, name, &bold)?;
        sheet.write_string(1, column, unit)?;
    }
    for (row, (time, values)) in (2..).zip(results.rows()) {
        let cells = std::iter::once(time).chain(values.iter().copied());
        for (column, value) in (0..).zip(cells).filter(|(_, value)| value.is_finite()) {
            sheet.write_number(row, column, value)?;
        }
    }
    Ok(book.save_to_buffer()?)
}
