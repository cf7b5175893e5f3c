//! What keeps a fingerprint, and what changes it.

use super::*;

fn finding(rule: &'static str, symbol: &str, detail: &str) -> Finding {
    Finding {
        rule: RuleId {
            name: rule.into(),
            pattern_id: "LP-000".into(),
            kind: FindingType::AssertionWeakening,
        },
        severity: Severity::High,
        confidence: 0.9,
        lowered: false,
        admitted: false,
        side: Side::After,
        path: "tests/test_cart.py".to_owned(),
        line: 3,
        symbol: symbol.to_owned(),
        detail: detail.to_owned(),
        message: String::new(),
        help: String::new(),
        before: None,
        after: None,
        evidence: Vec::new(),
    }
}

fn excerpt(lines: &[&str]) -> Option<Excerpt> {
    let lines = lines.iter().map(|&line| line.to_owned()).collect();
    Some(Excerpt { path: String::new(), start: 7, lines, line: 7, label: String::new() })
}

#[test]
fn a_fingerprint_that_is_on_record_is_kept() {
    let known = "sha256:942e9055266707efe103ebce10bd20b399656f585f82c1e0a33ee57f85d8ac35";
    let one = finding("test-removed", "tests/test_cart.py::test_total", "");
    assert_eq!(
        Finding { before: excerpt(&["def test_total():", "    assert total"]), ..one }.fingerprint(),
        known
    );
}

#[test]
fn the_lines_that_are_shown_tell_one_change_of_a_symbol_from_the_next() {
    let print = |before, after| {
        let one = finding("a", "s", "");
        Finding { before: excerpt(&[before]), after: excerpt(&[after]), ..one }.fingerprint()
    };
    assert_ne!(print("assert total == 12", "assert total"), print("assert tax == 2", "assert tax"));
    assert_ne!(print("assert total == 12", "assert total"), print("assert total == 12", "pass"));
    assert_eq!(print("assert total == 12", "assert total"), print("  assert total==12", "assert  total"));
}

#[test]
fn the_detail_tells_findings_on_one_symbol_apart_and_its_white_space_does_not_count() {
    let print = |detail| finding("a", "s", detail).fingerprint();
    assert_ne!(print("assert total == 12"), print("assert total == 13"));
    assert_ne!(print("assert total == 12"), print(""));
    assert_eq!(print("assert total == 12"), print(" assert  total==12\n"));
}

#[test]
fn neither_lines_nor_words_nor_evidence_are_part_of_the_fingerprint() {
    let one = finding("a", "s", "d");
    let mut other = Finding { line: 99, message: "x".into(), help: "y".into(), ..one.clone() };
    other.lower(Severity::Low, "why");
    assert_eq!(one.fingerprint(), other.fingerprint());
}

#[test]
fn repeats_are_numbered_and_the_first_keeps_its_fingerprint() {
    let mut findings = [finding("a", "s", "d"), finding("a", "s", "d"), finding("a", "t", "d")];
    let (first, third) = (findings[0].fingerprint(), findings[2].fingerprint());
    number_repeats(&mut findings);
    assert_eq!((findings[0].fingerprint(), findings[2].fingerprint()), (first.clone(), third));
    assert_ne!(findings[1].fingerprint(), first);
}
