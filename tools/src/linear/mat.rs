//! Matrices and lists of texts as a MAT-file of version 5, which MATLAB and Octave load and `scipy.io.loadmat` reads.
//!
//! MAT-File Format (MathWorks): 128 bytes, then elements of a kind, a length and data that is filled up to 8 bytes. A matrix is an element of
//! elements: flags, dimensions, name, data.

/// Kinds of data.
const INT8: u32 = 1;
const UINT16: u32 = 4;
const INT32: u32 = 5;
const UINT32: u32 = 6;
const DOUBLE: u32 = 9;
const MATRIX: u32 = 14;

/// Classes of arrays.
const CELLS: u32 = 1;
const LETTERS: u32 = 4;
const DOUBLES: u32 = 6;

/// A file that grows matrix by matrix.
pub struct MatFile(Vec<u8>);

impl MatFile {
    pub fn new() -> MatFile {
        let mut bytes = format!("{:<116}", "MATLAB 5.0 MAT-file, written by coulisse").into_bytes();
        bytes.extend([0; 8]);
        // Version 1.0 in the order of this file.
        bytes.extend(0x0100_u16.to_le_bytes());
        bytes.extend(b"IM");
        MatFile(bytes)
    }

    /// Adds doubles, column by column in this size.
    pub fn numbers(&mut self, name: &str, size: [usize; 2], columns: impl Iterator<Item = f64>) {
        let data: Vec<u8> = columns.flat_map(f64::to_le_bytes).collect();
        self.0.extend(array(name, DOUBLES, size, &element(DOUBLE, &data)));
    }

    /// Adds a column of texts as cells.
    pub fn texts<'a>(&mut self, name: &str, texts: impl Iterator<Item = &'a str>) {
        let cells: Vec<Vec<u8>> = texts
            .map(|text| {
                let letters: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
                let count = letters.len() / 2;
                array("", LETTERS, [usize::from(count > 0), count], &element(UINT16, &letters))
            })
            .collect();
        self.0.extend(array(name, CELLS, [cells.len(), 1], &cells.concat()));
    }

    pub fn bytes(self) -> Vec<u8> {
        self.0
    }
}

fn array(name: &str, class: u32, size: [usize; 2], data: &[u8]) -> Vec<u8> {
    let flags: Vec<u8> = [class, 0].into_iter().flat_map(u32::to_le_bytes).collect();
    let size: Vec<u8> = size.into_iter().flat_map(|n| (n as i32).to_le_bytes()).collect();
    let parts = [element(UINT32, &flags), element(INT32, &size), element(INT8, name.as_bytes())];
    element(MATRIX, &[&parts.concat(), data].concat())
}

fn element(kind: u32, data: &[u8]) -> Vec<u8> {
    let mut bytes = kind.to_le_bytes().to_vec();
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}
