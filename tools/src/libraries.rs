//! Which libraries go into an FMU: that of this build, those installed with the command, or files that a user names.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use coulisse::model::read_file;

use crate::archive::Standard;
use crate::library::{Library, WASM, platform_names};

/// Largest library that is put into an FMU, bytes: some twenty times the own one.
const LARGEST_LIBRARY: u64 = 256 << 20;

/// Reads a library, or those of a universal file, and finds out what platforms they are for.
///
/// # Errors
/// When the file is no shared library of coulisse.
fn read(path: &Path) -> Result<Vec<Library>> {
    let bytes = read_file(path, LARGEST_LIBRARY).context("cannot be read");
    bytes.and_then(Library::all).with_context(|| path.display().to_string())
}

/// The library that was built together with this command, which carries it.
///
/// # Errors
/// When this command was built for a platform without shared libraries.
fn of_this_build() -> Result<Library> {
    let embedded: Option<&[u8]> = coulisse_embed::library!();
    let bytes = embedded
        .context("this command was built without the library; name one with --library FILE")?;
    Library::of(bytes.to_vec()).context("the library inside this command")
}

/// Libraries that are installed with the command or were built beside it: files in
/// `share/coulisse/libraries`, beside the folder that it stands in.
fn installed() -> Result<Vec<PathBuf>> {
    let command = std::env::current_exe().and_then(|path| path.canonicalize());
    let root = command.ok().and_then(|c| Some(c.parent()?.parent()?.to_owned()));
    let folder = root.map(|root| root.join("share/coulisse/libraries"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        return Ok(Vec::new());
    };
    let shown = || format!("{}: cannot be read", folder.display());
    let files = std::fs::read_dir(&folder).with_context(shown)?;
    let files = files.map(|file| Ok(file?.path()));
    let mut files = files.collect::<std::io::Result<Vec<PathBuf>>>().with_context(shown)?;
    // The order of a folder is nobody's; equal input gives equal bytes.
    files.sort();
    Ok(files)
}

/// The libraries in files, each with its file.
fn files(paths: &[PathBuf]) -> Result<Vec<(&Path, Library)>> {
    let mut libraries = Vec::new();
    for path in paths {
        libraries.extend(read(path)?.into_iter().map(|library| (path.as_path(), library)));
    }
    Ok(libraries)
}

/// The given libraries, one for each platform.
fn given(paths: &[PathBuf]) -> Result<Vec<Library>> {
    let mut libraries: Vec<Library> = Vec::new();
    for (path, library) in files(paths)? {
        if libraries.iter().any(|l| l.platform == library.platform) {
            bail!(
                "{}: a second library for {}; allowed: one for each platform",
                path.display(),
                library.platform
            );
        }
        libraries.push(library);
    }
    Ok(libraries)
}

/// The standard of an FMU and which libraries it is to carry, as the command line has it.
#[derive(clap::Args)]
pub struct Choice {
    /// Standard of the FMU: FMI 2.0, which all hosts import, or FMI 3.0, whose hosts can learn of events as they happen.
    #[arg(long, value_name = "VERSION", default_value = "2")]
    pub fmi: Standard,
    /// Library to pack into an FMU instead of that of this build and those known to it; once for each platform.
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Pack only the library of this build: for machines like the one that built this command.
    #[arg(long, conflicts_with = "library")]
    native: bool,
    /// Pack only the libraries for these platforms, by their names in FMI 2.0, as linux64,win64; all that are known unless given, but
    /// wasm32-wasip2, a component of WebAssembly in FMI 3.0 (FMI-LS-WASM, a draft).
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = platform_names(), conflicts_with_all = ["library", "native"])]
    platforms: Vec<String>,
}

impl Choice {
    /// Reads the libraries.
    ///
    /// # Errors
    /// As [`Libraries::of`].
    pub fn read(&self) -> Result<Libraries> {
        let libraries = Libraries::of(&match self.native {
            true => Wanted::Native,
            false if !self.library.is_empty() => Wanted::Files(self.library.clone()),
            false if !self.platforms.is_empty() => Wanted::Platforms(self.platforms.clone()),
            false => Wanted::Portable,
        })?;
        if self.fmi == Standard::Fmi2 && libraries.inside.iter().any(Library::is_component) {
            bail!("{} is a platform of FMI 3.0; add --fmi 3", WASM.0);
        }
        Ok(libraries)
    }
}

/// Which libraries an FMU is to carry.
pub enum Wanted {
    /// For other machines: that of this build and those that are known to it, for each platform the one that runs on
    /// the oldest systems.
    Portable,
    /// Of those, these platforms alone.
    Platforms(Vec<String>),
    /// For machines like that which built this command: its own, whatever glibc that wants.
    Native,
    /// These files, one for each platform.
    Files(Vec<PathBuf>),
}

/// The libraries of an FMU, and what is to be said of them.
pub struct Libraries {
    pub inside: Vec<Library>,
    notes: Vec<String>,
}

/// The newest glibc that goes without a note: that of 2012.
const PORTABLE: [u32; 2] = [2, 17];

impl Libraries {
    /// Reads those that are wanted.
    ///
    /// # Errors
    /// When one cannot be used, or two files are for the same platform.
    pub fn of(wanted: &Wanted) -> Result<Libraries> {
        let inside = match wanted {
            Wanted::Portable => return Ok(Libraries::known()?.native().portable()),
            Wanted::Platforms(names) => return Ok(Libraries::known()?.only(names)?.portable()),
            Wanted::Native => vec![of_this_build()?],
            Wanted::Files(paths) => given(paths)?,
        };
        let notes = Vec::new();
        Ok(Libraries { inside, notes })
    }

    /// That of this build and those that are known to it, for each platform the one that wants the oldest glibc.
    fn known() -> Result<Libraries> {
        let mut notes = Vec::new();
        let mut inside = vec![of_this_build()?];
        for (path, library) in files(&installed()?)? {
            if !library.is_of_these_sources() {
                notes.push(format!(
                    "left out: {} is of other sources than this command; build it again",
                    path.display()
                ));
                continue;
            }
            match inside.iter_mut().find(|l| l.platform == library.platform) {
                Some(known) if library.newest_glibc() < known.newest_glibc() => *known = library,
                Some(_) => {}
                None => inside.push(library),
            }
        }
        inside.sort_by_key(Library::rank);
        Ok(Libraries { inside, notes })
    }

    /// Those that systems load: a component is packed by choice.
    fn native(mut self) -> Libraries {
        self.inside.retain(|library| !library.is_component());
        self
    }

    /// Those for these platforms.
    fn only(mut self, names: &[String]) -> Result<Libraries> {
        let missing = names.iter().find(|name| !self.inside.iter().any(|l| l.platform == **name));
        if let Some(missing) = missing {
            let known: Vec<&str> = self.inside.iter().map(|library| library.platform).collect();
            bail!(
                "--platforms: no library for {missing} is known; there are: {}; `{}` in the sources builds one{}",
                known.join(", "),
                match missing.as_str() == WASM.0 {
                    true => "tools/component/build".to_owned(),
                    false => format!("tools/portable-library {missing}"),
                },
                self.noted()
            );
        }
        self.inside.retain(|library| names.iter().any(|name| name == library.platform));
        Ok(self)
    }

    /// These, with a note where one needs a system that others may not have.
    fn portable(mut self) -> Libraries {
        let newest = self.inside.iter().filter_map(Library::newest_glibc);
        if let Some([major, minor]) = newest.filter(|glibc| *glibc > PORTABLE).max() {
            self.notes.push(format!(
                "on Linux it needs glibc {major}.{minor} or newer, as the machine that built this command has; tools/portable-library builds a \
                 library for {}.{} (2012), which pack then finds by itself",
                PORTABLE[0], PORTABLE[1]
            ));
        }
        self
    }

    /// Which are inside, and what was not put in.
    pub fn words(&self) -> String {
        let inside: Vec<String> = self.inside.iter().map(Library::label).collect();
        inside.join(", ") + &self.noted()
    }

    fn noted(&self) -> String {
        self.notes.iter().map(|note| format!("\n{note}")).collect()
    }
}
