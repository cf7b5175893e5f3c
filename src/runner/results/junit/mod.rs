//! JUnit XML as pytest, surefire, Gradle, the console launcher, nextest, jest-junit and `node:test` write it.
//!
//! The only user of quick-xml. A test case counts once, whatever stands in it; totals are not read, and missing ones
//! are normal.

mod names;
mod reader;
#[cfg(test)]
mod tests;

pub use reader::Case;

use reader::{Document, Sort, Trouble};

use super::expectation::expectation;
use super::frames::innermost;
use super::model::{Failure, Location, Outcome, Results, TestId, TestResult};
use super::traceback;

/// One report, with names guessed from the habits of the tools.
pub fn read(bytes: &[u8]) -> Result<Results, String> {
    read_named(bytes, |_, id| id)
}

/// The same; `name` may correct the name that was guessed.
pub fn read_named(bytes: &[u8], name: impl Fn(&Case, TestId) -> TestId) -> Result<Results, String> {
    let Document { cases, loose } = reader::document(bytes)?;
    let mut results = Results { named: true, ..Results::default() };
    results.problems.extend(loose.iter().map(failure));
    for case in &cases {
        let decisive = decisive(case);
        // pytest leaves a case without any name for the test in which it was interrupted.
        if decisive.is_none() && case.name.is_empty() && case.class.is_empty() {
            results.problems.push(unended());
            continue;
        }
        if let Some(trouble) =
            decisive.filter(|trouble| names::is_module(case) && trouble.sort != Sort::Skipped)
        {
            results.problems.push(problem(case, trouble));
            continue;
        }
        // pytest counts what breaks when a test is torn down beside the result of the test, and writes a test twice that
        // had failed before.
        let late =
            decisive.filter(|trouble| names::is_pytest(case) && trouble.message.starts_with(TORN_DOWN));
        results.problems.extend(late.map(|trouble| problem(case, trouble)));
        let decisive = decisive.filter(|_| late.is_none());
        let test = test(case, decisive, name(case, names::test_id(case)));
        if late.is_none() || results.tests.last().is_none_or(|last| last.id != test.id) {
            results.tests.push(test);
        }
    }
    Ok(results)
}

/// How pytest begins what broke behind a test.
const TORN_DOWN: &str = "failed on teardown";

/// Several reports as one.
pub fn merge(parts: impl IntoIterator<Item = Results>) -> Results {
    let mut all = Results { named: true, ..Results::default() };
    for part in parts {
        all.tests.extend(part.tests);
        all.problems.extend(part.problems);
    }
    all
}

/// What makes the outcome of a case: a failure before an error, either before a skip.
fn decisive(case: &Case) -> Option<&Trouble> {
    let first = |sort| case.troubles.iter().find(|trouble| trouble.sort == sort);
    first(Sort::Failure).or_else(|| first(Sort::Error)).or_else(|| first(Sort::Skipped))
}

fn test(case: &Case, decisive: Option<&Trouble>, id: TestId) -> TestResult {
    let outcome = match decisive.map(|trouble| trouble.sort) {
        None => Outcome::Passed,
        Some(Sort::Failure) => Outcome::Failed,
        Some(Sort::Error) => Outcome::Errored,
        Some(Sort::Skipped) => Outcome::Skipped,
    };
    let mut failure = decisive.map(failure).filter(|failure| *failure != Failure::default());
    // pytest counts lines from zero.
    let line = case.line.map(|line| line.saturating_add(u32::from(names::is_pytest(case))));
    if let (Some(failure), Outcome::Failed | Outcome::Errored, Some(file)) = (&mut failure, outcome, &id.file)
    {
        let defined = || Location { file: file.clone(), line, function: Some(id.name.clone()) };
        failure.location.get_or_insert_with(defined);
    }
    TestResult { id, line, outcome, duration_ms: case.duration_ms, failure }
}

fn unended() -> Failure {
    let message = "a test did not end: the run was interrupted".to_owned();
    Failure { kind: "unfinished".to_owned(), message, ..Failure::default() }
}

fn problem(case: &Case, trouble: &Trouble) -> Failure {
    let uncollected = Some(trouble).filter(|trouble| trouble.message.trim() == "collection failure");
    let told = uncollected.and_then(|trouble| traceback::marked(&trouble.text));
    let mut problem = told.unwrap_or_else(|| failure(trouble));
    problem.location = problem.location.or_else(|| {
        let file = names::test_id(case).file?;
        Some(Location { file, line: None, function: None })
    });
    problem.message = format!("{}: {}", case.name, problem.message);
    problem
}

fn failure(trouble: &Trouble) -> Failure {
    let text = trouble.text.trim();
    let message = match trouble.message.trim() {
        "" => text.lines().next().unwrap_or("").trim(),
        message => message,
    };
    let kind = if trouble.kind.is_empty() { told_kind(message) } else { &trouble.kind };
    if trouble.sort == Sort::Skipped {
        let location = skipped_at(text);
        return Failure {
            kind: kind.to_owned(),
            message: message.to_owned(),
            location,
            ..Failure::default()
        };
    }
    let (expected, actual) = expectation(message).unzip();
    let stack = (!text.is_empty()).then(|| text.to_owned());
    let location = innermost(text).or_else(|| innermost(message));
    Failure { kind: kind.to_owned(), message: message.to_owned(), expected, actual, stack, location }
}

/// pytest tells where a test was skipped: `/project/tests/test_a.py:12: not on this system`.
fn skipped_at(text: &str) -> Option<Location> {
    let first = text.lines().next()?;
    let (file, line) = first.match_indices(':').find_map(|(at, _)| {
        let (line, _) = first[at + 1..].split_once(": ")?;
        Some((&first[..at], line.parse().ok()?))
    })?;
    Some(Location { file: file.to_owned(), line: Some(line), function: None })
}

/// `ValueError` of `ValueError: no such item`; pytest's rewritten `assert` has no name in its message.
fn told_kind(message: &str) -> &str {
    if message.starts_with("assert ") {
        return "AssertionError";
    }
    let kind = message.split([':', '\n']).next().unwrap_or("");
    let last = kind.rsplit('.').next().unwrap_or("");
    let word = !kind.is_empty() && kind.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
    if word && last.starts_with(char::is_uppercase) { kind } else { "" }
}
