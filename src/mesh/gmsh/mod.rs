//! Meshes from files of [Gmsh](https://gmsh.info): `.msh` of versions 4.1 and 2.2, as text and binary.
//!
//! The formats are those of the manual of Gmsh (MSH file format, versions 4.1 and 2). The reader is our own: the
//! package for them knows version 4.1 alone, has not changed since 2021, and tells neither the line of a fault
//! nor a truncated file from a damaged one; what a body needs of the format are five short sections.

mod chain;
mod content;
mod cursor;
mod curves;
mod element;
mod select;
mod version2;
mod version4;
mod write;

pub use cursor::Place;

use super::{Flaw, Mesh};
use content::Content;
use cursor::{Cursor, Form};

/// Why a file of Gmsh gives no mesh.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum GmshFault {
    /// The file cannot be read.
    #[error("{place}: {message}")]
    Format { place: Place, message: String },
    /// It can, but holds no body.
    #[error("{0}")]
    Content(String),
    #[error(transparent)]
    Flaw(#[from] Flaw),
}

/// The body in a `.msh` file: its triangles, named curves as edges, named points.
///
/// `surfaces` are the physical surfaces of the body, each by its name or its number; without any the file's only one is
/// taken, or all triangles where there is none. Triangles that run clockwise are turned. The numbers
/// are taken as metres, and z must be the same everywhere.
///
/// # Errors
/// Whatever is no such file, with its line or byte; elements that are no triangles of order 1 to 4 with all their
/// inner nodes, several orders, surfaces that are not there or of which one must be chosen; every [`Flaw`]. A curve that is no
/// single chain is [none of the edges](Mesh::no_edges), and a group of several points [no point](Mesh::no_points): only
/// who uses one gets a fault.
pub fn read(bytes: &[u8], surfaces: &[&str]) -> Result<Mesh, GmshFault> {
    let mesh = select::body(&parse(bytes)?, surfaces)?;
    mesh.check()?;
    Ok(mesh)
}

impl Mesh {
    /// The mesh as a `.msh` file of version 4.1 in text: one surface with a physical name, its edges as physical
    /// curves, its named nodes as physical points.
    pub fn to_gmsh(&self, surface: &str) -> String {
        write::file(self, surface)
    }
}

/// Version and form of the file, which its first section states.
fn header(file: &mut Cursor) -> Result<f64, GmshFault> {
    file.expect("$MeshFormat").map_err(|fault| {
        GmshFault::Content(format!(
            "{fault}, with which Gmsh begins; export the mesh from Gmsh as .msh, version 4.1 or 2.2"
        ))
    })?;
    let (mark, version) = (file.mark(), file.number()?);
    if ![2.2, 4.1].contains(&version) {
        return Err(file.fault_at(mark,
            format!("version {version}; allowed: 4.1 and 2.2, which Gmsh writes with `Mesh.MshFileVersion = 4.1`"),
        ));
    }
    let (mark, kind) = (file.mark(), file.int()?);
    let (size_mark, size) = (file.mark(), file.int()?);
    if size != 8 {
        return Err(file.fault_at(size_mark, format!("numbers of {size} bytes; allowed: 8")));
    }
    match kind {
        0 => {}
        1 => file.find_byte_order()?,
        _ => {
            let message = format!("file type {kind}; allowed: 0 (text) and 1 (binary)");
            return Err(file.fault_at(mark, message));
        }
    }
    file.expect("$EndMeshFormat")?;
    Ok(version)
}

fn parse(bytes: &[u8]) -> Result<Content, GmshFault> {
    let mut file = Cursor::new(bytes);
    let version = header(&mut file)?;
    let mut content = Content::default();
    let mut seen: Vec<String> = Vec::new();
    while let Some((mark, section)) = file.section()? {
        if seen.contains(&section) {
            return Err(file.fault_at(mark, format!("a second section `${section}`; allowed: one")));
        }
        match (section.as_str(), version < 3.0) {
            ("PhysicalNames", _) => content::names(&mut file, &mut content)?,
            ("Nodes", true) => version2::nodes(&mut file, &mut content)?,
            ("Elements", true) => version2::elements(&mut file, &mut content)?,
            ("Entities", false) => version4::entities(&mut file, &mut content)?,
            ("Nodes", false) => version4::nodes(&mut file, &mut content)?,
            ("Elements", false) => version4::elements(&mut file, &mut content)?,
            ("PartitionedEntities", _) => {
                let message = "a mesh in partitions; allowed: one that is whole".to_string();
                return Err(file.fault_at(mark, message));
            }
            _ => {
                file.skip(&section)?;
                continue;
            }
        }
        file.expect(&format!("$End{section}"))?;
        seen.push(section);
    }
    for needed in ["Nodes", "Elements"] {
        if !seen.iter().any(|section| section == needed) {
            return Err(file.fault(format!("the file ends without a section `${needed}`")));
        }
    }
    Ok(content)
}
