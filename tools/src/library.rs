//! A native library, as FMUs carry one for each platform.

use anyhow::{Context, Result, anyhow, bail};
use object::read::{Object, ObjectSection, ObjectSegment, ReadRef};
use object::{Architecture, BinaryFormat};

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
    /// Finds out what platform a library is for.
    ///
    /// # Errors
    /// When the bytes are no shared library of coulisse.
    pub fn of(bytes: Vec<u8>) -> Result<Library> {
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

    /// The newest version of glibc whose functions the library wants; none of other systems.
    pub fn newest_glibc(&self) -> Option<[u32; 2]> {
        let file = object::File::parse(self.bytes.as_slice()).ok()?;
        let names = file.section_by_name(".dynstr")?.data().ok()?;
        let versions = names.split(|byte| *byte == 0).filter_map(|name| {
            let version = std::str::from_utf8(name).ok()?.strip_prefix("GLIBC_")?;
            let mut parts = version.split('.').map(str::parse);
            Some([parts.next()?.ok()?, parts.next()?.ok()?])
        });
        versions.max()
    }

    /// Whether this library was built from the sources of this command.
    pub fn is_of_these_sources(&self) -> bool {
        let mark = coulisse::fmu::SOURCES.as_bytes();
        self.bytes.windows(mark.len()).any(|window| window == mark)
    }
}
