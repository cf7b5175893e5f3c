//! Checks that say in a string what they do: supertest's `.expect(200)`, cypress's `.should('eq', 1)`, unexpected's
//! `expect(a, 'to be', 1)`.

use super::super::super::claiming;
use super::super::super::expression::{Link, is_string, number};
use super::{SCRIPT, expect, matchers};
use crate::facts::{Claim, Strength};

pub fn read(link: &Link<'_>) -> Option<Claim> {
    let arguments = link.arguments.as_deref()?;
    match (link.name, arguments) {
        ("should", [chainer, expected @ ..]) => chainer_words(chainer, expected),
        ("expect", [subject, words, expected @ ..]) if is_sentence(words) => {
            sentence(subject, words, expected)
        }
        ("expect", _) => response(arguments),
        _ => None,
    }
}

/// `'not.have.length'`, with what it is held against.
fn chainer_words(chainer: &str, expected: &[&str]) -> Option<Claim> {
    if !is_string(chainer) {
        return None;
    }
    let words: Vec<&str> = chainer.trim_matches(['"', '\'', '`']).split('.').collect();
    let negated = words.contains(&"not");
    let name = *words.last()?;
    let link = Link { name, arguments: Some(expected.to_vec()) };
    let matcher = matchers::called(name)?;
    let claim = expect::apply(matcher, "", &link)?;
    Some(if negated { claiming::negate(claim, SCRIPT.untrue) } else { claim })
}

pub fn is_sentence(text: &str) -> bool {
    let words = text.trim_matches(['"', '\'', '`']);
    is_string(text)
        && ["to ", "not to ", "when ", "with ", "was ", "were ", "[not] to "]
            .iter()
            .any(|start| words.starts_with(start))
}

fn sentence(subject: &str, words: &str, expected: &[&str]) -> Option<Claim> {
    let words = words.trim_matches(['"', '\'', '`']);
    let (negated, words) = words.strip_prefix("not ").map_or((false, words), |words| (true, words));
    let claim = match (words, expected.first()) {
        ("to be" | "to equal", Some(expected)) => claiming::equal(subject, expected, Strength::Value),
        ("to be true" | "to be false" | "to be null" | "to be undefined", _) => {
            claiming::fixed(subject, words.trim_start_matches("to be "))
        }
        ("to be truthy" | "to be ok", _) => claiming::truthy(subject),
        ("to throw" | "to error" | "to be rejected" | "to be rejected with" | "to throw error", pattern) => {
            claiming::raises(super::body(subject), None, pattern.copied())
        }
        ("to be a" | "to be an", Some(expected)) => claiming::holds(Strength::Shape, subject, expected),
        ("to have length", Some(expected)) => {
            claiming::holds(Strength::Value, &format!("{subject}.length"), expected)
        }
        ("was called" | "was not called", _) => {
            let called = claiming::called(subject, Strength::Truthy, None);
            Claim { negated: words == "was not called", ..called }
        }
        ("was called once" | "was called twice" | "was called times", _) => {
            let count = expected.first().unwrap_or(&words);
            claiming::called(subject, Strength::Shape, Some(count))
        }
        (_, Some(expected)) if words.contains(" call") => {
            claiming::called(subject, Strength::Value, Some(expected))
        }
        (_, Some(_)) => expect::has(Strength::Pattern, subject, &expected.join(", ")),
        (_, None) => claiming::holds(Strength::Pattern, subject, words),
    };
    Some(if negated { claiming::negate(claim, SCRIPT.untrue) } else { claim })
}

/// What a response has: a status, a body, a header.
fn response(arguments: &[&str]) -> Option<Claim> {
    let strength =
        |expected: &str| if expected.starts_with('/') { Strength::Pattern } else { Strength::Value };
    let is_value =
        |text: &str| is_string(text) || text.starts_with(['/', '{', '[']) || number(text).is_some();
    match arguments {
        [status, ..] if number(status).is_some() => {
            let body = arguments.get(1).filter(|body| is_value(body));
            let expected = body.map_or_else(|| (*status).to_owned(), |body| format!("{status}, {body}"));
            Some(claiming::holds(Strength::Value, "status", &expected))
        }
        [header, value, ..] if is_string(header) && is_value(value) => {
            Some(claiming::holds(strength(value), header, value))
        }
        [body, ..] if is_value(body) => Some(claiming::holds(strength(body), "body", body)),
        _ => None,
    }
}
