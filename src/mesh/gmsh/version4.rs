//! Sections of version 4.1: nodes and elements in blocks, one for each entity of the geometry.

use super::GmshFault;
use super::content::{Content, Element};
use super::cursor::Cursor;
use super::element::Shape;

/// Points, curves, surfaces and volumes with their physical groups.
pub(super) fn entities(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    let mut counts = [0; 4];
    for count in &mut counts {
        *count = file.size()?;
    }
    for (dimension, count) in (0..).zip(counts) {
        for _ in 0..count {
            let tag = file.int()?;
            // A point's place, or the box around what has an extent.
            for _ in 0..if dimension == 0 { 3 } else { 6 } {
                file.number()?;
            }
            let mut groups = Vec::new();
            for _ in 0..file.size()? {
                // A group's tag is negative where it runs against the curve.
                groups.push(file.int()?.saturating_abs());
            }
            content.groups.insert((dimension, tag), groups.into());
            if dimension > 0 {
                for _ in 0..file.size()? {
                    file.int()?;
                }
            }
        }
    }
    Ok(())
}

pub(super) fn nodes(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    let blocks = file.size()?;
    let (mark, count) = (file.mark(), file.size()?);
    // The least and the greatest tag.
    file.size()?;
    file.size()?;
    for _ in 0..blocks {
        let dimension = file.int()?;
        file.int()?;
        // Coordinates on the curve or surface follow those in space.
        let more = if file.int()? == 0 { 0 } else { dimension };
        let own = file.size()?;
        let mut tags = Vec::new();
        for _ in 0..own {
            tags.push(file.size()?);
        }
        for tag in tags {
            let place = [file.number()?, file.number()?, file.number()?];
            for _ in 0..more {
                file.number()?;
            }
            content.add_node(file, tag, place)?;
        }
    }
    announced(file, (mark, count), "nodes", content.places.len())
}

/// That as many follow as the head of a section has announced.
fn announced(
    file: &Cursor, (mark, count): (usize, u64), what: &str, seen: usize,
) -> Result<(), GmshFault> {
    match count == seen as u64 {
        true => Ok(()),
        false => {
            let message = format!("{count} {what} are announced, and {seen} follow");
            Err(file.fault_at(mark, message))
        }
    }
}

pub(super) fn elements(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    let blocks = file.size()?;
    let (mark, count) = (file.mark(), file.size()?);
    file.size()?;
    file.size()?;
    for _ in 0..blocks {
        let dimension = file.int()?;
        let entity = file.int()?;
        let mark = file.mark();
        let shape = Shape::of(file.int()?).map_err(|message| file.fault_at(mark, message))?;
        let groups = content.groups.get(&(dimension, entity)).cloned().unwrap_or_default();
        for _ in 0..file.size()? {
            let tag = file.size()?;
            let mut nodes = Vec::with_capacity(shape.node_count());
            for _ in 0..shape.node_count() {
                nodes.push(file.size()?);
            }
            let groups = groups.clone();
            content.elements.push(Element { tag, shape, groups, nodes });
        }
    }
    announced(file, (mark, count), "elements", content.elements.len())
}
