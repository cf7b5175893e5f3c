//! The file format, version 1: what stands in `aiwg-gate.yaml`, and what does not.
//!
//! Owns the YAML parser. Refuses unknown and repeated keys, and names the place of everything it refuses. Each
//! section has a reader of its own below.

mod environment;
mod paths;
mod patterns;
mod reader;
mod settings;
mod suites;
mod values;

pub use settings::{StatedFeedback, StatedProof, StatedWaivers};

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, Visitor};

use super::{MAX_BYTES, PathGlobs, PathList, Pattern, Policy, PolicyError, Profile, SuiteSetting, scan};
use paths::{Paths, Rules};
use patterns::Patterns;
use reader::{Mapping, Reader, Section};
use suites::Suites;
use values::Scalar;

const TOP_KEYS: &[&str] =
    &["version", "profile", "paths", "rules", "patterns", "suites", "proof", "feedback", "waivers"];

const NO_VERSION: &str = "the version is missing: the first line must be `version: 1`";

/// What a policy file says. What it leaves out is absent here too.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PolicyFile {
    pub profile: Option<Profile>,
    pub rules: Rules,
    pub paths: Paths,
    pub patterns: Vec<Pattern>,
    pub suites: Option<Vec<SuiteSetting>>,
    pub proof: StatedProof,
    pub feedback: StatedFeedback,
    pub waivers: StatedWaivers,
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
        let added = patterns::names(text);
        let all: Vec<&str> = known_rules.iter().copied().chain(added.iter().map(String::as_str)).collect();
        let reader = Reader::new(&all, known_rules);
        let document = Mapping { reader: &reader, section: Self::default() };
        let parsed = document.deserialize(serde_yaml::Deserializer::from_str(text));
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
        Policy {
            profile: self.profile.unwrap_or_default(),
            rules: self.rules,
            paths,
            patterns: self.patterns,
            suites: self.suites,
            proof: self.proof.settings(),
            feedback: self.feedback.settings(),
            accept_waivers: self.waivers.accept,
        }
    }
}

impl Section for PolicyFile {
    const KEY: &'static str = "key";
    const EXPECTS: &'static str = "settings as `key: value`, the first being `version: 1`";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        TOP_KEYS.to_vec()
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        match key {
            "version" => map.next_value_seed(Version(reader))?,
            "profile" => {
                let what = "a profile: standard, strict or advisory";
                let read = str::parse::<Profile>;
                self.profile = Some(map.next_value_seed(Scalar { reader, what, read })?);
            }
            "paths" => self.paths = map.next_value_seed(Mapping { reader, section: Paths::new() })?,
            "rules" => self.rules = map.next_value_seed(Mapping { reader, section: Rules::new() })?,
            "patterns" => self.patterns = map.next_value_seed(Patterns(reader))?,
            "suites" => self.suites = Some(map.next_value_seed(Suites(reader))?),
            "proof" => {
                self.proof = map.next_value_seed(Mapping { reader, section: StatedProof::default() })?;
            }
            "feedback" => {
                self.feedback =
                    map.next_value_seed(Mapping { reader, section: StatedFeedback::default() })?;
            }
            _ => {
                self.waivers = map.next_value_seed(Mapping { reader, section: StatedWaivers::default() })?;
            }
        }
        Ok(())
    }

    fn missing(&self, seen: &BTreeSet<String>) -> Option<String> {
        (!seen.contains("version")).then(|| NO_VERSION.to_owned())
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

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "file/suites_tests.rs"]
mod suites_tests;

#[cfg(test)]
#[path = "file/patterns_tests.rs"]
mod patterns_tests;

#[cfg(test)]
#[path = "file/settings_tests.rs"]
mod settings_tests;
