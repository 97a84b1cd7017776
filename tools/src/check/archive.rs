//! Rules for the zip archive of an FMU (FMI 2.0.5, section 2.3).

use std::collections::HashSet;

use coulisse::message::excerpt;

use super::finding::Findings;
use crate::unpacked::Archive;

/// Holds the names and the compression of all files against the standard.
pub fn check(archive: &Archive, findings: &mut Findings) {
    for refusal in archive.refusals() {
        findings.add(0, refusal);
    }
    let mut seen = HashSet::new();
    for entry in &archive.entries {
        if entry.name.contains('\\') {
            findings.add(
                0,
                format!(
                    "file `{}`: a backslash in its name; allowed: forward slashes between folders",
                    entry.shown()
                ),
            );
        }
        if let Some(unfit) = entry.unfit_for_windows() {
            findings
                .warn(0, format!("file `{}`: {unfit}; Windows cannot unpack it", entry.shown()));
        }
        if !seen.insert(&entry.name) {
            findings.add(0, format!("file `{}` is in the archive twice", entry.shown()));
        }
        if !matches!(entry.method, 0 | 8) {
            findings.add(
                0,
                format!(
                    "file `{}` is compressed by method {}; allowed: 8 (deflate) and 0 (stored)",
                    entry.shown(),
                    entry.method
                ),
            );
        }
    }
    clashes(archive, findings);
}

/// Names that cannot stand beside each other on a disk: a file in the place of a folder, or two that
/// are one where letters have no case, as on Windows and macOS.
fn clashes(archive: &Archive, findings: &mut Findings) {
    let names = archive.entries.iter().map(|entry| entry.name.as_str());
    // What lies in a folder follows it at once where nothing sorts before the end of its name.
    let mut sorted: Vec<(String, &str)> =
        names.map(|name| (name.to_lowercase().replace('/', "\0"), name)).collect();
    sorted.sort();
    for pair in sorted.windows(2) {
        let (first, second) = (pair[0].1, pair[1].1);
        let (mut a, mut b) = (first.split('/'), second.split('/'));
        let differing = a.by_ref().zip(b.by_ref()).find(|(a, b)| a != b);
        let shown = [first, second].map(excerpt);
        match differing {
            Some((a, b)) if !a.is_empty() && a.to_lowercase() == b.to_lowercase() => findings.add(
                0,
                format!(
                    "file `{}`: `{}` differs from `{}` of `{}` only in the case of its letters; allowed: \
                     names that differ where case does not count",
                    shown[1],
                    excerpt(b),
                    excerpt(a),
                    shown[0]
                ),
            ),
            None if !first.ends_with('/') && first.len() < second.len() => findings.add(
                0,
                format!(
                    "file `{}` lies in `{}`, which is a file; allowed: a file or a folder of one name",
                    shown[1], shown[0]
                ),
            ),
            _ => {}
        }
    }
}
