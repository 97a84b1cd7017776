//! What holds besides for the FMUs of this tool.

use std::io::{Error, ErrorKind};

use coulisse::fmu::{MODEL_FILE, guid};
use coulisse::model::Model;

use super::archive::Archive;
use super::description::Summary;
use super::finding::{Finding, Findings};

/// Checks the model file inside, and that the description was made of it.
pub fn check(archive: &mut Archive<'_>, summary: &Summary) -> Vec<Finding> {
    if summary.generation_tool.split(' ').next() != Some("coulisse") {
        return Vec::new();
    }
    let path = format!("resources/{MODEL_FILE}");
    let mut findings = Findings::of(&path);
    let Some(text) = archive.read(&path, &mut findings) else {
        findings.add(
            0,
            "is not there; the library reads it when a host starts".to_owned(),
        );
        return findings.sorted();
    };
    let Ok(text) = String::from_utf8(text) else {
        findings.add(0, "is not UTF-8".to_owned());
        return findings.sorted();
    };
    let files: Vec<(String, Vec<u8>)> = archive
        .names
        .clone()
        .into_iter()
        .filter_map(|name| {
            let inside = name.strip_prefix("resources/")?.to_owned();
            Some((inside, archive.read(&name, &mut findings)?))
        })
        .collect();
    let data = |wanted: &str| {
        let found = files.iter().find(|(name, _)| name == wanted);
        let (_, content) = found.ok_or_else(|| Error::from(ErrorKind::NotFound))?;
        String::from_utf8(content.clone()).map_err(Error::other)
    };
    let model = match Model::parse(&text, MODEL_FILE, &data) {
        Ok(model) => model,
        Err(faults) => {
            findings.add(0, faults.to_string().trim_end().to_owned());
            return findings.sorted();
        }
    };
    if let Err(faults) = model.check() {
        findings.add(0, faults.to_string().trim_end().to_owned());
        return findings.sorted();
    }
    let version = format!("coulisse {}", env!("CARGO_PKG_VERSION"));
    let own = guid(model.text(), model.data_files());
    if summary.generation_tool == version && summary.guid != own {
        findings.add(
            0,
            format!(
                "has the guid {own}, the description {}; they were made of different models",
                summary.guid
            ),
        );
    }
    findings.sorted()
}
