//! JUnit's and TestNG's functions. JUnit 4 puts a message first, JUnit 5 and TestNG last.

use super::super::super::expression::{Link, is_literal, is_string, number, tidy};
use super::super::super::predicate::{
    below, different, equal, failure, near, negate, not_null, oriented, pattern, raises, same, shape, with,
};
use super::predicates::condition;
use super::{body_of, type_names};
use crate::facts::{Claim, Strength};

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let last = links.last()?;
    let arguments = last.arguments.as_deref()?;
    if links.iter().rev().skip(1).any(|link| link.arguments.is_some()) {
        return None;
    }
    of_name(last.name, arguments)
}

fn of_name(name: &str, arguments: &[&str]) -> Option<Claim> {
    if matches!(name, "fail" | "failBecauseExceptionWasNotThrown") {
        return Some(failure());
    }
    of_one(name, one_of(arguments)?).or_else(|| of_error(name, arguments)).or_else(|| {
        let (expected, actual, third) = two_of(arguments)?;
        of_two(name, expected, actual, third)
    })
}

/// The value among a value and a message, in either order.
fn one_of<'a>(arguments: &[&'a str]) -> Option<&'a str> {
    match *arguments {
        [message, value] if is_message(message) && !is_message(value) => Some(value),
        [value, ..] => Some(value),
        [] => None,
    }
}

fn is_message(text: &str) -> bool {
    text.starts_with('"')
        || text.starts_with("String.format(")
        || text.starts_with("() -> \"")
        || names_message(text)
}

fn names_message(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    lower.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && ["message", "msg", "description", "reason"].iter().any(|word| lower.ends_with(word))
}

/// Expected, actual and what may be a tolerance, of two values, a tolerance and a message.
fn two_of<'a>(arguments: &[&'a str]) -> Option<(&'a str, &'a str, Option<&'a str>)> {
    match *arguments {
        [one, other] => Some((one, other, None)),
        [one, other, third] if is_message(third) => Some((one, other, None)),
        [one, other, third] if (!is_string(one) || is_literal(other)) && is_tolerance(third) => {
            Some((one, other, Some(third)))
        }
        [message, one, other] if is_message(message) || message.contains("\" +") => Some((one, other, None)),
        [one, other, third] if is_tolerance(third) => Some((one, other, Some(third))),
        [one, other, _] => Some((one, other, None)),
        [message, one, other, third] if is_message(message) => Some((one, other, Some(third))),
        [one, other, third, _] => Some((one, other, Some(third))),
        _ => None,
    }
}

fn is_tolerance(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let words = ["delta", "eps", "toler", "precision", "ulp", "accuracy", "error"];
    number(text).is_some() || words.iter().any(|word| lower.contains(word))
}

/// Checks of one value.
fn of_one(name: &str, value: &str) -> Option<Claim> {
    Some(match name {
        "assertTrue" => condition(value),
        "assertFalse" => match condition(value) {
            claim if claim.strength == Strength::Tautology => failure(),
            claim => negate(claim),
        },
        "assertNull" => with(Strength::Value, value, "null"),
        "assertNotNull" => not_null(value),
        _ => return None,
    })
}

fn of_error(name: &str, arguments: &[&str]) -> Option<Claim> {
    let code = || {
        body_of(
            arguments
                .iter()
                .find(|argument| argument.contains("->") || argument.contains("::"))
                .or(arguments.first())
                .unwrap_or(&""),
        )
    };
    let error = arguments.iter().find(|argument| argument.ends_with(".class"));
    Some(match name {
        "assertThrows" | "expectThrows" | "assertThrowsExactly" | "assertFailsWith" => {
            raises(code(), Some(&type_names(error.or(arguments.first())?)))
        }
        "assertDoesNotThrow" => Claim { negated: true, ..raises(body_of(arguments.first()?), None) },
        "assertTimeout" | "assertTimeoutPreemptively" => {
            below(body_of(arguments.get(1)?), true, arguments.first()?)
        }
        _ if name.starts_with("assert") && name.ends_with("Exception") => {
            raises(code(), Some(name.trim_start_matches("assert")))
        }
        "expect" => raises("", Some(&type_names(arguments.first()?))),
        "expectMessage" | "expectCause" => {
            let claim = raises("", None);
            Claim { strength: Strength::Pattern, pattern: Some(tidy(arguments.first()?)), ..claim }
        }
        _ => return None,
    })
}

/// Checks that hold one value against another.
fn of_two(name: &str, first: &str, second: &str, third: Option<&str>) -> Option<Claim> {
    let (subject, expected) = oriented(second, first);
    Some(match name {
        "assertEquals" | "assertArrayEquals" => match third {
            Some(_) => near(subject, expected, third),
            // `assertEquals(true, a.equals(b))` claims what `assertTrue(a.equals(b))` claims.
            None if expected == "true" && !is_literal(subject) => condition(subject),
            None if expected == "false" && !is_literal(subject) => negate(condition(subject)),
            None => equal(subject, expected),
        },
        "assertIterableEquals" | "assertEqualsNoOrder" | "assertEqualsDeep" | "assertElementsEqual" => {
            equal(subject, expected)
        }
        "assertNotEquals" | "assertArrayNotEquals" => different(subject, expected),
        "assertSame" => same(subject, expected),
        "assertNotSame" => negate(same(subject, expected)),
        "assertLinesMatch" => pattern(subject, expected),
        "assertInstanceOf" => shape(second, first.trim_end_matches(".class")),
        _ => return None,
    })
}
