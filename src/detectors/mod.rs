//! The rules: each compares facts of both sides and knows no language.
//!
//! A rule is one file and one row in [`RULES`]. The `//!` header of the file is the rule's user documentation,
//! which `aiwg-gate explain` prints.

mod evidence;
mod project;
mod report;
mod skips;
mod suite_disabled;
mod table;
mod test_commented_out;
mod test_removed;
mod test_skipped;
mod test_unreadable;
mod weakened_and_uncovered;

pub use project::detect as detect_project;
pub use table::{RULES, Rule, detect, detect_with, find, names};
