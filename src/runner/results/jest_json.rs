//! The JSON of jest, which vitest writes, too.
//!
//! A file that failed to run is a problem, be it in place of its tests or beside them.

use serde::Deserialize;
use serde_json::Value;

use super::expectation::expectation;
use super::frames::innermost_javascript;
use super::limits::{MESSAGE, NAME, STACK, cut};
use super::model::{Failure, Location, Outcome, Results, TestId, TestResult};
use crate::text::plain;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    test_results: Vec<File>,
    #[serde(default)]
    success: Option<bool>,
    #[serde(flatten)]
    totals: Totals,
}

/// What the tool counted.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Totals {
    num_total_tests: u64,
    num_passed_tests: u64,
    num_failed_tests: u64,
    num_pending_tests: u64,
    num_todo_tests: u64,
}

impl Totals {
    /// Whether there are tests that came to no end. vitest calls those of a worker that died `pending`, as jest calls
    /// skipped ones, and counts them nowhere but in the total.
    fn has_unended(&self) -> bool {
        let parts =
            [self.num_passed_tests, self.num_failed_tests, self.num_pending_tests, self.num_todo_tests];
        parts.into_iter().fold(0, u64::saturating_add) < self.num_total_tests
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    assertion_results: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    #[serde(default)]
    ancestor_titles: Vec<String>,
    #[serde(default)]
    title: String,
    #[serde(default)]
    status: String,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    failure_messages: Option<Vec<String>>,
    #[serde(default)]
    failure_details: Option<Vec<Value>>,
    #[serde(default)]
    location: Option<Place>,
}

#[derive(Deserialize)]
struct Place {
    line: u32,
}

pub fn read(bytes: &[u8]) -> Result<Results, String> {
    let run: Run =
        serde_json::from_slice(bytes).map_err(|error| format!("not the JSON of a test run: {error}"))?;
    let mut results = Results { named: true, ..Results::default() };
    let unended = run.totals.has_unended();
    for file in &run.test_results {
        results.tests.extend(file.assertion_results.iter().map(|test| result(file, test, unended)));
        results.problems.extend(problem(file));
    }
    let counts = results.counts();
    if run.success == Some(false) && counts.failed + counts.errors == 0 && counts.total > 0 {
        let message = "the run failed outside of its tests; its output says why".to_owned();
        results.problems.push(Failure { message, ..Failure::default() });
    }
    Ok(results)
}

fn result(file: &File, test: &Test, unended: bool) -> TestResult {
    let unended = unended && test.status == "pending";
    let outcome = match test.status.as_str() {
        "passed" | "focused" => Outcome::Passed,
        "failed" => Outcome::Failed,
        "pending" if unended => Outcome::Errored,
        "pending" | "skipped" | "todo" | "disabled" => Outcome::Skipped,
        // Nobody knows what a state of a later version means.
        _ => Outcome::Errored,
    };
    let id = TestId {
        file: Some(cut(&file.name, NAME).to_owned()),
        suite: test.ancestor_titles.iter().map(|title| cut(title, NAME).to_owned()).collect(),
        name: cut(&test.title, NAME).to_owned(),
        case: None,
    };
    let failed = matches!(outcome, Outcome::Failed | Outcome::Errored);
    let line = test.location.as_ref().map(|place| place.line);
    let duration_ms = test.duration.filter(|ms| ms.is_finite() && *ms >= 0.0).map(|ms| ms.round() as u64);
    let mut failure = failed.then(|| failure(file, test, line));
    if let Some(failure) = failure.as_mut().filter(|failure| unended && failure.message.is_empty()) {
        failure.kind = "unfinished".to_owned();
        failure.message = "the test did not end: its worker died before".to_owned();
    }
    TestResult { id, line, outcome, duration_ms, failure }
}

fn failure(file: &File, test: &Test, line: Option<u32>) -> Failure {
    let told = test.failure_messages.iter().flatten().next().map_or("", String::as_str);
    let stack = plain(cut(told, STACK));
    let mut failure = from_stack(&stack);
    let details = test.failure_details.iter().flatten().next();
    let side =
        |name: &str| details.and_then(|all| all.get("matcherResult").unwrap_or(all).get(name)).map(shown);
    // What was expected is only told where a value was compared; `null` may be either.
    if let (Some(expected), Some(actual)) = (side("expected"), side("actual")) {
        (failure.expected, failure.actual) = (Some(expected), Some(actual));
    }
    failure.location =
        failure.location.or_else(|| Some(Location { file: file.name.clone(), line, function: None }));
    failure
}

/// `AssertionError: expected 3 to be 4` and the frames below it.
pub fn from_stack(stack: &str) -> Failure {
    let message_end = stack.find("\n    at ").unwrap_or(stack.len());
    let whole = stack[..message_end].trim();
    let (kind, message) = match whole.split_once(": ") {
        Some((kind, message)) if is_kind(kind) => (kind, message),
        _ => ("", whole),
    };
    let kind = kind.split(' ').next().unwrap_or("");
    let (expected, actual) = expectation(message).or_else(|| chai(message)).unzip();
    Failure {
        kind: kind.to_owned(),
        message: cut(message, MESSAGE).to_owned(),
        expected,
        actual,
        stack: Some(stack.to_owned()),
        location: innermost_javascript(stack),
    }
}

/// `TypeError`, and `AssertionError [ERR_ASSERTION]` of node.
fn is_kind(word: &str) -> bool {
    let name = word.split(" [").next().unwrap_or("");
    name.starts_with(char::is_uppercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
}

/// `expected 3 to be 4 // Object.is equality`, as chai and vitest say it.
fn chai(message: &str) -> Option<(String, String)> {
    let line = message.lines().next()?.split(" // ").next()?;
    let rest = line.strip_prefix("expected ")?;
    let verbs = [" to be ", " to deeply equal ", " to equal ", " to strictly equal "];
    let (actual, expected) = verbs.iter().find_map(|verb| rest.split_once(verb))?;
    Some((expected.to_owned(), actual.to_owned()))
}

fn shown(value: &Value) -> String {
    let text = match value {
        Value::String(text) => plain(text),
        other => other.to_string(),
    };
    cut(&text, MESSAGE).to_owned()
}

/// A file that did not run to its end.
fn problem(file: &File) -> Option<Failure> {
    let message = plain(cut(file.message.as_deref().unwrap_or(""), STACK));
    let told = message.contains("Test suite failed to run");
    let failed_tests = file.assertion_results.iter().any(|test| test.status == "failed");
    if file.status != "failed" || (failed_tests && !told) {
        return None;
    }
    let text = message.trim().trim_start_matches("● Test suite failed to run").trim();
    let mut failure = from_stack(text);
    let first = text.lines().next().unwrap_or("").trim();
    failure.message = if first.is_empty() { "the file failed to run".to_owned() } else { first.to_owned() };
    failure.message = format!("{}: {}", file_name(&file.name), failure.message);
    let whole = || Location { file: file.name.clone(), line: None, function: None };
    failure.location = failure.location.or_else(|| Some(whole()));
    Some(failure)
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
