//! Entries, items and choices inside a value, as serde visits them.

use serde::de::{self, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use super::Node;
use crate::model::de::Stop;

pub(super) struct Fields<'r, 'a> {
    pub entries: std::vec::IntoIter<(String, Node<'r, 'a>)>,
    pub value: Option<Node<'r, 'a>>,
}

impl<'de> MapAccess<'de> for Fields<'_, '_> {
    type Error = Stop;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self, seed: K,
    ) -> Result<Option<K::Value>, Stop> {
        let Some((key, value)) = self.entries.next() else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Stop> {
        let Some(value) = self.value.take() else {
            return Err(Stop::Reported);
        };
        let (reader, path) = (value.reader, value.path.clone());
        match seed.deserialize(value) {
            // One that cannot be left out either ends the entry.
            Err(Stop::Reported) if reader.leave_out(&path) => Err(Stop::Again),
            outcome => outcome,
        }
    }
}

pub(super) struct Items<'r, 'a> {
    pub nodes: std::vec::IntoIter<Node<'r, 'a>>,
    /// Whether one of them could not be read: the list is none, but the others are looked at.
    pub unreadable: bool,
}

impl<'de> SeqAccess<'de> for Items<'_, '_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self, seed: T,
    ) -> Result<Option<T::Value>, Stop> {
        let Some(node) = self.nodes.next() else {
            return if self.unreadable { Err(Stop::Reported) } else { Ok(None) };
        };
        let (reader, path) = (node.reader, node.path.clone());
        match seed.deserialize(node) {
            Err(Stop::Reported) if reader.leave_out(&path) => Err(Stop::Again),
            outcome => outcome.map(Some),
        }
    }
}

pub(super) struct Choice<'r, 'a> {
    pub variant: String,
    pub inner: Option<Node<'r, 'a>>,
}

impl<'de, 'r, 'a> de::EnumAccess<'de> for Choice<'r, 'a> {
    type Error = Stop;
    type Variant = Content<'r, 'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(
        self, seed: V,
    ) -> Result<(V::Value, Content<'r, 'a>), Stop> {
        let variant = self.variant.clone();
        let key = seed.deserialize(variant.clone().into_deserializer())?;
        Ok((key, Content { variant, inner: self.inner }))
    }
}

pub(super) struct Content<'r, 'a> {
    variant: String,
    inner: Option<Node<'r, 'a>>,
}

impl<'r, 'a> Content<'r, 'a> {
    fn value(self) -> Result<Node<'r, 'a>, Stop> {
        let variant = self.variant;
        self.inner
            .ok_or_else(|| Stop::Message(format!("`{variant}` needs keys; write {variant} = {{ … }} with them in place of \"{variant}\"")))
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
        self, fields: &'static [&'static str], visitor: V,
    ) -> Result<V::Value, Stop> {
        de::Deserializer::deserialize_struct(self.value()?, "", fields, visitor)
    }
}

/// Start, end and path of a node, then its value.
pub(super) struct Place<'r, 'a> {
    pub node: Node<'r, 'a>,
    pub next: usize,
}

impl<'de> SeqAccess<'de> for Place<'_, '_> {
    type Error = Stop;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self, seed: T,
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
