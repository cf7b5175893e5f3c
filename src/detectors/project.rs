//! Rules that a policy adds: calls, definitions and files that a change adds or removes.
//!
//! What merely moves is neither added nor removed: counts are compared over the whole change.

use std::collections::BTreeMap;

use globset::GlobSet;

use super::report::{Draft, excerpt};
use crate::collections::HashMap;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::Span;
use crate::finding::{Finding, Side};
use crate::policy::{FILE_NAME, Pattern, What, When};

/// A person wrote the pattern down; what can go wrong is that names are told by their text alone.
const CONFIDENCE: f64 = 0.9;

pub fn detect(comparison: &Comparison, patterns: &[Pattern]) -> Vec<Finding> {
    patterns.iter().flat_map(|pattern| findings(comparison, pattern)).collect()
}

/// One place that a pattern matches.
struct Place<'c> {
    file: &'c FileSide,
    name: &'c str,
    /// What it stands in, so that a change elsewhere does not count for it.
    owner: &'c str,
    line: u32,
}

fn findings(comparison: &Comparison, pattern: &Pattern) -> Vec<Finding> {
    let paths = pattern.path_set();
    let look = |side: fn(&FileComparison) -> Option<&FileSide>| match &pattern.what {
        What::Call(_) => calls(comparison, pattern, &paths, side),
        What::Symbol(_) => symbols(comparison, pattern, &paths, side),
        What::File => files(comparison, &paths, side),
    };
    let (before, after) = (look(|file| file.before.as_ref()), look(|file| file.after.as_ref()));
    let (side, places) = match pattern.when {
        When::Added => (Side::After, beyond(before, after)),
        When::Removed => (Side::Before, beyond(after, before)),
    };
    places.into_iter().map(|place| finding(pattern, side, &place)).collect()
}

fn of_interest<'c>(
    comparison: &'c Comparison,
    paths: &GlobSet,
    side: fn(&FileComparison) -> Option<&FileSide>,
) -> impl Iterator<Item = &'c FileSide> {
    let files = comparison.files.iter().filter_map(side);
    files.filter(|file| paths.is_empty() || paths.is_match(&file.path))
}

fn calls<'c>(
    comparison: &'c Comparison,
    pattern: &Pattern,
    paths: &GlobSet,
    side: fn(&FileComparison) -> Option<&FileSide>,
) -> Vec<Place<'c>> {
    let Some(names) = pattern.names() else { return Vec::new() };
    let mut places = Vec::new();
    for file in of_interest(comparison, paths, side) {
        let wanted = |name: &str| names.is_match(name);
        let calls = file.facts.calls.iter().filter(|call| crate::languages::is_called(&call.name, wanted));
        let lines: Vec<(u32, &str)> = calls.map(|call| (call.line, call.name.as_str())).collect();
        places.extend(with_owners(file, lines));
    }
    places
}

fn symbols<'c>(
    comparison: &'c Comparison,
    pattern: &Pattern,
    paths: &GlobSet,
    side: fn(&FileComparison) -> Option<&FileSide>,
) -> Vec<Place<'c>> {
    let Some(names) = pattern.names() else { return Vec::new() };
    let mut places = Vec::new();
    for file in of_interest(comparison, paths, side) {
        let tests = file.facts.tests.iter().map(|test| (test.line, test.name.as_str()));
        let definitions = file.facts.definitions.iter().map(|known| (known.span.start, known.name.as_str()));
        // A test is a function too: one place for one name.
        let named: BTreeMap<&str, u32> =
            definitions.chain(tests).filter(|(_, name)| names.is_match(name)).map(|(l, n)| (n, l)).collect();
        places.extend(named.into_iter().map(|(name, line)| Place { file, name, owner: &file.path, line }));
    }
    places
}

/// Files that match on one side only; a file that moves among the paths stays.
fn files<'c>(
    comparison: &'c Comparison,
    paths: &GlobSet,
    side: fn(&FileComparison) -> Option<&FileSide>,
) -> Vec<Place<'c>> {
    let matching = |file: &Option<FileSide>| file.as_ref().is_some_and(|file| paths.is_match(&file.path));
    let files = comparison.files.iter().filter(|file| !(matching(&file.before) && matching(&file.after)));
    let files = files.filter_map(side).filter(|file| paths.is_match(&file.path));
    files.map(|file| Place { file, name: &file.path, owner: "", line: 1 }).collect()
}

/// Puts to each line the innermost test or definition around it.
fn with_owners<'c>(file: &'c FileSide, mut lines: Vec<(u32, &'c str)>) -> Vec<Place<'c>> {
    let tests = file.facts.tests.iter().map(|test| (test.span, test.name.as_str()));
    let definitions = file.facts.definitions.iter().map(|known| (known.span, known.name.as_str()));
    let mut scopes: Vec<(Span, &str)> = tests.chain(definitions).collect();
    scopes.sort_by_key(|(span, _)| (span.start, std::cmp::Reverse(span.end)));
    lines.sort_by_key(|(line, _)| *line);
    let mut open: Vec<(Span, &str)> = Vec::new();
    let mut next = scopes.into_iter().peekable();
    let place = |(line, name)| {
        while let Some(scope) = next.next_if(|(span, _)| span.start <= line) {
            while open.last().is_some_and(|(span, _)| span.end < scope.0.start) {
                open.pop();
            }
            open.push(scope);
        }
        while open.last().is_some_and(|(span, _)| span.end < line) {
            open.pop();
        }
        Place { file, name, owner: open.last().map_or("", |(_, name)| *name), line }
    };
    lines.into_iter().map(place).collect()
}

/// The places of one side that the other has no counterpart for: by name over the whole change, told by what they
/// stand in.
fn beyond<'c>(other: Vec<Place<'c>>, mut places: Vec<Place<'c>>) -> Vec<Place<'c>> {
    let mut more: HashMap<&str, i64> = HashMap::new();
    let mut known: HashMap<(&str, &str), u64> = HashMap::new();
    for place in &other {
        *more.entry(place.name).or_default() -= 1;
        *known.entry((place.owner, place.name)).or_default() += 1;
    }
    for place in &places {
        *more.entry(place.name).or_default() += 1;
    }
    places.retain(|place| {
        if let Some(left) = known.get_mut(&(place.owner, place.name)).filter(|left| **left > 0) {
            *left -= 1;
            return false;
        }
        let more = more.entry(place.name).or_default();
        *more -= 1;
        *more >= 0
    });
    places
}

fn finding(pattern: &Pattern, side: Side, place: &Place<'_>) -> Finding {
    let file = place.file;
    let what = match (&pattern.what, pattern.when) {
        (What::Call(_), When::Added) => format!("`{}` is called", place.name),
        (What::Call(_), When::Removed) => format!("`{}` is no longer called", place.name),
        (What::Symbol(_), When::Added) => format!("`{}` is new", place.name),
        (What::Symbol(_), When::Removed) => format!("`{}` is gone", place.name),
        (What::File, When::Added) => format!("{} is new", place.name),
        (What::File, When::Removed) => format!("{} is gone", place.name),
    };
    let (undo, label) = match pattern.when {
        When::Added => ("take it out", "this is new"),
        When::Removed => ("put it back", "this is gone"),
    };
    let draft = Draft {
        rule: pattern.id(),
        severity: pattern.severity,
        confidence: CONFIDENCE,
        message: format!("{}: {what}", pattern.message),
        help: format!("{undo}; the rule stands under `patterns` in {FILE_NAME}"),
    };
    let symbol = match (&pattern.what, place.owner) {
        (What::File, _) | (_, "") => file.path.clone(),
        (What::Call(_), owner) => format!("{}::{owner}", file.path),
        (What::Symbol(_), _) => format!("{}::{}", file.path, place.name),
    };
    let mut finding = draft.on(side, file, place.line, symbol);
    if matches!(pattern.what, What::Call(_)) {
        finding.detail = place.name.to_owned();
    }
    let lines = Span { start: place.line, end: place.line };
    let shown = excerpt(file, lines, place.line, label).filter(|_| pattern.what != What::File);
    match side {
        Side::Before => finding.before = shown,
        Side::After => finding.after = shown,
    }
    finding
}

#[cfg(test)]
#[path = "project_tests.rs"]
mod tests;
