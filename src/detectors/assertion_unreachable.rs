//! # assertion-unreachable (GP-105)
//!
//! An assertion is still written down, but stands where it cannot fail the test: after a return, in a branch that never
//! runs, in a `try` that forgets errors, in a function nobody calls, in a promise nobody waits for, or under a condition
//! on the very value that it looks at, be it an arm of a `switch` that lets others pass.
//!
//! Severity: high; medium where production code changes with it, and for an arm of a `switch`. A condition on something else
//! is worth a warning where no other way through the test asks for the same.
//!
//! ## Why it matters
//!
//! It looks like a check to every reader, and checks nothing.
//!
//! ## Example
//!
//! ```python
//! # before                                  # after
//! assert cart.total(tax=0.2) == 12          try:
//!                                               assert cart.total(tax=0.2) == 12
//!                                           except Exception:
//!                                               pass
//! ```
//!
//! ## What is not reported
//!
//! - an assertion that could not fail the test before either
//! - a `try` whose handler fails the test, asserts, or raises again
//! - conditions with an `else` that asks for the same, and those that another assertion makes sure of
//! - conditions on the platform: the rule about skipped tests tells of those
//!
//! ## What to do
//!
//! Move the assertion to where it runs, wait for the promise, let the error through, or assert the condition too.

use super::asserting::{Group, Words, groups};
use super::skips::came_on_again;
use super::table;
use super::test_skipped::under_conditions;
use crate::assertions::How;
use crate::comparison::Comparison;
use crate::facts::Reach;
use crate::finding::{Finding, FindingType, RuleId, Severity};

pub const ID: RuleId = table::id("assertion-unreachable", "GP-105", FindingType::AssertionWeakening);

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let unreachable = groups(comparison, &[How::Unreachable]);
    let guarded = groups(comparison, &[How::Guarded]);
    let found = unreachable.iter().map(|group| finding(comparison, group));
    let mut sometimes = groups(comparison, &[How::Sometimes]);
    if !sometimes.is_empty() {
        // Of tests that only run in some places the rule about skips tells.
        let told: Vec<String> =
            under_conditions::detect(comparison).into_iter().map(|finding| finding.symbol).collect();
        sometimes.retain(|group| !told.contains(&group.after.symbol()) && !came_on(group));
    }
    let found = found.chain(guarded.iter().map(|group| conditional(comparison, group)));
    found.chain(sometimes.iter().map(|group| sometime(comparison, group))).collect()
}

/// Whether the test was expected to fail, or did not run, and from now on has to pass.
fn came_on(group: &Group<'_>) -> bool {
    let tests = group.before.test.zip(group.after.test);
    tests.is_some_and(|(old, new)| came_on_again((group.before.file, old), (group.after.file, new)))
}

/// It still runs where the condition holds.
fn sometime(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let condition = group.first().after.as_ref().and_then(|after| after.under.as_deref()).unwrap_or_default();
    let words = Words {
        message: format!("an assertion of {} now runs only if `{condition}`", group.name()),
        help: format!("make sure that `{condition}` is false only where the assertion cannot hold"),
        labels: ["this always ran", "this runs under a condition"],
    };
    let mut finding = group.finding(ID, Severity::Medium, 0.75, words);
    group.weigh(comparison, &mut finding, Severity::Low);
    finding
}

fn conditional(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let condition = group.first().after.as_ref().and_then(|after| after.under.as_deref()).unwrap_or_default();
    let words = Words {
        message: format!(
            "an assertion of {} now depends on `{condition}`: where it matters, it does not run",
            group.name()
        ),
        help: format!("assert it whatever `{condition}` gives, or assert that too"),
        labels: ["this always ran", "this runs only if the value is as expected"],
    };
    let mut finding = group.finding(ID, Severity::High, 0.8, words);
    if condition.contains('{') {
        finding.lower(Severity::Medium, "other cases may fail by themselves");
    }
    group.weigh(comparison, &mut finding, Severity::Medium);
    finding
}

fn finding(comparison: &Comparison, group: &Group<'_>) -> Finding {
    let reach = group.first().after.as_ref().map(|after| after.reach).unwrap_or_default();
    let words = Words {
        message: format!("an assertion of {} can no longer fail it: {}", group.name(), reason(reach)),
        help: match reach {
            Reach::NotAwaited => "wait for it: await or return the promise".to_owned(),
            _ => "move it to where it runs and its failure is seen".to_owned(),
        },
        labels: ["this could fail the test", "this cannot"],
    };
    let mut finding = group.finding(ID, Severity::High, 0.85, words);
    group.weigh(comparison, &mut finding, Severity::Medium);
    finding
}

fn reason(reach: Reach) -> &'static str {
    match reach {
        Reach::Swallowed => "the error is caught and forgotten",
        Reach::NotAwaited => "nobody waits for the promise it is in",
        Reach::NeverCalled => "nobody calls the function it is in",
        Reach::Dead => "it is never reached",
        Reach::Always | Reach::Branch => "it is not reached any more",
    }
}
