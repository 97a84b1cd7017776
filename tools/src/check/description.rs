//! The rules for `modelDescription.xml`.

use coulisse::message::excerpt;

use super::finding::{Finding, Findings, Severity, hint};
use super::fmi3;
use super::grammar;
use super::names::is_identifier;
use super::relations;
use super::shapes;
use super::structure;
use super::summary::{Offer, Summary, Use};
use super::tree::{self, Element};
use super::units::{self, Units};
use super::variables::{self, Variables};
use crate::archive::Standard;
use crate::date;
pub use crate::description::{FILE, LARGEST};

/// All findings in a text, and what it says where it can be read.
pub fn check(text: &str) -> (Vec<Finding>, Option<Summary>) {
    let mut findings = Findings::of(FILE);
    let Some(root) = tree::read(text, &mut findings) else {
        return (findings.sorted(), None);
    };
    if root.name != shapes::DESCRIPTION.name {
        let message = format!("<{}>; allowed: <fmiModelDescription>", excerpt(&root.name));
        findings.add(root.line, message);
        return (findings.sorted(), None);
    }
    let version = root.get("fmiVersion").unwrap_or("2.0");
    let (standard, shape) = match version {
        "2.0" => (Standard::Fmi2, &shapes::DESCRIPTION),
        _ if version == "3.0" || version.starts_with("3.0.") => {
            (Standard::Fmi3, &fmi3::DESCRIPTION)
        }
        // Another version has other elements: everything would be wrong.
        _ => {
            let shown = excerpt(version);
            let message =
                format!("fmiVersion=\"{shown}\"; this command knows FMI 2.0 and 3.0 only");
            findings.add(root.line, message);
            return (findings.sorted(), None);
        }
    };
    grammar::check(&root, shape, &mut findings);
    header(&root, standard, &mut findings);
    experiment(&root, &mut findings);
    let units = Units::of(&root);
    let types = units::types(&root, standard);
    let described = root.child("ModelVariables").map_or(&[][..], |list| &list.children);
    let names = { described.iter() }.filter_map(|v| v.get("name")).collect();
    units::check(&root, standard, &units, &names, &mut findings);
    let variables = Variables::of(standard, described, &types);
    variables::check(&root, &variables, &types, &units, &mut findings);
    relations::check(&variables, &units, &mut findings);
    if standard == Standard::Fmi3 {
        fmi3::check(&root, &variables, &units, &mut findings);
    }
    // Where one is missing, the numbers of the others would be wrong.
    if variables.complete {
        structure::check(&root, &variables, &mut findings);
    }
    let findings = findings.sorted();
    let text = |key: &str| root.get(key).unwrap_or_default().to_owned();
    let summary = Summary {
        standard,
        sound: findings.iter().all(|finding| finding.severity == Severity::Warning),
        version: version.to_owned(),
        guid: text(token(standard)),
        generation_tool: text("generationTool"),
        libraries: offers(&root),
        variables: variables.names(),
    };
    (findings, Some(summary))
}

/// The attribute by which a library knows its description.
fn token(standard: Standard) -> &'static str {
    match standard {
        Standard::Fmi2 => "guid",
        Standard::Fmi3 => "instantiationToken",
    }
}

/// Elements that say how an FMU may be used.
fn uses(root: &Element) -> impl Iterator<Item = (&Element, Use)> {
    root.children.iter().filter_map(|child| match child.name.as_str() {
        "CoSimulation" => Some((child, Use::CoSimulation)),
        "ModelExchange" => Some((child, Use::ModelExchange)),
        "ScheduledExecution" => Some((child, Use::ScheduledExecution)),
        _ => None,
    })
}

fn offers(root: &Element) -> Vec<Offer> {
    let uses = uses(root).filter(|(element, _)| {
        !element.flag("needsExecutionTool") || element.get("modelIdentifier").is_some()
    });
    uses.filter_map(|(element, kind)| {
        let identifier = element.get("modelIdentifier").filter(|i| is_identifier(i))?;
        Some(Offer { identifier: identifier.to_owned(), kind })
    })
    .collect()
}

fn header(root: &Element, standard: Standard, findings: &mut Findings) {
    for key in ["modelName", token(standard)] {
        if root.get(key).is_some_and(|value| value.trim().is_empty()) {
            findings.add(root.line, format!("{key} is empty"));
        }
    }
    let date = root.get("generationDateAndTime").map(str::trim);
    if let Some(date) = date.filter(|d| !date::is_date(d)) {
        let message = format!(
            "generationDateAndTime=\"{}\"; allowed: a date like 2024-02-29T12:00:00Z",
            excerpt(date)
        );
        // Many tools write local time, or a fraction of a second, and no host minds.
        match date::is_date_of_xml(date) {
            true => findings.warn(root.line, message),
            false => findings.add(root.line, message),
        }
    }
    for (kind, _) in uses(root) {
        if let Some(name) = kind.get("modelIdentifier").filter(|n| !is_identifier(n)) {
            let message = format!(
                "<{}>: modelIdentifier=\"{}\"; allowed: a letter or _, then letters, digits and _",
                kind.name,
                excerpt(name)
            );
            findings.add(kind.line, message);
        }
        let needs: &[(&str, &str)] = match standard {
            Standard::Fmi2 => &[("canSerializeFMUstate", "canGetAndSetFMUstate")],
            Standard::Fmi3 => &[
                ("canSerializeFMUState", "canGetAndSetFMUState"),
                ("canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"),
            ],
        };
        for (flag, needed) in needs {
            if kind.flag(flag) && !kind.flag(needed) {
                findings.add(kind.line, format!("<{}>: {flag} without {needed}", kind.name));
            }
        }
    }
    const CATEGORIES: [&str; 8] = [
        "logEvents",
        "logSingularLinearSystems",
        "logNonlinearSystems",
        "logDynamicStateSelection",
        "logStatusWarning",
        "logStatusDiscard",
        "logStatusError",
        "logStatusFatal",
    ];
    for category in root.inside("LogCategories", "Category") {
        let Some(name) = category.get("name") else {
            continue;
        };
        let meant = CATEGORIES.iter().find(|c| c.eq_ignore_ascii_case(name));
        // Tools have categories of their own, but a predefined one is spelt as the standard does.
        if meant.is_some_and(|meant| *meant != name) {
            let message =
                format!("log category `{}`{}", excerpt(name), hint(name, CATEGORIES.into_iter()));
            findings.add(category.line, message);
        }
    }
}

fn experiment(root: &Element, findings: &mut Findings) {
    let Some(experiment) = root.child("DefaultExperiment") else {
        return;
    };
    let mut add =
        |message: String| findings.add(experiment.line, format!("<DefaultExperiment>: {message}"));
    let start = experiment.number("startTime").unwrap_or(0.0);
    if let Some(stop) = experiment.number("stopTime").filter(|stop| *stop <= start) {
        add(format!("stopTime={stop}; allowed: after startTime={start}"));
    }
    for key in ["tolerance", "stepSize"] {
        if let Some(value) = experiment.number(key).filter(|value| *value <= 0.0) {
            add(format!("{key}={value}; allowed: above 0"));
        }
    }
}
