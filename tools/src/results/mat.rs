//! Results as the trajectories that OpenModelica and Dymola write: MATLAB's version 4.

use anyhow::{Context, Result};

use super::Results;

/// MATLAB's codes of what a matrix holds, lowest byte first.
const DOUBLES: i32 = 0;
const WHOLE: i32 = 20;
const LETTERS: i32 = 51;

/// A `.mat` file with the matrices `Aclass`, `name`, `description`, `dataInfo`, `data_1` and `data_2`, transposed
/// (`binTrans`): each variable is a column of the first four and a row of `data_2`, where `time` is the first. The unit
/// stands in brackets at the end of a description, as Modelica's tools write it. No number is a parameter: `data_1` holds
/// nothing but the begin and the end of the run.
///
/// # Errors
/// When there are more rows than the format can count.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let names = results.named(|c| &c.name, "time");
    let about = results.columns.iter();
    let about = about.map(|c| (c.description.as_str(), c.unit.as_str()));
    let about = std::iter::once(("Time", "s")).chain(about);
    let about = about.map(|(text, unit)| match unit {
        "" => text.to_owned(),
        unit => format!("{text} [{unit}]"),
    });
    let about: Vec<String> = about.collect();
    let about: Vec<&str> = about.iter().map(String::as_str).collect();

    let mut out = Vec::new();
    // Four rows of letters, which alone are not transposed and are filled up with blanks.
    let class = ["Atrajectory", "1.1", "", "binTrans"].map(|row| format!("{row:<11}"));
    let letters = (0..11).flat_map(|column| class.iter().map(move |row| row.as_bytes()[column]));
    matrix(&mut out, "Aclass", LETTERS, [4, 11], letters)?;
    columns_of_letters(&mut out, "name", &names)?;
    columns_of_letters(&mut out, "description", &about)?;

    // Of each variable: the table (0 is the abscissa), its row there, straight lines between values, and
    // nothing beyond the ends.
    let count = names.len();
    let places = (0..count).flat_map(|k| [if k == 0 { 0 } else { 2 }, k as i32 + 1, 0, -1]);
    matrix(&mut out, "dataInfo", WHOLE, [4, count], places.flat_map(i32::to_le_bytes))?;
    let ends = [results.times.first(), results.times.last()];
    let ends = ends.into_iter().map(|end| end.copied().unwrap_or(0.0));
    matrix(&mut out, "data_1", DOUBLES, [1, 2], ends.flat_map(f64::to_le_bytes))?;
    let steps = results.rows().flat_map(|(time, row)| {
        let values = std::iter::once(time).chain(row.iter().copied());
        values.flat_map(f64::to_le_bytes)
    });
    matrix(&mut out, "data_2", DOUBLES, [count, results.times.len()], steps)?;
    Ok(out)
}

/// A text in each column, filled up with zeros.
fn columns_of_letters(out: &mut Vec<u8>, name: &str, texts: &[&str]) -> Result<()> {
    let longest = texts.iter().map(|text| text.len()).max();
    let longest = longest.unwrap_or(0).max(1);
    let letters = texts.iter().flat_map(|text| {
        let zeros = std::iter::repeat_n(0, longest - text.len());
        text.bytes().chain(zeros)
    });
    matrix(out, name, LETTERS, [longest, texts.len()], letters)
}

/// A matrix, column by column.
fn matrix(
    out: &mut Vec<u8>, name: &str, kind: i32, size: [usize; 2], data: impl Iterator<Item = u8>,
) -> Result<()> {
    let count = |n: usize| i32::try_from(n).context("more rows than a .mat file can count");
    // Not complex, and a name that ends with a zero.
    for number in [kind, count(size[0])?, count(size[1])?, 0, count(name.len() + 1)?] {
        out.extend(number.to_le_bytes());
    }
    out.extend(name.bytes());
    out.push(0);
    out.extend(data);
    Ok(())
}
