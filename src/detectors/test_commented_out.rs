//! # test-commented-out (LP-004)
//!
//! A test that ran before the change now stands in a comment.
//!
//! Severity: high.
//!
//! ## Why it matters
//!
//! To a reader the test is still there; to the runner it is gone. No report counts it as skipped, so nobody is
//! reminded of it.
//!
//! ## Example
//!
//! ```go
//! // before                                     // after
//! func TestRefund(t *testing.T) {               // func TestRefund(t *testing.T) {
//!     if got := refund(10); got != 9 {          //     if got := refund(10); got != 9 {
//! ```
//!
//! ## What is not reported
//!
//! - comments that were there before
//! - examples in comments that never were tests
//!
//! ## What to do
//!
//! Take the comment marks off and make the test pass, or mark it as skipped with a reason, so that reports show it.

use super::report::{Draft, excerpt};
use super::{evidence, table};
use crate::comparison::{At, Comparison};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;

pub const ID: RuleId = table::id("test-commented-out", "LP-004", FindingType::TestDeletion);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    comparison.pairing.fates.iter().filter_map(|(at, fate)| commented_out(comparison, *at, fate)).collect()
}

fn commented_out(comparison: &Comparison, at: At, fate: &Fate) -> Option<Finding> {
    let Fate::CommentedOut { file, span } = fate else { return None };
    let (old_side, old) = comparison.before(at);
    let side = comparison.files[*file].after.as_ref()?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.92,
        message: format!("the test {} was commented out", old.qualified_name()),
        help: format!("take the comment marks off ({}:{}) and make the test pass", side.path, span.start),
    };
    let mut finding = draft.on(Side::After, side, span.start, super::report::symbol(old_side, old));
    finding.before = excerpt(old_side, old.span, old.line, "it ran before");
    finding.after = excerpt(side, *span, span.start, "now it is a comment");
    if let Some(reason) = evidence::for_removal(comparison, old_side, old) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}
