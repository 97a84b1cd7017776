//! Rules for `modelDescription.xml` of FMI 3.0: what a host needs to run it. The schema's grammar is not among them.

use std::collections::{BTreeMap, BTreeSet};

use coulisse::message::excerpt;

use super::finding::Findings;
use super::names::is_identifier;
use super::summary::{Offer, Summary};
use super::tree::Element;
use crate::archive::Standard;

/// Types of variables.
const TYPES: [&str; 15] = [
    "Float32",
    "Float64",
    "Int8",
    "UInt8",
    "Int16",
    "UInt16",
    "Int32",
    "UInt32",
    "Int64",
    "UInt64",
    "Boolean",
    "String",
    "Binary",
    "Enumeration",
    "Clock",
];

/// Adds what is wrong, and gives what the description says.
pub fn check(root: &Element, findings: &mut Findings) -> Summary {
    for key in ["modelName", "instantiationToken"] {
        match root.get(key) {
            None => {
                let message = format!("<fmiModelDescription> lacks the attribute `{key}`");
                findings.add(root.line, message);
            }
            Some(value) if value.trim().is_empty() => {
                findings.add(root.line, format!("{key} is empty"));
            }
            Some(_) => {}
        }
    }
    let offered = offers(root, findings);
    variables(root, findings);
    structure(root, findings);
    let text = |key: &str| root.get(key).unwrap_or_default().to_owned();
    Summary {
        standard: Standard::Fmi3,
        guid: text("instantiationToken"),
        generation_tool: text("generationTool"),
        libraries: offered,
    }
}

fn offers(root: &Element, findings: &mut Findings) -> Vec<Offer> {
    let kinds = ["ModelExchange", "CoSimulation", "ScheduledExecution"];
    let kinds: Vec<&Element> =
        { root.children.iter() }.filter(|child| kinds.contains(&child.name.as_str())).collect();
    if kinds.is_empty() {
        let message = "neither <ModelExchange> nor <CoSimulation> nor <ScheduledExecution>";
        findings.add(root.line, message.to_owned());
    }
    let mut offers = Vec::new();
    for kind in kinds {
        let name = kind.get("modelIdentifier").unwrap_or_default();
        if is_identifier(name) {
            let co_simulation = kind.name == "CoSimulation";
            offers.push(Offer { identifier: name.to_owned(), co_simulation });
        } else {
            findings.add(
                kind.line,
                format!(
                    "<{}>: modelIdentifier=\"{}\"; allowed: a letter or _, then letters, digits and _",
                    kind.name,
                    excerpt(name)
                ),
            );
        }
        let needs = [
            ("canSerializeFMUState", "canGetAndSetFMUState"),
            ("canReturnEarlyAfterIntermediateUpdate", "providesIntermediateUpdate"),
        ];
        for (flag, needed) in
            needs.iter().filter(|(flag, other)| kind.flag(flag) && !kind.flag(other))
        {
            findings.add(kind.line, format!("<{}>: {flag} without {needed}", kind.name));
        }
    }
    offers
}

fn all_variables(root: &Element) -> impl Iterator<Item = &Element> {
    root.child("ModelVariables").into_iter().flat_map(|list| &list.children)
}

/// Names, value references, types, units and start values.
fn variables(root: &Element, findings: &mut Findings) {
    let mut names = BTreeSet::new();
    let mut references = BTreeMap::new();
    let units: BTreeSet<&str> =
        root.inside("UnitDefinitions", "Unit").filter_map(|unit| unit.get("name")).collect();
    let types = root.child("TypeDefinitions").into_iter().flat_map(|list| &list.children);
    let types: BTreeSet<&str> = types.filter_map(|of| of.get("name")).collect();
    let mut independent = 0;
    for variable in all_variables(root) {
        let name = variable.get("name").unwrap_or_default();
        let shown = excerpt(name);
        let mut add = |message: String| {
            findings.add(variable.line, format!("variable `{shown}`: {message}"));
        };
        if !TYPES.contains(&variable.name.as_str()) {
            add(format!("<{}>; allowed: {}", excerpt(&variable.name), TYPES.join(", ")));
            continue;
        }
        let aliases = variable.children.iter().filter(|child| child.name == "Alias");
        let all = [name].into_iter().chain(aliases.filter_map(|alias| alias.get("name")));
        for one in all {
            if one.is_empty() || !names.insert(one) {
                add(format!("the name `{}` is empty or there twice", excerpt(one)));
            }
        }
        match variable.get("valueReference").map(|text| (text, text.trim().parse::<u32>())) {
            Some((_, Ok(reference))) => {
                if let Some(first) = references.insert(reference, name) {
                    add(format!("has the value reference of `{}`, too", excerpt(first)));
                }
            }
            other => {
                let text = other.map_or("none", |(text, _)| text);
                add(format!("valueReference {}; allowed: a whole number from 0 on", excerpt(text)));
            }
        }
        let causality = variable.get("causality").unwrap_or("local");
        independent += usize::from(causality == "independent");
        let exact = matches!(variable.get("initial"), Some("exact" | "approx"));
        let begins = exact || matches!(causality, "input" | "parameter" | "structuralParameter");
        // Texts and binaries have elements for it.
        let has_start = variable.get("start").is_some() || variable.child("Start").is_some();
        if begins && !has_start && variable.name != "Clock" {
            add("lacks a start value".to_owned());
        }
        let unit = variable.get("unit").filter(|unit| !units.contains(unit));
        if let Some(unit) = unit {
            add(format!("the unit `{}` is not among the UnitDefinitions", excerpt(unit)));
        }
        let of = variable.get("declaredType").filter(|of| !types.contains(of));
        if let Some(of) = of {
            add(format!("the type `{}` is not among the TypeDefinitions", excerpt(of)));
        }
        let float = variable.name.starts_with("Float");
        if variable.get("variability") == Some("continuous") && !float {
            add("is continuous; allowed: of Float32 and Float64 only".to_owned());
        }
    }
    if independent != 1 {
        let message = format!("{independent} independent variables; allowed: exactly one");
        findings.add(root.line, message);
    }
}

/// Each output is in the structure once, and nothing else is.
fn structure(root: &Element, findings: &mut Findings) {
    let Some(structure) = root.child("ModelStructure") else {
        findings.add(root.line, "no <ModelStructure>".to_owned());
        return;
    };
    let outputs = all_variables(root).filter(|v| v.get("causality") == Some("output"));
    let outputs: BTreeMap<&str, &str> = outputs
        .filter_map(|v| Some((v.get("valueReference")?, v.get("name").unwrap_or_default())))
        .collect();
    let mut listed = BTreeSet::new();
    for entry in structure.children.iter().filter(|child| child.name == "Output") {
        let reference = entry.get("valueReference").unwrap_or_default();
        if !outputs.contains_key(reference) || !listed.insert(reference) {
            findings.add(
                entry.line,
                format!(
                    "<Output> with valueReference {}: no output, or there twice",
                    excerpt(reference)
                ),
            );
        }
    }
    for (_, name) in outputs.iter().filter(|(reference, _)| !listed.contains(*reference)) {
        let message = format!("<ModelStructure> has no <Output> for `{}`", excerpt(name));
        findings.add(structure.line, message);
    }
}
