//! The native library that every FMU carries.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use object::{Architecture, BinaryFormat, Object};

/// A library with the platform that it was built for.
#[derive(Debug)]
pub struct Library {
    /// Folder below `binaries` in an FMU.
    pub platform: &'static str,
    /// File ending with its dot.
    pub ending: &'static str,
    pub bytes: Vec<u8>,
}

/// A platform folder with the ending of its libraries. FMI 2.0 has names of its own for x86, and for
/// all others since 2.0.4 those of FMI 3.0.
pub type Platform = (&'static str, &'static str);

const LINUX64: Platform = ("linux64", ".so");
const LINUX32: Platform = ("linux32", ".so");
const WIN64: Platform = ("win64", ".dll");
const WIN32: Platform = ("win32", ".dll");
const DARWIN64: Platform = ("darwin64", ".dylib");
const LINUX_ARM: Platform = ("aarch64-linux", ".so");
const WINDOWS_ARM: Platform = ("aarch64-windows", ".dll");
const DARWIN_ARM: Platform = ("aarch64-darwin", ".dylib");
/// All of them.
pub const PLATFORMS: [Platform; 8] = [
    LINUX64,
    LINUX32,
    LINUX_ARM,
    WIN64,
    WIN32,
    WINDOWS_ARM,
    DARWIN64,
    DARWIN_ARM,
];

/// The platform that a library is for.
pub fn platform(file: &object::File<'_>) -> Option<Platform> {
    match (file.format(), file.architecture()) {
        (BinaryFormat::Elf, Architecture::I386) => Some(LINUX32),
        (BinaryFormat::Elf, Architecture::X86_64) => Some(LINUX64),
        (BinaryFormat::Elf, Architecture::Aarch64) => Some(LINUX_ARM),
        (BinaryFormat::Pe | BinaryFormat::Coff, Architecture::X86_64) => Some(WIN64),
        (BinaryFormat::Pe | BinaryFormat::Coff, Architecture::I386) => Some(WIN32),
        (BinaryFormat::Pe | BinaryFormat::Coff, Architecture::Aarch64) => Some(WINDOWS_ARM),
        (BinaryFormat::MachO, Architecture::X86_64) => Some(DARWIN64),
        (BinaryFormat::MachO, Architecture::Aarch64) => Some(DARWIN_ARM),
        _ => None,
    }
}

impl Library {
    /// Reads a library and finds out what platform it is for.
    ///
    /// # Errors
    /// When the file is no shared library of coulisse.
    pub fn read(path: &Path) -> Result<Library> {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("{shown}: cannot be read"))?;
        let file = object::File::parse(bytes.as_slice()).with_context(|| {
            format!("{shown}: not a shared library; allowed: a build of coulisse's library")
        })?;
        let Some((platform, ending)) = platform(&file) else {
            bail!(
                "{shown}: a library for {:?} in format {:?}; allowed: \
                 Linux, Windows or macOS on x86 or ARM",
                file.architecture(),
                file.format()
            )
        };
        let exports = file
            .exports()
            .with_context(|| format!("{shown}: its table of exported functions is damaged"))?;
        let needed: &[u8] = b"fmi2DoStep";
        if !exports.iter().any(|e| e.name() == needed) {
            bail!(
                "{shown}: exports no fmi2DoStep, so it is not coulisse's library; \
                 `cargo build --release` makes it"
            );
        }
        Ok(Library {
            platform,
            ending,
            bytes,
        })
    }

    /// The library that was built together with this command.
    ///
    /// # Errors
    /// When there is none beside it.
    pub fn of_this_build() -> Result<Library> {
        let command = std::env::current_exe().context("cannot find the running command")?;
        let name = format!(
            "{}coulisse{}",
            std::env::consts::DLL_PREFIX,
            std::env::consts::DLL_SUFFIX
        );
        let beside = command.parent().unwrap_or(Path::new("."));
        // Cargo leaves the library of a dependency in `deps`, that of the workspace beside the
        // command; an installation has it in `lib`. A build renews only what it was asked for.
        let places = [
            beside.join(&name),
            beside.join("deps").join(&name),
            beside.join("..").join(&name),
            beside.join("..").join("lib").join(&name),
        ];
        let newest = places
            .iter()
            .filter_map(|p| Some((std::fs::metadata(p).ok()?.modified().ok()?, p)))
            .max();
        match newest {
            Some((_, path)) => Library::read(path),
            None => bail!(
                "the library {name} is not beside the command in {}; build both with \
                 `cargo build --release --workspace`, or name it with --library",
                beside.display()
            ),
        }
    }

    /// The given libraries, or that of this build where none is given.
    ///
    /// # Errors
    /// When one cannot be used, or two are for the same platform.
    pub fn all(paths: &[PathBuf]) -> Result<Vec<Library>> {
        if paths.is_empty() {
            return Ok(vec![Library::of_this_build()?]);
        }
        let mut libraries: Vec<Library> = Vec::new();
        for path in paths {
            let library = Library::read(path)?;
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
}
