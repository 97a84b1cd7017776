//! The keys and choices of the model file, read off the sources: what a type reads from the file is
//! there, whoever wrote it.

use std::path::{Path, PathBuf};

/// A word of the model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub word: String,
    /// Whether it is one of several values of a key, not a key itself.
    pub choice: bool,
}

/// Every word that a type of the model file reads.
pub fn of_the_file() -> Vec<Key> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for folder in ["model", "records", "joints", "laws"] {
        sources(&root.join(folder), &mut files);
    }
    files.sort();
    let mut keys: Vec<Key> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file).expect("a source");
        for key in of_source(&text) {
            if !keys.contains(&key) {
                keys.push(key);
            }
        }
    }
    keys
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            sources(&path, files);
        } else if path.extension().is_some_and(|e| e == "rs") {
            files.push(path);
        }
    }
}

/// Fields of the structs that are deserialised, variants of the enums as TOML spells them, and the
/// lists of the top level and of the kinds of joints.
fn of_source(source: &str) -> Vec<Key> {
    let mut keys = Vec::new();
    let (mut read, mut is_enum, mut snake, mut renamed) = (false, false, false, None);
    let (mut bare, mut inside) = (true, None);
    for line in source.lines() {
        let depth = line.len() - line.trim_start().len();
        let line = line.trim();
        if line.starts_with("#[derive") {
            read = line.contains("Deserialize") && !line.contains("Serialize,");
            (snake, bare) = (false, true);
        }
        snake |= line.contains("rename_all = \"snake_case\"");
        // These are read by way of another type.
        bare &= !(line.contains("serde(from") || line.contains("serde(rename = \"$"));
        if line.contains("struct ") || line.contains("enum ") {
            is_enum = line.contains("enum ");
            inside = (read && bare && line.ends_with('{')).then_some(depth);
            (read, renamed) = (false, None);
            continue;
        }
        if let Some(name) = line.strip_prefix("#[serde(rename = \"") {
            renamed = name.split('"').next().map(str::to_string);
        }
        listed(line, &mut keys);
        match inside {
            Some(outer) if depth > outer => {}
            _ => {
                inside = None;
                continue;
            }
        }
        let line = line.trim_start_matches("pub ");
        let length = line.find(|c: char| !c.is_alphanumeric() && c != '_');
        let (word, rest) = line.split_at(length.unwrap_or(line.len()));
        let mut add = |word: String, choice| keys.push(Key { word, choice });
        if rest.starts_with(": ") {
            add(word.to_string(), false);
        } else if is_enum && word.starts_with(char::is_uppercase) {
            let spelt = if snake {
                snake_case(word)
            } else {
                word.to_string()
            };
            add(renamed.take().unwrap_or(spelt), rest.starts_with(','));
        }
    }
    keys
}

/// `entries points "points" Points: …` and `hinge Hinge(Hinge),`.
fn listed(line: &str, keys: &mut Vec<Key>) {
    let words: Vec<&str> = line.split(' ').collect();
    let word = match *words.as_slice() {
        [own, literal, third, ..]
            if literal
                .trim_matches('"')
                .starts_with(own.trim_end_matches('s'))
                && literal.starts_with('"')
                && third.starts_with(char::is_uppercase) =>
        {
            literal.trim_matches('"')
        }
        [own, kind]
            if kind.ends_with("),") && kind.to_lowercase().starts_with(&format!("{own}(")) =>
        {
            own
        }
        _ => return,
    };
    keys.push(Key {
        word: word.to_string(),
        choice: false,
    });
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
