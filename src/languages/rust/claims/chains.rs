//! Checks that are chains of calls: assert_cmd, snapbox, expect_test, fluent assertions.

use super::super::super::expression::{Link, before, chain, is_string, tidy};
use super::super::super::predicate::{
    above, below, different, empty, equal, falsity, not_null, pattern, same, shape, subject_of, truth, with,
};
use crate::facts::{Claim, ClaimKind, Strength};

pub fn claim(text: &str, links: &[Link<'_>]) -> Option<Claim> {
    let at = links.iter().position(|link| link.name == "assert" || link.name.starts_with("assert_"))?;
    let link = &links[at];
    match (link.name, link.arguments.as_deref()?) {
        ("assert", []) => Some(command(before(text, link), &links[at + 1..])),
        ("assert_that", [subject, ..]) if links.len() > at + 1 => fluent(subject, &links[at + 1..]),
        ("assert_eq" | "assert_debug_eq", [subject]) => expect_test(text, links, link, subject),
        _ => None,
    }
}

/// `cmd.assert().success().stdout("x")`: the strongest of what is asked of the output, and what is asked of each stream.
fn command(subject: &str, asked: &[Link<'_>]) -> Claim {
    let claims = asked.iter().filter_map(|link| of_output(subject, link));
    let streams =
        asked.iter().filter(|link| link.name.starts_with("stdout") || link.name.starts_with("stderr"));
    let of_stream = |link: &Link<'_>| {
        let stream = if link.name.starts_with("stdout") { "stdout" } else { "stderr" };
        of_output(&format!("{subject}.{stream}"), link)
    };
    let streams: Vec<Claim> = streams.filter_map(of_stream).collect();
    let parts = if streams.len() > 1 { streams } else { Vec::new() };
    let strongest = claims.max_by_key(|claim| claim.strength).map(|claim| Claim { parts, ..claim });
    // A mock of a server is asked whether it was called.
    let called = || Claim { kind: ClaimKind::Called, ..with(Strength::Value, subject, "called") };
    strongest.unwrap_or_else(called)
}

fn of_output(subject: &str, link: &Link<'_>) -> Option<Claim> {
    let argument = link.argument(0);
    let claim = match (link.name, argument) {
        ("success" | "failure" | "interrupted", _) => shape(subject, link.name),
        ("code" | "status", Some(code)) => shape(subject, code),
        ("stdout" | "stderr", Some(output)) => {
            let strength = output_strength(output);
            with(strength, subject, output)
        }
        (
            "stdout_eq" | "stderr_eq" | "stdout_eq_" | "stderr_eq_" | "stdout_matches" | "stderr_matches",
            Some(output),
        ) => Claim { kind: ClaimKind::Snapshot, ..with(Strength::Value, subject, output) },
        _ => return None,
    };
    Some(claim)
}

/// A text must be the whole output; a predicate says by its name how much it asks.
fn output_strength(output: &str) -> Strength {
    let links = chain(output);
    let last = links.iter().map(|link| link.name).find(|name| {
        matches!(
            *name,
            "contains" | "is_match" | "starts_with" | "ends_with" | "and" | "or" | "function" | "not"
        )
    });
    if is_string(output) || last.is_none() { Strength::Value } else { Strength::Pattern }
}

/// `expect![["1"]].assert_eq(&x)`.
fn expect_test(text: &str, links: &[Link<'_>], link: &Link<'_>, subject: &str) -> Option<Claim> {
    let head = links.first().filter(|head| head.name.starts_with("expect"))?;
    let expected = match head.arguments.as_deref() {
        Some(inner) => tidy(inner.join(", ").trim_start_matches('[').trim_end_matches(']')),
        None => tidy(before(text, link)),
    };
    let claim = with(Strength::Value, subject, "");
    Some(Claim { kind: ClaimKind::Snapshot, expected: Some(expected), ..claim })
}

/// spectral, speculoos, assertor, asserting: the strongest link of `assert_that(x).is_some().is_equal_to(y)`.
fn fluent(subject: &str, links: &[Link<'_>]) -> Option<Claim> {
    links.iter().filter_map(|link| of_link(subject, link)).max_by_key(|claim| claim.strength)
}

fn of_link(subject: &str, link: &Link<'_>) -> Option<Claim> {
    let argument = link.argument(0).unwrap_or("");
    Some(match link.name {
        "is_equal_to"
        | "is_eq"
        | "eq"
        | "contains_exactly"
        | "contains_all_of"
        | "contains_exactly_in_order" => equal(subject, argument),
        "is_not_equal_to" | "is_ne" => different(subject, argument),
        "is_same_instance_as" => same(subject, argument),
        "is_true" => truth(subject),
        "is_false" => falsity(subject),
        "is_some" | "is_not_empty" => not_null(subject),
        "is_none" => with(Strength::Value, subject, "None"),
        "is_ok" | "is_err" => shape(subject, link.name.trim_start_matches("is_")),
        "is_empty" => empty(subject),
        "has_length" | "has_size" => equal(&format!("{}.len()", subject_of(subject)), argument),
        "is_greater_than" | "is_at_least" | "is_greater_than_or_equal_to" => {
            above(subject, link.name != "is_greater_than", argument)
        }
        "is_less_than" | "is_at_most" | "is_less_than_or_equal_to" => {
            below(subject, link.name != "is_less_than", argument)
        }
        "contains" | "starts_with" | "ends_with" | "matches" | "contains_key" => pattern(subject, argument),
        "does_not_contain" => Claim { negated: true, ..pattern(subject, argument) },
        _ => return None,
    })
}
