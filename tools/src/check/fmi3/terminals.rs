//! Rules for `terminalsAndIcons.xml` (FMI 3.0, section 2.4.9).

use std::collections::HashSet;

use coulisse::message::excerpt;

use super::super::finding::{Findings, hint};
use super::super::grammar::{self, place};
use super::super::summary::Summary;
use super::super::tree::Element;
use super::shapes;
use super::twice;

/// Adds what is wrong, of an archive with files of these `names`.
pub fn check(root: &Element, summary: &Summary, names: &HashSet<&str>, findings: &mut Findings) {
    grammar::check(root, &shapes::TERMINALS, findings);
    if let Some(graphics) = root.child("GraphicalRepresentation")
        && graphics.child("Icon").is_some()
        && !names.contains("terminalsAndIcons/icon.png")
    {
        let message = "an <Icon> without the file terminalsAndIcons/icon.png";
        findings.add(graphics.line, message.to_owned());
    }
    if let Some(list) = root.child("Terminals") {
        siblings(list, summary, names, findings);
    }
}

/// Terminals beside each other.
fn siblings(list: &Element, summary: &Summary, names: &HashSet<&str>, findings: &mut Findings) {
    for (second, name) in twice(list.named("Terminal"), "name") {
        let message = format!("a second terminal `{}`; allowed: one beside it", excerpt(name));
        findings.add(second.line, message);
    }
    for terminal in list.named("Terminal") {
        members(terminal, summary, findings);
        streams(terminal, summary, findings);
        for graphics in terminal.named("TerminalGraphicalRepresentation") {
            let icon = graphics.get("iconBaseName").unwrap_or_default();
            let file = format!("terminalsAndIcons/{icon}.png");
            if graphics.get("iconBaseName").is_some() && !names.contains(file.as_str()) {
                let message = format!(
                    "{} has no icon: there is no file `{}`",
                    place(terminal),
                    excerpt(&file)
                );
                findings.add(graphics.line, message);
            }
        }
        siblings(terminal, summary, names, findings);
    }
}

fn members(terminal: &Element, summary: &Summary, findings: &mut Findings) {
    const RULES: [&str; 4] = ["plug", "bus", "sequence", "none"];
    let rule = terminal.get("matchingRule").unwrap_or("none");
    // Rules of others have names with a domain.
    if !RULES.contains(&rule) && !rule.contains('.') {
        let message = format!(
            "{}: matchingRule=\"{}\"; allowed: {}, or the name of a rule with its domain{}",
            place(terminal),
            excerpt(rule),
            RULES.join(", "),
            hint(rule, RULES.into_iter())
        );
        findings.add(terminal.line, message);
    }
    for (second, name) in twice(terminal.named("TerminalMemberVariable"), "memberName") {
        let message =
            format!("{}: a second member `{}`; allowed: one", place(terminal), excerpt(name));
        findings.add(second.line, message);
    }
    for member in terminal.named("TerminalMemberVariable") {
        if matches!(rule, "plug" | "bus") && member.get("memberName").is_none() {
            let message = format!(
                "{}: a member without memberName, by which {rule} matches",
                place(terminal)
            );
            findings.add(member.line, message);
        }
        let words: &[&str] = match member.get("variableKind") {
            Some("signal" | "inflow" | "outflow") => {
                &["input", "output", "parameter", "calculatedParameter"]
            }
            _ => &[],
        };
        variable(member, "variableName", words, summary, findings);
    }
}

fn streams(terminal: &Element, summary: &Summary, findings: &mut Findings) {
    for stream in terminal.named("TerminalStreamMemberVariable") {
        variable(stream, "inStreamVariableName", &["input", "parameter"], summary, findings);
        variable(
            stream,
            "outStreamVariableName",
            &["output", "calculatedParameter"],
            summary,
            findings,
        );
    }
    let flows = terminal.named("TerminalMemberVariable");
    let flows = flows.filter(|m| matches!(m.get("variableKind"), Some("inflow" | "outflow")));
    if let (Some(stream), 2..) = (terminal.child("TerminalStreamMemberVariable"), flows.count()) {
        let message =
            format!("{}: a stream beside several flows; allowed: one flow", place(terminal));
        findings.add(stream.line, message);
    }
}

/// The variable that a member names exists, and has one of the causalities where these are limited.
fn variable(
    member: &Element, key: &str, causalities: &[&str], summary: &Summary, findings: &mut Findings,
) {
    let Some(name) = member.get(key) else {
        return; // The grammar has said so.
    };
    let shown = excerpt(name);
    match summary.variables.get(name) {
        None if !summary.sound => {}
        None => findings.add_with(member.line, || {
            let hint = hint(name, summary.variables.keys().map(String::as_str));
            format!("{key} `{shown}` is no variable{hint}")
        }),
        Some(causality)
            if !causalities.is_empty() && !causalities.contains(&causality.as_str()) =>
        {
            let message = format!(
                "{key} `{shown}` has causality {causality}; allowed: {}",
                causalities.join(", ")
            );
            findings.add(member.line, message);
        }
        Some(_) => {}
    }
}
