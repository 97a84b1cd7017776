//! Numbers that were replaced, and names that the interface lists beside its own, written into the text of the file.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::Kind;
use super::{Fault, Model};
use crate::message::figure;

/// A step on the way to a number.
#[derive(Debug, Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    /// Place in a list.
    Item(usize),
}

impl Model {
    /// The same model with every number that was replaced written into its text, comments and all else as they are. A number that
    /// the file leaves at its default gets a line of its own.
    ///
    /// # Errors
    /// If a number that the file leaves at its default has no line to be added to.
    pub fn written(&self) -> Result<Model, Fault> {
        let mut text = self.text.clone();
        for (path, &value) in &self.patches {
            text = with_number(&text, path, value).ok_or_else(|| {
                let message =
                    format!("`{path}` is not written in the file; write it there to replace it");
                Fault::of_file(&self.file, message, Kind::Content)
            })?;
        }
        Ok(Model { text, patches: Default::default(), ..self.clone() })
    }

    /// The same model with `names` in the list `key` of its `[interface]`, before those that the file has there.
    ///
    /// # Errors
    /// If the section has another form, so that nothing can be added.
    pub fn with_listed(&self, key: &str, names: &[String]) -> Result<Model, Fault> {
        if names.is_empty() {
            return Ok(self.clone());
        }
        let text = with_items(&self.text, key, names).ok_or_else(|| {
            let message = format!("`interface.{key}` takes no further names; write it as a list");
            Fault::of_file(&self.file, message, Kind::Content)
        })?;
        Ok(Model { text, ..self.clone() })
    }
}

/// `text` with `names` at the beginning of a list of `[interface]`; `None` where they cannot be added.
fn with_items(text: &str, key: &str, names: &[String]) -> Option<String> {
    // Literal strings of TOML know no escapes.
    let plain = |name: &String| !name.contains(['\'', '\n', '\r']);
    if !names.iter().all(plain) {
        return None;
    }
    let items = names.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(", ");
    let (root, _) = DeTable::parse_recoverable(text);
    let steps = [Step::Key("interface"), Step::Key(key)];
    let section = next(root.get_ref(), None, steps[0]);
    let list = section.and_then(|_| next(root.get_ref(), section, steps[1]));
    let longer = match list.map(|list| (list.span().start + 1, list.get_ref())) {
        Some((begin, DeValue::Array(written))) => {
            let comma = if written.is_empty() { "" } else { ", " };
            replaced(text, begin..begin, &format!("{items}{comma}"))
        }
        Some(_) => return None,
        None => {
            let table = usize::from(section.is_some());
            with_line(text, section, steps.split_at(table), &format!("[{items}]"))?
        }
    };
    is_written(&longer, &steps).then_some(longer)
}

/// `text` with `value` at the dotted `path`; `None` where it cannot be added.
fn with_number(text: &str, path: &str, value: f64) -> Option<String> {
    let (root, _) = DeTable::parse_recoverable(text);
    let steps = steps(path)?;
    let mut here: Option<&Spanned<DeValue<'_>>> = None;
    for (k, step) in steps.iter().enumerate() {
        let Some(next) = next(root.get_ref(), here, *step) else {
            let longer = with_line(text, here, (&steps[..k], &steps[k..]), &figure(value))?;
            return is_written(&longer, &steps).then_some(longer);
        };
        here = Some(next);
    }
    let span = here?.span();
    let number = match (&text[span.clone()], value) {
        ("true" | "false", 1.0) => "true".to_owned(),
        ("true" | "false", 0.0) => "false".to_owned(),
        _ => figure(value),
    };
    Some(replaced(text, span, &number))
}

/// What a step leads to, from the whole file where it is the first.
fn next<'a>(
    root: &'a DeTable<'a>, here: Option<&'a Spanned<DeValue<'a>>>, step: Step<'_>,
) -> Option<&'a Spanned<DeValue<'a>>> {
    match (here.map(Spanned::get_ref), step) {
        (None, Step::Key(key)) => root.get(key),
        (Some(DeValue::Table(table)), Step::Key(key)) => table.get(key),
        (Some(DeValue::Array(list)), Step::Item(index)) => list.get(index),
        _ => None,
    }
}

/// Whether a text is TOML and has what the steps lead to.
fn is_written(text: &str, steps: &[Step<'_>]) -> bool {
    let (root, errors) = DeTable::parse_recoverable(text);
    let mut here = None;
    errors.is_empty()
        && steps.iter().all(|step| {
            here = next(root.get_ref(), here, *step);
            here.is_some()
        })
}

/// `text` with a value that it does not have: in the table `there`, at the path of the first of two, by keys of the second.
fn with_line(
    text: &str, there: Option<&Spanned<DeValue<'_>>>, (table, rest): (&[Step<'_>], &[Step<'_>]),
    value: &str,
) -> Option<String> {
    let (table, rest) = (keys(table)?, keys(rest)?);
    let section = |heading: &str, key: &str| format!("{text}\n[{heading}]\n{key} = {value}\n");
    let Some(there) = there else {
        // Behind all others.
        let (heading, key) = rest.rsplit_once('.')?;
        return Some(section(heading, key));
    };
    let (span, DeValue::Table(content)) = (there.span(), there.get_ref()) else {
        return None;
    };
    let line = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    match text[span.clone()].chars().next()? {
        '{' => {
            let comma = if content.is_empty() { "" } else { "," };
            let first = format!("{{ {rest} = {value}{comma}");
            Some(replaced(text, span.start..span.start + 1, &first))
        }
        '[' => {
            let end = text[span.end..].find('\n').map_or(text.len(), |end| span.end + end);
            Some(replaced(text, end..end, &format!("\n{rest} = {value}")))
        }
        // Begun by headings of what is in it.
        _ if text[line..].trim_start().starts_with('[') => Some(section(&table, &rest)),
        // Begun by a dotted key.
        _ => {
            let begun = &text[line..span.end];
            Some(replaced(text, line..line, &format!("{begun}.{rest} = {value}\n")))
        }
    }
}

fn replaced(text: &str, span: Range<usize>, by: &str) -> String {
    [&text[..span.start], by, &text[span.end..]].concat()
}

/// "members.beam" of keys alone.
fn keys(steps: &[Step<'_>]) -> Option<String> {
    let keys = steps.iter().map(|step| match step {
        Step::Key(key) => Some(*key),
        Step::Item(_) => None,
    });
    Some(keys.collect::<Option<Vec<&str>>>()?.join("."))
}

/// The steps of "members.beam.spline[1][0]".
fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let mut pieces = part.split('[');
        steps.push(Step::Key(pieces.next()?));
        for index in pieces {
            steps.push(Step::Item(index.strip_suffix(']')?.parse().ok()?));
        }
    }
    Some(steps)
}
