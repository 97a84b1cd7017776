//! The native library that every FMU carries.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use coulisse::model::read_file;
use object::read::{Object, ObjectSection, ObjectSegment, ReadRef};
use object::{Architecture, BinaryFormat};

/// Largest library that is put into an FMU, bytes: some twenty times the own one.
const LARGEST_LIBRARY: u64 = 256 << 20;

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
pub const PLATFORMS: [Platform; 8] =
    [LINUX64, LINUX32, LINUX_ARM, WIN64, WIN32, WINDOWS_ARM, DARWIN64, DARWIN_ARM];

/// The platform that a library is for.
pub fn platform<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Option<Platform> {
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

/// Reads the headers of a shared library and holds them against its length. The loader of the system
/// does not: what a truncated file lacks, the process dies of once it touches it.
///
/// # Errors
/// When the file is no library, or a part of it is missing.
pub fn examine<'d, R: ReadRef<'d>>(data: R) -> Result<object::File<'d, R>> {
    let file = object::File::parse(data)
        .map_err(|error| anyhow!("no shared library, or not a whole one: {error}"))?;
    let length = data.len().map_err(|()| anyhow!("cannot be read"))?;
    let segments = file.segments().map(|segment| segment.file_range());
    let sections = file.sections().filter_map(|section| section.file_range());
    let ends = segments.chain(sections).filter(|(_, size)| *size > 0);
    let end = ends.map(|(start, size)| start.saturating_add(size)).max();
    if let Some(end) = end.filter(|end| *end > length) {
        bail!("a truncated library: of {length} bytes, its headers state {end}");
    }
    Ok(file)
}

impl Library {
    /// Reads a library and finds out what platform it is for.
    ///
    /// # Errors
    /// When the file is no shared library of coulisse.
    pub fn read(path: &Path) -> Result<Library> {
        let bytes = read_file(path, LARGEST_LIBRARY).context("cannot be read");
        bytes.and_then(Library::of).with_context(|| path.display().to_string())
    }

    fn of(bytes: Vec<u8>) -> Result<Library> {
        let file = examine(bytes.as_slice())?;
        let Some((platform, ending)) = platform(&file) else {
            bail!(
                "a library for {:?} in format {:?}; allowed: Linux, Windows or macOS on x86 or ARM",
                file.architecture(),
                file.format()
            )
        };
        let exports = file.exports().context("its table of exported functions is damaged")?;
        let needed: &[u8] = b"fmi2DoStep";
        // Names of Mach-O libraries begin with an underscore.
        if !(exports.iter()).any(|e| e.name().strip_prefix(b"_").unwrap_or(e.name()) == needed) {
            bail!(
                "exports no fmi2DoStep, so it is not coulisse's library; `cargo build --release` \
                 makes it"
            );
        }
        Ok(Library { platform, ending, bytes })
    }

    /// The platform and, on Linux, the newest glibc whose functions the library wants.
    pub fn label(&self) -> String {
        match self.newest_glibc() {
            Some([major, minor]) => format!("{} (glibc {major}.{minor} or newer)", self.platform),
            None => self.platform.to_owned(),
        }
    }

    fn newest_glibc(&self) -> Option<[u32; 2]> {
        let file = object::File::parse(self.bytes.as_slice()).ok()?;
        let names = file.section_by_name(".dynstr")?.data().ok()?;
        let versions = names.split(|byte| *byte == 0).filter_map(|name| {
            let version = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?;
            let mut parts = version.split('.').map(str::parse);
            Some([parts.next()?.ok()?, parts.next()?.ok()?])
        });
        versions.max()
    }

    /// The library that was built together with this command, which carries it.
    ///
    /// # Errors
    /// When this command was built for a platform without shared libraries.
    pub fn of_this_build() -> Result<Library> {
        let embedded: Option<&[u8]> = coulisse_embed::library!();
        let bytes = embedded
            .context("this command was built without the library; name one with --library FILE")?;
        Library::of(bytes.to_vec()).context("the library inside this command")
    }

    /// Whether this library was built from the sources of this command.
    fn is_of_these_sources(&self) -> bool {
        let mark = coulisse::abi::SOURCES.as_bytes();
        self.bytes.windows(mark.len()).any(|window| window == mark)
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
        // What tools put there before it gets its name is none yet.
        files.retain(|file| file.extension().is_none_or(|ending| ending != "new"));
        Ok(files)
    }

    /// The given libraries, one for each platform.
    fn given(paths: &[PathBuf]) -> Result<Vec<Library>> {
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

/// Which libraries an FMU is to carry, as the command line has it.
#[derive(clap::Args)]
pub struct Choice {
    /// Library to pack into an FMU instead of that of this build and those known to it; once for each platform.
    #[arg(long, value_name = "FILE")]
    library: Vec<PathBuf>,
    /// Pack only the library of this build, whatever glibc it needs: for machines like the one that built this command.
    #[arg(long, conflicts_with = "library")]
    native: bool,
}

impl Choice {
    /// Reads the libraries.
    ///
    /// # Errors
    /// As [`Libraries::of`].
    pub fn read(&self) -> Result<Libraries> {
        Libraries::of(&match self.native {
            true => Wanted::Native,
            false if self.library.is_empty() => Wanted::Portable,
            false => Wanted::Files(self.library.clone()),
        })
    }
}

/// Which libraries an FMU is to carry.
pub enum Wanted {
    /// For other machines: that of this build and those that are known to it, for each platform the one that runs on
    /// the oldest systems, none of which wants a glibc that these do not have.
    Portable,
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

/// The newest glibc that an FMU asks for unless that is wanted: that of 2012.
const PORTABLE: [u32; 2] = [2, 17];

impl Libraries {
    /// Reads those that are wanted.
    ///
    /// # Errors
    /// When one cannot be used, two files are for the same platform, or none is known that other machines can use.
    pub fn of(wanted: &Wanted) -> Result<Libraries> {
        let inside = match wanted {
            Wanted::Portable => return Libraries::known()?.portable(),
            Wanted::Native => vec![Library::of_this_build()?],
            Wanted::Files(paths) => Library::given(paths)?,
        };
        let notes = Vec::new();
        Ok(Libraries { inside, notes })
    }

    /// That of this build and those that are known to it, for each platform the one that wants the oldest glibc.
    fn known() -> Result<Libraries> {
        let mut notes = Vec::new();
        let mut inside = vec![Library::of_this_build()?];
        for path in Library::installed()? {
            let library = Library::read(&path)?;
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
        Ok(Libraries { inside, notes })
    }

    /// These, unless one is of no use on the machines of others.
    fn portable(self) -> Result<Libraries> {
        for library in &self.inside {
            let Some([major, minor]) = library.newest_glibc().filter(|glibc| *glibc > PORTABLE)
            else {
                continue;
            };
            bail!(
                "the library for {} inside this command wants glibc {major}.{minor}, that of the machine that \
                 built it; allowed for others: up to {}.{}. tools/portable-library builds one: name it with \
                 --library, a command in target/ finds it by itself. --native packs this one, for machines like \
                 this{}",
                library.platform,
                PORTABLE[0],
                PORTABLE[1],
                self.noted()
            );
        }
        Ok(self)
    }

    /// Which are inside, and what was not put in.
    pub fn told(&self) -> String {
        let inside: Vec<String> = self.inside.iter().map(Library::label).collect();
        inside.join(", ") + &self.noted()
    }

    fn noted(&self) -> String {
        self.notes.iter().map(|note| format!("\n{note}")).collect()
    }
}
