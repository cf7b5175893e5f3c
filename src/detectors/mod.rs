//! The rules: each compares facts of both sides and knows no language.
//!
//! A rule is one file and one row in [`RULES`]. The `//!` header of the file is the rule's user documentation,
//! which `aiwg-gate explain` prints. Where a rule has much to look for, its folder holds the parts, one thing to look for
//! in each. What several rules ask stands beside them: [`edits`] reads test files place by place, [`loosened`] production
//! files, [`ground`] configuration; the other files are what they are called.

mod admitted;
mod arguments;
mod asserting;
mod assertion_trivial;
mod assertion_unreachable;
mod assertion_weakened;
mod bounds;
mod circular_test;
mod code_commented_out;
mod code_lines;
mod comment_reasons;
mod conditions;
mod context;
mod coverage_loosened;
mod edits;
mod error_handling_removed;
mod error_kinds;
mod error_swallowed;
mod error_to_default;
mod evidence;
mod exits;
mod expectation_rewritten;
mod feature_disabled;
mod fields;
mod formula;
mod functions;
mod gaps;
mod gate_loosened;
mod ground;
mod guard_removed;
mod handlers;
mod hunks;
mod lifted;
mod lines;
mod loosened;
mod marks;
mod messages;
mod mocked_away;
mod off_when;
mod passed_over;
mod process_wide;
mod project;
mod reached;
mod relation;
mod replacement;
mod report;
mod skips;
mod special_cases;
mod stub;
mod subject;
mod suite_disabled;
mod suppression_added;
mod switch_names;
mod switched;
mod symbol_removed;
mod table;
mod test_commented_out;
mod test_recognised;
mod test_removed;
mod test_skipped;
mod test_unreadable;
mod todo_accumulation;
mod tolerance_widened;
mod tolerated;
mod unlisted;
mod unverified;
mod weakened_and_uncovered;

pub use context::with_context;
pub use evidence::checked_nothing;
pub use project::detect as detect_project;
pub use table::{RULES, Rule, detect, detect_with, find, names};
