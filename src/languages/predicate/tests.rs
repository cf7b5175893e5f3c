//! Conditions and what they claim.

use super::super::testing::claimed as line;
use super::*;

fn nobody(_: &str) -> Option<Claim> {
    None
}

#[test]
fn comparisons_claim_what_they_compare() {
    for (text, expected) in [
        ("a == 1", "Value a = 1"),
        ("1 == a", "Value a = 1"),
        ("want == got", "Value got = want"),
        ("(a != b)", "not Bound a = b"),
        ("a != nil", "NotNull a = -"),
        ("a == null", "Value a = null"),
        ("a > 3", "Bound a = 3 AtLeast(3.0)"),
        ("3 >= a", "Bound a = 3 AtMost(3.0)"),
        ("!(a > 3)", "Bound a = 3 AtMost(3.0)"),
        ("a < b", "Bound a = b"),
        ("Math.abs(a - 1.5) < 0.1", "Approximate a = 1.5 Tolerance(0.1)"),
        ("(a - b).abs() < 1e-3", "Approximate a = b Tolerance(0.001)"),
        ("a instanceof Foo f", "Shape a = Foo"),
        ("ok", "Truthy ok = true"),
        ("!ok", "not Value ok = false"),
        ("!!ok", "Truthy ok = true"),
        ("ok == false", "not Value ok = false"),
        ("true", "Tautology true = -"),
        ("x == x", "Tautology x = -"),
        ("1 == 1", "Tautology 1 = -"),
        ("f(1) == f(1)", "Value f(1) = f(1)"),
    ] {
        assert_eq!(line(&holds(text, nobody)), expected, "{text}");
    }
}

#[test]
fn joined_conditions_are_as_strong_as_their_parts_allow() {
    for (text, expected) in [
        ("a == 1 || a == 2", "Approximate a = 1 || 2"),
        ("a == 1 && ok", "Value a = 1"),
        ("ok && a == 1", "Value a = 1"),
    ] {
        assert_eq!(line(&holds(text, nobody)), expected, "{text}");
    }
    assert_eq!(line(&holds("a == 1 || true", nobody)), "Tautology a = 1");
    assert_eq!(line(&fails("row.ok && a != 1", nobody)), "Value a = 1");
    assert_eq!(line(&fails("a != 1 || b != 2", nobody)), "Value a = 1");
    assert_eq!(line(&fails("a != 1 && a != 2", nobody)), "Approximate a = 1 || 2");
}

#[test]
fn what_must_not_be_claims_the_opposite() {
    for (text, expected) in [
        ("got != want", "Value got = want"),
        ("got == want", "not Bound got = want"),
        ("x != nil", "Value x = nil"),
        ("x == nil", "NotNull x = -"),
        ("!ok", "Truthy ok = true"),
        ("n < 3", "Bound n = 3 AtLeast(3.0)"),
        ("true", "Failure Value  = -"),
    ] {
        assert_eq!(line(&fails(text, nobody)), expected, "{text}");
    }
}

#[test]
fn deep_conditions_end() {
    holds(&"!".repeat(2000), nobody);
    holds(&"a || ".repeat(500), nobody);
    holds(&"(".repeat(2000), nobody);
}
