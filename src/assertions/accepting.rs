//! When an assertion is content with more than the one it continues: wider limits, more kinds of error, more values.

use super::alike::{key, share, words};
use super::difference::key_of;
use crate::facts::{Assertion, Claim, ClaimKind, Limit, Room, Strength};

/// Whether a limit lets more through.
pub fn loosened(old: &Claim, new: &Claim) -> bool {
    match (old.limit, new.limit) {
        (Some(Limit::Tolerance(a)), Some(Limit::Tolerance(b)))
        | (Some(Limit::AtMost(a)), Some(Limit::AtMost(b))) => b > a,
        (Some(Limit::Digits(a)), Some(Limit::Digits(b)))
        | (Some(Limit::AtLeast(a)), Some(Limit::AtLeast(b))) => b < a,
        _ => false,
    }
}

/// Whether the same bound now lets the bound itself through: `> 0` became `>= 0`.
pub fn lets_itself_through(before: &Assertion, after: &Assertion) -> bool {
    let side = |claim: &Claim| match claim.limit {
        Some(Limit::AtLeast(number)) => Some((true, number)),
        Some(Limit::AtMost(number)) => Some((false, number)),
        _ => None,
    };
    let (old, new) = (&before.claim, &after.claim);
    // Where both say which way they hold, that is compared as it is meant.
    let is_known = |claim: &Claim| matches!(claim.room, Some(Room::Above { .. } | Room::Below { .. }));
    !(is_known(old) && is_known(new))
        && side(old).is_some()
        && side(old) == side(new)
        && key(&old.subject) == key(&new.subject)
        && !before.text.contains(" if ")
        && !allows_equal(&before.text)
        && allows_equal(&after.text)
}

/// Whether a check of a bound says that the bound itself is fine.
fn allows_equal(text: &str) -> bool {
    let lower: String = text.to_lowercase().chars().filter(|c| *c != '_').collect();
    ["<=", ">=", "orequal", "greaterequal", "lessequal", "least(", "most(", "assertge!", "assertle!"]
        .iter()
        .any(|sign| lower.contains(sign))
}

/// Errors so general that expecting them says little.
const ANY_ERROR: &[&str] = &[
    "Exception",
    "BaseException",
    "Error",
    "Throwable",
    "RuntimeException",
    "Exception.class",
    "Throwable.class",
];

/// Two kinds of error that are expected one after the other are both exact.
pub fn expects_another_error(old: &Claim, new: &Claim) -> bool {
    old.kind == ClaimKind::Raises && new.kind == ClaimKind::Raises && key_of(old) != key_of(new)
}

/// Whether any error will do where one of a kind was asked for.
pub fn accepts_any_error(old: &Claim, new: &Claim) -> bool {
    let raises = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
    let general = |claim: &Claim| claim.expected.as_deref().is_none_or(|types| ANY_ERROR.contains(&types));
    raises(old) && raises(new) && !general(old) && general(new)
}

/// Whether the same kind of error is expected, whatever its message.
pub fn loses_message(old: &Claim, new: &Claim) -> bool {
    let raises = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
    let any_message = |claim: &Claim| claim.pattern.as_deref().is_none_or(matches_anything);
    raises(old) && raises(new) && key_of(old) == key_of(new) && !any_message(old) && any_message(new)
}

/// Whether a pattern says nothing about what it is held against.
fn matches_anything(pattern: &str) -> bool {
    let bare = pattern.trim_start_matches(['r', 'f']).trim_matches(['"', '\'', '`', '/', '^', '$']);
    matches!(bare, "" | "." | ".*" | ".+" | ".*?" | "[\\s\\S]*" | "(.*)" | "(?s).*")
}

/// Whether more kinds of error, or more values, will do.
pub fn accepts_more(old: &Claim, new: &Claim) -> bool {
    if old.kind == ClaimKind::Raises && new.kind == ClaimKind::Raises {
        let any_message = |claim: &Claim| claim.pattern.as_deref().is_none_or(matches_anything);
        let message_gone = key_of(old) == key_of(new) && !any_message(old) && any_message(new);
        return accepts_any_error(old, new) || message_gone || has_more_alternatives(old, new);
    }
    has_more_alternatives(old, new) && key(&old.subject) == key(&new.subject)
}

/// Whether a pattern in quotes or slashes offers a choice: `"a|b"`.
fn matches_either(text: &str) -> bool {
    text.starts_with(['"', '\'', '`', '/', 'r']) && text.contains('|') && !text.contains(' ')
}

/// Whether what was expected is now one of several things that are fine.
fn has_more_alternatives(old: &Claim, new: &Claim) -> bool {
    if new.strength >= Strength::Approximate || new.room == Some(Room::Members) {
        return false;
    }
    let (Some(old), Some(new)) = (&old.expected, &new.expected) else { return false };
    // `contains(a, b)` asks for both; `in (a, b)` and `a | b` are content with one.
    let lists = |text: &str| {
        let bracketed = text.starts_with(['(', '[', '{']) && text.contains(',');
        // What stands in quotes is text.
        let code: String = text.split(['"', '\'', '`']).step_by(2).collect();
        bracketed || code.contains('|') || code.contains(" or ") || matches_either(text)
    };
    let (few, many) = (words(old), words(new));
    lists(new) && many.len() > few.len() && share(&few, &many) >= 1.0
}
