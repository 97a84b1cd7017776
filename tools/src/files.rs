//! Results on disk: whole or not at all, where nothing is lost.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use tempfile::Builder;

/// Refuses results that cannot be made, that would take the place of a file that is `read`, of a model, or of
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
        if std::fs::metadata(path).is_ok_and(|there| there.permissions().readonly()) {
            bail!("{shown}: is write-protected; allowed: another file");
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
        let ending = path.extension();
        if ending.is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
            bail!("{shown}: has the ending of a model file; allowed: another one");
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
    let mut file = temporary(false)
        .tempfile_in(parent(path))
        .with_context(context)?;
    file.write_all(bytes).with_context(context)?;
    if let Ok(there) = std::fs::metadata(path) {
        file.as_file()
            .set_permissions(there.permissions())
            .with_context(context)?;
    }
    // A name that is on the disk before the content would be an empty file after a power failure.
    file.as_file().sync_all().with_context(context)?;
    file.persist(path).with_context(context)?;
    Ok(())
}

/// A temporary file or folder with the permissions of one that anybody makes: what the umask leaves.
fn temporary(folder: bool) -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(".coulisse-");
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
    let new = temporary(true)
        .tempdir_in(parent(path))
        .with_context(context)?;
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
