//! The zip archive of an FMU of any tool: its directory as written, and content within limits.
//!
//! A small archive can claim any size, so that nothing is read or unpacked without a bound.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::message::excerpt;
use coulisse::model::open_file;
use flate2::read::DeflateDecoder;
use rawzip::{FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive};
use rawzip::{ZipArchiveEntryWayfinder, ZipFileHeaderRecord};

/// Largest directory of an archive, bytes: room for some hundred thousand files.
const LARGEST_DIRECTORY: u64 = 16 << 20;
/// Largest file in an archive, bytes.
const LARGEST_FILE: u64 = 1 << 30;
/// Largest content of an archive, bytes.
const LARGEST_CONTENT: u64 = 4 << 30;
/// A file beyond [`PLAIN`] may unpack to at most this many times its packed size; libraries and tables
/// reach 10, zeros 1030.
const MAX_RATIO: u64 = 200;
/// Size up to which any ratio is harmless, bytes.
const PLAIN: u64 = 16 << 20;

/// One entry of an archive's directory, as written.
#[derive(Debug)]
pub struct Entry {
    pub name: String,
    /// Number of the compression's method.
    pub method: u16,
    pub encrypted: bool,
    /// Permissions of the file, where the archive has them; Windows takes none.
    #[cfg(unix)]
    pub permissions: u32,
    special: bool,
    packed: u64,
    size: u64,
    place: ZipArchiveEntryWayfinder,
}

/// An archive whose directory has been read.
#[derive(Debug)]
pub struct Archive {
    zip: ZipArchive<FileReader>,
    pub entries: Vec<Entry>,
    /// Place of each name among the entries; of the last one where a name is there twice.
    index: HashMap<String, usize>,
}

impl Archive {
    /// Reads the directory of an archive.
    ///
    /// # Errors
    /// When the file cannot be read, is no archive, or has a directory beyond the limit.
    pub fn open(path: &Path) -> Result<Archive> {
        let file = open_file(path).context("cannot be read")?;
        let damaged = |error: rawzip::Error| anyhow!("not a zip archive, so not an FMU: {error}");
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let zip = ZipArchive::from_file(file, &mut buffer).map_err(damaged)?;
        let length = zip.eocd_offset().saturating_sub(zip.directory_offset());
        if length > LARGEST_DIRECTORY {
            bail!(
                "an archive with a directory of {}; allowed: at most {}",
                size(length),
                size(LARGEST_DIRECTORY)
            );
        }
        let mut entries = Vec::new();
        let mut records = zip.entries(&mut buffer);
        while let Some(record) = records.next_entry().map_err(damaged)? {
            entries.push(Entry::of(&record));
        }
        let names = entries.iter().enumerate();
        let index = names.map(|(i, e)| (e.name.clone(), i)).collect();
        Ok(Archive { zip, entries, index })
    }

    /// Why nobody should unpack this archive, if so: a file that leads out of it, is no file, or
    /// unpacks beyond the limits.
    pub fn refusals(&self) -> impl Iterator<Item = String> + '_ {
        let all = self.entries.iter().map(|e| e.size);
        let all = all.fold(0, u64::saturating_add);
        let whole = (all > LARGEST_CONTENT).then(|| {
            format!("unpacks to {}; allowed: at most {}", size(all), size(LARGEST_CONTENT))
        });
        self.entries
            .iter()
            .filter_map(|entry| Some(format!("file `{}`: {}", entry.shown(), entry.refusal()?)))
            .chain(whole)
    }

    /// Content of a file of at most `most` bytes; `None` where there is none of this name.
    ///
    /// # Errors
    /// When it is larger or cannot be unpacked.
    pub fn read(&self, name: &str, most: u64) -> Result<Option<Vec<u8>>> {
        let Some(&index) = self.index.get(name) else {
            return Ok(None);
        };
        let entry = &self.entries[index];
        if entry.size > most {
            bail!("of {}; allowed: at most {}", size(entry.size), size(most));
        }
        let mut content = Vec::new();
        self.unpack(entry, &mut content)?;
        Ok(Some(content))
    }

    /// Content of a file in a file without a name, for what is too large for memory; `None` where
    /// there is none.
    ///
    /// # Errors
    /// When it cannot be unpacked.
    pub fn read_to_disk(&self, name: &str) -> Result<Option<File>> {
        let Some(&index) = self.index.get(name) else {
            return Ok(None);
        };
        let mut file = tempfile::tempfile().context("no temporary file")?;
        self.unpack(&self.entries[index], &mut file)?;
        Ok(Some(file))
    }

    /// Writes the content of an entry.
    ///
    /// # Errors
    /// When it is refused, damaged, not what the directory says, or cannot be written.
    pub fn unpack(&self, entry: &Entry, to: &mut impl Write) -> Result<()> {
        if let Some(refusal) = entry.refusal() {
            bail!(refusal);
        }
        if cfg!(windows)
            && let Some(unfit) = entry.unfit_for_windows()
        {
            bail!("{unfit}, which Windows allows in no name");
        }
        let found = self.zip.get_entry(entry.place)?;
        let packed = found.reader();
        let plain: Box<dyn Read> = match entry.method {
            0 => Box::new(packed),
            8 => Box::new(DeflateDecoder::new(packed)),
            method => bail!("compressed by method {method}; allowed: 8 (deflate) and 0 (stored)"),
        };
        // Stops where the content is longer than the directory says, and compares the checksum.
        io::copy(&mut found.verifying_reader(plain), to)?;
        Ok(())
    }
}

impl Entry {
    fn of(record: &ZipFileHeaderRecord<'_>) -> Entry {
        // In a Unix mode: the type of a file, none, a regular file, a folder.
        const TYPE: u32 = 0o170_000;
        const USUAL: [u32; 3] = [0, 0o100_000, 0o040_000];
        let mode = record.mode();
        let kind = mode.value() & TYPE;
        Entry {
            name: String::from_utf8_lossy(record.file_path().as_bytes()).into_owned(),
            method: record.compression_method().as_u16(),
            encrypted: record.flags().is_encrypted(),
            #[cfg(unix)]
            permissions: mode.permissions(),
            // Of a folder the reader mixes its own type into the one that is written.
            special: !record.is_dir() && !USUAL.contains(&kind),
            packed: record.compressed_size_hint(),
            size: record.uncompressed_size_hint(),
            place: record.wayfinder(),
        }
    }

    /// The name, short enough for a message.
    pub fn shown(&self) -> String {
        excerpt(&self.name)
    }

    /// Whether it is a folder, which has no content.
    pub fn is_folder(&self) -> bool {
        self.name.ends_with('/')
    }

    /// Why it cannot be unpacked on Windows, if so: devices have names there, and names end in neither a
    /// point nor a space.
    pub fn unfit_for_windows(&self) -> Option<String> {
        let unfit = |part: &str| {
            let what = if is_device(part) {
                "names a device"
            } else if part.ends_with(['.', ' ']) && part != "." && part != ".." {
                "ends in a point or a space"
            } else {
                let c = part.chars().find(|c| "<>:\"|?*".contains(*c) || (*c as u32) < 32)?;
                return Some(format!("has the character `{}` in it", c.escape_default()));
            };
            Some(what.to_owned())
        };
        let mut parts = self.name.split(['/', '\\']);
        parts.find_map(|part| Some(format!("`{}` {}", excerpt(part), unfit(part)?)))
    }

    /// Why it must not be unpacked, if so.
    fn refusal(&self) -> Option<String> {
        let drive = self.name.as_bytes().get(1) == Some(&b':');
        let mut parts = self.name.split(['/', '\\']);
        if self.name.starts_with(['/', '\\']) || drive {
            Some("an absolute path; allowed: paths inside the FMU".to_owned())
        } else if parts.any(|part| part == "..") {
            Some("it leads out of the FMU; allowed: paths inside the FMU".to_owned())
        } else if self.special {
            Some("a link or a device; allowed: files and folders".to_owned())
        } else if self.encrypted {
            Some("encrypted; no host has the key".to_owned())
        } else if self.size > LARGEST_FILE {
            Some(format!("unpacks to {}; allowed: at most {}", size(self.size), size(LARGEST_FILE)))
        } else if self.size > PLAIN && self.size / MAX_RATIO > self.packed {
            Some(format!(
                "unpacks to {} from {}; allowed: at most {MAX_RATIO} times the packed size",
                size(self.size),
                size(self.packed)
            ))
        } else {
            None
        }
    }
}

/// Whether Windows takes a part of a path for a device, whatever follows its first point.
fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part);
    let stem = stem.trim_end_matches(' ').to_uppercase();
    let port = ["COM", "LPT"].iter().find_map(|port| stem.strip_prefix(port));
    let mut number = port.unwrap_or_default().chars();
    let one = number.next().is_some_and(|c| "0123456789¹²³".contains(c));
    let device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"];
    device.contains(&stem.as_str()) || (one && number.next().is_none())
}

/// A number of bytes for a message.
fn size(bytes: u64) -> String {
    match bytes {
        0..10_000 => format!("{bytes} bytes"),
        10_000..10_000_000 => format!("{} kB", bytes / 1000),
        _ => format!("{} MB", bytes / 1_000_000),
    }
}
