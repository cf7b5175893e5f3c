//! What a lost test asserted, looked for in new tests. What was there all along stands for nothing: tests that differ in one
//! value check different things.

use std::collections::HashSet;

use super::super::losses::Losses;
use crate::assertions::{Place, View, expression_key};
use crate::comparison::{At, Comparison};
use crate::facts::{Assertion, Strength, Test};

/// A new test tells a lost one anew where it has so many of its words ...
const RETOLD: f64 = 0.5;
/// ... or so many, where a single assertion is all that they share.
const RETOLD_ONCE: f64 = 0.65;
/// So many new tests are looked at for one that is lost, and so many lost ones at all.
const LOOKED_AT: usize = 300;

/// The new test of the change that asserts all that a lost one asserted, by name.
pub fn all_told_by(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    told_by(comparison, losses, at, |wanted, found| found == wanted)
}

/// Whether a new test of the change asserts most of what a lost one asserted, and more than one thing of it.
pub fn most_told(comparison: &Comparison, losses: &Losses, at: At) -> bool {
    told_by(comparison, losses, at, |wanted, found| found > 1 && 2 * found > wanted).is_some()
}

/// The new test that tells enough of the claims of a lost one: so many it had, so many are found again.
fn told_by(
    comparison: &Comparison,
    losses: &Losses,
    at: At,
    enough: impl Fn(usize, usize) -> bool,
) -> Option<String> {
    if losses.removed.len() > LOOKED_AT {
        return None;
    }
    let (_, lost) = comparison.before(at);
    let wanted = claims(&View::before(comparison, Place::Test(at))?);
    if wanted.is_empty() {
        return None;
    }
    let needed = if wanted.len() == 1 { RETOLD_ONCE } else { RETOLD };
    let tells = |new: At| {
        let test = comparison.after(new).1;
        let alike = share_of(lost, test) >= needed && !test.is_skipped();
        let told = if alike { claims(&View::after(comparison, Place::Test(new))?) } else { HashSet::new() };
        enough(wanted.len(), wanted.intersection(&told).count()).then(|| test.qualified_name())
    };
    comparison.pairing.added.iter().take(LOOKED_AT).find_map(|&new| tells(new))
}

/// What a test claims, by its words as written, and by what they stand for.
fn claims(view: &View<'_>) -> HashSet<String> {
    let counts = |one: &&Assertion| one.reach.counts() && one.claim.strength > Strength::Tautology;
    let resolved = view.resolved(&view.spelled());
    let said = |one: &Assertion| {
        let expected = one.claim.expected.as_deref().unwrap_or_default();
        let subject = if one.claim.subject.is_empty() { &one.text } else { &one.claim.subject };
        expression_key(&format!("{:?}{subject}={expected}", one.claim.kind))
    };
    resolved.iter().filter(counts).map(said).collect()
}

/// The share of the words of a lost test, its name aside, that another one has.
fn share_of(lost: &Test, other: &Test) -> f64 {
    let said = lost.words.iter().count().max(1);
    let found = lost.words.iter().filter(|&word| other.words.has_hash(word)).count();
    // The name is one word where it is an identifier.
    let named = usize::from(lost.words.contains(&lost.name) && lost.name != other.name);
    (found + named) as f64 / said as f64
}
