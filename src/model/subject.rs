//! Where in a model file stands what a message speaks of, for faults that are found when a model is built or started, and for questions.
//!
//! Messages name their subject by its path (`joints.block`, `solver.step`, `[initial.points]`) or by its kind and name (member `arm`); what
//! is named first is the subject.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Model;
use super::fault::{Fault, Faults, Kind};
use super::file::Top;

/// The section of what messages call by its kind.
const KINDS: [(&str, Top); 12] = [
    ("point", Top::Points),
    ("member", Top::Members),
    ("body", Top::Bodies),
    ("edge", Top::Bodies),
    ("material", Top::Materials),
    ("joint", Top::Joints),
    ("hinge", Top::Joints),
    ("contact", Top::Contacts),
    ("spring", Top::Springs),
    ("coupling", Top::Couplings),
    ("motion", Top::Motions),
    ("load", Top::Loads),
];

impl Model {
    /// What is wrong with a model that has no fault in itself, at the place of what the message names first.
    pub fn fault(&self, message: &impl ToString) -> Fault {
        let message = message.to_string();
        // Syntax faults were refused by `parse`.
        let (root, _) = DeTable::parse_recoverable(&self.text);
        let place = (candidates(&message)).find_map(|path| place_of(root.get_ref(), &path));
        let place = place.unwrap_or_default();
        Fault::at(&self.file, &self.text, &place, message, Kind::Content)
    }

    /// The fault that ends the way of a model that could be read.
    pub fn faults(&self, message: &impl ToString) -> Faults {
        Faults { list: vec![self.fault(message)], text: self.text.clone() }
    }
}

/// Words of a message that may be a path of the file, in their order.
fn candidates(message: &str) -> impl Iterator<Item = String> {
    let words = message.split_whitespace();
    let before = std::iter::once("").chain(words.clone());
    before.zip(words).filter_map(|(before, word)| {
        let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let path = word.trim_start_matches(|c| !inside(c));
        let path = path.trim_end_matches(|c| !inside(c) && c != ']');
        let path = if path.contains('[') { path } else { path.trim_end_matches(|c| !inside(c)) };
        let kind = KINDS.iter().find(|(kind, _)| *kind == before);
        match kind.filter(|_| word.starts_with('`')) {
            Some((_, top)) => Some(format!("{}.{path}", top.key())),
            None => (path.contains('.') || word.starts_with('[')).then(|| path.to_string()),
        }
    })
}

/// The place of what stands at `path`, or of the innermost that it is in; none where its section is not in the file.
fn place_of(root: &DeTable<'_>, path: &str) -> Option<Range<usize>> {
    let mut parts = path.split(['.', '[']).map(|part| part.trim_end_matches(']'));
    let find = |table: &DeTable<'_>, part: &str| {
        let (key, _) = table.iter().find(|(key, _)| key.get_ref() == part)?;
        Some(key.span())
    };
    let top = parts.next()?;
    let mut place = find(root, top)?;
    let mut value: Option<&Spanned<DeValue<'_>>> = root.get(top);
    let mut key = top;
    for part in parts {
        let own = value.map(Spanned::get_ref);
        // `members.beam.material.density` stands in the material that the member names.
        let named = own.and_then(|own| entry_named(root, key, own.as_str()?));
        let (inner, at) = match named.or(own) {
            Some(DeValue::Table(table)) => (table.get(part), find(table, part)),
            Some(DeValue::Array(list)) => {
                let inner = part.parse().ok().and_then(|k: usize| list.get(k));
                (inner, inner.map(Spanned::span))
            }
            _ => (None, None),
        };
        let Some(at) = at else { break };
        // Of a number or a name the value is marked, of an entry its name.
        place = match inner.map(|inner| (inner.get_ref(), inner.span())) {
            Some((DeValue::Table(_), _)) | None => at,
            Some((_, span)) => span,
        };
        (value, key) = (inner, part);
    }
    Some(place)
}

/// The material or section that a key of this name names.
fn entry_named<'a, 'i>(root: &'a DeTable<'i>, key: &str, name: &str) -> Option<&'a DeValue<'i>> {
    let section = match key {
        "material" => Top::Materials,
        "section" => Top::Sections,
        _ => return None,
    };
    let entries = root.get(section.key())?.get_ref().as_table()?;
    entries.get(name).map(Spanned::get_ref)
}
