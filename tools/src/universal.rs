//! Universal files of macOS: libraries for several processors in one, of which the loader takes that for its own.

use anyhow::{Context, Result, ensure};
use object::macho::{FAT_MAGIC, MH_MAGIC_64};

/// Bytes of the head, and of the entry of each library (`fat_header` and `fat_arch` of `<mach-o/fat.h>`).
const HEAD: usize = 8;
const ENTRY: usize = 20;
/// Libraries begin at multiples of this power of two: a page of macOS on ARM, 16 KiB.
const PAGE: u32 = 14;

/// One file of libraries for different processors.
///
/// # Errors
/// When one is no Mach-O file of 64 bits, or the file would exceed 4 GiB.
pub fn joined(libraries: &[&[u8]]) -> Result<Vec<u8>> {
    let mut file = Vec::new();
    let mut put = |number: u32| file.extend(number.to_be_bytes());
    put(FAT_MAGIC);
    put(u32::try_from(libraries.len())?);
    let mut end = HEAD + ENTRY * libraries.len();
    for library in libraries {
        ensure!(word(library, 0)? == MH_MAGIC_64, "no library of macOS for 64 bits");
        let start = end.next_multiple_of(1 << PAGE);
        // Processor and its kind, as the library has them.
        put(word(library, 4)?);
        put(word(library, 8)?);
        put(u32::try_from(start)?);
        put(u32::try_from(library.len())?);
        put(PAGE);
        end = start + library.len();
    }
    for library in libraries {
        file.resize(file.len().next_multiple_of(1 << PAGE), 0);
        file.extend(*library);
    }
    Ok(file)
}

/// A number in the head of a library.
fn word(library: &[u8], place: usize) -> Result<u32> {
    let bytes = library.get(place..).and_then(|rest| rest.first_chunk());
    bytes.map(|bytes| u32::from_le_bytes(*bytes)).context("no library of macOS")
}

#[cfg(test)]
mod tests {
    use object::Architecture;
    use object::macho::{
        CPU_SUBTYPE_ARM64_ALL, CPU_SUBTYPE_X86_64_ALL, CPU_TYPE_ARM64, CPU_TYPE_X86_64, MH_MAGIC_64,
    };
    use object::read::macho::{FatArch, MachOFatFile32};

    use super::joined;

    /// What begins as a library for a processor does, of some length.
    fn thin(processor: u32, kind: u32, length: usize) -> Vec<u8> {
        let head = [MH_MAGIC_64, processor, kind].into_iter().flat_map(u32::to_le_bytes);
        head.chain((0_u8..=255).cycle()).take(length).collect()
    }

    #[test]
    fn libraries_are_found_again_by_their_processors() {
        let x86 = thin(CPU_TYPE_X86_64, CPU_SUBTYPE_X86_64_ALL, 100);
        let arm = thin(CPU_TYPE_ARM64, CPU_SUBTYPE_ARM64_ALL, 40_000);
        let file = joined(&[&x86, &arm]).unwrap();
        let read = MachOFatFile32::parse(file.as_slice()).unwrap();
        for (part, (architecture, bytes)) in
            read.arches().iter().zip([(Architecture::X86_64, &x86), (Architecture::Aarch64, &arm)])
        {
            assert_eq!(part.architecture(), architecture);
            assert_eq!(part.file_range().0 % 16_384, 0);
            assert!(part.data(file.as_slice()).unwrap() == bytes);
        }
        assert_eq!(read.arches().len(), 2);
    }

    #[test]
    fn what_is_no_library_of_macos_is_refused() {
        for bytes in [b"".as_slice(), b"\x7fELF", b"\x7fELF and more bytes"] {
            assert!(joined(&[bytes]).is_err());
        }
    }
}
