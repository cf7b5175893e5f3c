//! Claims by what they say: equal, near, empty, of a type; and their opposites.

use super::super::expression::{bare, is_literal, is_string, number};
use super::written;
use crate::facts::{Claim, ClaimKind, Limit, Room, Strength};

const NOTHING: &[&str] = &["nil", "null", "None"];

/// What an empty text, list or map is held against.
const EMPTY: &str = "empty";

pub fn is_nothing(text: &str) -> bool {
    NOTHING.contains(&bare(text))
}

/// The subject as written, without what only takes or follows an address.
pub fn subject_of(text: &str) -> String {
    let text = bare(text).trim_start_matches(['&', '*']);
    written(text.strip_prefix("mut ").unwrap_or(text))
}

/// A claim of this strength about a subject, held against nothing.
pub fn without(strength: Strength, subject: &str) -> Claim {
    Claim {
        kind: ClaimKind::Value,
        strength,
        subject: subject_of(subject),
        expected: None,
        pattern: None,
        negated: false,
        limit: None,
        room: None,
        parts: Vec::new(),
    }
}

/// A claim of this strength about a subject, held against something.
pub fn with(strength: Strength, subject: &str, expected: &str) -> Claim {
    Claim { expected: Some(written(expected)), ..without(strength, subject) }
}

pub fn tautology(subject: &str) -> Claim {
    without(Strength::Tautology, subject)
}

/// Fails wherever it is reached.
pub fn failure() -> Claim {
    Claim { kind: ClaimKind::Failure, ..without(Strength::Value, "") }
}

pub fn truth(subject: &str) -> Claim {
    with(Strength::Truthy, subject, "true")
}

pub fn falsity(subject: &str) -> Claim {
    Claim { negated: true, ..with(Strength::Value, subject, "false") }
}

pub fn not_null(subject: &str) -> Claim {
    without(Strength::NotNull, subject)
}

pub fn empty(subject: &str) -> Claim {
    with(Strength::Value, subject, EMPTY)
}

pub fn pattern(subject: &str, expected: &str) -> Claim {
    with(Strength::Pattern, subject, expected)
}

pub fn shape(subject: &str, expected: &str) -> Claim {
    with(Strength::Shape, subject, expected)
}

/// The same object.
pub fn same(subject: &str, expected: &str) -> Claim {
    with(Strength::Structure, subject, expected)
}

/// A call fails with one of these types of error.
pub fn raises(subject: &str, expected: Option<&str>) -> Claim {
    let expected = expected.filter(|types| !types.is_empty()).map(written);
    Claim { kind: ClaimKind::Raises, expected, ..without(Strength::Shape, subject) }
}

pub fn bound(subject: &str, room: Room, expected: &str) -> Claim {
    let limit = number(expected).and_then(|number| room.limit(number));
    Claim { limit, room: Some(room), ..with(Strength::Bound, subject, expected) }
}

pub fn above(subject: &str, or_equal: bool, expected: &str) -> Claim {
    bound(subject, Room::Above { or_equal }, expected)
}

pub fn below(subject: &str, or_equal: bool, expected: &str) -> Claim {
    bound(subject, Room::Below { or_equal }, expected)
}

/// Between two ends, which are all that is known.
pub fn ranged(subject: &str, ends: &str) -> Claim {
    with(Strength::Bound, subject, ends)
}

/// Equal within a tolerance; one of zero is none.
pub fn near(subject: &str, expected: &str, tolerance: Option<&str>) -> Claim {
    let room = tolerance.map(|tolerance| Room::Within(written(tolerance)));
    let tolerance = tolerance.and_then(number);
    let strength = if tolerance == Some(0.0) { Strength::Value } else { Strength::Approximate };
    Claim { limit: tolerance.map(Limit::Tolerance), room, ..with(strength, subject, expected) }
}

pub fn equal(subject: &str, expected: &str) -> Claim {
    match (bare(subject), bare(expected)) {
        (one, other) if is_literal(one) && is_literal(other) => tautology(one),
        (one, other) if one == other && !one.contains('(') => tautology(one),
        (one, "true") => truth(one),
        (one, "false") => falsity(one),
        (one, other) => with(Strength::Value, one, other),
    }
}

pub fn different(subject: &str, expected: &str) -> Claim {
    negate(equal(subject, expected))
}

/// The opposite claim.
pub fn negate(claim: Claim) -> Claim {
    // That not all of them hold says nothing about any one.
    let claim = Claim { parts: Vec::new(), ..claim };
    let expected = claim.expected.as_deref().unwrap_or("");
    match claim.strength {
        Strength::Tautology => claim,
        Strength::Truthy => {
            Claim { strength: Strength::Value, negated: true, expected: Some("false".into()), ..claim }
        }
        Strength::Value if expected == "false" && claim.negated => {
            Claim { strength: Strength::Truthy, negated: false, expected: Some("true".into()), ..claim }
        }
        Strength::Value if is_nothing(expected) || matches!(expected, EMPTY | "\"\"" | "``") => {
            Claim { strength: Strength::NotNull, expected: None, ..claim }
        }
        // Only `is_some` and its like come here; `!= null` is read as a comparison.
        Strength::NotNull => Claim { strength: Strength::Value, expected: Some("None".into()), ..claim },
        Strength::Bound if claim.negated => Claim { strength: Strength::Value, negated: false, ..claim },
        Strength::Bound => negate_bound(claim),
        Strength::Value | Strength::Structure | Strength::Approximate => {
            Claim { strength: Strength::Bound, negated: true, limit: None, room: None, ..claim }
        }
        Strength::Pattern | Strength::Shape => Claim { negated: !claim.negated, ..claim },
    }
}

/// What is not above is below.
fn negate_bound(claim: Claim) -> Claim {
    let claim = Claim { room: claim.room.map(Room::opposite), ..claim };
    match (claim.limit, &claim.room) {
        (Some(Limit::AtLeast(limit)), _) => Claim { limit: Some(Limit::AtMost(limit)), ..claim },
        (Some(Limit::AtMost(limit)), _) => Claim { limit: Some(Limit::AtLeast(limit)), ..claim },
        (_, Some(Room::Above { .. } | Room::Below { .. })) => claim,
        _ => Claim { negated: true, ..claim },
    }
}

/// Subject and expectation of two sides that are compared. The second is the expectation, unless the first looks
/// more like one: people write them in either order, whatever the framework says.
pub fn oriented<'a>(one: &'a str, other: &'a str) -> (&'a str, &'a str) {
    if plainness(one) > plainness(other) { (other, one) } else { (one, other) }
}

/// How much an expression looks like an expectation.
fn plainness(text: &str) -> u8 {
    const LISTS: &[&str] = &[
        "vec![",
        "[",
        "map[",
        "Some(",
        "Ok(",
        "Err(",
        "List.of(",
        "Set.of(",
        "Map.of(",
        "ImmutableList.of(",
        "ImmutableSet.of(",
        "ImmutableMap.of(",
        "Arrays.asList(",
        "new ",
        "String::from(",
        "json!(",
    ];
    let text = bare(text).trim_start_matches(['&', '*']);
    if is_literal(text) {
        return 3;
    }
    let head = text.split(['(', '[', '{', ' ']).next().unwrap_or("");
    let says_so = |word: &str| {
        let word = word.trim_start_matches('_').to_ascii_lowercase();
        ["want", "expect", "golden"].iter().any(|prefix| word.starts_with(prefix))
    };
    if head.split(['.', ':']).any(says_so)
        || text.starts_with('"')
        || LISTS.iter().any(|list| text.starts_with(list))
    {
        return 2;
    }
    let last = head.rsplit(['.', ':']).next().unwrap_or("");
    let is_constant = head.len() == text.len() && last.starts_with(|c: char| c.is_ascii_uppercase());
    u8::from(is_constant || is_string(text))
}
