//! Files that hold what tests expect: snapshots and golden files.

use super::ID;
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::paths::{PathClass, is_stored_expectation};

/// One finding for all of them: one run of the tests with the flag to update writes them all.
pub fn detect(comparison: &Comparison) -> Option<Finding> {
    let changed: Vec<Rewritten<'_>> = comparison.files.iter().filter_map(rewritten).collect();
    let first = changed.first()?;
    let more = match changed.len() {
        1 => String::new(),
        others => format!(" and {} more", others - 1),
    };
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.7,
        message: format!(
            "what tests expect was rewritten in {}{more}, and no code changes",
            first.after.path
        ),
        help: "check that the new content is right, not only that it is what the code gives".to_owned(),
    };
    let mut finding = draft.on(Side::After, first.after, first.new_line, first.after.path.clone());
    let line = |line: u32| Span { start: line, end: line };
    finding.before = excerpt(first.before, line(first.old_line), first.old_line, "this was expected");
    finding.after = excerpt(first.after, line(first.new_line), first.new_line, "this is expected now");
    let tests_change = comparison.files.iter().any(|file| {
        let sides = || file.before.iter().chain(&file.after);
        file.class == PathClass::Test && sides().any(|side| !side.facts.language.is_empty())
    });
    if tests_change {
        finding.lower(Severity::Low, "tests change with it, so other things may be asked for");
    }
    Some(finding)
}

/// A stored expectation of which something was replaced.
struct Rewritten<'c> {
    before: &'c FileSide,
    after: &'c FileSide,
    old_line: u32,
    new_line: u32,
}

fn rewritten(file: &FileComparison) -> Option<Rewritten<'_>> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    if file.class != PathClass::Test || !is_stored_expectation(&after.path) {
        return None;
    }
    // What is only added is expected of something new, and what only goes was expected of something that went.
    let (old_line, new_line) = (first_of(before, after)?, first_of(after, before)?);
    if only_lists_more(before, after) {
        return None;
    }
    Some(Rewritten { before, after, old_line, new_line })
}

/// Whether each line that went came back with more elements in a list: `of: 'a', 'b'` as `of: 'a', 'c', 'b'`.
fn only_lists_more(before: &FileSide, after: &FileSide) -> bool {
    let (gone, came) = (missing(before, after), missing(after, before));
    if gone.len() > LOOKED_AT || came.len() > LOOKED_AT {
        return false;
    }
    let mut came = came.into_iter().map(|(_, line)| line);
    // Lines keep their order.
    gone.iter().all(|(_, line)| came.any(|new| is_listed_more(line, new)))
}

/// Nobody reads more changed lines of one file.
const LOOKED_AT: usize = 1000;

/// Whether a line is another one with elements put in at one place.
fn is_listed_more(old: &[u8], new: &[u8]) -> bool {
    let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let tail = old[head..].iter().rev().zip(new.iter().rev()).take_while(|(old, new)| old == new).count();
    let inserted = new.get(head..new.len() - tail.min(new.len())).unwrap_or_default();
    head + tail == old.len() && inserted.contains(&b',') && inserted.iter().any(u8::is_ascii_alphanumeric)
}

/// The first line of a file that the other one does not have as often.
fn first_of(file: &FileSide, other: &FileSide) -> Option<u32> {
    missing(file, other).first().map(|(number, _)| *number)
}

/// The lines of a file that the other one does not have as often.
fn missing<'f>(file: &'f FileSide, other: &FileSide) -> Vec<(u32, &'f [u8])> {
    let mut there: HashMap<&[u8], usize> = HashMap::new();
    for line in content(other).map(|(_, line)| line) {
        *there.entry(line).or_default() += 1;
    }
    let mut missing = Vec::new();
    for (number, line) in content(file) {
        match there.get_mut(line) {
            Some(left) if *left > 0 => *left -= 1,
            _ => missing.push((number, line)),
        }
    }
    missing
}

/// What tools write down beside the content: where it comes from, and in which format it is.
const ABOUT: &[&[u8]] = &[
    b"source:",
    b"expression:",
    b"assertion_line:",
    b"description:",
    b"info:",
    b"snapshot_kind:",
    b"// Jest Snapshot",
    b"// Vitest Snapshot",
    b"# serializer version",
];

fn content(file: &FileSide) -> impl Iterator<Item = (u32, &[u8])> {
    let lines = (1..).zip(file.text.split(|byte| *byte == b'\n'));
    let lines = lines.map(|(number, line)| (number, line.trim_ascii()));
    lines.filter(|(_, line)| !line.is_empty() && !ABOUT.iter().any(|about| line.starts_with(about)))
}
