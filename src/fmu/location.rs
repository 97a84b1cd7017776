//! The folder behind the resource location that a host hands over.
//!
//! The standard asks for a URI (RFC 3986), percent-encoded. Hosts also send `file:/path`,
//! URIs with raw spaces or umlauts, and plain paths; all of them have one sensible reading.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use percent_encoding::percent_decode_str;

/// The folder that a resource location means: of its readings, the first that is a folder.
///
/// # Errors
/// When the location is empty, of another scheme than `file`, or no folder; with what was tried.
pub fn resource_folder(location: &str) -> Result<PathBuf, String> {
    if location.trim().is_empty() {
        return Err("the resource location is empty; allowed: a file URI such as \
                    file:///C:/models/unpacked/resources"
            .to_owned());
    }
    let readings = readings(location)?;
    if let Some(folder) = readings.iter().find(|path| path.is_dir()) {
        return Ok(folder.clone());
    }
    let tried: Vec<_> = readings.iter().map(|p| p.display().to_string()).collect();
    Err(format!(
        "the resource location `{location}` is not a folder (looked for {}); \
         pass the unpacked FMU's `resources` folder as a file URI, file:///path with three \
         slashes (after two, a name would be another machine)",
        tried.join(" and ")
    ))
}

fn readings(location: &str) -> Result<Vec<PathBuf>, String> {
    let Some((scheme, rest)) = scheme_of(location) else {
        return Ok(vec![PathBuf::from(location)]);
    };
    if !scheme.eq_ignore_ascii_case("file") {
        return Err(format!(
            "the resource location `{location}` has the scheme `{scheme}`; allowed: file"
        ));
    }
    let path = match rest.strip_prefix("//") {
        None => Cow::Borrowed(rest),
        Some(after) => match strip_authority(after) {
            Some(path) => Cow::Borrowed(path),
            // Of hosts that write two slashes before a path without its first one.
            None => Cow::Owned(format!("/{after}")),
        },
    };
    let decoded = native(&Cow::from(percent_decode_str(&path)));
    let raw = native(path.as_bytes());
    // A folder may really be called `a%20b`, sent by a host that does not encode.
    Ok(if raw == decoded { vec![decoded] } else { vec![decoded, raw] })
}

/// Splits `scheme:rest`. One letter is not a scheme but a Windows drive.
fn scheme_of(location: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = location.split_once(':')?;
    let letters = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
    (scheme.len() > 1 && scheme.chars().all(letters)).then_some((scheme, rest))
}

/// The path after `file://`: `/path`, `localhost/path`, or `C:/path` of hosts that forget a slash.
fn strip_authority(after: &str) -> Option<&str> {
    let bytes = after.as_bytes();
    let drive = bytes.len() > 1 && bytes[0].is_ascii_alphabetic() && bytes[1] == b':';
    if drive || after.starts_with('/') {
        return Some(after);
    }
    let slash = after.find('/')?;
    after[..slash].eq_ignore_ascii_case("localhost").then_some(&after[slash..])
}

#[cfg(unix)]
fn native(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes)).to_path_buf()
}

#[cfg(not(unix))]
fn native(bytes: &[u8]) -> PathBuf {
    let text = String::from_utf8_lossy(bytes);
    // `/C:/models` is the path part of a URI, `C:/models` the path.
    let drive = text.as_bytes().get(2) == Some(&b':') && text.starts_with('/');
    Path::new(if drive { &text[1..] } else { &text }).to_path_buf()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_of_a_location_is_the_same_folder() {
        let plain = "/models/mein Träger/resources";
        for location in [
            "file:///models/mein%20Tr%C3%A4ger/resources",
            "file:/models/mein%20Tr%C3%A4ger/resources",
            "file://localhost/models/mein%20Tr%c3%a4ger/resources",
            "FILE:///models/mein Träger/resources",
            "file:///models/mein%20Träger/resources/",
            "file:////models/mein%20Träger/resources",
            "file://models/mein%20Träger/resources",
            plain,
        ] {
            let readings = readings(location).expect("readable");
            // Unix takes two leading slashes for one.
            let path = readings[0].to_str().expect("UTF-8").replace("//", "/");
            assert_eq!(Path::new(&path), Path::new(plain), "{location}");
        }
    }

    #[test]
    fn raw_percent_signs_are_a_second_reading() {
        let readings = readings("file:///a%20b/100%/r").expect("readable");
        assert_eq!(readings, [Path::new("/a b/100%/r"), Path::new("/a%20b/100%/r")]);
    }

    #[test]
    fn other_schemes_machines_and_absent_folders_are_refused_by_name() {
        for (location, part) in [
            ("", "empty"),
            ("https://example.org/resources", "scheme `https`"),
            ("file://server/share/resources", "another machine"),
            ("file:///no/such/folder%20here", "/no/such/folder here"),
        ] {
            let message = resource_folder(location).expect_err("refused");
            assert!(message.contains(part), "{message}");
        }
    }
}
