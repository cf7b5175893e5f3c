//! What a test file writes down itself: an assertion about that says nothing about the code.

use super::alike::split;
use super::unit::View;
use crate::collections::HashSet;
use crate::facts::{Assertion, ClaimKind, DefinitionKind};

/// Words that lead to a value without being its name.
const LEADING: &[&str] = &[
    "new",
    "Set",
    "Map",
    "Array",
    "Object",
    "from",
    "keys",
    "values",
    "len",
    "set",
    "list",
    "sorted",
    "tuple",
    "await",
    "dict",
    "String",
    "str",
    "JSON",
    "stringify",
];

/// The constants of a file that hold written values.
pub struct Own<'a>(HashSet<&'a str>);

impl<'a> Own<'a> {
    pub fn of(view: &View<'a>) -> Self {
        let written = |value: &str| value.trim_start().starts_with(['[', '{', '"', '\'', '(']);
        let constants =
            view.file.facts.definitions.iter().filter(|found| found.kind == DefinitionKind::Constant);
        let held = constants.filter(|found| found.value.as_deref().is_some_and(written));
        Self(held.map(|found| found.name.as_str()).collect())
    }

    /// Whether an assertion looks at nothing but such a constant.
    pub fn is_source_of(&self, assertion: &Assertion) -> bool {
        let claim = &assertion.claim;
        let root = split(&claim.subject).find(|word| !LEADING.contains(word));
        claim.kind == ClaimKind::Value && root.is_some_and(|root| self.0.contains(root))
    }
}
