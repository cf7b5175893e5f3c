//! The rules: each compares facts of both sides and knows no language.
//!
//! A rule is one file and one row in [`RULES`]. The `//!` header of the file is the rule's user documentation,
//! which `aiwg-gate explain` prints.

mod code_commented_out;
mod code_lines;
mod coverage_pragmas;
mod evidence;
mod feature_disabled;
mod marks;
mod new_switches;
mod report;
mod skips;
mod special_cases;
mod suite_disabled;
mod suppression_added;
mod switch_names;
mod symbol_removed;
mod table;
mod test_commented_out;
mod test_recognised;
mod test_removed;
mod test_skipped;
mod test_unreadable;
mod todo_accumulation;

pub use table::{RULES, Rule, detect, find, names};
