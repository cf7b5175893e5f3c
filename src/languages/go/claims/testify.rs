//! testify's functions, with or without the test as first argument, and home-made ones that are called alike.

use super::super::super::expression::{Link, tidy};
use super::super::super::predicate::{
    above, below, different, empty, equal, failure, falsity, holds, is_nothing, near, negate, not_null,
    oriented, pattern, raises, ranged, same, shape, subject_of, unless_always, with,
};
use super::is_handle;
use super::predicates::{diff, is_error, no_error, of_error, predicate, some_error};
use crate::facts::{Claim, ClaimKind, Strength};

pub fn claim(links: &[Link<'_>]) -> Option<Claim> {
    let last = links.last()?;
    // `t.Error(...)` on the test itself is no check of an error.
    if links.len() == 2
        && is_handle(links[0].name)
        && links[0].arguments.is_none()
        && super::FAILURES.contains(&last.name)
    {
        return None;
    }
    let arguments = last.arguments.as_deref()?;
    let named = |name: &str| of_name(name, arguments);
    let plain =
        ["assert", "require", "Assert", "Require"].iter().find_map(|word| last.name.strip_prefix(word));
    named(last.name)
        .or_else(|| named(last.name.strip_suffix('f')?))
        .or_else(|| named(plain?))
        .or_else(|| called(links, plain?, arguments))
}

fn of_name(name: &str, arguments: &[&str]) -> Option<Claim> {
    let given = |needed: usize| {
        let first = arguments.first().is_some_and(|first| is_handle(first));
        let rest = if first && arguments.len() > needed { &arguments[1..] } else { arguments };
        (rest.len() >= needed).then_some(rest)
    };
    match name {
        "Fail" | "FailNow" => return Some(failure()),
        _ => {}
    }
    if let Some(rest) = given(1)
        && let Some(claim) = of_one(name, rest[0], rest)
    {
        return Some(claim);
    }
    let rest = given(2)?;
    of_two(name, rest[0], rest[1], rest.get(2).copied())
}

/// testify's mocks: `m.AssertExpectations(t)`, `m.AssertCalled(t, "Get", 1)`.
fn called(links: &[Link<'_>], name: &str, arguments: &[&str]) -> Option<Claim> {
    let owner = links.len().checked_sub(2).map(|at| links[at].name)?;
    let method = arguments.get(1).map_or("", |method| method.trim_matches('"'));
    let rest = arguments.get(2..).unwrap_or_default().join(", ");
    let negated = name == "NotCalled";
    let claim = match name {
        "Expectations" => with(Strength::Value, owner, "expectations"),
        "Called" | "NotCalled" | "NumberOfCalls" => {
            with(Strength::Value, &format!("{owner}.{method}"), &format!("({rest})"))
        }
        _ => return None,
    };
    Some(Claim { kind: ClaimKind::Called, negated, ..claim })
}

/// Checks of one value.
fn of_one(name: &str, subject: &str, rest: &[&str]) -> Option<Claim> {
    Some(match name {
        "True" if let Some(claim) = of_error(subject, true) => claim,
        "False" if let Some(claim) = of_error(subject, false) => claim,
        "True" | "Truef" | "Assert" | "Check" if rest.len() == 1 || is_text(rest[1]) || name == "True" => {
            holds(subject, predicate)
        }
        "False" => match holds(subject, predicate) {
            claim if claim.strength == Strength::Tautology => failure(),
            claim => negate(claim),
        },
        "Nil" | "IsNil" | "Nilf" if is_error(subject) => no_error(subject),
        "Nil" | "IsNil" => with(Strength::Value, subject, "nil"),
        "NotNil" if is_error(subject) => some_error(subject),
        "NotNil" => not_null(subject),
        "NoError" | "NoErr" | "Ok" | "NilError" => no_error(subject),
        "Error" | "NotOk" => some_error(subject),
        "Empty" => diff(subject).unwrap_or_else(|| empty(subject)),
        "NotEmpty" | "NotZero" => not_null(subject),
        "Zero" => with(Strength::Value, subject, "zero"),
        "Positive" => above(subject, false, "0"),
        "Negative" => below(subject, false, "0"),
        "Panics" => raises(subject, None),
        "NotPanics" => Claim { negated: true, ..raises(subject, None) },
        "FileExists" | "DirExists" => shape(subject, name),
        "NoFileExists" | "NoDirExists" => Claim { negated: true, ..shape(subject, &name[2..]) },
        "IsIncreasing" | "IsDecreasing" | "IsNonIncreasing" | "IsNonDecreasing" => pattern(subject, name),
        "Condition" | "Eventually" | "EventuallyWithT" | "Never" | "Consistently" => waited(name, subject),
        _ => return None,
    })
}

/// `Eventually(t, func() bool { return x == 1 }, time, tick)`.
fn waited(name: &str, closure: &str) -> Claim {
    let returned =
        closure.rsplit_once("return ").map(|(_, rest)| rest.trim_end_matches(['}', ' ', '\n', '\t']));
    let claim = match returned {
        Some(text) if !text.contains('\n') => holds(text, predicate),
        _ => with(Strength::Pattern, closure, name),
    };
    if name == "Never" { negate(claim) } else { claim }
}

fn is_text(text: &str) -> bool {
    text.starts_with(['"', '`']) || text.starts_with("fmt.")
}

/// Checks that hold one value against another.
fn of_two(name: &str, first: &str, second: &str, third: Option<&str>) -> Option<Claim> {
    // testify wants the expected value first.
    let (subject, expected) = oriented(second, first);
    Some(match name {
        "Equal" | "EqualValues" | "Equals" | "DeepEqual" | "Eq" | "EqualExportedValues" | "ErrorEqual" => {
            alike(subject, expected)
        }
        "Exactly" => with(Strength::Structure, subject, expected),
        "NotEqual" | "NotEqualValues" | "NotDeepEqual" => different(subject, expected),
        "Same" => same(subject, expected),
        "NotSame" => negate(same(subject, expected)),
        "ElementsMatch" | "JSONEq" | "YAMLEq" | "CmpDeeply" | "Cmp" => alike(subject, expected),
        "NotElementsMatch" => different(subject, expected),
        "Len" => equal(&format!("len({})", subject_of(first)), second),
        "Contains" | "Subset" => pattern(first, second),
        "NotContains" | "NotSubset" => Claim { negated: true, ..pattern(first, second) },
        "Regexp" => pattern(second, first),
        "NotRegexp" => Claim { negated: true, ..pattern(second, first) },
        "ErrorIs" => Claim { strength: Strength::Value, ..raises(first, Some(second)) },
        "NotErrorIs" | "NotErrorAs" => Claim { negated: true, ..raises(first, Some(second)) },
        "ErrorAs" | "ErrorType" => raises(first, Some(second)),
        "EqualError" => message(Strength::Value, first, second),
        "ErrorContains" => message(Strength::Pattern, first, second),
        "PanicsWithValue" | "PanicsWithError" => message(Strength::Value, second, first),
        "IsType" | "Implements" => shape(second, first),
        "IsNotType" | "NotImplements" => Claim { negated: true, ..shape(second, first) },
        "Greater" | "Less" => ordered(first, second, name == "Greater", false),
        "GreaterOrEqual" | "LessOrEqual" => {
            unless_always(ordered(first, second, name == "GreaterOrEqual", true), true)
        }
        "InDelta" | "InEpsilon" | "InDeltaSlice" | "InEpsilonSlice" | "InDeltaMapValues"
        | "WithinDuration" => near(subject, expected, third),
        "WithinRange" => ranged(first, second),
        "HTTPStatusCode" | "HTTPSuccess" | "HTTPError" | "HTTPRedirect" | "HTTPBodyContains" => {
            pattern(first, second)
        }
        "HTTPBodyNotContains" => Claim { negated: true, ..pattern(first, second) },
        _ => return None,
    })
}

/// Equality, where what is compared may be an error or a difference.
fn alike(subject: &str, expected: &str) -> Claim {
    match () {
        () if is_nothing(expected) && is_error(subject) => no_error(subject),
        () if matches!(expected, "\"\"" | "``") => diff(subject).unwrap_or_else(|| equal(subject, expected)),
        () if expected == "false" => falsity(subject),
        () if expected == "true" => holds(subject, predicate),
        () => equal(subject, expected),
    }
}

fn message(strength: Strength, subject: &str, text: &str) -> Claim {
    Claim { strength, pattern: Some(tidy(text)), ..raises(subject, None) }
}

/// `Greater(a, b)` claims that `a > b`, whichever of them is the plain one.
fn ordered(first: &str, second: &str, greater: bool, or_equal: bool) -> Claim {
    let (subject, expected) = oriented(first, second);
    let at_least = greater == (subject == first);
    if at_least { above(subject, or_equal, expected) } else { below(subject, or_equal, expected) }
}
