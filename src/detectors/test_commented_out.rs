//! # test-commented-out (LP-004)
//!
//! A test that ran before the change now stands in a comment, be it whole or all that it did.
//!
//! Severity: high; logged where the subject of the test goes in the same change.
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

use super::evidence;
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::{At, Comparison};
use crate::facts::Span;
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::pairing::Fate;

pub const ID: RuleId = table::id("test-commented-out", "LP-004", FindingType::TestDeletion);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let finding = |(at, fate): &(At, Fate)| match fate {
        Fate::CommentedOut { file, span } => {
            commented_out(comparison, *at, *file, *span, "the test {} was commented out")
        }
        Fate::Same { after, .. } => {
            let span = comparison.commented_body(*at, *after)?;
            commented_out(comparison, *at, after.file, span, "all that the test {} did was commented out")
        }
        _ => None,
    };
    comparison.pairing.fates.iter().filter_map(finding).collect()
}

fn commented_out(comparison: &Comparison, at: At, file: usize, span: Span, message: &str) -> Option<Finding> {
    let (old_side, old) = comparison.before(at);
    let side = comparison.files[file].after.as_ref()?;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.92,
        message: message.replace("{}", &old.qualified_name()),
        help: format!("take the comment marks off ({}:{}) and make the test pass", side.path, span.start),
    };
    let mut finding = draft.on(Side::After, side, span.start, super::report::symbol(old_side, old));
    finding.before = excerpt(old_side, old.span, old.line, "it ran before");
    finding.after = excerpt(side, span, span.start, "now it is a comment");
    if let Some(reason) = evidence::for_removal(comparison, old_side, old) {
        finding.lower(Severity::Low, reason);
    }
    Some(finding)
}
