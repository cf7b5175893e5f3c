//! The section `patterns`: a list of rules, each complete and valid or refused.

use std::collections::BTreeSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::super::patterns::{
    Pattern, What, When, read_kind, read_message, read_name, read_names, read_severity,
};
use super::paths::globs;
use super::reader::{Mapping, Reader, Section};
use super::values::Scalar;
use crate::finding::{FindingType, Severity};

/// More are a mistake: each is looked for on every commit.
const MAX_PATTERNS: usize = 100;

const KEYS: &[&str] = &["name", "type", "severity", "message", "paths", "when", "call", "symbol"];

/// Names that `explain` and reports use for something else.
const RESERVED: &[&str] = &["proof"];

/// The names of a file's patterns as far as they can be read: other sections may stand above and mention them.
pub fn names(text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Named {
        name: Option<String>,
        #[serde(flatten)]
        _rest: std::collections::BTreeMap<String, IgnoredAny>,
    }
    #[derive(Deserialize)]
    struct Document {
        #[serde(default)]
        patterns: Vec<Named>,
    }
    if !text.contains("patterns") {
        return Vec::new();
    }
    let document: Option<Document> = serde_yaml::from_str(text).ok();
    let patterns = document.map(|document| document.patterns).unwrap_or_default();
    patterns.into_iter().filter_map(|pattern| pattern.name).filter(|name| read_name(name).is_ok()).collect()
}

pub struct Patterns<'s, 'r>(pub &'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Patterns<'_, '_> {
    type Value = Vec<Pattern>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Patterns<'_, '_> {
    type Value = Vec<Pattern>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of patterns, each with name, type, severity, message, and call, symbol or paths")
    }

    fn visit_unit<E>(self) -> Result<Self::Value, E> {
        Ok(Vec::new())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let reader = self.0;
        let (mut patterns, mut taken): (Vec<Pattern>, BTreeSet<String>) = Default::default();
        while let Some(pattern) = {
            let section = StatedPattern::new(&taken);
            list.next_element_seed(Mapping { reader, section })?.map(StatedPattern::pattern)
        } {
            if patterns.len() == MAX_PATTERNS {
                return Err(reader.refuse(format!("a policy has at most {MAX_PATTERNS} patterns: join some")));
            }
            taken.insert(pattern.name.clone());
            patterns.push(pattern);
        }
        Ok(patterns)
    }
}

/// A pattern while it is read.
struct StatedPattern<'n> {
    /// The names of the patterns above.
    taken: &'n BTreeSet<String>,
    name: String,
    kind: FindingType,
    severity: Severity,
    message: String,
    paths: Vec<String>,
    when: When,
    call: Option<String>,
    symbol: Option<String>,
}

impl<'n> StatedPattern<'n> {
    fn new(taken: &'n BTreeSet<String>) -> Self {
        Self {
            taken,
            name: String::new(),
            kind: FindingType::ValidationBypass,
            severity: Severity::Medium,
            message: String::new(),
            paths: Vec::new(),
            when: When::default(),
            call: None,
            symbol: None,
        }
    }

    fn pattern(self) -> Pattern {
        let what = match (self.call, self.symbol) {
            (Some(name), _) => What::Call(name),
            (None, Some(name)) => What::Symbol(name),
            (None, None) => What::File,
        };
        let Self { name, kind, severity, message, paths, when, .. } = self;
        Pattern { name, kind, severity, message, paths, when, what }
    }
}

impl Section for StatedPattern<'_> {
    const KEY: &'static str = "key of a pattern";
    const EXPECTS: &'static str = "a pattern, with name, type, severity, message, and call, symbol or paths";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        KEYS.to_vec()
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        let names = "a glob over names, as in \"*_raw\"";
        match key {
            "name" => {
                let read = |text: &str| free_name(text, self.taken, reader.built_in);
                self.name = map.next_value_seed(Scalar { reader, what: "a name, as in no-raw-sql", read })?;
            }
            "type" => {
                let what = "one of the seven types, as in validation_bypass";
                self.kind = map.next_value_seed(Scalar { reader, what, read: read_kind })?;
            }
            "severity" => {
                let what = "low, medium, high or critical";
                self.severity = map.next_value_seed(Scalar { reader, what, read: read_severity })?;
            }
            "message" => {
                let what = "what to tell people, in one sentence";
                self.message = map.next_value_seed(Scalar { reader, what, read: read_message })?;
            }
            "paths" => self.paths = map.next_value_seed(globs(reader))?,
            "when" => {
                let read = str::parse::<When>;
                self.when = map.next_value_seed(Scalar { reader, what: "added or removed", read })?;
            }
            "call" => {
                self.call = Some(map.next_value_seed(Scalar { reader, what: names, read: read_names })?)
            }
            _ => self.symbol = Some(map.next_value_seed(Scalar { reader, what: names, read: read_names })?),
        }
        Ok(())
    }

    fn missing(&self, seen: &BTreeSet<String>) -> Option<String> {
        let whose = match self.name.as_str() {
            "" => "a pattern".to_owned(),
            name => format!("the pattern `{name}`"),
        };
        let needed = ["name", "type", "severity", "message"].into_iter().find(|key| !seen.contains(*key));
        if let Some(key) = needed {
            return Some(format!("{whose} needs `{key}:`"));
        }
        if self.call.is_some() && self.symbol.is_some() {
            return Some(format!("{whose} has both `call:` and `symbol:`: make two patterns of it"));
        }
        let nothing = self.call.is_none() && self.symbol.is_none() && self.paths.is_empty();
        nothing.then(|| format!("{whose} looks for nothing: add `call:`, `symbol:` or `paths:`"))
    }
}

fn free_name(text: &str, taken: &BTreeSet<String>, built_in: &[&str]) -> Result<String, String> {
    let name = read_name(text)?;
    if taken.contains(&name) {
        return Err(format!("a pattern `{name}` stands above already: give this one another name"));
    }
    if built_in.contains(&name.as_str()) || RESERVED.contains(&name.as_str()) {
        return Err(format!("`{name}` is a rule of aiwg-gate itself: give this pattern another name"));
    }
    Ok(name)
}
