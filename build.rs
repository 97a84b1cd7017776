//! Tells the library which sources it is of: a library and a command that were built from others number the
//! variables of a model otherwise.

use std::path::{Path, PathBuf};

fn main() -> std::io::Result<()> {
    let mut files = vec![PathBuf::from("Cargo.lock")];
    println!("cargo::rerun-if-changed=Cargo.lock");
    for folder in ["src", "modelDescription"] {
        println!("cargo::rerun-if-changed={folder}");
        collect(Path::new(folder), &mut files)?;
    }
    // The order of a folder is nobody's.
    files.sort();
    // FNV-1a, which every compiler computes alike.
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut take = |bytes: &[u8]| {
        for byte in bytes {
            hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for file in files.iter().filter(|file| file.is_file()) {
        take(file.to_string_lossy().replace('\\', "/").as_bytes());
        take(&std::fs::read(file)?);
    }
    println!("cargo::rustc-env=COULISSE_SOURCES={hash:016x}");
    Ok(())
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => collect(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}
