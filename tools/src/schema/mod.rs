//! `coulisse schema`: the JSON Schema of the model file, for editors.
//!
//! What may stand where is told by the types of the reader ([`coulisse::model::form`]), the numbers of
//! friction laws by their tables, and the words, units, defaults and ranges of keys by the reference of the
//! model file: none of them is written a second time.

mod document;
mod words;

use std::path::PathBuf;

use anyhow::Result;
use coulisse::laws::friction::{LAWS, Need};
use coulisse::model::form::{Form, Key};
use coulisse::model::form_of_the_file;
use coulisse::quantity::{LARGEST, SMALLEST};
use serde_json::{Map, Value, json};

use crate::{files, print};
use document::Section;
use words::{Bound, Range, Words};

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
    let sections = document::sections();
    let mut schema = of_form(&form_of_the_file(), &sections, &[]);
    schema.insert("$schema".into(), json!("http://json-schema.org/draft-07/schema#"));
    schema.insert("title".into(), json!("Model file of coulisse"));
    Value::Object(schema)
}

/// The schema of what stands at `path`.
fn of_form(form: &Form, sections: &[Section], path: &[&str]) -> Map<String, Value> {
    let value = match form {
        Form::Number => json!({ "type": ["number", "string"] }),
        Form::Truth => json!({ "type": "boolean" }),
        Form::Text => json!({ "type": "string" }),
        Form::Labels => json!({ "anyOf": [
            { "type": ["string", "integer"] },
            { "type": "array", "items": { "type": ["string", "integer"] } },
        ] }),
        Form::Group => json!({ "anyOf": [
            { "type": "string" },
            { "type": "array", "items": { "type": "string" } },
        ] }),
        Form::List(item) => json!({ "type": "array", "items": of_form(item, sections, path) }),
        Form::Tuple(length, item) => json!({
            "type": "array",
            "items": of_form(item, sections, path),
            "minItems": length,
            "maxItems": length,
        }),
        Form::Entries(entry) => {
            let mut section = json!({
                "type": "object",
                "additionalProperties": of_form(entry, sections, path),
            });
            if path.len() == 1 {
                // Names within `[initial]` are those of points, which may come from a mesh file.
                section["propertyNames"] = json!({ "pattern": "^[A-Za-z][A-Za-z0-9_]*$" });
            }
            section
        }
        Form::Table(keys) => of_keys(keys, sections, path),
        Form::Choice(words) => of_choice(words, sections, path),
    };
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

fn of_keys(keys: &[Key], sections: &[Section], path: &[&str]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    let law = match *path {
        [.., "friction", law] => LAWS.iter().find(|(name, _)| *name == law),
        _ => None,
    };
    for key in keys {
        let path = [path, &[key.word]].concat();
        let number = law.and_then(|(_, numbers)| numbers.iter().find(|k| k.name == key.word));
        let (needed, words) = match number {
            Some(number) => {
                (matches!(number.need, Need::Required | Need::List), Some(of_law(number)))
            }
            None => (key.required, words::of(sections, &path)),
        };
        if needed {
            required.push(key.word);
        }
        let own = of_form(&key.form, sections, &path);
        properties.insert(key.word.into(), with_words(own, words));
    }
    let mut table = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
    });
    if !required.is_empty() {
        table["required"] = json!(required);
    }
    table
}

fn of_choice(words: &[(&str, Option<Form>)], sections: &[Section], path: &[&str]) -> Value {
    let bare = words.iter().filter(|(_, form)| form.is_none());
    let bare: Vec<&str> = bare.map(|(word, _)| *word).collect();
    let mut properties = Map::new();
    for (word, form) in words {
        let Some(form) = form else { continue };
        let path = [path, &[*word]].concat();
        let own = of_form(form, sections, &path);
        properties.insert((*word).into(), with_words(own, words::of(sections, &path)));
    }
    let table = json!({
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "minProperties": 1,
        "maxProperties": 1,
    });
    match (bare.is_empty(), table["properties"] == json!({})) {
        (false, true) => json!({ "enum": bare }),
        (true, _) => table,
        (false, false) => json!({ "anyOf": [{ "enum": bare }, table] }),
    }
}

/// What the table of a friction law says of one of its numbers.
fn of_law(key: &coulisse::laws::friction::Key) -> Words {
    let bound = |value: f64| {
        // The smallest and the largest number stand for none.
        let within = (SMALLEST..LARGEST).contains(&value.abs()) || value == 0.0;
        within.then_some(Bound { value, included: true })
    };
    let least = match key.limit.min {
        SMALLEST => Some(Bound { value: 0.0, included: false }),
        least => bound(least),
    };
    Words {
        text: format!("{}; {}", key.meaning.trim(), key.limit.text),
        unit: key.quantity.unit().into(),
        default: match key.need {
            Need::Default(value) => Some(json!(value)),
            _ => None,
        },
        range: Range { whole: false, least, most: bound(key.limit.max) },
    }
}

/// A schema with what is said of the key: description, default and range.
fn with_words(mut schema: Map<String, Value>, words: Option<Words>) -> Value {
    let Some(words) = words else {
        return Value::Object(schema);
    };
    with_range(&mut schema, &words.range);
    let mut text = words.text;
    if !words.unit.is_empty() {
        text += &format!("\n\nUnit: {}", words.unit);
    }
    schema.insert("description".into(), text.into());
    if let Some(default) = words.default {
        schema.insert("default".into(), default);
    }
    Value::Object(schema)
}

/// Bounds of a number, or of each number of a list.
fn with_range(schema: &mut Map<String, Value>, range: &Range) {
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        return with_range(items, range);
    }
    if schema.get("type") != Some(&json!(["number", "string"])) {
        return;
    }
    if range.whole {
        schema.insert("type".into(), json!("integer"));
    }
    let mut insert = |bound: &Option<Bound>, closed: &str, open: &str| {
        if let Some(Bound { value, included }) = bound {
            let word = if *included { closed } else { open };
            schema.insert(word.into(), json!(value));
        }
    };
    insert(&range.least, "minimum", "exclusiveMinimum");
    insert(&range.most, "maximum", "exclusiveMaximum");
}
