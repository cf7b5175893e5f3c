//! Hamcrest: `assertThat(x, is(y))`.

use super::super::super::expression::{Link, whole_chain};
use super::super::super::predicate::{
    above, below, empty, equal, near, negate, not_null, pattern, same, shape, subject_of, tautology, with,
};
use super::predicates::condition;
use crate::facts::{Claim, Strength};

/// Matchers in matchers beyond this depth are taken as they are.
const MAX_DEPTH: u32 = 8;

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    match (last.name, arguments) {
        ("assertThat" | "checkThat", [reason, value]) if reason.starts_with('"') && !is_matcher(value) => {
            Some(condition(value))
        }
        ("assertThat" | "checkThat" | "until", [subject, matcher]) => {
            Some(matched(super::body_of(subject), matcher))
        }
        ("assertThat" | "checkThat", [_, subject, matcher]) => Some(matched(subject, matcher)),
        _ => None,
    }
}

fn is_matcher(text: &str) -> bool {
    whole_chain(text)
        .is_some_and(|links| links.len() <= 2 && links.last().is_some_and(|link| link.arguments.is_some()))
        && matched_by(text, "", MAX_DEPTH).is_some()
}

pub fn matched(subject: &str, matcher: &str) -> Claim {
    matched_by(matcher, subject, MAX_DEPTH).unwrap_or_else(|| pattern(subject, matcher))
}

fn matched_by(matcher: &str, subject: &str, depth: u32) -> Option<Claim> {
    let depth = depth.checked_sub(1)?;
    let links = whole_chain(matcher)?;
    let link = links.last()?;
    let arguments = link.arguments.as_deref()?;
    match (link.name, arguments) {
        // `is` takes a matcher or a value.
        ("is" | "describedAs" | "everyItem", [inner]) => {
            Some(matched_by(inner, subject, depth).unwrap_or_else(|| equal(subject, inner)))
        }
        ("not", [inner]) => {
            Some(negate(matched_by(inner, subject, depth).unwrap_or_else(|| equal(subject, inner))))
        }
        ("allOf" | "both" | "and", inner) => {
            let claims = inner.iter().filter_map(|inner| matched_by(inner, subject, depth));
            claims.max_by_key(|claim| claim.strength)
        }
        ("anyOf" | "either" | "or", _) => Some(pattern(subject, matcher)),
        (name, []) => of_plain(name, subject),
        (name, [first, rest @ ..]) => of_held(name, subject, first, rest, arguments),
    }
}

fn of_plain(name: &str, subject: &str) -> Option<Claim> {
    Some(match name {
        "nullValue" => with(Strength::Value, subject, "null"),
        "notNullValue" => not_null(subject),
        "empty" | "emptyIterable" | "emptyString" | "anEmptyMap" | "emptyArray" | "isEmptyString"
        | "emptyOptional" => empty(subject),
        "anything" => tautology(subject),
        "isEmptyOrNullString" | "emptyOrNullString" | "blankString" => pattern(subject, name),
        _ => return None,
    })
}

fn of_held(name: &str, subject: &str, first: &str, rest: &[&str], all: &[&str]) -> Option<Claim> {
    let list = || all.join(", ");
    Some(match name {
        "equalTo" | "equalToObject" | "comparesEqualTo" | "hasToString" | "optionalWithValue" => {
            equal(subject, first)
        }
        "sameInstance" | "theInstance" => same(subject, first),
        "contains" | "containsInAnyOrder" | "arrayContaining" | "arrayContainingInAnyOrder" => {
            with(Strength::Value, subject, &list())
        }
        "hasSize" | "arrayWithSize" | "iterableWithSize" | "aMapWithSize" | "hasLength" => {
            equal(&format!("{}.size()", subject_of(subject)), first)
        }
        "closeTo" => near(subject, first, rest.first().copied()),
        "greaterThan" | "greaterThanOrEqualTo" => above(subject, name != "greaterThan", first),
        "lessThan" | "lessThanOrEqualTo" => below(subject, name != "lessThan", first),
        "instanceOf" | "isA" | "any" | "typeCompatibleWith" => {
            shape(subject, first.trim_end_matches(".class"))
        }
        "containsString"
        | "startsWith"
        | "endsWith"
        | "hasItem"
        | "hasItems"
        | "hasEntry"
        | "hasKey"
        | "hasValue"
        | "hasProperty"
        | "matchesPattern"
        | "matchesRegex"
        | "containsStringIgnoringCase"
        | "equalToIgnoringCase"
        | "stringContainsInOrder"
        | "oneOf"
        | "in"
        | "isIn"
        | "isOneOf"
        | "hasItemInArray" => pattern(subject, &list()),
        _ => return None,
    })
}
