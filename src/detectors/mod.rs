//! The rules: each compares facts of both sides and knows no language.
//!
//! A rule is one file and one row in [`RULES`]. The `//!` header of the file is the rule's user documentation,
//! which `aiwg-gate explain` prints.

mod error_handling_removed;
mod error_swallowed;
mod error_to_default;
mod evidence;
mod exits;
mod functions;
mod guard_removed;
mod handlers;
mod lines;
mod replacement;
mod report;
mod skips;
mod stub;
mod subject;
mod suite_disabled;
mod table;
mod test_commented_out;
mod test_removed;
mod test_skipped;
mod test_unreadable;

pub use table::{RULES, Rule, detect, find, names};
