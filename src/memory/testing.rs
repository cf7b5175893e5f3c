//! Sessions for tests: plain ones by hand, arbitrary ones for properties.

use chrono::{DateTime, Utc};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

use super::chain::{last_digest, seal};
use super::format::*;

pub fn time(seconds: i64) -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_000_000 + seconds, 0).unwrap()
}

pub fn id(number: u32) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}

/// A session of ours with one passing attempt, made so many seconds after the first.
pub fn session(number: u32, seconds: i64) -> Session {
    let mut session = Session {
        session_id: id(number),
        file_path: "src/cart.py".to_owned(),
        created_at: Some(time(seconds)),
        updated_at: Some(time(seconds)),
        status: Status::Passed,
        executions: Vec::new(),
        learnings: None,
        metadata: None,
        foreign: Vec::new(),
    };
    attempt(&mut session, "unit", seconds);
    session
}

/// Adds a sealed attempt.
pub fn attempt(session: &mut Session, suite: &str, seconds: i64) {
    let mut execution = execution(session.executions.len() as u32 + 1, suite, time(seconds));
    seal(&mut execution, last_digest(session));
    session.executions.push(execution);
    session.updated_at = Some(time(seconds));
}

fn execution(attempt: u32, suite: &str, timestamp: DateTime<Utc>) -> Execution {
    Execution {
        attempt,
        timestamp,
        code_hash: crate::digest::named(format!("{attempt}")),
        environment: None,
        test_results: TestResults { total: 3, passed: 3, ..TestResults::default() },
        failures: Vec::new(),
        analysis: None,
        fix_applied: None,
        proof: Some(proof(suite)),
    }
}

pub fn proof(suite: &str) -> Proof {
    Proof {
        suite: suite.to_owned(),
        framework: "pytest".to_owned(),
        command: "pytest -q".to_owned(),
        own_command: true,
        mode: Mode::Worktree,
        ended: ProofEnd::Exited,
        exit_code: Some(0),
        base_commit: Some("1".repeat(40)),
        base_tree: Some("2".repeat(40)),
        tree: "3".repeat(40),
        delta: vec![format!("100644 {} src/cart.py", "4".repeat(40))],
        untracked: Vec::new(),
        created: Vec::new(),
        named: true,
        known: 3,
        unexecuted: Vec::new(),
        excused: None,
        weak: Vec::new(),
        executed_digest: crate::digest::named("executed"),
        output_digest: crate::digest::named("output"),
        chain: Chain::default(),
    }
}

/// Texts that YAML likes to take for something else.
fn text() -> BoxedStrategy<String> {
    prop_oneof![
        ".{1,20}",
        "[ \t\r\na-c:#*&\\[\\]{}'\"|>%@`!?,~0-9.-]{1,20}",
        "\\PC{1,12}",
        any::<String>().prop_filter("not empty", |text| !text.is_empty()),
        prop::sample::select(vec![
            "yes",
            "no",
            "null",
            "~",
            "true",
            "1e3",
            "0x1F",
            "007",
            "-",
            "- a",
            "a: b",
            "# c",
            "",
            " lead",
            "trail ",
            "\n",
            "a\n",
            "\na",
            "a\n\n",
            "a\r\nb",
            "\u{85}",
            "\u{2028}x",
            "\u{0}",
            "\u{7f}",
            "\u{feff}a",
            "🦀\n  é",
            ".nan",
            "2026-01-01",
            "=",
            "<<",
            "---",
            "...",
            "\t",
            "a\tb",
            "|",
            "&a",
            "*a",
            "!t",
        ])
        .prop_filter("not empty", |text| !text.is_empty())
        .prop_map(str::to_owned),
    ]
    .boxed()
}

fn long_text() -> impl Strategy<Value = String> {
    (text(), ".{20,40}").prop_map(|(start, end)| format!("{start}{}", end.replace(char::is_whitespace, "x")))
}

fn share() -> impl Strategy<Value = f64> {
    0.0..=1.0
}

fn moment() -> impl Strategy<Value = DateTime<Utc>> {
    (0_i64..4_000_000_000, 0_u32..1_000_000_000)
        .prop_map(|(seconds, part)| DateTime::from_timestamp(seconds, part).unwrap())
}

fn word<T: Clone + std::fmt::Debug + 'static>(words: &'static [T]) -> impl Strategy<Value = T> {
    prop::sample::select(words)
}

const ERROR_TYPES: &[ErrorType] = &[ErrorType::AssertionError, ErrorType::NetworkError, ErrorType::Other];
const CATEGORIES: &[RootCauseCategory] =
    &[RootCauseCategory::NullUndefinedAccess, RootCauseCategory::OffByOne, RootCauseCategory::Other];

prop_compose! {
    fn failure()(
        test_name in text(), test_file in option::of(text()), test_line in option::of(any::<u32>()),
        error_type in word(ERROR_TYPES), error_message in any::<String>(), stack_trace in option::of(any::<String>()),
        expected in option::of(text()), place in option::of((text(), option::of(any::<u32>()), option::of(text()))),
    ) -> Failure {
        let source_location = place.map(|(file, line, function)| SourceLocation { file, line, function });
        let actual = expected.clone();
        Failure { test_name, test_file, test_line, error_type, error_message, stack_trace, expected, actual, source_location }
    }
}

prop_compose! {
    fn analysis()(
        root_cause in long_text(), root_cause_category in option::of(word(CATEGORIES)), fix_strategy in long_text(),
        confidence in option::of(share()), related_failures in vec(text(), 0..3), patterns_matched in vec(text(), 0..2),
        issues in vec((text(), option::of(text()), option::of(text())), 0..2),
    ) -> Analysis {
        let issue = |(session_id, file, resolution)| SimilarIssue { session_id, file, resolution };
        let similar_past_issues = issues.into_iter().map(issue).collect();
        Analysis {
            root_cause, root_cause_category, fix_strategy, confidence, related_failures, similar_past_issues,
            patterns_matched,
        }
    }
}

prop_compose! {
    fn fix()(
        description in text(), diff_summary in option::of(text()), files_changed in vec(text(), 0..3),
        diff in option::of(text()),
        verification in option::of(word(&[Verification::Pending, Verification::Passed, Verification::Failed])),
    ) -> FixApplied {
        FixApplied { description, diff_summary, files_changed, diff, verification }
    }
}

prop_compose! {
    fn arbitrary_proof()(
        suite in text(), command in text(), own_command in any::<bool>(), exit_code in option::of(any::<i32>()),
        mode in word(&[Mode::Worktree, Mode::Staged, Mode::Base]), delta in vec(text(), 0..4), weak in vec(text(), 0..2),
        ended in word(&[ProofEnd::Exited, ProofEnd::Signal, ProofEnd::NotStarted]), known in any::<u64>(),
        unexecuted in vec(text(), 0..3),
    ) -> Proof {
        Proof { command, own_command, exit_code, mode, delta, weak, ended, known, unexecuted, ..proof(&suite) }
    }
}

prop_compose! {
    fn environment()(
        runtime in option::of(text()), runtime_version in option::of(text()), os in option::of(text()),
        test_framework in option::of(text()), additional in btree_map(text(), text(), 0..3),
    ) -> Environment {
        Environment { runtime, runtime_version, test_framework, os, additional }
    }
}

prop_compose! {
    fn arbitrary_execution()(
        timestamp in moment(), code_hash in text(), environment in option::of(environment()),
        counts in any::<[u32; 5]>(), duration_ms in option::of(any::<u32>()), coverage in option::of(0.0..=100.0_f64),
        failures in vec(failure(), 0..3), analysis in option::of(analysis()), fix_applied in option::of(fix()),
        proof in option::of(arbitrary_proof()),
    ) -> Execution {
        let [total, passed, failed, errors, skipped] = counts.map(u64::from);
        let duration_ms = duration_ms.map(u64::from);
        let test_results =
            TestResults { total, passed, failed, errors, skipped, duration_ms, coverage_percent: coverage };
        Execution { attempt: 1, timestamp, code_hash, environment, test_results, failures, analysis, fix_applied, proof }
    }
}

prop_compose! {
    fn learnings()(
        patterns in vec((text(), option::of(any::<u32>()), option::of(text()), option::of(share())), 0..3),
        recurring in vec((text(), any::<u32>(), option::of(text())), 0..2),
        code_quality_issues in vec(text(), 0..2), recommendations in vec(text(), 0..2),
    ) -> Learnings {
        let pattern = |(pattern, frequency, fix_template, effectiveness)| {
            Pattern { pattern, frequency, category: None, fix_template, effectiveness }
        };
        let failure = |(test, occurrences, notes)| RecurringFailure { test, occurrences, resolution: None, notes };
        Learnings {
            patterns_identified: patterns.into_iter().map(pattern).collect(),
            recurring_failures: recurring.into_iter().map(failure).collect(),
            code_quality_issues,
            recommendations,
        }
    }
}

prop_compose! {
    /// Any session that may be written, sealed.
    pub fn arbitrary_session()(
        number in any::<u32>(), file_path in text(), created_at in option::of(moment()),
        status in word(&[Status::InProgress, Status::Passed, Status::Failed, Status::Escalated]),
        executions in vec(arbitrary_execution(), 0..4), learnings in option::of(learnings()),
        agent in option::of(option::of(text())), ralph_iteration in option::of(any::<u32>()),
    ) -> Session {
        let metadata = agent.map(|agent| Metadata { agent, ralph_iteration, ..Metadata::default() });
        let mut session = Session {
            session_id: id(number), file_path, created_at, updated_at: created_at, status, executions: Vec::new(),
            learnings, metadata, foreign: Vec::new(),
        };
        for (position, mut execution) in executions.into_iter().enumerate() {
            execution.attempt = position as u32 + 1;
            seal(&mut execution, last_digest(&session));
            session.executions.push(execution);
        }
        session
    }
}
