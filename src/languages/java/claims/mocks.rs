//! Mockito: `verify(mock, times(2)).call(args)`, `then(mock).should().call(args)`.

use super::super::super::expression::{Link, chain, number, tidy};
use super::super::super::predicate::{subject_of, with};
use crate::facts::{Claim, ClaimKind, Limit, Strength};

pub fn claim(text: &str, links: &[Link<'_>]) -> Option<Claim> {
    let at = links.iter().position(|link| link.name.starts_with("verify") && link.arguments.is_some());
    match at {
        Some(at) => verified(links, at),
        None => should(text, links),
    }
}

fn verified(links: &[Link<'_>], at: usize) -> Option<Claim> {
    let link = &links[at];
    let arguments = link.arguments.as_deref()?;
    match (link.name, arguments) {
        ("verify", [mock, mode @ ..]) if links.len() > at + 1 => {
            Some(called(mock, mode.first().copied(), &links[at + 1]))
        }
        (
            "verifyNoMoreInteractions"
            | "verifyNoInteractions"
            | "verifyZeroInteractions"
            | "verifyUnnecessaryStubs",
            _,
        ) => {
            let claim = with(Strength::Value, &arguments.join(", "), link.name);
            Some(Claim { kind: ClaimKind::Called, negated: true, ..claim })
        }
        // JMockit's and EasyMock's `verify(mock)` checks what was recorded.
        ("verify" | "verifyAll", mocks) => {
            Some(Claim { kind: ClaimKind::Called, ..with(Strength::Value, &mocks.join(", "), "recorded") })
        }
        _ => None,
    }
}

/// BDDMockito's `then(mock).should(times(2)).call(args)`.
fn should(text: &str, links: &[Link<'_>]) -> Option<Claim> {
    let at = links.iter().position(|link| link.name.starts_with("should") && link.arguments.is_some())?;
    let mock = links[..at].iter().find(|link| link.name == "then")?.argument(0)?;
    match links.get(at + 1) {
        Some(call) => Some(called(mock, links[at].argument(0), call)),
        None => Some(Claim { kind: ClaimKind::Called, negated: true, ..with(Strength::Value, mock, text) }),
    }
}

fn called(mock: &str, mode: Option<&str>, call: &Link<'_>) -> Claim {
    let arguments = call.arguments.as_deref().unwrap_or_default();
    let (mut strength, limit, negated) = how_often(mode);
    let is_any = |argument: &&str| argument.starts_with("any") || argument.contains(".any");
    if !arguments.is_empty() && arguments.iter().all(is_any) {
        strength = strength.min(Strength::Shape);
    }
    let often = mode.map_or(String::new(), |mode| format!(" {}", tidy(mode)));
    Claim {
        kind: ClaimKind::Called,
        strength,
        subject: format!("{}.{}", subject_of(mock), call.name),
        expected: Some(format!("({}){often}", tidy(&arguments.join(", ")))),
        pattern: None,
        negated,
        limit,
        room: None,
        parts: Vec::new(),
    }
}

fn how_often(mode: Option<&str>) -> (Strength, Option<Limit>, bool) {
    let links = chain(mode.unwrap_or(""));
    let Some(last) = links.iter().find(|link| link.arguments.is_some()) else {
        return (Strength::Value, None, false);
    };
    let count = last.argument(0).and_then(number);
    match last.name {
        "never" => (Strength::Value, None, true),
        "atLeastOnce" => (Strength::Bound, Some(Limit::AtLeast(1.0)), false),
        "atLeast" => (Strength::Bound, count.map(Limit::AtLeast), false),
        "atMost" => (Strength::Bound, count.map(Limit::AtMost), false),
        "atMostOnce" => (Strength::Bound, Some(Limit::AtMost(1.0)), false),
        _ => (Strength::Value, None, false),
    }
}
