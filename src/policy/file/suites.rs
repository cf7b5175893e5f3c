//! The section `suites`: a list of mappings, each complete and valid or refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};

use super::super::{Framework, Required, SUITE_TIMEOUT, SuiteSetting, choice, folder};
use super::environment::Environment;
use super::paths::globs;
use super::reader::{Mapping, Reader, Section};
use super::values::{Flag, Number, Scalar};

/// More suites are a mistake: each is asked about on every commit.
const MAX_SUITES: usize = 100;

const MAX_NAME: usize = 100;

/// From what no run fits into, to a day.
const TIMEOUT: (u64, u64) = (5, 86_400);

const KEYS: &[&str] = &[
    "name",
    "paths",
    "command",
    "framework",
    "timeout_seconds",
    "required",
    "working_directory",
    "environment",
    "fail_fast",
];

pub struct Suites<'s, 'r>(pub &'s Reader<'r>);

impl<'de> DeserializeSeed<'de> for Suites<'_, '_> {
    type Value = Vec<SuiteSetting>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Suites<'_, '_> {
    type Value = Vec<SuiteSetting>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of suites, as in [{ name: unit, paths: [\"src/**\"], command: make test }]")
    }

    /// Nothing at all could mean "none" or "find them", and these are far apart.
    fn visit_unit<E: de::Error>(self) -> Result<Self::Value, E> {
        Err(self.0.refuse("the suites are missing: list them, write [] for none, or leave the key out"))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let reader = self.0;
        let (mut suites, mut names) = (Vec::new(), BTreeSet::new());
        while let Some(suite) = {
            let section = StatedSuite::new(&names);
            list.next_element_seed(Mapping { reader, section })?.map(|stated| stated.setting)
        } {
            if suites.len() == MAX_SUITES {
                return Err(reader.refuse(format!("a policy has at most {MAX_SUITES} suites: join some")));
            }
            names.insert(suite.name.clone());
            suites.push(suite);
        }
        Ok(suites)
    }
}

/// A suite while it is read.
struct StatedSuite<'n> {
    /// The names of the suites above.
    taken: &'n BTreeSet<String>,
    setting: SuiteSetting,
}

impl<'n> StatedSuite<'n> {
    fn new(taken: &'n BTreeSet<String>) -> Self {
        let setting = SuiteSetting {
            name: String::new(),
            paths: Vec::new(),
            command: String::new(),
            framework: None,
            timeout_seconds: SUITE_TIMEOUT,
            required: Required::default(),
            working_directory: String::new(),
            environment: BTreeMap::new(),
            fail_fast: false,
        };
        Self { taken, setting }
    }
}

impl Section for StatedSuite<'_> {
    const KEY: &'static str = "key of a suite";
    const EXPECTS: &'static str = "a suite, as in { name: unit, paths: [\"src/**\"], command: make test }";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        KEYS.to_vec()
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        let suite = &mut self.setting;
        match key {
            "name" => {
                let read = |text: &str| name(text, self.taken);
                suite.name = map.next_value_seed(Scalar { reader, what: "a name", read })?;
            }
            "paths" => suite.paths = map.next_value_seed(globs(reader))?,
            "command" => {
                let what = "a command, as you type it to a shell";
                suite.command = map.next_value_seed(Scalar { reader, what, read: command })?;
            }
            "framework" => {
                let what = "a framework, or leave the key out";
                suite.framework = Some(map.next_value_seed(Scalar { reader, what, read: framework })?);
            }
            "timeout_seconds" => {
                let number = Number { reader, what: "timeout_seconds", from: TIMEOUT.0, to: TIMEOUT.1 };
                suite.timeout_seconds = map.next_value_seed(number)?;
            }
            "required" => {
                let what = "commit, push or ci";
                let read = str::parse::<Required>;
                suite.required = map.next_value_seed(Scalar { reader, what, read })?;
            }
            "working_directory" => {
                let what = "a folder, or leave the key out";
                let read = folder::read;
                suite.working_directory = map.next_value_seed(Scalar { reader, what, read })?;
            }
            "environment" => suite.environment = map.next_value_seed(Environment(reader))?,
            _ => suite.fail_fast = map.next_value_seed(Flag)?,
        }
        Ok(())
    }

    fn missing(&self, seen: &BTreeSet<String>) -> Option<String> {
        let suite = &self.setting;
        let needs = |what: &str| match suite.name.as_str() {
            "" => Some(format!("a suite needs {what}")),
            name => Some(format!("the suite `{name}` needs {what}")),
        };
        if !seen.contains("name") {
            return needs("a name: add `name: unit` or the like");
        }
        if !seen.contains("command") {
            return needs("a command: add `command:` with what you type to run it");
        }
        if suite.paths.is_empty() {
            return needs(
                "paths: list the globs whose change asks for a run, as in [\"src/**\", \"tests/**\"]",
            );
        }
        None
    }
}

fn name(text: &str, taken: &BTreeSet<String>) -> Result<String, String> {
    let length = text.chars().count();
    if length > MAX_NAME {
        return Err(format!("a name of {length} characters is too long: {MAX_NAME} is the limit"));
    }
    if text.chars().any(char::is_control) {
        return Err("a name is one line of text without control characters".into());
    }
    if text.starts_with('-') {
        return Err(format!("`{text}` reads like an option: start the name with another character than `-`"));
    }
    if text.trim() != text {
        return Err(format!("`{text}`: take the space around the name away"));
    }
    if taken.contains(text) {
        return Err(format!("a suite `{text}` stands above already: give this one another name"));
    }
    Ok(text.to_owned())
}

fn command(text: &str) -> Result<String, String> {
    if text.trim().is_empty() {
        return Err("the command is empty: write what you type to run the suite".into());
    }
    if text.chars().any(|c| c.is_control() && c != '\t') {
        return Err("a command is one line: put several into a script, or `&&` between them".into());
    }
    Ok(text.trim().to_owned())
}

fn framework(text: &str) -> Result<Framework, String> {
    choice::read(text, "framework", &Framework::ALL, Framework::name)
}
