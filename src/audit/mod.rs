//! What would the gate have said about past commits?
//!
//! Each commit is judged exactly as `check --commit --no-proof` judges it: by the policy of its own base side. Several
//! are judged at once; they are told one by one in the order of `git log`, so that nothing is kept but what is asked
//! for. What was found out about a commit is kept on disk, because it never changes.

mod flow;
mod model;
mod order;
mod record;
mod store;
mod summary;

pub use flow::{Watch, audit};
pub use model::{Audited, Outcome};
pub use summary::{RuleCount, Summary, TypeCount};
