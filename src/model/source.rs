//! From a path to text.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Largest model file, bytes: some ten thousand members. Read, a file of nothing but short tables takes
/// 250 times its size.
pub const LARGEST_MODEL: u64 = 2 << 20;
/// Largest data file, bytes: some million rows.
pub const LARGEST_DATA: u64 = 64 << 20;

/// Opens a file that a user or a model names: regular files only. A pipe may wait for ever, a device may
/// never end.
///
/// # Errors
/// When there is no such file, or it is a folder, a pipe or a device.
pub fn open(path: &Path) -> io::Result<File> {
    let there = std::fs::metadata(path)?;
    if there.is_dir() {
        return Err(io::Error::other("it is a folder; give the file in it"));
    }
    if !there.is_file() {
        return Err(io::Error::other("it is a pipe or a device; allowed: regular files"));
    }
    File::open(path)
}

/// The bytes of a file that a user or a model names, of at most `largest` bytes.
///
/// # Errors
/// As [`open`]; when the file is too large, or stands for one that was not fetched.
pub fn read(path: &Path, largest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let end = open(path)?.take(largest + 1).read_to_end(&mut bytes)?;
    if end as u64 > largest {
        return Err(io::Error::other(too_large(largest)));
    }
    if bytes.starts_with(b"version https://git-lfs.") {
        return Err(io::Error::other(
            "it is a pointer of Git LFS; `git lfs pull` fetches the file itself",
        ));
    }
    Ok(bytes)
}

/// The bytes of a data file that lies in `folder` or below, links followed: what a link leads to goes into
/// the FMU, and whoever packs a foreign model does not mean to hand out other files.
///
/// # Errors
/// As [`read`]; when a link leads out of the folder.
pub fn read_inside(folder: &Path, name: &str, largest: u64) -> io::Result<Vec<u8>> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = folder.join(name).canonicalize()?;
    if !path.starts_with(folder.canonicalize()?) {
        return Err(io::Error::other(
            "it is a link that leads out of the model's folder; put the file itself there",
        ));
    }
    read(&path, largest)
}

/// The text of a file.
///
/// # Errors
/// Where it is not UTF-8.
pub fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let good = error.valid_up_to();
        let line = bytes[..good].iter().filter(|&&b| b == b'\n').count() + 1;
        let byte = bytes.get(good).copied().unwrap_or_default();
        format!("byte 0x{byte:02X} in line {line} is not UTF-8; save the file as text in UTF-8")
    })
}

/// What to say of a file beyond its limit.
pub fn too_large(largest: u64) -> String {
    let hint = match largest {
        LARGEST_MODEL => "; long tables go into data files",
        _ => "",
    };
    format!("it is too large; allowed: at most {largest} bytes{hint}")
}

/// Why a data file cannot have this name, if so: an FMU holds it beside the model and the `others`, and
/// is unpacked on every system.
pub fn data_name_fault<'a>(
    name: &str, mut others: impl Iterator<Item = &'a str>,
) -> Option<String> {
    let inside = Path::new(name).components().all(|c| matches!(c, std::path::Component::Normal(_)));
    if !inside || name.is_empty() {
        return Some("it must lie in the model's folder or below".to_string());
    }
    let portable = |part: &str| {
        !part.is_empty()
            && part != "."
            && !part.contains(['\\', ':'])
            && !part.contains(char::is_control)
    };
    if !name.split('/').all(portable) {
        return Some(
            "allowed in its name: folders separated by single `/`, without `.`, `:`, backslashes and \
             control characters"
                .to_string(),
        );
    }
    // Of two names that differ in case only, one is lost on Windows and macOS.
    let lower = name.to_lowercase();
    let clash = others.find(|other| {
        let other = other.to_lowercase();
        let below = |a: &str, b: &str| a.strip_prefix(b).is_some_and(|rest| rest.starts_with('/'));
        lower == other || below(&lower, &other) || below(&other, &lower)
    })?;
    Some(format!(
        "an FMU has `{clash}` in its place; allowed: a name that differs in more than the case of letters"
    ))
}
