//! What the command has written, read again: tables, pages of a run and frames for ParaView.

use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

/// The cells of a table; the first row names the columns.
pub fn table(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).expect("a table");
    let records = reader.records().map(|record| record.expect("a row"));
    records.map(|record| record.iter().map(str::to_string).collect()).collect()
}

/// The place of a column.
pub fn column(rows: &[Vec<String>], name: &str) -> usize {
    let place = rows[0].iter().position(|own| own == name);
    place.unwrap_or_else(|| panic!("no column {name} in {:?}", rows[0]))
}

pub fn cell<'a>(rows: &'a [Vec<String>], row: usize, name: &str) -> &'a str {
    &rows[row][column(rows, name)]
}

/// The numbers of a column.
pub fn values(rows: &[Vec<String>], name: &str) -> Vec<f64> {
    let place = column(rows, name);
    rows[1..].iter().map(|row| row[place].parse().expect("a number")).collect()
}

/// The data of the page of a run.
pub fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("id=\"data\">").expect("data");
    serde_json::from_str(rest.split_once("</script>").expect("an end").0).expect("JSON")
}

/// The numbers of a text in base64.
pub fn decoded<const N: usize, T>(text: &str, of: impl Fn([u8; N]) -> T) -> Vec<T> {
    of_bytes(&STANDARD.decode(text).expect("base64"), of)
}

/// An array of a frame for ParaView, after the count of its bytes.
pub fn array<const N: usize, T>(file: &str, name: &str, of: impl Fn([u8; N]) -> T) -> Vec<T> {
    let (_, rest) = file.split_once(&format!("Name=\"{name}\"")).expect(name);
    let text = rest.split_once('>').expect("a start").1.split_once('<').expect("an end").0;
    of_bytes(&STANDARD.decode(text).expect("base64")[8..], of)
}

fn of_bytes<const N: usize, T>(bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.chunks_exact(N).map(|b| of(b.try_into().expect("the width"))).collect()
}
