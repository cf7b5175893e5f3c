//! What a check claims, read from its text: `assert` statements, unittest, pytest, numpy, pandas, mocks.

mod arguments;
mod checks;
mod predicates;
#[cfg(test)]
mod tests;

use super::super::condition::Dialect;
use super::super::expression::{canonical, chain, head_of, split};
use crate::facts::Claim;

/// How conditions are read.
const PYTHON: Dialect = Dialect {
    untrue: "False",
    call: predicates::predicate,
    equality: predicates::equality,
    in_is_key: false,
};

pub fn claim(text: &str) -> Claim {
    let text = canonical(text, "#");
    match statement(&text) {
        Some(condition) => PYTHON.holds(split(condition).first().copied().unwrap_or(condition)),
        None => checks::read(&text).unwrap_or_else(|| Claim::helper(text.as_str())),
    }
}

/// What an `assert` statement is about, its message included.
fn statement(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("assert")?;
    rest.starts_with(|c: char| !c.is_alphanumeric() && c != '_').then(|| rest.trim())
}

/// The last link of a call, and what stands before it.
fn last_call(text: &str) -> Option<(&str, &str, arguments::Arguments<'_>)> {
    let links = chain(text);
    let last = links.last()?;
    let arguments = arguments::Arguments::of(last.arguments.as_ref()?);
    Some((head_of(text, last.name).trim_start_matches("await "), last.name, arguments))
}
