//! A serde deserializer over the spanned TOML tree that does not stop at the first fault.
//!
//! Keys that a type does not know are reported and skipped; a scalar of the wrong type is reported
//! and replaced by a placeholder; a missing key is reported and the entry read again with a
//! placeholder for it. What was read with any fault is dropped by [`Reader::entry`], which reads
//! every entry of a section on its own, so that one broken entry does not hide the rest.

mod node;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::{self, Deserialize, DeserializeOwned, SeqAccess, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, MOST};
use node::{Node, Source};

/// A value with its place in the file and its dotted path.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    pub value: T,
    pub span: Range<usize>,
    pub path: String,
}

/// A number as written: a literal or an expression in quotes.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    Literal(f64),
    Expression(String),
}

/// A number with its place.
pub type Scalar = Located<Number>;
/// A name with its place.
pub type Name = Located<String>;

/// Under this name a newtype asks the reader for place and path of its value.
const LOCATED: &str = "$coulisse::Located";

/// Collects faults and knows which numbers a host has replaced.
pub struct Reader<'a> {
    pub file: &'a str,
    pub text: &'a str,
    patches: &'a BTreeMap<String, f64>,
    faults: RefCell<Vec<Fault>>,
    /// Paths of missing keys that get a placeholder.
    missing: RefCell<BTreeSet<String>>,
}

impl<'a> Reader<'a> {
    pub fn new(file: &'a str, text: &'a str, patches: &'a BTreeMap<String, f64>) -> Reader<'a> {
        Reader {
            file,
            text,
            patches,
            faults: RefCell::default(),
            missing: RefCell::default(),
        }
    }

    /// Records a fault; the same fault is kept once, and no more than [`MOST`].
    pub fn report(&self, span: &Range<usize>, message: String) {
        let fault = Fault::at(self.file, self.text, span, message);
        let mut faults = self.faults.borrow_mut();
        if faults.len() < MOST && !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// Whether no fault is on record.
    pub fn is_clean(&self) -> bool {
        self.faults.borrow().is_empty()
    }

    pub fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }

    /// Reads one entry at `path`; `None` if it has any fault, which is then recorded.
    pub fn entry<T: DeserializeOwned>(
        &self,
        value: &Spanned<DeValue<'_>>,
        path: &str,
    ) -> Option<T> {
        let before = self.faults.borrow().len();
        // Every round finds at least one more missing key; no type has so many.
        for _ in 0..64 {
            let source = match self.patches.get(path) {
                Some(patch) => Source::Patch(*patch),
                None => Source::Value(value.get_ref()),
            };
            let node = Node {
                reader: self,
                source,
                span: value.span(),
                path: path.to_string(),
            };
            match T::deserialize(node) {
                Ok(entry) => {
                    return (self.faults.borrow().len() == before).then_some(entry);
                }
                Err(Stop::Again) => {}
                Err(Stop::Reported) => return None,
                Err(Stop::Missing(key)) => {
                    self.report(&value.span(), format!("{path} needs the key `{key}`"))
                }
                Err(Stop::Message(message)) => {
                    self.report(&value.span(), format!("{path}: {message}"));
                    return None;
                }
            }
        }
        None
    }
}

/// Why a value could not be read.
#[derive(Debug)]
pub enum Stop {
    /// The fault is on record.
    Reported,
    /// A missing key is on record and has a placeholder now: read once more.
    Again,
    Missing(&'static str),
    Message(String),
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Reported | Stop::Again => write!(f, "fault already reported"),
            Stop::Missing(key) => write!(f, "missing key `{key}`"),
            Stop::Message(message) => write!(f, "{message}"),
        }
    }
}

impl std::error::Error for Stop {}

impl de::Error for Stop {
    fn custom<T: fmt::Display>(message: T) -> Stop {
        Stop::Message(message.to_string())
    }

    fn missing_field(field: &'static str) -> Stop {
        Stop::Missing(field)
    }
}
/// `a.b`, or `b` at the top.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_string()
    } else {
        format!("{path}.{key}")
    }
}

type Entry<'r> = (
    &'r Spanned<toml::de::DeString<'r>>,
    &'r Spanned<DeValue<'r>>,
);

/// Entries of a table as the reader of the file meets them.
pub fn in_file_order<'r>(table: &'r DeTable<'r>) -> Vec<Entry<'r>> {
    let mut entries: Vec<Entry<'r>> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Located<T> {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Located<T>, D::Error> {
        struct Parts<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Parts<T> {
            type Value = Located<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a value of the model file")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Located<T>, A::Error> {
                let broken = || de::Error::custom("a located value has four parts");
                let start: u64 = seq.next_element()?.ok_or_else(broken)?;
                let end: u64 = seq.next_element()?.ok_or_else(broken)?;
                let path = seq.next_element()?.ok_or_else(broken)?;
                let value = seq.next_element()?.ok_or_else(broken)?;
                Ok(Located {
                    value,
                    span: start as usize..end as usize,
                    path,
                })
            }
        }
        deserializer.deserialize_newtype_struct(LOCATED, Parts(PhantomData))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: de::Deserializer<'de>>(deserializer: D) -> Result<Number, D::Error> {
        struct Written;
        impl Visitor<'_> for Written {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a number or an expression in quotes")
            }

            fn visit_f64<E>(self, value: f64) -> Result<Number, E> {
                Ok(Number::Literal(value))
            }

            fn visit_str<E>(self, text: &str) -> Result<Number, E> {
                Ok(Number::Expression(text.to_string()))
            }
        }
        deserializer.deserialize_any(Written)
    }
}
