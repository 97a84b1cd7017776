//! The command as a process of its own, what it is given and where it writes.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Runs the command in a folder.
pub fn call_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_coulisse"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command starts")
}

/// Runs the command in the folder of all tests.
pub fn call(arguments: &[&str]) -> Output {
    call_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Standard output of a call that must succeed without a word of warning.
#[track_caller]
pub fn ok_in(folder: &Path, arguments: &[&str]) -> String {
    let output = call_in(folder, arguments);
    assert!(output.status.success(), "{arguments:?}: {output:?}");
    assert!(output.stderr.is_empty(), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[track_caller]
pub fn ok(arguments: &[&str]) -> String {
    ok_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// Standard error of a call that must fail with code 1.
#[track_caller]
pub fn refused_in(folder: &Path, arguments: &[&str]) -> String {
    let output = call_in(folder, arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

#[track_caller]
pub fn refused(arguments: &[&str]) -> String {
    refused_in(Path::new(env!("CARGO_TARGET_TMPDIR")), arguments)
}

/// An empty folder of one test's own: all tests run at the same time, so that each name is given once.
pub fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The folder of the bundled models.
pub fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/models")
}

/// A file of this project.
pub fn project(path: &str) -> String {
    format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// A bundled model.
pub fn model(name: &str) -> String {
    project(&format!("resources/models/{name}.toml"))
}

/// Names of all bundled models.
pub fn bundled() -> Vec<String> {
    let files = std::fs::read_dir(models()).expect("the bundled models");
    let mut names: Vec<String> = files
        .map(|entry| entry.expect("a bundled model").path())
        .filter(|path| path.extension().is_some_and(|e| e == "toml"))
        .map(|path| {
            path.file_stem()
                .expect("a name")
                .to_str()
                .expect("UTF-8")
                .to_owned()
        })
        .collect();
    names.sort();
    assert!(names.len() >= 7);
    names
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
