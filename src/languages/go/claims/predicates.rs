//! Conditions of Go: functions that answer yes or no, errors, and the condition around a failing call.

use super::super::super::expression::{Link, Operator, bare, before, comparison, is_literal, whole_chain};
use super::super::super::predicate::{
    empty, equal, fails, holds, oriented, pattern, raises, shape, subject_of, with,
};
use crate::facts::{Claim, ClaimKind, Strength};

/// What is claimed by a test that fails where `condition` holds.
pub fn failing(condition: &str) -> Claim {
    let condition = bare(condition);
    let claim = of_error(condition, false).unwrap_or_else(|| fails(condition, predicate));
    Claim { kind: ClaimKind::Failure, ..claim }
}

/// What is claimed by a test that fails where `condition` does not hold.
pub fn holding(condition: &str) -> Claim {
    Claim { kind: ClaimKind::Failure, ..holds(bare(condition), predicate) }
}

/// What is claimed where a difference must be empty.
pub fn of_diff(text: &str) -> Option<Claim> {
    diff(text).map(|claim| Claim { kind: ClaimKind::Failure, ..claim })
}

/// `err != nil` and `err == nil` alone, where they must hold or must not.
pub fn of_error(condition: &str, holds: bool) -> Option<Claim> {
    let (left, operator, right) = comparison(condition)?;
    if bare(right) != "nil" || !is_error(left) {
        return None;
    }
    match operator {
        Operator::NotEqual | Operator::Equal if (operator == Operator::Equal) == holds => {
            Some(no_error(left))
        }
        Operator::NotEqual | Operator::Equal => Some(some_error(left)),
        _ => None,
    }
}

pub fn no_error(subject: &str) -> Claim {
    shape(subject, "nil")
}

pub fn some_error(subject: &str) -> Claim {
    raises(subject, None)
}

/// Whether an expression is an error by its name: `err`, `gotErr`, `result.Error`, `rows.Err()`.
pub fn is_error(text: &str) -> bool {
    let text = bare(text);
    let last = text.trim_end_matches("()").rsplit('.').next().unwrap_or(text);
    let plain = last.trim_end_matches(|c: char| c.is_ascii_digit()).to_ascii_lowercase();
    let is_name = plain.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name && (plain.starts_with("err") || plain.ends_with("err") || plain.ends_with("error"))
}

/// A call that answers yes or no.
pub fn predicate(text: &str) -> Option<Claim> {
    let links = whole_chain(text)?;
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    match *arguments {
        [argument] => of_method(text, last, argument),
        [one, other, ..] => of_function(&links, last, one, other),
        [] if matches!(last.name, "IsZero" | "IsEmpty") => Some(empty(before(text, last))),
        [] => None,
    }
}

fn of_method(text: &str, link: &Link<'_>, argument: &str) -> Option<Claim> {
    let subject = before(text, link);
    Some(match link.name {
        "Equal" | "Equals" => equal(subject, argument),
        "MatchString" | "Match" => pattern(argument, subject),
        "Contains" | "HasPrefix" | "HasSuffix" | "Has" => pattern(subject, argument),
        "IsNotExist" | "IsExist" | "IsPermission" | "IsTimeout" => raises(argument, Some(link.name)),
        "IsNaN" => with(Strength::Value, argument, "NaN"),
        _ => return None,
    })
}

fn of_function(links: &[Link<'_>], link: &Link<'_>, one: &str, other: &str) -> Option<Claim> {
    let package = links.first().map_or("", |first| first.name);
    let (subject, expected) = oriented(one, other);
    Some(match (package, link.name) {
        ("errors", "Is") => Claim { strength: Strength::Value, ..raises(one, Some(other)) },
        ("errors", "As") => raises(one, Some(other)),
        (_, "DeepEqual" | "Equal" | "EqualFunc" | "EqualStrings" | "ConstantTimeCompare") => {
            equal(subject, expected)
        }
        ("strings" | "bytes", "EqualFold") => pattern(subject, expected),
        (
            "strings" | "bytes" | "slices",
            "Contains" | "HasPrefix" | "HasSuffix" | "ContainsAny" | "ContainsRune",
        ) => pattern(one, other),
        ("regexp", "MatchString" | "Match") => pattern(other, one),
        ("cmp", "Diff") => equal(subject, expected),
        _ => return None,
    })
}

/// The two sides of `cmp.Diff(want, got)`; also of the many like it.
pub fn diff(text: &str) -> Option<Claim> {
    let links = whole_chain(text)?;
    let last = links.last()?;
    let is_diff = last.name.ends_with("Diff") || last.name.ends_with("diff") || last.name.starts_with("Diff");
    let (one, other) = (last.argument(0)?, last.argument(1).filter(|_| is_diff)?);
    // cmp prints the first as what is missing: by custom it is the expected one.
    let (subject, expected) = if is_literal(other) { (one, other) } else { oriented(other, one) };
    let claim = with(Strength::Value, subject, expected);
    Some(Claim { subject: subject_of(subject), ..claim })
}
