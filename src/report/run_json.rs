//! The JSON of `run`, version 1. Fields may be added, never renamed or dropped.

use serde::Serialize;

use crate::memory::Mode;
use crate::run::SuiteRun;
use crate::runner::End;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    runs: Vec<Run<'a>>,
}

#[derive(Serialize)]
struct Run<'a> {
    suite: &'a str,
    framework: &'a str,
    command: &'a str,
    mode: &'a str,
    passed: bool,
    ended: &'a str,
    exit_code: Option<i32>,
    signal: Option<i32>,
    duration_ms: u64,
    tests: Tests,
    failures: Vec<Failure<'a>>,
    proof: Proof<'a>,
    session_id: &'a str,
    attempt: u32,
    regressions: Vec<&'a str>,
    escalation: Option<String>,
    log: String,
}

#[derive(Serialize)]
struct Tests {
    total: u64,
    passed: u64,
    failed: u64,
    errors: u64,
    skipped: u64,
}

#[derive(Serialize)]
struct Failure<'a> {
    test: &'a str,
    file: Option<&'a str>,
    line: Option<u32>,
    message: &'a str,
}

#[derive(Serialize)]
struct Proof<'a> {
    status: &'a str,
    code_hash: Option<&'a str>,
    explanation: &'a str,
    details: &'a [String],
}

pub fn render(runs: &[SuiteRun]) -> serde_json::Result<String> {
    let document = Document { version: 1, runs: runs.iter().map(run).collect() };
    super::json::pretty(&document)
}

fn run(run: &SuiteRun) -> Run<'_> {
    let (ended, exit_code, signal) = match &run.end {
        End::Exited(code) => ("exited", Some(*code), None),
        End::Signal(signal) => ("signal", None, Some(*signal)),
        End::Timeout => ("timeout", None, None),
        End::Interrupted => ("interrupted", None, None),
        End::NotStarted(_) => ("not_started", None, None),
    };
    let mode = match run.mode {
        Mode::Worktree => "worktree",
        Mode::Staged => "staged",
        Mode::Base => "base",
    };
    let counts = run.counts;
    Run {
        suite: &run.suite,
        framework: run.framework.name(),
        command: &run.command,
        mode,
        passed: !run.has_failed(),
        ended,
        exit_code,
        signal,
        duration_ms: u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX),
        tests: Tests {
            total: counts.total,
            passed: counts.passed,
            failed: counts.failed,
            errors: counts.errors,
            skipped: counts.skipped,
        },
        failures: run.failures().iter().map(failure).collect(),
        proof: Proof {
            status: run.proof.status.name(),
            code_hash: run.proof.code_hash.as_deref(),
            explanation: &run.proof.explanation,
            details: &run.proof.details,
        },
        session_id: &run.recorded.session.session_id,
        attempt: run.recorded.attempt,
        regressions: run.recorded.regressions.iter().map(|regression| regression.test.as_str()).collect(),
        escalation: run.recorded.escalation.as_ref().map(|escalation| escalation.path.display().to_string()),
        log: run.log.display().to_string(),
    }
}

fn failure(failure: &crate::memory::Failure) -> Failure<'_> {
    let place = failure.source_location.as_ref();
    Failure {
        test: &failure.test_name,
        file: place.map(|place| place.file.as_str()),
        line: place.and_then(|place| place.line),
        message: &failure.error_message,
    }
}
