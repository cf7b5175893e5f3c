//! Matchers of googletest: `assert_that!(x, eq(y))`.

use super::super::super::expression::{Link, whole_chain};
use super::super::super::predicate::{
    above, below, empty, equal, near, negate, not_null, pattern, shape, truth, with,
};
use super::predicates::matched;
use crate::facts::{Claim, Strength};

/// Matchers in matchers beyond this depth are taken as they are.
const MAX_DEPTH: u32 = 6;

pub fn claim(subject: &str, matcher: &str) -> Option<Claim> {
    of_matcher(subject, matcher, MAX_DEPTH)
}

fn of_matcher(subject: &str, matcher: &str, depth: u32) -> Option<Claim> {
    let depth = depth.checked_sub(1)?;
    let links = whole_chain(matcher)?;
    let link = links.iter().rev().find(|link| link.arguments.is_some())?;
    let first = link.argument(0).unwrap_or("");
    Some(match link.name {
        "not" => negate(of_matcher(subject, first, depth)?),
        "ok" | "err" | "some" | "points_to" | "displays_as" | "derefs_to" => {
            of_matcher(&format!("{subject}.{}()", link.name), first, depth)
                .unwrap_or_else(|| outer(subject, link))
        }
        "eq" | "eq_deref_of" | "container_eq" | "elements_are" | "unordered_elements_are" => {
            equal(subject, first)
        }
        "none" => with(Strength::Value, subject, "None"),
        "anything" => with(Strength::Tautology, subject, "anything"),
        "is_true" => truth(subject),
        "empty" | "is_empty" => empty(subject),
        "len" | "char_count" => equal(&format!("{subject}.len()"), first),
        "gt" | "ge" => above(subject, link.name == "ge", first),
        "lt" | "le" => below(subject, link.name == "le", first),
        "near" | "approx_eq" => near(subject, first, link.argument(1)),
        "matches_pattern" | "pat" => matched(subject, first),
        _ if link.name.contains("contain") || link.name.contains("_with") || link.name.contains("match") => {
            pattern(subject, first)
        }
        _ => return None,
    })
}

fn outer(subject: &str, link: &Link<'_>) -> Claim {
    match link.name {
        "ok" => shape(subject, "Ok"),
        "err" => shape(subject, "Err"),
        "some" => not_null(subject),
        name => pattern(subject, name),
    }
}
