//! Examples of documentation that ran as tests, and that are only shown now.
//!
//! Part of the rule about skipped tests.

use super::ID;
use crate::comparison::{Comparison, FileComparison};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::languages::doc_examples;
use crate::text::contains;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.files.iter().filter_map(switched_off).collect()
}

fn switched_off(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let changed = after.lines_unlike(before);
    if !contains(changed, b"```") && !contains(changed, b"~~~") && !contains(changed, b"doctest:") {
        return None;
    }
    let language = after.facts.language;
    let (old, new) = (doc_examples(language, &before.text), doc_examples(language, &after.text));
    // What is new was never run; what only moved is as much as before.
    if new.unrun.len() <= old.unrun.len() || new.run >= old.run {
        return None;
    }
    let known = |code: &str| old.unrun.iter().any(|one| one.code == code);
    let first =
        new.unrun.iter().find(|one| !known(&one.code) && contains(&before.text, one.code.as_bytes()))?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!(
            "an example of {} that ran as a test is now only shown: `{}`",
            after.path, first.mark
        ),
        help: format!("take the mark off at {}:{} and make the example run", after.path, first.line),
    };
    let mut finding = draft.on(Side::After, after, first.line, after.path.clone());
    finding.detail = first.code.clone();
    finding.after =
        excerpt(after, Span { start: first.line, end: first.line + 2 }, first.line, "it no longer runs");
    finding.lower(Severity::Medium, "it is an example, and may not be fit to run");
    Some(finding)
}
