//! What holds besides for the FMUs of this tool.

use std::io::{Error, ErrorKind};

use coulisse::fmu::state_space::LARGEST_STATE_SPACE;
use coulisse::fmu::{Blueprint, MODEL_FILE, STATE_SPACE_FILE, StateSpace, guid};
use coulisse::message::excerpt;
use coulisse::model::{LARGEST_DATA, LARGEST_MODEL, Model};

use super::description::FILE;
use super::finding::{Finding, Findings};
use super::summary::Summary;
use super::tree::{self, Element};
use crate::archive;
use crate::unpacked::Archive;

/// Checks the model file inside, and that the `description` was made of it.
pub fn check(archive: &Archive, description: &[u8], summary: &Summary) -> Vec<Finding> {
    if summary.generation_tool.split(' ').next() != Some("coulisse") {
        return Vec::new();
    }
    let linear = format!("resources/{STATE_SPACE_FILE}");
    if let Ok(Some(text)) = archive.read(&linear, LARGEST_STATE_SPACE) {
        return check_linear(&linear, text, description, summary);
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
    let own = guid(model.text(), model.data_files());
    if !is_comparable(&own, summary, &mut findings) {
        return findings.sorted();
    }
    let made = Blueprint::of(model).map_err(|faults| faults.to_string());
    let made = made.and_then(|own| {
        let made = archive::description(&own, summary.standard, None);
        made.map_err(|refusal| refusal.message)
    });
    match made {
        Ok(made) => compared(&made, description),
        Err(message) => {
            findings.add(0, message);
            findings.sorted()
        }
    }
}

/// As [`check`], of the linear model in the file at `path`.
fn check_linear(path: &str, text: Vec<u8>, description: &[u8], summary: &Summary) -> Vec<Finding> {
    let mut findings = Findings::of(path);
    let text = String::from_utf8(text).map_err(|_| "is not UTF-8".to_owned());
    let model = text.and_then(|text| StateSpace::parse(text).map_err(|refusal| refusal.message));
    let made = model.and_then(|model| {
        let made = archive::description_of_linear(&model, summary.standard, None);
        let made = made.map_err(|refusal| refusal.message)?;
        Ok((model, made))
    });
    match made {
        Err(message) => findings.add(0, message),
        Ok((model, made)) => {
            if is_comparable(model.guid(), summary, &mut findings) {
                return compared(&made, description);
            }
        }
    }
    findings.sorted()
}

/// Whether the description is of this version, which writes one as it has to be, and of the model with the guid `own`.
fn is_comparable(own: &str, summary: &Summary, findings: &mut Findings) -> bool {
    let version = format!("coulisse {}", env!("CARGO_PKG_VERSION"));
    if summary.generation_tool != version {
        return false;
    }
    if summary.guid != own {
        findings.add(
            0,
            format!(
                "has the guid {own}, the description {}; they were made of different models",
                summary.guid
            ),
        );
        return false;
    }
    true
}

/// Where a description differs from the one that was `made` of the model.
fn compared(made: &str, description: &[u8]) -> Vec<Finding> {
    let mut findings = Findings::of(FILE);
    let given = String::from_utf8_lossy(description);
    let mut known = Findings::of(FILE);
    let read = |text: &str, findings: &mut Findings| {
        tree::read(text.trim_start_matches('\u{feff}'), findings)
    };
    if let (Some(made), Some(given)) = (read(made, &mut known), read(&given, &mut known)) {
        compare(&made, &given, &mut findings);
    }
    findings.sorted()
}

/// Compares an element and all in it; what it says of time and tools is its own.
fn compare(made: &Element, given: &Element, findings: &mut Findings) {
    const OWN: &str = "generationDateAndTime";
    let name = |element: &Element| match element.get("name") {
        Some(name) => format!("<{} name=\"{}\">", element.name, excerpt(name)),
        None => format!("<{}>", element.name),
    };
    if made.name != given.name {
        let message = format!("{}, where the model inside makes {}", name(given), name(made));
        findings.add(given.line, message);
        return;
    }
    let shown = |value: Option<&str>| match value {
        Some(value) => format!("\"{}\"", excerpt(value)),
        None => "none".to_owned(),
    };
    let others = given.attributes().filter(|(key, _)| made.get(key).is_none());
    let others: Vec<&str> = others.map(|(key, _)| key).collect();
    let keys = made.attributes().map(|(key, _)| key).chain(others);
    for key in keys.filter(|key| *key != OWN) {
        let [own, other] = [made, given].map(|element| element.get(key));
        if own != other {
            findings.add(
                given.line,
                format!(
                    "`{key}` of {} is {}, where the model inside makes {}",
                    name(made),
                    shown(other),
                    shown(own)
                ),
            );
        }
    }
    let [own, other] = [made, given].map(|element| element.children.len());
    if own != other {
        findings.add(
            given.line,
            format!(
                "{} contains {other} elements, where the model inside makes {own}",
                name(given)
            ),
        );
        return;
    }
    for (made, given) in made.children.iter().zip(&given.children) {
        compare(made, given, findings);
    }
}
