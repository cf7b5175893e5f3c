//! Claims that say as much as others in words of another kind: a count of calls as a matcher for calls, a flag as the bound
//! that it stands for, the message of an error as a part of the error.
//!
//! Each is true whatever the code is; what only mostly holds is no synonym.

use super::alike::key;
use crate::facts::{Assertion, Claim, ClaimKind, Room, Strength};
use crate::languages::expression::is_literal;

/// Whether an assertion fails wherever the one that it stands for would have failed.
pub fn says_as_much(lost: &Claim, new: &Claim) -> bool {
    says_nothing_is_there(lost, new)
        || counts_the_same_calls(lost, new)
        || asks_for_the_message(lost, new)
        || compares_what_was_asked(lost, new)
        || is_boxed_truth(lost, new)
        || gives_the_value(lost, new)
        || is_written_out(lost, new)
}

fn same_subject(one: &Claim, other: &Claim) -> bool {
    !one.subject.is_empty() && key(&one.subject) == key(&other.subject)
}

/// `if err != nil { t.Fatal(err) }`, `require.NoError(t, err)` and `assert.Nil(t, err)`, whatever the variable is called.
fn says_nothing_is_there(lost: &Claim, new: &Claim) -> bool {
    let nothing = |claim: &Claim| {
        let is_nothing = matches!(claim.expected.as_deref(), Some("nil" | "None" | "null"));
        is_nothing && !claim.negated && claim.kind != ClaimKind::Raises
    };
    nothing(lost) && nothing(new) && same_subject(lost, new)
}

/// `assertErrNil(t.Fatal, save(x), "saving")` and `require.NoError(t, save(x))`: what a helper asked for by its name.
fn is_written_out(lost: &Claim, new: &Claim) -> bool {
    let (name, given) = lost.subject.split_once('(').unwrap_or_default();
    let name = name.to_lowercase();
    let is_about = ["errnil", "noerr", "nilerr", "checkerr", "must"].iter().any(|word| name.contains(word));
    let given = key(given);
    let is_given = |subject: &str| {
        let subject = key(subject);
        let mut places =
            given.match_indices(&subject).map(|(at, _)| given[at + subject.len()..].chars().next());
        !subject.is_empty() && places.any(|next| matches!(next, Some(',' | ')')))
    };
    lost.kind == ClaimKind::Helper && is_about && new.is_no_error() && is_given(&new.subject)
}

/// Ends of what counts the calls of a stand-in.
const COUNTERS: &[&str] =
    &[".mock.calls.length", ".mock.callCount()", ".calls.count()", ".callCount", ".call_count"];

/// `expect(f.mock.calls.length).toBe(2)` and `expect(f).toHaveBeenCalledTimes(2)`.
fn counts_the_same_calls(lost: &Claim, new: &Claim) -> bool {
    let counted = COUNTERS.iter().find_map(|end| lost.subject.strip_suffix(end));
    let times = |claim: &Claim| claim.expected.as_deref().map(key).unwrap_or_default();
    // `assert_called_once` and its like have the number in their name.
    let asked =
        if new.strength == Strength::Shape && new.expected.is_none() { "1".into() } else { times(new) };
    counted.is_some_and(|counted| key(counted) == key(&new.subject))
        && new.kind == ClaimKind::Called
        && !lost.negated
        && !new.negated
        && times(lost) == asked
}

/// `err.Error() == want` and `require.EqualError(t, call(), want)`: of an error, the same text, as exactly.
fn asks_for_the_message(lost: &Claim, new: &Claim) -> bool {
    let (Some(wanted), Some(pattern)) = (&lost.expected, &new.pattern) else { return false };
    let subject = lost.subject.to_lowercase();
    let of_error = ["err", "exception", "message", "msg"].iter().any(|word| subject.contains(word));
    new.kind == ClaimKind::Raises
        && of_error
        && (lost.negated, new.negated) == (false, false)
        && new.strength >= lost.strength
        && key(wanted) == key(pattern)
}

/// Questions whether one thing comes before another, and whether it comes after.
const BEFORE: &[&str] = &["before", "isbefore", "less", "lessthan", "islessthan"];
const AFTER: &[&str] = &["after", "isafter", "greater", "greaterthan", "isgreaterthan"];

/// `assert.False(t, a.Before(b))` and `assert.GreaterOrEqual(t, a, b)`: the same order of the same things, the same way round.
fn compares_what_was_asked(lost: &Claim, new: &Claim) -> bool {
    let denies = match lost.expected.as_deref() {
        Some("true" | "True") => lost.negated,
        // Falsity is spelled either way.
        Some("false" | "False") => true,
        _ => return false,
    };
    let (above, or_equal) = match new.room {
        Some(Room::Above { or_equal }) => (true, or_equal),
        Some(Room::Below { or_equal }) => (false, or_equal),
        _ => return false,
    };
    let asked = lost.subject.strip_suffix(')').and_then(|call| call.split_once('('));
    let Some(((thing, name), other)) = asked.and_then(|(path, other)| Some((path.rsplit_once('.')?, other)))
    else {
        return false;
    };
    let name = name.to_lowercase();
    let is_one_of = |names: &[&str]| names.contains(&name.as_str());
    let is_order = is_one_of(BEFORE) && above == denies || is_one_of(AFTER) && above != denies;
    let same_things = key(thing) == key(&new.subject) && new.expected.as_deref().map(key) == Some(key(other));
    is_order && or_equal == denies && same_things && !new.negated
}

/// `assertEquals(Boolean.TRUE, x)` and `assertTrue(x)`.
fn is_boxed_truth(lost: &Claim, new: &Claim) -> bool {
    let is_same = match lost.expected.as_deref() {
        Some("Boolean.TRUE") => matches!(new.expected.as_deref(), None | Some("true")) && !new.negated,
        Some("Boolean.FALSE") => new.expected.as_deref() == Some("false"),
        _ => false,
    };
    let is_truth = new.strength == Strength::Truthy || new.expected.is_some();
    is_same && is_truth && new.kind == ClaimKind::Value && same_subject(lost, new)
}

/// `isinstance(x, dict)` and `x == {"a": 1}`: who knows what is there knows what kind of thing it is.
fn gives_the_value(lost: &Claim, new: &Claim) -> bool {
    let kind_only = matches!(lost.strength, Strength::Shape | Strength::NotNull | Strength::Truthy);
    let Some(value) = new.expected.as_deref() else { return false };
    let is_thing = is_literal(value) || value.starts_with(['{', '[', '"', '\'']);
    let is_nothing =
        matches!(value, "nil" | "None" | "null" | "undefined" | "false" | "False" | "0" | "\"\"" | "''");
    let is_number_of_kind =
        lost.strength == Strength::Shape && value.starts_with(|c: char| c.is_ascii_digit());
    lost.kind == ClaimKind::Value
        && new.kind == ClaimKind::Value
        && kind_only
        && new.strength >= Strength::Value
        && (lost.strength == Strength::NotNull || !lost.negated)
        && !new.negated
        && is_thing
        && !is_nothing
        // `1 == 1.0`, whatever the type is.
        && !is_number_of_kind
        && same_subject(lost, new)
}

/// Whether a line of code goes on only where an assertion would have passed: `call().unwrap();` for
/// `assert!(call().is_ok());`.
pub fn goes_on_only_then(lost: &Assertion, line: &str) -> bool {
    let claim = &lost.claim;
    let ends: &[&str] = match claim.expected.as_deref() {
        Some("Ok" | "ok" | "Some" | "some") if !claim.negated => &[".unwrap()", ".expect("],
        Some("Err" | "err") if !claim.negated => &[".unwrap_err()", ".expect_err("],
        _ => return false,
    };
    let subject = key(&claim.subject);
    !subject.is_empty() && ends.iter().any(|end| line.contains(&format!("{subject}{end}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(kind: ClaimKind, strength: Strength, subject: &str, expected: Option<&str>) -> Claim {
        Claim { kind, strength, expected: expected.map(str::to_owned), ..Claim::helper(subject) }
    }

    fn value(subject: &str, expected: &str) -> Claim {
        claim(ClaimKind::Value, Strength::Value, subject, Some(expected))
    }

    fn bound(subject: &str, expected: &str) -> Claim {
        let room = Some(Room::Above { or_equal: true });
        Claim { room, ..claim(ClaimKind::Value, Strength::Bound, subject, Some(expected)) }
    }

    #[test]
    fn a_count_of_calls_is_a_matcher_for_calls() {
        let called = |times: Option<&str>, strength| claim(ClaimKind::Called, strength, "fn", times);
        let counted = value("fn.mock.calls.length", "1");
        assert!(says_as_much(&counted, &called(Some("1"), Strength::Shape)));
        assert!(says_as_much(&value("fn.call_count", "1"), &called(None, Strength::Shape)));
        assert!(!says_as_much(&counted, &called(Some("2"), Strength::Shape)));
        assert!(!says_as_much(&value("fn.call_count", "2"), &called(None, Strength::Truthy)));
    }

    #[test]
    fn a_kind_of_thing_is_less_than_the_thing() {
        let shape = claim(ClaimKind::Value, Strength::Shape, "f(1)", Some("dict"));
        assert!(says_as_much(&shape, &value("f(1)", "{'a': 1}")));
        assert!(!says_as_much(&shape, &value("f(2)", "{'a': 1}")));
        assert!(!says_as_much(&shape, &value("f(1)", "3")));
        assert!(!says_as_much(&value("f(1)", "{'a': 1}"), &shape));
    }

    #[test]
    fn what_a_flag_stands_for_is_asked_of_the_same_things() {
        assert!(says_as_much(&value("a.Before(b)", "false"), &bound("a", "b")));
        assert!(!says_as_much(&value("a.Before(b)", "false"), &bound("c", "b")));
        assert!(!says_as_much(&value("a.Before(b)", "true"), &bound("a", "b")));
        assert!(!says_as_much(&value("a.After(b)", "false"), &bound("a", "b")));
        assert!(!says_as_much(&value("total(cart)", "3"), &bound("total(cart)", "0")));
    }

    #[test]
    fn a_message_is_asked_for_as_exactly() {
        let raised = |strength| Claim {
            pattern: Some("want".to_owned()),
            ..claim(ClaimKind::Raises, strength, "err", None)
        };
        assert!(says_as_much(&value("err.Error()", "want"), &raised(Strength::Value)));
        assert!(!says_as_much(&value("err.Error()", "want"), &raised(Strength::Pattern)));
        assert!(!says_as_much(&value("err.Error()", "other"), &raised(Strength::Value)));
        assert!(!says_as_much(&value("total(cart)", "want"), &raised(Strength::Value)));
    }
}
