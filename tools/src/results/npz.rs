//! Results as an archive of numpy arrays.

use anyhow::Result;

use super::Results;
use crate::numpy::Archive;

/// An `.npz` file: an array of doubles for `time` and each output, by its name, and the names and units of
/// all of them in the same order as the arrays `__names__` and `__units__`.
///
/// # Errors
/// When the archive is larger than one can be.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let mut archive = Archive::default();
    archive.texts("__names__", &results.named(|c| &c.name, "time"))?;
    archive.texts("__units__", &results.named(|c| &c.unit, "s"))?;
    let rows = [results.times.len()];
    archive.numbers("time", &rows, results.times.iter().copied())?;
    for (index, column) in results.columns.iter().enumerate() {
        archive.numbers(&column.name, &rows, results.column(index))?;
    }
    archive.bytes()
}
