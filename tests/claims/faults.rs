//! What coulisse says about wrong models, and that it never falls over one.
//!
//! Every `tests/faults/NAME.toml` has one thing wrong with it (its first line says what) and
//! `NAME.expected` holds every word that is printed about it.
//! `COULISSE_BLESS=1 cargo test --test claims faults` writes the latter again.

#[path = "../counting/mod.rs"]
pub mod counting;
pub mod damage;
mod mutations;
mod pairs;
mod relations;
mod unreadable;

use crate::common::edit::Edit;
use std::path::{Path, PathBuf};

use crate::common::life::{self, Life};
use coulisse::model::Model;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

const FOLDER: &str = "tests/faults";

#[test]
fn every_wrong_model_gets_its_message() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("COULISSE_BLESS").is_some();
    let models = models_in(&root.join(FOLDER));
    assert!(models.len() >= 40, "only {} wrong models", models.len());
    let mut wrong = Vec::new();
    for file in models {
        // Relative: a message about the whole file names the path it was given.
        let given = file.strip_prefix(root).expect("inside the package");
        let now = match life::of(|| Model::load(given)) {
            Life::Refused(message) => message + "\n",
            Life::Lived(_) => "no fault found\n".to_string(),
            Life::Panicked(what) => format!("panic: {what}\n"),
        };
        let kept = file.with_extension("expected");
        if bless {
            std::fs::write(&kept, &now).expect("tests/faults is writable");
        }
        let then = std::fs::read_to_string(&kept).unwrap_or_default();
        let said =
            !now.trim().is_empty() && !now.starts_with("no fault") && !now.starts_with("pan");
        if then != now || !said {
            wrong.push(format!("{}\nnow:  {now}then: {then}", given.display()));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nif the new words are better: COULISSE_BLESS=1 cargo test --test claims faults",
        wrong.join("\n")
    );
}

#[test]
fn every_bundled_model_passes_builds_and_starts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/models");
    let models = models_in(&folder);
    assert!(!models.is_empty(), "no model in {}", folder.display());
    for file in models {
        match life::of(|| Model::load(&file)) {
            Life::Lived(outputs) => {
                for (path, value) in outputs {
                    assert!(value.is_finite(), "{}: {path} is {value}", file.display());
                }
            }
            other => panic!("{}: {other:?}", file.display()),
        }
    }
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_no_fault() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/models");
    let text = std::fs::read_to_string(folder.join("quick_return.toml")).expect("bundled");
    let windows = format!("\u{feff}{}", text.edit("\n", "\r\n"));
    let outputs = |text: &str| match life::of(|| life::parse(text)) {
        Life::Lived(outputs) => outputs,
        other => panic!("{other:?}"),
    };
    assert_eq!(outputs(&windows), outputs(&text));
}

#[test]
fn a_fault_in_a_windows_file_is_where_the_editor_shows_it() {
    let text = "\u{feff}name = \"beam\"\r\n\r\n[solver]\r\nstep = -1.0\r\n";
    let Life::Refused(message) = life::of(|| life::parse(text)) else {
        panic!("a negative step passes");
    };
    assert!(message.contains("model.toml:4:8: solver.step is -1 s"), "{message}");
}

/// Model files of a folder by name.
fn models_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("a readable entry").path())
        .filter(|file| file.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    files
}
