//! Single values and lists of them: text of every spelling, but numbers and booleans only as YAML has them.

use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, SeqAccess, Visitor};

use super::reader::Reader;

/// A single value that is read from its text, whatever YAML takes it for.
pub struct Scalar<'s, 'r, F> {
    pub reader: &'s Reader<'r>,
    pub what: &'static str,
    pub read: F,
}

impl<'de, T, F: FnOnce(&str) -> Result<T, String>> DeserializeSeed<'de> for Scalar<'_, '_, F> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T, F: FnOnce(&str) -> Result<T, String>> Visitor<'_> for Scalar<'_, '_, F> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        if text.is_empty() {
            return Err(self.reader.refuse(format!("a value is missing here: write {}", self.what)));
        }
        (self.read)(text).map_err(|message| self.reader.refuse(message))
    }
}

/// A whole number that YAML takes for one.
pub struct Number<'s, 'r> {
    pub reader: &'s Reader<'r>,
    pub what: &'static str,
    pub from: u64,
    pub to: u64,
}

impl<'de> DeserializeSeed<'de> for Number<'_, '_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Number<'_, '_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: a whole number from {} to {}, without quotes", self.what, self.from, self.to)
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<u64, E> {
        if (self.from..=self.to).contains(&number) {
            return Ok(number);
        }
        let Self { what, from, to, .. } = self;
        Err(self.reader.refuse(format!("{number} is out of range for {what}: write {from} to {to}")))
    }
}

/// `true` or `false` as YAML understands them.
pub struct Flag;

impl<'de> DeserializeSeed<'de> for Flag {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<bool, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Flag {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("true or false, without quotes")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<bool, E> {
        Ok(value)
    }
}

/// A list of single values; nothing at all is an empty one.
pub struct List<'s, 'r> {
    pub reader: &'s Reader<'r>,
    /// The list and one item of it, for sentences.
    pub expects: &'static str,
    pub item: &'static str,
    pub most: usize,
    pub too_many: &'static str,
    pub read: fn(&str) -> Result<String, String>,
}

impl<'de> DeserializeSeed<'de> for List<'_, '_> {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<String>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_> {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expects)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Vec<String>, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) =
            list.next_element_seed(Scalar { reader: self.reader, what: self.item, read: self.read })?
        {
            if items.len() == self.most {
                return Err(self
                    .reader
                    .refuse(format!("a list has at most {} {}", self.most, self.too_many)));
            }
            items.push(item);
        }
        Ok(items)
    }
}
