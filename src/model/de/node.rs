//! One value of the TOML tree as a serde deserializer.

mod access;

use std::ops::Range;

use serde::de::{self, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::access::{Choice, Fields, Items, Place};
use super::{LOCATED, Reader, Stop, in_file_order, join};
use crate::model::fault::{did_you_mean, excerpt, listed, suggestion};

/// The choices that come with keys of their own.
const WITH_KEYS: [&str; 6] = ["Section", "Friction", "History", "Probe", "Arc", "Release"];

#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Value(&'a DeValue<'a>),
    /// A number that a host has put in.
    Patch(f64),
    /// Stands for a missing value.
    Placeholder,
}

/// One value of the tree.
#[derive(Clone)]
pub(super) struct Node<'r, 'a> {
    pub reader: &'r Reader<'a>,
    pub source: Source<'r>,
    pub span: Range<usize>,
    pub path: String,
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
    pub fn settle<T>(&self, result: Result<T, Stop>) -> Result<T, Stop> {
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
            .map(|(i, item)| {
                // FMI names a number in a list of lists `list[2,0]`.
                let path = match self.path.strip_suffix(']') {
                    Some(outer) => format!("{outer},{i}]"),
                    None => format!("{}[{i}]", self.path),
                };
                self.inner(path, item)
            })
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
