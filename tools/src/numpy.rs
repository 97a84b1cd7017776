//! Archives of numpy arrays.

use std::io::{Cursor, Write};

use anyhow::Result;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// An `.npz` file that grows array by array.
///
/// An `.npy` file in it is ten bytes, a Python dictionary that ends at a multiple of 64 bytes, and the numbers
/// (numpy.lib.format, version 1.0).
pub struct Archive(ZipWriter<Cursor<Vec<u8>>>);

impl Default for Archive {
    fn default() -> Archive {
        Archive(ZipWriter::new(Cursor::new(Vec::new())))
    }
}

impl Archive {
    /// Adds doubles, row by row in this shape.
    ///
    /// # Errors
    /// When the archive is larger than one can be.
    pub fn numbers(
        &mut self, name: &str, shape: &[usize], values: impl Iterator<Item = f64>,
    ) -> Result<()> {
        let data: Vec<u8> = values.flat_map(f64::to_le_bytes).collect();
        self.add(name, &array("<f8", shape, &data))
    }

    /// Adds texts of one length in characters of four bytes, filled up with zeros.
    ///
    /// # Errors
    /// When the archive is larger than one can be.
    pub fn texts(&mut self, name: &str, texts: &[&str]) -> Result<()> {
        let width = texts.iter().map(|text| text.chars().count()).max();
        let width = width.unwrap_or(0).max(1);
        let mut data = Vec::new();
        for text in texts {
            let letters = text.chars().map(u32::from).chain(std::iter::repeat(0));
            data.extend(letters.take(width).flat_map(u32::to_le_bytes));
        }
        self.add(name, &array(&format!("<U{width}"), &[texts.len()], &data))
    }

    fn add(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        // Doubles of a motion hardly become smaller; equal runs give equal bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default())
            .large_file(bytes.len() > u32::MAX as usize);
        self.0.start_file(format!("{name}.npy"), options)?;
        self.0.write_all(bytes)?;
        Ok(())
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// When the archive is larger than one can be.
    pub fn bytes(self) -> Result<Vec<u8>> {
        Ok(self.0.finish()?.into_inner())
    }
}

fn array(kind: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let shape: String = shape.iter().map(|length| format!("{length},")).collect();
    let about = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({shape}), }}");
    // The line with its end fits into 118 bytes, which makes 128 with what is before it.
    let line = format!("{about:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((line.len() as u16).to_le_bytes());
    bytes.extend(line.bytes());
    bytes.extend(data);
    bytes
}
