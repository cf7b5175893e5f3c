//! Runs that end well before the tests are through, and lists of tests that lose some.

use super::ID;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Named, RunEnd, Span};
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let tests = || comparison.files.iter().filter(|file| file.class == PathClass::Test);
    let lists = tests().flat_map(|file| left_out(comparison, file).or_else(|| asked_for(file)));
    tests().filter_map(ends_well).chain(lists).collect()
}

/// The run of the tests of a file is called a success where it was called a failure.
fn ends_well(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let count = |side: &FileSide, well: bool| {
        side.facts.collection.ends.iter().filter(|end| end.well == well).count()
    };
    let fewer_failures = count(after, false) < count(before, false);
    // What ends the run whatever the tests find is told by another rule.
    let told = !after.facts.collection.takeovers.is_empty();
    if count(after, true) <= count(before, true) || !fewer_failures || told {
        return None;
    }
    // A call that was there has its line before it, too: the first that has not is the new one.
    let known: HashSet<String> = ends(before).map(|end| line_of(before, end.line)).collect();
    let is_new = |end: &&RunEnd| end.well && !known.contains(&line_of(after, end.line));
    let end = ends(after).find(is_new)?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.9,
        message: format!("{} ends the run as a success where it ended it as a failure", after.path),
        help: format!("let the run fail where its tests cannot run ({}:{})", after.path, end.line),
    };
    let mut finding = draft.on(Side::After, after, end.line, after.path.clone());
    let line = Span { start: end.line, end: end.line };
    finding.after = excerpt(after, line, end.line, "no test runs after this, and nobody is told");
    Some(finding)
}

fn ends(side: &FileSide) -> impl Iterator<Item = &RunEnd> {
    side.facts.collection.ends.iter()
}

fn line_of(side: &FileSide, line: u32) -> String {
    side.lines(Span { start: line, end: line }).next().unwrap_or_default().trim().to_owned()
}

/// A list of tests no longer names some that are still there.
fn left_out(comparison: &Comparison, file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let still: HashSet<&str> = names(&after.facts.collection.registered).collect();
    let lost = before
        .facts
        .collection
        .registered
        .iter()
        .find(|one| !still.contains(one.name.as_str()) && !is_gone(comparison, &one.name))?;
    // Where the list is taken apart, or put together anew, it is not one test that is left out.
    if still.is_empty() || still.len() > before.facts.collection.registered.len() {
        return None;
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!(
            "{} no longer names {}, so its tests do not run with the others",
            after.path, lost.name
        ),
        help: format!("put it back on the list: {}", line_of(before, lost.line)),
    };
    let line = Span { start: lost.line, end: lost.line };
    let mut finding = draft.on(Side::Before, before, lost.line, format!("{}::{}", after.path, lost.name));
    finding.before = excerpt(before, line, lost.line, "these tests were run");
    Some(finding)
}

/// A list of tests names some only under a condition on the surroundings.
fn asked_for(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let listed = &before.facts.collection.registered;
    let (entry, condition) = after.facts.collection.registered.iter().find_map(|one| {
        let was = listed.iter().find(|was| was.name == one.name)?;
        let condition = condition_around(after, one.line)?;
        condition_around(before, was.line).is_none().then_some((one, condition))
    })?;
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("{} runs {} only where `{condition}` holds", after.path, entry.name),
        help: format!("run them everywhere ({}:{})", after.path, entry.line),
    };
    let line = Span { start: entry.line, end: entry.line };
    let mut finding = draft.on(Side::After, after, entry.line, format!("{}::{}", after.path, entry.name));
    finding.after = excerpt(after, line, entry.line, "these tests depend on it now");
    finding.evidence.push("it depends on the environment, so they still run elsewhere".to_owned());
    Some(finding)
}

/// The condition on the surroundings under which a line stands: the nearest line above it that is indented less.
fn condition_around(side: &FileSide, line: u32) -> Option<String> {
    let depth = |text: &str| text.len() - text.trim_start().len();
    let own = side.lines(Span { start: line, end: line }).next().map(|text| depth(&text))?;
    let above: Vec<_> =
        side.lines(Span { start: line.saturating_sub(ABOVE).max(1), end: line - 1 }).collect();
    let head = above.iter().rev().find(|text| !text.trim().is_empty() && depth(text) < own)?.trim();
    let condition =
        head.strip_prefix("if")?.trim_start_matches('(').trim_end_matches(['{', ':', ' ', ')']).trim();
    let lower = condition.to_lowercase();
    let asks = ["environ", "env", "platform", "property", "version", "enabled", "ci"];
    let mut words = lower.split(|c: char| !c.is_alphanumeric());
    words.any(|word| asks.iter().any(|ask| word.contains(ask))).then(|| condition.to_owned())
}

/// So many lines above an entry are looked at.
const ABOVE: u32 = 20;

fn names(list: &[Named]) -> impl Iterator<Item = &str> {
    list.iter().map(|one| one.name.as_str())
}

/// Whether the change takes away, renames or moves what has this name.
fn is_gone(comparison: &Comparison, name: &str) -> bool {
    let has = |side: &FileSide| {
        side.path.rsplit('/').next().is_some_and(|file| file.split('.').next() == Some(name))
            || side.facts.tests.iter().any(|test| test.suite.iter().any(|suite| suite == name))
    };
    comparison.files.iter().any(|file| {
        let (before, after) = (file.before.as_ref().is_some_and(has), file.after.as_ref().is_some_and(has));
        before && !after
    })
}
