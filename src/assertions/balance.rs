//! What all assertions of a test say together: what one says less another may say more.

use super::alike::{key, sides};
use super::change::could_fail;
use crate::collections::HashSet;
use crate::facts::{Assertion, Claim, Strength};

/// Whether as much is asserted as before, by as many assertions of each strength: what one says less another says more.
pub fn are_swapped(old: &[&Assertion], new: &[&Assertion]) -> bool {
    let said = |all: &[&Assertion]| {
        let claims = all.iter().filter(|one| could_fail(one)).map(|one| &one.claim);
        let mut said: Vec<(Strength, bool)> = claims.map(|claim| (claim.strength, claim.negated)).collect();
        said.sort_unstable();
        said
    };
    old.len() > 1 && said(old) == said(new)
}

/// Whether all that went was asserted as strictly as what came: as many things, of each strength.
pub fn are_corrected(old: &[&Assertion], new: &[&Assertion]) -> bool {
    let nothing =
        |claim: &Claim| matches!(claim.expected.as_deref(), Some("nil" | "None" | "null" | "undefined"));
    let said = |one: &&Assertion| could_fail(one) && !one.claim.is_no_error() && !nothing(&one.claim);
    let about = |one: &Assertion| (sides(&one.claim), one.claim.negated);
    let less = |all: &[&Assertion], others: &[&Assertion]| {
        let known: HashSet<_> = others.iter().copied().map(about).collect();
        let mut seen = HashSet::new();
        let left = all.iter().copied().filter(|one| said(one) && !known.contains(&about(one)));
        let mut left: Vec<(Strength, bool)> = left
            .filter(|one| seen.insert(about(one)))
            .map(|one| (one.claim.strength, one.claim.negated))
            .collect();
        left.sort_unstable();
        left
    };
    let (gone, came) = (less(old, new), less(new, old));
    old.len() == new.len() && !gone.is_empty() && gone == came
}

/// Whether a test asks for at least twice as much as it did, with two new exact values for each one that it asks for less
/// strictly: then it was not the asking that changed, but the way of it.
pub fn is_outgrown(old: &[&Assertion], new: &[&Assertion], weakened: usize) -> bool {
    let known: HashSet<String> = old.iter().map(|one| key(&one.text)).collect();
    let exact = |one: &&&Assertion| could_fail(one) && one.claim.strength >= Strength::Value;
    let fresh = || new.iter().filter(exact).filter(|one| !known.contains(&key(&one.text)));
    weakened > 0 && new.len() >= 2 * old.len() && fresh().count() >= 2 * weakened
}
