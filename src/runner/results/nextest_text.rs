//! What `cargo nextest run` prints, one line for each test, and what its report leaves out.

use super::words::{self, milliseconds};
use super::{Failure, Outcome, Results, TestId, TestResult, libtest, panics};
use crate::collections::HashMap;

/// Reads the lines of results.
pub fn read(output: &[u8]) -> Result<Results, String> {
    let text = words::output(output);
    let mut results = Results { named: true, ..Results::default() };
    let mut index: HashMap<TestId, usize> = HashMap::new();
    // The summary at the end repeats lines.
    let body = text.lines().take_while(|line| !line.trim_start().starts_with("Summary ["));
    for line in body {
        let Some((status, test)) = result(line) else { continue };
        // A test that was tried again counts as its last try.
        match index.get(&test.id) {
            Some(&at) => results.tests[at] = test,
            None if status == "TRY" => {}
            None => {
                index.insert(test.id.clone(), results.tests.len());
                results.tests.push(test);
            }
        }
    }
    if results.tests.is_empty() && !text.contains("Summary [") {
        results.problems = libtest::build_problems(&text);
        if results.problems.is_empty() {
            return Err("the output names no test of nextest".to_owned());
        }
    }
    Ok(results)
}

/// A report with the tests that only the text names, and failures as Rust tells them.
pub fn complete(mut report: Results, told: Option<Results>) -> Results {
    for test in report.tests.iter_mut().filter(|test| test.outcome != Outcome::Passed) {
        if let Some(failure) = &mut test.failure {
            let path: Vec<&str> =
                test.id.suite.iter().skip(1).chain([&test.id.name]).map(String::as_str).collect();
            explain(failure, &path.join("::"));
        }
    }
    let told = told.unwrap_or_default();
    report.tests.extend(told.tests.into_iter().filter(|test| test.outcome == Outcome::Skipped));
    report.problems.extend(told.problems);
    report
}

fn explain(failure: &mut Failure, test: &str) {
    let Some(stack) = failure.stack.take() else { return };
    let read = panics::read(&stack, test);
    if read.kind.is_empty() {
        failure.stack = Some(stack);
    } else {
        *failure = read;
    }
}

/// How many tests a line tells to have ended.
pub fn ended_in(line: &str) -> u64 {
    u64::from(result(line).is_some_and(|(_, test)| test.outcome != Outcome::Skipped))
}

/// `        PASS [   0.004s] ( 1/11) cart::whole tests::adds`
fn result(line: &str) -> Option<(&str, TestResult)> {
    let (status, rest) = line.trim_start().split_once(" [")?;
    let (took, rest) = rest.split_once(']')?;
    let (outcome, word) = outcome(status)?;
    let mut rest = rest.trim_start();
    if let Some(behind) = rest.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
        rest = behind.1.trim_start();
    }
    let (binary, name) = rest.trim_end().split_once(' ')?;
    let mut suite: Vec<String> = std::iter::once(binary).chain(name.split("::")).map(str::to_owned).collect();
    let name = suite.pop()?;
    let crash = status.starts_with("SIG").then(|| Failure {
        kind: status.to_owned(),
        message: format!("the test was ended by {status}"),
        ..Failure::default()
    });
    let id = TestId { file: None, suite, name, case: None };
    let took = milliseconds(took.trim_start_matches('>'));
    Some((word, TestResult { id, line: None, outcome, duration_ms: took, failure: crash }))
}

/// The words of a result; `TRY` for one that another may follow.
fn outcome(status: &str) -> Option<(Outcome, &'static str)> {
    let (word, tries) = match status.strip_prefix("TRY ") {
        Some(rest) => (rest.split_once(' ')?.1, true),
        None => (status, false),
    };
    let outcome = match word {
        "PASS" | "LEAK" | "FLAKY" => Outcome::Passed,
        "SKIP" => Outcome::Skipped,
        "FAIL" | "ABORT" | "TIMEOUT" | "TMT" | "LEAK-FAIL" | "FL+LK" | "XFAIL" => Outcome::Failed,
        _ if word.starts_with("SIG")
            && word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()) =>
        {
            Outcome::Failed
        }
        _ if word.starts_with("FLAKY ") => Outcome::Passed,
        _ => return None,
    };
    Some((outcome, if tries && outcome != Outcome::Passed { "TRY" } else { "" }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::runner::results::junit;

    macro_rules! captured {
        ($name:literal) => {
            include_bytes!(concat!("../../../tests/captured/nextest/", $name)) as &[u8]
        };
    }

    fn counts(results: &Results) -> (u64, u64, u64, u64) {
        let counts = results.counts();
        (counts.passed, counts.failed, counts.errors, counts.skipped)
    }

    #[test]
    fn text_and_report_agree() {
        let told = read(captured!("mixed.txt")).unwrap();
        assert_eq!(counts(&told), (4, 7, 0, 2));
        let report = complete(junit::read(captured!("mixed.xml")).unwrap(), Some(told.clone()));
        assert_eq!(counts(&report), (4, 7, 0, 2));
        let ids = |results: &Results| {
            let mut ids: Vec<String> =
                results.tests.iter().map(|test| format!("{:?} {}", test.outcome, test.id)).collect();
            ids.sort();
            ids
        };
        assert_eq!(ids(&told), ids(&report));
    }

    #[test]
    fn failures_are_told_as_rust_tells_them() {
        let report = complete(junit::read(captured!("mixed.xml")).unwrap(), None);
        let wrong = report.tests.iter().find(|test| test.id.name == "adds_wrong").unwrap();
        let failure = wrong.failure.clone().unwrap();
        assert_eq!(failure.kind, "assertion");
        assert_eq!((failure.actual.as_deref(), failure.expected.as_deref()), (Some("3"), Some("4")));
        assert_eq!(failure.location.unwrap().line, Some(37));
    }

    #[test]
    fn crashes_broken_builds_and_empty_projects_are_told() {
        let crash = read(captured!("crash.txt")).unwrap();
        assert_eq!(counts(&crash), (3, 1, 0, 0));
        let killed = crash.tests.iter().find(|test| test.id.name == "b_crash").unwrap();
        assert_eq!(killed.failure.as_ref().unwrap().kind, "SIGABRT");
        let crash = complete(junit::read(captured!("crash.xml")).unwrap(), None);
        assert_eq!(counts(&crash), (3, 1, 0, 0));
        assert_eq!(read(captured!("broken.txt")).unwrap().problems[0].kind, "E0425");
        assert_eq!(counts(&read(captured!("empty.txt")).unwrap()), (0, 0, 0, 0));
        assert!(read(b"nothing\n").is_err());
    }

    #[test]
    fn a_test_that_was_tried_again_counts_once() {
        let text = "  TRY 1 FAIL [   0.1s] (1/1) cart a\n  TRY 2 PASS [   0.1s] (1/1) cart a\n     Summary [ 0.2s] 1 test run\n   FLAKY 2/2 [   0.1s] cart a\n";
        assert_eq!(counts(&read(text.as_bytes()).unwrap()), (1, 0, 0, 0));
    }

    proptest! {
        #[test]
        fn no_output_makes_it_panic(text in r"( |PASS|FAIL|TRY 1 |SIGSEGV|\[|\]|\(|\)|0\.1s|a::b|\n|é|Summary \[){0,30}", bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
            let _ = read(text.as_bytes());
            let _ = read(&bytes);
        }
    }
}
