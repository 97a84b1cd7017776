//! The numbers of a law: their kinds, their keys in the model file, and what can be at fault with them.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use num_dual::Dual64;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};

use crate::numerics::expression::Expression;
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
    /// A table of numbers whose names the user chooses, which may be left out.
    Named,
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
    /// Its keys that are expressions, each with its meaning.
    pub formulas: &'static [(&'static str, &'static str)],
}

/// A number's place in its law.
#[derive(Debug, Clone, Copy)]
pub struct Place<'a> {
    pub key: &'static Key,
    /// Place in a list.
    pub index: Option<usize>,
    /// Name in a table.
    pub name: Option<&'a str>,
}

impl Place<'_> {
    /// The place of the one number of a key.
    pub fn of(key: &'static Key) -> Place<'static> {
        Place { key, index: None, name: None }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.index, self.name) {
            (Some(index), _) => write!(f, "{}[{index}]", self.key.name),
            (None, Some(name)) => write!(f, "{}.{name}", self.key.name),
            (None, None) => write!(f, "{}", self.key.name),
        }
    }
}

/// An expression in a law: as written, until the checker has made a function of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Formula<N> {
    pub written: Option<N>,
    pub function: Option<Arc<Expression>>,
}

impl<N> Default for Formula<N> {
    fn default() -> Formula<N> {
        Formula { written: None, function: None }
    }
}

impl<N> Formula<N> {
    /// The function alone, in a law of numbers of another kind.
    pub(super) fn carried<M>(&self) -> Formula<M> {
        Formula { written: None, function: self.function.clone() }
    }
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Formula<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Formula<N>, D::Error> {
        let written = Some(N::deserialize(deserializer)?);
        Ok(Formula { written, function: None })
    }
}

/// Numbers with names, in the order of the file.
#[derive(Debug, Clone, PartialEq)]
pub struct Named<N>(pub Vec<(Arc<str>, N)>);

impl<N> Default for Named<N> {
    fn default() -> Named<N> {
        Named(Vec::new())
    }
}

impl<N> Named<N> {
    /// The names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| &**name)
    }

    pub(super) fn map<M>(&self, mut f: impl FnMut(&str, &N) -> M) -> Named<M> {
        let all = self.0.iter().map(|(name, number)| (name.clone(), f(name, number)));
        Named(all.collect())
    }
}

impl<'de, N: Deserialize<'de>> Deserialize<'de> for Named<N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Named<N>, D::Error> {
        struct Entries<N>(PhantomData<N>);
        impl<'de, N: Deserialize<'de>> Visitor<'de> for Entries<N> {
            type Value = Named<N>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a table of numbers")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Named<N>, A::Error> {
                let mut list = Vec::new();
                while let Some((name, number)) = map.next_entry::<String, N>()? {
                    list.push((name.into(), number));
                }
                Ok(Named(list))
            }
        }
        deserializer.deserialize_map(Entries(PhantomData))
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
