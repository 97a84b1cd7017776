//! Every word of what `coulisse` asks about models that start.
//!
//! Every `tests/questions/NAME.toml` is a model that a person would ask about (its first line says what); a second line `# coulisse ARGUMENTS` is what
//! is called in place of `check NAME.toml`. `NAME.expected` holds what is printed.
//! `COULISSE_BLESS=1 cargo test -p coulisse-tools --test command questions` writes the latter again.

use std::path::Path;

use crate::common::call_in;

#[test]
fn every_question_is_asked_in_its_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/questions");
    let bless = std::env::var_os("COULISSE_BLESS").is_some();
    let files = std::fs::read_dir(&folder).expect("a folder of models");
    let mut files: Vec<_> = files.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    assert!(files.len() >= 20, "only {} models", files.len());
    let mut wrong = Vec::new();
    for file in files {
        let model = std::fs::read_to_string(&file).expect("a model");
        let name = file.file_name().expect("a name").to_str().expect("UTF-8");
        let own = model.lines().nth(1).and_then(|line| line.strip_prefix("# coulisse "));
        let arguments: Vec<&str> = match own {
            Some(own) => own.split(' ').collect(),
            None => vec!["check", name],
        };
        let output = call_in(&folder, &arguments);
        assert!(output.status.success(), "{arguments:?}: {output:?}");
        // Of a run the warnings alone.
        let said = match own {
            Some(_) => output.stderr,
            None => output.stdout,
        };
        let now = String::from_utf8(said).expect("UTF-8");
        let kept = file.with_extension("expected");
        if bless {
            std::fs::write(&kept, &now).expect("tests/questions is writable");
        }
        let then = std::fs::read_to_string(&kept).unwrap_or_default();
        if now != then || !now.contains("warning: ") {
            wrong.push(format!("{name}\nnow:  {now}then: {then}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{}\nif the new words are better: COULISSE_BLESS=1 cargo test -p coulisse-tools --test command questions",
        wrong.join("\n")
    );
}
