//! Debug memory: what was run, what failed, what was tried, what fixed it.
//!
//! The files under `.aiwg/ralph/debug-memory/` are the truth, one YAML file per session, readable by people. Writes
//! are strict, atomic and locked; reads are lenient. The index beside git's own files is derived and rebuilds itself.

mod chain;
mod files;
mod format;
mod index;
mod learned;
mod limits;
mod reader;
mod retention;
mod schema;
mod store;
#[cfg(test)]
mod testing;
mod writer;

pub use chain::{BrokenChain, last_digest, seal, verify_chain};
pub use format::{
    Analysis, Chain, CodeQualityIssue, Environment, ErrorType, Execution, Failure, FixApplied, Foreign,
    Learnings, Metadata, Mode, Pattern, Proof, ProofEnd, RecurringFailure, RootCauseCategory, Session,
    SimilarIssue, SourceLocation, Status, TestResults, Verification,
};
pub use index::{Index, Record, Summary, SummaryFailure};
pub use learned::{LearnedPattern, LearnedPatterns};
pub use retention::{Pruned, PrunedSession, has_learned, prune};
pub use schema::{SCHEMAS, Schema};
pub use store::{Beside, Locked, Store, Unreadable, is_full};
