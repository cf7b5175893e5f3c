//! Checks that say in a string what they do: supertest's `.expect(200)`, cypress's `.should('eq', 1)`, unexpected's
//! `expect(a, 'to be', 1)`.

use super::super::super::expression::{Link, is_string, number};
use super::super::super::verdict;
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
    Some(if negated { verdict::negate(claim, SCRIPT.untrue) } else { claim })
}

fn is_sentence(text: &str) -> bool {
    let words = text.trim_matches(['"', '\'', '`']);
    is_string(text)
        && ["to ", "not to ", "when ", "with ", "[not] to "].iter().any(|start| words.starts_with(start))
}

fn sentence(subject: &str, words: &str, expected: &[&str]) -> Option<Claim> {
    let words = words.trim_matches(['"', '\'', '`']);
    let (negated, words) = words.strip_prefix("not ").map_or((false, words), |words| (true, words));
    let claim = match (words, expected.first()) {
        ("to be" | "to equal", Some(expected)) => verdict::equal(subject, expected, Strength::Value),
        ("to be true" | "to be false" | "to be null" | "to be undefined", _) => {
            verdict::fixed(subject, words.trim_start_matches("to be "))
        }
        ("to be truthy" | "to be ok", _) => verdict::truthy(subject),
        ("to throw" | "to error" | "to be rejected" | "to be rejected with" | "to throw error", pattern) => {
            verdict::raises(super::body(subject), None, pattern.copied())
        }
        ("to be a" | "to be an", Some(expected)) => verdict::holds(Strength::Shape, subject, expected),
        ("to have length", Some(expected)) => {
            verdict::holds(Strength::Value, &format!("{subject}.length"), expected)
        }
        (_, Some(_)) => verdict::holds(Strength::Pattern, subject, &expected.join(", ")),
        (_, None) => verdict::holds(Strength::Pattern, subject, words),
    };
    Some(if negated { verdict::negate(claim, SCRIPT.untrue) } else { claim })
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
            Some(verdict::holds(Strength::Value, "status", &expected))
        }
        [header, value, ..] if is_string(header) && is_value(value) => {
            Some(verdict::holds(strength(value), header, value))
        }
        [body, ..] if is_value(body) => Some(verdict::holds(strength(body), "body", body)),
        _ => None,
    }
}
