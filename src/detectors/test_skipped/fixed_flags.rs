//! Flags that decide whether tests run, and that are no longer found out but written down: `HAS_NUMPY = False`.

use super::ID;
use crate::assertions::split;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Definition, Skip, Span};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter(|file| file.class == PathClass::Test).filter_map(in_file).collect()
}

fn in_file(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let fixed = after.facts.definitions.iter().find(|flag| {
        is_fixed(flag) && !had(before, flag) && named(before, &flag.name) && decides(after, &flag.name)
    })?;
    let line = fixed.span.start;
    let value = fixed.value.as_deref().unwrap_or_default();
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("`{}`, which decides whether tests run, is now always {value}", fixed.name),
        help: format!("find it out as before ({}:{line})", after.path),
    };
    let mut finding = draft.on(Side::After, after, line, format!("{}::{}", after.path, fixed.name));
    finding.after = excerpt(after, Span { start: line, end: line }, line, "it was found out before");
    Some(finding)
}

fn is_fixed(flag: &Definition) -> bool {
    matches!(flag.value.as_deref(), Some("True" | "False" | "true" | "false" | "None" | "null"))
}

/// Whether the flag was given this value before.
fn had(side: &FileSide, flag: &Definition) -> bool {
    side.facts.definitions.iter().any(|other| other.name == flag.name && other.value == flag.value)
}

fn named(side: &FileSide, name: &str) -> bool {
    side.facts.definitions.iter().any(|other| other.name == name) || decides(side, name)
}

/// Whether a test is skipped under a condition on the flag.
fn decides(side: &FileSide, name: &str) -> bool {
    let asks = |skip: &Skip| {
        split(&skip.mark).chain(skip.under.iter().flat_map(|under| split(under))).any(|word| word == name)
    };
    side.facts.tests.iter().any(|test| test.skip.iter().chain(&test.conditions).any(asks))
}
