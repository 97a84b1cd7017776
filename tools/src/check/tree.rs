//! XML as a tree that knows its lines.

use coulisse::message::excerpt;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::finding::Findings;

/// Nesting of a sound description stays far below; deeper ones could exhaust the call stack.
const DEEPEST: usize = 64;
/// Elements and attributes that are read. A description has about a dozen for each variable.
const MAX_ITEMS: usize = 5_000_000;
/// Attributes of one element; the reader compares each with all before it.
const MAX_ATTRIBUTES: usize = 500;

/// An element with its attributes in their order.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub line: usize,
    attributes: Vec<(String, String)>,
    pub children: Vec<Element>,
    /// Whether it holds text, which no element of a model description does.
    pub text: bool,
}

impl Element {
    /// The attribute as written.
    pub fn get(&self, key: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(k, _)| k == key)?;
        Some(&found.1)
    }

    /// Attributes of the description itself; those of name spaces are for validators.
    pub fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.attributes.iter().map(|(k, v)| (k.as_str(), v.as_str()));
        all.filter(|(key, _)| !key.starts_with("xmlns") && !key.contains(':'))
    }

    /// An attribute that is a finite number; `None` also where it is none, which is a finding of
    /// its own.
    pub fn number(&self, key: &str) -> Option<f64> {
        let value: f64 = self.get(key)?.trim().parse().ok()?;
        value.is_finite().then_some(value)
    }

    /// An attribute that is a value reference.
    pub fn reference(&self, key: &str) -> Option<u32> {
        self.get(key)?.trim().parse().ok()
    }

    /// Value references that are listed; `None` also where one is none, which is a finding of its own.
    pub fn references(&self, key: &str) -> Option<Vec<u32>> {
        self.get(key)?.split_whitespace().map(|word| word.parse().ok()).collect()
    }

    /// Whether a flag is set.
    pub fn flag(&self, key: &str) -> bool {
        matches!(self.get(key), Some("true" | "1"))
    }

    pub fn child(&self, name: &str) -> Option<&Element> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Children of this name.
    pub fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Element> + Clone {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// Elements of this name inside the only child of that name.
    pub fn inside<'a>(&'a self, list: &str, name: &'a str) -> impl Iterator<Item = &'a Element> {
        self.child(list).into_iter().flat_map(move |list| list.named(name))
    }
}

/// Reads a text; `None` with a finding where it is not well-formed.
pub fn read(text: &str, findings: &mut Findings) -> Option<Element> {
    let mut reader = Reader::from_str(text);
    let mut lines = Lines { text, at: 0, line: 1 };
    let mut open: Vec<Element> = Vec::new();
    let mut root = None;
    let mut count = 0_usize;
    loop {
        let before = reader.buffer_position();
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let line = lines.at(reader.error_position());
                findings.add(line, format!("not well-formed XML: {}", excerpt(&error.to_string())));
                return None;
            }
        };
        let line = lines.at(before);
        if let Event::Start(start) | Event::Empty(start) = &event {
            let mut attributes = start.attributes();
            attributes.with_checks(false);
            let own = attributes.take(MAX_ATTRIBUTES + 1).count();
            count += 1 + own;
            if own > MAX_ATTRIBUTES || count > MAX_ITEMS {
                findings.add(
                    line,
                    format!(
                        "too large; allowed: {MAX_ATTRIBUTES} attributes of an element, {MAX_ITEMS} \
                         elements and attributes in all"
                    ),
                );
                return None;
            }
        }
        let closed = match event {
            Event::Start(start) | Event::Empty(start) if root.is_some() && open.is_empty() => {
                let name = name_of(&start);
                findings
                    .add(line, format!("a second root element <{}>; allowed: one", excerpt(&name)));
                return None;
            }
            Event::Start(start) => {
                if open.len() == DEEPEST {
                    findings.add(line, format!("nested deeper than {DEEPEST} elements"));
                    return None;
                }
                open.push(element(&start, line, findings)?);
                None
            }
            Event::Empty(start) => Some(element(&start, line, findings)?),
            Event::End(_) => open.pop(),
            Event::Text(text) => {
                if let (Some(parent), false) = (open.last_mut(), text.trim().is_empty()) {
                    parent.text = true;
                }
                None
            }
            Event::CData(_) | Event::GeneralRef(_) => {
                if let Some(parent) = open.last_mut() {
                    parent.text = true;
                }
                None
            }
            Event::Decl(_) | Event::Comment(_) | Event::PI(_) | Event::DocType(_) => None,
            Event::Eof => break,
        };
        if let Some(element) = closed {
            match open.last_mut() {
                Some(parent) => parent.children.push(element),
                None => root = Some(element),
            }
        }
    }
    if let Some(unclosed) = open.last() {
        let message = format!("not well-formed XML: <{}> is never closed", excerpt(&unclosed.name));
        findings.add(unclosed.line, message);
        return None;
    }
    if root.is_none() {
        findings.add(1, "not XML: there is no element in it".to_owned());
    }
    root
}

fn name_of(start: &BytesStart<'_>) -> String {
    start.name().as_ref().to_string()
}

fn element(start: &BytesStart<'_>, line: usize, findings: &mut Findings) -> Option<Element> {
    let name = name_of(start);
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let value = attribute.map_err(|e| e.to_string()).and_then(|a| {
            let value = a.normalized_value(XmlVersion::Implicit1_0);
            let value = value.map_err(|e| e.to_string())?;
            Ok((a.key.as_ref().to_string(), value.into_owned()))
        });
        match value {
            Ok(pair) => attributes.push(pair),
            Err(error) => {
                let name = excerpt(&name);
                findings.add(line, format!("not well-formed XML: <{name}>: {error}"));
                return None;
            }
        }
    }
    Some(Element { name, line, attributes, children: Vec::new(), text: false })
}

/// Counts lines as the reader goes on.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// Line of the first character that is not white space from a position on.
    fn at(&mut self, position: u64) -> usize {
        let position = usize::try_from(position).unwrap_or(0).min(self.text.len());
        let bytes = self.text.as_bytes();
        if position < self.at {
            return self.line;
        }
        self.line += bytes[self.at..position].iter().filter(|b| **b == b'\n').count();
        self.at = position;
        self.line
    }
}
