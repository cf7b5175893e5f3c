//! Functions that test without being tests to the runner: a test calls them, or a list names them. One that is gone, or that
//! nothing names any more, checks nothing.

use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::detectors::test_removed;
use crate::detectors::test_skipped;
use crate::facts::{Definition, DefinitionKind};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::text::contains;

/// A body that has so much of a lost one is that one, under another name or written out in place.
const ALIKE: f64 = 0.6;

/// Larger files are not searched for names.
const MOST_BYTES: usize = 2 << 20;

pub fn removed(comparison: &Comparison) -> Vec<Finding> {
    let tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    tests.flat_map(|file| gone(comparison, file)).collect()
}

pub fn left_out(comparison: &Comparison) -> Vec<Finding> {
    let tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    tests.flat_map(|file| unnamed(comparison, file)).collect()
}

/// Functions that test by their names and by what they do.
fn testing(side: &FileSide) -> impl Iterator<Item = &Definition> {
    side.facts.definitions.iter().filter(|definition| {
        definition.kind == DefinitionKind::Function
            && !definition.assertions.is_empty()
            && is_named_test(&definition.name)
    })
}

/// Whether a name begins or ends with what it is: `testTotals`, `totals_test`.
fn is_named_test(name: &str) -> bool {
    let lower = name.to_lowercase();
    let ends = lower.ends_with("_test") || name.ends_with("Test");
    (lower.starts_with("test") || ends) && name.len() > "_test".len()
}

fn gone(comparison: &Comparison, file: &FileComparison) -> Vec<Finding> {
    let (Some(before), Some(_)) = (&file.before, &file.after) else { return Vec::new() };
    let sides = || comparison.files.iter().filter_map(|file| file.after.as_ref());
    let lives_on = |lost: &Definition| {
        sides().flat_map(|side| &side.facts.definitions).any(|other| {
            other.name == lost.name
                || !other.assertions.is_empty()
                    && !before.facts.definitions.iter().any(|known| known.name == other.name)
                    && lost.body.containment(&other.body) >= ALIKE
        }) || sides()
            .flat_map(|side| &side.facts.tests)
            .any(|test| test.name == lost.name || lost.body.containment(&test.body) >= ALIKE)
    };
    let is_test = |lost: &Definition| before.facts.tests.iter().any(|test| test.name == lost.name);
    let lost = testing(before).filter(|lost| !is_test(lost) && !lives_on(lost));
    let finding = |lost: &Definition| {
        let draft = Draft {
            rule: test_removed::ID,
            severity: Severity::Medium,
            confidence: 0.8,
            message: format!("the function {}, which tests, was removed", lost.name),
            help: format!("put it back; this prints it: {}", show_before(comparison, before, lost.span)),
        };
        let symbol = format!("{}::{}", before.path, lost.name);
        let mut finding = draft.on(Side::Before, before, lost.span.start, symbol);
        finding.before = excerpt(before, lost.span, lost.span.start, "this is gone");
        if comparison.production.changed {
            finding.lower(
                Severity::Low,
                "production code changes with it, so what is right may have changed too",
            );
        }
        finding
    };
    lost.map(finding).collect()
}

fn unnamed(comparison: &Comparison, file: &FileComparison) -> Vec<Finding> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Vec::new() };
    if before.text.len().max(after.text.len()) > MOST_BYTES {
        return Vec::new();
    }
    let region = before.lines_unlike(after);
    let is_test = |one: &Definition| after.facts.tests.iter().any(|test| test.name == one.name);
    let others = |name: &str| {
        let others = comparison.files.iter().filter_map(|file| file.after.as_ref());
        others.filter(|side| side.path != after.path).any(|side| count(side, name) > 0)
    };
    let is_left_out = |one: &&Definition| {
        contains(region, one.name.as_bytes())
            && !is_test(one)
            && before.facts.definitions.iter().any(|known| known.name == one.name)
            && count(after, &one.name) == 1
            && count(before, &one.name) > 1
            && !others(&one.name)
    };
    let finding = |one: &Definition| {
        let draft = Draft {
            rule: test_skipped::ID,
            severity: Severity::Medium,
            confidence: 0.8,
            message: format!(
                "nothing in {} names {} any more, so what it tests is not run",
                after.path, one.name
            ),
            help: format!(
                "name it again where the others are, or delete it ({}:{})",
                after.path, one.span.start
            ),
        };
        let symbol = format!("{}::{}", after.path, one.name);
        let mut finding = draft.on(Side::After, after, one.span.start, symbol);
        finding.after = excerpt(after, one.span, one.span.start, "this was named before");
        finding
    };
    testing(after).filter(is_left_out).map(finding).collect()
}

/// How often a name stands in a file.
fn count(side: &FileSide, name: &str) -> usize {
    let text = String::from_utf8_lossy(&side.text);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .filter(|(at, _)| !text[..*at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
        .count()
}
