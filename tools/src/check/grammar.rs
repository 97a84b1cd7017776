//! Holds the elements and attributes of a description against the schema's shapes.

use coulisse::message::excerpt;

use super::finding::{Findings, did_you_mean, hint, nearest};
use super::shapes::TOOL;
use super::tree::Element;

/// What an attribute's text must be.
#[derive(Clone, Copy)]
pub enum Text {
    Any,
    Boolean,
    /// A finite number.
    Real,
    Integer,
    Unsigned,
    /// Numbers of variables, separated by spaces.
    Indices,
    /// Words of a list, separated by spaces.
    Words(&'static [&'static str]),
    /// One word of a list.
    Word(&'static [&'static str]),
}

/// An element: its attributes (`*` marks those that must be there) and its children in order.
pub struct Shape {
    pub name: &'static str,
    pub attributes: &'static [(&'static str, Text)],
    pub children: &'static [(Occurs, &'static Shape)],
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Occurs {
    Maybe,
    Once,
    Any,
    Some,
    /// Exactly one of all children that are marked so.
    Choice,
    /// At least one of all children that are marked so, each at most once.
    AtLeastOne,
}

use Occurs::{Any, AtLeastOne, Choice, Once, Some as Several};
use Text::{Boolean, Indices, Integer, Real, Unsigned, Word, Words};

/// Holds an element and all below it against its shape.
pub fn check(element: &Element, shape: &Shape, findings: &mut Findings) {
    let place = place(element);
    attributes(element, shape, &place, findings);
    if std::ptr::eq(shape, &raw const TOOL) {
        if let Some(second) = element.children.get(1) {
            let message = format!(
                "{place} contains {} elements; allowed: one, with all others inside it",
                element.children.len()
            );
            findings.add(second.line, message);
        }
        return;
    }
    if element.text {
        findings.add(element.line, format!("{place} contains text; allowed: elements only"));
    }
    children(element, shape, &place, findings);
}

/// `<Real>`, or with the name of what it is.
pub fn place(element: &Element) -> String {
    match element.get("name").or_else(|| element.get("index")) {
        Some(name) => format!("<{}> `{}`", element.name, excerpt(name)),
        None => format!("<{}>", element.name),
    }
}

fn attributes(element: &Element, shape: &Shape, place: &str, findings: &mut Findings) {
    let names = || shape.attributes.iter().map(|(key, _)| key.trim_end_matches('*'));
    let mut misspelt = Vec::new();
    for (key, value) in element.attributes() {
        let known = names().position(|name| name == key);
        let Some(known) = known else {
            findings.add_with(element.line, || {
                let meant = nearest(key, names());
                misspelt.extend(meant);
                let (key, hint) = (excerpt(key), did_you_mean(meant));
                format!("{place} has no attribute `{key}`{hint}")
            });
            continue;
        };
        if let Some(allowed) = refused(shape.attributes[known].1, value) {
            let message = format!("{place}: {key}=\"{}\"; allowed: {allowed}", excerpt(value));
            findings.add(element.line, message);
        }
    }
    for (key, _) in shape.attributes {
        if let Some(key) = key.strip_suffix('*')
            && element.get(key).is_none()
            && !misspelt.contains(&key)
        {
            findings.add(element.line, format!("{place} lacks the attribute `{key}`"));
        }
    }
}

/// What would be allowed, where a text is not.
fn refused(text: Text, value: &str) -> Option<String> {
    let trimmed = value.trim();
    let wrong = |right: bool, allowed: &str| (!right).then(|| allowed.to_owned());
    match text {
        Text::Any => None,
        Boolean => wrong(matches!(trimmed, "true" | "false" | "1" | "0"), "true, false, 1, 0"),
        Real => {
            // Rust also reads `inf`, `nan` and the like; a host can compute with none of them.
            let number = trimmed.parse::<f64>().is_ok_and(f64::is_finite);
            wrong(number, "a finite number with a decimal point")
        }
        Integer => wrong(trimmed.parse::<i32>().is_ok(), "a whole number of 32 bits"),
        Unsigned => wrong(trimmed.parse::<u32>().is_ok(), "a whole number, 0 or above"),
        Indices => wrong(
            trimmed.split_whitespace().all(|w| w.parse::<u32>().is_ok_and(|i| i > 0)),
            "numbers of variables, 1 or above, separated by spaces",
        ),
        Word(words) => (!words.contains(&value))
            .then(|| words.join(", ") + &hint(value, words.iter().copied())),
        Words(words) => {
            let right = trimmed.split_whitespace().all(|word| words.contains(&word));
            (!right).then(|| format!("words of {}, separated by spaces", words.join(", ")))
        }
    }
}

fn children(element: &Element, shape: &Shape, place: &str, findings: &mut Findings) {
    let names = || shape.children.iter().map(|(_, child)| child.name);
    let mut last = 0;
    let mut counts = vec![0_usize; shape.children.len()];
    let (mut strangers, mut misspelt) = (false, Vec::new());
    for child in &element.children {
        let Some(at) = names().position(|name| name == child.name) else {
            findings.add_with(child.line, || {
                let meant = nearest(&child.name, names());
                misspelt.extend(meant);
                let (name, hint) = (excerpt(&child.name), did_you_mean(meant));
                format!("{place} contains <{name}>, which it cannot{hint}")
            });
            strangers = true;
            continue;
        };
        let (occurs, inner) = shape.children[at];
        counts[at] += 1;
        if counts[at] == 2 && !matches!(occurs, Any | Several) {
            let message = format!("{place} contains <{}> twice; allowed: once", child.name);
            findings.add(child.line, message);
        } else if at < last {
            let before = shape.children[last].1.name;
            let name = &child.name;
            let message = format!("{place}: <{name}> comes after <{before}>; allowed: before it");
            findings.add(child.line, message);
        }
        last = last.max(at);
        check(child, inner, findings);
    }
    for ((occurs, inner), count) in shape.children.iter().zip(&counts) {
        let wanted = matches!(occurs, Once | Several) && *count == 0;
        if wanted && !misspelt.contains(&inner.name) {
            findings.add(element.line, format!("{place} lacks <{}>", inner.name));
        }
    }
    for (mark, most) in [(Choice, 1), (AtLeastOne, usize::MAX)] {
        let marked = shape.children.iter().zip(&counts);
        let marked = marked.filter(|((occurs, _), _)| *occurs == mark);
        let (names, counts): (Vec<&str>, Vec<usize>) =
            marked.map(|((_, inner), count)| (inner.name, *count)).unzip();
        let found = counts.iter().filter(|count| **count > 0).count();
        // A stranger in the place of the one that is missing has been reported.
        if !names.is_empty() && (found == 0 && !strangers || found > most) {
            let quantity = if most == 1 { "exactly" } else { "at least" };
            let message = format!(
                "{place} contains {found} of {}; allowed: {quantity} one",
                names.join(", ")
            );
            findings.add(element.line, message);
        }
    }
}
