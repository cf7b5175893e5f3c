//! What of a session goes into the index.

use std::collections::BTreeSet;

use super::model::{Record, Summary, SummaryFailure};
use crate::memory::format::{Execution, Failure, Session};
use crate::memory::reader::Read;
use crate::memory::{chain, retention, store};

/// Enough to find a session by; the session itself has the rest.
const SHORT: usize = 300;
const MAX_NOTES: usize = 100;

pub fn records(session: &Session) -> Vec<Record> {
    let broken = chain::verify_chain(session).err().map(|broken| broken.attempt);
    let broken_at = |execution: &Execution| broken == Some(execution.attempt);
    let intact = session.executions.iter().position(broken_at).unwrap_or(session.executions.len());
    let executions = session.executions.iter().enumerate();
    executions.filter_map(|(position, execution)| record(session, execution, position < intact)).collect()
}

fn record(session: &Session, execution: &Execution, intact: bool) -> Option<Record> {
    Some(Record {
        session_id: session.session_id.clone(),
        attempt: execution.attempt,
        timestamp: execution.timestamp,
        code_hash: execution.code_hash.clone(),
        test_results: execution.test_results,
        failed: execution.failures.iter().map(|failure| failure.test_name.clone()).collect(),
        proof: execution.proof.clone()?,
        intact,
    })
}

/// When the last thing happened, in nanoseconds.
pub fn newest(session: &Session) -> i64 {
    store::newest(session).map_or(0, nanoseconds)
}

pub fn nanoseconds(time: chrono::DateTime<chrono::Utc>) -> i64 {
    let limit = if time.timestamp() < 0 { i64::MIN } else { i64::MAX };
    time.timestamp_nanos_opt().unwrap_or(limit)
}

pub fn summary(read: &Read) -> Summary {
    let session = &read.session;
    let metadata = session.metadata.clone().unwrap_or_default();
    let executions = &session.executions;
    let failures = executions.iter().flat_map(|execution| &execution.failures);
    let failures: BTreeSet<SummaryFailure> = failures.map(failure).collect();
    let fixes = executions.iter().filter_map(|execution| execution.fix_applied.as_ref());
    Summary {
        path: Default::default(),
        own: read.own,
        session_id: session.session_id.clone(),
        file_path: session.file_path.clone(),
        status: session.status,
        created_at: session.created_at,
        updated_at: store::newest(session),
        agent: metadata.agent,
        task_id: metadata.task_id,
        worktree: metadata.worktree,
        attempt_numbers: executions.iter().map(|execution| execution.attempt).collect(),
        suites: unique(executions.iter().filter_map(|execution| Some(&execution.proof.as_ref()?.suite))),
        code_hashes: unique(executions.iter().map(|execution| &execution.code_hash)),
        failures: failures.into_iter().collect(),
        notes: notes(session),
        files_changed: unique(fixes.flat_map(|fix| &fix.files_changed)),
        learned: retention::has_learned(session),
    }
}

fn failure(failure: &Failure) -> SummaryFailure {
    SummaryFailure {
        test: failure.test_name.clone(),
        test_file: failure.test_file.clone(),
        error_type: failure.error_type,
        message: short(&failure.error_message),
    }
}

fn notes(session: &Session) -> Vec<String> {
    let mut notes: Vec<&String> = Vec::new();
    for execution in &session.executions {
        notes.extend(
            execution.analysis.iter().flat_map(|analysis| [&analysis.root_cause, &analysis.fix_strategy]),
        );
        notes.extend(execution.fix_applied.iter().map(|fix| &fix.description));
    }
    if let Some(learnings) = &session.learnings {
        let patterns = learnings.patterns_identified.iter();
        notes.extend(
            patterns.flat_map(|pattern| [Some(&pattern.pattern), pattern.fix_template.as_ref()]).flatten(),
        );
        notes.extend(&learnings.recommendations);
    }
    let notes = notes.into_iter().filter(|note| !note.is_empty()).take(MAX_NOTES);
    notes.map(|note| short(note)).collect()
}

fn short(text: &str) -> String {
    text.chars().take(SHORT).collect()
}

/// Each text once, in the order of its first place.
fn unique<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.filter(|text| seen.insert(*text)).cloned().collect()
}
