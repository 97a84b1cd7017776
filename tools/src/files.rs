//! Files of users: regular ones are read up to a limit; results are written whole or not at all, where nothing is lost.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail};
use coulisse::model::{LARGEST_DATA, read_file};
use tempfile::{Builder, TempDir};

/// What the names of temporary files and folders beside results begin with.
const UNFINISHED: &str = ".coulisse-";
/// What the names of folders for unpacked FMUs begin with, in the system's folder of temporary files.
const UNPACKED: &str = "coulisse-fmu-";
/// Age up to which what is not locked may be about to be, s.
const FRESH: Duration = Duration::from_secs(60);

/// A folder of a process, which goes with it; what a killed one left goes with the next.
#[derive(Debug)]
pub struct Temporary {
    folder: TempDir,
    /// Says to others that the folder is in use.
    _lock: Option<File>,
}

impl Temporary {
    /// An empty folder among the temporary files of the system.
    ///
    /// # Errors
    /// When there is no place for it.
    pub fn new() -> Result<Temporary> {
        let place = std::env::temp_dir();
        remove_left_over(&place, UNPACKED);
        let folder = Builder::new().prefix(UNPACKED).tempdir_in(place);
        let folder = folder.context("no temporary folder")?;
        Ok(Temporary { _lock: locked(folder.path()), folder })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// Locks a file or folder until its owner ends, however it does; where the system locks no folders, nothing.
fn locked(path: &Path) -> Option<File> {
    let file = File::open(path).ok()?;
    file.try_lock().ok()?;
    Some(file)
}

/// Removes files and folders that killed processes have left in `folder`: those whose names begin with `prefix` that
/// nobody has locked.
fn remove_left_over(folder: &Path, prefix: &str) {
    let left = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in left.filter(|entry| entry.file_name().to_string_lossy().starts_with(prefix)) {
        let path = entry.path();
        let Ok(there) = path.symlink_metadata() else {
            continue;
        };
        let age = there.modified().ok().and_then(|time| time.elapsed().ok());
        if age.is_none_or(|age| age < FRESH) || !(there.is_dir() || there.is_file()) {
            continue;
        }
        if locked(&path).is_some() {
            // What cannot be removed belongs to somebody else.
            let _ = match there.is_dir() {
                true => std::fs::remove_dir_all(&path),
                false => std::fs::remove_file(&path),
            };
        }
    }
}

/// The text of a table, a record or a list: a regular file of at most [`LARGEST_DATA`] bytes.
///
/// # Errors
/// When it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let shown = path.display();
    let bytes = read_file(path, LARGEST_DATA);
    let bytes = bytes.map_err(|error| anyhow!("{shown}: cannot be read: {error}"))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = good.iter().filter(|&&b| b == b'\n').count() + 1;
        anyhow!("{shown}:{line}: not UTF-8; save the file as text in UTF-8")
    })
}

/// Refuses results that cannot be made, that would take the place of a file that is `read`, of a model, or of
/// each other; for before the work, so that a long run does not end in a folder that is not there.
///
/// # Errors
/// What is in the way.
pub fn may_write<'a>(results: impl IntoIterator<Item = &'a PathBuf>, read: &[&Path]) -> Result<()> {
    let results: Vec<&PathBuf> = results.into_iter().collect();
    may_make(results.iter().copied(), read)?;
    let is_model = |path: &&&PathBuf| {
        let ending = path.extension();
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) && place(path).is_some()
    };
    match results.iter().find(is_model) {
        Some(path) => {
            bail!("{}: has the ending of a model file; allowed: another one", path.display())
        }
        None => Ok(()),
    }
}

/// Refuses what [`may_write`] refuses, but for files that are named like models, where a model is the result.
///
/// # Errors
/// What is in the way.
pub fn may_make<'a>(results: impl IntoIterator<Item = &'a PathBuf>, read: &[&Path]) -> Result<()> {
    let mut taken = Vec::new();
    for path in results {
        let (shown, folder) = (path.display(), parent(path));
        if path.is_dir() {
            bail!("{shown}: a folder of this name exists; allowed: a file");
        }
        if std::fs::metadata(path).is_ok_and(|there| there.permissions().readonly()) {
            bail!("{shown}: is write-protected; allowed: another file");
        }
        if !folder.is_dir() {
            let folder = folder.display();
            bail!("{shown}: cannot be written: there is no folder {folder}");
        }
        let Some(place) = place(path) else { continue };
        if read.iter().any(|file| self::place(file).as_ref() == Some(&place)) {
            bail!("{shown}: is read here and would be lost; allowed: another file");
        }
        if taken.contains(&place) {
            bail!("{shown}: is named for two results; allowed: a file for each");
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
        bail!("{shown}: a file of this name exists; allowed: a folder");
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
        let mut device = File::options().write(true).open(path).with_context(context)?;
        return device.write_all(bytes).with_context(context);
    }
    let path = &path.canonicalize().unwrap_or_else(|_| path.to_owned());
    remove_left_over(parent(path), UNFINISHED);
    let mut file = temporary(false).tempfile_in(parent(path)).with_context(context)?;
    // Some file systems have no locks.
    let _ = file.as_file().try_lock();
    file.write_all(bytes).with_context(context)?;
    if let Ok(there) = std::fs::metadata(path) {
        file.as_file().set_permissions(there.permissions()).with_context(context)?;
    }
    // A name that is on the disk before the content would be an empty file after a power failure.
    file.as_file().sync_all().with_context(context)?;
    file.persist(path).with_context(context)?;
    Ok(())
}

/// A temporary file or folder with the permissions of one that anybody makes: what the umask leaves.
fn temporary(folder: bool) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(UNFINISHED);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = if folder { 0o777 } else { 0o666 };
        builder.permissions(std::fs::Permissions::from_mode(mode));
    }
    // Elsewhere folders and files get what their parent has.
    #[cfg(not(unix))]
    let _ = folder;
    builder
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
        bail!("{shown}: a file of this name exists; allowed: a folder");
    }
    let listed = std::fs::read_dir(path).with_context(|| format!("{shown}: cannot be read"))?;
    for entry in listed {
        let file = entry.with_context(|| format!("{shown}: cannot be read"))?.path();
        let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default();
        if !file.is_file() || !endings.contains(&ending) {
            bail!(
                "{shown}: contains {}, which would be lost; allowed: a new folder, an empty one, or \
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
    path: &Path, endings: &[&str], files: impl Iterator<Item = (String, String)>,
) -> Result<()> {
    may_write_folder(path, endings)?;
    let context = || format!("{}: cannot be written", path.display());
    remove_left_over(parent(path), UNFINISHED);
    let new = temporary(true).tempdir_in(parent(path)).with_context(context)?;
    let lock = locked(new.path());
    for (name, content) in files {
        let mut file = File::create(new.path().join(name)).with_context(context)?;
        file.write_all(content.as_bytes()).with_context(context)?;
        file.sync_all().with_context(context)?;
    }
    if let Ok(there) = std::fs::metadata(path) {
        std::fs::set_permissions(new.path(), there.permissions()).with_context(context)?;
    }
    if path.is_dir() {
        std::fs::remove_dir_all(path).with_context(context)?;
    }
    std::fs::rename(new.path(), path).with_context(context)?;
    drop(lock);
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
