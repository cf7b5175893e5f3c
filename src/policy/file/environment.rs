//! The variables of a suite: names that a system takes, and values as they are written.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::reader::Reader;
use super::values::Scalar;

pub struct Environment<'s, 'r>(pub &'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Environment<'_, '_> {
    type Value = BTreeMap<String, String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Environment<'_, '_> {
    type Value = BTreeMap<String, String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("variables by name, as in { CI: \"1\" }")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (reader, what) = (self.0, "the name of a variable");
        let mut variables = BTreeMap::new();
        while let Some(name) =
            map.next_key_seed(Scalar { reader, what, read: |text: &str| name(text, &variables) })?
        {
            let value = map.next_value_seed(Variable { reader, name: &name })?;
            variables.insert(name, value);
        }
        Ok(variables)
    }
}

fn name(text: &str, taken: &BTreeMap<String, String>) -> Result<String, String> {
    let shown: String = text.chars().take(80).collect();
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !text.chars().all(word) || text.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("`{shown}` is no name of a variable: use letters, digits and `_`"));
    }
    if text.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("GIT_")) {
        return Err(format!("`{shown}` belongs to git, and tests run without its variables: leave it out"));
    }
    if taken.contains_key(text) {
        return Err(format!("the variable `{shown}` is given twice: keep one of them"));
    }
    Ok(text.to_owned())
}

/// A value as it is written, so that `1.10` stays `1.10`. An empty one needs quotes: nothing could be an oversight.
struct Variable<'s, 'r> {
    reader: &'s Reader<'r>,
    name: &'s str,
}

impl<'de> DeserializeSeed<'de> for Variable<'_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for Variable<'_, '_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text of a variable")
    }

    fn visit_none<E: de::Error>(self) -> Result<String, E> {
        let name = self.name;
        Err(self
            .reader
            .refuse(format!("the variable `{name}` has no value: write one, or \"\" for an empty one")))
    }

    fn visit_unit<E: de::Error>(self) -> Result<String, E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<String, E> {
        if text.contains('\0') {
            return Err(self.reader.refuse("a variable cannot hold the character 0: leave it out"));
        }
        Ok(text.to_owned())
    }
}
