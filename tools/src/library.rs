//! A native library, as FMUs carry one for each platform.

use std::collections::BTreeSet;

use anyhow::{Context, Result, anyhow, bail};
use object::read::macho::{FatArch, MachOFatFile32};
use object::read::{Object, ObjectSection, ObjectSegment, ReadRef};
use object::{Architecture, BinaryFormat, FileKind};

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
/// That of macOS on x86, where FMI 2.0 has a universal library.
pub const DARWIN64: Platform = ("darwin64", ".dylib");
const LINUX_ARM: Platform = ("aarch64-linux", ".so");
const WINDOWS_ARM: Platform = ("aarch64-windows", ".dll");
pub const DARWIN_ARM: Platform = ("aarch64-darwin", ".dylib");
/// That of components of WebAssembly, in FMI 3.0 (FMI-LS-WASM).
pub const WASM: Platform = ("wasm32-wasip2", ".wasm");
/// All of them.
pub const PLATFORMS: [Platform; 9] =
    [LINUX64, LINUX32, LINUX_ARM, WIN64, WIN32, WINDOWS_ARM, DARWIN64, DARWIN_ARM, WASM];
/// Those whose library no test of coulisse runs: it is linked, and what it exports and needs is checked.
const NOT_RUN: [Platform; 5] = [LINUX32, WIN32, WINDOWS_ARM, DARWIN64, DARWIN_ARM];

/// The communication step of a component.
const COMPONENT_STEP: &str = "fmi:fmi3/co-simulation@3.0.0#[method]co-simulation-instance.do-step";

/// Names of all platforms, as FMI 2.0 has them where it does.
pub fn platform_names() -> [&'static str; PLATFORMS.len()] {
    PLATFORMS.map(|(name, _)| name)
}

/// The part of a shared library that is for one processor: all of it but for universal ones of macOS.
pub struct Part {
    /// None where FMI has no name for it.
    pub platform: Option<Platform>,
    /// Processor and format, for messages.
    pub kind: String,
    /// What it exports, as C names it; of a component, [interfaces and their functions](crate::component::functions).
    pub exports: BTreeSet<Vec<u8>>,
    /// First byte in the file, and how many.
    pub(crate) range: (u64, u64),
}

impl Part {
    fn of<'d, R: ReadRef<'d>>(data: R, range: (u64, u64)) -> Result<Part> {
        let file = object::File::parse(data)
            .map_err(|error| anyhow!("no shared library, or not a whole one: {error}"))?;
        check_length(&file, range.1)?;
        let exports = file.exports();
        let exports = exports
            .map_err(|error| anyhow!("its table of exported functions is damaged: {error}"))?;
        // Names of Mach-O begin with an underscore.
        let of_c = |name: &[u8]| match file.format() {
            BinaryFormat::MachO => name.strip_prefix(b"_").unwrap_or(name).to_vec(),
            _ => name.to_vec(),
        };
        Ok(Part {
            platform: platform(&file),
            kind: format!("{:?} in format {:?}", file.architecture(), file.format()),
            exports: exports.iter().map(|export| of_c(export.name())).collect(),
            range,
        })
    }
}

/// The platform that a library is for.
fn platform<'d, R: ReadRef<'d>>(file: &object::File<'d, R>) -> Option<Platform> {
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
pub fn examine<'d, R: ReadRef<'d>>(data: R) -> Result<Vec<Part>> {
    let length = data.len().map_err(|()| anyhow!("cannot be read"))?;
    // A browser packs libraries alone.
    #[cfg(not(target_family = "wasm"))]
    if matches!(data.read_bytes_at(0, 4), Ok(b"\0asm")) {
        let bytes = data.read_bytes_at(0, length).map_err(|()| anyhow!("cannot be read"))?;
        return Ok(vec![crate::component::examine(bytes)?]);
    }
    if !matches!(FileKind::parse(data), Ok(FileKind::MachOFat32)) {
        return Ok(vec![Part::of(data, (0, length))?]);
    }
    let damaged = |error| anyhow!("a universal library, and not a whole one: {error}");
    let file = MachOFatFile32::parse(data).map_err(damaged)?;
    let parts = file.arches().iter().map(|part| {
        let inside = part.data(data).map_err(damaged)?;
        Part::of(inside, part.file_range())
    });
    parts.collect()
}

fn check_length<'d, R: ReadRef<'d>>(file: &object::File<'d, R>, length: u64) -> Result<()> {
    let segments = file.segments().map(|segment| segment.file_range());
    let sections = file.sections().filter_map(|section| section.file_range());
    let ends = segments.chain(sections).filter(|(_, size)| *size > 0);
    let end = ends.map(|(start, size)| start.saturating_add(size)).max();
    if let Some(end) = end.filter(|end| *end > length) {
        bail!("a truncated library: of {length} bytes, its headers state {end}");
    }
    Ok(())
}

impl Library {
    /// Finds out what platform a library is for.
    ///
    /// # Errors
    /// When the bytes are no shared library of coulisse for one processor.
    pub fn of(bytes: Vec<u8>) -> Result<Library> {
        let [library]: [Library; 1] = Library::all(bytes)?
            .try_into()
            .map_err(|_| anyhow!("a universal library; allowed: one for a single processor"))?;
        Ok(library)
    }

    /// The library in a file, or those of a universal file, one for each processor.
    ///
    /// # Errors
    /// When the bytes are no shared library of coulisse.
    pub fn all(bytes: Vec<u8>) -> Result<Vec<Library>> {
        let parts = examine(bytes.as_slice())?;
        let libraries = parts.iter().map(|part| {
            let Some((platform, ending)) = part.platform else {
                bail!("a library for {}; allowed: Linux, Windows or macOS on x86 or ARM", part.kind)
            };
            let (step, made_by) = match (platform, ending) {
                WASM => (COMPONENT_STEP, "tools/component/build"),
                _ => ("fmi2DoStep", "`cargo build --release`"),
            };
            if !part.exports.contains(step.as_bytes()) {
                bail!("exports no {step}, so it is not coulisse's library; {made_by} makes it");
            }
            let (start, size) = part.range;
            let inside = usize::try_from(start)?..usize::try_from(start + size)?;
            let bytes = bytes.get(inside).context("not a whole library")?.to_vec();
            Ok(Library { platform, ending, bytes })
        });
        libraries.collect()
    }

    /// The platform with, on Linux, the newest glibc whose functions the library wants, and whether tests run it.
    pub fn label(&self) -> String {
        let glibc = self.newest_glibc();
        let glibc = glibc.map(|[major, minor]| format!("glibc {major}.{minor} or newer"));
        let not_run = NOT_RUN.iter().any(|(name, _)| *name == self.platform);
        let notes: Vec<String> =
            glibc.into_iter().chain(not_run.then(|| "not run".to_owned())).collect();
        match notes.is_empty() {
            true => self.platform.to_owned(),
            false => format!("{} ({})", self.platform, notes.join(", ")),
        }
    }

    /// Whether it is a component of WebAssembly, not a library of a system.
    pub fn is_component(&self) -> bool {
        self.platform == WASM.0
    }

    /// Where the platform stands among all.
    pub fn rank(&self) -> Option<usize> {
        platform_names().iter().position(|name| *name == self.platform)
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
