//! `coulisse check X.fmu`: an FMU of any tool against the standard, in one list of findings.

mod archive;
mod binaries;
mod description;
mod finding;
mod grammar;
mod names;
mod own;
mod shapes;
mod structure;
mod tree;
mod units;
mod variables;

use std::path::Path;

use anyhow::{Context, Result};

use archive::Archive;
pub use finding::Finding;
use finding::Findings;

/// Everything that is wrong with an FMU.
///
/// # Errors
/// When the file cannot be read.
pub fn fmu(path: &Path) -> Result<Vec<Finding>> {
    let bytes =
        std::fs::read(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Ok(bytes_of_fmu(&bytes))
}

fn bytes_of_fmu(bytes: &[u8]) -> Vec<Finding> {
    let mut findings = Findings::of("");
    let Some(mut archive) = Archive::open(bytes, &mut findings) else {
        return findings.sorted();
    };
    let text = archive.read(description::FILE, &mut findings);
    if text.is_none() && !archive.names.iter().any(|n| n == description::FILE) {
        let deeper = (archive.names.iter()).find(|n| n.ends_with("/modelDescription.xml"));
        let seen = deeper.map_or(String::new(), |n| format!("; there is `{n}`"));
        findings.add(
            0,
            format!("no modelDescription.xml at the top of the archive{seen}"),
        );
    }
    let mut all = findings.sorted();
    let Some(text) = text else {
        return all;
    };
    let (found, summary) = of_text(&text);
    all.extend(found);
    if let Some(summary) = summary {
        all.extend(binaries::check(&mut archive, &summary));
        all.extend(own::check(&mut archive, &summary));
    }
    all
}

fn of_text(bytes: &[u8]) -> (Vec<Finding>, Option<description::Summary>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => description::check(text.trim_start_matches('\u{feff}')),
        Err(error) => {
            let mut findings = Findings::of(description::FILE);
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|b| **b == b'\n').count() + 1;
            findings.add(
                line,
                "a byte that is not UTF-8; allowed: XML in UTF-8".to_owned(),
            );
            (findings.sorted(), None)
        }
    }
}
