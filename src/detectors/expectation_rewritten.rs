//! # expectation-rewritten (LP-024)
//!
//! What a test expects was changed while no production code did: the expected value itself, a constant or a parameter
//! row that holds it, the last value that a helper is given which asserts, a snapshot, or the input that it is expected for.
//!
//! Severity: medium where nothing but a plain value changed in a test or two, where one row of a table has another plain value
//! in a field that says what is expected (`want`, `expectErr`) or lacks it, or where nothing but snapshots and golden files
//! changed; low for everything else, for which many reasons other than a red test are known.
//!
//! ## Why it matters
//!
//! If the code did not change, either the old expectation was wrong or the new one is. Copying what the code gives into
//! the test turns a mistake into a promise.
//!
//! ## Example
//!
//! ```go
//! // before                                  // after
//! if got := Total(cart); got != 12 {         if got := Total(cart); got != 10 {
//! ```
//!
//! ## What is not reported
//!
//! - expectations that change together with production code, a dependency or a lock file
//! - the same value written in another way, and a value that is corrected together with the input it is made of
//! - snapshots that are only added to, or of which something only goes
//!
//! ## What to do
//!
//! Find out which of the two values is right. If it is the new one, say why in the commit message.

mod rows;
mod stored;

use super::asserting::{Group, Words, groups, was};
use super::table;
use crate::assertions::{Changed, How, View, split, word_counts};
use crate::collections::HashMap;
use crate::comparison::Comparison;
use crate::facts::{Assertion, Claim, ClaimKind, Health};
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("expectation-rewritten", "LP-024", FindingType::AssertionWeakening);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    if comparison.production.changed {
        return Vec::new();
    }
    let asserted = groups(comparison, &[How::Rewritten, How::Redirected]);
    let few = asserted.len() <= FEW;
    let mut findings: Vec<Finding> = asserted.iter().map(|group| finding(comparison, group, few)).collect();
    findings.extend(rows::detect(comparison));
    findings.extend(stored::detect(comparison));
    findings
}

/// More tests at once are brought up to date, not bent.
const FEW: usize = 2;

fn finding(comparison: &Comparison, group: &Group<'_>, few: bool) -> Finding {
    let first = group.first();
    let message = match first.how {
        How::Redirected => format!("{} asks for it of another input, and no code changes", group.name()),
        _ => format!("{} expects something else, and no code changes", group.name()),
    };
    let words = Words {
        message,
        help: format!("check which of the two is right; it was: {}", was(first)),
        labels: ["this was expected", "this is expected now"],
    };
    let mut finding = group.finding(ID, Severity::Medium, 0.7, words);
    if !few || !is_plain(group) {
        finding.lower(Severity::Low, "more than a plain value changed, as when tests are brought up to date");
    }
    group.weigh(comparison, &mut finding, Severity::Low);
    finding
}

/// Whether plain values were exchanged, and nothing else in the test.
fn is_plain(group: &Group<'_>) -> bool {
    let plain = |claim: &Claim| {
        let compares = matches!(claim.kind, ClaimKind::Value | ClaimKind::Failure | ClaimKind::Helper);
        compares && claim.expected.as_deref().is_none_or(is_value)
    };
    let exchanged = |changed: &&Changed| {
        let after = changed.after.as_ref().map(|after| &after.claim);
        changed.how == How::Rewritten && plain(&changed.before.claim) && after.is_some_and(plain)
    };
    let (before, after) = (group.before.file, group.after.file);
    let same_file = before.path == after.path && after.facts.health == Health::Clean;
    same_file && group.changes.iter().all(exchanged) && !changes_more(group) && !is_corrected(group)
}

/// Whether more words of the test changed than those of the assertions whose values were exchanged.
fn changes_more(group: &Group<'_>) -> bool {
    let [old, new] = [&group.before, &group.after].map(word_counts);
    let was = told(group.changes.iter().map(|changed| &changed.before));
    let is = told(group.changes.iter().filter_map(|changed| changed.after.as_ref()));
    let more = |here: &Counts, there: &Counts, told: &Counts| {
        let count = |counts: &Counts, word: &str| counts.get(word).copied().unwrap_or(0);
        here.iter().any(|(word, times)| *times > count(there, word) + count(told, word))
    };
    more(&old, &new, &was) || more(&new, &old, &is)
}

/// Whether what is expected is given to the code as well, and was exchanged there in the same way.
fn is_corrected(group: &Group<'_>) -> bool {
    let elsewhere = |view: &View<'_>, assertion: Option<&Assertion>| {
        let Some(one) = assertion else { return false };
        let value = one.claim.expected.as_deref().filter(|value| value.len() >= TELLING).unwrap_or_default();
        let mut lines = (view.span.start..).zip(view.file.lines(view.span));
        // A name that holds it is no input.
        !value.is_empty()
            && one.text.contains(value)
            && lines.any(|(number, line)| number < one.line && line.contains(value))
    };
    group.changes.iter().any(|changed| {
        elsewhere(&group.before, Some(&changed.before)) && elsewhere(&group.after, changed.after.as_ref())
    })
}

/// Shorter values are found by chance.
const TELLING: usize = 5;

/// How often words stand somewhere.
type Counts = HashMap<String, usize>;

/// The words of assertions and of what they expect, which may have been given a name first.
fn told<'a>(assertions: impl Iterator<Item = &'a Assertion>) -> Counts {
    let mut counts = Counts::new();
    for assertion in assertions {
        let mut own = count(&assertion.text);
        for (word, times) in count(assertion.claim.expected.as_deref().unwrap_or_default()) {
            let there = own.entry(word).or_default();
            // What only fails says nothing of what is expected.
            let apart = assertion.claim.kind == ClaimKind::Failure;
            *there = if apart { *there + times } else { times.max(*there) };
        }
        own.into_iter().for_each(|(word, times)| *counts.entry(word).or_default() += times);
    }
    counts
}

fn count(text: &str) -> Counts {
    let mut counts = Counts::new();
    split(text).for_each(|word| *counts.entry(word.to_owned()).or_default() += 1);
    counts
}

/// A number, a word or a string without anything around it.
fn is_value(text: &str) -> bool {
    let quoted = text.starts_with(['"', '\'', '`']) && text.ends_with(['"', '\'', '`']);
    let filled_in = text.contains("${");
    quoted && !filled_in && !text.contains('\n')
        || text.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-'))
}
