//! The rules for `modelDescription.xml`.

use coulisse::message::excerpt;

use super::finding::{Finding, Findings, hint};
use super::fmi3;
use super::grammar;
use super::names::is_identifier;
use super::shapes;
use super::structure;
use super::summary::{Offer, Summary};
use super::tree::{self, Element};
use super::units::{self, Units};
use super::variables::{self, Variable};
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
    if version == "3.0" || version.starts_with("3.0.") {
        let summary = fmi3::check(&root, &mut findings);
        return (findings.sorted(), Some(summary));
    }
    if version != "2.0" {
        // Another version has other elements: everything would be wrong.
        let message =
            format!("fmiVersion=\"{}\"; this command knows FMI 2.0 and 3.0 only", excerpt(version));
        findings.add(root.line, message);
        return (findings.sorted(), None);
    }
    grammar::check(&root, &shapes::DESCRIPTION, &mut findings);
    header(&root, &mut findings);
    experiment(&root, &mut findings);
    let units = Units::of(&root);
    let types = units::types(&root);
    units::check(&root, &units, &mut findings);
    let described: Vec<&Element> = root.inside("ModelVariables", "ScalarVariable").collect();
    let variables: Vec<Variable<'_>> =
        described.iter().filter_map(|v| Variable::of(v, &types)).collect();
    variables::check(&root, &variables, &types, &units, &mut findings);
    // Where one is missing, the numbers of the others would be wrong.
    if variables.len() == described.len() {
        structure::check(&root, &variables, &mut findings);
    }
    let text = |key: &str| root.get(key).unwrap_or_default().to_owned();
    let summary = Summary {
        standard: Standard::Fmi2,
        guid: text("guid"),
        generation_tool: text("generationTool"),
        libraries: offers(&root),
    };
    (findings.sorted(), Some(summary))
}

fn offers(root: &Element) -> Vec<Offer> {
    let kinds = root.children.iter();
    let kinds = kinds.filter(|c| matches!(c.name.as_str(), "CoSimulation" | "ModelExchange"));
    kinds
        .filter(|kind| !kind.flag("needsExecutionTool") || kind.get("modelIdentifier").is_some())
        .filter_map(|kind| {
            Some(Offer {
                identifier: kind.get("modelIdentifier").filter(|i| is_identifier(i))?.to_owned(),
                co_simulation: kind.name == "CoSimulation",
            })
        })
        .collect()
}

fn header(root: &Element, findings: &mut Findings) {
    for key in ["modelName", "guid"] {
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
    for kind in &root.children {
        if !matches!(kind.name.as_str(), "CoSimulation" | "ModelExchange") {
            continue;
        }
        if let Some(name) = kind.get("modelIdentifier").filter(|n| !is_identifier(n)) {
            let message = format!(
                "<{}>: modelIdentifier=\"{}\"; allowed: a letter or _, then letters, digits and _",
                kind.name,
                excerpt(name)
            );
            findings.add(kind.line, message);
        }
        if kind.flag("canSerializeFMUstate") && !kind.flag("canGetAndSetFMUstate") {
            let message =
                format!("<{}>: canSerializeFMUstate without canGetAndSetFMUstate", kind.name);
            findings.add(kind.line, message);
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
