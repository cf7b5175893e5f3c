//! What a check claims, read from its text: `expect` of jest, vitest, jasmine and chai, `should`, node's and chai's
//! `assert`, ava's and tap's `t`, supertest, cypress.

mod asserts;
mod expect;
mod matchers;
mod predicates;
#[cfg(test)]
mod tests;
mod words;

use super::super::claiming;
use super::super::condition::Dialect;
use super::super::expression::{Link, canonical, chain, head_of};
use crate::facts::{Claim, Strength};

/// How conditions are read.
const SCRIPT: Dialect =
    Dialect { untrue: "false", call: predicates::predicate, equality: predicates::equality, in_is_key: true };

pub fn claim(text: &str) -> Claim {
    let text = canonical(text, "//");
    read(&text).unwrap_or_else(|| Claim::helper(text.as_str()))
}

fn read(text: &str) -> Option<Claim> {
    let links = chain(text);
    let first = links.first()?;
    if text.starts_with("type ") {
        return Some(claiming::claim(Strength::Value, text));
    }
    if first.name.starts_with("expectType") || first.name == "assertType" {
        return Some(types(text));
    }
    if let Some(at) = links.iter().skip(1).position(|link| link.name == "should" && link.arguments.is_none())
    {
        let subject = head_of(text, links.get(at + 1)?.name);
        return expect::read(subject, links.get(at + 2..)?);
    }
    let at = links.iter().position(|link| link.arguments.is_some())?;
    let opener = &links[at];
    let expects = opener.name.starts_with("expect") || opener.name == "should" || is_soft(first, opener);
    match links.get(at + 1..)? {
        [] if opener.name == "expect" || opener.name == "should" => words::read(opener),
        [] => asserts::read(&links),
        // `expect(a, 'to be', 1).and('to be ok')`
        _ if opener.argument(1).is_some_and(words::is_sentence) => words::read(opener),
        matchers if expects => expect::read(subject_of(opener)?, matchers),
        _ => asserts::read(&links),
    }
}

/// `expect.soft(a)`, `expect.poll(() => a)`.
fn is_soft(first: &Link<'_>, opener: &Link<'_>) -> bool {
    first.name == "expect" && matches!(opener.name, "soft" | "poll" | "element" | "softly")
}

fn subject_of<'a>(opener: &Link<'a>) -> Option<&'a str> {
    let subject = opener.argument(0).or_else(|| opener.arguments.as_ref().map(|_| ""))?;
    Some(if opener.name == "poll" { body(subject) } else { subject })
}

/// What compilers check: `expectTypeOf(a).toEqualTypeOf<B>()`.
fn types(text: &str) -> Claim {
    let at = text.rfind(".to").or_else(|| text.find('<')).unwrap_or(text.len());
    let negated = text[..at].ends_with(".not");
    Claim { negated, ..claiming::holds(Strength::Shape, text[..at].trim_end_matches(".not"), &text[at..]) }
}

/// What a function does, where it is written in place: `f(a)` of `() => f(a)`.
fn body(function: &str) -> &str {
    let function = function.strip_prefix("async ").unwrap_or(function);
    let arrow = function.strip_prefix("() => ").or_else(|| function.strip_prefix("_ => "));
    let plain = || function.strip_prefix("function () ").or_else(|| function.strip_prefix("function() "));
    let Some(body) = arrow.or_else(plain) else { return function };
    let block = body.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).map(str::trim);
    let statement = block.unwrap_or(body).trim_end_matches(';');
    ["return ", "await "].iter().fold(statement, |text, word| text.strip_prefix(word).unwrap_or(text))
}

/// What a promise or value is called without waiting for it.
fn awaited(subject: &str) -> &str {
    subject.strip_prefix("await ").unwrap_or(subject)
}
