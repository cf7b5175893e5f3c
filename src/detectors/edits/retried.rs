//! Tests that are run again until they pass: a mark of the runner, or a loop of its own around what is asserted.

use super::places::{Pages, Place};
use super::reading::Told;
use crate::detectors::skips::came_on_again;
use crate::text::{clipped, one_line};

/// How runners and their plugins spell it, without white space.
const MARKS: &[&str] = &[
    "this.retries(",
    "retryTimes(",
    "mark.flaky(",
    "@flaky",
    "@RetryingTest",
    "@RepeatedIfExceptionsTest",
    "@Retry(",
    "@RetryOnFailure",
    "retryAnalyzer=",
    "{retry:",
    ",retry:",
    "{retries:",
    "#[retry",
    "#[flaky_test",
    "FlakeAttempts(",
];

/// How a failure is kept from ending a test.
const CATCHES: &[&str] = &[
    "exceptAssertionError",
    "except(AssertionError",
    "exceptException",
    "except:",
    "catch_unwind(",
    "catch(AssertionError",
    "catch(Throwable",
    "catch(e",
    "}catch{",
    "recover()",
];

pub fn read(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    by_mark(pages, place).or_else(|| by_loop(pages, place))
}

fn by_mark(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let marked = |code: &str| MARKS.iter().any(|mark| code.contains(mark)) && !switches_off(code);
    if place.old.clone().any(|at| marked(&pages.old[at].code)) {
        return None;
    }
    let at = place.new.clone().find(|at| marked(&pages.new[*at].code))?;
    let line = pages.new[at].number;
    // It stands on a test, above one, or at the head of a suite that has tests which ran before.
    let held = pages.kept.iter().find(|(_, test)| {
        let (start, end) = (test.span.start, test.span.end);
        start <= line && line <= end || line < start
    })?;
    let around = pages.test_at(line);
    // One that could fail as often as it liked is asked for more now.
    if around.is_some_and(|(old, new)| came_on_again((pages.before, old), (pages.after, new))) {
        return None;
    }
    let inside = around.map(|(_, test)| test.qualified_name());
    let is_near = inside.is_some() || stands_on_suite(pages, at, held.1.span.start);
    is_near.then(|| told(pages, at, inside))
}

/// Whether a line stands in a suite, or at the head of a file, above its tests.
fn stands_on_suite(pages: &Pages<'_>, at: usize, test: u32) -> bool {
    let line = pages.new[at].number;
    let is_between = |start: u32| line < start && start < test;
    // A new test between is what it may stand on.
    let next = pages.after.facts.tests.iter().find(|one| one.span.start > line);
    !is_between(next.map_or(test, |one| one.span.start))
        && next.is_some_and(|one| pages.kept.iter().any(|(_, kept)| kept.span == one.span))
}

fn switches_off(code: &str) -> bool {
    ["(0)", ":0}", ":0,"].iter().any(|off| code.contains(off))
        || code.starts_with("import")
        || code.starts_with("from")
}

fn by_loop(pages: &Pages<'_>, place: &Place) -> Option<Told> {
    let code = |at: usize| pages.new[at].code.as_str();
    let start = place.new.clone().find(|at| is_counted(code(*at)))?;
    let (old, test) = pages.test_at(pages.new[start].number)?;
    let inside =
        |at: &usize| test.span.start <= pages.new[*at].number && pages.new[*at].number <= test.span.end;
    let known: Vec<&str> = pages
        .old
        .iter()
        .filter(|line| old.span.start <= line.number && line.number <= old.span.end)
        .map(|line| line.code.as_str())
        .collect();
    let is_catch =
        |code: &str| code.starts_with("except") || CATCHES.iter().any(|catch| code.contains(catch));
    if old.assertions.is_empty() || known.iter().any(|code| is_catch(code)) {
        return None;
    }
    let all = (0..pages.new.len()).filter(inside);
    let catches = all.clone().filter(|at| *at > start).any(|at| is_catch(code(at)));
    // One round that passes is enough.
    let ends = |code: &str| matches!(code.trim_end_matches(';'), "return" | "break" | "returnnil");
    let leaves = all.filter(|at| *at > start).any(|at| ends(code(at)));
    (catches && leaves).then(|| told(pages, start, Some(test.qualified_name())))
}

/// Whether a line opens a loop that goes a number of rounds and does not look at which.
fn is_counted(code: &str) -> bool {
    let opens = code.starts_with("for") || code.starts_with("while") || code.starts_with("loop{");
    let counts =
        code.contains("inrange(") || code.contains("..") || code.contains("++") || code.contains("+=1");
    let tries = ["attempt", "retr", "tries"].iter().any(|word| code.to_lowercase().contains(word));
    opens && (counts || tries)
}

fn told(pages: &Pages<'_>, at: usize, name: Option<String>) -> Told {
    let shown = clipped(&one_line(&pages.new_text(at)), 80);
    let whom = name.as_deref().map_or_else(|| "tests".to_owned(), |name| format!("the test {name}"));
    let verb = if name.is_some() { "is" } else { "are" };
    Told {
        message: format!("{whom} {verb} now run again until passing: `{shown}`"),
        help: "find out why a run fails; one that passes in the end hides it".to_owned(),
        old: None,
        new: Some(pages.new[at].number),
        name,
    }
}
