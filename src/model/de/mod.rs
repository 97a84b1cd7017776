//! A serde deserializer over the spanned TOML tree that does not stop at the first fault.
//!
//! Keys that a type does not know are reported and skipped; a scalar of the wrong type is reported
//! and replaced by a placeholder; a missing key is reported and the entry read again with a
//! placeholder for it; a value that cannot be read at all is left out and the entry read again without
//! it. So everything in an entry is read whatever is wrong with the rest of it, and what comes out
//! is distinguished from what was written by [`Reader::faulty`].

mod node;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Bound, Range};

use serde::de::{self, Deserialize, DeserializeOwned, SeqAccess, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, Kind, MOST};
use node::{Node, Source};

/// A value with its place in the file and its dotted path.
#[derive(Debug, Clone, PartialEq)]
pub struct Located<T> {
    pub value: T,
    pub span: Range<usize>,
    pub path: String,
}

impl<T> Located<T> {
    /// The path of a `key` inside of the table that is here.
    pub fn key(&self, key: &str) -> String {
        join(&self.path, key)
    }
}

impl Located<()> {
    /// The place of what is not a value of its own.
    pub fn at(path: String, span: Range<usize>) -> Located<()> {
        Located { value: (), span, path }
    }
}

/// A number as written: a literal or an expression in quotes.
#[derive(Debug, Clone, PartialEq)]
pub enum Number {
    Literal(f64),
    Expression(String),
    /// Missing or no number; the fault is on record.
    Unknown,
}

/// A number with its place.
pub type Scalar = Located<Number>;
/// A name with its place.
pub type Name = Located<String>;

/// Under this name a newtype asks the reader for place and path of its value.
const LOCATED: &str = "$coulisse::Located";

/// Under this name a newtype shows the reader that its value names a data file.
const DATA_FILE: &str = "$coulisse::DataFile";

/// The name of a data file beside the model.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename = "$coulisse::DataFile")]
pub struct DataFile(pub Name);

/// Under this name a newtype shows the reader that a name may stand for a list of one.
const GROUP: &str = "$coulisse::Group";

/// A name, or a list of names.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename = "$coulisse::Group")]
pub struct Group(pub Vec<Name>);

/// Under this name a newtype asks the reader for a text that may be written as a whole number.
const LABEL: &str = "$coulisse::Label";

/// A name, or a number in its place.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename = "$coulisse::Label")]
pub struct Label(pub String);

/// Under this name a newtype asks the reader for a number that may be written as `true` or `false`.
const SWITCH: &str = "$coulisse::Switch";

/// 1 (on) or 0 (off): `true`, `false`, a number, or an expression.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename = "$coulisse::Switch")]
pub struct OnOff(pub Number);

/// A switch with its place.
pub type Switch = Located<OnOff>;

/// Under this name a newtype shows the reader that a label may stand for a list of one.
const LABELS: &str = "$coulisse::Labels";

/// A label, or a list of labels.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
#[serde(rename = "$coulisse::Labels")]
pub struct Labels(pub Vec<Located<Label>>);

/// Collects faults and knows which numbers a host has replaced.
pub struct Reader<'a> {
    pub file: &'a str,
    pub text: &'a str,
    patches: &'a BTreeMap<String, f64>,
    faults: RefCell<Vec<Fault>>,
    /// What kind of fault is looked for.
    kind: Cell<Kind>,
    /// Paths of missing keys that get a placeholder.
    missing: RefCell<BTreeSet<String>>,
    /// Paths of values that cannot be read and are left out.
    unreadable: RefCell<BTreeSet<String>>,
    /// Paths with a fault.
    faulty: RefCell<BTreeSet<String>>,
    /// Names of data files with their places.
    data_files: RefCell<BTreeMap<String, Range<usize>>>,
}

impl<'a> Reader<'a> {
    pub fn new(file: &'a str, text: &'a str, patches: &'a BTreeMap<String, f64>) -> Reader<'a> {
        Reader {
            file,
            text,
            patches,
            faults: RefCell::default(),
            kind: Cell::new(Kind::Structure),
            missing: RefCell::default(),
            unreadable: RefCell::default(),
            faulty: RefCell::default(),
            data_files: RefCell::default(),
        }
    }

    /// Records a fault of what stands at `path`.
    pub fn report_of(&self, path: &str, span: &Range<usize>, message: String) {
        self.faulty.borrow_mut().insert(path.to_string());
        self.report(span, message);
    }

    /// Notes that the value at `path` is not known, for a fault that is reported elsewhere.
    pub fn doubt(&self, path: &str) {
        self.faulty.borrow_mut().insert(path.to_string());
    }

    /// Records a fault; the same fault is kept once, and no more than [`MOST`].
    pub fn report(&self, span: &Range<usize>, message: String) {
        let fault = Fault::at(self.file, self.text, span, message, self.kind.get());
        let mut faults = self.faults.borrow_mut();
        if faults.len() < MOST && !faults.contains(&fault) {
            faults.push(fault);
        }
    }

    /// Ends the reading: what is found from now on is a fault of the content.
    pub fn end_reading(&self) {
        self.kind.set(Kind::Content);
    }

    pub fn into_faults(self) -> Vec<Fault> {
        self.faults.into_inner()
    }

    /// Leaves the value at `path` out of the next round; false if it is left out already.
    fn leave_out(&self, path: &str) -> bool {
        self.unreadable.borrow_mut().insert(path.to_string())
    }

    /// Whether there is a fault at `path` or at something inside of it.
    pub fn is_faulty(&self, path: &str) -> bool {
        is_among(&self.faulty.borrow(), path)
    }

    /// Paths with a fault.
    pub fn faulty(&self) -> BTreeSet<String> {
        self.faulty.borrow().clone()
    }

    /// Names of data files with their places.
    pub fn data_files(&self) -> BTreeMap<String, Range<usize>> {
        self.data_files.borrow().clone()
    }

    /// Reads one entry at `path`; `None` if nothing can be made of it. Its faults are recorded.
    pub fn entry<T: DeserializeOwned>(
        &self, value: &Spanned<DeValue<'_>>, path: &str,
    ) -> Option<T> {
        // Every round finds at least one more key that is missing or cannot be read; no type has so
        // many.
        for _ in 0..64 {
            let source = match self.patches.get(path) {
                Some(patch) => Source::Patch(*patch),
                None => Source::Value(value.get_ref()),
            };
            let node = Node { reader: self, source, span: value.span(), path: path.to_string() };
            match T::deserialize(node) {
                Ok(entry) => return Some(entry),
                Err(Stop::Again) => {}
                Err(Stop::Reported) => return None,
                Err(Stop::Missing(key)) => self.report_of(
                    path,
                    &value.span(),
                    format!("{path} needs the key `{key}`; add `{key} = …` to {path}"),
                ),
                Err(Stop::Message(message)) => {
                    self.report_of(path, &value.span(), format!("{path}: {message}"));
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
    /// A missing key has a placeholder now, or an unreadable one is left out: read once more.
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

/// Whether `path` or something inside of it is in a set of paths.
pub fn is_among(paths: &BTreeSet<String>, path: &str) -> bool {
    // What begins with the path follows it in the order of the set.
    let after = paths.range::<str, _>((Bound::Included(path), Bound::Unbounded));
    let mut rests = after.map_while(|other| other.strip_prefix(path));
    rests.any(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// `a.b`, or `b` at the top.
pub fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

type Entry<'r> = (&'r Spanned<toml::de::DeString<'r>>, &'r Spanned<DeValue<'r>>);

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
                Ok(Located { value, span: start as usize..end as usize, path })
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

            fn visit_unit<E>(self) -> Result<Number, E> {
                Ok(Number::Unknown)
            }
        }
        deserializer.deserialize_any(Written)
    }
}
