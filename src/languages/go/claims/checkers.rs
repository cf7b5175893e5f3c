//! Checks whose second argument says what is checked: gocheck, quicktest, GoConvey.

use super::super::super::expression::{Link, chain, tidy};
use super::super::super::predicate::{
    above, below, different, empty, equal, fails, holds, is_nothing, near, negate, not_null, pattern, raises,
    ranged, same, shape, subject_of, with,
};
use super::is_handle;
use super::predicates::{is_error, no_error, predicate, some_error};
use crate::facts::{Claim, Strength};

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    match (last.name, arguments) {
        ("Assert" | "Check", [handle, checker]) if is_handle(handle) && checker.contains('(') => {
            generic(checker).or_else(|| of_checker(checker, handle, &[]))
        }
        ("So" | "Assert" | "Check", [subject, checker, rest @ ..]) if is_checker(checker) => {
            of_checker(checker, subject, rest)
        }
        ("Assert" | "Check", [handle, subject, checker, rest @ ..])
            if is_handle(handle) && is_checker(checker) =>
        {
            of_checker(checker, subject, rest)
        }
        _ => None,
    }
}

/// `Equals`, `qt.Equals`, `qt.Not(qt.Equals)`, `ShouldEqual`.
fn is_checker(text: &str) -> bool {
    let name = plain_name(text);
    let is_word = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_word && (name.starts_with(|c: char| c.is_uppercase()) || name.starts_with("should"))
}

fn plain_name(text: &str) -> &str {
    let head = text.split('(').next().unwrap_or(text);
    head.rsplit('.').next().unwrap_or(head)
}

fn of_checker(checker: &str, subject: &str, rest: &[&str]) -> Option<Claim> {
    let name = plain_name(checker);
    if name == "Not" {
        let inner = chain(checker).last()?.argument(0)?;
        return of_name(plain_name(inner), subject, rest).map(negate);
    }
    if name == "CmpEquals" || name == "CodecEquals" || name == "JSONEquals" {
        return Some(equal(subject, rest.first()?));
    }
    of_name(name, subject, rest)
}

/// quicktest with generics: `qt.Assert(t, qt.Equals(got, want))`.
fn generic(checker: &str) -> Option<Claim> {
    let links = chain(checker);
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    let (subject, rest) = arguments.split_first()?;
    match last.name {
        "Not" => generic_inner(subject).map(negate),
        name => of_name(name, subject, rest),
    }
}

fn generic_inner(checker: &str) -> Option<Claim> {
    let links = chain(checker);
    let last = links.last()?;
    let (subject, rest) = last.arguments.as_deref()?.split_first()?;
    of_name(last.name, subject, rest)
}

/// What a checker is called decides; GoConvey's begin with `Should` or `ShouldNot`.
fn of_name(name: &str, subject: &str, rest: &[&str]) -> Option<Claim> {
    if let Some(opposite) = name.strip_prefix("ShouldNot") {
        return of_name(opposite, subject, rest).map(negate);
    }
    let name = name.strip_prefix("Should").filter(|rest| !rest.is_empty()).unwrap_or(name);
    let name = name.strip_prefix("Be").filter(|rest| rest.starts_with(char::is_uppercase)).unwrap_or(name);
    let expected = rest.first().copied();
    of_plain(name, subject).or_else(|| of_held(name, subject, expected?, rest.get(1).copied()))
}

fn of_plain(name: &str, subject: &str) -> Option<Claim> {
    Some(match name {
        "IsNil" | "Nil" if is_error(subject) => no_error(subject),
        "IsNil" | "Nil" => with(Strength::Value, subject, "nil"),
        "IsNotNil" | "NotNil" if is_error(subject) => some_error(subject),
        "IsNotNil" | "NotNil" => not_null(subject),
        "IsTrue" | "True" => holds(subject, predicate),
        "IsFalse" | "False" => fails(subject, predicate),
        "Empty" | "IsEmpty" | "Blank" | "ZeroValue" => empty(subject),
        "Panic" => raises(subject, None),
        _ => return None,
    })
}

fn of_held(name: &str, subject: &str, expected: &str, third: Option<&str>) -> Option<Claim> {
    Some(match name {
        "Equals" | "Equal" | "DeepEquals" | "Resemble" | "EqualJSON" | "ContentEquals" | "DeepEqual"
        | "Eq"
            if is_nothing(expected) && is_error(subject) =>
        {
            no_error(subject)
        }
        "Equals" | "Equal" | "DeepEquals" | "Resemble" | "EqualJSON" | "ContentEquals" | "DeepEqual"
        | "Eq" => equal(subject, expected),
        "NotEquals" => different(subject, expected),
        "PointTo" => same(subject, expected),
        "HasLen" | "HaveLength" => equal(&format!("len({})", subject_of(subject)), expected),
        "Matches" | "Contains" | "ContainSubstring" | "StartWith" | "EndWith" | "Contain" | "In"
        | "HaveKey" | "StringContains" | "ContainKey" | "Any" | "All" | "Satisfies" => {
            pattern(subject, expected)
        }
        "ErrorMatches" | "PanicMatches" | "Panics" | "PanicWith" => {
            Claim { strength: Strength::Pattern, pattern: Some(tidy(expected)), ..raises(subject, None) }
        }
        "ErrorIs" => Claim { strength: Strength::Value, ..raises(subject, Some(expected)) },
        "ErrorAs" | "Wrap" => raises(subject, Some(expected)),
        "FitsTypeOf" | "Implements" | "HaveSameTypeAs" | "Implement" => shape(subject, expected),
        "AlmostEqual" => near(subject, expected, third),
        "GreaterThan" | "GreaterThanOrEqualTo" => above(subject, name != "GreaterThan", expected),
        "LessThan" | "LessThanOrEqualTo" => below(subject, name != "LessThan", expected),
        "Between" | "BetweenOrEqual" => ranged(subject, expected),
        _ => return None,
    })
}
