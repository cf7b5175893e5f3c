//! Two assertions in, what became of the first one out.

use super::*;
use crate::comparison::{FileComparison, FileSide};
use crate::facts::Reach;
use crate::languages::{Source, analyze};
use crate::paths::PathClass;

fn assertion(text: &str, strength: Strength, subject: &str, expected: &str) -> Assertion {
    let expected = (!expected.is_empty()).then(|| expected.to_owned());
    let claim = Claim { kind: ClaimKind::Value, strength, expected, ..Claim::helper(subject) };
    Assertion { line: 1, text: text.to_owned(), claim, reach: Reach::Always, under: None }
}

fn raises(types: &str, message: Option<&str>) -> Assertion {
    let text = format!("raises({types}, {message:?})");
    let mut assertion = assertion(&text, Strength::Shape, "", types);
    assertion.claim.kind = ClaimKind::Raises;
    assertion.claim.pattern = message.map(str::to_owned);
    assertion
}

#[test]
fn what_always_holds_could_not_fail() {
    assert!(could_fail(&assertion("assert x", Strength::Truthy, "x", "")));
    assert!(!could_fail(&assertion("assert True", Strength::Tautology, "True", "")));
}

#[test]
fn another_library_is_as_exact_and_the_same_one_is_not() {
    let strict = assertion("assert.deepStrictEqual(a, [1])", Strength::Structure, "a", "[1]");
    let moved = assertion("expect(a).toEqual([1])", Strength::Value, "a", "[1]");
    let weaker = assertion("assert.deepEqual(a, [1])", Strength::Value, "a", "[1]");
    assert_eq!(difference(&strict, &moved), None);
    assert_eq!(difference(&strict, &weaker), Some(How::Weakened));
}

#[test]
fn any_error_is_broader_than_one_kind() {
    let kinds = |old: &Assertion, new: &Assertion| accepts_any_error(&old.claim, &new.claim);
    assert!(kinds(&raises("ValueError", None), &raises("Exception", None)));
    assert!(kinds(&raises("ValueError", None), &raises("", None)));
    assert!(!kinds(&raises("Exception", None), &raises("ValueError", None)));
    assert!(!kinds(&raises("ValueError", None), &raises("KeyError", None)));
}

#[test]
fn a_message_is_lost_where_the_kind_of_error_stays() {
    let loses = |old: &Assertion, new: &Assertion| loses_message(&old.claim, &new.claim);
    assert!(loses(&raises("ValueError", Some("no")), &raises("ValueError", None)));
    assert!(!loses(&raises("ValueError", None), &raises("ValueError", Some("no"))));
    assert!(!loses(&raises("ValueError", Some("no")), &raises("KeyError", None)));
}

/// One test that asserts some lines on either side.
fn changes_of(before: &[String], after: &[String]) -> Vec<How> {
    let side = |lines: &[String]| {
        let text = format!("def test_a():\n    {}\n", lines.join("\n    "));
        let facts = analyze(Source { path: "test_a.py", text: text.as_bytes() });
        Some(FileSide::new("test_a.py".to_owned(), facts, text.into_bytes().into()))
    };
    let file = FileComparison::new(side(before), side(after), PathClass::Test);
    let comparison = Comparison::new("HEAD".to_owned(), vec![file]);
    changes(&comparison).into_iter().map(|changed| changed.how).collect()
}

#[test]
fn thousands_of_assertions_are_told_by_key_and_place_alone() {
    let lines = |count: usize, line: fn(usize) -> String| (0..count).map(line).collect::<Vec<String>>();
    let equal = |number: usize| format!("assert f({number}) == {number}");
    let weaker = |number: usize| format!("assert f({number})");
    let weakened_beside = |count: usize| {
        let helper = "assert_all(f, range(10))".to_owned();
        changes_of(&lines(count, equal), &[lines(count, weaker), vec![helper]].concat())
    };
    // The helper may say what they all said, which takes a look at it for each of them.
    assert_eq!(weakened_beside(20), []);
    assert_eq!(weakened_beside(4000), [How::Weakened; 4000]);
    let gone = changes_of(&lines(4000, equal), &lines(4000, |number| format!("assert g{number} == 1")));
    assert_eq!(gone.len(), 4000);
}
