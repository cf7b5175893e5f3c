//! Debug memory: what was run, what failed, what was tried, what fixed it.
//!
//! The files under `.aiwg/ralph/debug-memory/` are the truth, one YAML file per session, readable by people. Writes
//! are strict, atomic and locked; reads are lenient. The index beside git's own files is derived and rebuilds itself.

mod advice;
mod analysis;
mod analysis_after;
mod chain;
mod continuation;
mod continuation_permission;
mod error_type;
mod escalation;
mod escalation_report;
mod files;
mod format;
mod hunt;
mod index;
mod learned;
mod limits;
mod names;
mod patterns;
mod patterns_normal;
mod query;
mod query_rank;
mod reach;
mod reader;
mod record;
mod record_settle;
mod regression;
mod retention;
#[cfg(test)]
pub mod samples;
mod schema;
mod similar;
mod stats;
mod store;
#[cfg(test)]
mod strategies;
mod writer;

pub use advice::{Advice, Common};
pub use analysis::{Noted, Said, Which, analyze, fix, not_found};
pub use chain::{BrokenChain, last_digest, seal, verify_chain};
pub use continuation::{SESSION_VARIABLE, Work, check_named, worktree_of};
pub use continuation_permission::{Permission, may_run};
pub use escalation::{Escalation, Reason as EscalationReason};
pub use format::{
    Analysis, Chain, CodeQualityIssue, Environment, ErrorType, Execution, Failure, FixApplied, Foreign,
    Learnings, Metadata, Mode, Pattern, Proof, ProofEnd, RecurringFailure, RootCauseCategory, Session,
    SimilarIssue, SourceLocation, Status, TestResults, Verification,
};
pub use hunt::{KnownFailures, Outcome};
pub use index::{Index, Record, Summary, SummaryFailure};
pub use learned::{LearnedPattern, LearnedPatterns};
pub use patterns::MIN_EFFECTIVENESS;
pub use query::{Answer, Hit, LOOK_BACK, Query, query};
pub use reach::prune_unneeded;
pub use record::{Attempt, Recorded, record};
pub use regression::Regression;
pub use retention::{Pruned, PrunedSession};
pub use schema::{SCHEMAS, Schema};
pub use similar::Similar;
pub use stats::{
    AVERAGE_ATTEMPTS_BELOW, ESCALATION_BELOW, FIRST_ATTEMPT_ABOVE, FileStats, MEMORY_REUSE_ABOVE, Share,
    Stats,
};
pub use store::{Beside, Locked, Store, Unreadable, is_full};
