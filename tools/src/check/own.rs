//! What holds besides for the FMUs of this tool.

use std::io::{Error, ErrorKind};

use coulisse::fmu::{MODEL_FILE, guid};
use coulisse::model::{LARGEST_DATA, LARGEST_MODEL, Model};

use super::description::Summary;
use super::finding::{Finding, Findings};
use crate::archive::Archive;

/// Checks the model file inside, and that the description was made of it.
pub fn check(archive: &Archive, summary: &Summary) -> Vec<Finding> {
    if summary.generation_tool.split(' ').next() != Some("coulisse") {
        return Vec::new();
    }
    let path = format!("resources/{MODEL_FILE}");
    let mut findings = Findings::of(&path);
    let text = match archive.read(&path, LARGEST_MODEL) {
        Ok(Some(text)) => String::from_utf8(text).map_err(|_| "is not UTF-8".to_owned()),
        Ok(None) => Err("is not there; the library reads it when a host starts".to_owned()),
        Err(error) => Err(format!("{error:#}")),
    };
    let text = match text {
        Ok(text) => text,
        Err(message) => {
            findings.add(0, message);
            return findings.sorted();
        }
    };
    let data = |wanted: &str| {
        let content = archive.read(&format!("resources/{wanted}"), LARGEST_DATA);
        let content = content.map_err(|error| Error::other(format!("{error:#}")))?;
        content.ok_or_else(|| Error::from(ErrorKind::NotFound))
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
