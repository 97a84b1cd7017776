//! The numbers of a law: their kinds, their keys in the model file, and what can be at fault with them.

use std::fmt;

use num_dual::Dual64;

use crate::quantity::{Limit, Quantity};

/// A kind of number that the table of a law can be filled with.
pub trait Number: Clone + fmt::Debug + PartialEq {
    /// What stands in the place of a file's name.
    type Text: Clone + fmt::Debug + PartialEq + Default;
}

/// A kind of number that the physics can compute with.
pub trait Value: Number + Copy {
    fn dual(self) -> Dual64;
}

impl Number for f64 {
    type Text = ();
}

impl Value for f64 {
    fn dual(self) -> Dual64 {
        Dual64::from_re(self)
    }
}

impl Number for Dual64 {
    type Text = ();
}

impl Value for Dual64 {
    fn dual(self) -> Dual64 {
        self
    }
}

/// One key of a law in the model file.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    pub name: &'static str,
    /// Symbol, meaning, source.
    pub meaning: &'static str,
    pub quantity: Quantity,
    /// What each number must satisfy by itself.
    pub limit: Limit,
    pub need: Need,
    /// The number of [`Need::Default`] as it is written, else empty.
    pub default: &'static str,
}

/// Whether a key has to be given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Need {
    Required,
    Default(f64),
    /// The number of such a key exists only where it is written.
    Optional,
    /// A list that has to be given.
    List,
    /// A list that may be left out.
    OptionalList,
}

/// A law in the list of all.
#[derive(Debug)]
pub struct Listed {
    /// Its name in the model file.
    pub name: &'static str,
    /// Its equations in a few lines, with their source.
    pub about: &'static str,
    /// Its keys that hold numbers.
    pub keys: &'static [&'static Key],
    /// Its other keys: a data file, a choice.
    pub others: &'static [&'static str],
}

/// A number's place in its law.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub key: &'static Key,
    /// Place in a list.
    pub index: Option<usize>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.index {
            None => write!(f, "{}", self.key.name),
            Some(index) => write!(f, "{}[{index}]", self.key.name),
        }
    }
}

/// Numbers that are in range each but do not go together.
#[derive(Debug, Clone, PartialEq)]
pub struct Contradiction {
    /// The number to blame, as [`Place`] writes it.
    pub place: String,
    /// "is 0.1, below …; allowed: …".
    pub text: String,
}

/// Where a law can take its points from a data file: the file's name, and the lists to fill.
#[derive(Debug)]
pub struct Data<'a, N: Number> {
    pub file: &'a N::Text,
    pub lists: [(&'static str, &'a mut Vec<N>); 2],
}
