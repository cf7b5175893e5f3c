//! The lines of JSON that the reporters of this tool write for mocha and `node:test`.
//!
//! Each line is written when its test ends, so a run that crashed still tells what it did; the last line tells that it
//! got to its end.

use serde::Deserialize;

use super::frames::innermost_javascript;
use super::jest_json::from_stack;
use super::limits::{NAME, cut};
use super::model::{Failure, Location, Outcome, Results, TestId, TestResult};
use crate::text::plain;

#[derive(Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    Start,
    Test(Told),
    Problem(Told),
    End,
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    suite: Vec<String>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    line: Option<u32>,
    #[serde(default)]
    outcome: Option<End>,
    #[serde(default)]
    duration_ms: Option<f64>,
    #[serde(default)]
    failure: Option<Reason>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Passed,
    Failed,
    Errored,
    Skipped,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Reason {
    kind: String,
    message: String,
    stack: Option<String>,
    expected: Option<String>,
    actual: Option<String>,
}

/// What one process reported, and whether it got to its end.
pub fn read(bytes: &[u8]) -> Result<(Results, bool), String> {
    let mut results = Results { named: true, ..Results::default() };
    let mut ended = false;
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    for (at, line) in lines.iter().enumerate() {
        match serde_json::from_str(line) {
            Ok(Event::Start) => (),
            Ok(Event::Test(told)) => results.tests.push(test(told)),
            Ok(Event::Problem(told)) => results.problems.push(problem(told)),
            Ok(Event::End) => ended = true,
            // A process that was killed leaves half a line, if any.
            Err(_) if at + 1 == lines.len() && at > 0 && !text.ends_with('\n') => (),
            Err(error) => return Err(format!("line {} of the report cannot be read: {error}", at + 1)),
        }
    }
    Ok((results, ended))
}

fn test(told: Told) -> TestResult {
    let outcome = match told.outcome {
        Some(End::Passed) => Outcome::Passed,
        Some(End::Failed) => Outcome::Failed,
        Some(End::Skipped) => Outcome::Skipped,
        Some(End::Errored) | None => Outcome::Errored,
    };
    let failure = told.failure.map(|reason| failure(reason, told.file.as_deref(), told.line));
    let duration_ms = told.duration_ms.filter(|ms| ms.is_finite() && *ms >= 0.0).map(|ms| ms.round() as u64);
    let short = |text: String| cut(&text, NAME).to_owned();
    let suite = told.suite.into_iter().map(short).collect();
    let id = TestId { file: told.file.map(short), suite, name: short(told.name), case: None };
    TestResult { id, line: told.line, outcome, duration_ms, failure }
}

fn problem(told: Told) -> Failure {
    let mut failure = failure(told.failure.unwrap_or_default(), told.file.as_deref(), told.line);
    let short = told.name.rsplit(['/', '\\']).next().filter(|_| told.file.as_ref() == Some(&told.name));
    let place: Vec<&str> =
        told.suite.iter().map(String::as_str).chain([short.unwrap_or(&told.name)]).collect();
    failure.message = format!("{}: {}", place.join(" > "), failure.message);
    failure
}

fn failure(reason: Reason, file: Option<&str>, line: Option<u32>) -> Failure {
    let stack = reason.stack.as_deref().map(plain);
    let defined = || file.map(|file| Location { file: file.to_owned(), line, function: None });
    let location = stack.as_deref().and_then(innermost_javascript).or_else(defined);
    // Errors lose their name on the way from a worker; the stack still has it.
    let told = || stack.as_deref().map(|stack| from_stack(stack).kind).unwrap_or_default();
    let kind = if reason.kind.is_empty() { told() } else { reason.kind };
    Failure {
        kind,
        message: plain(&reason.message),
        expected: reason.expected.as_deref().map(plain),
        actual: reason.actual.as_deref().map(plain),
        stack,
        location,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RUN: &str = concat!(
        r#"{"event":"start"}"#,
        "\n",
        r#"{"event":"test","file":"/p/a.js","suite":["cart"],"name":"adds","outcome":"passed","duration_ms":1.6}"#,
        "\n",
        r#"{"event":"problem","file":"/p/a.js","suite":["cart"],"name":"\"before each\" hook","failure":{"message":"no"}}"#,
        "\n",
    );

    #[test]
    fn a_run_that_was_killed_tells_what_it_did() {
        let (read, ended) = read(format!("{RUN}{{\"event\":\"te").as_bytes()).unwrap();
        assert!(!ended);
        assert_eq!(read.tests[0].id.to_string(), "/p/a.js::cart::adds");
        assert_eq!(read.tests[0].duration_ms, Some(2));
        assert_eq!(read.problems[0].message, "cart > \"before each\" hook: no");
    }

    #[test]
    fn the_last_line_tells_the_end_and_no_other_line_may_be_broken() {
        assert!(read(format!("{RUN}{{\"event\":\"end\"}}\n").as_bytes()).unwrap().1);
        assert!(read(format!("x\n{RUN}").as_bytes()).unwrap_err().contains("line 1"));
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = read(&bytes);
        }
    }
}
