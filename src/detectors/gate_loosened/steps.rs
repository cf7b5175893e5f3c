//! Steps and jobs that checked something by their name, and that left a workflow of which nothing else is new.
//!
//! Nobody knows the program that they run, so a step that is called otherwise, or that stands elsewhere, must not be
//! missed: any of its lines that is still there tells.

use super::ID;
use super::checks::{line_of, symbol};
use super::matching::{Matched, Whole, counts};
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::ground::{GroundPair, GroundSide, Pool};
use crate::detectors::report::{Draft, show_before};
use crate::facts::{Check, Ground, Span};
use crate::finding::{Finding, Severity, Side};
use crate::project::{is_named, only_tells, says_first};
use crate::text::contains;

/// So many lines of a step are looked at.
const MAX_LINES: u32 = 60;

/// So far above a command its step starts.
const MAX_ABOVE: u32 = 12;

/// Shorter lines say nothing about where a step went.
const TELLING: usize = 12;

pub fn detect(
    comparison: &Comparison,
    pairs: &[GroundPair<'_>],
    pair: &GroundPair<'_>,
    matched: &Matched<'_>,
    whole: &Whole<'_>,
    pool: &Pool<'_>,
) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let gone = matched.named.iter().filter(|check| counts(check) && says_first(&check.text));
    let mut gone = gone.filter(|check| stays_around(&after, check)).peekable();
    // What is new anywhere may be what a step became.
    let comes = |pair: &GroundPair<'_>| pair.before.is_none() && pair.after.is_some_and(|side| is_run(&side));
    let is_quiet = || {
        before.facts.ground != Ground::Pipeline
            || has_new_jobs(&before, &after)
            || !whole.added.is_empty()
            || pairs.iter().any(comes)
            || has_new_names(pair, &after)
    };
    if gone.peek().is_none() || is_quiet() {
        return Vec::new();
    }
    gone.filter_map(|check| finding(comparison, pairs, &before, &after, check, pool)).collect()
}

/// Whether the job that a step was in is still there; a job of its own has no other place.
fn stays_around(after: &GroundSide<'_>, check: &Check) -> bool {
    let known = |job: &str| after.facts.jobs.iter().any(|known| known == job);
    let same = |other: &Check| other.place == check.place;
    let place = check.place.split_once('/').map(|(job, _)| job);
    place.is_none_or(|job| after.facts.jobs.is_empty() || known(job)) && !after.facts.checks.iter().any(same)
}

fn is_run(side: &GroundSide<'_>) -> bool {
    matches!(side.facts.ground, Ground::Pipeline | Ground::Scripts | Ground::Hooks)
}

fn has_new_jobs(before: &GroundSide<'_>, after: &GroundSide<'_>) -> bool {
    after.facts.jobs.iter().any(|job| !before.facts.jobs.contains(job))
}

fn has_new_names(pair: &GroundPair<'_>, after: &GroundSide<'_>) -> bool {
    let known = |check: &Check| {
        pair.before.is_some_and(|side| side.facts.checks.iter().any(|old| old.place == check.place))
    };
    after.facts.checks.iter().any(|check| is_named(check) && !known(check))
}

fn finding(
    comparison: &Comparison,
    pairs: &[GroundPair<'_>],
    before: &GroundSide<'_>,
    after: &GroundSide<'_>,
    check: &Check,
    pool: &Pool<'_>,
) -> Option<Finding> {
    let lines = lines_of(before.file, start_of(before.file, check.line));
    let telling: Vec<&String> = lines.iter().filter(|line| line.len() >= TELLING).collect();
    let is_there = |line: &&&String| {
        let text = line.trim_start_matches("- ").as_bytes();
        let mut sides = pairs.iter().filter_map(|pair| pair.after);
        sides.any(|side| !is_only_comment(side.file, line) && contains(&side.file.text, text))
    };
    let same_elsewhere = before.facts.elsewhere.iter().any(|other| other.text == check.text);
    let is_of_deleted = lines.iter().any(|line| {
        let words = line.split([' ', '=', '"', '\'']).filter(|word| word.contains('/') && word.len() > 4);
        words.map(|word| word.trim_start_matches("./")).any(|word| pool.is_of_deleted_files(word))
    });
    if telling.is_empty()
        || removed(before.file, after.file) > telling.len() * 3
        || telling.iter().filter(is_there).count() * 2 >= telling.len()
        || same_elsewhere
        || is_of_deleted
        || only_tells(&lines)
    {
        return None;
    }
    let commented = is_only_comment(after.file, &check.text);
    let what = if commented { "is commented out" } else { "was removed" };
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("`{}` {what}, and nothing else in this change does the same", check.text),
        help: format!(
            "put it back; this prints where it started: {}",
            show_before(comparison, before.file, Span { start: check.line, end: check.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, check.line, symbol(before.file, &check.place));
    finding.before = line_of(before.file, check.line, "this ran");
    finding.lower(Severity::Medium, "only its name says that it checks something");
    Some(finding)
}

/// Where the step of a command starts, which may have a name and a condition above it.
fn start_of(file: &FileSide, line: u32) -> u32 {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let above: Vec<String> = file
        .lines(Span { start: line.saturating_sub(MAX_ABOVE).max(1), end: line })
        .map(|line| line.into_owned())
        .collect();
    let Some((own, above)) = above.split_last() else { return line };
    if own.trim_start().starts_with("- ") {
        return line;
    }
    let is_start = |text: &&String| text.trim_start().starts_with("- ") && indent(text) < indent(own);
    let back = above.iter().rev().position(|text| is_start(&text));
    back.map_or(line, |back| line - 1 - back as u32)
}

/// The lines of what starts at a line: those that are indented further, and those beside it up to the next item.
fn lines_of(file: &FileSide, start: u32) -> Vec<String> {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut lines = file.lines(Span { start, end: start + MAX_LINES });
    let Some(first) = lines.next() else { return Vec::new() };
    let own = indent(&first);
    let mut found = vec![first.trim().to_owned()];
    for line in lines {
        let text = line.trim();
        let is_out =
            !text.is_empty() && (indent(&line) < own || text.starts_with("- ") && indent(&line) <= own);
        if is_out {
            break;
        }
        found.extend((!text.is_empty()).then(|| text.to_owned()));
    }
    found
}

/// How many telling lines a file lost: a step that goes with many others goes with what it checked.
fn removed(before: &FileSide, after: &FileSide) -> usize {
    let (old, new) = (String::from_utf8_lossy(&before.text), String::from_utf8_lossy(&after.text));
    let kept: HashSet<&str> = new.lines().map(str::trim).collect();
    let telling = old.lines().map(str::trim).filter(|line| line.len() >= TELLING && !line.starts_with('#'));
    telling.filter(|line| !kept.contains(line)).count()
}

/// Whether a text stands in comments alone.
fn is_only_comment(file: &FileSide, text: &str) -> bool {
    let text = text.trim_start_matches("- ");
    let whole = String::from_utf8_lossy(&file.text);
    let mut found = whole.lines().filter(|line| line.contains(text)).peekable();
    found.peek().is_some() && found.all(|line| line.trim_start().starts_with('#'))
}
