//! The git hooks of a repository: where they go, what they say, how they come and go without a trace.
//!
//! Installing and removing are planned first and carried out afterwards, so that whatever stands in the way
//! is found before anything has changed, and so that a plan can be shown instead.

mod arrange;
mod block;
mod exclude;
mod husky;
mod inspect;
mod install;
mod location;
mod plan;
mod problems;
mod settings;
mod shim;
mod slot;
mod table;
mod uninstall;

pub use exclude::exclude_records;
pub use husky::Layout;
pub use inspect::{HookReport, Installation, Problem, State, inspect};
pub use install::plan_install;
pub use location::Choice;
pub use plan::{Line, Plan};
pub use table::{HOOKS, Hook, Role};
pub use uninstall::plan_uninstall;
