//! Coverage pragmas on code that was there before; the rule about coverage reports them too.

use crate::comparison::{Comparison, FileSide};
use crate::detectors::code_lines::existing;
use crate::detectors::marks::on_existing_code;
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{Directive, DirectiveKind, Span};
use crate::finding::{Finding, RuleId, Severity, Side};
use crate::text::plural;

/// One finding, to be logged, for each file in which existing code no longer counts for coverage.
pub fn findings(comparison: &Comparison, rule: &RuleId) -> Vec<Finding> {
    let sides = comparison.files.iter().filter_map(existing);
    let marked =
        sides.map(|(before, after)| (after, on_existing_code(before, after, DirectiveKind::Coverage)));
    marked.filter_map(|(side, marks)| finding(side, &marks, rule.clone())).collect()
}

fn finding(side: &FileSide, marks: &[&Directive], rule: RuleId) -> Option<Finding> {
    let first = marks.first()?;
    let draft = Draft {
        rule,
        severity: Severity::Low,
        confidence: 0.8,
        message: format!(
            "{} put on existing code, `{}` first",
            plural(marks.len(), "coverage pragma"),
            first.mark
        ),
        help: "test the code, or delete it if it cannot be reached".to_owned(),
    };
    let mut finding = draft.on(Side::After, side, first.line, side.path.clone());
    finding.after =
        excerpt(side, Span { start: first.line, end: first.line }, first.line, "no longer counted");
    Some(finding)
}
