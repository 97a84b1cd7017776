//! Results as a file of Apache Parquet.

use anyhow::{Context, Result};

use super::Results;

/// Rows of a page: its size is a number of 32 bits, and readers hold a page in memory.
const PAGE: usize = 1 << 17;

const DOUBLE: i64 = 5;
const REQUIRED: i64 = 0;
const PLAIN: i64 = 0;
const RUN_LENGTHS: i64 = 3;
const DATA_PAGE: i64 = 0;
const UNCOMPRESSED: i64 = 0;

/// A `.parquet` file: a column of doubles for `time` and each output, by its name, in one group of rows. The units are in
/// the metadata of the file, as an object of JSON from names to units under the key `units`.
///
/// Pages are plain and uncompressed: doubles of a motion hardly become smaller. The file is its pages and then their
/// description in the compact protocol of Thrift (parquet-format, `parquet.thrift`).
///
/// # Errors
/// None that a table can have.
pub fn bytes(results: &Results) -> Result<Vec<u8>> {
    let rows = results.times.len();
    let mut file = b"PAR1".to_vec();
    let mut chunks = Vec::new();
    let mut add = |name: &str, values: &mut dyn Iterator<Item = f64>| {
        let start = file.len();
        let mut left = rows;
        while left > 0 {
            let count = left.min(PAGE);
            let size = (8 * count) as i64;
            let mut header = Struct::default();
            header.int(1, DATA_PAGE).int(2, size).int(3, size);
            let mut data = Struct::default();
            data.int(1, count as i64).int(2, PLAIN);
            data.int(3, RUN_LENGTHS).int(4, RUN_LENGTHS);
            file.extend(header.field(5, &data).end());
            file.extend(values.take(count).flat_map(f64::to_le_bytes));
            left -= count;
        }
        let size = (file.len() - start) as i64;
        let mut about = Struct::default();
        about.int(1, DOUBLE).list(2, INT, vec![zigzag(PLAIN)]);
        about.list(3, BINARY, vec![text(name)]);
        about.int(4, UNCOMPRESSED).long(5, rows as i64);
        about.long(6, size).long(7, size).long(9, start as i64);
        let mut chunk = Struct::default();
        chunk.long(2, start as i64).field(3, &about);
        chunks.push(chunk.end());
    };
    let names = results.named(|c| &c.name, "time");
    add("time", &mut results.times.iter().copied());
    for (index, column) in results.columns.iter().enumerate() {
        add(&column.name, &mut results.column(index));
    }

    let mut root = Struct::default();
    root.bytes(4, "schema").int(5, names.len() as i64);
    let leaves = names.iter().map(|name| {
        let mut leaf = Struct::default();
        leaf.int(1, DOUBLE).int(3, REQUIRED).bytes(4, name);
        leaf.end()
    });
    let schema = std::iter::once(root.end()).chain(leaves).collect();
    let size = (file.len() - 4) as i64;
    let mut group = Struct::default();
    group.list(1, STRUCT, chunks).long(2, size);
    group.long(3, rows as i64);
    let units = names.iter().zip(results.named(|c| &c.unit, "s"));
    let units: serde_json::Map<String, serde_json::Value> = units
        .map(|(name, unit)| ((*name).to_owned(), unit.into()))
        .collect();
    let mut entry = Struct::default();
    entry
        .bytes(1, "units")
        .bytes(2, &serde_json::to_string(&units)?);

    let mut footer = Struct::default();
    footer
        .int(1, 1)
        .list(2, STRUCT, schema)
        .long(3, rows as i64);
    footer.list(4, STRUCT, vec![group.end()]);
    footer.list(5, STRUCT, vec![entry.end()]);
    footer.bytes(6, concat!("coulisse ", env!("CARGO_PKG_VERSION")));
    let footer = footer.end();
    file.extend(&footer);
    let length = u32::try_from(footer.len()).context("more columns than a file can name")?;
    file.extend(length.to_le_bytes());
    file.extend(b"PAR1");
    Ok(file)
}

// Types of the compact protocol.
const INT: u8 = 5;
const LONG: u8 = 6;
const BINARY: u8 = 8;
const LIST: u8 = 9;
const STRUCT: u8 = 12;

/// A structure of Thrift in the compact protocol: its fields, in the order of their numbers.
#[derive(Default)]
struct Struct {
    bytes: Vec<u8>,
    last: u8,
}

impl Struct {
    /// A field: how far its number is from the last one, its type, and its value.
    fn put(&mut self, number: u8, kind: u8, value: &[u8]) -> &mut Struct {
        self.bytes.push((number - self.last) << 4 | kind);
        self.bytes.extend(value);
        self.last = number;
        self
    }

    fn int(&mut self, number: u8, value: i64) -> &mut Struct {
        self.put(number, INT, &zigzag(value))
    }

    fn long(&mut self, number: u8, value: i64) -> &mut Struct {
        self.put(number, LONG, &zigzag(value))
    }

    fn bytes(&mut self, number: u8, value: &str) -> &mut Struct {
        self.put(number, BINARY, &text(value))
    }

    fn field(&mut self, number: u8, value: &Struct) -> &mut Struct {
        self.put(number, STRUCT, &value.end())
    }

    fn list(&mut self, number: u8, kind: u8, values: Vec<Vec<u8>>) -> &mut Struct {
        let head = match values.len() {
            few @ 0..15 => vec![(few as u8) << 4 | kind],
            many => [vec![0xf0 | kind], varint(many as u64)].concat(),
        };
        self.put(number, LIST, &[head, values.concat()].concat())
    }

    fn end(&self) -> Vec<u8> {
        [self.bytes.as_slice(), &[0]].concat()
    }
}

/// Seven bits in a byte, the lowest first; the eighth says that there are more.
fn varint(mut value: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while value > 0x7f {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
    bytes
}

/// The sign in the lowest bit.
fn zigzag(value: i64) -> Vec<u8> {
    varint(((value << 1) ^ (value >> 63)) as u64)
}

fn text(value: &str) -> Vec<u8> {
    [varint(value.len() as u64).as_slice(), value.as_bytes()].concat()
}
