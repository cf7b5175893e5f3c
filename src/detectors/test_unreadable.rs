//! # test-unreadable (GP-107)
//!
//! A test file could be read before the change and cannot be read after it: its syntax is broken, it grew beyond
//! any reasonable size, or it became something else than a regular file.
//!
//! Severity: high.
//!
//! ## Why it matters
//!
//! What cannot be read cannot be compared. A broken test file is not collected by most runners either, so its
//! tests silently stop.
//!
//! ## Example
//!
//! ```python
//! # before                      # after
//! def test_refund():            def test_refund(
//!     assert refund(10) == 9        assert refund(10) == 9
//! ```
//!
//! ## What is not reported
//!
//! - a file that could not be read before either
//! - a file with an error that hides no test: it is listed as inconclusive
//!
//! ## What to do
//!
//! Run the tests of the file and mend what the runner reports. If they run, the syntax may be newer than what
//! aiwg-gate reads: please report it.

use std::collections::BTreeMap;

use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::{At, Comparison};
use crate::facts::Span;
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;
use crate::text::plural;

pub const ID: RuleId = table::id("test-unreadable", "GP-107", FindingType::TestDeletion);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut hidden: BTreeMap<usize, Vec<At>> = BTreeMap::new();
    for (at, fate) in &comparison.pairing.fates {
        if *fate == Fate::Obscured {
            hidden.entry(at.file).or_default().push(*at);
        }
    }
    hidden.into_iter().filter_map(|(file, tests)| unreadable(comparison, file, &tests)).collect()
}

fn unreadable(comparison: &Comparison, file: usize, tests: &[At]) -> Option<Finding> {
    let side = comparison.files[file].after.as_ref()?;
    let (old_side, old) = comparison.before(*tests.first()?);
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!(
            "{} can no longer be read; {} cannot be found in it",
            side.path,
            plural(tests.len(), "test")
        ),
        help: format!("run the tests of {} and mend what the runner reports", side.path),
    };
    let mut finding = draft.on(Side::After, side, 1, side.path.clone());
    // That the file cannot be read is the finding itself, not a doubt about it.
    (finding.confidence, finding.evidence) = (0.85, Vec::new());
    finding.before =
        excerpt(old_side, Span { start: old.line, end: old.line }, old.line, "could be read before");
    Some(finding)
}
