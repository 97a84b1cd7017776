//! Tables as a workbook of Excel and LibreOffice.

use anyhow::{Context, Result, bail};
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook};

use crate::rows::Cell;

/// Most rows and columns of a sheet.
const LIMITS: [usize; 2] = [1_048_576, 16_384];

/// An `.xlsx` file of one `sheet`: the first row has the names of `head`, the second its units, the `count` others are `rows`. What is not
/// finite is empty.
///
/// # Errors
/// When there are more rows or columns than a sheet may have.
pub fn bytes<'a>(
    sheet: &str, head: &[[String; 2]], count: usize, rows: impl Iterator<Item = Vec<Cell<'a>>>,
) -> Result<Vec<u8>> {
    let (height, width) = (count + 2, head.len());
    if height > LIMITS[0] || width > LIMITS[1] {
        bail!(
            "{height} rows and {width} columns; a sheet has at most {} and {}: take .csv or .parquet, or a longer --step",
            LIMITS[0],
            LIMITS[1]
        );
    }
    let mut book = Workbook::new();
    // Equal runs give equal bytes.
    let date = ExcelDateTime::from_ymd(1980, 1, 1).context("a date")?;
    book.set_properties(&DocProperties::new().set_creation_datetime(&date));
    let page = book.add_worksheet();
    page.set_name(sheet)?.set_freeze_panes(2, 1)?;
    let bold = Format::new().set_bold();
    for (column, [name, unit]) in (0..).zip(head) {
        page.write_string_with_format(0, column, name, &bold)?;
        page.write_string(1, column, unit)?;
    }
    for (row, cells) in (2..).zip(rows) {
        for (column, cell) in (0..).zip(cells) {
            match cell {
                Cell::Number(Some(value)) if value.is_finite() => {
                    page.write_number(row, column, value)?;
                }
                Cell::Whole(value) => {
                    page.write_number(row, column, value as f64)?;
                }
                Cell::Text(text) if !text.is_empty() => {
                    page.write_string(row, column, text)?;
                }
                Cell::Number(_) | Cell::Text(_) => {}
            }
        }
    }
    Ok(book.save_to_buffer()?)
}
