//! One value of the TOML tree as a serde deserializer.

mod access;

use std::ops::Range;

use serde::de::{self, IntoDeserializer, Visitor};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use self::access::{Choice, Fields, Items, Place};
use super::{DATA_FILE, GROUP, LABEL, LABELS, LOCATED, Reader, SWITCH, Stop, in_file_order, join};
use crate::message::excerpt;
use crate::message::{did_you_mean, listed, suggestion};

#[derive(Clone, Copy)]
pub(super) enum Source<'a> {
    Value(&'a DeValue<'a>),
    /// A number that a host has put in.
    Patch(f64),
    /// ContactKinematics for a missing value.
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
            self.report(format!("{} is {}; expected {what}", self.path, seen(value)));
        }
    }

    /// What is no list: of a text that would do as an entry, how it is written in one, of another what is allowed in the list.
    fn no_list<'de, V: Visitor<'de>>(&self, visitor: V) -> Stop {
        let Source::Value(DeValue::String(one)) = self.source else {
            self.expected("a list in `[ ]`");
            return Stop::Reported;
        };
        let before = self.reader.faults.borrow().len();
        let alone = self.made(self.path.clone(), self.source);
        _ = visitor.visit_seq(Items { nodes: vec![alone].into_iter(), unreadable: false });
        let wrong = self.reader.faults.borrow_mut().drain(before..).next();
        let allowed = wrong.as_ref().and_then(|fault| fault.reason_and_cure().1);
        self.expected(&match allowed {
            Some(allowed) => format!("a list in `[ ]`; {allowed}"),
            None => format!("a list in `[ ]`, like [\"{}\"]", excerpt(one)),
        });
        Stop::Reported
    }

    fn report(&self, message: String) {
        self.reader.report_of(&self.path, &self.span, message);
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
                let path = join(&self.path, key);
                // One that cannot be read and cannot be left out either.
                if self.reader.unreadable.borrow().contains(&path) {
                    return Err(Stop::Reported);
                }
                match self.source {
                    // The unknown key has its own message.
                    Source::Placeholder => self.reader.doubt(&path),
                    _ => {
                        let message =
                            format!("{0} needs the key `{key}`; add `{key} = …` to {0}", self.path);
                        self.reader.report_of(&path, &self.span, message);
                    }
                }
                self.reader.missing.borrow_mut().insert(path);
                Err(Stop::Again)
            }
            Err(Stop::Message(message)) => {
                self.report(format!("{}: {message}", self.path));
                Err(Stop::Reported)
            }
            other => other,
        }
    }
}

/// What to write instead of a key that other programs have there, where a suggested word is not enough; else empty.
fn advice(path: &str, key: &str) -> &'static str {
    let section = |name: &str| path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
    match key {
        "ratio" | "damping_ratio" | "zeta" | "xi" if section("damping") => {
            " Write a ratio for each of two modes: `ratios = [0.02, 0.02]` and `modes = [1, 2]`"
        }
        "x" | "y" | "rotation" if section("initial.points") => {
            "; a run starts from the positions of [points], or in equilibrium. To pluck a structure, give it a load whose history ends, and \
             `equilibrium = true` in [initial]: see \"Let it swing\" in the second model"
        }
        _ => "",
    }
}

/// How a value of `[parameters]` gets what other programs give it in a table.
const IN_A_COMMENT: &str = ", in SI units: `k = 3.0  # N/m, stiffness of the mount`; the comment describes it in the FMU, and the numbers that use it \
    have their own ranges";

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
        DeValue::Integer(i) => i64::from_str_radix(i.as_str(), i.radix()).ok().map(|i| i as f64),
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
            Source::Placeholder => visitor.visit_unit(),
            Source::Value(DeValue::String(s)) => visitor.visit_str(s),
            Source::Value(value) => match number(value) {
                Some(given) => visitor.visit_f64(given),
                None => {
                    let is_named = self.path.starts_with("parameters.");
                    let cure = match value {
                        DeValue::Table(_) if is_named => IN_A_COMMENT,
                        DeValue::Boolean(true) => "; write 1 for true",
                        DeValue::Boolean(false) => "; write 0 for false",
                        _ => "",
                    };
                    self.expected(&format!("a number or an expression in quotes{cure}"));
                    visitor.visit_unit()
                }
            },
        }
    }

    scalar!(deserialize_bool, visit_bool, "true or false", false, |v| match v {
        DeValue::Boolean(b) => Some(*b),
        _ => None,
    });
    scalar!(deserialize_u64, visit_u64, "a whole number that is not negative", 1, |v| match v {
        DeValue::Integer(i) => u64::from_str_radix(i.as_str(), i.radix()).ok(),
        _ => None,
    });
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
        self, name: &'static str, visitor: V,
    ) -> Result<V::Value, Stop> {
        if let (DATA_FILE, Source::Value(DeValue::String(file))) = (name, self.source) {
            let mut files = self.reader.data_files.borrow_mut();
            files.entry(file.to_string()).or_insert(self.span.clone());
        }
        if let (LABEL, Source::Value(DeValue::Integer(number))) = (name, self.source) {
            return visitor.visit_newtype_struct(number.as_str().into_deserializer());
        }
        if let (SWITCH, Source::Value(DeValue::Boolean(on))) = (name, self.source) {
            return visitor.visit_newtype_struct(f64::from(u8::from(*on)).into_deserializer());
        }
        let is_list = matches!(self.source, Source::Value(DeValue::Array(_)));
        if [GROUP, LABELS].contains(&name) && !is_list {
            let alone = Items { nodes: vec![self].into_iter(), unreadable: false };
            return visitor.visit_newtype_struct(de::value::SeqAccessDeserializer::new(alone));
        }
        if name == LOCATED {
            visitor.visit_seq(Place { node: self, next: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let Source::Value(DeValue::Array(items)) = self.source else {
            return Err(self.no_list(visitor));
        };
        let mut nodes: Vec<Node<'_, '_>> = items
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
        let count = nodes.len();
        nodes.retain(|node| !self.reader.unreadable.borrow().contains(&node.path));
        let result =
            visitor.visit_seq(Items { unreadable: nodes.len() < count, nodes: nodes.into_iter() });
        self.settle(result)
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self, length: usize, visitor: V,
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
        self, _name: &'static str, fields: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        let keys = || match fields {
            [one] => format!("a table with the key `{one}`"),
            _ => format!("a table with some of the keys {}", listed(fields.iter().copied())),
        };
        let table = self.table(&keys())?;
        let mut entries: Vec<(String, Node<'_, '_>)> = Vec::new();
        for (key, value) in table.map(in_file_order).unwrap_or_default() {
            if fields.contains(&key.get_ref().as_ref()) {
                let node = self.child(key, value);
                if !self.reader.unreadable.borrow().contains(&node.path) {
                    entries.push((key.get_ref().to_string(), node));
                }
            } else {
                let known = || fields.iter().copied();
                // The key that was meant is not missed as well.
                if let Some(meant) = suggestion(key.get_ref(), known()) {
                    let path = join(&self.path, meant);
                    self.reader.faulty.borrow_mut().insert(path.clone());
                    self.reader.missing.borrow_mut().insert(path);
                }
                let message = format!(
                    "unknown key `{}` in {}; allowed: {}{}{}",
                    excerpt(key.get_ref()),
                    self.path,
                    listed(known()),
                    did_you_mean(key.get_ref(), known()),
                    advice(&self.path, key.get_ref())
                );
                let path = join(&self.path, key.get_ref());
                self.reader.report_of(&path, &key.span(), message);
            }
        }
        for &field in fields {
            let path = join(&self.path, field);
            if self.reader.unreadable.borrow().contains(&path) {
                continue;
            }
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
        let result = visitor.visit_map(Fields { entries: entries.into_iter(), value: None });
        self.settle(result)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self, _name: &'static str, variants: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        let choice = || listed(variants.iter().copied());
        let (variant, span, inner) = match self.source {
            Source::Value(DeValue::String(s)) => (s.to_string(), self.span.clone(), None),
            Source::Value(DeValue::Table(table)) if table.len() == 1 => {
                match in_file_order(table).into_iter().next() {
                    Some((key, value)) => {
                        (key.get_ref().to_string(), key.span(), Some(self.child(key, value)))
                    }
                    None => return Err(Stop::Reported),
                }
            }
            Source::Placeholder => return Err(Stop::Reported),
            source => {
                let form = match takes_keys(variants, visitor) {
                    true => format!("a table with one of the keys {}", choice()),
                    false => format!("one of {}", choice()),
                };
                match source {
                    Source::Value(DeValue::Table(table)) => {
                        let keys = in_file_order(table).into_iter();
                        let keys: Vec<String> =
                            keys.map(|(key, _)| excerpt(key.get_ref())).collect();
                        let has = match keys.len() {
                            0 => "is an empty table".to_string(),
                            _ => {
                                format!("has the keys {}", listed(keys.iter().map(String::as_str)))
                            }
                        };
                        self.report(format!("{} {has}; expected {form}", self.path));
                    }
                    _ => self.expected(&form),
                }
                return Err(Stop::Reported);
            }
        };
        if !variants.contains(&variant.as_str()) {
            let message = format!(
                "unknown choice `{}` for {}; allowed: {}{}",
                excerpt(&variant),
                self.path,
                choice(),
                did_you_mean(&variant, variants.iter().copied())
            );
            self.reader.report_of(&self.path, &span, message);
            return Err(Stop::Reported);
        }
        let result = visitor.visit_enum(Choice { variant, inner });
        self.settle(result)
    }

    /// A table whose keys the user chooses.
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        let table = self.table("a table, like { mu = 0.3 }")?;
        let entries = table.map(in_file_order).unwrap_or_default().into_iter();
        let entries =
            entries.map(|(key, value)| (key.get_ref().to_string(), self.child(key, value)));
        let mut entries: Vec<(String, Node<'_, '_>)> = entries.collect();
        entries.retain(|(_, node)| !self.reader.unreadable.borrow().contains(&node.path));
        visitor.visit_map(Fields { entries: entries.into_iter(), value: None })
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 char bytes byte_buf unit unit_struct
        tuple_struct identifier ignored_any
    }
}

/// Whether the choices that `visitor` makes come with keys of their own: then a bare word is none.
fn takes_keys<'de, V: Visitor<'de>>(variants: &[&str], visitor: V) -> bool {
    let bare = variants.first().map(|word| Choice { variant: word.to_string(), inner: None });
    bare.is_some_and(|bare| visitor.visit_enum(bare).is_err())
}

impl<'r, 'a> Node<'r, 'a> {
    fn child(
        &self, key: &Spanned<toml::de::DeString<'_>>, value: &'r Spanned<DeValue<'r>>,
    ) -> Node<'r, 'a> {
        self.inner(join(&self.path, key.get_ref()), value)
    }

    /// The value at `path` inside of this one, or what a host has put in its place.
    fn inner(&self, path: String, value: &'r Spanned<DeValue<'r>>) -> Node<'r, 'a> {
        let source = match self.reader.patches.get(&path) {
            Some(patch) => Source::Patch(*patch),
            None => Source::Value(value.get_ref()),
        };
        Node { reader: self.reader, source, span: value.span(), path }
    }

    fn made(&self, path: String, source: Source<'r>) -> Node<'r, 'a> {
        Node { reader: self.reader, source, span: self.span.clone(), path }
    }
}
