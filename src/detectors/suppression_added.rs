//! # suppression-added (GP-102)
//!
//! A linter or type checker is told to keep quiet about code that was there before.
//!
//! Severity: low; medium for more than five in the production code of one change.
//!
//! ## Why it matters
//!
//! The tool saw something. From now on it will not say so, whatever becomes of that line.
//!
//! ## Example
//!
//! ```typescript
//! // before                          // after
//! return total(order.items)          // @ts-ignore
//!                                    return total(order.items)
//! ```
//!
//! ## What is not reported
//!
//! - marks on new code, marks that moved with their line, marks exchanged for narrower ones
//!
//! However many there are, marks that give a reason are only logged.
//!
//! ## What to do
//!
//! Mend what the tool complains about. Where the tool is wrong, name the one check and the reason in the mark.

use super::marks::on_existing_code;
use super::report::{Draft, excerpt};
use super::table;
use crate::comparison::{Comparison, FileComparison, FileSide};
use crate::facts::{Directive, DirectiveKind, Span};
use crate::finding::{Finding, FindingType, RuleId, Severity, Side};
use crate::paths::PathClass;
use crate::text::plural;

pub const ID: RuleId = table::id("suppression-added", "GP-102", FindingType::ValidationBypass);

/// More than this in one change are not about single lines.
const BULK: usize = 5;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let judged = |class: PathClass| matches!(class, PathClass::Production | PathClass::Test);
    let files = comparison.files.iter().filter(|file| judged(file.class));
    let marked = |file: &'_ FileComparison| {
        let (before, after) = file.before.as_ref().zip(file.after.as_ref())?;
        let marks = on_existing_code(before, after, DirectiveKind::Suppression);
        let unexplained = marks.iter().filter(|mark| !is_explained(after, mark)).count();
        (unexplained > 0).then_some((file.class, unexplained))
    };
    // What tests suppress hides less, so it is logged however much it is.
    let all: usize = files
        .clone()
        .filter_map(marked)
        .filter(|(class, _)| *class == PathClass::Production)
        .map(|(_, marks)| marks)
        .sum();
    files.filter_map(|file| finding(file, all)).collect()
}

/// Whether the mark says why: a few words beside the name of the check.
fn is_explained(side: &FileSide, mark: &Directive) -> bool {
    let text = side.text.get(mark.start as usize..mark.end as usize).unwrap_or_default();
    String::from_utf8_lossy(text).split_whitespace().count() >= REASON
}

/// So many words of a comment hold a reason.
const REASON: usize = 5;

/// One finding for each file.
fn finding(file: &FileComparison, all: usize) -> Option<Finding> {
    let (before, side) = file.before.as_ref().zip(file.after.as_ref())?;
    let marks = on_existing_code(before, side, DirectiveKind::Suppression);
    let first = marks.first()?;
    let own = marks.iter().filter(|mark| !is_explained(side, mark)).count();
    let bulk = all > BULK && 2 * own > all && file.class == PathClass::Production;
    let draft = Draft {
        rule: ID,
        severity: if bulk { Severity::Medium } else { Severity::Low },
        confidence: 0.8,
        message: format!(
            "{} put on existing code, `{}` first",
            plural(marks.len(), "suppression"),
            first.mark
        ),
        help: "mend what the tool complains about".to_owned(),
    };
    let mut finding = draft.on(Side::After, side, first.line, side.path.clone());
    finding.after =
        excerpt(side, Span { start: first.line, end: first.line }, first.line, "the tool looks away");
    Some(finding)
}
