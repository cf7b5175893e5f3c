//! Whether a suite has run on what is wanted, as a value.

use chrono::{DateTime, Utc};

use crate::memory::Record;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Valid,
    /// Something else was run.
    Stale,
    Failed,
    /// Nothing was run, or the suite itself is gone.
    Missing,
    /// It passed, but does not tell enough.
    Weak,
    NotRequired,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Stale => "stale",
            Self::Failed => "failed",
            Self::Missing => "missing",
            Self::Weak => "weak",
            Self::NotRequired => "not_required",
        }
    }

    /// Whether a commit may go on.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Valid | Self::NotRequired)
    }
}

/// Has the suite run on what is wanted?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteProof {
    pub suite: String,
    pub status: Status,
    pub code_hash: Option<String>,
    /// The run that this is about: the proof, or the one that came closest.
    pub run: Option<RunRef>,
    /// One sentence.
    pub explanation: String,
    /// Further lines: files, tests.
    pub details: Vec<String>,
    /// The one command to type.
    pub next: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRef {
    pub session_id: String,
    pub attempt: u32,
    pub at: DateTime<Utc>,
    pub tests: u64,
    /// Of the record, to find it again.
    pub digest: String,
}

impl RunRef {
    pub fn of(record: &Record) -> Self {
        Self {
            session_id: record.session_id.clone(),
            attempt: record.attempt,
            at: record.timestamp,
            tests: record.test_results.total,
            digest: record.proof.chain.digest.clone(),
        }
    }
}

impl SuiteProof {
    pub fn not_required(suite: &str, explanation: &str) -> Self {
        Self {
            suite: suite.to_owned(),
            status: Status::NotRequired,
            code_hash: None,
            run: None,
            explanation: explanation.to_owned(),
            details: Vec::new(),
            next: None,
        }
    }
}
