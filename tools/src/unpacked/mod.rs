//! The zip archive of an FMU: read, and unpacked into a temporary folder, ready to be loaded.

#[cfg(test)]
mod fuzz;
mod reader;

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};

use coulisse::fmu::description::TOOL;
use coulisse::fmu::{Interface, MODEL_FILE};
use coulisse::message::excerpt;
use coulisse::model::Model;

pub use reader::Archive;
use reader::Entry;

use crate::description::{self, Description, Variable};
use crate::files::Temporary;
use crate::{interrupt, library};

/// An FMU unpacked into a folder that lives as long as this value.
#[derive(Debug)]
pub struct Unpacked {
    pub description: Description,
    folder: Temporary,
}

impl Unpacked {
    /// Unpacks an FMU and reads its description.
    ///
    /// # Errors
    /// When the file is no co-simulation unit of FMI 2.0 or 3.0, or none that should be unpacked.
    pub fn open(path: &Path) -> Result<Unpacked> {
        Unpacked::of(path).with_context(|| path.display().to_string())
    }

    fn of(path: &Path) -> Result<Unpacked> {
        interrupt::watch();
        let archive = Archive::open(path)?;
        if let Some(refusal) = archive.refusals().next() {
            bail!("{refusal}");
        }
        let xml = archive
            .read(description::FILE, description::LARGEST)
            .context(description::FILE)?
            .with_context(|| format!("no {} in it", description::FILE))?;
        let xml = String::from_utf8(xml).context(description::FILE)?;
        let description = Description::read(&xml)?;
        let folder = Temporary::new()?;
        interrupt::remove_when_forced(folder.path());
        for entry in &archive.entries {
            interrupt::check()?;
            unpack(&archive, entry, folder.path())
                .with_context(|| format!("file `{}` cannot be unpacked", entry.shown()))?;
        }
        Ok(Unpacked { description, folder })
    }

    /// The folder `resources`.
    pub fn resources(&self) -> PathBuf {
        self.folder.path().join("resources")
    }

    /// Refuses an FMU of this command whose description names other variables than the model inside: numbers would have wrong names.
    ///
    /// # Errors
    /// The first variable that differs.
    pub fn check_names(&self) -> Result<()> {
        let file = self.resources().join(MODEL_FILE);
        if self.description.generation_tool != TOOL || !file.is_file() {
            return Ok(());
        }
        // What is wrong with the model, its library says.
        let Ok(model) = Model::load(&file).and_then(|model| model.check()) else {
            return Ok(());
        };
        let made = Interface::of(&model);
        let mut variables = self.description.variables.iter();
        let own = |v: &Variable| made.own(v.reference).is_some_and(|own| own.name == v.name);
        let array = |v: &Variable| {
            let inside = made.find(&v.name).and_then(|reference| made.get(reference));
            inside.is_some_and(|inside| inside.array_reference() == v.reference)
        };
        let as_made = |v: &Variable| match v.element {
            None => made.find(&v.name) == Some(v.reference) || own(v),
            Some(_) => array(v),
        };
        let Some(other) = variables.find(|v| !as_made(v)) else {
            return Ok(());
        };
        let inside = match made.get(other.reference) {
            Some(variable) => format!("`{}`", excerpt(&variable.name)),
            None => "no variable".to_owned(),
        };
        bail!(
            "{} names value reference {} `{}`, and the model inside has {inside} there; the description was altered: pack the model again, or see all \
             differences with `coulisse check`",
            description::FILE,
            other.reference,
            excerpt(&other.name)
        )
    }

    /// The file URI of the folder `resources`.
    ///
    /// # Errors
    /// When the temporary folder has no URI; not in practice.
    pub fn resource_location(&self) -> Result<String> {
        let folder = self.resources();
        let uri = url::Url::from_directory_path(&folder)
            .map_err(|()| anyhow!("{}: no file URI for this folder", folder.display()))?;
        Ok(uri.as_str().trim_end_matches('/').to_owned())
    }

    /// The path of the folder `resources` with a separator at its end, as FMI 3.0 has it.
    pub fn resource_path(&self) -> String {
        format!("{}{}", self.resources().display(), std::path::MAIN_SEPARATOR)
    }

    /// The library for this machine, whole.
    ///
    /// # Errors
    /// When the FMU holds none, or a part of one: what is missing at its end would end this process
    /// once it is touched.
    pub fn library(&self) -> Result<PathBuf> {
        // On ARM many tools still write into the folder that is for x86.
        let platforms: &[&str] = match (std::env::consts::OS, std::env::consts::ARCH) {
            ("linux", "x86_64") => &["linux64"],
            ("linux", "x86") => &["linux32"],
            ("linux", "aarch64") => &["aarch64-linux", "linux64"],
            ("windows", "x86_64") => &["win64"],
            ("windows", "x86") => &["win32"],
            ("windows", "aarch64") => &["aarch64-windows"],
            ("macos", "x86_64") => &["darwin64"],
            ("macos", "aarch64") => &["aarch64-darwin", "darwin64"],
            (os, arch) => bail!("no platform of FMI for {os} on {arch}"),
        };
        let standard = self.description.standard;
        let platforms = platforms.iter().map(|platform| standard.folder(platform));
        let name = format!("{}{}", self.description.model_identifier, std::env::consts::DLL_SUFFIX);
        let binaries = self.folder.path().join("binaries");
        let mut paths = platforms.clone().map(|platform| binaries.join(platform).join(&name));
        if let Some(path) = paths.find(|path| path.is_file()) {
            let shown =
                || path.strip_prefix(self.folder.path()).unwrap_or(&path).display().to_string();
            let file = File::open(&path).with_context(shown)?;
            library::examine(&object::ReadCache::new(file)).with_context(shown)?;
            return Ok(path);
        }
        let platform = platforms.clone().next().unwrap_or_default();
        let held: Vec<String> = std::fs::read_dir(&binaries)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        bail!(
            "the FMU has no library binaries/{platform}/{name} for this machine; it contains: {}",
            if held.is_empty() { "none".to_owned() } else { held.join(", ") }
        )
    }
}

/// Puts a file or folder of the archive into `folder`.
fn unpack(archive: &Archive, entry: &Entry, folder: &Path) -> Result<()> {
    // Tools on Windows have written such names.
    let path = folder.join(entry.name.replace('\\', "/"));
    if entry.is_folder() {
        return Ok(std::fs::create_dir_all(path)?);
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut file = File::create(&path)?;
    archive.unpack(entry, &mut file)?;
    // Programs in an FMU are there to be called.
    #[cfg(unix)]
    if entry.permissions & 0o100 != 0 {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(std::fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}
