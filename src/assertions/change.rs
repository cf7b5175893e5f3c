//! How an assertion changed: what it claims after, compared with what it claimed before.

#[cfg(test)]
mod tests;

use std::cell::LazyCell;

use super::accepting::{
    accepts_any_error, accepts_more, expects_another_error, lets_itself_through, loosened, loses_message,
};
use super::alike::{key, same_value, share, split, words};
use super::cover::{Cover, Elsewhere};
use super::filtered::leaves_out;
use super::looser::{Looser, looser, loses_order};
use super::margins::gives_way;
use super::matching::{Budget, Matches, pair};
use super::truth::{is_plain_truth, is_true_and_so_there, truth};
use super::unit::{Place, Unit, View, units};
use crate::comparison::Comparison;
use crate::facts::{Assertion, Claim, ClaimKind, Health, Limit, Strength, Test};

/// What became of one assertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Nothing of the kind is asserted any more.
    Removed,
    /// Another assertion, as strong, stands in its place and looks at something else.
    Substituted,
    /// It says less about the same thing.
    Weakened,
    /// It holds whatever the code does.
    Trivial,
    /// A tolerance or a bound lets more through.
    Loosened,
    /// More kinds of error, or more values, are accepted.
    Broadened,
    /// It looks for less of the same text.
    Shortened,
    /// The same values are asked for, in whatever order.
    Unordered,
    /// It claims the opposite.
    Flipped,
    /// It expects something else.
    Rewritten,
    /// It holds the code against itself.
    Circular,
    /// It asks for the same of another input.
    Redirected,
    /// It stands where it cannot fail the test.
    Unreachable,
    /// It only runs if what it looks at is as it should be.
    Guarded,
}

/// An assertion that does not say after the change what it said before.
#[derive(Clone, Debug)]
pub struct Changed {
    pub unit: Unit,
    pub before: Assertion,
    pub after: Option<Assertion>,
    pub how: How,
}

/// Every change of an assertion, in the order of the before side.
pub fn changes(comparison: &Comparison) -> Vec<Changed> {
    let elsewhere = Elsewhere::of(comparison);
    let mut budget = Budget::new();
    let of_unit = |unit: Unit| unit_changes(comparison, &elsewhere, unit, &mut budget);
    units(comparison).into_iter().flat_map(of_unit).collect()
}

/// Whether another rule tells what became of the whole test.
fn is_told(comparison: &Comparison, unit: Unit, before: &View<'_>, after: &View<'_>) -> bool {
    // A test of which one side could not be read in full did not change for that.
    let hidden = (before.file.facts.health == Health::Clean) != (after.file.facts.health == Health::Clean);
    let skipped = |view: &View<'_>| view.test.is_some_and(Test::is_skipped);
    let commented = match (unit.before, unit.after) {
        (Place::Test(old), Place::Test(new)) => comparison.commented_body(old, new).is_some(),
        _ => false,
    };
    hidden || skipped(after) && !skipped(before) || commented
}

fn unit_changes(
    comparison: &Comparison,
    elsewhere: &Elsewhere<'_>,
    unit: Unit,
    budget: &mut Budget,
) -> Vec<Changed> {
    let (Some(before), Some(after)) =
        (View::before(comparison, unit.before), View::after(comparison, unit.after))
    else {
        return Vec::new();
    };
    if before.says_the_same(&after) || is_told(comparison, unit, &before, &after) {
        return Vec::new();
    }
    let spelled = after.spelled();
    let (resolved_before, resolved_after) =
        (before.resolved(&before.spelled_major()), after.resolved(&spelled));
    // What could not fail before is not missed.
    let old: Vec<&Assertion> = resolved_before.iter().filter(|assertion| could_fail(assertion)).collect();
    let new: Vec<&Assertion> = resolved_after.iter().collect();
    let matches = pair(&old, &new, budget);
    // Each assertion that changed is looked for in all the new ones.
    let beside = if budget.allows(count_changed(&old, &new, &matches), new.len()) { &new[..] } else { &[] };
    // Most assertions live on as they are, and then nobody asks.
    let cover = LazyCell::new(|| Cover::new(&before, &after, elsewhere, &old, (&spelled, beside)));
    // A test that had to fail and now has to pass asks for more.
    let freed = before.body == after.body && new.iter().any(|assertion| could_fail(assertion));
    let mut changed = Vec::new();
    for (index, assertion) in old.iter().enumerate() {
        let partner = matches.of_before[index].map(|index| new[index]);
        let how = match partner {
            Some(partner) if guarded(assertion, partner, &spelled) => Some(How::Guarded),
            Some(partner) if is_written_down(assertion, partner) => Some(How::Trivial),
            Some(partner) if matches.by_place[index] => replacement(assertion, partner, &cover),
            Some(partner) => difference(assertion, partner).filter(|how| !excused(*how, assertion, &cover)),
            None => (!cover.covers(assertion)).then_some(How::Removed),
        };
        // A test that went into another one lost what the other one had already.
        let kept = |how: &How| match how {
            How::Removed if freed => failure_of_the_whole(&[assertion]).is_none(),
            How::Removed | How::Substituted | How::Rewritten => !unit.merged,
            _ => true,
        };
        if let Some(how) = how.filter(kept) {
            let (before, after) = ((*assertion).clone(), partner.cloned());
            changed.push(Changed { unit, before, after, how });
        }
    }
    if are_swapped(&old, &new) {
        changed.retain(|changed| !matches!(changed.how, How::Weakened | How::Flipped));
    }
    if before.body == after.body
        && let (Some(first), Some(failure)) = (old.first(), failure_of_the_whole(&new))
        && failure_of_the_whole(&old).is_none()
    {
        let (before, after) = ((*first).clone(), Some(failure.clone()));
        changed.push(Changed { unit, before, after, how: How::Flipped });
    }
    changed
}

/// What the test as a whole must fail with: `#[should_panic]`, `@Test(expected = ...)`.
fn failure_of_the_whole<'a>(assertions: &[&'a Assertion]) -> Option<&'a Assertion> {
    let fails = |claim: &Claim| claim.kind == ClaimKind::Raises && claim.subject.is_empty() && !claim.negated;
    assertions.iter().copied().find(|assertion| fails(&assertion.claim))
}

/// Whether as much is asserted as before, by as many assertions of each strength: what one says less another says more.
fn are_swapped(old: &[&Assertion], new: &[&Assertion]) -> bool {
    let said = |all: &[&Assertion]| {
        let claims = all.iter().filter(|one| could_fail(one)).map(|one| &one.claim);
        let mut said: Vec<(Strength, bool)> = claims.map(|claim| (claim.strength, claim.negated)).collect();
        said.sort_unstable();
        said
    };
    old.len() > 1 && said(old) == said(new)
}

/// How many assertions do not live on in the same words.
fn count_changed(old: &[&Assertion], new: &[&Assertion], matches: &Matches) -> usize {
    let lives_on = |(old, partner): &(&&Assertion, &Option<usize>)| {
        partner.is_some_and(|partner| new[partner].text == old.text)
    };
    old.iter().zip(&matches.of_before).filter(|pair| !lives_on(pair)).count()
}

/// Whether what an assertion said is still said beside the one that continues it.
fn excused(how: How, lost: &Assertion, cover: &Cover<'_>) -> bool {
    match how {
        How::Weakened | How::Flipped => cover.excuses(lost),
        How::Broadened => cover.has_message(lost),
        _ => false,
    }
}

/// What is to be said of an assertion in whose place another one stands.
fn replacement(before: &Assertion, after: &Assertion, cover: &Cover<'_>) -> Option<How> {
    let strength = |assertion: &Assertion| assertion.claim.strength;
    // What stands in the place of an assertion and holds by itself may quote all that it said: `x == 1 or True`.
    let quotes = share(&words(&before.text), &words(&after.text)) >= QUOTED;
    // `similarity(x, e)` is made of what `x == e` looked at and expected.
    let wraps = quotes
        && strength(after) < strength(before)
        && after.claim.subject.contains('(')
        && key(&before.claim.subject) != key(&after.claim.subject);
    let covered = match strength(after) {
        Strength::Tautology if quotes => false,
        // That its words are still there says nothing where a weaker claim repeats them.
        _ if wraps => cover.covers_otherwise(before),
        _ => cover.covers(before),
    };
    if covered {
        return None;
    }
    match () {
        () if !after.reach.counts() => Some(How::Removed),
        () if accepts_any_error(&before.claim, &after.claim) => Some(How::Broadened),
        () if loses_message(&before.claim, &after.claim) => {
            (!cover.has_message(before)).then_some(How::Broadened)
        }
        () if strength(after) == Strength::Tautology => Some(How::Trivial),
        () if speaks_of_another(&before.claim, &after.claim) => Some(How::Substituted),
        () if is_unknown(&before.claim) || strength(after) >= strength(before) => Some(How::Substituted),
        () if is_true_and_so_there(&before.claim, &after.claim) => Some(How::Substituted),
        () => Some(How::Weakened),
    }
}

/// Whether one of two claims is that something fails, the other one is not, and they have next to nothing in common.
fn speaks_of_another(old: &Claim, new: &Claim) -> bool {
    let fails = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
    fails(old) != fails(new) && share(&words(&old.subject), &words(&new.subject)) < RELATED
}

/// Claims that share less of a subject look at different things.
const RELATED: f64 = 0.3;

/// An assertion has so many of the words of another one where it quotes it.
const QUOTED: f64 = 0.8;

fn could_fail(assertion: &Assertion) -> bool {
    assertion.reach.counts() && assertion.claim.strength > Strength::Tautology
}

/// How the partner says less than, or something else than, the assertion it continues.
fn difference(before: &Assertion, after: &Assertion) -> Option<How> {
    if !after.reach.counts() {
        return Some(How::Unreachable);
    }
    let (old, new) = (&before.claim, &after.claim);
    if lets_itself_through(before, after) {
        return Some(How::Loosened);
    }
    if loses_order((old, &before.text), (new, &after.text)) {
        return Some(How::Unordered);
    }
    if old == new {
        return None;
    }
    if new.strength == Strength::Tautology && old.strength > Strength::Tautology {
        return Some(How::Trivial);
    }
    if is_unknown(old) || is_unknown(new) {
        return None;
    }
    if loosened(old, new) || gives_way(before, after) {
        return Some(How::Loosened);
    }
    if leaves_out(old, new) {
        return Some(How::Broadened);
    }
    let same_subject = key(&old.subject) == key(&new.subject);
    let same_kind = same_subject && (old.kind, old.strength) == (new.kind, new.strength);
    if accepts_more(old, new) {
        return Some(How::Broadened);
    }
    match looser(old, new).filter(|_| same_kind) {
        Some(Looser::Wider) => return Some(How::Broadened),
        Some(Looser::Shorter) => return Some(How::Shortened),
        None => {}
    }
    if is_circular(new) && !is_circular(old) {
        return Some(How::Circular);
    }
    if truth(old).zip(truth(new)).is_some_and(|(old, new)| old != new)
        && key(&old.subject) == key(&new.subject)
    {
        return Some(How::Rewritten);
    }
    if old.negated != new.negated && key(&old.subject) == key(&new.subject) && old.expected == new.expected {
        return Some(How::Flipped);
    }
    if accepts_more(new, old) || same_kind && looser(new, old).is_some() {
        return None;
    }
    if is_plain_truth(before, after) || is_true_and_so_there(old, new) || asks_another(before, after) {
        return None;
    }
    if asks_for_size(old, new) {
        return Some(How::Weakened);
    }
    if new.strength < old.strength && !is_as_exact(before, after) && !is_mended_float(before, after) {
        return Some(How::Weakened);
    }
    let tighter = loosened(new, old) || gives_way(after, before) || leaves_out(new, old);
    if new.strength > old.strength || expects_another_error(old, new) || tighter {
        return None;
    }
    let expected = |claim: &Claim| claim.expected.clone().unwrap_or_default();
    match same_value(&expected(old), &expected(new)) {
        false if same_subject => Some(How::Rewritten),
        _ if !same_subject && differ_in_literals(&old.subject, &new.subject) => Some(How::Redirected),
        _ => None,
    }
}

/// Whether the same words held what a call gave against a value, and now hold the value against itself:
/// `result = total(cart)` became `result = 6.5`, and both are followed by `result == 6.5`.
fn is_written_down(before: &Assertion, after: &Assertion) -> bool {
    let is_written = |text: &str| {
        let number = text.starts_with(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok();
        let inside = text.strip_prefix(['"', '\'']).and_then(|rest| rest.strip_suffix(['"', '\'']));
        number || inside.is_some_and(|inside| !inside.contains(['"', '\'']))
    };
    let (old, new) = (&before.claim, &after.claim);
    before.text == after.text
        && old.subject.contains('(')
        && new.kind == ClaimKind::Value
        && !new.negated
        && is_written(&new.subject)
        && new.expected.as_ref().is_some_and(|expected| same_value(&new.subject, expected))
}

/// Whether an assertion now only runs under a condition on what it looks at, and nothing makes sure of the condition.
fn guarded(before: &Assertion, partner: &Assertion, after: &[Assertion]) -> bool {
    let (None, Some(condition), true) = (&before.under, &partner.under, partner.reach.counts()) else {
        return false;
    };
    let is_partner = |one: &&Assertion| one.line == partner.line && one.text == partner.text;
    let written = after.iter().find(is_partner).map(|one| one.claim.subject.as_str());
    let looks_at = written.and_then(root).is_some_and(|root| split(condition).any(|word| word == root));
    if !looks_at {
        return false;
    }
    let asks = |word: &&str| !matches!(*word, "null" | "nil" | "None" | "undefined" | "not" | "is" | "let");
    let asked = words(&split(condition).filter(asks).collect::<Vec<_>>().join(" "));
    let is_sure =
        |other: &&Assertion| other.under.is_none() && other.reach.counts() && other.line <= partner.line;
    let mut sure = after.iter().filter(is_sure);
    !sure.any(|other| share(&asked, &words(&other.text)) > SURE)
}

/// An assertion that says more of a condition than this makes sure that it holds.
const SURE: f64 = 0.5;

/// The name that an expression starts from.
fn root(expression: &str) -> Option<&str> {
    split(expression).find(|word| !matches!(*word, "self" | "this" | "await" | "new" | "typeof"))
}

/// Whether what was compared as a whole is now only counted.
fn asks_for_size(old: &Claim, new: &Claim) -> bool {
    let (old_subject, new_subject) = (key(&old.subject), key(&new.subject));
    let counted = [".length", ".size()", ".len()", ".length()", ".count()", ".Len()"]
        .iter()
        .find_map(|call| new_subject.strip_suffix(call))
        .or_else(|| new_subject.strip_prefix("len(").and_then(|rest| rest.strip_suffix(')')));
    let is_number = |text: &Option<String>| text.as_deref().is_some_and(|text| text.parse::<f64>().is_ok());
    old.strength >= Strength::Value && counted == Some(&*old_subject) && !is_number(&old.expected)
}

/// Whether another function is asked the same: of `assert match(a, b)` only a name told that it was about a pattern.
fn asks_another(before: &Assertion, after: &Assertion) -> bool {
    let call = |text: &str| -> Option<(String, String)> {
        let (callee, given) = text.strip_prefix("assert ")?.split_once('(')?;
        let is_name = callee.chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && given.ends_with(')')).then(|| (callee.to_owned(), key(given)))
    };
    let (Some((old, given)), Some((new, same))) = (call(&before.text), call(&after.text)) else {
        return false;
    };
    old != new && given == same && after.claim.strength == Strength::Truthy
}

/// Whether what is looked at is also what it is held against, and is computed.
fn is_circular(claim: &Claim) -> bool {
    let subject = key(&claim.subject);
    matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure)
        && !claim.negated
        && subject.contains('(')
        && key_of(claim) == Some(subject)
}

/// Whether two expressions are the same call with other plain values.
fn differ_in_literals(old: &str, new: &str) -> bool {
    let is_plain = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    let outside: [Vec<&str>; 2] = [old, new].map(|text| text.split(['"', '\'', '`']).step_by(2).collect());
    let names = |parts: &[&str]| -> Vec<String> {
        let words = parts.iter().flat_map(|part| split(part));
        words.filter(|word| !is_plain(word)).map(str::to_owned).collect()
    };
    old.contains('(') && names(&outside[0]) == names(&outside[1])
}

/// A call whose name asserts may claim anything, and so may what leads to a plain failure.
fn is_unknown(claim: &Claim) -> bool {
    claim.kind == ClaimKind::Helper || claim.kind == ClaimKind::Failure && claim.subject.is_empty()
}

/// What a claim is held against.
pub(super) fn key_of(claim: &Claim) -> Option<String> {
    claim.expected.as_deref().map(key)
}

/// Libraries do not draw the line between equal values and equal structures in the same place: `deepStrictEqual` is
/// `toEqual` to whoever moves from one to the other.
fn is_as_exact(before: &Assertion, after: &Assertion) -> bool {
    let library =
        |assertion: &Assertion| split(&assertion.text).find(|word| *word != "await").map(str::to_owned);
    after.claim.strength >= Strength::Value
        && key_of(&before.claim) == key_of(&after.claim)
        && library(before) != library(after)
}

/// How far off frameworks let a number be unless told otherwise, and how many of its digits they look at.
const USUAL_TOLERANCE: f64 = 1e-4;
const USUAL_DIGITS: f64 = 2.0;

/// Words of the calls with which frameworks compare such numbers.
const COMPARES_FLOATS: &[&str] =
    &["approx", "close", "almost", "delta", "within", "epsilon", "offset", "relative"];

/// Whether a number that no computation gives exactly is now compared with the usual tolerance.
fn is_mended_float(before: &Assertion, after: &Assertion) -> bool {
    let (old, new) = (&before.claim, &after.claim);
    let is_number = |text: &str| {
        let digits = text.trim_start_matches(['-', '+']).trim_end_matches(['f', 'd', 'F', 'D']);
        !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '_'))
    };
    let (Some(was), Some(is)) = (&old.expected, &new.expected) else { return false };
    let text = after.text.to_lowercase();
    let usual = match new.limit {
        None => true,
        Some(Limit::Tolerance(tolerance)) => tolerance <= USUAL_TOLERANCE,
        Some(Limit::Digits(digits)) => digits >= USUAL_DIGITS,
        Some(_) => false,
    };
    new.strength == Strength::Approximate
        && usual
        && COMPARES_FLOATS.iter().any(|word| text.contains(word))
        && is_number(was)
        && same_value(was, is)
        && key(&old.subject) == key(&new.subject)
}
