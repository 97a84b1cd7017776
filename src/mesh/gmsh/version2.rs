//! Sections of version 2.2: nodes and elements one by one.

use super::GmshFault;
use super::content::{Content, Element};
use super::cursor::{Cursor, Form};
use super::element::Shape;

pub(super) fn nodes(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    for _ in 0..file.text_size()? {
        let tag = file.short_size()?;
        let place = [file.number()?, file.number()?, file.number()?];
        content.add_node(file, tag, place)?;
    }
    Ok(())
}

pub(super) fn elements(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    let count = file.text_size()?;
    let mut seen = 0;
    while seen < count {
        // In binary, elements that follow each other share the head; in text the tag stands before it.
        let text = file.form == Form::Text;
        let mut first = if text { Some(file.short_size()?) } else { None };
        let mark = file.mark();
        let shape = Shape::of(file.int()?).map_err(|message| file.fault_at(mark, message))?;
        let run = if text { 1 } else { file.short_size()? };
        let numbers = file.short_size()?;
        if run == 0 || run > count - seen {
            let message = format!("{run} elements follow; expected: 1 to {}", count - seen);
            return Err(file.fault_at(mark, message));
        }
        for _ in 0..run {
            let tag = match first.take() {
                Some(tag) => tag,
                None => file.short_size()?,
            };
            // The physical group, 0 for none; the entity; partitions.
            let mut groups = Vec::new();
            for number in 0..numbers {
                let value = file.int()?;
                if number == 0 && value != 0 {
                    groups.push(value.saturating_abs());
                }
            }
            let mut nodes = Vec::with_capacity(shape.node_count());
            for _ in 0..shape.node_count() {
                nodes.push(file.short_size()?);
            }
            content.elements.push(Element { tag, shape, groups: groups.into(), nodes });
        }
        seen += run;
    }
    Ok(())
}
