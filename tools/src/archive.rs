//! The zip archive of an FMU: packing and unpacking.

use std::fs::File;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use coulisse::fmu::{Blueprint, MODEL_FILE};
use tempfile::{NamedTempFile, TempDir};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::description::Description;
use crate::documentation;
use crate::drawing;
use crate::library::Library;

/// Texts that go into every FMU, for the licences of what its library contains.
const LICENSES: [(&str, &str); 3] = [
    ("LICENSE-MIT", include_str!("../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")),
    (
        "third_party.txt",
        include_str!("../../resources/licenses/third_party.txt"),
    ),
];

/// The bytes of an FMU, with the date of generation where one is wanted. The same model, libraries
/// and date give the same bytes.
///
/// # Errors
/// When the description cannot be written; not in practice.
pub fn pack(blueprint: &Blueprint, libraries: &[Library], date: Option<&str>) -> Result<Vec<u8>> {
    let model = blueprint.model();
    let name = &blueprint.checked().name;
    let description = blueprint.description(date)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |path: String, bytes: &[u8]| -> Result<()> {
        // The time of packing is left out so that equal input gives equal bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        zip.start_file(path, options)?;
        zip.write_all(bytes)?;
        Ok(())
    };
    add("modelDescription.xml".to_owned(), description.as_bytes())?;
    for library in libraries {
        let (platform, ending) = (library.platform, library.ending);
        add(
            format!("binaries/{platform}/{name}{ending}"),
            &library.bytes,
        )?;
    }
    add(format!("resources/{MODEL_FILE}"), model.text().as_bytes())?;
    for (file, content) in model.data_files() {
        add(format!("resources/{file}"), content.as_bytes())?;
    }
    let page = documentation::page(blueprint)?;
    add("documentation/index.html".to_owned(), page.as_bytes())?;
    let picture = drawing::png(&drawing::draw(&blueprint.built()?.system))?;
    add("model.png".to_owned(), &picture)?;
    for (file, content) in LICENSES {
        add(format!("documentation/licenses/{file}"), content.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}

/// Refuses results that cannot be made, that would take the place of a file that is `read`, or of
/// each other; for before the work, so that a long run does not end in a folder that is not there.
///
/// # Errors
/// What is in the way.
pub fn may_write<'a>(results: impl IntoIterator<Item = &'a PathBuf>, read: &[&Path]) -> Result<()> {
    let mut taken = Vec::new();
    for path in results {
        let (shown, folder) = (path.display(), parent(path));
        if path.is_dir() {
            bail!("{shown}: a folder is in the way; allowed: a file");
        }
        if !folder.is_dir() {
            let folder = folder.display();
            bail!("{shown}: cannot be written: there is no folder {folder}");
        }
        let Some(place) = place(path) else { continue };
        if read
            .iter()
            .any(|file| self::place(file).as_ref() == Some(&place))
        {
            bail!("{shown}: is read here and would be lost; allowed: another file");
        }
        if taken.contains(&place) {
            bail!("{shown}: is to hold two results; allowed: a file for each");
        }
        taken.push(place);
    }
    Ok(())
}

/// The one name of a file that is there or can be made; devices and pipes have none, they take what
/// comes.
fn place(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(there) => there.is_file().then_some(there),
        Err(_) => Some(parent(path).canonicalize().ok()?.join(path.file_name()?)),
    }
}

/// Makes a folder for results, and those above it, where they are not there.
///
/// # Errors
/// What is in the way.
pub fn make_folder(path: &Path) -> Result<()> {
    let shown = path.display();
    if path.is_file() {
        bail!("{shown}: a file is in the way; allowed: a folder");
    }
    std::fs::create_dir_all(path).with_context(|| format!("{shown}: cannot be made"))
}

/// Writes a file whole or not at all. What is no file, as `/dev/stdout` or a pipe, takes the
/// bytes and stays what it is, and a link to a file stays a link.
///
/// # Errors
/// When the folder does not take it.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    let context = || format!("{}: cannot be written", path.display());
    // A file that takes the place of a device would be the device's end for the whole machine.
    if std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
        let mut device = File::options()
            .write(true)
            .open(path)
            .with_context(context)?;
        return device.write_all(bytes).with_context(context);
    }
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut file = NamedTempFile::new_in(parent(path)).with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    // A temporary file is for its owner alone; a result is for whom the folder is.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o644);
        file.as_file()
            .set_permissions(readable)
            .with_context(context)?;
    }
    file.persist(path).with_context(context)?;
    Ok(())
}

/// Refuses a folder that cannot be made or holds anything but files with these endings, which are
/// taken for those of an earlier run.
///
/// # Errors
/// What is in the way.
pub fn may_write_folder(path: &Path, endings: &[&str]) -> Result<()> {
    let shown = path.display();
    let folder = parent(path);
    if !folder.is_dir() {
        bail!("{shown}: there is no folder {}", folder.display());
    }
    if path.symlink_metadata().is_err() {
        return Ok(());
    }
    if !path.is_dir() {
        bail!("{shown}: a file is in the way; allowed: a folder");
    }
    let listed = std::fs::read_dir(path).with_context(|| format!("{shown}: cannot be read"))?;
    for entry in listed {
        let file = entry
            .with_context(|| format!("{shown}: cannot be read"))?
            .path();
        let ending = file
            .extension()
            .and_then(|e| e.to_str())
            .unwrap_or_default();
        if !file.is_file() || !endings.contains(&ending) {
            bail!(
                "{shown}: holds {}, which would be lost; allowed: a new folder, an empty one, or \
                 one with .{} files only",
                file.file_name().unwrap_or_default().display(),
                endings.join(" and .")
            );
        }
    }
    Ok(())
}

/// Writes a folder of files whole or not at all, in place of what [`may_write_folder`] allows.
///
/// # Errors
/// When something is in the way or the disk does not take it.
pub fn write_folder(
    path: &Path,
    endings: &[&str],
    files: impl Iterator<Item = (String, String)>,
) -> Result<()> {
    may_write_folder(path, endings)?;
    let context = || format!("{}: cannot be written", path.display());
    let new = TempDir::with_prefix_in(".coulisse-", parent(path)).with_context(context)?;
    for (name, content) in files {
        std::fs::write(new.path().join(name), content).with_context(context)?;
    }
    // A temporary folder is for its owner alone; a result is for whom the folder is.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(new.path(), readable).with_context(context)?;
    }
    if path.is_dir() {
        std::fs::remove_dir_all(path).with_context(context)?;
    }
    std::fs::rename(new.path(), path).with_context(context)?;
    // Moved away, there is nothing to delete any more.
    let _ = new.keep();
    Ok(())
}

/// The folder that a file or folder stands in.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// An FMU unpacked into a folder that lives as long as this value.
#[derive(Debug)]
pub struct Unpacked {
    pub description: Description,
    folder: TempDir,
}

impl Unpacked {
    /// Unpacks an FMU and reads its description.
    ///
    /// # Errors
    /// When the file is no FMI 2.0 co-simulation unit.
    pub fn open(path: &Path) -> Result<Unpacked> {
        let shown = path.display();
        let file = File::open(path).with_context(|| format!("{shown}: cannot be read"))?;
        let mut zip = ZipArchive::new(file)
            .with_context(|| format!("{shown}: not a zip archive, so not an FMU"))?;
        let folder = TempDir::with_prefix("coulisse-").context("no temporary folder")?;
        zip.extract(folder.path())
            .with_context(|| format!("{shown}: cannot be unpacked"))?;
        let xml = std::fs::read_to_string(folder.path().join("modelDescription.xml"))
            .with_context(|| format!("{shown}: no modelDescription.xml in it"))?;
        let description = Description::read(&xml).with_context(|| format!("{shown}"))?;
        Ok(Unpacked {
            description,
            folder,
        })
    }

    /// The folder `resources`.
    pub fn resources(&self) -> PathBuf {
        self.folder.path().join("resources")
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

    /// The library for this machine.
    ///
    /// # Errors
    /// When the FMU holds none.
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
            (os, arch) => bail!("no FMI 2.0 platform for {os} on {arch}"),
        };
        let name = format!(
            "{}{}",
            self.description.model_identifier,
            std::env::consts::DLL_SUFFIX
        );
        let binaries = self.folder.path().join("binaries");
        let mut paths = (platforms.iter()).map(|platform| binaries.join(platform).join(&name));
        if let Some(path) = paths.find(|path| path.is_file()) {
            return Ok(path);
        }
        let platform = platforms[0];
        let held: Vec<String> = std::fs::read_dir(&binaries)
            .into_iter()
            .flatten()
            .filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()))
            .collect();
        bail!(
            "the FMU has no library binaries/{platform}/{name} for this machine; it holds: {}",
            if held.is_empty() {
                "none".to_owned()
            } else {
                held.join(", ")
            }
        )
    }
}
