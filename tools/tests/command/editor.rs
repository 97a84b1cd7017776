//! What the command does for who writes a model: schema, a model to begin with, a verdict at every save.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use coulisse::model::Model;
use coulisse::model::checked::Parameter;
use serde_json::Value;

use crate::common::{folder, keep_call, models, ok, ok_in, refused_in, text};
use crate::edit::Edit;

fn schema() -> Value {
    serde_json::from_str(&ok(&["schema"])).expect("JSON")
}

/// Every key of the schema with its path in a model file; `*` stands for a name.
fn keys(schema: &Value, path: &str, found: &mut Vec<(String, Value)>) {
    for (word, own) in schema["properties"].as_object().into_iter().flatten() {
        let path = format!("{path}.{word}");
        found.push((path.trim_start_matches('.').to_owned(), own.clone()));
        keys(own, &path, found);
    }
    for other in schema["anyOf"].as_array().into_iter().flatten() {
        keys(other, path, found);
    }
    if schema["additionalProperties"]["type"].is_array() {
        // Numbers under names of their own are described as a whole.
        let own = serde_json::json!({ "description": schema["description"] });
        found.push((format!("{}.*", path.trim_start_matches('.')), own));
    }
    if schema["additionalProperties"].is_object() {
        keys(&schema["additionalProperties"], &format!("{path}.*"), found);
    }
    if schema["items"].is_object() {
        keys(&schema["items"], &format!("{path}[]"), found);
    }
}

fn all_keys() -> Vec<(String, Value)> {
    let mut found = Vec::new();
    keys(&schema(), "", &mut found);
    found
}

#[test]
fn the_schema_describes_every_key() {
    let keys = all_keys();
    assert!(keys.len() > 300, "{}", keys.len());
    let mute = keys.iter().filter(|(_, own)| {
        let said = own["description"].as_str().unwrap_or_default();
        said.is_empty() || said.starts_with("as above")
    });
    let mute: Vec<&String> = mute.map(|(path, _)| path).collect();
    assert!(mute.is_empty(), "without a word: {mute:?}");
}

/// `edges[]` of `edges[2]`, `holes[][]` of `holes[0,1]`.
fn without_numbers(word: &str) -> String {
    match word.split_once('[') {
        None => word.to_owned(),
        Some((word, numbers)) => word.to_owned() + &"[]".repeat(numbers.split(',').count()),
    }
}

/// The checker is handed range and unit of every number; the schema has those that are declared with the key.
#[test]
fn ranges_and_units_of_the_schema_are_those_of_the_checker() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let model = Model::load(&root.join("tests/models/everything.toml")).expect("a model");
    let checked = model.check().unwrap_or_else(|faults| panic!("{faults}"));
    let keys = all_keys();
    let (mut ranges, mut units, mut wrong) = (0, 0, Vec::new());
    let of_keys = |path: &&Parameter| {
        !path.path.starts_with("parameters.") && !path.path.starts_with("points.")
    };
    for parameter in checked.parameters.iter().filter(of_keys) {
        let own: Vec<String> = parameter.path.split('.').map(without_numbers).collect();
        let pattern = |path: &str| {
            let words: Vec<&str> = path.split('.').collect();
            let alike = |(word, own): (&&str, &String)| {
                *word == "*" || *word == own || *word == own.trim_end_matches("[]")
            };
            words.len() == own.len() && words.iter().zip(&own).all(alike)
        };
        let Some((path, key)) = keys.iter().find(|(path, _)| pattern(path)) else {
            panic!("{} is not in the schema", parameter.path);
        };
        let number = match &key["items"] {
            Value::Null => key,
            items if items["items"].is_null() => items,
            items => &items["items"],
        };
        let bound = |closed: &str, open: &str| number[closed].as_f64().or(number[open].as_f64());
        let [least, most] = parameter.range;
        // What counts as 0 is no bound.
        let bounds = [("inimum", least), ("aximum", most)];
        for (word, own) in bounds {
            let Some(told) = bound(&format!("m{word}"), &format!("exclusiveM{word}")) else {
                continue;
            };
            ranges += 1;
            if (told - own).abs() > 1e-9 * told.abs().max(1.0) {
                wrong.push(format!("{path}: m{word} {told}, of the checker {own}"));
            }
        }
        let said = key["description"].as_str().unwrap_or_default();
        if let Some((_, unit)) = said.split_once("\n\nUnit: ") {
            units += 1;
            let plain = unit.replace('²', "2").replace('³', "3").replace('⁴', "4");
            let plain = plain.replace('⁶', "6").replace('·', ".").replace("cycle/m", "1/m");
            let own = parameter.quantity.unit();
            // Of a rotation the unit is another one, as the document says.
            let angular = own.contains("rad") || own == "N.m";
            if !angular && !plain.split([' ', ',', '(', ')']).any(|told| told == own) {
                wrong.push(format!("{path}: {unit}, of the checker {own}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(ranges > 100 && units > 60, "{ranges} ranges, {units} units");
}

#[test]
fn a_new_model_passes_and_overwrites_nothing() {
    let folder = folder("new");
    ok_in(&folder, &["new", "swing"]);
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    assert!(read("swing.toml").starts_with("#:schema ./coulisse.schema.json\n"));
    assert_eq!(read("coulisse.schema.json"), ok(&["schema"]));
    assert!(ok_in(&folder, &["check", "swing.toml"]).starts_with("ok: swing"));
    let said = ok_in(&folder, &["run", "swing.toml"]);
    assert!(said.contains("points.block.x"), "{said}");
    let refused = refused_in(&folder, &["new", "swing"]);
    assert!(refused.contains("is there already"), "{refused}");
    // With the ending, as one who thinks of the file says it.
    let refused = refused_in(&folder, &["new", "swing.toml"]);
    assert!(refused.contains("swing.toml: is there already"), "{refused}");
    let refused = refused_in(&folder, &["new", "two words"]);
    assert!(refused.contains("the model name `two words` is not allowed"), "{refused}");
    assert!(!folder.join("two words.toml").exists());
}

#[test]
fn a_new_model_from_another_takes_its_data_files_along() {
    let folder = folder("new_from");
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/models/everything.toml");
    std::fs::write(folder.join("coulisse.schema.json"), "{}").expect("a file");
    let said = ok_in(&folder, &["new", "mine", "--from", text(&from)]);
    assert!(said.contains("of another version and stays"), "{said}");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("a file");
    assert_eq!(read("coulisse.schema.json"), "{}");
    let mine = Model::load(&folder.join("mine.toml")).expect("a model");
    let original = Model::load(&from).expect("a model");
    assert!(mine.data_files().eq(original.data_files()) && mine.data_files().count() > 1);
    let expected = original.text().edit("name = \"everything\"", "name = \"mine\"");
    assert_eq!(read("mine.toml"), format!("#:schema ./coulisse.schema.json\n{expected}"));
    // A data file that is there already stays, and nothing else is written.
    let refused = refused_in(&folder, &["new", "other", "--from", text(&from)]);
    assert!(refused.contains("is there already"), "{refused}");
    assert!(!folder.join("other.toml").exists());
}

/// A process that ends with the test.
struct Watcher(Child);

impl Drop for Watcher {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The next line that is said and satisfies the test's wish.
fn next(lines: &Receiver<String>, wanted: &str) -> String {
    let mut said = Vec::new();
    while let Ok(line) = lines.recv_timeout(Duration::from_secs(60)) {
        if line.contains(wanted) {
            return line;
        }
        said.push(line);
    }
    panic!("no `{wanted}` in {said:?}");
}

#[test]
fn a_watched_model_is_judged_at_every_save_and_drawn_where_it_is_sound() {
    let folder = folder("watch");
    let good = std::fs::read_to_string(models().join("incline.toml")).expect("bundled");
    let file = folder.join("incline.toml");
    std::fs::write(&file, &good).expect("a file");
    let call = ["check", "incline.toml", "--watch", "--html", "page.html"];
    let child = Command::new(env!("CARGO_BIN_EXE_coulisse"))
        .current_dir(&folder)
        .args(call)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut watcher = Watcher(child);
    let out = BufReader::new(watcher.0.stdout.take().expect("a pipe"));
    let (sender, lines) = channel();
    std::thread::spawn(move || {
        for line in out.lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
    });
    next(&lines, "ok: incline");
    next(&lines, "page.html: drawn");
    let page = folder.join("page.html");
    let first = std::fs::read(&page).expect("a page");
    std::fs::write(&file, good.edit("mass = 2.0", "mass = -2.0")).expect("a file");
    next(&lines, "error: ");
    assert_eq!(std::fs::read(&page).expect("a page"), first);
    std::fs::write(&file, good.edit("mass = 2.0", "mass = 2.5")).expect("a file");
    next(&lines, "ok: incline");
    next(&lines, "page.html: drawn");
    assert_ne!(std::fs::read(&page).expect("a page"), first);
    keep_call(&call);
}
