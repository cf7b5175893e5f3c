//! Bounds and tolerances that leave more room than before: `x > limit` became `x >= limit`, `took < 2 * base` became
//! `took < 5 * base`, `abs(a - b) < eps` became `abs(a - b) < 10 * eps`.

use std::cmp::Ordering;

use super::alike::{key, sides, split};
use super::quantity::Quantity;
use crate::facts::{Claim, Room, Strength};

/// Whether a claim leaves more room than the one it continues, or less; nothing where that cannot be told.
pub fn compare(old: &Claim, new: &Claim) -> Option<Ordering> {
    if !old.parts.is_empty() && old.parts.len() == new.parts.len() && old.strength == Strength::Bound {
        return together(&old.parts, &new.parts);
    }
    if let (Some(Room::Within(was)), Some(Room::Within(is))) = (&old.room, &new.room) {
        let same = sides(old) == sides(new) && old.negated == new.negated;
        return same.then(|| amounts(&Quantity::of(was)?, &Quantity::of(is)?)).flatten();
    }
    let (was, is) = (Order::of(old)?, Order::of(new)?);
    let (same_low, same_high) = (key(was.low) == key(is.low), key(was.high) == key(is.high));
    match (same_low, same_high) {
        (true, true) => Some(is.or_equal.cmp(&was.or_equal)),
        (false, false) => None,
        _ => was.room()?.compare(&is.room()?, was.or_equal, is.or_equal),
    }
}

/// Whether of the same two things now the other one must be below: `x > limit` became `x < limit`.
pub fn is_turned(old: &Claim, new: &Claim) -> bool {
    let (Some(was), Some(is)) = (Order::of(old), Order::of(new)) else { return false };
    let same = |one: &str, other: &str| key(one) == key(other);
    old.negated == new.negated && !same(was.low, was.high) && same(was.low, is.high) && same(was.high, is.low)
}

/// The same for several bounds of one thing: `0 <= x <= 10`.
fn together(old: &[Claim], new: &[Claim]) -> Option<Ordering> {
    let mut told = Ordering::Equal;
    for (was, is) in old.iter().zip(new) {
        let one = if was == is { Ordering::Equal } else { compare(was, is)? };
        told = match (told, one) {
            (Ordering::Equal, one) => one,
            (told, Ordering::Equal) => told,
            (told, one) if told == one => told,
            _ => return None,
        };
    }
    Some(told)
}

/// Whether a bound is made of the same names, one of which stands for a larger number now, or for a smaller one where it is a
/// bound from below.
pub fn follows_constant(
    claim: &Claim,
    was: impl Fn(&str) -> Option<f64>,
    is: impl Fn(&str) -> Option<f64>,
) -> bool {
    let is_bound = matches!(claim.room, Some(Room::Above { .. } | Room::Below { .. }));
    let Some(expected) = claim.expected.as_deref().filter(|_| is_bound) else { return false };
    // With nothing but sums and products of what is positive, the whole grows with each part.
    let grows =
        expected.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | ' ' | '(' | ')' | '+' | '*'));
    let is_wider = |was: f64, is: f64| match claim.room {
        Some(Room::Below { .. }) => was > 0.0 && is > was,
        Some(Room::Above { .. }) => is > 0.0 && is < was,
        _ => false,
    };
    let mut names = split(expected).filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    grows && names.any(|name| was(name).zip(is(name)).is_some_and(|(was, is)| is_wider(was, is)))
}

/// Of two things one must be below the other.
struct Order<'a> {
    low: &'a str,
    high: &'a str,
    or_equal: bool,
}

impl<'a> Order<'a> {
    fn of(claim: &'a Claim) -> Option<Self> {
        let (subject, expected) = (claim.subject.as_str(), claim.expected.as_deref()?);
        Some(match claim.room.as_ref()? {
            Room::Above { or_equal } => Self { low: expected, high: subject, or_equal: *or_equal },
            Room::Below { or_equal } => Self { low: subject, high: expected, or_equal: *or_equal },
            Room::Within(_) | Room::Members => return None,
        })
    }

    /// How far the two must be apart.
    fn room(&self) -> Option<Quantity> {
        // What is looked at may be any expression, and is the same on both sides.
        let of = |text: &str| Quantity::of(text).or_else(|| Some(Quantity::opaque(&key(text))));
        Some(of(self.high)?.plus(&of(self.low)?, -1.0))
    }
}

impl Quantity {
    fn compare(&self, new: &Self, was_equal: bool, is_equal: bool) -> Option<Ordering> {
        let told = amounts(self, new)?;
        let step = new.plus(self, -1.0).number().map(f64::abs);
        // `x >= 6` and `x > 5` say the same of whole numbers.
        let is_next = step == Some(1.0);
        match told {
            Ordering::Equal => Some(is_equal.cmp(&was_equal)),
            Ordering::Greater if is_next && was_equal && !is_equal => Some(Ordering::Equal),
            Ordering::Less if is_next && !was_equal && is_equal => Some(Ordering::Equal),
            other => Some(other),
        }
    }
}

fn amounts(was: &Quantity, is: &Quantity) -> Option<Ordering> {
    let (more, less) = (is.plus(was, -1.0), was.plus(is, -1.0));
    match () {
        () if more.is_more() => Some(Ordering::Greater),
        () if less.is_more() => Some(Ordering::Less),
        () if more.number() == Some(0.0) => Some(Ordering::Equal),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::ClaimKind;

    fn claim(subject: &str, room: Room, expected: &str) -> Claim {
        Claim {
            kind: ClaimKind::Value,
            strength: Strength::Bound,
            expected: Some(expected.to_owned()),
            room: Some(room),
            ..Claim::helper(subject)
        }
    }

    fn above(subject: &str, expected: &str) -> Claim {
        claim(subject, Room::Above { or_equal: false }, expected)
    }

    fn at_least(subject: &str, expected: &str) -> Claim {
        claim(subject, Room::Above { or_equal: true }, expected)
    }

    fn below(subject: &str, expected: &str) -> Claim {
        claim(subject, Room::Below { or_equal: false }, expected)
    }

    #[test]
    fn a_bound_that_moves_outwards_leaves_more_room() {
        for (old, new) in [
            (above("x", "floor"), at_least("x", "floor")),
            (above("x", "floor"), below("floor - 1", "x")),
            (below("f(x)['a']", "2 * base"), below("f(x)['a']", "5 * base")),
            (above("took", "WAIT"), above("took", "-1")),
            (at_least("x", "10"), above("x", "5")),
        ] {
            assert_eq!(compare(&old, &new), Some(Ordering::Greater), "{old:?} -> {new:?}");
            assert_eq!(compare(&new, &old), Some(Ordering::Less), "{new:?} -> {old:?}");
        }
    }

    #[test]
    fn the_same_bound_of_whole_numbers_leaves_as_much() {
        assert_eq!(compare(&at_least("x", "6"), &above("x", "5")), Some(Ordering::Equal));
        assert_eq!(compare(&above("x", "5"), &at_least("x", "6")), Some(Ordering::Equal));
    }

    #[test]
    fn other_subjects_are_not_compared() {
        assert_eq!(compare(&above("x", "5"), &above("y", "3")), None);
        assert_eq!(compare(&above("x", "a"), &above("x", "b")), None);
        assert_eq!(compare(&above("x", "5"), &below("x", "5")), None);
    }

    #[test]
    fn a_tolerance_may_be_an_expression() {
        let within = |room: &str| claim("a", Room::Within(room.to_owned()), "b");
        assert_eq!(compare(&within("eps"), &within("10 * eps")), Some(Ordering::Greater));
        assert_eq!(compare(&within("time.Second"), &within("time.Millisecond")), Some(Ordering::Less));
        assert_eq!(compare(&within("eps"), &within("0.1")), None);
    }
}
