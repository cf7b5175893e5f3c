//! Sessions of every shape are read with nothing lost.

use super::*;
use crate::memory::format::{ErrorType, RootCauseCategory, Status, Verification};

fn noon() -> DateTime<Utc> {
    "2026-02-03T12:00:00Z".parse().unwrap()
}

#[track_caller]
fn parsed(name: &str, text: &str) -> Session {
    let read = parse(Path::new(name), text.as_bytes(), noon()).unwrap().expect("a session");
    let session = read.session;
    assert!(!read.own, "only what we write is ours");
    nothing_is_lost(name, text, &session);
    session
}

/// Every text of the file is somewhere in the session.
#[track_caller]
fn nothing_is_lost(name: &str, text: &str, session: &Session) {
    let mut leaves = Vec::new();
    fields::keep(String::new(), &tree(text, name.ends_with(".json")).unwrap(), &mut leaves);
    let kept = format!("{session:?}").replace(['_', '-'], "").to_lowercase();
    let (day, numbers) =
        (|text: &str| words::time(text).map(|time| format!("{time:?}").replace('-', "").to_lowercase()), "%");
    for leaf in leaves {
        let value = leaf.value.trim_end_matches(numbers);
        let quoted = format!("{value:?}");
        let found = [quoted[1..quoted.len() - 1].replace(['_', '-'], "").to_lowercase()]
            .into_iter()
            .chain(day(value));
        assert!(found.into_iter().any(|text| kept.contains(&text)), "lost {leaf:?} of\n{text}\n{session:#?}");
    }
}

#[test]
fn a_wrapped_session_with_causes_beside_its_failures() {
    let session = parsed(
        "session-k7.yaml",
        r#"
debug_memory:
  executions:
    - attempt: 1
      timestamp: "2026-02-03T15:00:00Z"
      code_hash: "77e0"
      test_results: {passed: 4, failed: 1, errors: 1}
      failure_analysis:
        - test: "test_empty_basket"
          error: "TypeError: cannot read 'price' of null"
          root_cause: "No guard in total()"
        - test: "test_tax"
          error: "ZeroDivisionError: by zero"
          root_cause: "Rate of 0 is not expected"
      fix_applied: "Guard on line 12"
    - attempt: 2
      timestamp: "2026-02-03T15:03:00Z"
      code_hash: "78e1"
      test_results: {passed: 6, failed: 0, errors: 0}
"#,
    );
    assert_eq!((session.session_id.as_str(), session.status), ("k7", Status::Passed));
    let first = &session.executions[0];
    assert_eq!(first.test_results.total, 6);
    assert_eq!(first.code_hash, "77e0", "a number of another kind is a text");
    assert_eq!(first.failures[0].error_type, ErrorType::TypeError);
    assert_eq!(first.failures[1].error_type, ErrorType::Other);
    let cause = &first.analysis.as_ref().unwrap().root_cause;
    assert_eq!(cause, "test_empty_basket: No guard in total()\ntest_tax: Rate of 0 is not expected");
    assert_eq!(first.fix_applied.as_ref().unwrap().description, "Guard on line 12");
    assert_eq!(session.foreign, []);
}

#[test]
fn a_short_session_without_times_and_totals() {
    let session = parsed(
        "session-b.yml",
        r#"
session_id: "def987"
file_path: "src/shop/basket.ts"
status: PASSED
created_at: "2026-02-03T10:00:00Z"
executions:
  - attempt: 1
    test_results: {passed: 6, failed: 2}
    failures:
      - {test: "test_null", error_type: "TypeError", root_cause: "Missing guard"}
    fix_applied: "Added a guard"
  - attempt: 2
    test_results: {total: 8, failed: "0"}
learnings:
  patterns_identified:
    - {pattern: "Guard missing at the border", frequency: 1, fix_template: "Guard at the entry"}
    - Only words
  recurring_failures: [{test: test_edge, occurrences: 2, resolution: pending}]
  code_quality_issues: [{file: a.ts, issue: long function}]
"#,
    );
    assert_eq!(session.executions[0].timestamp.to_rfc3339(), "2026-02-03T10:00:00+00:00");
    assert_eq!(session.executions[0].test_results.total, 8);
    assert_eq!(session.executions[1].test_results.passed, 8);
    assert_eq!(session.executions[0].analysis.as_ref().unwrap().root_cause, "Missing guard");
    let learnings = session.learnings.unwrap();
    assert_eq!(learnings.patterns_identified[1].pattern, "Only words");
    assert_eq!(learnings.code_quality_issues, ["file: a.ts; issue: long function"]);
}

#[test]
fn a_whole_record_with_an_environment_and_an_analysis() {
    let session = parsed(
        "notes.yaml",
        r#"
debug_memory:
  session_id: session-uuid
  file_path: src/module/file.ts
  executions:
    - attempt: 1
      timestamp: ISO-8601
      code_hash: SHA-256
      environment: {node_version: 20.10, test_framework: vitest, shell: zsh, additional: {ci: no}}
      test_results: {total: 10, passed: 8, failed: 2, errors: 0, skipped: 0, duration_ms: '1500'}
      failures:
        - test_name: adds up
          test_file: test/file.test.ts
          error_type: assertionerror
          error_message: expected X but got Y
          stack_trace: "at a\nat b"
          line_number: 42
          severity: HIGH
      analysis:
        root_cause: the sum is one off
        root_cause_category: Off-By-One
        fix_strategy: count from zero
        confidence: "0.8"
        similar_past_issues: [{session_id: abc, file: a.ts, resolution: counted}]
      fix_applied:
        description: counted from zero
        diff_summary: +5/-2 lines
        files_modified: [src/module/file.ts]
        verification: {command: npx vitest, result: all_passing, regression_check: no_new_failures}
"#,
    );
    let execution = &session.executions[0];
    let environment = execution.environment.as_ref().unwrap();
    assert_eq!(environment.runtime.as_deref(), Some("node"));
    assert_eq!(environment.runtime_version.as_deref(), Some("20.10"));
    assert_eq!(environment.additional["ci"], "no");
    assert_eq!(execution.timestamp, noon(), "of the file, where the record tells none");
    assert_eq!(execution.test_results.duration_ms, Some(1500));
    assert_eq!(execution.failures[0].test_line, Some(42));
    let analysis = execution.analysis.as_ref().unwrap();
    assert_eq!(analysis.root_cause_category, Some(RootCauseCategory::OffByOne));
    let fix = execution.fix_applied.as_ref().unwrap();
    assert_eq!(fix.verification, Some(Verification::Passed));
    assert_eq!(fix.files_changed, ["src/module/file.ts"]);
    let places: Vec<&str> = session.foreign.iter().map(|foreign| foreign.place.as_str()).collect();
    assert!(places.contains(&"executions[0].failures[0].severity"), "{places:?}");
    assert!(places.contains(&"executions[0].timestamp"), "{places:?}");
}

#[test]
fn a_feedback_workflow() {
    let session = parsed(
        "flow.json",
        r#"{"workflow_id": "ef-9", "agent": {"name": "implementer", "type": "software_implementer"},
        "code_artifact": {"path": "src/a.ts", "language": "typescript", "content_hash": "12ab"},
        "execution_config": {"test_framework": "jest", "test_command": "npx jest a", "timeout_seconds": 30},
        "retry_policy": {"max_attempts": 3}, "timestamps": {"started_at": "2026-02-03T10:00:00Z"},
        "ralph_integration": {"loop_id": "ralph-a", "iteration": 2},
        "loop_state": {"phase": "complete", "attempt_number": 2, "status": "passed",
          "attempts": [
            {"attempt_number": 1, "timestamp": "2026-02-03T10:00:30Z", "phase": "execute_tests",
             "test_results": {"total": 3, "passed": 2, "failed": 1, "coverage_percent": "92%"},
             "failures": [{"test_name": "t", "error_type": "KeyError", "error_message": "'x'"}]}]}}"#,
    );
    assert_eq!((session.session_id.as_str(), session.file_path.as_str()), ("ef-9", "src/a.ts"));
    let metadata = session.metadata.unwrap();
    assert_eq!((metadata.agent.as_deref(), metadata.ralph_iteration), (Some("implementer"), Some(2)));
    let execution = &session.executions[0];
    assert_eq!((execution.attempt, execution.code_hash.as_str()), (1, "12ab"));
    assert_eq!(execution.test_results.coverage_percent, Some(92.0));
    assert_eq!(execution.failures[0].error_message, "KeyError: 'x'");
    assert!(session.foreign.iter().any(|foreign| foreign.place == "retry_policy.max_attempts"));
}

#[test]
fn what_is_no_session_is_none_and_what_is_broken_is_an_error() {
    let read = |name: &str, bytes: &[u8]| parse(Path::new(name), bytes, noon());
    assert!(read("index.yaml", b"by_file: {}").unwrap().is_none());
    assert!(read("index.json", b"[1, 2]").unwrap().is_none());
    for (name, bytes, words) in [
        ("a.yaml", &b"executions: [&a x, *a]"[..], "aliases"),
        ("a.yaml", b"executions: [", "not valid YAML"),
        ("a.json", b"{\"executions\": [}", "not valid JSON"),
        ("a.yaml", b"\xff\xfe", "not UTF-8"),
    ] {
        let error = format!("{:#}", read(name, bytes).unwrap_err());
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn learned_patterns_are_read_leniently() {
    let yaml = "patterns:\n- {error_pattern: 'null of *', fix_template: guard, occurrences: 3, success_rate: 90%}\n- 3\n";
    assert!(patterns::read(node::from_yaml("a: b").unwrap(), noon()).is_none());
    let read = patterns::read(node::from_yaml(yaml).unwrap(), noon()).unwrap();
    assert_eq!(read.patterns.len(), 1);
    assert_eq!((read.patterns[0].occurrences, read.patterns[0].last_seen), (3, noon()));
    assert_eq!(read.patterns[0].pattern_id.len(), 12);
}

proptest::proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(text in r#"[-a:{}\[\],*&|>'"\\ \n#?!0-9.é]{0,80}"#) {
        let _ = parse(Path::new("a.yaml"), text.as_bytes(), noon());
        let _ = parse(Path::new("a.json"), text.as_bytes(), noon());
    }

    /// Numbers in quotes change nothing else: both texts give the same tree, but for how numbers are written.
    #[test]
    fn what_is_scanned_means_the_same(text in r#"([a-c]: |- |\n|  |[a-z]{1,3}|"x"|'y'|\[|\]|,|[1-9][0-9]{0,2}|\|\n| #|\{|\}){0,24}"#) {
        let Ok(prepared) = scan::prepare(&text) else { return Ok(()) };
        let tree = |text: &str| serde_yaml::from_str::<serde_yaml::Value>(text).ok().map(|value| as_text(&value));
        proptest::prop_assert_eq!(tree(&text), tree(&prepared), "{:?}\n{:?}", text, prepared);
    }
}

fn as_text(value: &serde_yaml::Value) -> String {
    use serde_yaml::Value;
    match value {
        Value::Null => "~".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Sequence(list) => format!("[{}]", list.iter().map(as_text).collect::<Vec<_>>().join(",")),
        Value::Mapping(map) => {
            let entry = |(key, value): (&Value, &Value)| format!("{}={}", as_text(key), as_text(value));
            format!("{{{}}}", map.iter().map(entry).collect::<Vec<_>>().join(","))
        }
        Value::Tagged(tagged) => as_text(&tagged.value),
    }
}
