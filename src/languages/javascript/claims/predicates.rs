//! Conditions that are more than their operators: `list.includes(a)`, `typeof a === 'string'`.

use super::super::super::expression::chain;
use super::super::super::verdict;
use super::before;
use super::matchers::{self, Matcher};
use crate::facts::{Claim, Strength};

/// A condition without a comparison of its own.
pub fn predicate(text: &str) -> Option<Claim> {
    let links = chain(text);
    let last = links.last()?;
    let owner = before(text, last.name);
    if matches!(last.name, "called" | "calledOnce" | "calledTwice") && last.arguments.is_none() {
        return Some(verdict::called(owner, Strength::Truthy, None));
    }
    let (first, second) = (last.argument(0)?, last.argument(1));
    Some(match last.name {
        "isArray" => verdict::holds(Strength::Shape, first, "Array"),
        "hasOwnProperty" => verdict::holds(Strength::Shape, owner, first),
        "hasOwn" => verdict::holds(Strength::Shape, first, second?),
        "isNaN" => verdict::fixed(first, "NaN"),
        "includes" if verdict::is_collection(owner) => verdict::holds(Strength::Pattern, first, owner),
        "includes" | "startsWith" | "endsWith" | "contains" | "has" => {
            verdict::holds(Strength::Pattern, owner, first)
        }
        "match" => verdict::holds(Strength::Pattern, owner, first),
        "test" => verdict::holds(Strength::Pattern, first, owner),
        "isEqual" | "deepEqual" | "isDeepStrictEqual" => verdict::equal(first, second?, Strength::Value),
        "is" if owner == "Object" => verdict::equal(first, second?, Strength::Value),
        "equals" if !owner.is_empty() => verdict::equal(owner, first, Strength::Value),
        name if matches!(matchers::called(name), Some(Matcher::CalledWith)) => {
            verdict::called(owner, Strength::Value, Some(&last.arguments.as_ref()?.join(", ")))
        }
        _ => return None,
    })
}

/// An equality whose one side says how to compare.
pub fn equality(subject: &str, expected: &str) -> Option<Claim> {
    if let Some(object) = subject.strip_prefix("typeof ") {
        return Some(verdict::holds(Strength::Shape, object, expected));
    }
    if expected == "-1" && subject.ends_with(')') {
        let links = chain(subject);
        let last = links.last().filter(|last| last.name == "indexOf")?;
        let found = verdict::holds(Strength::Pattern, before(subject, last.name), last.argument(0)?);
        return Some(Claim { negated: true, ..found });
    }
    None
}
