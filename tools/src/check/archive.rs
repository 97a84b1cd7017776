//! Rules for the zip archive of an FMU (FMI 2.0.5, section 2.3).

use std::collections::HashSet;
use std::io::{Cursor, Read};

use zip::ZipArchive;

use super::finding::{Findings, excerpt};

/// Largest file that is read from an archive, bytes; a small archive can claim any size.
const LARGEST: u64 = 1 << 30;

/// One entry of the archive's directory, as written.
#[derive(Debug)]
struct Entry {
    name: String,
    method: u16,
    encrypted: bool,
}

/// An archive that can be read.
pub struct Archive<'a> {
    zip: ZipArchive<Cursor<&'a [u8]>>,
    pub names: Vec<String>,
}

impl<'a> Archive<'a> {
    /// Opens an archive and checks its directory; `None` where it is none.
    pub fn open(bytes: &'a [u8], findings: &mut Findings) -> Option<Archive<'a>> {
        let entries = directory(bytes);
        let zip = match ZipArchive::new(Cursor::new(bytes)) {
            Ok(zip) => zip,
            Err(error) => {
                findings.add(0, format!("not a zip archive, so not an FMU: {error}"));
                return None;
            }
        };
        let mut seen = HashSet::new();
        for entry in &entries {
            let shown = excerpt(&entry.name);
            if let Some(wrong) = name_fault(&entry.name) {
                findings.add(0, format!("file `{shown}`: {wrong}"));
            }
            if !seen.insert(&entry.name) {
                findings.add(0, format!("file `{shown}` is in the archive twice"));
            }
            if !matches!(entry.method, 0 | 8) {
                findings.add(0, format!(
                    "file `{shown}` is compressed by method {}; allowed: 8 (deflate) and 0 (stored)",
                    entry.method
                ));
            }
            if entry.encrypted {
                findings.add(
                    0,
                    format!("file `{shown}` is encrypted; no host has the key"),
                );
            }
        }
        let names = zip.file_names().map(str::to_owned).collect();
        Some(Archive { zip, names })
    }

    /// Content of a file; `None` where there is none, or with a finding where it cannot be read.
    pub fn read(&mut self, name: &str, findings: &mut Findings) -> Option<Vec<u8>> {
        if !self.names.iter().any(|n| n == name) {
            return None;
        }
        let mut content = Vec::new();
        let read = self
            .zip
            .by_name(name)
            .map_err(|e| e.to_string())
            .and_then(|file| {
                let read = file.take(LARGEST).read_to_end(&mut content);
                read.map_err(|e| e.to_string())
            });
        match read {
            Ok(_) => Some(content),
            Err(error) => {
                findings.add(0, format!("file `{name}` cannot be unpacked: {error}"));
                None
            }
        }
    }
}

fn name_fault(name: &str) -> Option<&'static str> {
    let drive = name.as_bytes().get(1) == Some(&b':');
    if name.contains('\\') {
        Some("a backslash in its name; allowed: forward slashes between folders")
    } else if name.starts_with('/') || drive {
        Some("an absolute path; allowed: paths inside the FMU")
    } else if name.split('/').any(|part| part == "..") {
        Some("it leads out of the FMU; allowed: paths inside the FMU")
    } else {
        None
    }
}

/// The entries of the central directory as they stand there: a reader hides doubles and repairs
/// names. Empty where the directory cannot be followed, which the reader then says or, for
/// archives beyond 4 GB, knows better.
fn directory(bytes: &[u8]) -> Vec<Entry> {
    walk(bytes).unwrap_or_default()
}

/// After the format's description (PKWARE APPNOTE 4.3.12 and 4.3.16).
fn walk(bytes: &[u8]) -> Option<Vec<Entry>> {
    let two = |at: usize| Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?));
    let four = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let end = bytes.windows(4).rposition(|w| w == b"PK\x05\x06")?;
    let count = two(end + 10)?;
    let mut at = four(end + 16)? as usize;
    let mut entries = Vec::new();
    for _ in 0..count {
        if bytes.get(at..at + 4)? != b"PK\x01\x02" {
            return None;
        }
        let [name, extra, comment] = [two(at + 28)?, two(at + 30)?, two(at + 32)?].map(usize::from);
        let text = bytes.get(at + 46..at + 46 + name)?;
        entries.push(Entry {
            name: String::from_utf8_lossy(text).into_owned(),
            method: two(at + 10)?,
            encrypted: two(at + 8)? & 1 == 1,
        });
        at += 46 + name + extra + comment;
    }
    Some(entries)
}
