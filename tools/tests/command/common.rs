//! The command as a process of its own, what it is given and where it writes.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Arc, Mutex, OnceLock};

/// Keeps a call that has run in the file that `COULISSE_CALLS` names, from which tests/hosts/test_command_line.py learns what
/// has run: a line with a tab between arguments.
pub fn keep_call(arguments: &[&str]) {
    if let Some(calls) = std::env::var_os("COULISSE_CALLS") {
        let file = OpenOptions::new().create(true).append(true).open(calls);
        let line = arguments.join("\t").replace('\n', " ") + "\n";
        // One write, so that lines of tests that run at the same time do not mix.
        file.and_then(|mut file| file.write_all(line.as_bytes())).expect("the list of calls");
    }
}

/// Runs the command in a folder.
pub fn call_in(folder: &Path, arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_coulisse"))
        .current_dir(folder)
        .args(arguments)
        .output()
        .expect("the command starts");
    keep_call(arguments);
    output
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

/// A folder of one test's own, which goes with it; that of a test that fails stays, to be looked at.
pub struct Folder(PathBuf);

impl std::ops::Deref for Folder {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for Folder {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// An empty folder of one test's own: all tests run at the same time, so that each name is given once.
pub fn folder(name: &str) -> Folder {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    Folder(folder)
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
        .map(|path| path.file_stem().expect("a name").to_str().expect("UTF-8").to_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 7);
    names
}

/// The FMU that the command packs of a bundled model, once for all tests that read it.
pub fn packed(name: &str) -> Vec<u8> {
    static PACKED: Mutex<BTreeMap<String, Arc<OnceLock<Vec<u8>>>>> = Mutex::new(BTreeMap::new());
    let place = Arc::clone(PACKED.lock().expect("a map").entry(name.into()).or_default());
    let pack = || {
        let folder = folder(&format!("packed_{name}"));
        let path = folder.join("packed.fmu");
        ok(&["pack", "--native", &model(name), "-o", text(&path)]);
        std::fs::read(path).expect("an FMU")
    };
    place.get_or_init(pack).clone()
}

pub fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}
