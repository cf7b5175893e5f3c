//! What queries and proofs need of all sessions, without reading their files.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::chain;
use super::format::{ErrorType, Execution, Proof, Session, Status, TestResults};
use super::store::{Store, Unreadable, newest};

/// One run, as proofs are decided from it.
#[derive(Clone, Debug, PartialEq)]
pub struct Record {
    pub session_id: String,
    pub attempt: u32,
    pub timestamp: DateTime<Utc>,
    pub code_hash: String,
    pub test_results: TestResults,
    /// Names of the tests that failed.
    pub failed: Vec<String>,
    pub proof: Proof,
    /// Whether the digests of the session fit up to this attempt.
    pub intact: bool,
}

/// One session, as queries look at it.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    pub session_id: String,
    pub file_path: String,
    pub status: Status,
    pub created_at: Option<DateTime<Utc>>,
    /// The time of the last thing that happened.
    pub updated_at: Option<DateTime<Utc>>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub worktree: Option<String>,
    pub attempts: u32,
    pub suites: Vec<String>,
    pub code_hashes: Vec<String>,
    /// Each failure of the session once.
    pub failures: Vec<SummaryFailure>,
    /// Root causes, strategies, fixes and lessons, shortened.
    pub notes: Vec<String>,
    pub files_changed: Vec<String>,
    /// Whether there are learnings or a verified fix.
    pub learned: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SummaryFailure {
    pub test: String,
    pub test_file: Option<String>,
    pub error_type: ErrorType,
    /// Shortened.
    pub message: String,
}

pub struct Index {
    sessions: Vec<Session>,
    unreadable: Vec<Unreadable>,
}

impl Index {
    pub(super) fn load(store: &Store) -> Result<Self> {
        let (sessions, unreadable) = store.sessions()?;
        Ok(Self { sessions, unreadable })
    }

    /// The runs of a suite, newest first.
    pub fn records(&self, suite: &str) -> impl Iterator<Item = Record> + '_ {
        let suite = suite.to_owned();
        let mut records: Vec<Record> = self.sessions.iter().flat_map(records_of).collect();
        records.retain(|record| record.proof.suite == suite);
        records.sort_by_key(|record| std::cmp::Reverse(record.timestamp));
        records.into_iter()
    }

    /// Every session, newest first.
    pub fn summaries(&self) -> impl Iterator<Item = Summary> + '_ {
        self.sessions.iter().map(summary_of)
    }

    /// Files that could not be read.
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }
}

fn records_of(session: &Session) -> Vec<Record> {
    let broken = chain::verify_chain(session).err().map(|broken| broken.attempt);
    let record = |execution: &Execution| {
        Some(Record {
            session_id: session.session_id.clone(),
            attempt: execution.attempt,
            timestamp: execution.timestamp,
            code_hash: execution.code_hash.clone(),
            test_results: execution.test_results,
            failed: execution.failures.iter().map(|failure| failure.test_name.clone()).collect(),
            proof: execution.proof.clone()?,
            intact: broken.is_none_or(|broken| execution.attempt < broken),
        })
    };
    session.executions.iter().filter_map(record).collect()
}

const SHORT: usize = 300;

fn short(text: &str) -> String {
    text.chars().take(SHORT).collect()
}

fn summary_of(session: &Session) -> Summary {
    let metadata = session.metadata.clone().unwrap_or_default();
    let executions = &session.executions;
    let mut failures: Vec<SummaryFailure> = Vec::new();
    for failure in executions.iter().flat_map(|execution| &execution.failures) {
        let failure = SummaryFailure {
            test: failure.test_name.clone(),
            test_file: failure.test_file.clone(),
            error_type: failure.error_type,
            message: short(&failure.error_message),
        };
        if !failures.contains(&failure) {
            failures.push(failure);
        }
    }
    let fixes = || executions.iter().filter_map(|execution| execution.fix_applied.as_ref());
    let analyses = executions.iter().filter_map(|execution| execution.analysis.as_ref());
    let notes = analyses
        .flat_map(|analysis| [&analysis.root_cause, &analysis.fix_strategy])
        .chain(fixes().map(|fix| &fix.description));
    Summary {
        session_id: session.session_id.clone(),
        file_path: session.file_path.clone(),
        status: session.status,
        created_at: session.created_at,
        updated_at: newest(session),
        agent: metadata.agent,
        task_id: metadata.task_id,
        worktree: metadata.worktree,
        attempts: executions.len() as u32,
        suites: unique(executions.iter().filter_map(|execution| Some(&execution.proof.as_ref()?.suite))),
        code_hashes: unique(executions.iter().map(|execution| &execution.code_hash)),
        failures,
        notes: notes.map(|note| short(note)).collect(),
        files_changed: unique(fixes().flat_map(|fix| &fix.files_changed)),
        learned: super::retention::has_learned(session),
    }
}

fn unique<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<String> {
    let mut seen = Vec::new();
    for text in texts {
        if !seen.contains(text) {
            seen.push(text.clone());
        }
    }
    seen
}
