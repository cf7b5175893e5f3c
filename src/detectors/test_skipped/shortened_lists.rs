//! Lists outside of tests that tests are made of, one for each value, and that lose some: `const drivers = ["a", "b"]`.
//!
//! Part of the rule about skipped tests. Lists inside of a test are told of as weakened assertions.

use super::ID;
use crate::comparison::{CodeLine, Comparison, FileComparison, FileSide};
use crate::detectors::assertion_weakened::inputs_dropped::{List, lists};
use crate::detectors::relation::{self, About};
use crate::detectors::report::{Draft, excerpt};
use crate::detectors::switch_names::words;
use crate::facts::Span;
use crate::finding::{Finding, Severity, Side};
use crate::paths::PathClass;
use crate::text::plural;

/// Larger files are written by programs.
const LARGE: usize = 256 * 1024;

/// So many lines around what differs a list may reach.
const AROUND: u32 = 40;

/// More lines that differ are a file written anew.
const MANY: usize = 400;

/// Last words of names of what tests are run over, where the tests stand elsewhere.
const RUN_OVER: &[&str] = &[
    "adapters",
    "architectures",
    "backends",
    "browsers",
    "cases",
    "configs",
    "configurations",
    "databases",
    "devices",
    "dialects",
    "drivers",
    "engines",
    "environments",
    "envs",
    "examples",
    "frameworks",
    "implementations",
    "languages",
    "matrix",
    "modes",
    "platforms",
    "providers",
    "runtimes",
    "scenarios",
    "suites",
    "targets",
    "templates",
    "testcases",
    "tests",
    "variants",
    "versions",
];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let files = comparison.files.iter().filter(|file| file.class == PathClass::Test);
    files.filter_map(|file| in_file(comparison, file)).collect()
}

fn in_file(comparison: &Comparison, file: &FileComparison) -> Option<Finding> {
    let (before, after) = (file.before.as_ref()?, file.after.as_ref()?);
    let is_small = |side: &FileSide| side.text.len() <= LARGE && !side.facts.language.is_empty();
    if before.text == after.text || !is_small(before) || !is_small(after) {
        return None;
    }
    let (start, was) = window(before, after)?;
    let (_, is) = window(after, before)?;
    let whole = String::from_utf8_lossy(&after.text);
    let has = lists(&is, 1);
    let (list, lost) = lists(&was, 2).into_iter().find_map(|list| {
        let line = start + list.line;
        let in_test = before.facts.tests.iter().any(|test| test.span.start <= line && line <= test.span.end);
        let name = name_of(&list).filter(|_| !in_test)?;
        let heir = has.iter().find(|one| one.head == list.head)?;
        let lost = heir.lost_from(&list)?;
        let makes_tests = heir.is_walked(&whole) || is_run_over(&name) || makes_tests(&list.head);
        let elsewhere = lost.iter().any(|item| count(after, item) >= count(before, item));
        (makes_tests && !elsewhere).then_some((list, lost))
    })?;
    Some(finding(comparison, (before, after), (&list, start), &lost))
}

fn finding(
    comparison: &Comparison,
    (before, after): (&FileSide, &FileSide),
    (list, start): (&List, u32),
    lost: &[String],
) -> Finding {
    let name = name_of(list).unwrap_or_default();
    let line = start + list.line;
    let gone = plural(lost.len(), "value");
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("`{name}`, which tests are run over, lost {gone} of {}", list.items.len()),
        help: format!("put it back: {}", lost.join(", ")),
    };
    let mut finding = draft.on(Side::Before, before, line, format!("{}::{name}", after.path));
    finding.before =
        excerpt(before, Span { start: line, end: line }, line, "tests were run for more of them");
    if comparison.production.changed {
        let about = About { side: before, test: None, text: &lost.join(" ") };
        relation::lower(comparison, &mut finding, Severity::Low, about);
    }
    finding
}

/// Calls that make a test, or a suite, of each value that they are given.
const MAKERS: &[&str] = &["describe.each(", "context.each(", "suite.each(", "fixture(params="];

fn makes_tests(head: &str) -> bool {
    MAKERS.iter().any(|maker| head.contains(maker))
}

fn name_of(list: &List) -> Option<String> {
    let maker = || MAKERS.iter().find(|maker| list.head.contains(**maker));
    list.name().or_else(|| maker().map(|maker| maker.trim_end_matches('(').to_owned()))
}

fn is_run_over(name: &str) -> bool {
    words(name).last().is_some_and(|word| RUN_OVER.contains(&word.as_str()))
}

/// The lines of a side that the other has not, some more on either end, and the number of the first of them.
fn window(side: &FileSide, other: &FileSide) -> Option<(u32, String)> {
    let unlike = side.lines_unlike(other).iter().filter(|byte| **byte == b'\n').count();
    if unlike > MANY {
        return None;
    }
    let first = side.first_unlike(other);
    let start = first.saturating_sub(AROUND).max(1);
    let span = Span { start, end: first + unlike as u32 + AROUND };
    Some((start, side.lines(span).collect::<Vec<_>>().join("\n")))
}

/// How often a value stands in the code of a side, comments aside.
fn count(side: &FileSide, item: &str) -> usize {
    let bare: String = item.chars().filter(|c| !c.is_whitespace()).collect();
    side.code().iter().map(|line: &CodeLine| line.code.matches(&bare).count()).sum()
}
