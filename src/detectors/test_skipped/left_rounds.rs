//! Loops that define or gather tests, and that newly pass some of their rounds over.
//!
//! Part of the rule about skipped tests. Inside of a test the assertions tell; here no test is around: the round that is
//! left would have made one.

use super::ID;
use super::under_conditions::asks_for_place;
use crate::collections::HashSet;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Function, Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::languages::bare_lines;
use crate::paths::PathClass;
use crate::text::{clipped, contains, one_line};

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let tests = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    let in_tests = tests.clone().flat_map(left_in_tests);
    tests.clone().filter_map(left).chain(in_tests).collect()
}

/// Rounds of a loop inside of a test that are now left for one of the values it goes through: `if case == "20" { continue }`.
fn left_in_tests(file: &FileComparison) -> Vec<Finding> {
    let (Some(before), Some(after)) = (&file.before, &file.after) else { return Vec::new() };
    if after.facts.language.is_empty() || !contains(after.lines_unlike(before), b"continue") {
        return Vec::new();
    }
    let known: HashSet<String> = all_guards(before).into_iter().map(|leave| leave.guard).collect();
    let fresh = all_guards(after).into_iter().filter(|leave| !known.contains(&leave.guard));
    let finding = |leave: Leave| {
        let line = Span { start: leave.line, end: leave.line };
        let test = after
            .facts
            .tests
            .iter()
            .filter(|test| test.span.contains(line))
            .max_by_key(|test| test.span.start)?;
        let old = before.facts.tests.iter().find(|old| old.name == test.name && old.suite == test.suite)?;
        // What is asked of the other rounds was asked of all.
        let was = |text: &str| old.assertions.iter().any(|one| one.text == text);
        let asks = test.assertions.iter().any(|one| one.line > leave.line && was(&one.text));
        let written: String = after
            .lines(line)
            .flat_map(|line| line.chars().collect::<Vec<_>>())
            .filter(|c| !c.is_whitespace())
            .collect();
        if !asks || !names_a_value(&written, before, old) {
            return None;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::High,
            confidence: 0.8,
            message: format!("the test {} now passes some of its rounds over", test.qualified_name()),
            help: format!(
                "take the condition out at {}:{}, and mend what fails there",
                after.path, leave.line
            ),
        };
        let mut finding = draft.on_test(Side::After, after, test);
        finding.line = leave.line;
        finding.before = excerpt(before, old.span, old.line, "all rounds were looked at");
        finding.after =
            excerpt(after, Span { start: leave.line, end: leave.line + 1 }, leave.line, "this is new");
        finding.lower(Severity::Medium, "the other rounds are still looked at");
        Some(finding)
    };
    fresh.filter_map(finding).collect()
}

/// Whether a condition picks one value that a test went through: `case.name == "refund"`.
fn names_a_value(guard: &str, before: &FileSide, old: &Test) -> bool {
    let picks = |at: usize| {
        let value = guard[at + 2..].trim_start_matches(['=', '(']);
        let Some(quote) = value.chars().next() else { return false };
        match value[quote.len_utf8()..].split_once(quote) {
            Some((inside, _)) if matches!(quote, '"' | '\'' | '`') => before
                .lines(old.span)
                .any(|line| line.split_whitespace().collect::<String>().contains(inside)),
            _ => quote.is_ascii_digit(),
        }
    };
    guard.match_indices("==").any(|(at, _)| picks(at))
}

/// A round of a loop that is left under a condition.
struct Leave {
    line: u32,
    guard: String,
}

fn left(file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let changed = after.lines_unlike(before);
    let leaves = |text: &[u8]| {
        contains(text, b"continue") || returns(after.facts.language) && contains(text, b"return")
    };
    if after.facts.language.is_empty() || !leaves(changed) || before.facts.tests.is_empty() {
        return None;
    }
    let known: HashSet<String> = guards(before).into_iter().map(|leave| leave.guard).collect();
    let all = guards(after);
    let fresh = all.iter().filter(|leave| !known.contains(&leave.guard));
    let leave = fresh.into_iter().find(|leave| takes_away(before, after, leave.line))?;
    let shown = after.lines(Span { start: leave.line, end: leave.line }).next().unwrap_or_default();
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!(
            "a loop that makes tests now passes some over: `{}`",
            clipped(&one_line(shown.trim()), 100)
        ),
        help: format!("take the condition out at {}:{}, or skip the test by name", after.path, leave.line),
    };
    let mut finding = draft.on(Side::After, after, leave.line, after.path.clone());
    finding.detail = leave.guard.clone();
    finding.after =
        excerpt(after, Span { start: leave.line, end: leave.line + 1 }, leave.line, "this is new");
    finding.lower(Severity::Medium, "the other rounds still make their tests");
    Some(finding)
}

/// How often a test or a round is left under a condition on a side.
pub fn leaves(side: &FileSide) -> usize {
    all_guards(side).len()
}

/// Every condition of a side outside of tests under which a round is left.
fn guards(side: &FileSide) -> Vec<Leave> {
    let tests: Vec<Span> = side.facts.tests.iter().map(|test| test.span).collect();
    let mut found = all_guards(side);
    found.retain(|leave| !tests.iter().any(|span| span.start <= leave.line && leave.line <= span.end));
    found
}

/// Whether rounds are functions of their own, which are left by returning.
fn returns(language: &str) -> bool {
    matches!(language, "javascript" | "typescript")
}

fn all_guards(side: &FileSide) -> Vec<Leave> {
    let language = side.facts.language;
    let lines = bare_lines(language, &side.text, &side.facts.signals.remarks);
    let code: Vec<String> = lines.iter().map(|line| line.split_whitespace().collect()).collect();
    let returns = returns(language);
    let is_leave = |text: &str| match text.trim_end_matches(';') {
        "continue" => true,
        "return" => returns,
        _ => false,
    };
    let mut found = Vec::new();
    for (index, text) in code.iter().enumerate() {
        let Some(condition) = text.strip_prefix("if") else { continue };
        let ends_so = |end: &str| condition.trim_end_matches([';', '}']).ends_with(end);
        let here = condition.starts_with(['(', ' '])
            || language == "python"
            || language == "go"
            || language == "rust";
        let at_once = here && (ends_so(")continue") || ends_so(":continue") || returns && ends_so(")return"));
        let opens = text.ends_with(['{', ':', ')']);
        let mut next = code[index + 1..].iter().filter(|line| !line.is_empty()).take(SAID + 1);
        if at_once || opens && next.any(|next| is_leave(next)) {
            found.push(Leave { line: index as u32 + 1, guard: text.clone() });
        }
    }
    found
}

/// Whether the loop around a line has to do with tests that were there before.
fn takes_away(before: &FileSide, after: &FileSide, line: u32) -> bool {
    let here = Span { start: line, end: line };
    let holds_tests = |one: &Function| after.facts.tests.iter().any(|test| one.span.contains(test.span));
    let around = after.facts.functions.iter().filter(|one| !one.name.is_empty() && one.span.contains(here));
    match around.max_by_key(|one| one.span.start) {
        Some(inner) => {
            let was_there = before.facts.functions.iter().any(|old| old.name == inner.name);
            was_there && holds_tests(inner)
        }
        // The test that the round would have made stands below it.
        None => {
            let below = |within: u32| {
                let mut tests = after.facts.tests.iter();
                tests.any(|test| test.span.start > line && test.span.start - line < within)
            };
            let written = after.lines(here).next().unwrap_or_default();
            below(NEAR) || asks_for_place(&written) && below(u32::MAX)
        }
    }
}

/// So many lines may say that a round is left before it is.
const SAID: usize = 1;

/// So far below a test is made by the same round.
const NEAR: u32 = 12;
