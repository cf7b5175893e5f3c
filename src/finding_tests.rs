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

#[test]
fn a_finding_without_detail_keeps_the_fingerprint_that_is_on_record() {
    let known = "sha256:0604bdb3148b4659eb7696eef07ef2cc7e6f152cb1d34640d4fa8c15375b6c22";
    assert_eq!(finding("test-removed", "tests/test_cart.py::test_total", "").fingerprint(), known);
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
