//! A serde deserializer over the spanned TOML tree that does not stop at the first fault.
//!
//! Keys that a type does not know are reported and skipped; a scalar of the wrong type is reported
//! and replaced by a placeholder; a missing key is reported and the entry read again with a
//! placeholder for it. What was read with any fault is dropped by [`Reader::entry`], which reads
//! every entry of a section on its own, so that one broken entry does not hide the rest.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;

use serde::de::{
    self, Deserialize, DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess,
    Visitor,
};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Fault, MOST, did_you_mean, excerpt, listed, suggestion};

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

/// The choices that come with keys of their own.
const WITH_KEYS: [&str; 4] = ["Section", "Friction", "History", "Probe"];

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

#[derive(Clone, Copy)]
enum Source<'a> {
    Value(&'a DeValue<'a>),
    /// A number that a host has put in.
    Patch(f64),
    /// Stands for a missing value.
    Placeholder,
}

/// One value of the tree.
#[derive(Clone)]
struct Node<'r, 'a> {
    reader: &'r Reader<'a>,
    source: Source<'r>,
    span: Range<usize>,
    path: String,
}

impl<'r> Node<'r, '_> {
    fn expected(&self, what: &str) {
        if let Source::Value(value) = self.source {
            let seen = seen(value);
            self.reader.report(
                &self.span,
                format!("{} is {seen}; expected {what}", self.path),
            );
        }
    }

    fn table(&self, what: &str) -> Result<Option<&'r DeTable<'r>>, Stop> {
        match self.source {
            Source::Value(DeValue::Table(table)) => Ok(Some(table)),
            Source::Placeholder => Ok(None),
            _ => {
                self.expected(what);
                Err(Stop::Reported)
            }
        }
    }

    /// Turns a missing key into a fault and asks for another round.
    fn settle<T>(&self, result: Result<T, Stop>) -> Result<T, Stop> {
        match result {
            Err(Stop::Missing(key)) => {
                let path = format!("{}.{key}", self.path);
                if !matches!(self.source, Source::Placeholder) {
                    self.reader
                        .report(&self.span, format!("{} needs the key `{key}`", self.path));
                }
                self.reader.missing.borrow_mut().insert(path);
                Err(Stop::Again)
            }
            Err(Stop::Message(message)) => {
                self.reader
                    .report(&self.span, format!("{}: {message}", self.path));
                Err(Stop::Reported)
            }
            other => other,
        }
    }
}

/// What was found, in a reader's words.
fn seen(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(s) => format!("the text \"{}\"", excerpt(s)),
        DeValue::Integer(i) => format!("the number {}", excerpt(i.as_str())),
        DeValue::Float(x) => format!("the number {}", excerpt(x.as_str())),
        DeValue::Boolean(b) => format!("{b}"),
        DeValue::Datetime(d) => format!("the date {d}"),
        DeValue::Array(a) => format!("a list of {}", a.len()),
        DeValue::Table(_) => "a table".to_string(),
    }
}

fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        // A whole number beyond 64 bits is a number like any other.
        DeValue::Integer(i) if i.radix() == 10 => i.as_str().parse().ok(),
        DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix())
            .ok()
            .map(|i| i as f64),
        DeValue::Float(x) => x.as_str().parse().ok(),
        _ => None,
    }
}

macro_rules! scalar {
    ($method:ident, $visit:ident, $what:literal, $placeholder:expr, $read:expr) => {
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
            let read: fn(&DeValue<'_>) -> Option<_> = $read;
            let value = match self.source {
                Source::Value(value) => read(value),
                _ => Some($placeholder),
            };
            if value.is_none() {
                self.expected($what);
            }
            visitor.$visit(value.unwrap_or($placeholder))
        }
    };
}

impl<'de> de::Deserializer<'de> for Node<'_, '_> {
    type Error = Stop;

    /// Only a [`Number`] asks for anything.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.source {
            Source::Patch(value) => visitor.visit_f64(value),
            Source::Placeholder => visitor.visit_f64(1.0),
            Source::Value(DeValue::String(s)) => visitor.visit_str(s),
            Source::Value(value) => {
                let given = number(value);
                if given.is_none() {
                    self.expected("a number or an expression in quotes");
                }
                visitor.visit_f64(given.unwrap_or(1.0))
            }
        }
    }

    scalar!(
        deserialize_bool,
        visit_bool,
        "true or false",
        false,
        |v| match v {
            DeValue::Boolean(b) => Some(*b),
            _ => None,
        }
    );
    scalar!(
        deserialize_u64,
        visit_u64,
        "a whole number that is not negative",
        1,
        |v| match v {
            DeValue::Integer(i) => u64::from_str_radix(i.as_str(), i.radix()).ok(),
            _ => None,
        }
    );
    scalar!(deserialize_f64, visit_f64, "a number", 1.0, number);

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        match self.source {
            Source::Value(DeValue::String(s)) => visitor.visit_str(s),
            _ => {
                self.expected("a name or text in quotes");
                visitor.visit_str("")
            }
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        if name == LOCATED {
            visitor.visit_seq(Place {
                node: self,
                next: 0,
            })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let Source::Value(DeValue::Array(items)) = self.source else {
            self.expected("a list in `[ ]`");
            return Err(Stop::Reported);
        };
        let nodes: Vec<Node<'_, '_>> = items
            .iter()
            .enumerate()
            .map(|(i, item)| self.inner(format!("{}[{i}]", self.path), item))
            .collect();
        let result = visitor.visit_seq(Items(nodes.into_iter()));
        self.settle(result)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let fits = match self.source {
            Source::Value(DeValue::Array(items)) => items.len() == length,
            _ => false,
        };
        if !fits {
            self.expected(&format!("a list of {length} numbers, like [0.0, 1.5]"));
            return Err(Stop::Reported);
        }
        self.deserialize_seq(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let table = self.table("a table")?;
        let mut entries: Vec<(String, Node<'_, '_>)> = Vec::new();
        for (key, value) in table.map(in_file_order).unwrap_or_default() {
            if fields.contains(&key.get_ref().as_ref()) {
                entries.push((key.get_ref().to_string(), self.child(key, value)));
            } else {
                let known = || fields.iter().copied();
                // The key that was meant is not missed as well.
                if let Some(meant) = suggestion(key.get_ref(), known()) {
                    let path = join(&self.path, meant);
                    self.reader.missing.borrow_mut().insert(path);
                }
                self.reader.report(
                    &key.span(),
                    format!(
                        "unknown key `{}` in {}; allowed: {}{}",
                        excerpt(key.get_ref()),
                        self.path,
                        listed(known()),
                        did_you_mean(key.get_ref(), known())
                    ),
                );
            }
        }
        for &field in fields {
            let path = join(&self.path, field);
            let patch = self.reader.patches.get(&path).copied();
            let present = entries.iter_mut().find(|(key, _)| key == field);
            match (present, patch) {
                (Some((_, node)), Some(value)) => node.source = Source::Patch(value),
                (None, _) if self.reader.missing.borrow().contains(&path) => {
                    entries.push((field.to_string(), self.made(path, Source::Placeholder)));
                }
                _ => {}
            }
        }
        let result = visitor.visit_map(Fields {
            entries: entries.into_iter(),
            value: None,
        });
        self.settle(result)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        let choice = || listed(variants.iter().copied());
        let form = if WITH_KEYS.contains(&name) {
            format!("a table with one of the keys {}", choice())
        } else {
            format!("one of {}", choice())
        };
        let (variant, span, inner) = match self.source {
            Source::Value(DeValue::String(s)) => (s.to_string(), self.span.clone(), None),
            Source::Value(DeValue::Table(table)) if table.len() == 1 => {
                match in_file_order(table).into_iter().next() {
                    Some((key, value)) => (
                        key.get_ref().to_string(),
                        key.span(),
                        Some(self.child(key, value)),
                    ),
                    None => return Err(Stop::Reported),
                }
            }
            Source::Value(DeValue::Table(table)) => {
                let message = format!("{} has {} keys; expected {form}", self.path, table.len());
                self.reader.report(&self.span, message);
                return Err(Stop::Reported);
            }
            Source::Placeholder => return Err(Stop::Reported),
            _ => {
                self.expected(&form);
                return Err(Stop::Reported);
            }
        };
        if !variants.contains(&variant.as_str()) {
            self.reader.report(
                &span,
                format!(
                    "unknown choice `{}` for {}; allowed: {}{}",
                    excerpt(&variant),
                    self.path,
                    choice(),
                    did_you_mean(&variant, variants.iter().copied())
                ),
            );
            return Err(Stop::Reported);
        }
        let result = visitor.visit_enum(Choice { variant, inner });
        self.settle(result)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 char bytes byte_buf unit unit_struct
        tuple_struct map identifier ignored_any
    }
}

impl<'r, 'a> Node<'r, 'a> {
    fn child(
        &self,
        key: &Spanned<toml::de::DeString<'_>>,
        value: &'r Spanned<DeValue<'r>>,
    ) -> Node<'r, 'a> {
        self.inner(join(&self.path, key.get_ref()), value)
    }

    /// The value at `path` inside of this one, or what a host has put in its place.
    fn inner(&self, path: String, value: &'r Spanned<DeValue<'r>>) -> Node<'r, 'a> {
        let source = match self.reader.patches.get(&path) {
            Some(patch) => Source::Patch(*patch),
            None => Source::Value(value.get_ref()),
        };
        Node {
            reader: self.reader,
            source,
            span: value.span(),
            path,
        }
    }

    fn made(&self, path: String, source: Source<'r>) -> Node<'r, 'a> {
        Node {
            reader: self.reader,
            source,
            span: self.span.clone(),
            path,
        }
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

struct Fields<'r, 'a> {
    entries: std::vec::IntoIter<(String, Node<'r, 'a>)>,
    value: Option<Node<'r, 'a>>,
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, Stop> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Stop::Reported),
        }
    }
}

struct Items<'r, 'a>(std::vec::IntoIter<Node<'r, 'a>>);

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        self.0.next().map(|node| seed.deserialize(node)).transpose()
    }
}

struct Choice<'r, 'a> {
    variant: String,
    inner: Option<Node<'r, 'a>>,
}

impl<'de, 'r, 'a> de::EnumAccess<'de> for Choice<'r, 'a> {
    type Error = Stop;
    type Variant = Content<'r, 'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self,
        seed: V,
    ) -> Result<(V::Value, Content<'r, 'a>), Stop> {
        let variant = self.variant.clone();
        let key = seed.deserialize(variant.clone().into_deserializer())?;
        Ok((
            key,
            Content {
                variant,
                inner: self.inner,
            },
        ))
    }
}

struct Content<'r, 'a> {
    variant: String,
    inner: Option<Node<'r, 'a>>,
}

impl<'r, 'a> Content<'r, 'a> {
    fn value(self) -> Result<Node<'r, 'a>, Stop> {
        let variant = self.variant;
        self.inner
            .ok_or_else(|| Stop::Message(format!("`{variant}` needs keys: {variant} = {{ … }}")))
    }
}

impl<'de> de::VariantAccess<'de> for Content<'_, '_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        match self.inner {
            None => Ok(()),
            Some(_) => Err(Stop::Message(format!(
                "`{0}` takes no keys; write \"{0}\" in quotes",
                self.variant
            ))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self.value()?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Stop> {
        de::Deserializer::deserialize_tuple(self.value()?, len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Stop> {
        de::Deserializer::deserialize_struct(self.value()?, "", fields, visitor)
    }
}

/// Start, end and path of a node, then its value.
struct Place<'r, 'a> {
    node: Node<'r, 'a>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Place<'_, '_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        self.next += 1;
        let part = match self.next {
            1 => seed.deserialize((self.node.span.start as u64).into_deserializer()),
            2 => seed.deserialize((self.node.span.end as u64).into_deserializer()),
            3 => seed.deserialize(self.node.path.clone().into_deserializer()),
            _ => {
                let value = seed.deserialize(self.node.clone());
                self.node.settle(value)
            }
        };
        part.map(Some)
    }
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
