//! Rules for the files besides the description (FMI 3.0, section 2.5): terminals, sources, documentation.

use std::collections::HashSet;

use coulisse::message::excerpt;

use super::super::finding::{Finding, Findings, hint};
use super::super::grammar;
use super::super::summary::Summary;
use super::super::tree::{self, Element};
use super::super::units::unique;
use super::{shapes, terminals};
use crate::description::LARGEST;
use crate::unpacked::Archive;

const TERMINALS: &str = "terminalsAndIcons/terminalsAndIcons.xml";
const BUILD: &str = "sources/buildDescription.xml";

/// Everything that is wrong with them.
pub fn check(archive: &Archive, summary: &Summary) -> Vec<Finding> {
    let names: HashSet<&str> = archive.entries.iter().map(|e| e.name.as_str()).collect();
    let mut findings = Findings::of("");
    let folder = |folder: &str| names.iter().any(|n| n.starts_with(folder) && !n.ends_with('/'));
    if folder("sources/") && !names.contains(BUILD) {
        findings.add(0, format!("sources without the file `{BUILD}`"));
    }
    let entries =
        ["txt", "html", "spdx"].map(|end| format!("documentation/licenses/license.{end}"));
    if folder("documentation/licenses/") && !entries.iter().any(|n| names.contains(n.as_str())) {
        findings.add(0, format!("licences without an entry; allowed: {}", entries.join(", ")));
    }
    for (drawn, needed) in [
        ("terminalsAndIcons/icon.svg", "terminalsAndIcons/icon.png"),
        ("documentation/diagram.svg", "documentation/diagram.png"),
    ] {
        if names.contains(drawn) && !names.contains(needed) {
            findings.add(0, format!("file `{drawn}` without `{needed}`"));
        }
    }
    let mut all = findings.sorted();
    all.extend(read(archive, TERMINALS, &shapes::TERMINALS, summary, |root, findings| {
        terminals::check(root, summary, &names, findings);
    }));
    all.extend(read(archive, BUILD, &shapes::BUILD, summary, |root, findings| {
        build(root, summary, &names, findings);
    }));
    all
}

/// Findings in a file of the archive, which may be missing.
fn read(
    archive: &Archive, path: &str, shape: &grammar::Shape, summary: &Summary,
    check: impl FnOnce(&Element, &mut Findings),
) -> Vec<Finding> {
    let mut findings = Findings::of(path);
    let text = match archive.read(path, LARGEST) {
        Ok(None) => return Vec::new(),
        Ok(Some(bytes)) => String::from_utf8(bytes).map_err(|_| "is not UTF-8".to_owned()),
        Err(error) => Err(format!("{error:#}")),
    };
    match text {
        Err(message) => findings.add(0, message),
        Ok(text) => {
            let root = tree::read(text.trim_start_matches('\u{feff}'), &mut findings);
            match root {
                Some(root) if root.name != shape.name => {
                    let message = format!("<{}>; allowed: <{}>", excerpt(&root.name), shape.name);
                    findings.add(root.line, message);
                }
                Some(root) => {
                    let version = root.get("fmiVersion").unwrap_or(&summary.version);
                    if version != summary.version {
                        let message = format!(
                            "fmiVersion=\"{}\"; allowed: {}, as the description has it",
                            excerpt(version),
                            summary.version
                        );
                        findings.add(root.line, message);
                    }
                    check(&root, &mut findings);
                }
                None => {}
            }
        }
    }
    findings.sorted()
}

/// How the sources become a library.
fn build(root: &Element, summary: &Summary, names: &HashSet<&str>, findings: &mut Findings) {
    grammar::check(root, &shapes::BUILD, findings);
    let offered = || summary.libraries.iter().map(|offer| offer.identifier.as_str());
    let mut fallbacks = 0;
    for configuration in root.named("BuildConfiguration") {
        let line = configuration.line;
        if let Some(name) =
            configuration.get("modelIdentifier").filter(|n| !offered().any(|o| o == *n))
        {
            let shown = excerpt(name);
            let message = format!(
                "modelIdentifier `{shown}` is not in the description{}",
                hint(name, offered())
            );
            findings.add(line, message);
        }
        fallbacks += usize::from(configuration.get("platform").is_none());
        if configuration.get("platform").is_none() && fallbacks == 2 {
            let message = "a second <BuildConfiguration> without platform; allowed: one";
            findings.add(line, message.to_owned());
        }
        unique(configuration.named("SourceFileSet"), "name", "BuildConfiguration", findings);
        for set in configuration.named("SourceFileSet") {
            for file in set.named("SourceFile") {
                let name = file.get("name").unwrap_or_default();
                if file.get("name").is_some() && !names.contains(format!("sources/{name}").as_str())
                {
                    findings
                        .add(file.line, format!("there is no file `sources/{}`", excerpt(name)));
                }
            }
            for definition in set.named("PreprocessorDefinition") {
                let mut options =
                    definition.named("Option").filter_map(|o| o.get("value")).peekable();
                if let Some(value) = definition.get("value")
                    && options.peek().is_some()
                    && !options.any(|option| option == value)
                {
                    let name = excerpt(definition.get("name").unwrap_or("?"));
                    let message =
                        format!("value `{}` of `{name}` is none of its options", excerpt(value));
                    findings.add(definition.line, message);
                }
            }
        }
    }
}
