//! The zip archive of an FMU: packing, reading and unpacking.

mod reader;
mod unpacked;

use std::io::{Cursor, Write};

use anyhow::Result;
use coulisse::fmu::{Blueprint, MODEL_FILE};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::documentation;
use crate::drawing;
use crate::library::Library;
pub use reader::Archive;
pub use unpacked::Unpacked;

/// Texts that go into every FMU, for the licences of what its library contains.
const LICENSES: [(&str, &str); 3] = [
    ("LICENSE-MIT", include_str!("../../../LICENSE-MIT")),
    ("LICENSE-APACHE", include_str!("../../../LICENSE-APACHE")),
    (
        "third_party.txt",
        include_str!("../../../resources/licenses/third_party.txt"),
    ),
];

/// The bytes of an FMU, with the date of generation where one is wanted. The same model, libraries
/// and date give the same bytes.
///
/// # Errors
/// When the description cannot be written; not in practice.
pub fn pack(blueprint: &Blueprint, libraries: &[Library], date: Option<&str>) -> Result<Vec<u8>> {
    let model = blueprint.model();
    let name = &blueprint.checked().name;
    let description = blueprint.description(date)?;
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let mut add = |path: String, bytes: &[u8]| -> Result<()> {
        // The time of packing is left out so that equal input gives equal bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644);
        zip.start_file(path, options)?;
        zip.write_all(bytes)?;
        Ok(())
    };
    add("modelDescription.xml".to_owned(), description.as_bytes())?;
    for library in libraries {
        let (platform, ending) = (library.platform, library.ending);
        add(
            format!("binaries/{platform}/{name}{ending}"),
            &library.bytes,
        )?;
    }
    add(format!("resources/{MODEL_FILE}"), model.text().as_bytes())?;
    for (file, content) in model.data_files() {
        add(format!("resources/{file}"), content)?;
    }
    let page = documentation::page(blueprint)?;
    add("documentation/index.html".to_owned(), page.as_bytes())?;
    let picture = drawing::png(&drawing::draw(&blueprint.built()?.system))?;
    add("model.png".to_owned(), &picture)?;
    for (file, content) in LICENSES {
        add(format!("documentation/licenses/{file}"), content.as_bytes())?;
    }
    Ok(zip.finish()?.into_inner())
}
