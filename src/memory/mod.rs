//! Debug memory: what was run, what failed, what was tried, what fixed it.
//!
//! The files under `.aiwg/ralph/debug-memory/` are the truth, one YAML file per session, readable by people. Writes
//! are strict, atomic and locked; reads are lenient. The index beside git's own files is derived and rebuilds itself.

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
mod reader;
mod record;
mod regression;
mod retention;
mod similar;
mod store;
#[cfg(test)]
mod samples;
#[cfg(test)]
mod testing;
mod writer;

pub use chain::{BrokenChain, last_digest, seal, verify_chain};
pub use continuation::Work;
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
pub use record::{Attempt, Recorded, record};
pub use regression::Regression;
pub use retention::{Pruned, PrunedSession, has_learned, prune};
pub use similar::Similar;
pub use store::{Beside, Locked, Store, Unreadable, is_full};
