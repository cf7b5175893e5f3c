//! A session as it stands in its file. Written exactly so; the lenient reading of older and foreign files is elsewhere.
//!
//! Unknown fields are refused here: a file that these types can hold is one that can be written again without loss.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// One bug hunt: attempts at one piece of work until it passes, is escalated, or the work moves elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Session {
    /// A UUID in what we write; anything in what we read.
    pub session_id: String,
    /// The file the hunt is about, from the root of the repository.
    pub file_path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_at: Option<DateTime<Utc>>,
    pub status: Status,
    pub executions: Vec<Execution>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learnings: Option<Learnings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
    /// Never written: what a file of another tool says and the fields above have no place for.
    #[serde(skip)]
    pub foreign: Vec<Foreign>,
}

/// One value of a foreign file: where it stands, as in `executions[0].phase`, and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Foreign {
    pub place: String,
    pub value: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    #[default]
    InProgress,
    Passed,
    Failed,
    Escalated,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Metadata {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ralph_iteration: Option<u32>,
    /// Ours: the working tree in which the hunt goes on, relative to nothing: its absolute path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worktree: Option<String>,
}

/// One attempt: one run of one suite.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Execution {
    /// From 1.
    pub attempt: u32,
    pub timestamp: DateTime<Utc>,
    /// `sha256:` and hexadecimal digits in what we write.
    pub code_hash: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub environment: Option<Environment>,
    pub test_results: TestResults,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<Failure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub analysis: Option<Analysis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_applied: Option<FixApplied>,
    /// Ours: what makes this attempt evidence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<Proof>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runtime_version: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_framework: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub os: Option<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub additional: BTreeMap<String, String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestResults {
    pub total: u64,
    pub passed: u64,
    pub failed: u64,
    pub errors: u64,
    pub skipped: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage_percent: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// As [`crate::runner::TestId`] prints it.
    pub test_name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test_line: Option<u32>,
    pub error_type: ErrorType,
    pub error_message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stack_trace: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub actual: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_location: Option<SourceLocation>,
}

/// The closed list of the schema; what does not fit is `Other`, and stays in the message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ErrorType {
    AssertionError,
    TypeError,
    ReferenceError,
    SyntaxError,
    RuntimeError,
    TimeoutError,
    NetworkError,
    ValidationError,
    #[default]
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceLocation {
    pub file: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub function: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Analysis {
    /// At least 20 characters in what we write.
    pub root_cause: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_cause_category: Option<RootCauseCategory>,
    /// At least 20 characters in what we write.
    pub fix_strategy: String,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub related_failures: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar_past_issues: Vec<SimilarIssue>,
    /// Ids of learned patterns that applied.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns_matched: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RootCauseCategory {
    NullUndefinedAccess,
    TypeMismatch,
    MissingValidation,
    LogicError,
    OffByOne,
    RaceCondition,
    ResourceLeak,
    MissingErrorHandling,
    ApiMisuse,
    ConfigurationError,
    DependencyIssue,
    Other,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimilarIssue {
    pub session_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FixApplied {
    pub description: String,
    /// As in `+5/-2 lines`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff_summary: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files_changed: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diff: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verification {
    #[default]
    Pending,
    Passed,
    Failed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Learnings {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns_identified: Vec<Pattern>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recurring_failures: Vec<RecurringFailure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub code_quality_issues: Vec<CodeQualityIssue>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub recommendations: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pattern {
    pub pattern: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix_template: Option<String>,
    /// From 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effectiveness: Option<f64>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecurringFailure {
    pub test: String,
    pub occurrences: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resolution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
}

/// Text in some files, a mapping in others; kept as text.
pub type CodeQualityIssue = String;

/// Ours: what a run is evidence for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Proof {
    pub suite: String,
    pub framework: String,
    /// What was asked for, without what the gate adds for its report.
    pub command: String,
    /// Whether that is the suite's own command, and not one given after `--`.
    pub own_command: bool,
    pub mode: Mode,
    pub ended: ProofEnd,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The commit that HEAD was, and its tree; absent before the first commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_commit: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_tree: Option<String>,
    /// The whole tree as tested, to restore it from; kept alive by a reference.
    pub tree: String,
    /// How the suite's files differed from the base tree: `mode id path`, or `- path` for those that were gone. Sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub delta: Vec<String>,
    /// Paths of the delta that git did not track.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub untracked: Vec<String>,
    /// What the run itself brought forth, in the form of `delta`: lock files, snapshots. A commit may have it or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub created: Vec<String>,
    /// Whether the tests are listed by name.
    pub named: bool,
    /// Statically known tests of the suite that are not skipped, and how many of them did not run.
    pub known: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unexecuted: Vec<String>,
    /// Tests that failed or did not run, and that the base was known to fail or leave out when the run ended. Absent
    /// where nobody looked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub excused: Option<BTreeSet<String>>,
    /// Why the run cannot be a proof, decided when it ended.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub weak: Vec<String>,
    /// Over the sorted ids of what ran.
    pub executed_digest: String,
    pub output_digest: String,
    pub chain: Chain,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// The files on disk.
    Worktree,
    /// A throw-away checkout of the index.
    Staged,
    /// A throw-away checkout of HEAD: records what fails there already.
    Base,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProofEnd {
    Exited,
    Signal,
    Timeout,
    Interrupted,
    /// The command could not be started.
    NotStarted,
}

/// Tamper evidence within a session.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The digest of the attempt before, absent for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub previous: Option<String>,
    /// Over the whole attempt except itself, analysis and fix, and over `previous`.
    pub digest: String,
}
