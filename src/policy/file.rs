//! The file format, version 1: what stands in `aiwg-gate.yaml`, and what does not.
//!
//! Owns the YAML parser. Refuses unknown and repeated keys, and names the place of everything it refuses. Values
//! go straight into the types below: no generic YAML value exists, so a file cannot make one grow.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::{MAX_BYTES, PathGlobs, PathList, Policy, PolicyError, Profile, RuleAction, glob, scan, suggest};

/// More globs in one list are a mistake, and each costs time on every commit.
const MAX_GLOBS: usize = 1000;

const TOP_KEYS: &[&str] = &["version", "profile", "paths", "rules"];

/// What a policy file says. What it leaves out is absent here too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFile {
    pub profile: Option<Profile>,
    pub rules: BTreeMap<String, RuleAction>,
    pub paths: BTreeMap<PathList, Vec<String>>,
}

impl PolicyFile {
    pub fn parse_bytes(bytes: &[u8], known_rules: &[&str]) -> Result<Self, PolicyError> {
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::parse(text, known_rules),
            Err(error) => {
                let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
                let line = before.matches('\n').count() + 1;
                let column = before.rsplit('\n').next().map_or(0, |last| last.chars().count()) + 1;
                Err(PolicyError::at(line, column, "the file is not UTF-8 here: save it as UTF-8 text"))
            }
        }
    }

    pub fn parse(text: &str, known_rules: &[&str]) -> Result<Self, PolicyError> {
        if text.len() > MAX_BYTES {
            let size = text.len();
            let message =
                format!("the file has {size} bytes, {MAX_BYTES} is the limit: keep only settings in it");
            return Err(PolicyError::at(1, 1, message));
        }
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        scan::check(text)?;
        let reader = Reader { known_rules, refusal: RefCell::new(None) };
        let parsed = Document(&reader).deserialize(serde_yaml::Deserializer::from_str(text));
        parsed.map_err(|error| reader.explain(&error, text))
    }

    pub fn into_policy(mut self) -> Policy {
        let mut take = |list| self.paths.remove(&list).unwrap_or_default();
        let paths = PathGlobs {
            tests: take(PathList::Tests),
            documentation: take(PathList::Documentation),
            ignored: take(PathList::Ignored),
            vendored: take(PathList::Vendored),
        };
        Policy { profile: self.profile.unwrap_or_default(), rules: self.rules, paths, ..Policy::default() }
    }
}

/// What all parts of the reading share.
struct Reader<'r> {
    known_rules: &'r [&'r str],
    /// The sentence of an error that was found here and not by the parser, which adds words of its own.
    refusal: RefCell<Option<String>>,
}

impl Reader<'_> {
    fn refuse<E: de::Error>(&self, message: impl Into<String>) -> E {
        *self.refusal.borrow_mut() = Some(message.into());
        E::custom("refused")
    }

    /// The parser knows the place, this module the sentence.
    fn explain(&self, error: &serde_yaml::Error, text: &str) -> PolicyError {
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

/// A single value that is read from its text.
struct Scalar<'s, 'r, T> {
    reader: &'s Reader<'r>,
    what: &'static str,
    read: fn(&str) -> Result<T, String>,
}

impl<'de, T> DeserializeSeed<'de> for Scalar<'_, '_, T> {
    type Value = T;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<T, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<T> Visitor<'_> for Scalar<'_, '_, T> {
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

struct Version<'s, 'r>(&'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Version<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Visitor<'_> for Version<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the number 1")
    }

    fn visit_u64<E: de::Error>(self, version: u64) -> Result<(), E> {
        if version == 1 {
            return Ok(());
        }
        let message =
            format!("version {version} is not known to this aiwg-gate: write `version: 1`, or update it");
        Err(self.0.refuse(message))
    }
}

struct Globs<'s, 'r>(&'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Globs<'_, '_> {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<String>, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Globs<'_, '_> {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of globs, as in [\"tests/**\"]")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Vec<String>, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
        let read = |text: &str| glob::compile(text).map(|_| text.to_owned());
        let mut globs = Vec::new();
        while let Some(glob) =
            list.next_element_seed(Scalar { reader: self.0, what: "a glob, or leave it out", read })?
        {
            if globs.len() == MAX_GLOBS {
                return Err(self.0.refuse(format!("a list has at most {MAX_GLOBS} globs: use wider ones")));
            }
            globs.push(glob);
        }
        Ok(globs)
    }
}

struct Paths<'s, 'r>(&'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Paths<'_, '_> {
    type Value = BTreeMap<PathList, Vec<String>>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Paths<'_, '_> {
    type Value = BTreeMap<PathList, Vec<String>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lists of globs by name, as in { tests: [\"checks/**\"] }")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let known = PathList::ALL.map(PathList::name);
        let (mut seen, mut paths) = (BTreeSet::new(), BTreeMap::new());
        let reader = self.0;
        while let Some(name) =
            map.next_key_seed(Key { reader, what: "list of paths", known: &known, seen: &mut seen })?
        {
            let globs = map.next_value_seed(Globs(reader))?;
            paths.extend(PathList::from_name(&name).map(|list| (list, globs)));
        }
        Ok(paths)
    }
}

struct Rules<'s, 'r>(&'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Rules<'_, '_> {
    type Value = BTreeMap<String, RuleAction>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Rules<'_, '_> {
    type Value = BTreeMap<String, RuleAction>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("actions by rule, as in { test-skipped: warn }")
    }

    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Ok(BTreeMap::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let reader = self.0;
        let (mut seen, mut rules) = (BTreeSet::new(), BTreeMap::new());
        while let Some(rule) =
            map.next_key_seed(Key { reader, what: "rule", known: reader.known_rules, seen: &mut seen })?
        {
            let what = "an action: block, warn, log or off";
            rules.insert(rule, map.next_value_seed(Scalar { reader, what, read: str::parse })?);
        }
        Ok(rules)
    }
}

struct Document<'s, 'r>(&'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Document<'_, '_> {
    type Value = PolicyFile;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<PolicyFile, D::Error> {
        deserializer.deserialize_any(self)
    }
}

const NO_VERSION: &str = "the version is missing: the first line must be `version: 1`";

impl<'de> Visitor<'de> for Document<'_, '_> {
    type Value = PolicyFile;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("settings as `key: value`, the first being `version: 1`")
    }

    fn visit_unit<E: de::Error>(self) -> Result<PolicyFile, E> {
        Err(self.0.refuse(NO_VERSION))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<PolicyFile, A::Error> {
        let reader = self.0;
        let (mut seen, mut file) = (BTreeSet::new(), PolicyFile::default());
        while let Some(key) =
            map.next_key_seed(Key { reader, what: "key", known: TOP_KEYS, seen: &mut seen })?
        {
            let what = "a profile: standard, strict or advisory";
            match key.as_str() {
                "version" => map.next_value_seed(Version(reader))?,
                "profile" => {
                    file.profile = Some(map.next_value_seed(Scalar { reader, what, read: str::parse })?);
                }
                "paths" => file.paths = map.next_value_seed(Paths(reader))?,
                _ => file.rules = map.next_value_seed(Rules(reader))?,
            }
        }
        if !seen.contains("version") {
            return Err(reader.refuse(NO_VERSION));
        }
        Ok(file)
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
