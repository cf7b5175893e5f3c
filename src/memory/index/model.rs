//! What the index tells of a run and of a session.

use std::path::PathBuf;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::memory::format::{ErrorType, Proof, Status, TestResults};

/// One run, as proofs are decided from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The session's file.
    #[serde(skip)]
    pub path: PathBuf,
    /// Whether we wrote it, so that it can be continued.
    pub own: bool,
    pub session_id: String,
    pub file_path: String,
    pub status: Status,
    pub created_at: Option<DateTime<Utc>>,
    /// When the last thing happened.
    pub updated_at: Option<DateTime<Utc>>,
    pub agent: Option<String>,
    pub task_id: Option<String>,
    pub worktree: Option<String>,
    /// The numbers of its attempts.
    pub attempt_numbers: Vec<u32>,
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

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SummaryFailure {
    pub test: String,
    pub test_file: Option<String>,
    pub error_type: ErrorType,
    /// Shortened.
    pub message: String,
}
