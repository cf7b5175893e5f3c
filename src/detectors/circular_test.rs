//! # circular-test (LP-023)
//!
//! An assertion holds the result of the code against the result of the same code.
//!
//! Severity: high.
//!
//! ## Why it matters
//!
//! Whatever the code computes is what the test expects, so it passes for any result.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! assert total(cart) == 12                  expected = total(cart)
//!                                           assert total(cart) == expected
//! ```
//!
//! ## What is not reported
//!
//! - two calls with different inputs that must agree
//! - an assertion that compared the call with itself before the change, and new tests
//!
//! ## What to do
//!
//! Write down the value that is right, or compute it in another way than the code does.

use super::asserting::{Group, Words, groups, was};
use super::table;
use crate::assertions::How;
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("circular-test", "LP-023", FindingType::AssertionWeakening);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    groups(comparison, &[How::Circular]).iter().map(|group| finding(comparison, group)).collect()
}

fn finding(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let words = Words {
        message: format!("{} now expects of the code what the code itself computes", group.name()),
        help: format!("expect a value that is written down: {}", was(group.first())),
        labels: ["this was held against a value of its own", "both sides are the same call"],
    };
    let mut finding = group.finding(ID, Severity::High, 0.9, words);
    group.weigh(comparison, &mut finding, Severity::High);
    finding
}
