//! Assertion macros, and functions that are called like them.

use super::super::super::expression::{Link, is_literal, tidy};
use super::super::super::predicate::{
    above, below, different, empty, equal, falsity, near, negate, not_null, oriented, pattern, shape, with,
};
use super::matchers;
use super::predicates::{condition, matched};
use crate::facts::{Claim, ClaimKind, Strength};

/// The claim of the first link that is a known macro.
pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    links.iter().find_map(|link| of_macro(link.name, link.arguments.as_deref()?))
}

/// `debug_assert_eq` and `prop_assert_eq` are `assert_eq`.
fn plain_name(name: &str) -> &str {
    const PREFIXES: &[&str] = &["debug_", "prop_", "const_", "pretty_", "strict_", "expect_"];
    let name = PREFIXES.iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    name.strip_prefix("assert_").unwrap_or(name)
}

fn of_macro(name: &str, arguments: &[&str]) -> Option<Claim> {
    if !is_spoken(name) {
        return None;
    }
    if name.contains("snapshot") {
        return snapshot(arguments);
    }
    let first = *arguments.first()?;
    let second = arguments.get(1).copied().filter(|second| !second.is_empty());
    let name = plain_name(name);
    one_sided(name, first, second).or_else(|| two_sided(name, first, second?, arguments.get(2).copied()))
}

fn is_spoken(name: &str) -> bool {
    let prefixes = ["assert", "debug_assert", "prop_assert", "const_assert", "expect_", "let_assert"];
    prefixes.iter().any(|prefix| name.starts_with(prefix)) || matches!(name, "check" | "verify_that")
}

/// Macros about one value.
fn one_sided(name: &str, first: &str, second: Option<&str>) -> Option<Claim> {
    Some(match name {
        "assert" | "check" | "true" | "that" | "verify_that" if second.is_none_or(is_message) => {
            condition(first)
        }
        "false" => falsity(first),
        "let_assert" => {
            let (pattern, subject) = first.split_once('=')?;
            matched(subject, pattern)
        }
        "ok" | "ready_ok" => shape(first, "Ok"),
        "err" | "ready_err" => shape(first, "Err"),
        "some" => not_null(first),
        "none" => with(Strength::Value, first, "None"),
        "pending" | "ready" => shape(first, name),
        "empty" | "is_empty" => empty(first),
        "not_empty" => not_null(first),
        "impl_all" | "not_impl_any" | "impl_one" | "obj_safe" | "send" | "sync" | "send_sync" => {
            shape(first, name)
        }
        _ => return None,
    })
}

/// Macros that hold one value against another.
fn two_sided(name: &str, first: &str, second: &str, third: Option<&str>) -> Option<Claim> {
    let (subject, expected) = oriented(first, second);
    Some(match name {
        "assert" | "that" | "verify_that" => return matchers::claim(first, second),
        "eq" | "equal" | "equals" | "str_eq" | "eq_sorted" | "ready_eq" | "eq_unordered" | "set_eq"
        | "bag_eq" => answered(subject, expected).unwrap_or_else(|| equal(subject, expected)),
        "ok_eq" | "some_eq" | "err_eq" => equal(subject, expected),
        "ne" | "not_equal" | "str_ne" => different(subject, expected),
        "data_eq" => Claim { kind: ClaimKind::Snapshot, ..with(Strength::Value, first, second) },
        "matches" | "pat" if third.is_none_or(is_message) => matched(first, second),
        "not_matches" => negate(matched(first, second)),
        "lt" | "le" => below(first, name == "le", second),
        "gt" | "ge" => above(first, name == "ge", second),
        "contains" | "starts_with" | "ends_with" | "is_match" | "contains_key" => pattern(first, second),
        "not_contains" => Claim { negated: true, ..pattern(first, second) },
        "abs_diff_eq" | "relative_eq" | "ulps_eq" | "approx_eq" | "float_eq" | "float_absolute_eq"
        | "near" | "almost_eq" | "delta" => near(subject, expected, tolerance(third)),
        "len" | "length" => equal(&format!("{first}.len()"), second),
        // A comparison of the project's own.
        _ if name.ends_with("_eq") && third.is_none_or(is_message) => equal(subject, expected),
        _ if name.ends_with("_ne") && third.is_none_or(is_message) => different(subject, expected),
        _ => return None,
    })
}

/// `assert_eq!(a.contains(b), true)` claims what `assert!(a.contains(b))` claims.
fn answered(subject: &str, expected: &str) -> Option<Claim> {
    match expected {
        _ if is_literal(subject) => None,
        "true" => Some(condition(subject)),
        "false" => Some(negate(condition(subject))),
        _ => None,
    }
}

/// `epsilon = 1e-3`, or the number alone.
fn tolerance(text: Option<&str>) -> Option<&str> {
    text.map(|text| text.rsplit('=').next().unwrap_or(text).trim())
}

/// Whether an argument is what to print, not what to compare.
fn is_message(text: &str) -> bool {
    text.starts_with('"') || text.starts_with("r\"") || text.starts_with("r#")
}

/// insta: `assert_snapshot!(value, @"inline")`, `assert_snapshot!("name", value)`, `assert_snapshot!(value)`.
fn snapshot(arguments: &[&str]) -> Option<Claim> {
    let inline = arguments.iter().find_map(|argument| argument.strip_prefix('@'));
    let values: Vec<&str> = arguments.iter().copied().filter(|text| !text.starts_with('@')).collect();
    let subject = match values.as_slice() {
        [name, value, ..] if is_message(name) => value,
        [value, ..] => value,
        [] => return None,
    };
    let claim = with(Strength::Value, subject, "");
    Some(Claim { kind: ClaimKind::Snapshot, expected: inline.map(tidy), ..claim })
}
