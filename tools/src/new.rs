//! `coulisse new`: a model to begin with, with its schema beside it.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use coulisse::fmu::Blueprint;
use coulisse::model::Model;

use crate::{bundled, files, print, run, schema};

/// The model that one begins with; `NAME` stands for its name.
const START: &str = include_str!("start.toml");

/// What `coulisse new` is asked for.
#[derive(clap::Args)]
pub struct Request {
    /// Name of the model, with or without the ending; it is written into NAME.toml in the current folder.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// List the bundled models: names that every command takes in place of a model file, and what they show.
    #[arg(long, exclusive = true)]
    list: bool,
    /// Begin with a copy of this model file or bundled model, and of its data files.
    #[arg(long, value_name = "MODEL")]
    from: Option<PathBuf>,
}

/// Writes the model, its data files and the schema. Nothing is overwritten.
///
/// # Errors
/// When the name is none, a file is there already, or the model that is copied cannot be read.
pub fn perform(request: &Request) -> Result<()> {
    let Some(name) = &request.name else {
        return print(&bundled::list()?);
    };
    let name = name.strip_suffix(".toml").unwrap_or(name);
    let path = PathBuf::from(format!("{name}.toml"));
    let (text, data) = match &request.from {
        None => (START.replace("NAME", name), Vec::new()),
        Some(from) => {
            let model = run::model(from)?;
            let data = model.data_files();
            let data = data.map(|(file, bytes)| (PathBuf::from(file), bytes.to_vec()));
            let data = data.collect();
            (renamed(model.text(), name), data)
        }
    };
    let text = with_schema(&text);
    // The name is what a host, a file system and this checker take.
    let find = |file: &str| {
        let found = data.iter().find(|(name, _)| Path::new(file) == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| std::io::Error::other("not there"))
    };
    let model = Model::parse(&text, &path.display().to_string(), &find);
    let blueprint = model.and_then(Blueprint::of)?;
    if blueprint.checked().name != name {
        bail!("the model of --from does not state its name in a line like name = \"beam\"");
    }
    for file in [&path].into_iter().chain(data.iter().map(|(file, _)| file)) {
        if file.symlink_metadata().is_ok() {
            bail!("{}: is there already; allowed: another name or folder", file.display());
        }
    }
    for (file, bytes) in &data {
        if let Some(folder) = file.parent().filter(|f| *f != Path::new("")) {
            files::make_folder(folder)?;
        }
        files::write(file, bytes)?;
    }
    let schema = Path::new(schema::FILE);
    let mut said = format!("{}: check it with `coulisse check {}`", path.display(), path.display());
    if schema.symlink_metadata().is_err() {
        files::write(schema, schema::text()?.as_bytes())?;
    } else if files::read_text(schema)? != schema::text()? {
        said += &format!(
            "\n{0} is of another version and stays; `coulisse schema -o {0}` renews it",
            schema::FILE
        );
    }
    files::write(&path, text.as_bytes())?;
    print(&said)
}

/// The text with the schema named in its first line, as taplo and Even Better TOML want it.
fn with_schema(text: &str) -> String {
    let own = text.lines().filter(|line| !line.starts_with("#:schema"));
    let rest: Vec<&str> = own.collect();
    format!("#:schema ./{}\n{}\n", schema::FILE, rest.join("\n"))
}

/// The text with another name of the model, which is stated before the first section.
fn renamed(text: &str, name: &str) -> String {
    let is_name = |line: &&str| {
        let rest = line.trim_start().strip_prefix("name");
        rest.is_some_and(|rest| rest.trim_start().starts_with('='))
    };
    let mut before_sections = text.lines().take_while(|line| !line.starts_with('['));
    match before_sections.find(is_name) {
        Some(line) => text.replacen(line, &format!("name = \"{name}\""), 1),
        None => text.to_owned(),
    }
}
