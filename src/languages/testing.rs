//! How the packs' own tests look at facts: one line a test.

use super::{Source, analyze};
use crate::facts::{Claim, ClaimKind, FileFacts, Level, Test};

/// The tests of a file, one a line: `Suite::name` and what is special about it.
///
/// `3 cases` or `? cases` where it is not one, `2 asserts` where there are any, `template` where the
/// tests of a shared function run in other files only, and the skip as `kind/scope "reason"`. Subtests are indented.
pub fn inventory(path: &str, text: &str) -> String {
    let mut facts = analyze(Source { path, text: text.as_bytes() });
    let own = facts.test_macros.clone();
    facts.resolve_macro_tests(|name| own.iter().any(|own| own == name));
    facts.tests.iter().map(line).collect()
}

fn line(test: &Test) -> String {
    let mut line = String::new();
    if test.level == Level::Subtest {
        line.push_str("  ");
    }
    line.push_str(&test.qualified_name());
    match test.cases {
        Some(1) => {}
        Some(count) => line.push_str(&format!(", {count} cases")),
        None => line.push_str(", ? cases"),
    }
    if !test.assertions.is_empty() {
        line.push_str(&format!(", {} asserts", test.assertions.len()));
    }
    if test.level == Level::Template {
        line.push_str(", template");
    }
    if let Some(skip) = &test.skip {
        line.push_str(&format!(", {:?}/{:?}", skip.kind, skip.scope));
        if let Some(reason) = &skip.reason {
            line.push_str(&format!(" {reason:?}"));
        }
    }
    line.push('\n');
    line
}

/// A claim on one line: kind where it is not about a value, strength, `not`, subject, `= expected`, `~ pattern`, limit.
pub fn claim_line(claim: &Claim) -> String {
    let mut line = String::new();
    if claim.kind != ClaimKind::Value {
        line.push_str(&format!("{:?} ", claim.kind));
    }
    line.push_str(&format!("{:?}", claim.strength));
    if claim.negated {
        line.push_str(" not");
    }
    if !claim.subject.is_empty() {
        line.push_str(&format!(" {}", claim.subject));
    }
    if let Some(expected) = &claim.expected {
        line.push_str(&format!(" = {expected}"));
    }
    if let Some(pattern) = &claim.pattern {
        line.push_str(&format!(" ~ {pattern}"));
    }
    if let Some(limit) = &claim.limit {
        line.push_str(&format!(" {limit:?}"));
    }
    line
}

/// Compares what checks claim with the lines expected.
#[track_caller]
pub fn check_claims(read: fn(&str) -> Claim, table: &[(&str, &str)]) {
    let found: Vec<_> = table.iter().map(|(text, _)| (*text, claim_line(&read(text)))).collect();
    let expected: Vec<_> = table.iter().map(|(text, line)| (*text, (*line).to_owned())).collect();
    assert_eq!(found, expected);
}

/// A claim on one line: its kind unless it is about a value, `not`, the strength, `subject = expected`, `~ pattern`,
/// and the limit.
pub fn claimed(claim: &Claim) -> String {
    let mut line = String::new();
    if claim.kind != ClaimKind::Value {
        line.push_str(&format!("{:?} ", claim.kind));
    }
    if claim.negated {
        line.push_str("not ");
    }
    let expected = claim.expected.as_deref().unwrap_or("-");
    line.push_str(&format!("{:?} {} = {expected}", claim.strength, claim.subject));
    if let Some(pattern) = &claim.pattern {
        line.push_str(&format!(" ~ {pattern}"));
    }
    if let Some(limit) = claim.limit {
        line.push_str(&format!(" {limit:?}"));
    }
    line
}

/// What a file says beyond its tests: per test its checks with where they stand, bindings, rows and doubles; then the
/// values of constants.
pub fn details(path: &str, text: &str) -> String {
    let facts: FileFacts = analyze(Source { path, text: text.as_bytes() });
    let mut lines = String::new();
    for test in &facts.tests {
        let checks =
            test.assertions.iter().map(|check| format!("{:?}: {}", check.reach, claimed(&check.claim)));
        let bindings = test.bindings.iter().map(|binding| format!("{} := {}", binding.name, binding.value));
        let rows = test.rows.iter().map(|row| format!("row {row}"));
        let doubles = test.doubles.iter().map(|double| format!("double {}", double.target));
        for line in checks.chain(bindings).chain(rows).chain(doubles) {
            lines.push_str(&format!("{line}\n"));
        }
    }
    for definition in &facts.definitions {
        if let Some(value) = &definition.value {
            lines.push_str(&format!("{} = {value}\n", definition.name));
        }
    }
    lines
}
