//! The library that every FMU carries, inside the command that packs it.
//!
//! The package `coulisse` is two things at once: an `rlib` that the command is linked with, and the
//! `cdylib` that an FMU carries. One compilation makes both, side by side, before that of the command
//! begins; what the command lacks is the path. Cargo has no word for it (artifact dependencies are not
//! stable), but the compiler is told where the `rlib` is.

use std::path::{Path, PathBuf};

use proc_macro::TokenStream;

/// `Option<&'static [u8]>`: the bytes of the library that was compiled together with this crate; `None`
/// where nothing is linked (`cargo check`) or the platform has no shared libraries.
#[proc_macro]
pub fn library(_: TokenStream) -> TokenStream {
    let found = linked_library(std::env::args()).and_then(|rlib| beside(&rlib));
    let code = match found {
        Some(path) => format!("Some(include_bytes!({path:?}).as_slice())"),
        None => "None".to_owned(),
    };
    code.parse().unwrap_or_default()
}

/// The `rlib` of coulisse among the arguments of the compiler, `--extern coulisse=PATH`.
fn linked_library(mut arguments: impl Iterator<Item = String>) -> Option<PathBuf> {
    arguments.find_map(|argument| {
        let (_, path) = argument.split_once("coulisse=")?;
        path.ends_with(".rlib").then(|| PathBuf::from(path))
    })
}

/// The shared library that was made together with an `rlib`, under the name that its platform gives it.
fn beside(rlib: &Path) -> Option<PathBuf> {
    let stem = rlib.file_stem()?.to_str()?.strip_prefix("lib")?;
    let names = [format!("lib{stem}.so"), format!("{stem}.dll"), format!("lib{stem}.dylib")];
    let paths = names.map(|name| rlib.with_file_name(name));
    paths.into_iter().filter_map(|path| path.canonicalize().ok()).next()
}

#[cfg(test)]
mod tests {
    use super::linked_library;

    #[test]
    fn the_path_of_the_linked_library_is_read_from_the_arguments() {
        let of = |arguments: &[&str]| {
            let found = linked_library(arguments.iter().map(|a| (*a).to_owned()));
            found.map(|path| path.display().to_string())
        };
        let linked = ["rustc", "--extern", "coulisse=/t/deps/libcoulisse.rlib"];
        assert_eq!(of(&linked).as_deref(), Some("/t/deps/libcoulisse.rlib"));
        let noprelude = ["--extern=noprelude:coulisse=/t/deps/libcoulisse.rlib"];
        assert_eq!(of(&noprelude).as_deref(), Some("/t/deps/libcoulisse.rlib"));
        // A check links nothing, and what it finds beside may be of an earlier build.
        let checked = ["rustc", "--extern", "coulisse=/t/deps/libcoulisse.rmeta"];
        assert_eq!(of(&checked), None);
    }
}
