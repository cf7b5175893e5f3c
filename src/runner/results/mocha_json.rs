//! The JSON that mocha's own reporter prints, somewhere in the output of a command.

use serde::Deserialize;

use super::jest_json::from_stack;
use super::limits::{NAME, STACK, cut};
use super::model::{Failure, Outcome, Results, TestId, TestResult};
use crate::collections::HashSet;
use crate::text::plain;

#[derive(Deserialize)]
struct Run {
    tests: Vec<Test>,
    pending: Vec<Test>,
    failures: Vec<Test>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Test {
    title: String,
    #[serde(default)]
    full_title: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    duration: Option<f64>,
    #[serde(default)]
    err: Reason,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Reason {
    message: Option<String>,
    stack: Option<String>,
}

/// The report, if the output has one.
pub fn find(output: &str) -> Option<Results> {
    let starts = output.match_indices('{').map(|(at, _)| at);
    // A program may print objects of its own before it.
    let starts = starts.filter(|at| output[*at + 1..].trim_start().starts_with("\"stats\"")).take(3);
    starts.filter_map(|at| read(&output[at..])).last()
}

fn read(text: &str) -> Option<Results> {
    let run = serde_json::Deserializer::from_str(text).into_iter::<Run>().next()?.ok()?;
    let key = |test: &Test| (test.file.clone(), test.full_title.clone());
    let pending: HashSet<_> = run.pending.iter().map(key).collect();
    let failed: HashSet<_> = run.failures.iter().map(key).collect();
    let known: HashSet<_> = run.tests.iter().map(key).collect();
    let outcome = |test: &Test| match key(test) {
        key if failed.contains(&key) => Outcome::Failed,
        key if pending.contains(&key) => Outcome::Skipped,
        _ => Outcome::Passed,
    };
    let tests = run.tests.iter().map(|test| result(test, outcome(test))).collect();
    // Hooks fail without being tests.
    let hooks = run.failures.iter().filter(|test| !known.contains(&key(test)));
    let problems = hooks.map(|hook| Failure { message: message(hook), ..failure(hook) }).collect();
    Some(Results { tests, problems, named: true, ..Results::default() })
}

fn result(test: &Test, outcome: Outcome) -> TestResult {
    let suite = test.full_title.strip_suffix(&test.title).unwrap_or("").trim();
    let id = TestId {
        file: test.file.clone(),
        // Titles of enclosing suites are joined by spaces here.
        suite: (!suite.is_empty()).then(|| cut(suite, NAME).to_owned()).into_iter().collect(),
        name: cut(&test.title, NAME).to_owned(),
        case: None,
    };
    let duration_ms = test.duration.filter(|ms| ms.is_finite() && *ms >= 0.0).map(|ms| ms.round() as u64);
    let failure = (outcome == Outcome::Failed).then(|| failure(test));
    TestResult { id, line: None, outcome, duration_ms, failure }
}

fn failure(test: &Test) -> Failure {
    let told = test.err.stack.as_deref().or(test.err.message.as_deref()).unwrap_or("");
    from_stack(&plain(cut(told, STACK)))
}

fn message(hook: &Test) -> String {
    format!("{}: {}", hook.full_title, plain(hook.err.message.as_deref().unwrap_or("")))
}

/// What a test file threw while it was loaded, before any test: ` Exception during run: Error: Cannot find module 'x'`.
pub fn uncaught(output: &str) -> Option<Results> {
    let output = crate::text::plain(output);
    let starts = |line: &str| {
        let line = line.trim_start();
        let line = line.strip_prefix("Exception during run: ").unwrap_or(line);
        let (kind, _) = line.split_once(": ")?;
        let kind = kind.split(" [").next().unwrap_or(kind);
        let is_error = kind.ends_with("Error") && kind.chars().all(|c| c.is_alphanumeric());
        is_error.then_some(line.len())
    };
    let mut from = 0;
    let stack = output.split_inclusive('\n').find_map(|line| {
        let begin = from;
        from += line.len();
        starts(line).map(|length| &output[begin + line.len() - length..])
    })?;
    // Words that only look like it have no frames behind them.
    let frames = stack.find("\n    at ")?;
    let end = stack[frames + 1..].split_inclusive('\n').take_while(|line| line.starts_with("    at "));
    let end = frames + 1 + end.map(str::len).sum::<usize>();
    let mut problem = super::jest_json::from_stack(&stack[..end]);
    problem.message = problem.message.lines().next().unwrap_or_default().to_owned();
    Some(Results { named: true, problems: vec![problem], ..Results::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_throws_while_it_is_loaded_says_why() {
        let text = "\n Exception during run: Error: Cannot find module './nosuch'\nRequire stack:\n- /p/a.spec.js\n    \
                    at require (node:internal/modules/helpers:182:18)\n    at Object.<anonymous> (/p/a.spec.js:1:1)\n{\n";
        let problem = &uncaught(text).unwrap().problems[0];
        assert_eq!(
            (problem.kind.as_str(), problem.message.as_str()),
            ("Error", "Cannot find module './nosuch'")
        );
        assert_eq!(problem.location.as_ref().unwrap().file, "/p/a.spec.js");
        assert_eq!(uncaught("Error: only words\n"), None);
    }

    #[test]
    fn the_report_is_found_in_other_output() {
        let output = r#"{"a": 1}
{ "stats": {"tests": 3}, "tests": [
  {"title": "adds", "fullTitle": "cart adds", "file": "/p/a.js", "duration": 1, "err": {}},
  {"title": "off", "fullTitle": "cart off", "file": "/p/a.js", "err": {}},
  {"title": "bad", "fullTitle": "bad", "file": "/p/a.js", "err": {"message": "no", "stack": "Error: no\n    at x (/p/a.js:3:1)"}}],
 "pending": [{"title": "off", "fullTitle": "cart off", "file": "/p/a.js", "err": {}}],
 "failures": [{"title": "bad", "fullTitle": "bad", "file": "/p/a.js", "err": {}},
  {"title": "\"before each\" hook", "fullTitle": "cart \"before each\" hook", "err": {"message": "down"}}], "passes": []}
done"#;
        let read = find(output).unwrap();
        let lines: Vec<_> = read.tests.iter().map(|test| format!("{:?} {}", test.outcome, test.id)).collect();
        assert_eq!(
            lines,
            ["Passed /p/a.js::cart::adds", "Skipped /p/a.js::cart::off", "Failed /p/a.js::bad"]
        );
        assert_eq!(read.problems[0].message, "cart \"before each\" hook: down");
        assert_eq!(read.tests[2].failure.as_ref().unwrap().location.as_ref().unwrap().line, Some(3));
        assert_eq!(find("{ \"stats\": "), None);
    }
}
