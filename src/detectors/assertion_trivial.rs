//! # assertion-trivial (LP-012)
//!
//! An assertion that could fail was replaced by one that holds whatever the code does, or a test that waits for an error
//! now raises it by itself.
//!
//! Severity: critical.
//!
//! ## Why it matters
//!
//! The test still runs and still counts, and it is green for ever.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! assert cart.total(tax=0.2) == 12          assert True
//! ```
//!
//! ## What is not reported
//!
//! - an assertion that held by itself before the change
//! - a trivial assertion in a new test
//!
//! ## What to do
//!
//! Put the assertion back and make the code pass it. If the expectation was wrong, write down the right one.

mod raised_by_itself;

use super::asserting::{Group, Words, groups, was};
use super::table;
use crate::assertions::How;
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("assertion-trivial", "LP-012", FindingType::AssertionWeakening);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        groups(comparison, &[How::Trivial]).iter().map(|group| finding(comparison, group)).collect();
    findings.extend(raised_by_itself::detect(comparison));
    findings
}

fn finding(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let words = Words {
        message: format!("an assertion of {} can no longer fail", group.name()),
        help: format!("put it back: {}", was(group.first())),
        labels: ["this could fail", "this holds whatever the code does"],
    };
    let mut finding = group.finding(ID, Severity::Critical, 0.95, words);
    group.weigh(comparison, &mut finding, Severity::Critical);
    finding
}
