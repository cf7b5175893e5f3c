//! Everything that touches git: the only user of git2 and of the git program.
//!
//! Objects, references and notes are read through libgit2. What libgit2 cannot do, or does slowly, goes through
//! git's plumbing: large indexes, and repositories whose format libgit2 does not know. Both ways give the same
//! answers. Nothing here writes to the working tree or the index; a throw-away checkout is written beside them.
//!
//! A tree may stand wherever a commit is asked for its content.

mod attempts;
mod attributes;
mod automatic;
mod blame;
mod change_set;
mod checkout;
mod copied;
mod history;
mod library;
mod log;
mod notes;
mod object;
mod patch;
mod plumbing;
mod program;
mod quotes;
mod renames;
mod repository;
mod snapshot;
mod staged;
mod tracked;
mod trees;
mod variables;
mod worktree;

pub use attempts::{ATTEMPTS_REF, ChangedFile, Difference};
pub use attributes::Attributes;
pub use change_set::{Change, ChangeKind, ChangeSet, Content, File, Merge, Parent, Selection, with_renames};
pub use checkout::{CheckedOut, Listed};
pub use history::{CommitLine, Stretch};
pub use log::{CommitHead, Step, Walk};
pub use notes::NOTES_REF;
pub use object::{Entry, ObjectId, RawChange, RepoPath};
pub use program::Git;
pub use renames::{Candidate, find as find_renames};
pub use repository::Repository;
pub use snapshot::{Base, LeftOut, LeftOutKind, Snapshot};
pub use tracked::committed_under;
