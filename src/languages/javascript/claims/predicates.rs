//! Conditions that are more than their operators: `list.includes(a)`, `typeof a === 'string'`.

use super::super::super::claiming;
use super::super::super::expression::{chain, head_of};
use super::matchers::{self, Matcher};
use crate::facts::{Claim, Strength};

/// A condition without a comparison of its own.
pub fn predicate(text: &str) -> Option<Claim> {
    if let Some(place) = text.strip_prefix('~') {
        // `~a.indexOf(b)` is nothing only for -1.
        return equality(place, "-1").map(|missing| Claim { negated: !missing.negated, ..missing });
    }
    let links = chain(text);
    let last = links.last()?;
    let owner = head_of(text, last.name);
    if matches!(last.name, "called" | "calledOnce" | "calledTwice") && last.arguments.is_none() {
        return Some(claiming::called(owner, Strength::Truthy, None));
    }
    let (first, second) = (last.argument(0)?, last.argument(1));
    Some(match last.name {
        "isArray" => claiming::holds(Strength::Shape, first, "Array"),
        "hasOwnProperty" => claiming::holds(Strength::Shape, owner, first),
        "hasOwn" => claiming::holds(Strength::Shape, first, second?),
        "isNaN" => claiming::fixed(first, "NaN"),
        "includes" if claiming::is_collection(owner) => claiming::holds(Strength::Pattern, first, owner),
        "includes" | "startsWith" | "endsWith" | "contains" | "has" => {
            claiming::holds(Strength::Pattern, owner, first)
        }
        "match" => claiming::holds(Strength::Pattern, owner, first),
        "test" => claiming::holds(Strength::Pattern, first, owner),
        "isEqual" | "deepEqual" | "isDeepStrictEqual" => claiming::equal(first, second?, Strength::Value),
        "is" if owner == "Object" => claiming::equal(first, second?, Strength::Value),
        "equals" if !owner.is_empty() => claiming::equal(owner, first, Strength::Value),
        name if matches!(matchers::called(name), Some(Matcher::CalledWith)) => {
            claiming::called(owner, Strength::Value, Some(&last.arguments.as_ref()?.join(", ")))
        }
        _ => return None,
    })
}

/// An equality whose one side says how to compare.
pub fn equality(subject: &str, expected: &str) -> Option<Claim> {
    if let Some(object) = subject.strip_prefix("typeof ") {
        return Some(claiming::holds(Strength::Shape, object, expected));
    }
    if expected == "-1" && subject.ends_with(')') {
        let links = chain(subject);
        let last = links.last().filter(|last| last.name == "indexOf")?;
        let found = claiming::holds(Strength::Pattern, head_of(subject, last.name), last.argument(0)?);
        return Some(Claim { negated: true, ..found });
    }
    None
}
