//! Which changes were judged: verdicts waiting for their commit, and notes on commits.
//!
//! A pre-commit hook judges content that has no commit yet. Its verdict waits under a key made of the parents and
//! the change, which are what decides the resulting tree; the post-commit hook finds it again by the same key and
//! binds it to the commit as a note. Waiting verdicts are derived data and may be deleted at any time.

mod entry;
mod key;
mod waiting;

pub use entry::{Entry, Judged};
pub use key::Key;
pub use waiting::{Waiting, forget};
