//! `coulisse schema`: the JSON Schema of the model file, for editors, from the declarations of its keys ([`coulisse::model::form`]).

use std::path::PathBuf;

use anyhow::Result;
use coulisse::model::form::relation::{Kind, Part, Relation, Term};
use coulisse::model::form::{Facts, Form, Key};
use coulisse::model::form_of_the_file;
use coulisse::quantity::{LARGEST, Limit, SMALLEST};
use serde_json::{Map, Number, Value, json};

use crate::{files, print};

/// Name of the schema's file beside a model.
pub const FILE: &str = "coulisse.schema.json";

/// What `coulisse schema` is asked for.
#[derive(clap::Args)]
pub struct Request {
    /// Write it here instead of printing it.
    #[arg(short, long, value_name = "JSON")]
    output: Option<PathBuf>,
}

/// Prints or writes the schema.
///
/// # Errors
/// When it cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let text = text()?;
    match &request.output {
        None => print(&text),
        Some(path) => {
            files::may_write([path], &[])?;
            files::write(path, text.as_bytes())
        }
    }
}

/// The schema as the text of a file.
///
/// # Errors
/// None that a schema can have.
pub fn text() -> Result<String> {
    Ok(serde_json::to_string_pretty(&schema())? + "\n")
}

/// JSON Schema (draft 7) of the model file.
fn schema() -> Value {
    let mut schema = of_form(&form_of_the_file(), false);
    schema["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    schema["title"] = json!("Model file of coulisse");
    schema
}

/// The schema of a form; `identifiers`: names of entries are those of variables.
fn of_form(form: &Form, identifiers: bool) -> Value {
    match form {
        Form::Number => json!({ "type": ["number", "string"] }),
        Form::Truth => json!({ "type": "boolean" }),
        Form::Switch => json!({ "type": ["boolean", "number", "string"] }),
        Form::Text => json!({ "type": "string" }),
        Form::Words(words) => json!({ "enum": words }),
        Form::Labels => json!({ "anyOf": [
            { "type": ["string", "integer"] },
            { "type": "array", "items": { "type": ["string", "integer"] } },
        ] }),
        Form::Group => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" } },
        ] }),
        Form::List(item) => json!({ "type": "array", "items": of_form(item, false) }),
        Form::Tuple(length, item) => json!({
            "type": "array",
            "items": of_form(item, false),
            "minItems": length,
            "maxItems": length,
        }),
        Form::Entries(_, entry) => {
            let mut section = json!({
                "type": "object",
                "additionalProperties": of_form(entry, false),
            });
            if identifiers {
                section["propertyNames"] = json!({ "pattern": "^[A-Za-z][A-Za-z0-9_]*$" });
            }
            section
        }
        Form::Table(keys, relations) => {
            let mut table = of_keys(keys);
            let required = keys.iter().filter(|key| key.required).map(|key| key.word);
            let required: Vec<&str> = required.collect();
            if !required.is_empty() {
                table["required"] = json!(required);
            }
            if !relations.is_empty() {
                table["allOf"] = relations.iter().map(of_relation).collect();
            }
            table
        }
        Form::Choice(keys) => {
            let mut table = of_keys(keys);
            table["minProperties"] = json!(1);
            table["maxProperties"] = json!(1);
            table
        }
    }
}

/// The schema of a table in which a relation holds.
fn of_relation(relation: &Relation) -> Value {
    let terms = &relation.terms;
    let all: Vec<Value> = terms.iter().map(of_term).collect();
    let exactly_one = relation.kind == Kind::ExactlyOne;
    let halves = terms.iter().filter(|term| exactly_one && term.0.len() > 1);
    let whole = |term: &Term| all_or_none(&term.0.iter().map(of_part).collect::<Vec<Value>>());
    let wholes: Vec<Value> = halves.map(whole).collect();
    let first = &all[0];
    let own = match relation.kind {
        Kind::ExactlyOne => json!({ "oneOf": all }),
        Kind::AtMostOne => {
            let mut pairs = Vec::new();
            for (i, one) in all.iter().enumerate() {
                pairs.extend(all[..i].iter().map(|other| json!({ "allOf": [other, one] })));
            }
            json!({ "not": { "anyOf": pairs } })
        }
        Kind::AtLeastOne => json!({ "anyOf": all }),
        Kind::Together => all_or_none(&all),
        Kind::Needs => {
            let with: Vec<Value> =
                [json!({ "not": first })].into_iter().chain(all[1..].iter().cloned()).collect();
            json!({ "anyOf": with })
        }
        Kind::Excludes => json!({ "not": { "allOf": [first, { "anyOf": all[1..] }] } }),
        // No schema compares two numbers.
        Kind::Below => json!({}),
    };
    if wholes.is_empty() { own } else { json!({ "allOf": [own, { "allOf": wholes }] }) }
}

fn all_or_none(all: &[Value]) -> Value {
    json!({ "anyOf": [{ "allOf": all }, { "not": { "anyOf": all } }] })
}

/// The schema of a table with a term.
fn of_term(term: &Term) -> Value {
    match term.0.as_slice() {
        [part] => of_part(part),
        parts => json!({ "allOf": parts.iter().map(of_part).collect::<Vec<Value>>() }),
    }
}

/// The schema of a table with a key, perhaps one inside another, that has a value.
fn of_part(part: &Part) -> Value {
    let value = part.value.map(|value| match value {
        "true" | "false" => json!({ "const": value == "true" }),
        word => json!({ "const": word }),
    });
    let mut schema = value;
    for word in part.key.rsplit('.') {
        let mut outer = json!({ "required": [word] });
        if let Some(inner) = schema {
            outer["properties"] = json!({ word: inner });
        }
        schema = Some(outer);
    }
    schema.unwrap_or_default()
}

fn of_keys(keys: &[Key]) -> Value {
    // Names within `[initial]` are those of points, which may come from a mesh file.
    let of = |key: &Key| (key.word.to_owned(), of_key(key));
    let properties: Map<String, Value> = keys.iter().map(of).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

/// The schema of a key with its description, default and range.
fn of_key(key: &Key) -> Value {
    let mut schema = of_form(&key.form, false);
    let facts = &key.facts;
    in_range(&mut schema, facts);
    let allowed = facts.allowed();
    let text = [plain(facts.text), allowed].into_iter().filter(|part| !part.is_empty());
    let mut text = text.collect::<Vec<String>>().join("; ");
    let unit = facts.unit();
    if !unit.is_empty() {
        text += &format!("\n\nUnit: {unit}");
    }
    schema["description"] = text.into();
    if let Some(default) = default(key) {
        schema["default"] = default;
    }
    schema
}

/// A default that is a value, not what it follows from.
fn default(key: &Key) -> Option<Value> {
    let text = key.facts.default;
    match key.form {
        Form::Words(words) => words.contains(&text).then(|| text.into()),
        Form::Truth | Form::Switch => text.parse().ok().map(Value::Bool),
        _ => Number::from_f64(text.parse().ok()?).map(Value::Number),
    }
}

/// A default as one writes it in the file, or what it follows from.
pub fn shown_default(key: &Key) -> String {
    match (&key.form, key.facts.default) {
        (Form::Words(words), text) if words.contains(&text) => format!("\"{text}\""),
        (_, text) => text.to_owned(),
    }
}

/// Bounds of a number, or of each number of a list.
fn in_range(schema: &mut Value, facts: &Facts) {
    if schema["items"].is_object() {
        return in_range(&mut schema["items"], facts);
    }
    if let Some([low, high]) = facts.count {
        schema["type"] = json!("integer");
        (schema["minimum"], schema["maximum"]) = (json!(low), json!(high));
    }
    if facts.count.is_none() {
        let Limit { min, max, .. } = facts.limit;
        // The smallest and the largest number stand for none.
        let within = |value: f64| value == 0.0 || (SMALLEST..LARGEST).contains(&value.abs());
        match outside(min, f64::next_down) {
            _ if min == SMALLEST => schema["exclusiveMinimum"] = json!(0.0),
            _ if !within(min) => {}
            Some(below) => schema["exclusiveMinimum"] = json!(below),
            None => schema["minimum"] = json!(min),
        }
        match outside(max, f64::next_up) {
            _ if !within(max) => {}
            Some(above) => schema["exclusiveMaximum"] = json!(above),
            None => schema["maximum"] = json!(max),
        }
    }
}

/// The number next to an end of a range, where the range ends just before it: 1 for 0.9999999999999999.
fn outside(end: f64, next: fn(f64) -> f64) -> Option<f64> {
    let outside = next(end);
    (outside.to_string().len() < end.to_string().len()).then_some(outside)
}

/// A text without marks of emphasis, and links as their words.
pub fn plain(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('[') {
        out += before;
        let link = closing(after).map(|end| (&after[..end], &after[end + 1..]));
        match link.and_then(|(words, behind)| Some((words, behind.strip_prefix('(')?))) {
            Some((words, target)) => {
                out += words;
                rest = target.split_once(')').map_or("", |(_, rest)| rest);
            }
            None => {
                out.push('[');
                rest = after;
            }
        }
    }
    (out + rest).trim().to_owned()
}

/// Where the bracket is closed that is open in front of `text`.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    text.char_indices().find_map(|(place, letter)| {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(place)
    })
}
