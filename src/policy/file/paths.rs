//! The sections `paths` and `rules`, and the list of globs that `paths` and suites share.

use std::collections::BTreeMap;

use serde::de::MapAccess;

use super::super::{PathList, RuleAction, glob};
use super::reader::{Reader, Section};
use super::values::{List, Scalar};

/// More globs in one list are a mistake, and each costs time on every commit.
const MAX_GLOBS: usize = 1000;

pub fn globs<'s, 'r>(reader: &'s Reader<'r>) -> List<'s, 'r> {
    List {
        reader,
        expects: "a list of globs, as in [\"tests/**\"]",
        item: "a glob, or leave it out",
        most: MAX_GLOBS,
        too_many: "globs: use wider ones",
        read: |text| glob::compile(text).map(|_| text.to_owned()),
    }
}

pub type Paths = BTreeMap<PathList, Vec<String>>;

impl Section for Paths {
    const KEY: &'static str = "list of paths";
    const EXPECTS: &'static str = "lists of globs by name, as in { tests: [\"checks/**\"] }";

    fn known<'s>(&self, _: &Reader<'s>) -> Vec<&'s str> {
        PathList::ALL.map(PathList::name).to_vec()
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        let list = map.next_value_seed(globs(reader))?;
        self.extend(PathList::from_name(key).map(|name| (name, list)));
        Ok(())
    }
}

pub type Rules = BTreeMap<String, RuleAction>;

impl Section for Rules {
    const KEY: &'static str = "rule";
    const EXPECTS: &'static str = "actions by rule, as in { test-skipped: warn }";

    fn known<'s>(&self, reader: &Reader<'s>) -> Vec<&'s str> {
        reader.known_rules.to_vec()
    }

    fn read<'de, A: MapAccess<'de>>(
        &mut self,
        key: &str,
        map: &mut A,
        reader: &Reader<'_>,
    ) -> Result<(), A::Error> {
        let what = "an action: block, warn, log or off";
        let action = map.next_value_seed(Scalar { reader, what, read: str::parse::<RuleAction> })?;
        self.insert(key.to_owned(), action);
        Ok(())
    }
}
