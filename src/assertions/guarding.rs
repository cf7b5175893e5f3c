//! Assertions that came under a condition: on what they look at, or on something else.

use super::alike::{key, share, split, words};
use crate::facts::{Assertion, Claim, ClaimKind, Reach, Strength};

/// Whether an assertion now only runs under a condition on what it looks at, and nothing makes sure of the condition.
pub fn guarded(before: &Assertion, partner: &Assertion, after: &[Assertion]) -> bool {
    let (None, Some(condition), true) = (&before.under, &partner.under, partner.reach.counts()) else {
        return false;
    };
    // Nothing depends on itself: `if !assert.Empty(t, list) { log them }`.
    if key(condition).contains(&key(&partner.text)) {
        return false;
    }
    // Where there is an error, that there is none fails as surely as a plain failure.
    let fails_there = partner.claim.is_no_error() && key(condition).ends_with("!=nil");
    if before.claim.kind == ClaimKind::Failure && fails_there {
        return false;
    }
    let is_partner = |one: &&Assertion| one.line == partner.line && one.text == partner.text;
    // One arm of several has no condition of its own, and did not always run either.
    if before.reach == Reach::Branch && before.claim.kind != ClaimKind::Failure {
        return false;
    }
    let written = after.iter().find(is_partner).map(|one| &one.claim);
    if written.is_some_and(|claim| denies(condition, claim)) {
        return false;
    }
    let looks_at = written
        .and_then(|claim| root(&claim.subject))
        .is_some_and(|root| split(condition).any(|word| word == root));
    if !looks_at {
        return false;
    }
    !is_made_sure(condition, partner, after)
}

/// Whether a condition holds just where a claim does not: `if got != want { assert.Equal(t, want, got) }`. What runs then
/// fails, and nothing else is asked.
fn denies(condition: &str, claim: &Claim) -> bool {
    let Some(expected) = claim.expected.as_deref().map(key).filter(|_| !claim.negated) else { return false };
    let (condition, subject) = (key(condition), key(&claim.subject));
    let condition = condition.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(&condition);
    let differ = |one: &str, other: &str| {
        let signs = ["!=", "!=="].iter().any(|sign| condition == format!("{one}{sign}{other}"));
        // `!bytes.Equal(a, b)`, `!a.equals(b)`
        let called = condition.strip_prefix('!').is_some_and(|call| {
            let name = call.split('(').next().unwrap_or_default();
            let name = name.rsplit('.').next().unwrap_or(name).to_lowercase();
            let equals = matches!(name.as_str(), "equal" | "deepequal" | "equals" | "is");
            equals
                && (call.ends_with(&format!("({one},{other})")) || *call == format!("{one}.{name}({other})"))
        });
        signs || called
    };
    claim.strength >= Strength::Value && (differ(&subject, &expected) || differ(&expected, &subject))
}

/// Whether an assertion above makes sure of a condition.
fn is_made_sure(condition: &str, partner: &Assertion, after: &[Assertion]) -> bool {
    let asks = |word: &&str| !matches!(*word, "null" | "nil" | "None" | "undefined" | "not" | "is" | "let");
    let asked = words(&split(condition).filter(asks).collect::<Vec<_>>().join(" "));
    let is_sure =
        |other: &&Assertion| other.under.is_none() && other.reach.counts() && other.line <= partner.line;
    let mut sure = after.iter().filter(is_sure);
    sure.any(|other| share(&asked, &words(&other.text)) > SURE)
}

/// Whether an assertion that always ran now only runs under a condition, and no other one says the same where it does not
/// hold.
pub fn runs_sometimes(before: &Assertion, partner: &Assertion, after: &[Assertion]) -> bool {
    let (None, Some(condition), true) = (&before.under, &partner.under, partner.reach.counts()) else {
        return false;
    };
    let is_same = |other: &Assertion| {
        other.reach.counts()
            && other.under.as_deref() != Some(condition)
            && key(&other.claim.subject) == key(&partner.claim.subject)
    };
    before.reach == Reach::Always
        && key(&before.text) == key(&partner.text)
        && !after.iter().any(is_same)
        && !is_made_sure(condition, partner, after)
}

/// An assertion that says more of a condition than this makes sure that it holds.
const SURE: f64 = 0.5;

/// The name that an expression starts from.
fn root(expression: &str) -> Option<&str> {
    split(expression).find(|word| !matches!(*word, "self" | "this" | "await" | "new" | "typeof"))
}
