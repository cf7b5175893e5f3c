//! What every section of the file is read with: errors with their place, known keys, mappings of them.
//!
//! Values go straight into their types: no generic YAML value exists, so a file cannot make one grow.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::super::{PolicyError, suggest};

/// What all parts of the reading share.
pub struct Reader<'r> {
    /// The rules that the file may mention: those of the program, and those it adds itself.
    pub known_rules: &'r [&'r str],
    pub built_in: &'r [&'r str],
    /// The sentence of an error that was found here and not by the parser, which adds words of its own.
    refusal: RefCell<Option<String>>,
}

impl<'r> Reader<'r> {
    pub fn new(known_rules: &'r [&'r str], built_in: &'r [&'r str]) -> Self {
        Self { known_rules, built_in, refusal: RefCell::new(None) }
    }

    pub fn refuse<E: de::Error>(&self, message: impl Into<String>) -> E {
        *self.refusal.borrow_mut() = Some(message.into());
        E::custom("refused")
    }

    /// The parser knows the place, this module the sentence.
    pub fn explain(&self, error: &serde_yaml::Error, text: &str) -> PolicyError {
        let (line, column) = error.location().map_or((1, 1), |at| (at.line(), at.column()));
        if let Some(message) = self.refusal.take() {
            return PolicyError::at(line, column, message);
        }
        let words = error.to_string();
        let place = format!(" at line {line} column {column}");
        let words = words.replacen(&place, "", 1);
        let indent = text.lines().nth(line - 1).unwrap_or("");
        let indent = &indent[..indent.len() - indent.trim_start().len()];
        let hint = if indent.contains('\t') { "; indent with spaces, not with tabs" } else { "" };
        let kind = if words.contains("invalid type") { "" } else { "this is not valid YAML: " };
        PolicyError::at(line, column, format!("{kind}{words}{hint}"))
    }
}

/// A key of a mapping: one of the known names, and once only.
struct Key<'s, 'r> {
    reader: &'s Reader<'r>,
    what: &'static str,
    known: &'s [&'s str],
    seen: &'s mut BTreeSet<String>,
}

impl<'de> DeserializeSeed<'de> for Key<'_, '_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_, '_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a {}: one of {}", self.what, self.known.join(", "))
    }

    fn visit_str<E: de::Error>(self, name: &str) -> Result<String, E> {
        let what = self.what;
        if !self.known.contains(&name) {
            let instead = match suggest::nearest(name, self.known) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("known are {}", self.known.join(", ")),
            };
            let name: String = name.chars().take(80).collect();
            return Err(self.reader.refuse(format!("unknown {what} `{name}`: {instead}")));
        }
        if !self.seen.insert(name.to_owned()) {
            return Err(self.reader.refuse(format!("the {what} `{name}` is given twice: keep one of them")));
        }
        Ok(name.to_owned())
    }
}

/// A mapping whose keys are known.
pub trait Section: Sized {
    /// What one of its keys is called.
    const KEY: &'static str;
    const EXPECTS: &'static str;

    fn known<'s>(&self, reader: &Reader<'s>) -> Vec<&'s str>;

    /// Reads the value of one key.
    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error>;

    /// What to say where a key was left out that must be there.
    fn missing(&self, _seen: &BTreeSet<String>) -> Option<String> {
        None
    }
}

/// Reads a section; nothing at all after its key leaves it as it was.
pub struct Mapping<'s, 'r, S> {
    pub reader: &'s Reader<'r>,
    pub section: S,
}

impl<S: Section> Mapping<'_, '_, S> {
    fn complete<E: de::Error>(self, seen: &BTreeSet<String>) -> Result<S, E> {
        match self.section.missing(seen) {
            Some(message) => Err(self.reader.refuse(message)),
            None => Ok(self.section),
        }
    }
}

impl<'de, S: Section> DeserializeSeed<'de> for Mapping<'_, '_, S> {
    type Value = S;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de, S: Section> Visitor<'de> for Mapping<'_, '_, S> {
    type Value = S;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(S::EXPECTS)
    }

    fn visit_unit<E: de::Error>(self) -> Result<S, E> {
        self.complete(&BTreeSet::new())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<S, A::Error> {
        let (reader, known) = (self.reader, self.section.known(self.reader));
        let mut seen = BTreeSet::new();
        while let Some(key) =
            map.next_key_seed(Key { reader, what: S::KEY, known: &known, seen: &mut seen })?
        {
            self.section.read(&key, &mut map, reader)?;
        }
        self.complete(&seen)
    }
}
