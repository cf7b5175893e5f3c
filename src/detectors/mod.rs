//! The rules: each compares facts of both sides and knows no language.
//!
//! A rule is one file and one row in [`RULES`]. The `//!` header of the file is the rule's user documentation,
//! which `aiwg-gate explain` prints.

mod asserting;
mod assertion_trivial;
mod assertion_unreachable;
mod assertion_weakened;
mod bounds;
mod cases_dropped;
mod circular_test;
mod code_commented_out;
mod code_lines;
mod coverage_loosened;
mod coverage_pragmas;
mod error_handling_removed;
mod error_swallowed;
mod error_to_default;
mod evidence;
mod exits;
mod expectation_rewritten;
mod feature_disabled;
mod functions;
mod gate_loosened;
mod ground;
mod guard_removed;
mod handlers;
mod lines;
mod losses;
mod marks;
mod mocked_away;
mod narrowing;
mod new_switches;
mod patterns;
mod project;
mod protections;
mod remains;
mod replacement;
mod report;
mod retold;
mod run_lists;
mod skips;
mod special_cases;
mod stub;
mod subject;
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
mod tolerance_widened;
mod weakened_and_uncovered;

pub use project::detect as detect_project;
pub use table::{RULES, Rule, detect, detect_with, find, names};
