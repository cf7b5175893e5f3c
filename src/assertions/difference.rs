//! How one assertion says less than, or something else than, the one it continues.

use std::cmp::Ordering;

use super::accepting::{accepts_more, expects_another_error, lets_itself_through, loosened};
use super::alike::{key, same_value, share, split, words};
use super::change::How;
use super::filtered::leaves_out;
use super::looser::{Looser, looser};
use super::margins::{gives_way, is_wider_otherwise};
use super::narrowed::{has_same_parts, is_weaker_by_name, narrowed};
use super::order::loses_order;
use super::reduced::reduced;
use super::slack;
use super::synonyms::says_as_much;
use super::truth::{is_plain_truth, is_true_and_so_there, truth};
use crate::facts::{Assertion, Claim, ClaimKind, Limit, Room, Strength};
use crate::languages::expression::{enclosed, is_literal, split as arguments};

/// How the partner says less than, or something else than, the assertion it continues.
pub fn difference(before: &Assertion, after: &Assertion) -> Option<How> {
    if !after.reach.counts() {
        return Some(How::Unreachable);
    }
    let (old, new) = (&before.claim, &after.claim);
    if lets_itself_through(before, after) {
        return Some(How::Loosened);
    }
    if loses_order((old, &before.text), (new, &after.text)) {
        return Some(How::Unordered);
    }
    if ignores_more(before, after) {
        return Some(How::Broadened);
    }
    if slack::is_turned(old, new) {
        return Some(How::Flipped);
    }
    if has_same_parts(old, new) || says_as_much(old, new) {
        return None;
    }
    if let Some(how) = narrowed(before, after) {
        return Some(how);
    }
    let weaker = || is_weaker_by_name(&before.text, &after.text).then_some(How::Narrowed);
    if old == new {
        return weaker();
    }
    if new.strength == Strength::Tautology && old.strength > Strength::Tautology {
        return Some(How::Trivial);
    }
    if is_unknown(old) || is_unknown(new) {
        return gives_another_end(before, after).then_some(How::Rewritten);
    }
    let room = slack::compare(old, new);
    if room.map_or_else(|| loosened(old, new) || gives_way(before, after), Ordering::is_gt) {
        return Some(How::Loosened);
    }
    if old.strength != new.strength && is_wider_otherwise(before, after) {
        return Some(How::Loosened);
    }
    if old.strength != new.strength && is_wider_otherwise(after, before) {
        return None;
    }
    if let Some(how) = reduced(old, new) {
        return Some(how);
    }
    if leaves_out(old, new) {
        return Some(How::Broadened);
    }
    let same_subject = key(&old.subject) == key(&new.subject);
    let same_kind = same_subject && (old.kind, old.strength) == (new.kind, new.strength);
    if accepts_more(old, new) {
        return Some(How::Broadened);
    }
    match looser(old, new).filter(|_| same_kind) {
        Some(Looser::Wider) => return Some(How::Broadened),
        Some(Looser::Shorter) => return Some(How::Shortened),
        None => {}
    }
    // Names that stand for the same call twice are told apart only as they are written.
    if repeats(old) && repeats(new) && old.strength == new.strength {
        return None;
    }
    if is_circular(new) && !is_circular(old) {
        return Some(How::Circular);
    }
    if truth(old).zip(truth(new)).is_some_and(|(old, new)| old != new)
        && key(&old.subject) == key(&new.subject)
    {
        return Some(How::Rewritten);
    }
    let both_raise = old.kind == ClaimKind::Raises && new.kind == ClaimKind::Raises;
    if old.negated != new.negated
        && key(&old.subject) == key(&new.subject)
        && (old.expected == new.expected || both_raise)
    {
        return Some(How::Flipped);
    }
    if accepts_more(new, old) || same_kind && looser(new, old).is_some() {
        return None;
    }
    if is_plain_truth(before, after) || is_true_and_so_there(old, new) || asks_another(before, after) {
        return None;
    }
    if asks_for_size(old, new) {
        return Some(How::Weakened);
    }
    let is_as_strong =
        is_as_exact(before, after) || is_mended_float(before, after) || is_in_range(before, after);
    if new.strength < old.strength && !is_as_strong {
        return Some(How::Weakened);
    }
    let tighter = room.is_some() || loosened(new, old) || gives_way(after, before) || leaves_out(new, old);
    if new.strength > old.strength || expects_another_error(old, new) || tighter {
        return None;
    }
    let expected = |claim: &Claim| claim.expected.clone().unwrap_or_default();
    match same_value(&expected(old), &expected(new)) {
        false if same_subject => weaker().or(Some(How::Rewritten)),
        _ if !same_subject && differ_in_literals(&old.subject, &new.subject) => Some(How::Redirected),
        _ => weaker(),
    }
}

/// Whether a start of a text was compared, and the same start is now asked for by name: `text[..n] == "a"`,
/// `text.starts_with("a")`.
pub fn is_start_by_name(before: &Assertion, after: &Assertion) -> bool {
    let cut = ["[..", "[:", "[0:", ".slice(0,", ".substring(0,", ".substr(0,"];
    let named = ["starts_with", "startsWith", "startswith", "HasPrefix"];
    let (subject, text) = (key(&before.claim.subject), &after.text);
    let expected = |claim: &Claim| claim.expected.as_deref().map(key).unwrap_or_default();
    let (was, is) = (expected(&before.claim), expected(&after.claim));
    cut.iter().any(|cut| subject.contains(cut))
        && named.iter().any(|name| text.contains(name))
        && !was.is_empty()
        && is.ends_with(&was)
}

/// Ways to leave something out of a comparison.
const IGNORING: &[&str] = &[
    "ignoringFields",
    "ignoringFieldsMatchingRegexes",
    "ignoringFieldsOfTypes",
    "ignoringCollectionOrder",
    "ignoringActualNullFields",
    "ignoringExpectedNullFields",
    "comparingOnlyFields",
    "isEqualToIgnoringGivenFields",
    "isEqualToIgnoringNullFields",
    "IgnoreFields",
    "IgnoreTypes",
    "IgnoreMapEntries",
    "IgnoreUnexported",
    "IgnoreInterfaces",
    "IgnoreSliceElements",
    "exclude_paths",
    "exclude_regex_paths",
    "ignore_order",
    "redactions",
    "ignore_index",
];

/// Whether the same comparison now leaves something out, or more than it did.
pub fn ignores_more(before: &Assertion, after: &Assertion) -> bool {
    let ignoring = |text: &str| split(text).filter(|word| IGNORING.contains(word)).count();
    let (was, is) = (words(&before.text), words(&after.text));
    ignoring(&after.text) > 0
        && (ignoring(&before.text) < ignoring(&after.text) || was.len() < is.len())
        && !after.text.contains("comparingOnlyFields")
        && share(&was, &is) >= 1.0
        && was.len() < is.len()
}

/// Whether the same words held what a call gave against a value, and now hold the value against itself:
/// `result = total(cart)` became `result = 6.5`, and both are followed by `result == 6.5`.
pub fn is_written_down(before: &Assertion, after: &Assertion) -> bool {
    let is_written = |text: &str| {
        let number = text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
        let inside = text.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
        number || inside.is_some_and(|inside| !inside.contains(['"', '\'']))
    };
    let (old, new) = (&before.claim, &after.claim);
    before.text == after.text
        && old.subject.contains('(')
        && new.kind == ClaimKind::Value
        && !new.negated
        && is_written(&new.subject)
        && new.expected.as_ref().is_some_and(|expected| same_value(&new.subject, expected))
}

/// Whether what was compared as a whole is now only counted.
pub fn asks_for_size(old: &Claim, new: &Claim) -> bool {
    let (old_subject, new_subject) = (key(&old.subject), key(&new.subject));
    let counted = [".length", ".size()", ".len()", ".length()", ".count()", ".Len()"]
        .iter()
        .find_map(|call| new_subject.strip_suffix(call))
        .or_else(|| new_subject.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')));
    let is_number = |text: &Option<String>| text.as_deref().is_some_and(|text| text.parse::<f64>().is_ok());
    old.strength >= Strength::Value && counted == Some(&*old_subject) && !is_number(&old.expected)
}

/// Whether another function is asked the same: of `assert match(a, b)` only a name told that it was about a pattern.
fn asks_another(before: &Assertion, after: &Assertion) -> bool {
    let call = |text: &str| -> Option<(String, String)> {
        let (callee, given) = text.strip_prefix("assert ")?.split_once('(')?;
        let is_name = callee.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && given.ends_with(')')).then(|| (callee.to_owned(), key(given)))
    };
    let (Some((old, given)), Some((new, same))) = (call(&before.text), call(&after.text)) else {
        return false;
    };
    old != new && given == same && after.claim.strength == Strength::Truthy
}

/// Whether what is looked at is also what it is held against, and is computed.
fn is_circular(claim: &Claim) -> bool {
    let subject = key(&claim.subject);
    // `f() < f()` never holds: whoever asserts it means two calls, one after the other.
    let is_strict =
        matches!(claim.room, Some(Room::Above { or_equal: false } | Room::Below { or_equal: false }));
    !is_strict
        && matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure)
        && !claim.negated
        && subject.contains('(')
        && repeats(claim)
}

/// Whether what is looked at is also what it is held against.
fn repeats(claim: &Claim) -> bool {
    !claim.subject.is_empty() && key_of(claim) == Some(key(&claim.subject))
}

/// Whether two expressions are the same call with other plain values.
fn differ_in_literals(old: &str, new: &str) -> bool {
    let is_plain = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let outside: [Vec<&str>; 2] = [old, new].map(|text| text.split(['"', '\'', '`']).step_by(2).collect());
    let names = |parts: &[&str]| -> Vec<String> {
        let words = parts.iter().flat_map(|part| split(part));
        words.filter(|word| !is_plain(word)).map(str::to_owned).collect()
    };
    old.contains('(') && names(&outside[0]) == names(&outside[1])
}

/// A call whose name asserts may claim anything, and so may what leads to a plain failure.
pub fn is_unknown(claim: &Claim) -> bool {
    claim.kind == ClaimKind::Helper || claim.kind == ClaimKind::Failure && claim.subject.is_empty()
}

/// Whether the same helper is given another plain value in the end, where most of them take what is expected.
fn gives_another_end(before: &Assertion, after: &Assertion) -> bool {
    let given = |assertion: &Assertion| -> Option<(String, Vec<String>)> {
        let (name, rest) = assertion.text.split_at(assertion.text.find('(')?);
        let inside = enclosed(rest.trim_end_matches(';'))?;
        Some((name.to_owned(), arguments(inside).into_iter().map(str::to_owned).collect()))
    };
    let helpers = before.claim.kind == ClaimKind::Helper && after.claim.kind == ClaimKind::Helper;
    let Some((was, is)) = given(before).zip(given(after)).filter(|_| helpers) else { return false };
    match (was.1.split_last(), is.1.split_last()) {
        (Some((last, others)), Some((end, same))) => {
            was.0 == is.0
                && !others.is_empty()
                && others == same
                && is_literal(last)
                && is_literal(end)
                && !same_value(last, end)
        }
        _ => false,
    }
}

/// What a claim is held against.
pub fn key_of(claim: &Claim) -> Option<String> {
    claim.expected.as_deref().map(key)
}

/// Libraries do not draw the line between equal values and equal structures in the same place: `deepStrictEqual` is
/// `toEqual` to whoever moves from one to the other.
fn is_as_exact(before: &Assertion, after: &Assertion) -> bool {
    let library =
        |assertion: &Assertion| split(&assertion.text).find(|word| *word != "await").map(str::to_owned);
    after.claim.strength >= Strength::Value
        && key_of(&before.claim) == key_of(&after.claim)
        && library(before) != library(after)
}

/// Whether what was near something is now between two others that were measured: `abs(a - b) <= 1` became
/// `a >= b && a <= c`. How far apart numbers are that are written out is another question.
pub fn is_in_range(before: &Assertion, after: &Assertion) -> bool {
    let text = &after.text;
    let halves = text.split_once("&&").or_else(|| text.split_once(" and "));
    let Some((one, other)) = halves.filter(|_| !text.contains("->") && !text.contains("=>")) else {
        return false;
    };
    // What is compared, whether it may not be less, and what with.
    let bound = |half: &str| {
        let at = half.find(['<', '>'])?;
        let with = half[at + 1..].trim_start_matches('=').trim();
        let measured =
            with.starts_with(|c: char| c.is_alphabetic()) || with.starts_with('0') && !with.contains('.');
        let path = half[..at].trim().split('(').rev().find(|part| part.contains('.') || !part.contains(')'));
        let subject = path.unwrap_or_default().trim().to_owned();
        measured.then(|| (subject, half[at..].starts_with('>')))
    };
    let (Some((left, is_lower)), Some((right, is_other))) = (bound(one), bound(other)) else { return false };
    before.claim.strength == Strength::Approximate
        && after.claim.strength == Strength::Bound
        && is_lower != is_other
        && !left.is_empty()
        && left == right
}

/// How far off frameworks let a number be unless told otherwise, and how many of its digits they look at.
const USUAL_TOLERANCE: f64 = 1e-4;
const USUAL_DIGITS: f64 = 2.0;

/// Words of the calls with which frameworks compare such numbers.
const COMPARES_FLOATS: &[&str] =
    &["approx", "close", "almost", "delta", "within", "epsilon", "offset", "relative"];

/// Whether a number that no computation gives exactly is now compared with the usual tolerance.
fn is_mended_float(before: &Assertion, after: &Assertion) -> bool {
    let (old, new) = (&before.claim, &after.claim);
    let is_number = |text: &str| {
        let text = ["float64(", "float32(", "float("]
            .iter()
            .find_map(|cast| text.strip_prefix(cast)?.strip_suffix(')'))
            .unwrap_or(text);
        let digits = text.trim_start_matches(['-', '+']).trim_end_matches(['f', 'd', 'F', 'D']);
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_'))
    };
    let (Some(was), Some(is)) = (&old.expected, &new.expected) else { return false };
    let text = after.text.to_lowercase();
    let usual = match new.limit {
        None => true,
        Some(Limit::Tolerance(tolerance)) => tolerance <= USUAL_TOLERANCE,
        Some(Limit::Digits(digits)) => digits >= USUAL_DIGITS,
        Some(_) => false,
    };
    new.strength == Strength::Approximate
        && usual
        && COMPARES_FLOATS.iter().any(|word| text.contains(word))
        && is_number(was)
        && same_value(was, is)
        && key(&old.subject) == key(&new.subject)
}
