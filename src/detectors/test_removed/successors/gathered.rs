//! Several lost tests of one thing that became one test, which looks at all that each of them looked at: the message in one
//! place, the code in another, the type in a third. Inputs may be others then; what is looked at may not.

use super::claims::share_of;
use crate::assertions::{Place, View, expression_key, split};
use crate::comparison::{At, Comparison};
use crate::detectors::test_removed::losses::Losses;
use crate::facts::{Assertion, Claim, ClaimKind, Strength};

/// So many tests must go into one.
const SEVERAL: usize = 2;
/// More new tests than this are not looked at.
const LOOKED_AT: usize = 100;
/// A test that gathers others has so many of their words ...
const RELATED: f64 = 0.3;
/// ... and texts that it expects have so many of the words of theirs.
const SAME_TEXT: f64 = 0.5;

/// The new test of the file that gathers a lost one and others, by name.
pub fn into_one(comparison: &Comparison, losses: &Losses, at: At) -> Option<String> {
    if losses.removed.len() > LOOKED_AT {
        return None;
    }
    let gathers = |new: At, lost: At| {
        let (old, test) = (comparison.before(lost).1, comparison.after(new).1);
        let wanted = claims(View::before(comparison, Place::Test(lost)));
        let found = claims(View::after(comparison, Place::Test(new)));
        share_of(old, test) >= RELATED
            && !wanted.is_empty()
            && wanted.iter().all(|one| found.iter().any(|other| asks_as_much(&one.claim, &other.claim)))
    };
    let of_file = comparison.pairing.added.iter().filter(|new| new.file == at.file).take(LOOKED_AT);
    let mut running = of_file.filter(|new| !comparison.after(**new).1.is_skipped());
    let one = running.find(|new| {
        gathers(**new, at) && losses.of_file(at.file).filter(|lost| gathers(**new, *lost)).count() >= SEVERAL
    })?;
    Some(comparison.after(*one).1.qualified_name())
}

fn claims(view: Option<View<'_>>) -> Vec<Assertion> {
    let mut claims = view.map(|view| view.spelled()).unwrap_or_default();
    claims.retain(|one| {
        one.reach.counts()
            && one.claim.kind != ClaimKind::Failure
            && !one.claim.subject.is_empty()
            && one.claim.strength > Strength::Tautology
    });
    claims
}

/// Whether the same place is looked at as strictly, for the same value or a text like it.
fn asks_as_much(lost: &Claim, new: &Claim) -> bool {
    let is_there = |claim: &Claim| {
        claim.strength <= Strength::NotNull && (claim.strength == Strength::Truthy) != claim.negated
    };
    let same_place = expression_key(&lost.subject) == expression_key(&new.subject);
    let as_strict = new.kind == lost.kind && new.negated == lost.negated && new.strength >= lost.strength;
    same_place && (is_there(lost) && is_there(new) || as_strict && is_alike(lost, new))
}

fn is_alike(lost: &Claim, new: &Claim) -> bool {
    let text = |claim: &Claim| claim.expected.clone().unwrap_or_default();
    let (was, is) = (text(lost), text(new));
    if expression_key(&was) == expression_key(&is) {
        return true;
    }
    let is_text = |text: &str| text.starts_with(['"', '\'', '`']);
    let words: Vec<&str> = split(&was).collect();
    let kept = words.iter().filter(|word| split(&is).any(|other| other == **word)).count();
    is_text(&was) && is_text(&is) && kept as f64 >= SAME_TEXT * words.len() as f64
}
