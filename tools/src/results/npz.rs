//! Results as an archive of numpy arrays.

use std::io::{Cursor, Write};

use anyhow::Result;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::Results;

/// An `.npz` file: an array of doubles for `time` and each output, by its name, and the names and units of
/// all of them in the same order as the arrays `__names__` and `__units__`.
///
/// An `.npy` file is ten bytes, a Python dictionary that ends at a multiple of 64 bytes, and the numbers
/// (numpy.lib.format, version 1.0).
///
/// # Errors
/// When the archive is larger than one can be.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |name: &str, bytes: &[u8]| -> Result<()> {
        // Doubles of a motion hardly become smaller; equal runs give equal bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(bytes.len() > u32::MAX as usize);
        zip.start_file(format!("{name}.npy"), options)?;
        zip.write_all(bytes)?;
        Ok(())
    };
    add("__names__", &texts(&results.named(|c| &c.name, "time")))?;
    add("__units__", &texts(&results.named(|c| &c.unit, "s")))?;
    add("time", &numbers(results.times.iter().copied()))?;
    for (index, column) in results.columns.iter().enumerate() {
        add(&column.name, &numbers(results.column(index)))?;
    }
    Ok(zip.finish()?.into_inner())
}

fn numbers(values: impl Iterator<Item = f64>) -> Vec<u8> {
    let data: Vec<u8> = values.flat_map(f64::to_le_bytes).collect();
    array("<f8", data.len() / 8, &data)
}

/// Texts of one length in characters of four bytes, filled up with zeros.
fn texts(texts: &[&str]) -> Vec<u8> {
    let width = texts.iter().map(|text| text.chars().count()).max();
    let width = width.unwrap_or(0).max(1);
    let mut data = Vec::new();
    for text in texts {
        let letters = text.chars().map(u32::from).chain(std::iter::repeat(0));
        data.extend(letters.take(width).flat_map(u32::to_le_bytes));
    }
    array(&format!("<U{width}"), texts.len(), &data)
}

fn array(kind: &str, length: usize, data: &[u8]) -> Vec<u8> {
    let about = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({length},), }}");
    // The line with its end fits into 118 bytes, which makes 128 with what is before it.
    let line = format!("{about:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((line.len() as u16).to_le_bytes());
    bytes.extend(line.bytes());
    bytes.extend(data);
    bytes
}
