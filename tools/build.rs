//! Compiles what Rust cannot write, a function that takes a variable number of arguments, and lists the bundled models.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let logger = "src/loaded/logger.c";
    println!("cargo::rerun-if-changed={logger}");
    // A browser loads no FMU.
    if env::var_os("CARGO_CFG_TARGET_FAMILY").is_none_or(|family| family != "wasm") {
        cc::Build::new().file(logger).warnings_into_errors(true).compile("coulisse_host_logger");
    }
    list_models()
}

/// Writes the array of all files in `resources/models`, each with its path inside and its bytes, for `src/bundled.rs`.
fn list_models() -> io::Result<()> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/models").canonicalize()?;
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut list = String::new();
    for file in files {
        let inside = file.strip_prefix(&folder).map_err(io::Error::other)?;
        let inside = inside.to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "({inside:?}, include_bytes!({file:?}).as_slice()),");
    }
    let output = env::var_os("OUT_DIR").map(PathBuf::from).unwrap_or_default();
    fs::write(output.join("bundled.rs"), format!("[\n{list}]\n"))
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}
