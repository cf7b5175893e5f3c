//! The claims that checks make, in whatever language: equality, bounds, errors, calls, and their opposites.
//!
//! Readers of a language find out which check it is and what its arguments are; what that is worth is decided here.

use super::expression::{enclosed, is_literal, is_string, number, split};
use crate::facts::{Claim, ClaimKind, Limit, Room, Strength};

/// Words for nothing.
const NOTHING: &[&str] = &["None", "null", "undefined", "nil"];

pub fn claim(strength: Strength, subject: &str) -> Claim {
    Claim { kind: ClaimKind::Value, strength, ..Claim::helper(subject) }
}

/// The subject has the property, whatever it is held against: contains, starts with, is of a type.
pub fn holds(strength: Strength, subject: &str, expected: &str) -> Claim {
    Claim { expected: Some(expected.to_owned()), ..claim(strength, subject) }
}

/// Two sides that are equal; the one that looks like an expectation is taken for it.
pub fn equal(left: &str, right: &str, strength: Strength) -> Claim {
    if left == right && !left.contains('(') {
        return claim(Strength::Tautology, left);
    }
    if is_literal(left) && is_literal(right) {
        return failure("");
    }
    let swapped = looks_expected(left) > looks_expected(right);
    let (subject, expected) = if swapped { (right, left) } else { (left, right) };
    holds(strength, subject, expected)
}

/// How much an expression looks like something that was written down beforehand.
fn looks_expected(text: &str) -> u8 {
    let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.' || c == '$');
    let lower = || text.to_ascii_lowercase();
    match text {
        _ if is_literal(text) => 3,
        _ if text.starts_with(['[', '{']) || is_string(text) => 2,
        // A text that is put together over several lines.
        _ if text.starts_with('"') && text.ends_with('"') => 2,
        _ if is_name && ["expect", "want", "golden"].iter().any(|word| lower().contains(word)) => 2,
        _ if is_name && text.contains(char::is_uppercase) && !text.contains(char::is_lowercase) => 1,
        _ => 0,
    }
}

/// Equal to true, false or nothing.
pub fn fixed(subject: &str, value: &str) -> Claim {
    equal(subject, value, Strength::Value)
}

/// Anything but nothing.
pub fn present(subject: &str, nothing: &str) -> Claim {
    Claim { negated: true, ..holds(Strength::NotNull, subject, nothing) }
}

/// Counts as true; what is written down as true always does.
pub fn truthy(subject: &str) -> Claim {
    match truth(subject) {
        Some(true) => claim(Strength::Tautology, subject),
        Some(false) => failure(""),
        None => claim(Strength::Truthy, subject),
    }
}

/// Counts as false, `value` being how the language spells that.
pub fn falsy(subject: &str, value: &str) -> Claim {
    match truth(subject) {
        Some(true) => failure(""),
        Some(false) => claim(Strength::Tautology, subject),
        None => holds(Strength::Value, subject, value),
    }
}

/// Whether a literal counts as true; an object or list with something in it does in most languages.
fn truth(text: &str) -> Option<bool> {
    match text {
        "True" | "true" => Some(true),
        "False" | "false" => Some(false),
        _ if NOTHING.contains(&text) => Some(false),
        _ if is_string(text) => Some(text.len() > 2),
        _ => number(text).map(|number| number != 0.0),
    }
}

/// The strongest claim of a chain, with all of them that say as much of the same thing: each of them must hold.
pub fn with_equals(best: Claim, all: Vec<Claim>) -> Claim {
    let as_much = |claim: &Claim| {
        claim.kind == ClaimKind::Value
            && claim.strength == best.strength
            && claim.subject == best.subject
            && claim.expected.is_some()
    };
    let parts: Vec<Claim> = all.into_iter().filter(as_much).collect();
    if parts.len() > 1 && best.strength >= Strength::Pattern { Claim { parts, ..best } } else { best }
}

/// Within a distance.
pub fn close(subject: &str, expected: &str, limit: Option<Limit>) -> Claim {
    let claim = equal(subject, expected, Strength::Approximate);
    if claim.strength == Strength::Approximate { Claim { limit, ..claim } } else { claim }
}

/// Within a distance that may be written as an expression.
pub fn within(subject: &str, expected: &str, distance: Option<&str>) -> Claim {
    let limit = distance.and_then(number).map(Limit::Tolerance);
    let claim = close(subject, expected, limit);
    let room = distance.filter(|_| claim.strength == Strength::Approximate);
    Claim { room: room.map(|distance| Room::Within(distance.to_owned())), ..claim }
}

/// Which side of a bound the subject is on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    Above,
    Below,
}

impl Side {
    pub fn other(self) -> Self {
        if self == Self::Above { Self::Below } else { Self::Above }
    }

    fn room(self, or_equal: bool) -> Room {
        if self == Self::Above { Room::Above { or_equal } } else { Room::Below { or_equal } }
    }
}

/// Above or below; `or_equal` where the bound itself is let through.
pub fn bound(left: &str, side: Side, or_equal: bool, right: &str) -> Claim {
    let swapped = is_literal(left) && !is_literal(right);
    let (subject, side, expected) = if swapped { (right, side.other(), left) } else { (left, side, right) };
    let limit = number(expected);
    let always = side == Side::Above && or_equal && limit == Some(0.0) && is_length(subject);
    let strength = if always { Strength::Tautology } else { Strength::Bound };
    let room = side.room(or_equal);
    Claim {
        limit: limit.and_then(|number| room.limit(number)),
        room: Some(room),
        ..holds(strength, subject, expected)
    }
}

/// What is never below zero.
fn is_length(subject: &str) -> bool {
    let wraps = subject.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')'));
    wraps.is_some_and(|inside| !inside.contains(')') || inside.ends_with(')')) || subject.ends_with(".length")
}

/// A call fails, with an error of these types and a message that matches.
pub fn raises(subject: &str, types: Option<&str>, pattern: Option<&str>) -> Claim {
    let strength = if pattern.is_some() { Strength::Pattern } else { Strength::Shape };
    Claim {
        kind: ClaimKind::Raises,
        expected: types.map(str::to_owned),
        pattern: pattern.map(str::to_owned),
        ..claim(strength, subject)
    }
}

/// A double was called: how is in `expected`.
pub fn called(subject: &str, strength: Strength, expected: Option<&str>) -> Claim {
    Claim { kind: ClaimKind::Called, expected: expected.map(str::to_owned), ..claim(strength, subject) }
}

pub fn snapshot(subject: &str, expected: Option<&str>) -> Claim {
    Claim {
        kind: ClaimKind::Snapshot,
        expected: expected.map(str::to_owned),
        ..claim(Strength::Value, subject)
    }
}

/// Fails whenever it is reached.
pub fn failure(subject: &str) -> Claim {
    Claim { kind: ClaimKind::Failure, ..claim(Strength::Value, subject) }
}

/// One step down the lattice: an alternative lets more through.
pub fn weaker(strength: Strength) -> Strength {
    use Strength::*;
    match strength {
        Structure => Value,
        Value => Approximate,
        Approximate => Pattern,
        Pattern => Shape,
        Shape => Bound,
        Bound => NotNull,
        // Only what always holds is a tautology.
        NotNull | Truthy => Truthy,
        Tautology => Tautology,
    }
}

/// The opposite of a claim; `untrue` is how the language spells false.
pub fn negate(claim: Claim, untrue: &str) -> Claim {
    // That not all of them hold says nothing about any one.
    let claim = Claim { parts: Vec::new(), ..claim };
    match (claim.kind, claim.strength) {
        (ClaimKind::Failure, _) => Claim { kind: ClaimKind::Value, strength: Strength::Tautology, ..claim },
        (ClaimKind::Value, Strength::Tautology) => failure(""),
        (ClaimKind::Value, Strength::Truthy) => falsy(&claim.subject, untrue),
        (ClaimKind::Value, _) if claim.limit.is_some() && claim.strength == Strength::Bound => flip(claim),
        (ClaimKind::Value, Strength::Bound) if claim.room.is_some() => {
            Claim { room: claim.room.map(Room::opposite), ..claim }
        }
        (ClaimKind::Value, Strength::NotNull | Strength::Bound) if claim.negated => {
            Claim { negated: false, strength: Strength::Value, ..claim }
        }
        (ClaimKind::Value, Strength::Value | Strength::Structure | Strength::Approximate)
            if !claim.negated =>
        {
            differ(claim)
        }
        _ => Claim { negated: !claim.negated, ..claim },
    }
}

fn flip(claim: Claim) -> Claim {
    let limit = claim.limit.map(|limit| match limit {
        Limit::AtLeast(number) => Limit::AtMost(number),
        Limit::AtMost(number) => Limit::AtLeast(number),
        other => other,
    });
    Claim { limit, room: claim.room.map(Room::opposite), ..claim }
}

/// That something is not this one value says little.
fn differ(claim: Claim) -> Claim {
    if claim.expected.as_deref().is_some_and(|expected| matches!(expected, "False" | "false")) {
        return truthy(&claim.subject);
    }
    let is_nothing = claim.expected.as_deref().is_some_and(|expected| NOTHING.contains(&expected));
    let strength = if is_nothing { Strength::NotNull } else { Strength::Bound };
    Claim { strength, negated: true, limit: None, room: None, ..claim }
}

/// Whether the text is a written-down list, tuple or set with something in it: the alternatives that are let through.
pub fn is_collection(text: &str) -> bool {
    enclosed(text).is_some_and(|inside| {
        let spread = |part: &&str| part.starts_with(['*', '.']) || part.contains(" for ");
        !inside.is_empty() && !split(inside).iter().any(spread)
    })
}
