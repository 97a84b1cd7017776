//! Holds the elements and attributes of a description against the schema's shapes.

use coulisse::message::excerpt;

use super::finding::{Findings, did_you_mean, hint, nearest};
use super::tree::Element;

/// What an attribute's text must be.
#[derive(Clone, Copy)]
pub enum Text {
    Any,
    Boolean,
    /// A finite number.
    Real,
    /// Also `INF`, `-INF` and `NaN`.
    Double,
    /// A whole number between bounds.
    Whole(i128, i128),
    /// Bytes, two hexadecimal digits each.
    Hex,
    /// One word of a list.
    Word(&'static [&'static str]),
    /// Several of them, separated by spaces.
    List(&'static Text),
}

pub const TEXT: Text = Text::Any;
/// A whole number of 32 bits.
pub const INTEGER: Text = Whole(i32::MIN as i128, i32::MAX as i128);
/// One from 0 on, as a value reference.
pub const UNSIGNED: Text = Whole(0, u32::MAX as i128);

/// An element: its attributes (`*` marks those that must be there) and its children in order.
pub struct Shape {
    pub name: &'static str,
    /// In groups, of which some are those of several elements.
    pub attributes: &'static [&'static [(&'static str, Text)]],
    pub inside: Inside,
}

/// What an element contains.
pub enum Inside {
    Shapes(&'static [(Occurs, &'static Shape)]),
    /// A tool's own business, in so many elements at most.
    Foreign(usize),
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
    /// At least one of all children that are marked so, any number of each and in any order.
    Mixed,
}

use Occurs::{Any, AtLeastOne, Choice, Mixed, Once, Some as Several};
use Text::{Boolean, Double, Hex, List, Real, Whole, Word};

/// Declares elements as a schema has them: `NAME = Element(GROUPS) { attributes } [children]`. Attributes stand before their type; groups
/// are those of several elements.
macro_rules! elements {
    ($($(#[$doc:meta])* $id:ident = $name:ident $(($($group:ident)+))?
        { $($($key:literal)+: $text:expr);* } $([$($occurs:ident $child:ident),+])?)*) => {$(
        $(#[$doc])*
        pub static $id: $crate::check::grammar::Shape = $crate::check::grammar::Shape {
            name: stringify!($name),
            attributes: &[$($($group,)+)? &[$($(($key, $text),)+)*]],
            inside: $crate::check::grammar::Inside::Shapes(&[$($(($occurs, &$child)),+)?]),
        };
    )*};
}
pub(super) use elements;

/// Holds an element and all below it against its shape.
pub fn check(element: &Element, shape: &Shape, findings: &mut Findings) {
    let place = place(element);
    attributes(element, shape, &place, findings);
    let shapes = match shape.inside {
        Inside::Shapes(shapes) => shapes,
        Inside::Foreign(most) => {
            if let Some(second) = element.children.get(most) {
                let message = format!(
                    "{place} contains {} elements; allowed: one, with all others inside it",
                    element.children.len()
                );
                findings.add(second.line, message);
            }
            return;
        }
    };
    if element.text {
        findings.add(element.line, format!("{place} contains text; allowed: elements only"));
    }
    children(element, shapes, &place, findings);
}

/// `<Real>`, or with the name of what it is.
pub fn place(element: &Element) -> String {
    let keys = ["name", "index", "valueReference", "variableName"];
    match keys.iter().find_map(|key| element.get(key)) {
        Some(name) => format!("<{}> `{}`", element.name, excerpt(name)),
        None => format!("<{}>", element.name),
    }
}

fn attributes(element: &Element, shape: &Shape, place: &str, findings: &mut Findings) {
    let declared = || shape.attributes.iter().copied().flatten();
    let names = || declared().map(|(key, _)| key.trim_end_matches('*'));
    let mut misspelt = Vec::new();
    for (key, value) in element.attributes() {
        let known = declared().find(|(name, _)| name.trim_end_matches('*') == key);
        let Some((_, text)) = known else {
            findings.add_with(element.line, || {
                let meant = nearest(key, names());
                misspelt.extend(meant);
                let (key, hint) = (excerpt(key), did_you_mean(meant));
                format!("{place} has no attribute `{key}`{hint}")
            });
            continue;
        };
        if let Some(allowed) = refused(*text, value) {
            let message = format!("{place}: {key}=\"{}\"; allowed: {allowed}", excerpt(value));
            findings.add(element.line, message);
        }
    }
    for (key, _) in declared() {
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
        Double if matches!(trimmed, "INF" | "-INF" | "NaN") => None,
        Real | Double => {
            // Rust also reads `inf`, `nan` and the like; a host can compute with none of them.
            let number = trimmed.parse::<f64>().is_ok_and(f64::is_finite);
            wrong(number, "a finite number with a decimal point")
        }
        Whole(low, high) => {
            let right = trimmed.parse().is_ok_and(|value: i128| (low..=high).contains(&value));
            (!right).then(|| format!("a whole number from {low} to {high}"))
        }
        Hex => {
            let right =
                trimmed.len().is_multiple_of(2) && trimmed.bytes().all(|b| b.is_ascii_hexdigit());
            wrong(right, "pairs of hexadecimal digits")
        }
        Word(words) => (!words.contains(&value))
            .then(|| words.join(", ") + &hint(value, words.iter().copied())),
        List(inner) => {
            let allowed = trimmed.split_whitespace().find_map(|word| refused(*inner, word))?;
            Some(match inner {
                Word(words) => format!("words of {}, separated by spaces", words.join(", ")),
                _ => format!("values separated by spaces, each {allowed}"),
            })
        }
    }
}

fn children(element: &Element, shapes: &[(Occurs, &Shape)], place: &str, findings: &mut Findings) {
    let names = || shapes.iter().map(|(_, child)| child.name);
    let mut last = 0;
    let mut counts = vec![0_usize; shapes.len()];
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
        let (occurs, inner) = shapes[at];
        counts[at] += 1;
        if counts[at] == 2 && !matches!(occurs, Any | Several | Mixed) {
            let message = format!("{place} contains <{}> twice; allowed: once", child.name);
            findings.add(child.line, message);
        } else if at < last && shapes[last].0 != Mixed {
            let before = shapes[last].1.name;
            let name = &child.name;
            let message = format!("{place}: <{name}> comes after <{before}>; allowed: before it");
            findings.add(child.line, message);
        }
        last = last.max(at);
        check(child, inner, findings);
    }
    for ((occurs, inner), count) in shapes.iter().zip(&counts) {
        let wanted = matches!(occurs, Once | Several) && *count == 0;
        if wanted && !misspelt.contains(&inner.name) {
            findings.add(element.line, format!("{place} lacks <{}>", inner.name));
        }
    }
    for (mark, most) in [(Choice, 1), (AtLeastOne, usize::MAX), (Mixed, usize::MAX)] {
        let marked = shapes.iter().zip(&counts);
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
