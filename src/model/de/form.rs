//! What a type reads from the file: its keys, which of them must be there, and the choices.
//!
//! The types say it themselves. A deserializer that has no file offers every key and every choice in turn
//! and notes what is asked of it, so that what is told here is what the reader takes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::{GROUP, LABELS, LOCATED, Stop};

/// What may stand in a place of the model file.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// A number, or an expression in quotes.
    Number,
    /// `true` or `false`.
    Truth,
    /// A name or a text in quotes.
    Text,
    /// A name in quotes, or a list of names.
    Group,
    /// A name in quotes or a whole number, or a list of these.
    Labels,
    /// As many as one likes.
    List(Box<Form>),
    /// So many numbers, or other things that are alike.
    Tuple(usize, Box<Form>),
    /// A table with these keys.
    Table(Vec<Key>),
    /// One of these words: by itself, or as the only key of a table that holds what it needs.
    Choice(Vec<(&'static str, Option<Form>)>),
    /// A table of entries whose names the user chooses.
    Entries(Box<Form>),
}

/// A key of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    pub word: &'static str,
    /// Whether the reader misses it where it is not there.
    pub required: bool,
    pub form: Form,
}

/// What a type reads.
pub(crate) fn of<T: DeserializeOwned>() -> Form {
    let mut asked: BTreeMap<String, Asked> = BTreeMap::new();
    // Under which choices a table was met first.
    let mut ways: BTreeMap<String, BTreeMap<String, usize>> = BTreeMap::new();
    let mut tried: BTreeSet<(String, usize)> = BTreeSet::new();
    let mut waiting = vec![BTreeMap::new()];
    while let Some(chosen) = waiting.pop() {
        let look = Look::new(&chosen, None);
        // Whether anything comes of it is no matter; what was asked for is.
        let _ = T::deserialize(look.at(String::new()));
        for (path, what) in look.asked.into_inner() {
            if let Asked::Choice(words) = what {
                tried.insert((path.clone(), chosen.get(&path).copied().unwrap_or(0)));
                for other in 0..words.len() {
                    if tried.insert((path.clone(), other)) {
                        let mut way = chosen.clone();
                        way.insert(path.clone(), other);
                        waiting.push(way);
                    }
                }
            }
            ways.entry(path.clone()).or_insert_with(|| chosen.clone());
            asked.insert(path, what);
        }
    }
    let misses = |path: &str, key: &'static str| {
        let left_out = inside(path, key);
        let look = Look::new(&ways[path], Some(&left_out));
        matches!(T::deserialize(look.at(String::new())), Err(Stop::Missing(missed)) if missed == key)
    };
    form(&asked, "", &misses)
}

/// What a place was asked for.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Number,
    Truth,
    Text,
    Group,
    Labels,
    List,
    Tuple(usize),
    Table(&'static [&'static str]),
    Choice(&'static [&'static str]),
}

fn form(
    asked: &BTreeMap<String, Asked>, path: &str, misses: &dyn Fn(&str, &'static str) -> bool,
) -> Form {
    let inner = |key: &str| form(asked, &inside(path, key), misses);
    match asked.get(path) {
        Some(Asked::Number) => Form::Number,
        Some(Asked::Truth) => Form::Truth,
        // A type that asks for nothing is none of the file's.
        Some(Asked::Text) | None => Form::Text,
        Some(Asked::Group) => Form::Group,
        Some(Asked::Labels) => Form::Labels,
        Some(Asked::List) => Form::List(Box::new(inner("[]"))),
        Some(Asked::Tuple(length)) => Form::Tuple(*length, Box::new(inner("[]"))),
        Some(Asked::Table(keys)) => {
            let keys = keys.iter().map(|&word| Key {
                word,
                required: misses(path, word),
                form: inner(word),
            });
            Form::Table(keys.collect())
        }
        Some(Asked::Choice(words)) => {
            let with_keys = |word: &str| asked.contains_key(&inside(path, word));
            let words = words.iter().map(|&word| (word, with_keys(word).then(|| inner(word))));
            Form::Choice(words.collect())
        }
    }
}

/// A place inside of another.
fn inside(path: &str, key: &str) -> String {
    format!("{path}/{key}")
}

/// One pass through a type.
struct Look<'a> {
    /// Which of the words of a choice is taken; the first unless it is here.
    chosen: &'a BTreeMap<String, usize>,
    /// A key that is not offered.
    left_out: Option<&'a str>,
    asked: RefCell<BTreeMap<String, Asked>>,
}

impl<'a> Look<'a> {
    fn new(chosen: &'a BTreeMap<String, usize>, left_out: Option<&'a str>) -> Look<'a> {
        Look { chosen, left_out, asked: RefCell::default() }
    }

    fn at(&self, path: String) -> At<'_> {
        At { look: self, path }
    }
}

/// A place in a pass.
#[derive(Clone)]
struct At<'a> {
    look: &'a Look<'a>,
    path: String,
}

impl<'a> At<'a> {
    fn asks(&self, what: Asked) {
        self.look.asked.borrow_mut().insert(self.path.clone(), what);
    }

    fn inner(&self, key: &str) -> At<'a> {
        self.look.at(inside(&self.path, key))
    }
}

impl<'de> de::Deserializer<'de> for At<'_> {
    type Error = Stop;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.asks(Asked::Number);
        visitor.visit_f64(1.0)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.asks(Asked::Truth);
        visitor.visit_bool(false)
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.asks(Asked::Text);
        visitor.visit_str("")
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
        if [GROUP, LABELS].contains(&name) {
            self.asks(match name {
                GROUP => Asked::Group,
                _ => Asked::Labels,
            });
            let none = Items { at: self, left: 0 };
            return visitor.visit_newtype_struct(de::value::SeqAccessDeserializer::new(none));
        }
        if name == LOCATED {
            visitor.visit_seq(Place { at: self, next: 0 })
        } else {
            visitor.visit_newtype_struct(self)
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Stop> {
        self.asks(Asked::List);
        visitor.visit_seq(Items { at: self, left: 1 })
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self, length: usize, visitor: V,
    ) -> Result<V::Value, Stop> {
        self.asks(Asked::Tuple(length));
        visitor.visit_seq(Items { at: self, left: length })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self, _name: &'static str, fields: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        self.asks(Asked::Table(fields));
        visitor.visit_map(Fields { at: self, left: fields.iter(), key: "" })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self, _name: &'static str, variants: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        self.asks(Asked::Choice(variants));
        let taken = self.look.chosen.get(&self.path).copied().unwrap_or(0);
        let word = variants.get(taken).copied();
        visitor.visit_enum(Word {
            word: word.ok_or_else(|| de::Error::custom("a choice of nothing"))?,
            at: self,
        })
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct
        tuple_struct map identifier ignored_any
    }
}

/// Start, end and path of a value, then the value.
struct Place<'a> {
    at: At<'a>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Place<'_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self, seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        self.next += 1;
        let part = match self.next {
            1 | 2 => seed.deserialize(0_u64.into_deserializer()),
            3 => seed.deserialize(String::new().into_deserializer()),
            _ => seed.deserialize(self.at.clone()),
        };
        part.map(Some)
    }
}

struct Items<'a> {
    at: At<'a>,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self, seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.at.inner("[]")).map(Some)
    }
}

struct Fields<'a> {
    at: At<'a>,
    left: std::slice::Iter<'static, &'static str>,
    key: &'static str,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self, seed: K,
    ) -> Result<Option<K::Value>, Stop> {
        let left_out = self.at.look.left_out;
        let path = &self.at.path;
        let mut offered = (self.left.by_ref()).filter(|key| left_out != Some(&inside(path, key)));
        let Some(key) = offered.next() else {
            return Ok(None);
        };
        self.key = key;
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        seed.deserialize(self.at.inner(self.key))
    }
}

struct Word<'a> {
    word: &'static str,
    at: At<'a>,
}

impl<'de> EnumAccess<'de> for Word<'_> {
    type Error = Stop;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Stop> {
        Ok((seed.deserialize(self.word.into_deserializer())?, self))
    }
}

impl<'de> VariantAccess<'de> for Word<'_> {
    type Error = Stop;

    fn unit_variant(self) -> Result<(), Stop> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Stop> {
        seed.deserialize(self.at.inner(self.word))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Stop> {
        de::Deserializer::deserialize_tuple(self.at.inner(self.word), length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self, fields: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        de::Deserializer::deserialize_struct(self.at.inner(self.word), "", fields, visitor)
    }
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::{Name, Scalar};
    use super::*;

    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Wheel {
        point: Name,
        radius: Option<Scalar>,
        #[serde(default)]
        driven: bool,
        #[serde(default)]
        spokes: Vec<[Scalar; 2]>,
        tyre: Tyre,
    }

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Tyre {
        SolidRubber,
        Air { pressure: Scalar },
    }

    #[test]
    fn a_type_tells_its_keys_its_choices_and_what_it_misses() {
        let key = |word, required, form| Key { word, required, form };
        let pair = Form::Tuple(2, Box::new(Form::Number));
        let air = Form::Table(vec![key("pressure", true, Form::Number)]);
        let tyre = Form::Choice(vec![("solid_rubber", None), ("air", Some(air))]);
        assert_eq!(
            of::<Wheel>(),
            Form::Table(vec![
                key("point", true, Form::Text),
                key("radius", false, Form::Number),
                key("driven", false, Form::Truth),
                key("spokes", false, Form::List(Box::new(pair))),
                key("tyre", true, tyre),
            ])
        );
    }
}
