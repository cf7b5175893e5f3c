//! Debug memory: what was run, what failed, what was tried, what fixed it.
//!
//! The files under `.aiwg/ralph/debug-memory/` are the truth, one YAML file per session, readable by people. Writes
//! are strict, atomic and locked; reads are lenient. The index beside git's own files is derived and rebuilds itself.

mod format;

pub use format::{
    Analysis, Chain, CodeQualityIssue, Environment, ErrorType, Execution, Failure, FixApplied, Learnings,
    Metadata, Mode, Pattern, Proof, ProofEnd, RecurringFailure, RootCauseCategory, Session, SimilarIssue,
    SourceLocation, Status, TestResults, Verification,
};
