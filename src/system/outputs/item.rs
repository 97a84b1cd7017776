//! What is known of an output before it is read, and the list of the outputs of a model.

use crate::checked::{Checked, Element, Output, OutputVariable, Reach};
use crate::quantity::Quantity;

/// What is known of an output before it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Last part of its path.
    pub key: &'static str,
    pub quantity: Quantity,
    /// What it is, with `{}` for the name of its subject, or with that behind it.
    pub words: String,
    /// Where in the start it is known; `None` for what begins with 0.
    pub known: Option<Reach>,
    /// Whether it is a place in the mechanism, as large as the mechanism itself.
    pub place: bool,
    /// Whether it is 0 or above, also in the last bit.
    pub never_negative: bool,
    /// Whether it changes in jumps although it is no whole number.
    pub jumps: bool,
    /// The first of the outputs that always read the same number, where that is another.
    pub same: Option<Output>,
}

fn new(known: Option<Reach>, key: &'static str, quantity: Quantity, words: String) -> Item {
    let (place, never_negative, jumps, same) = (false, false, false, None);
    Item { key, quantity, words, known, place, never_negative, jumps, same }
}

/// What the positions of a start tell.
pub(super) fn at_positions(
    key: &'static str, quantity: Quantity, words: impl Into<String>,
) -> Item {
    new(Some(Reach::Positions), key, quantity, words.into())
}

/// What the velocities of a start tell.
pub(super) fn at_velocities(
    key: &'static str, quantity: Quantity, words: impl Into<String>,
) -> Item {
    new(Some(Reach::Velocities), key, quantity, words.into())
}

/// What the accelerations and forces of a start tell.
pub(super) fn at_forces(key: &'static str, quantity: Quantity, words: impl Into<String>) -> Item {
    new(Some(Reach::Forces), key, quantity, words.into())
}

/// What is summed or counted from 0.
pub(super) fn from_zero(key: &'static str, quantity: Quantity, words: impl Into<String>) -> Item {
    new(None, key, quantity, words.into())
}

impl Item {
    /// A place in the mechanism.
    pub(super) fn place(self) -> Item {
        Item { place: true, ..self }
    }

    /// Never below 0.
    pub(super) fn never_negative(self) -> Item {
        Item { never_negative: true, ..self }
    }

    /// Changes in jumps.
    pub(super) fn jumps(self) -> Item {
        Item { jumps: true, ..self }
    }

    /// Reads the same number as another output.
    pub(super) fn same_as(self, same: Output) -> Item {
        Item { same: Some(same), ..self }
    }
}

/// The outputs of a model that have been listed so far.
pub(super) struct List<'a> {
    pub model: &'a Checked,
    pub all: Vec<OutputVariable>,
}

impl List<'_> {
    /// Adds an output of the subject at `path`, which descriptions call `name`.
    pub fn add(&mut self, path: &str, name: &str, output: Output) {
        let Item { key, quantity, words, .. } = super::item(self.model, output);
        let path = if key.is_empty() { path.to_string() } else { format!("{path}.{key}") };
        let description = said(&words, name);
        self.all.push(OutputVariable { path, output, quantity, description, element: None });
    }

    /// Adds an array: `output` at each of the [stations](Checked::stations) along the subject at `path`, which descriptions call `name`.
    pub fn add_stations(&mut self, path: &str, name: &str, output: impl Fn(usize) -> Output) {
        let of = self.model.stations;
        for at in 0..of {
            let output = output(at);
            let Item { key, quantity, words, .. } = super::item(self.model, output);
            let array = said(&words, &format!("{name} at {of} positions from end to end"));
            self.all.push(OutputVariable {
                path: format!("{path}.{key}[{}]", at + 1),
                output,
                quantity,
                description: said(
                    &words,
                    &format!("{name}, position {} of {of} from end to end", at + 1),
                ),
                element: Some(Element { at, of, array }),
            });
        }
    }
}

/// The words of an item of what is called `name`.
fn said(words: &str, name: &str) -> String {
    match words.contains("{}") {
        true => words.replace("{}", name),
        false if name.is_empty() => words.to_string(),
        false => format!("{words} {name}"),
    }
}
