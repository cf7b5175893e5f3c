//! Conditions of Rust: methods that answer yes or no, `matches!`.

use super::super::super::expression::{Link, before, whole_chain};
use super::super::super::predicate::{
    self, empty, equal, holds, not_null, oriented, pattern, same, shape, with,
};
use crate::facts::{Claim, Strength};

pub fn condition(text: &str) -> Claim {
    holds(text, predicate)
}

pub fn predicate(text: &str) -> Option<Claim> {
    let links = whole_chain(text)?;
    let last = links.last()?;
    if matches!(last.name, "matches" | "assert_matches") && last.arguments.is_some() && text.contains('!') {
        let arguments = last.arguments.as_deref()?;
        return Some(matched(arguments.first()?, arguments.get(1)?));
    }
    let arguments = last.arguments.as_deref()?;
    let subject = before(text, last);
    match *arguments {
        [] => of_method(last, subject),
        [argument] => of_question(last, subject, argument),
        [one, other] => of_function(last, one, other),
        _ => None,
    }
}

fn of_method(link: &Link<'_>, subject: &str) -> Option<Claim> {
    Some(match link.name {
        "is_some" => not_null(subject),
        "is_none" => with(Strength::Value, subject, "None"),
        "is_ok" => shape(subject, "Ok"),
        "is_err" => shape(subject, "Err"),
        "is_ready" | "is_pending" | "is_null" | "is_string" | "is_array" | "is_object" | "is_number" => {
            shape(subject, link.name)
        }
        "is_empty" => empty(subject),
        _ => return None,
    })
}

fn of_question(link: &Link<'_>, subject: &str, argument: &str) -> Option<Claim> {
    Some(match link.name {
        "eq" => equal(subject, argument),
        "contains"
        | "contains_key"
        | "starts_with"
        | "ends_with"
        | "is_match"
        | "eq_ignore_ascii_case"
        | "any"
        | "all"
        | "is_some_and"
        | "is_ok_and"
        | "is_err_and"
        | "is_subset"
        | "is_superset" => pattern(subject, argument),
        _ => return None,
    })
}

/// `ptr::eq(a, b)`, `Arc::ptr_eq(&a, &b)`.
fn of_function(link: &Link<'_>, one: &str, other: &str) -> Option<Claim> {
    let (subject, expected) = oriented(one, other);
    match link.name {
        "ptr_eq" | "eq" => Some(same(subject, expected)),
        "abs_diff_eq" | "relative_eq" => Some(predicate::near(subject, expected, None)),
        _ => None,
    }
}

/// A value that a pattern must match: exact where it leaves nothing open.
pub fn matched(subject: &str, pattern: &str) -> Claim {
    let pattern = pattern.trim().trim_start_matches('|').trim();
    with(openness(pattern), subject, pattern)
}

fn openness(pattern: &str) -> Strength {
    let has_payload = pattern.contains(['(', '{', '[']);
    let words = || pattern.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    let is_binding = |word: &str| word.starts_with(|c: char| c.is_lowercase() || c == '_') && !is_word(word);
    let inner = pattern.find(['(', '{', '[']).map_or("", |at| &pattern[at..]);
    let is_open =
        pattern.contains("..") || words().any(|word| word == "_") || inner.split(separates).any(is_binding);
    let bare = inner.trim_matches(|c: char| "(){}[]._ ,".contains(c));
    match () {
        () if lets_all_through(pattern) => Strength::Tautology,
        () if pattern.contains(" if ") => Strength::Pattern,
        () if pattern.contains(" | ") => Strength::Pattern,
        () if matches!(pattern, "Some(_)") => Strength::NotNull,
        () if has_payload && bare.is_empty() => Strength::Shape,
        () if is_open && !inner.contains(['"', '\'']) => nested(bare),
        () if is_open => Strength::Pattern,
        () => Strength::Value,
    }
}

/// Whether the alternatives are all that there is.
fn lets_all_through(pattern: &str) -> bool {
    let has = |wanted: &str| pattern.split('|').any(|part| part.trim() == wanted);
    has("_") || has("Ok(_)") && has("Err(_)") || has("Some(_)") && has("None")
}

/// `Err(Error::Io(_))` says more than `Err(_)`.
fn nested(bare: &str) -> Strength {
    let says_more = bare.contains(|c: char| c.is_uppercase() || c.is_ascii_digit());
    if says_more { Strength::Pattern } else { Strength::Shape }
}

fn separates(c: char) -> bool {
    !(c.is_alphanumeric() || c == '_')
}

/// Words in patterns that bind nothing.
fn is_word(word: &str) -> bool {
    matches!(word, "" | "true" | "false" | "ref" | "mut" | "box" | "self" | "crate" | "super" | "std" | "io")
}
