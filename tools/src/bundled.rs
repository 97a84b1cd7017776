//! The bundled models, which lie in the command with their data files and have names in place of paths.

use std::io;
use std::path::{Path, PathBuf};

use coulisse::message::{did_you_mean, excerpt, suggestion};
use coulisse::model::fault::Kind;
use coulisse::model::{Fault, Faults, Model};

/// All files of `resources/models`: path inside that folder, and bytes.
const FILES: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// Names of the bundled models, in the order of the alphabet.
pub fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().filter_map(|(file, _)| file.strip_suffix(".toml"))
}

/// Reads the model file at `path` or, where there is none and `path` is the name of a bundled model, that model.
///
/// # Errors
/// When it cannot be read; a missing file with the bundled names that are like it.
pub fn read(path: &Path) -> Result<Model, Faults> {
    if path.is_file() || !is_missing(path) {
        return Model::load(path);
    }
    let shown = path.display().to_string();
    let of_name = names().find(|name| *name == shown);
    let Some(name) = of_name else {
        return Model::load(path).map_err(|faults| with_names(faults, path));
    };
    let own = format!("{name}.toml");
    match Path::new(&own).is_file() {
        true => Err(fault(
            &shown,
            format!(
                "is the name of a bundled model, and {own} is a file here; allowed: {own}, or another folder"
            ),
        )),
        false => model(name),
    }
}

/// Whether nothing can be read at `path` because there is no file of this name; a folder is none.
fn is_missing(path: &Path) -> bool {
    match path.metadata() {
        Ok(there) => there.is_dir(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// The bundled model of a name.
///
/// # Errors
/// When there is none.
pub fn model(name: &str) -> Result<Model, Faults> {
    let file = format!("{name}.toml");
    let text = content(&file).ok().and_then(|bytes| std::str::from_utf8(bytes).ok());
    match text {
        Some(text) => Model::parse(text, &file, &content),
        None => Err(fault(name, "no bundled model".to_owned())),
    }
}

fn content(file: &str) -> io::Result<&'static [u8]> {
    let found = FILES.iter().find(|(name, _)| *name == file);
    found.map(|(_, bytes)| *bytes).ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn fault(file: &str, message: String) -> Faults {
    Faults { list: vec![Fault::of_file(file, message, Kind::Content)], text: String::new() }
}

/// The faults of a file that is not there, with the model file beside it or the bundled name that may be meant.
fn with_names(mut faults: Faults, path: &Path) -> Faults {
    let stem = stem(path);
    if let Some(file) = beside(path, &stem) {
        for fault in &mut faults.list {
            fault.message += &format!("; did you mean `{}`?", file.display());
        }
        return faults;
    }
    let meant = match names().any(|name| name == stem) {
        true => format!("; did you mean the bundled model `{stem}`, without folder and ending?"),
        false => match did_you_mean(&excerpt(&stem), names()) {
            none if none.is_empty() => String::new(),
            some => some.replacen("did you mean", "did you mean the bundled model", 1),
        },
    };
    for fault in &mut faults.list {
        fault.message += &meant;
        fault.message += "; `coulisse new --list` lists the bundled models";
    }
    faults
}

/// The model file in the folder of `path` whose name without its ending is like `stem`.
fn beside(path: &Path, stem: &str) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let files = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    let models = files.filter(|file| file.extension().is_some_and(|ending| ending == "toml"));
    let stems: Vec<String> = models.map(|file| self::stem(&file)).collect();
    let meant = suggestion(stem, stems.iter().map(String::as_str))?;
    Some(path.with_file_name(format!("{meant}.toml")))
}

fn stem(path: &Path) -> String {
    path.file_stem().map_or(String::new(), |stem| stem.to_string_lossy().into_owned())
}

/// The bundled models with what each shows, line by line.
///
/// # Errors
/// The faults of a bundled model; not in practice.
pub fn list() -> Result<String, Faults> {
    let width = names().map(str::len).max().unwrap_or(0);
    let line = |name| Ok(format!("{name:<width$}  {}\n", model(name)?.check()?.description));
    names().map(line).collect()
}
