//! What the sections of a file hold, whatever its version.

use std::collections::{BTreeMap, BTreeSet};
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
        &mut self, file: &mut Cursor, tag: u64, place: [f64; 3],
    ) -> Result<(), GmshFault> {
        if self.nodes.insert(tag, self.places.len()).is_some() {
            return Err(file.fault(format!("a second node {tag}; allowed: each once")));
        }
        self.places.push(place);
        Ok(())
    }

    /// The physical groups of a dimension that have elements, each by its name, or by its number where it has none, with the tags of all
    /// that have this name. A number that another has for its name is left out.
    pub fn groups(&self, dimension: i32) -> Vec<(String, Vec<i32>)> {
        let own = |element: &&Element| element.shape.dimension() == dimension;
        let elements = self.elements.iter().filter(own);
        let used: BTreeSet<i32> =
            elements.flat_map(|element| element.groups.iter().copied()).collect();
        let mut found: Vec<(String, Vec<i32>)> = Vec::new();
        for tag in used {
            let name = self.names.get(&(dimension, tag)).cloned();
            if name.is_none() && self.has_name(dimension, &tag.to_string()) {
                continue;
            }
            let label = name.unwrap_or_else(|| tag.to_string());
            match found.iter_mut().find(|(other, _)| *other == label) {
                Some((_, tags)) => tags.push(tag),
                None => found.push((label, vec![tag])),
            }
        }
        found
    }

    /// Whether a group of a dimension has this name, with elements or without.
    pub fn has_name(&self, dimension: i32, name: &str) -> bool {
        let mut names = self.names.iter();
        names.any(|((own, _), other)| *own == dimension && other == name)
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
