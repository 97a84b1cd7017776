//! `coulisse check X.fmu`: an FMU of any tool against the standard, in one list of findings.

mod archive;
mod binaries;
mod description;
mod finding;
mod fmi3;
mod grammar;
mod names;
mod own;
mod relations;
mod shapes;
mod structure;
mod summary;
mod tree;
mod units;
mod variables;

use std::path::Path;

use anyhow::{Context, Result};
use coulisse::message::excerpt;

use crate::archive::Standard;
use crate::unpacked::Archive;
use finding::Findings;
pub use finding::{Finding, Severity};

/// Everything that is wrong with an FMU.
///
/// # Errors
/// When the file cannot be read.
pub fn fmu(path: &Path) -> Result<Vec<Finding>> {
    let mut findings = Findings::of("");
    let archive = match Archive::open(path) {
        Ok(archive) => archive,
        Err(error) if error.downcast_ref::<std::io::Error>().is_none() => {
            findings.add(0, error.to_string());
            return Ok(findings.sorted());
        }
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    };
    archive::check(&archive, &mut findings);
    let text = match archive.read(description::FILE, description::LARGEST) {
        Ok(text) => text,
        Err(error) => {
            findings.add(0, format!("file `{}`: {error:#}", description::FILE));
            return Ok(findings.sorted());
        }
    };
    let Some(text) = text else {
        let names = archive.entries.iter().map(|entry| &entry.name);
        let deeper = names.clone().find(|n| n.ends_with("/modelDescription.xml"));
        let seen = deeper.map_or(String::new(), |n| format!("; there is `{}`", excerpt(n)));
        findings.add(0, format!("no modelDescription.xml at the top of the archive{seen}"));
        return Ok(findings.sorted());
    };
    let mut all = findings.sorted();
    let (found, summary) = of_text(&text);
    all.extend(found);
    if let Some(summary) = summary {
        if summary.standard == Standard::Fmi3 {
            all.extend(fmi3::check_files(&archive, &summary));
        }
        all.extend(binaries::check(&archive, &summary));
        all.extend(own::check(&archive, &text, &summary));
    }
    Ok(all)
}

fn of_text(bytes: &[u8]) -> (Vec<Finding>, Option<summary::Summary>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => description::check(text.trim_start_matches('\u{feff}')),
        Err(error) => {
            let mut findings = Findings::of(description::FILE);
            let before = &bytes[..error.valid_up_to()];
            let line = before.iter().filter(|b| **b == b'\n').count() + 1;
            findings.add(line, "a byte that is not UTF-8; allowed: XML in UTF-8".to_owned());
            (findings.sorted(), None)
        }
    }
}
