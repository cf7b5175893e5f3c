//! What a condition claims, in languages whose conditions are plainly true or false: Go, Rust and Java.
//!
//! Comparisons, `!`, `&&` and `||` read the same in all three; a [`Dialect`] adds the calls that answer yes or no.

mod claims;
#[cfg(test)]
mod tests;

use super::expression::{Operator, bare, comparison, is_literal, negation, tidy, whole_chain};
use crate::facts::{Claim, ClaimKind, Limit, Strength};

pub use claims::{
    above, below, different, empty, equal, failure, falsity, is_nothing, near, negate, not_null, oriented,
    pattern, raises, ranged, same, shape, subject_of, tautology, truth, with,
};

/// Parts of conditions nested or joined deeper than this are taken as they are.
const MAX_DEPTH: u32 = 12;

/// Reads a call that answers yes or no: `a.equals(b)`, `strings.Contains(a, b)`. None where it is not known.
pub type Dialect = fn(&str) -> Option<Claim>;

/// What is claimed where `text` must be true.
pub fn holds(text: &str, dialect: Dialect) -> Claim {
    read(text, true, dialect, MAX_DEPTH)
}

/// What is claimed where `text` must be false, as in `if text { fail() }`.
pub fn fails(text: &str, dialect: Dialect) -> Claim {
    read(text, false, dialect, MAX_DEPTH)
}

fn read(text: &str, wanted: bool, dialect: Dialect, depth: u32) -> Claim {
    let text = bare(text);
    let Some(depth) = depth.checked_sub(1) else { return leaf(text, wanted, dialect) };
    match comparison(text) {
        Some((left, operator @ (Operator::And | Operator::Or), right)) => {
            let (one, other) = (read(left, wanted, dialect, depth), read(right, wanted, dialect, depth));
            match operator {
                Operator::And if wanted => both(one, other),
                Operator::Or if !wanted => both(one, other),
                // Where `a && b` must be false, one of them being so is enough; often one only says when.
                Operator::And => guarded(one, other),
                _ => either(one, other),
            }
        }
        Some((left, operator, right)) => compared(left, operator, right, wanted),
        None => match negation(text) {
            Some(inner) => read(inner, !wanted, dialect, depth),
            None => leaf(text, wanted, dialect),
        },
    }
}

fn polar(claim: Claim, wanted: bool) -> Claim {
    if wanted { claim } else { negate(claim) }
}

fn leaf(text: &str, wanted: bool, dialect: Dialect) -> Claim {
    match (text, wanted) {
        ("true", true) | ("false", false) => return tautology(text),
        ("true", false) | ("false", true) => return failure(),
        _ => {}
    }
    polar(dialect(text).unwrap_or_else(|| truth(text)), wanted)
}

/// The stronger of two claims that must both hold, which keeps both.
fn both(one: Claim, other: Claim) -> Claim {
    let parts = parts_of(&one).into_iter().chain(parts_of(&other)).collect();
    Claim { parts, ..if other.strength > one.strength { other } else { one } }
}

/// What must hold at once, where it is more than one thing; else the claim itself.
pub(super) fn parts_of(claim: &Claim) -> Vec<Claim> {
    if claim.parts.is_empty() { vec![claim.clone()] } else { claim.parts.clone() }
}

/// `if row.fails && err == nil { fail() }`: a flag says when the other claim is made.
fn guarded(one: Claim, other: Claim) -> Claim {
    let is_flag = |claim: &Claim| matches!(claim.expected.as_deref(), Some("true" | "false"));
    // `if row.limit != 0 && x > row.limit { fail() }`: so does a bound that is not set.
    let is_unset = |claim: &Claim, bound: &Claim| {
        let zero = matches!(claim.expected.as_deref(), Some("0" | "nil" | "null" | "\"\""));
        let held = [Some(&bound.subject), bound.expected.as_ref()];
        zero && bound.room.is_some() && held.into_iter().flatten().any(|side| *side == claim.subject)
    };
    match (is_flag(&one), is_flag(&other)) {
        (true, false) => other,
        (false, true) => one,
        _ if is_unset(&one, &other) => other,
        _ if is_unset(&other, &one) => one,
        _ => either(one, other),
    }
}

/// Two claims of which one is enough say less than the weaker of them.
fn either(one: Claim, other: Claim) -> Claim {
    let strength = weaker(one.strength.min(other.strength));
    let expected = match (one.expected, other.expected) {
        (Some(one), Some(other)) => Some(format!("{one} || {other}")),
        (one, other) => one.or(other),
    };
    let parts = Vec::new();
    Claim {
        kind: ClaimKind::Value,
        strength,
        expected,
        limit: None,
        room: None,
        parts,
        ..Claim { expected: None, ..one }
    }
}

/// One step down the lattice.
fn weaker(strength: Strength) -> Strength {
    match strength {
        Strength::Structure => Strength::Value,
        Strength::Value => Strength::Approximate,
        Strength::Approximate => Strength::Pattern,
        Strength::Pattern => Strength::Shape,
        Strength::Shape => Strength::Bound,
        Strength::Bound => Strength::NotNull,
        Strength::NotNull => Strength::Truthy,
        Strength::Truthy => Strength::Truthy,
        Strength::Tautology => Strength::Tautology,
    }
}

fn compared(left: &str, operator: Operator, right: &str, wanted: bool) -> Claim {
    let (subject, expected) = oriented(left, right);
    match operator {
        Operator::Equal if wanted => equal(subject, expected),
        Operator::NotEqual if !wanted => equal(subject, expected),
        Operator::Equal | Operator::NotEqual => different(subject, expected),
        Operator::InstanceOf => polar(shape(left, right.split_whitespace().next().unwrap_or(right)), wanted),
        Operator::Greater | Operator::GreaterOrEqual => bounded(right, left, operator, wanted),
        _ => bounded(left, right, operator, wanted),
    }
}

fn bounded(small: &str, large: &str, operator: Operator, wanted: bool) -> Claim {
    let or_equal = matches!(operator, Operator::GreaterOrEqual | Operator::LessOrEqual);
    unless_always(polar(ordered(small, large, or_equal), wanted), or_equal == wanted)
}

/// A bound that lets itself through; that a length is not below zero holds whatever the code does.
pub fn unless_always(claim: Claim, or_equal: bool) -> Claim {
    const LENGTHS: &[&str] = &[".len()", ".size()", ".length()", ".length", ".count()"];
    let subject = &claim.subject;
    let is_length = subject.starts_with("len(") && subject.ends_with(')')
        || LENGTHS.iter().any(|length| subject.ends_with(length));
    if or_equal && claim.limit == Some(Limit::AtLeast(0.0)) && is_length { tautology(subject) } else { claim }
}

/// `small < large`, whichever of them is looked at.
fn ordered(small: &str, large: &str, or_equal: bool) -> Claim {
    if let Some((subject, expected)) = difference(small) {
        return near(subject, expected, Some(large));
    }
    if is_literal(small) {
        return above(large, or_equal, small);
    }
    below(small, or_equal, large)
}

/// The two sides of `math.Abs(a - b)`, `Math.abs(a - b)`, `(a - b).abs()`.
fn difference(text: &str) -> Option<(&str, &str)> {
    let links = whole_chain(text)?;
    let last = links.last().filter(|last| last.name.eq_ignore_ascii_case("abs"))?;
    let inner = match last.argument(0) {
        Some(argument) => argument,
        None => links.first()?.argument(0)?,
    };
    let (one, other) = inner.split_once('-')?;
    Some(oriented(one.trim(), other.trim()))
}

/// A subject or an expectation as facts keep it.
pub(super) fn written(text: &str) -> String {
    tidy(text)
}
