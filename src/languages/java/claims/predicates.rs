//! Conditions of Java: methods that answer yes or no.

use super::super::super::expression::{before, whole_chain};
use super::super::super::predicate::{empty, equal, holds, not_null, oriented, pattern, shape, truth, with};
use crate::facts::{Claim, Strength};

pub fn condition(text: &str) -> Claim {
    holds(super::body_of(text), predicate)
}

/// `assert x > 1 : "message"`.
pub fn statement(text: &str) -> Claim {
    let text = text.trim().trim_end_matches(';');
    let condition =
        text.split_once(" : ").filter(|(head, _)| !head.contains('?')).map_or(text, |(head, _)| head);
    condition_of(condition)
}

fn condition_of(text: &str) -> Claim {
    holds(text, predicate)
}

pub fn predicate(text: &str) -> Option<Claim> {
    let links = whole_chain(text)?;
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    let subject = before(text, last);
    match *arguments {
        [] => of_method(last.name, subject),
        [argument] => of_question(last.name, subject, argument),
        [one, other] => of_function(last.name, one, other),
        _ => None,
    }
}

fn of_method(name: &str, subject: &str) -> Option<Claim> {
    Some(match name {
        "isEmpty" if !subject.is_empty() => empty(subject),
        "isPresent" => not_null(subject),
        _ => return None,
    })
}

fn of_question(name: &str, subject: &str, argument: &str) -> Option<Claim> {
    if subject.is_empty() {
        return None;
    }
    Some(match name {
        "equals" => {
            let (subject, expected) = oriented(subject, argument);
            equal(subject, expected)
        }
        "isNull" => with(Strength::Value, argument, "null"),
        "nonNull" => not_null(argument),
        "isInstance" => shape(argument, subject),
        "contains" | "containsAll" | "containsKey" | "containsValue" | "startsWith" | "endsWith"
        | "matches" | "contentEquals" | "equalsIgnoreCase" | "anyMatch" | "allMatch" | "noneMatch" => {
            pattern(subject, argument)
        }
        _ => return None,
    })
}

/// `Arrays.equals(a, b)`, `Objects.equals(a, b)`, `Pattern.matches(regex, text)`.
fn of_function(name: &str, one: &str, other: &str) -> Option<Claim> {
    let (subject, expected) = oriented(one, other);
    match name {
        "equals" | "deepEquals" | "equal" => Some(equal(subject, expected)),
        "matches" => Some(pattern(other, one)),
        "is" => Some(truth(one)),
        _ => None,
    }
}
