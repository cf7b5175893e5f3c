//! How an assertion changed: what it claims after, compared with what it claimed before.

use std::collections::{HashMap, HashSet};

use super::alike::{content, key, share, split, words};
use super::matching::pair;
use super::unit::{Helpers, Place, Unit, View, units};
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
}

/// An assertion that does not say after the change what it said before.
#[derive(Clone, Debug)]
pub struct Changed {
    pub unit: Unit,
    pub before: Assertion,
    pub after: Option<Assertion>,
    pub how: How,
    /// How many assertions the unit has that it did not have before.
    pub new: usize,
}

/// Every change of an assertion, in the order of the before side.
pub fn changes(comparison: &Comparison) -> Vec<Changed> {
    let elsewhere = Elsewhere { helpers: Helpers::after(comparison), moved: moved(comparison) };
    let of_unit = |unit: Unit| unit_changes(comparison, &elsewhere, unit);
    units(comparison).into_iter().flat_map(of_unit).collect()
}

/// What the rest of the change asserts.
struct Elsewhere<'a> {
    helpers: Helpers<'a>,
    /// What new tests assert: a test that was split lives on in them.
    moved: HashSet<String>,
}

fn moved(comparison: &Comparison) -> HashSet<String> {
    let new = comparison.pairing.added.iter().flat_map(|&at| &comparison.after(at).1.assertions);
    new.filter(|assertion| assertion.reach.counts()).map(|assertion| key(&assertion.text)).collect()
}

/// Whether another rule tells what became of the whole test.
fn is_told(comparison: &Comparison, unit: Unit, before: &View<'_>, after: &View<'_>) -> bool {
    let hidden = before.file.facts.health == Health::Clean && after.file.facts.health != Health::Clean;
    let skipped = |view: &View<'_>| view.test.is_some_and(Test::is_skipped);
    let commented = match (unit.before, unit.after) {
        (Place::Test(old), Place::Test(new)) => comparison.commented_body(old, new).is_some(),
        _ => false,
    };
    hidden || skipped(after) && !skipped(before) || commented
}

fn unit_changes(comparison: &Comparison, elsewhere: &Elsewhere<'_>, unit: Unit) -> Vec<Changed> {
    let (Some(before), Some(after)) =
        (View::before(comparison, unit.before), View::after(comparison, unit.after))
    else {
        return Vec::new();
    };
    if before.body == after.body && before.assertions.len() == after.assertions.len() {
        return Vec::new();
    }
    if is_told(comparison, unit, &before, &after) {
        return Vec::new();
    }
    let (resolved_before, resolved_after) = (before.resolved(), after.resolved());
    // What could not fail before is not missed.
    let old: Vec<&Assertion> = resolved_before.iter().filter(|assertion| could_fail(assertion)).collect();
    let new: Vec<&Assertion> = resolved_after.iter().collect();
    let matches = pair(&old, &new);
    let cover = Cover::new(&before, &after, elsewhere, &old, &new);
    let mut changed = Vec::new();
    for (index, assertion) in old.iter().enumerate() {
        let partner = matches.of_before[index].map(|index| new[index]);
        let how = match partner {
            Some(partner) if matches.by_place[index] => replacement(assertion, partner, &cover),
            Some(partner) => difference(assertion, partner).filter(|how| !cover.excuses(*how, assertion)),
            None => (!cover.covers(assertion)).then_some(How::Removed),
        };
        // A test that went into another one lost what the other one had already.
        let kept =
            |how: &How| !unit.merged || !matches!(how, How::Removed | How::Substituted | How::Rewritten);
        if let Some(how) = how.filter(kept) {
            let (before, after) = ((*assertion).clone(), partner.cloned());
            changed.push(Changed { unit, before, after, how, new: matches.new.len() });
        }
    }
    changed
}

/// What is to be said of an assertion in whose place another one stands.
fn replacement(before: &Assertion, after: &Assertion, cover: &Cover<'_>) -> Option<How> {
    let strength = |assertion: &Assertion| assertion.claim.strength;
    // What stands in the place of an assertion and holds by itself may quote all that it said: `x == 1 or True`.
    let quotes =
        strength(after) == Strength::Tautology && share(&words(&before.text), &words(&after.text)) >= QUOTED;
    if !quotes && cover.covers(before) {
        return None;
    }
    match () {
        () if accepts_any_error(&before.claim, &after.claim) => Some(How::Broadened),
        () if !after.reach.counts() => Some(How::Removed),
        () if strength(after) == Strength::Tautology => Some(How::Trivial),
        () if is_unknown(&before.claim) || strength(after) >= strength(before) => Some(How::Substituted),
        () => Some(How::Weakened),
    }
}

/// What else of the after side may say what an assertion said.
struct Cover<'a> {
    helpers: Vec<&'a Assertion>,
    moved: &'a HashSet<String>,
    /// Assertions that did not stand there before in these words, with what they speak of.
    new: Vec<(&'a Assertion, Vec<u64>)>,
    /// How often each word stands in the unit on each side.
    counts: [HashMap<String, usize>; 2],
}

/// New assertions that share so much of a subject look at the same thing.
const SAME_SUBJECT: f64 = 0.5;

impl<'a> Cover<'a> {
    fn new(
        before: &View<'_>,
        after: &View<'_>,
        elsewhere: &'a Elsewhere<'a>,
        old: &[&Assertion],
        new: &[&'a Assertion],
    ) -> Self {
        let known: HashSet<String> = old.iter().map(|assertion| key(&assertion.text)).collect();
        let fresh = new.iter().filter(|one| one.reach.counts() && !known.contains(&key(&one.text)));
        let new = fresh.map(|assertion| (*assertion, content(assertion))).collect();
        let helpers = elsewhere.helpers.newly_called(before, after);
        Self { helpers, moved: &elsewhere.moved, new, counts: [word_counts(before), word_counts(after)] }
    }

    fn covers(&self, lost: &Assertion) -> bool {
        self.moved.contains(&key(&lost.text))
            || self.helper_covers(lost)
            || self.new_covers(lost)
            || self.still_stands(lost)
    }

    /// Whether what an assertion said is still said beside the one that continues it.
    fn excuses(&self, how: How, lost: &Assertion) -> bool {
        matches!(how, How::Weakened | How::Flipped) && self.new_covers(lost)
    }

    fn helper_covers(&self, lost: &Assertion) -> bool {
        self.helpers.iter().any(|helper| helper.claim.strength >= lost.claim.strength)
    }

    /// One new assertion that says more about the same thing stands for several that said less.
    fn new_covers(&self, lost: &Assertion) -> bool {
        let (subject, whole) = (words(&lost.claim.subject), content(lost));
        let covers = |(new, content): &(&Assertion, Vec<u64>)| {
            let stronger = new.claim.strength > lost.claim.strength || new.claim.kind == ClaimKind::Helper;
            stronger && share(&subject, content).max(share(&whole, content)) >= SAME_SUBJECT
        };
        self.new.iter().any(covers)
    }

    /// What it looked at and what it expected are all still written in the code of the test, as often as before: they
    /// moved into something that is not known as an assertion, a wait for instance.
    fn still_stands(&self, lost: &Assertion) -> bool {
        let claim = &lost.claim;
        let said: HashSet<&str> =
            split(&claim.subject).chain(split(claim.expected.as_deref().unwrap_or_default())).collect();
        let [before, after] = &self.counts;
        let count = |counts: &HashMap<String, usize>, word: &str| counts.get(word).copied().unwrap_or(0);
        said.len() >= SAID && said.iter().all(|word| count(after, word) >= count(before, word).max(1))
    }
}

/// Fewer words than this are found again by chance.
const SAID: usize = 2;

/// How often each word stands in the code of a unit. What became a comment says nothing.
fn word_counts(view: &View<'_>) -> HashMap<String, usize> {
    let comments = &view.file.facts.comments;
    let mut counts = HashMap::new();
    for (number, line) in (view.span.start..).zip(view.file.lines(view.span)) {
        let at = comments.partition_point(|comment| comment.span.end < number);
        let commented = comments.get(at).is_some_and(|comment| comment.span.start <= number);
        for word in split(if commented { before_comment(&line) } else { &line }) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// The part of a line with a comment that is code.
fn before_comment(line: &str) -> &str {
    let start = ["//", "#", "/*", "\"\"\"", "* "].iter().filter_map(|mark| line.find(mark)).min();
    &line[..start.unwrap_or(0)]
}

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
    if old == new {
        return None;
    }
    if new.strength == Strength::Tautology && old.strength > Strength::Tautology {
        return Some(How::Trivial);
    }
    if is_unknown(old) || is_unknown(new) {
        return None;
    }
    if loosened(old, new) {
        return Some(How::Loosened);
    }
    if accepts_more(old, new) {
        return Some(How::Broadened);
    }
    if is_circular(new) && !is_circular(old) {
        return Some(How::Circular);
    }
    if old.negated != new.negated && key(&old.subject) == key(&new.subject) && old.expected == new.expected {
        return Some(How::Flipped);
    }
    if new.strength < old.strength && !is_as_exact(before, after) {
        return Some(How::Weakened);
    }
    if new.strength > old.strength || expects_another_error(old, new) {
        return None;
    }
    let same_subject = key(&old.subject) == key(&new.subject);
    let same_words = |one: &Claim, other: &Claim| {
        words(one.expected.as_deref().unwrap_or_default())
            == words(other.expected.as_deref().unwrap_or_default())
    };
    match key_of(old) == key_of(new) {
        // `'a'` and `b'a'`, `1.0` and `1`: the same value in another dress.
        false if same_words(old, new) => None,
        false if same_subject => Some(How::Rewritten),
        true if !same_subject && differ_in_literals(&old.subject, &new.subject) => Some(How::Redirected),
        _ => None,
    }
}

/// Whether what is looked at is also what it is held against, and is computed.
fn is_circular(claim: &Claim) -> bool {
    let subject = key(&claim.subject);
    claim.kind == ClaimKind::Value
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

fn key_of(claim: &Claim) -> Option<String> {
    claim.expected.as_deref().map(key)
}

fn loosened(old: &Claim, new: &Claim) -> bool {
    match (old.limit, new.limit) {
        (Some(Limit::Tolerance(a)), Some(Limit::Tolerance(b)))
        | (Some(Limit::AtMost(a)), Some(Limit::AtMost(b))) => b > a,
        (Some(Limit::Digits(a)), Some(Limit::Digits(b)))
        | (Some(Limit::AtLeast(a)), Some(Limit::AtLeast(b))) => b < a,
        _ => false,
    }
}

/// Errors so general that expecting them says little.
const ANY_ERROR: &[&str] = &[
    "Exception",
    "BaseException",
    "Error",
    "Throwable",
    "RuntimeException",
    "Exception.class",
    "Throwable.class",
];

/// Libraries do not draw the line between equal values and equal structures in the same place: `deepStrictEqual` is
/// `toEqual` to whoever moves from one to the other.
fn is_as_exact(before: &Assertion, after: &Assertion) -> bool {
    let library =
        |assertion: &Assertion| split(&assertion.text).find(|word| *word != "await").map(str::to_owned);
    after.claim.strength >= Strength::Value
        && key_of(&before.claim) == key_of(&after.claim)
        && library(before) != library(after)
}

/// Two kinds of error that are expected one after the other are both exact.
fn expects_another_error(old: &Claim, new: &Claim) -> bool {
    old.kind == ClaimKind::Raises && new.kind == ClaimKind::Raises && key_of(old) != key_of(new)
}

fn accepts_any_error(old: &Claim, new: &Claim) -> bool {
    let raises = |claim: &Claim| claim.kind == ClaimKind::Raises && !claim.negated;
    let general = |claim: &Claim| claim.expected.as_deref().is_none_or(|types| ANY_ERROR.contains(&types));
    raises(old) && raises(new) && !general(old) && general(new)
}

fn accepts_more(old: &Claim, new: &Claim) -> bool {
    if old.kind == ClaimKind::Raises && new.kind == ClaimKind::Raises {
        let message_gone = old.pattern.is_some() && new.pattern.is_none();
        return accepts_any_error(old, new) || message_gone || has_more_alternatives(old, new);
    }
    has_more_alternatives(old, new) && key(&old.subject) == key(&new.subject)
}

/// Whether what was expected is now one of several things that are fine.
fn has_more_alternatives(old: &Claim, new: &Claim) -> bool {
    let exact = new.strength >= Strength::Approximate;
    let (Some(old), Some(new)) = (&old.expected, &new.expected) else { return false };
    // `contains(a, b)` asks for both; `in (a, b)` and `a | b` are content with one.
    let lists = |text: &str| {
        let bracketed = text.starts_with(['(', '[', '{']) && text.contains(',');
        bracketed || text.contains('|') || text.contains(" or ")
    };
    let (few, many) = (words(old), words(new));
    !exact && lists(new) && many.len() > few.len() && share(&few, &many) >= 1.0
}
