//! # weakened-and-uncovered (LP-022)
//!
//! One change weakens what tests assert and also takes away what would have shown it: coverage checks, or other tests
//! of the same file. Looks at what the other rules found.
//!
//! Severity: critical.
//!
//! ## Why it matters
//!
//! Each of the two may have a reason. Together they let the run stay green while less of the code is checked, and the
//! number that would have fallen is no longer looked at.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! assert total(cart) == 12                  assert total(cart) is not None
//! fail_under = 90                           fail_under = 60
//! ```
//!
//! ## What is not reported
//!
//! - a weakened assertion alone, or a lowered threshold alone: their own rules tell
//! - parts that evidence lowered, or that are only logged
//!
//! ## What to do
//!
//! Put the assertion back and make the code pass it. If the threshold has to move, do that in a commit of its own,
//! with its reason.

use super::table;
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("weakened-and-uncovered", "LP-022", FindingType::AssertionWeakening);

/// Looks at the findings of the other rules.
pub fn detect(findings: &[Finding]) -> Vec<Finding> {
    let weakened = || findings.iter().filter(|finding| is_part(finding, FindingType::AssertionWeakening));
    let uncovered: Vec<&Finding> =
        findings.iter().filter(|finding| is_part(finding, FindingType::CoverageRegression)).collect();
    let lost = |path: &str| {
        let deleted = findings.iter().filter(|finding| is_part(finding, FindingType::TestDeletion));
        deleted.filter(|finding| finding.path == path).collect::<Vec<_>>()
    };
    let found = weakened().find_map(|weak| {
        let others = if uncovered.is_empty() { lost(&weak.path) } else { uncovered.clone() };
        (!others.is_empty()).then(|| compound(weak, &others))
    });
    found.into_iter().collect()
}

/// Whether a finding counts for this rule: what was lowered or is only logged does not.
fn is_part(finding: &Finding, kind: FindingType) -> bool {
    finding.rule.kind == kind && !finding.lowered && finding.severity >= Severity::Medium
}

fn compound(weak: &Finding, others: &[&Finding]) -> Finding {
    let parts = std::iter::once(weak).chain(others.iter().copied());
    let part = |finding: &Finding| format!("{}: {}", finding.rule.name, finding.message);
    let confidence = parts.clone().map(|finding| finding.confidence).fold(1.0, f64::min);
    let what = match others.iter().any(|finding| finding.rule.kind == FindingType::CoverageRegression) {
        true => "what shows uncovered code is loosened",
        false => "other tests beside them go",
    };
    Finding {
        rule: ID,
        severity: Severity::Critical,
        confidence,
        message: format!("assertions are weakened and {what} in one change"),
        help: format!("undo the weakening first: {}", weak.help),
        evidence: parts.take(MAX_PARTS).map(part).collect(),
        detail: String::new(),
        ..weak.clone()
    }
}

/// More parts say nothing new.
const MAX_PARTS: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::Side;

    fn part(kind: FindingType, severity: Severity, path: &str) -> Finding {
        Finding {
            rule: RuleId { name: "part".into(), pattern_id: "LP-000".into(), kind },
            severity,
            confidence: 0.85,
            lowered: false,
            admitted: false,
            side: Side::After,
            path: path.to_owned(),
            line: 1,
            symbol: format!("{path}::a"),
            detail: "x".to_owned(),
            message: "m".to_owned(),
            help: "h".to_owned(),
            before: None,
            after: None,
            evidence: Vec::new(),
        }
    }

    const WEAK: FindingType = FindingType::AssertionWeakening;
    const COVERAGE: FindingType = FindingType::CoverageRegression;
    const DELETED: FindingType = FindingType::TestDeletion;

    #[test]
    fn fires_when_assertions_and_coverage_go_together() {
        let parts = [part(WEAK, Severity::Medium, "a"), part(COVERAGE, Severity::High, "setup.cfg")];
        let found = detect(&parts);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].severity, found[0].confidence), (Severity::Critical, 0.85));
        assert_eq!(found[0].evidence, ["part: m", "part: m"]);
        assert_eq!(found[0].path, "a");
    }

    #[test]
    fn fires_when_tests_of_the_same_file_go_and_not_for_those_of_another() {
        let weak = part(WEAK, Severity::High, "a");
        assert_eq!(detect(&[weak.clone(), part(DELETED, Severity::High, "a")]).len(), 1);
        assert!(detect(&[weak, part(DELETED, Severity::High, "b")]).is_empty());
    }

    #[test]
    fn quiet_for_one_part_alone_and_for_parts_that_do_not_count() {
        let (weak, coverage) = (part(WEAK, Severity::High, "a"), part(COVERAGE, Severity::High, "a"));
        assert!(detect(std::slice::from_ref(&weak)).is_empty());
        assert!(detect(std::slice::from_ref(&coverage)).is_empty());
        assert!(detect(&[weak.clone(), part(COVERAGE, Severity::Low, "a")]).is_empty());
        assert!(detect(&[weak, Finding { lowered: true, ..coverage }]).is_empty());
    }
}
