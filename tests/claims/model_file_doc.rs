//! `docs/model-file.md` tells the truth: its models run, and no key is left out.

use std::path::Path;

use crate::common::life::{self, Life};
use coulisse::laws::friction::LAWS;
use coulisse::model::Checked;

const DOCUMENT: &str = include_str!("../../docs/model-file.md");

#[test]
fn every_complete_model_in_the_documents_passes_builds_and_starts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap_or_default();
    let mut complete = 0;
    for text in toml_blocks(DOCUMENT).chain(toml_blocks(&readme)) {
        if !text.contains("[solver]") {
            continue;
        }
        complete += 1;
        match life::of(|| life::parse(text)) {
            Life::Lived(outputs) => assert!(outputs.iter().all(|(_, value)| value.is_finite())),
            Life::Refused(what) | Life::Panicked(what) => panic!("{what}\n{text}"),
        }
    }
    assert!(complete > 0, "docs/model-file.md has no complete model");
}

#[test]
fn variables_of_the_example_are_those_that_the_document_names() {
    let model = example();
    let paths = |list: Vec<&str>| list.join(" ");
    let inputs = model.inputs.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(paths(inputs), "loads.pull.fx");
    let parameters: Vec<&str> = model.parameters.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(parameters.len(), 7, "{parameters:?}");
    assert!(parameters.contains(&"parameters.length"));
    assert!(parameters.contains(&"masses.block.mass"));
    let outputs: Vec<&str> = model.outputs.iter().map(|v| v.path.as_str()).collect();
    assert_eq!(outputs.len(), 10 + 1 + 9, "{outputs:?}");
    assert!(outputs.contains(&"joints.block.sticking"));
}

#[test]
fn every_number_can_be_replaced_also_inside_a_list() {
    let text = toml_blocks(DOCUMENT).next().expect("an example");
    let with = |path: &str, value: f64| -> Checked {
        let model = life::parse(text).expect("the example is TOML");
        let model = model.with_value(path, value).expect("a number of the file");
        model.check().unwrap_or_else(|faults| panic!("{faults}"))
    };
    let point = |model: &Checked, name: &str| {
        let found = model.points.iter().find(|p| p.name == name);
        found.expect("a point").position
    };
    assert_eq!(point(&with("points.right[0]", 3.0), "right"), [3.0, 0.0]);
    assert_eq!(point(&with("parameters.length", 5.0), "wall"), [-5.0, 0.0]);
    assert_eq!(with("gravity.x", 1.5).gravity, [1.5, -9.81]);
}

#[test]
fn every_key_and_choice_of_the_file_is_in_the_document() {
    let mut words = keys_and_choices(include_str!("../../src/model/file.rs"));
    assert!(words.len() > 75, "{words:?}");
    for source in [
        include_str!("../../src/laws/friction/rest.rs"),
        include_str!("../../src/model/file/curve.rs"),
        include_str!("../../src/model/file/initial.rs"),
        include_str!("../../src/model/file/roughness.rs"),
        include_str!("../../src/model/file/statics.rs"),
        include_str!("../../src/model/file/load.rs"),
        include_str!("../../src/model/file/record.rs"),
        include_str!("../../src/records/baseline.rs"),
        include_str!("../../src/model/file/damping.rs"),
    ] {
        words.extend(keys_and_choices(source));
    }
    for (law, keys) in LAWS {
        words.push((*law).to_owned());
        words.extend(keys.iter().map(|key| key.name.to_owned()));
    }
    let missing: Vec<&String> = words
        .iter()
        .filter(|word| {
            let forms = [
                format!("`{word}`"),
                format!("`\"{word}\"`"),
                format!("[{word}"),
                format!("`{word}."),
                format!(".{word}`"),
            ];
            !forms.iter().any(|form| DOCUMENT.contains(form))
        })
        .collect();
    assert!(missing.is_empty(), "not in docs/model-file.md: {missing:?}");
}

fn example() -> Checked {
    let text = toml_blocks(DOCUMENT).next().expect("an example");
    let model = life::parse(text).expect("the example is TOML");
    model.check().unwrap_or_else(|faults| panic!("{faults}"))
}

fn toml_blocks(document: &str) -> impl Iterator<Item = &str> {
    let begins = document.split("```toml\n").skip(1);
    begins.filter_map(|rest| rest.split("```").next())
}

/// Keys of the structs that are read from the file, and variants of the enums as TOML spells them.
fn keys_and_choices(source: &str) -> Vec<String> {
    let mut words = Vec::new();
    let (mut read, mut is_enum, mut renamed) = (false, false, None);
    for line in source.lines() {
        if line.starts_with("#[derive") {
            read = line.contains("Deserialize");
        } else if line.starts_with("pub struct") || line.starts_with("pub enum") {
            is_enum = line.starts_with("pub enum");
        } else if line == "}" {
            read = false;
        }
        if !read || !line.starts_with("    ") {
            continue;
        }
        let line = line.trim();
        if let Some(name) = line.strip_prefix("#[serde(rename = \"") {
            renamed = name.split('"').next().map(str::to_string);
        }
        let word: String = line.trim_start_matches("pub ").to_string();
        let length = word.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = word.split_at(length.unwrap_or(word.len()));
        if rest.starts_with(": ") {
            words.push(word.to_string());
        } else if is_enum && word.starts_with(char::is_uppercase) {
            words.push(renamed.take().unwrap_or_else(|| snake_case(word)));
        }
    }
    words
}

fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
