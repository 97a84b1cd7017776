//! What the sections of a file hold, whatever its version.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::GmshFault;
use super::cursor::Cursor;
use super::element::Shape;

/// Nodes, elements and physical groups; a group is its dimension and its tag.
#[derive(Debug, Default)]
pub(super) struct Content {
    pub places: Vec<[f64; 3]>,
    /// Places of the nodes by their tags.
    pub nodes: BTreeMap<u64, usize>,
    pub names: BTreeMap<(i32, i32), String>,
    /// The groups of each entity of the geometry, by its dimension and its tag.
    pub groups: BTreeMap<(i32, i32), Rc<[i32]>>,
    pub elements: Vec<Element>,
}

/// An element with the groups it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Element {
    pub tag: u64,
    pub shape: Shape,
    pub groups: Rc<[i32]>,
    /// Tags.
    pub nodes: Vec<u64>,
}

impl Content {
    /// A node with its tag.
    pub fn add_node(
        &mut self,
        file: &mut Cursor,
        tag: u64,
        place: [f64; 3],
    ) -> Result<(), GmshFault> {
        if self.nodes.insert(tag, self.places.len()).is_some() {
            return Err(file.fault(format!("a second node {tag}; allowed: each once")));
        }
        self.places.push(place);
        Ok(())
    }

    /// The physical names of a dimension with the tags of their groups, in the order of the first tag.
    pub fn named(&self, dimension: i32) -> Vec<(&str, Vec<i32>)> {
        let mut found: Vec<(&str, Vec<i32>)> = Vec::new();
        for ((own, tag), name) in &self.names {
            if *own == dimension {
                match found.iter_mut().find(|(other, _)| other == name) {
                    Some((_, tags)) => tags.push(*tag),
                    None => found.push((name, vec![*tag])),
                }
            }
        }
        found
    }
}

impl Element {
    /// Whether it is in one of some groups.
    pub fn belongs(&self, tags: &[i32]) -> bool {
        self.groups.iter().any(|group| tags.contains(group))
    }
}

/// The section of names, which is text in binary files too.
pub(super) fn names(file: &mut Cursor, content: &mut Content) -> Result<(), GmshFault> {
    let form = std::mem::replace(&mut file.form, super::Form::Text);
    for _ in 0..file.size()? {
        let dimension = file.int()?;
        let tag = file.int()?;
        content.names.insert((dimension, tag), file.quoted()?);
    }
    file.form = form;
    Ok(())
}
