//! Packs an FMU into its zip archive.

use std::io::{Cursor, Write};

use anyhow::{Context, Result};
use coulisse::fmu::{Blueprint, MODEL_FILE, Refusal, STATE_SPACE_FILE, StateSpace};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::documentation;
use crate::drawing;
use crate::library::{DARWIN_ARM, DARWIN64, Library, Platform, WASM};
use crate::terminals;
use crate::universal;

/// Texts that go into every FMU, for the licences of what its library contains.
const LICENSES: [(&str, &str); 3] = [
    ("LICENSE-MIT", include_str!("../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../LICENSE-APACHE")),
    // What a reader begins with, by its name in the standard.
    ("license.txt", include_str!("../../resources/licenses/third_party.txt")),
];

/// Where the manifest of a component is: by FMI-LS-WASM (a draft), and by FMI 3.0.1 for all layered standards.
pub const MANIFESTS_OF_COMPONENT: [&str; 2] = [
    "extra/org.modelica.fmi-ls-wasm/manifest.xml",
    "extra/org.modelica.fmi-ls-wasm/fmi-ls-manifest.xml",
];
const MANIFEST_OF_COMPONENT: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<fmi-ls:fmiLayeredStandardManifest xmlns:fmi-ls="http://fmi-standard.org/fmi-ls-manifest"
    fmi-ls:fmi-ls-name="org.modelica.fmi-ls-wasm"
    fmi-ls:fmi-ls-version="0.1.0"
    fmi-ls:fmi-ls-description="FMI Layered Standard for WebAssembly"/>
"#;
/// What an FMU with a component holds beside it: its manifest, and the licences of what it is made of.
const BESIDE_COMPONENT: [(&str, &str); 4] = [
    (MANIFESTS_OF_COMPONENT[0], MANIFEST_OF_COMPONENT),
    (MANIFESTS_OF_COMPONENT[1], MANIFEST_OF_COMPONENT),
    (
        "documentation/licenses/component.txt",
        include_str!("../../resources/licenses/component.txt"),
    ),
    ("documentation/licenses/fmi-ls-wasm.txt", include_str!("../component/wit/LICENSE")),
];

/// The standard that an FMU follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Standard {
    /// FMI 2.0.
    #[value(name = "2")]
    Fmi2,
    /// FMI 3.0.
    #[value(name = "3")]
    Fmi3,
}

impl Standard {
    /// Whether it has a platform.
    pub fn has(self, platform: Platform) -> bool {
        self == Standard::Fmi3 || platform != WASM
    }

    /// Name of a platform's folder, by its name in FMI 2.0, which has names of its own for x86.
    pub fn folder(self, platform: &'static str) -> &'static str {
        match (self, platform) {
            (Standard::Fmi3, "linux64") => "x86_64-linux",
            (Standard::Fmi3, "linux32") => "x86-linux",
            (Standard::Fmi3, "win64") => "x86_64-windows",
            (Standard::Fmi3, "win32") => "x86-windows",
            (Standard::Fmi3, "darwin64") => "x86_64-darwin",
            (_, platform) => platform,
        }
    }
}

/// The text of `modelDescription.xml` of a model.
///
/// # Errors
/// The fault of a mechanism that cannot be built.
pub fn description(
    blueprint: &Blueprint, standard: Standard, date: Option<&str>,
) -> Result<String, Refusal> {
    match standard {
        Standard::Fmi2 => blueprint.description(date),
        Standard::Fmi3 => blueprint.description_3(date),
    }
}

/// That of a linear model.
///
/// # Errors
/// Not in practice.
pub fn description_of_linear(
    model: &StateSpace, standard: Standard, date: Option<&str>,
) -> Result<String, Refusal> {
    match standard {
        Standard::Fmi2 => model.model_description(date),
        Standard::Fmi3 => model.model_description_3(date),
    }
}

/// The bytes of an FMU, with the date of generation where one is wanted, and with more files. The same model, libraries
/// and date give the same bytes.
///
/// # Errors
/// When the description cannot be written; not in practice.
pub fn pack(
    blueprint: &Blueprint, standard: Standard, libraries: &[Library], date: Option<&str>,
    extra: &[(String, Vec<u8>)],
) -> Result<Vec<u8>> {
    let model = blueprint.model();
    let name = &blueprint.checked().name;
    let description = description(blueprint, standard, date)?;
    let page = documentation::page(blueprint)?;
    let scene = drawing::draw(&blueprint.built()?.system);
    let picture = drawing::raster(&scene, 1.0)?.encode_png();
    let picture = picture.context("the picture of the model cannot be encoded")?;
    let mut shown = Vec::new();
    match standard {
        Standard::Fmi2 => shown.push(("model.png".to_owned(), picture)),
        Standard::Fmi3 => {
            shown = terminals::files(blueprint.checked(), blueprint.interface(), &scene)?;
            shown.push(("terminalsAndIcons/icon.png".to_owned(), picture));
            let drawn = drawing::svg(&scene, name).into_bytes();
            shown.push(("terminalsAndIcons/icon.svg".to_owned(), drawn));
        }
    }
    let universal = universal(standard, libraries)?;
    let mut files = described(name, standard, &description, libraries, universal.as_deref());
    files.push((format!("resources/{MODEL_FILE}"), model.text().as_bytes()));
    let data = model.data_files();
    files.extend(data.map(|(file, content)| (format!("resources/{file}"), content)));
    files.push(("documentation/index.html".to_owned(), page.as_bytes()));
    let more = shown.iter().chain(extra);
    files.extend(more.map(|(path, bytes)| (path.clone(), bytes.as_slice())));
    zip(&files)
}

/// The bytes of an FMU of a linear model.
///
/// # Errors
/// When the description cannot be written; not in practice.
pub fn pack_linear(
    model: &StateSpace, standard: Standard, libraries: &[Library], date: Option<&str>,
) -> Result<Vec<u8>> {
    let description = description_of_linear(model, standard, date)?;
    let universal = universal(standard, libraries)?;
    let mut files =
        described(model.name(), standard, &description, libraries, universal.as_deref());
    files.push((format!("resources/{STATE_SPACE_FILE}"), model.text().as_bytes()));
    zip(&files)
}

/// The library for both processors of macOS, where both are there. Hosts of FMI 2.0 look into `darwin64` on ARM, too, so that it is the
/// one for both; in FMI 3.0 each processor has a folder.
fn universal(standard: Standard, libraries: &[Library]) -> Result<Option<Vec<u8>>> {
    let of = |(name, _)| Some(libraries.iter().find(|l| l.platform == name)?.bytes.as_slice());
    match (standard, of(DARWIN64), of(DARWIN_ARM)) {
        (Standard::Fmi2, Some(x86), Some(arm)) => Ok(Some(universal::joined(&[x86, arm])?)),
        _ => Ok(None),
    }
}

/// What every FMU holds: its description, its libraries and their licences.
fn described<'a>(
    name: &str, standard: Standard, description: &'a str, libraries: &'a [Library],
    universal: Option<&'a [u8]>,
) -> Vec<(String, &'a [u8])> {
    let mut files = vec![("modelDescription.xml".to_owned(), description.as_bytes())];
    let in_universal = |library: &Library| universal.is_some() && library.platform == DARWIN_ARM.0;
    let mut libraries: Vec<&Library> = libraries.iter().filter(|l| !in_universal(l)).collect();
    // Whoever packs, libraries have one order.
    libraries.sort_by_key(|library| library.rank());
    for library in libraries {
        let (platform, ending) = (standard.folder(library.platform), library.ending);
        let path = format!("binaries/{platform}/{name}{ending}");
        let universal = universal.filter(|_| library.platform == DARWIN64.0);
        files.push((path, universal.unwrap_or(&library.bytes)));
    }
    if files.iter().any(|(path, _)| path.ends_with(WASM.1)) {
        let beside = BESIDE_COMPONENT.iter();
        files.extend(beside.map(|(path, content)| ((*path).to_owned(), content.as_bytes())));
    }
    files.extend(
        LICENSES
            .iter()
            .map(|(file, content)| (format!("documentation/licenses/{file}"), content.as_bytes())),
    );
    files
}

/// The bytes of an archive of these files. The time of packing is left out so that equal input gives
/// equal bytes.
///
/// # Errors
/// When it is larger than an archive can be.
pub fn zip(files: &[(String, &[u8])]) -> Result<Vec<u8>> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default()
        .compression_method(CompressionMethod::Deflated)
        .last_modified_time(DateTime::default())
        .unix_permissions(0o644);
    for (path, bytes) in files {
        zip.start_file(path, options)?;
        zip.write_all(bytes)?;
    }
    Ok(zip.finish()?.into_inner())
}
