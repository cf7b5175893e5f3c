//! # tolerance-widened (GP-104)
//!
//! An assertion lets more through than before: its tolerance grew, its bound was relaxed, it accepts more kinds of
//! error or more values, a filter leaves out a part of what must not be there, a wildcard or a matcher that takes anything
//! stands in the place of a value, less of a pattern is left, the order no longer counts (be it that the test sorts first),
//! any of several things will do for all of them, calls are no longer counted, a link of a chain of checks is gone, only
//! a part, the sign, kind or size of both sides is compared, a line of expected output became a wildcard, an
//! option leaves fields or the order out of a comparison or a snapshot, a pattern takes one more alternative, a `match`
//! that is content with several answers stands in the place of a comparison, or an expectation that is put together lost a
//! part that had to hold or got one more that is enough (`a.and(b)`, `anyOf(a, b)`).
//!
//! Severity: high; medium where production code changes with it, where only the order is lost, where the limit moves with
//! another number of the test, and where a part is still compared or looked for, or both sides are made alike first: these
//! are low if production code changes with it that has to do with the test.
//!
//! ## Why it matters
//!
//! Results that would have failed the test pass it now, and nothing else about the test tells.
//!
//! ## Example
//!
//! ```python
//! # before                                          # after
//! assert mean(data) == approx(3.5, abs=0.01)        assert mean(data) == approx(3.5, abs=0.5)
//! with pytest.raises(InvalidDate):                  with pytest.raises(Exception):
//! ```
//!
//! ## What is not reported
//!
//! - a narrower tolerance, a tighter bound, a more specific error
//! - another expected value with the same tolerance
//! - a text without wildcards that is merely shorter: that is another value
//!
//! ## What to do
//!
//! Put the old limit back and find out why the code misses it. If the limit was wrong, say in the test why.

use super::asserting::{Group, Words, groups, was};
use super::edits;
use super::table;
use crate::assertions::{Changed, How, ignores_more, split, word_counts};
use crate::collections::{HashMap, HashSet};
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("tolerance-widened", "GP-104", FindingType::AssertionWeakening);

const KINDS: &[How] = &[
    How::Loosened,
    How::Broadened,
    How::Shortened,
    How::Unordered,
    How::Reduced,
    How::Evened,
    How::Narrowed,
];

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings: Vec<Finding> =
        groups(comparison, KINDS).iter().map(|group| finding(comparison, group)).collect();
    let told: Vec<String> = findings.iter().map(|finding| finding.symbol.clone()).collect();
    let read = edits::detect(comparison, edits::Part::Widened);
    findings.extend(read.into_iter().filter(|finding| !told.contains(&finding.symbol)));
    findings
}

fn finding(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let first = group.first();
    let message = match first.how {
        How::Loosened => format!("a limit in {} lets more through than before", group.name()),
        How::Shortened => format!("{} looks for less of a text", group.name()),
        How::Unordered => format!("{} no longer asks for the order", group.name()),
        How::Narrowed => format!("{} looks only at a part of what it looked at", group.name()),
        How::Reduced => format!("{} compares only a property of both sides", group.name()),
        How::Evened => format!("{} makes both sides alike before it compares them", group.name()),
        _ => format!("{} accepts more than before", group.name()),
    };
    let words = Words {
        message,
        help: format!("put it back: {}", was(first)),
        labels: ["this was let through", "this lets more through"],
    };
    let mut finding = group.finding(ID, Severity::High, 0.85, words);
    let all = |how: How| group.changes.iter().all(|changed| changed.how == how);
    let partly = all(How::Shortened) || all(How::Evened) || all(How::Narrowed);
    let with_code = if partly { Severity::Low } else { Severity::Medium };
    if all(How::Unordered) {
        finding.lower(Severity::Medium, "the values are still asked for, in any order");
    } else if all(How::Shortened) {
        finding.lower(Severity::Medium, "a part of the text is still looked for");
    } else if all(How::Narrowed) {
        finding.lower(Severity::Medium, "a part is still compared");
    } else if all(How::Evened) {
        finding.lower(Severity::Medium, "the rest of the values is still compared");
    } else if all(How::Loosened) && follows_input(group) {
        finding.lower(Severity::Medium, "the same number changes elsewhere in the test");
    } else if group.changes.iter().all(|changed| changed.how == How::Broadened && is_stored(changed)) {
        finding.lower(Severity::Medium, "what it expects is a long text, most of which still stands there");
    }
    if group.changes.iter().all(leaves_fields_out) {
        finding.lower(Severity::Medium, "the rest is still compared");
    }
    if group.changes.iter().all(|changed| changed.how == How::Broadened && takes_one_more_of_a_kind(changed))
    {
        finding.lower(Severity::Medium, "what it accepts is numbered, and one more number is accepted");
    }
    group.weigh(comparison, &mut finding, with_code);
    finding
}

fn leaves_fields_out(changed: &&Changed) -> bool {
    let after = changed.after.as_ref();
    changed.how == How::Broadened && after.is_some_and(|after| ignores_more(&changed.before, after))
}

/// Whether each limit moves with another number of the test, which it may follow: how long is waited, how many are made.
fn follows_input(group: &Group<'_>) -> bool {
    let [before, after] = [&group.before, &group.after].map(word_counts);
    let follows = |changed: &&Changed| {
        let was: HashSet<&str> = numbers(&changed.before.text).collect();
        let text = changed.after.as_ref().map_or("", |after| after.text.as_str());
        let is: HashSet<&str> = numbers(text).collect();
        let elsewhere = |counts: &HashMap<String, usize>, text: &str, number: &str| {
            counts.get(number).copied().unwrap_or(0) > numbers(text).filter(|word| *word == number).count()
        };
        let gone = was.difference(&is).any(|number| elsewhere(&before, &changed.before.text, number));
        let new = is.difference(&was).any(|number| elsewhere(&after, text, number));
        gone && new
    };
    group.changes.iter().all(follows)
}

fn numbers(text: &str) -> impl Iterator<Item = &str> {
    split(text).filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
}

/// Whether what an assertion accepts more differs in its number alone from what it accepted: `java23() || java24()`.
fn takes_one_more_of_a_kind(changed: &Changed) -> bool {
    let names = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let kind = |name: &str| name.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
    let before = names(&changed.before.text);
    let after = changed.after.as_ref().map(|after| names(&after.text)).unwrap_or_default();
    let mut new = after.iter().filter(|name| !before.contains(name)).peekable();
    let is_numbered = |name: &String| kind(name) != *name && !kind(name).is_empty();
    let is_kin = |name: &String| before.iter().any(|other| is_numbered(other) && kind(other) == kind(name));
    new.peek().is_some() && new.all(|name| is_numbered(name) && is_kin(name))
}

/// Longer expectations are texts that a program printed once, not values that somebody thought of.
const STORED: usize = 120;

fn is_stored(changed: &Changed) -> bool {
    let after = changed.after.as_ref().and_then(|after| after.claim.expected.as_ref());
    changed.before.claim.expected.iter().chain(after).any(|text| text.len() > STORED || text.contains('\n'))
}
