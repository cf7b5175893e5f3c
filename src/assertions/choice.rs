//! One of several values: `a == x or a == y`, and the checks that are given a list of them.

use super::alike::{key, same_value};
use super::tokens::items;
use crate::facts::{Claim, ClaimKind, Strength};

/// Whether a new claim lets through no more values of the same thing than a lost one did.
pub fn is_as_narrow(new: &Claim, lost: &Claim) -> bool {
    let plain = |claim: &Claim| claim.kind == ClaimKind::Value && !claim.negated;
    let (Some(was), Some(is)) = (lost.expected.as_deref(), new.expected.as_deref()) else { return false };
    let before = alternatives(was);
    let listed = given(is).strip_prefix(['[', '(', '{']).and_then(|rest| rest.strip_suffix([']', ')', '}']));
    let after = listed.map(items).unwrap_or_default();
    plain(new)
        && plain(lost)
        && new.strength == Strength::Pattern
        && key(&new.subject) == key(&lost.subject)
        && before.len() > 1
        && !after.is_empty()
        && after.iter().all(|value| before.iter().any(|known| same_value(known, value)))
}

/// The list that a matcher of one of several values is given: `expect.toBeOneOf([a, b])`.
fn given(text: &str) -> &str {
    let inside = text.trim().split_once("OneOf(").and_then(|(_, rest)| rest.strip_suffix(')'));
    inside.unwrap_or(text).trim()
}

/// The values of which one is enough.
fn alternatives(text: &str) -> Vec<&str> {
    text.split(" or ").flat_map(|part| part.split("||")).map(str::trim).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_may_stand_for_a_choice() {
        let claim = |strength, expected: &str| Claim {
            kind: ClaimKind::Value,
            strength,
            expected: Some(expected.to_owned()),
            ..Claim::helper("f()")
        };
        let lost = claim(Strength::Approximate, "'a' or 'b'");
        assert!(is_as_narrow(&claim(Strength::Pattern, "['a', 'b']"), &lost));
        assert!(is_as_narrow(&claim(Strength::Pattern, "expect.toBeOneOf(['a', 'b'])"), &lost));
        assert!(!is_as_narrow(&claim(Strength::Pattern, "expect.toBeOneOf(['a', 'b', 'c'])"), &lost));
        assert!(!is_as_narrow(&claim(Strength::Pattern, "['a', 'b', 'c']"), &lost));
        assert!(!is_as_narrow(&claim(Strength::Pattern, "'a'"), &lost));
    }
}
