//! Which libraries an FMU carries: those of the command, those that are known to it, those that are named.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::PathBuf;

use crate::common::{Folder, folder, model, text};

/// The command in a folder of its own with the libraries that are known to it, a model, and what it packs there.
struct Installed {
    folder: Folder,
    libraries: PathBuf,
}

impl Installed {
    fn new(name: &str) -> Installed {
        let folder = folder(name);
        let libraries = folder.join("share/coulisse/libraries");
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        std::fs::create_dir_all(&libraries).unwrap();
        let command = folder.join("bin/coulisse");
        std::fs::copy(env!("CARGO_BIN_EXE_coulisse"), command).unwrap();
        std::fs::copy(model("incline"), folder.join("incline.toml")).unwrap();
        Installed { folder, libraries }
    }

    /// What the command says, or its fault.
    fn pack(&self, options: &[&str]) -> Result<String, String> {
        let mut call = std::process::Command::new(self.folder.join("bin/coulisse"));
        let call = call.current_dir(&self.folder).args(["pack", "incline.toml"]);
        let done = call.args(options).output().unwrap();
        match done.status.success() {
            true => Ok(String::from_utf8(done.stdout).unwrap()),
            false => Err(String::from_utf8(done.stderr).unwrap()),
        }
    }

    /// The libraries in the FMU, by their paths.
    fn packed(&self) -> BTreeMap<String, Vec<u8>> {
        let file = std::fs::File::open(self.folder.join("incline.fmu")).unwrap();
        let mut archive = zip::ZipArchive::new(file).unwrap();
        let names: Vec<String> =
            archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let libraries = names.into_iter().filter(|n| n.starts_with("binaries/"));
        let read = libraries.map(|name| {
            let mut bytes = Vec::new();
            let mut file = archive.by_name(&name).unwrap();
            file.read_to_end(&mut bytes).unwrap();
            (name, bytes)
        });
        read.collect()
    }

    fn knows(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.libraries.join(name), bytes).unwrap();
    }
}

/// Where a text begins in a file.
fn places(bytes: &[u8], text: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(text.len()).enumerate();
    let found = windows.filter(|(_, window)| *window == text);
    found.map(|(place, _)| place).collect()
}

/// The minor version of the glibc that the command says a library wants.
fn glibc(said: &str) -> u32 {
    let newest = said.split("(glibc 2.").nth(1).unwrap();
    newest.split(' ').next().unwrap().parse().unwrap()
}

/// A library that wants an old glibc: newer versions written over in its table of names.
fn of_old_glibc(library: &[u8]) -> Vec<u8> {
    let mut bytes = library.to_owned();
    for place in places(library, b"GLIBC_2.") {
        let digits = &mut bytes[place + 8..place + 10];
        if digits.iter().all(u8::is_ascii_digit) && &*digits > b"17".as_slice() {
            digits.copy_from_slice(b"09");
        }
    }
    bytes
}

#[test]
fn a_glibc_newer_than_2_17_is_said_and_an_older_one_preferred() {
    let installed = Installed::new("portable");
    let said = installed.pack(&["--native"]).unwrap();
    let own = installed.packed();
    let [(path, library)] = own.iter().collect::<Vec<_>>()[..] else {
        panic!("{said}");
    };
    assert_eq!(path, "binaries/linux64/incline.so");
    // That of this machine is packed by itself, with a line where it is younger.
    std::fs::remove_file(installed.folder.join("incline.fmu")).unwrap();
    let noted = installed.pack(&[]).unwrap();
    let wanted = format!("on Linux it needs glibc 2.{} or newer", glibc(&said));
    assert_eq!(noted.contains(&wanted), glibc(&said) > 17, "{noted}");
    assert_eq!(installed.packed(), own);
    // Asked for by its name it is.
    let file = installed.folder.join("own.so");
    std::fs::write(&file, library).unwrap();
    installed.pack(&["--library", text(&file)]).unwrap();
    assert_eq!(installed.packed(), own);
    let fault = installed.pack(&["--native", "--library", text(&file)]).unwrap_err();
    assert!(fault.contains("cannot be used with"), "{fault}");

    // One that is known and wants an older one goes before the command's own.
    let old = of_old_glibc(library);
    installed.knows("old.so", &old);
    let said = installed.pack(&[]).unwrap();
    assert!(glibc(&said) <= 17 && said.lines().count() == 1, "{said}");
    assert!(installed.packed()[path] == old);
    installed.pack(&["--native"]).unwrap();
    assert!(installed.packed() == own);
}

#[test]
fn libraries_that_are_installed_with_the_command_are_packed_too() {
    let installed = Installed::new("installed");
    installed.pack(&["--native"]).unwrap();
    let (path, library) = installed.packed().pop_first().unwrap();

    // The same library for another machine (`e_machine` of ELF: AArch64), and for this one.
    let old = of_old_glibc(&library);
    let mut other = old.clone();
    other[18..20].copy_from_slice(&183_u16.to_le_bytes());
    installed.knows("same.so", &old);
    installed.knows("other.so", &other);
    let said = installed.pack(&[]).unwrap();
    assert!(said.contains("for linux64 ") && said.contains(", aarch64-linux "), "{said}");
    let names: Vec<String> = installed.packed().into_keys().collect();
    assert_eq!(names, ["binaries/aarch64-linux/incline.so", path.as_str()]);

    // Those that are asked for.
    let said = installed.pack(&["--platforms", "aarch64-linux"]).unwrap();
    assert!(said.contains("for aarch64-linux (") && !said.contains("linux64"), "{said}");
    assert_eq!(installed.packed().into_keys().collect::<Vec<_>>(), names[..1]);
    installed.pack(&["--platforms", "linux64,aarch64-linux"]).unwrap();
    assert_eq!(installed.packed().len(), 2);
    let fault = installed.pack(&["--platforms", "linux64,darwin64"]).unwrap_err();
    let wanted = "no library for darwin64 is known; there are: linux64, aarch64-linux; `tools/portable-library darwin64`";
    assert!(fault.contains(wanted), "{fault}");
    let fault = installed.pack(&["--platforms", "macos"]).unwrap_err();
    assert!(fault.contains("darwin64"), "{fault}");
    let fault = installed.pack(&["--platforms", "linux64", "--native"]).unwrap_err();
    assert!(fault.contains("cannot be used with"), "{fault}");

    // One of other sources is left out, and said to be.
    let mark = places(&other, coulisse::abi::SOURCES.as_bytes());
    assert!(!mark.is_empty());
    for place in mark {
        other[place + coulisse::abi::SOURCES.len() - 1] ^= 1;
    }
    installed.knows("other.so", &other);
    let said = installed.pack(&[]).unwrap();
    assert!(said.contains("left out: ") && said.contains("other.so is of other sources"), "{said}");
    assert_eq!(installed.packed().len(), 1);

    installed.knows("none.txt", b"no library");
    let fault = installed.pack(&[]).unwrap_err();
    assert!(fault.contains("none.txt: "), "{fault}");
}

#[test]
fn what_is_no_component_of_webassembly_is_refused() {
    let installed = Installed::new("component");
    let fault = installed.pack(&["--fmi", "3", "--platforms", "wasm32-wasip2"]).unwrap_err();
    let wanted = "no library for wasm32-wasip2 is known; there are: linux64; `tools/component/build` in the sources builds one";
    assert!(fault.contains(wanted), "{fault}");
    let file = installed.folder.join("module.wasm");
    for (bytes, wanted) in [
        (b"\0asm\x01\0\0\0".as_slice(), "a module of WebAssembly; allowed: a component"),
        (b"\0asm\x0d\0\x01\0", "so it is not coulisse's library; tools/component/build makes it"),
        (b"\0asm\x0d\0\x01\0\x07\x40", "not a whole one"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let fault = installed.pack(&["--fmi", "3", "--library", text(&file)]).unwrap_err();
        assert!(fault.contains(wanted), "{fault}");
    }
}
