//! Rows of a test's table that are gone while the test stays: each was a test of its own, without a name.

use super::evidence;
use super::report::{Draft, excerpt, show_before};
use super::test_removed::ID;
use crate::comparison::{At, Comparison};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::text::plural;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let kept = comparison.pairing.fates.iter().filter_map(|(at, fate)| match fate {
        Fate::Same { after, .. } => Some((*at, *after)),
        _ => None,
    });
    kept.filter_map(|(before, after)| finding(comparison, before, after)).collect()
}

fn finding(comparison: &Comparison, before: At, after: At) -> Option<Finding> {
    let ((side, old), (_, new)) = (comparison.before(before), comparison.after(after));
    let (had, has) = (old.cases?, new.cases?);
    if has >= had
        || new.is_skipped()
        || loses_named_parts(comparison, before)
        || says_as_much(comparison, before, after)
    {
        return None;
    }
    let gone = (had - has) as usize;
    let draft = Draft {
        rule: ID,
        severity: Severity::Medium,
        confidence: 0.8,
        message: format!("the table of {} lost {} of {had}", old.qualified_name(), plural(gone, "row")),
        help: format!("put them back; this prints the test: {}", show_before(comparison, side, old.span)),
    };
    let mut finding = draft.on_test(Side::Before, side, old);
    finding.before = excerpt(side, old.span, old.line, "it had more rows");
    if let Some(reason) = evidence::for_removal(comparison, side, old) {
        finding.lower(Severity::Low, reason);
    } else if comparison.production.changed {
        finding
            .lower(Severity::Low, "production code changes with it, so what is right may have changed too");
    }
    Some(finding)
}

/// Whether the rows have names, and are missed by them.
fn loses_named_parts(comparison: &Comparison, at: At) -> bool {
    let (_, test) = comparison.before(at);
    let name = test.qualified_name();
    let lost = comparison
        .pairing
        .fates
        .iter()
        .filter(|(lost, fate)| lost.file == at.file && !matches!(fate, Fate::Same { .. }));
    lost.map(|(lost, _)| comparison.before(*lost).1).any(|part| part.suite.join("::") == name)
}

/// Whether all that the rows said is still said, there or in a new test.
fn says_as_much(comparison: &Comparison, before: At, after: At) -> bool {
    let ((_, old), (_, new)) = (comparison.before(before), comparison.after(after));
    let lost: Vec<u64> = old.words.iter().filter(|&word| !new.words.has_hash(word)).collect();
    let added = || comparison.pairing.added.iter().map(|&at| comparison.after(at).1);
    lost.iter().all(|&word| added().filter(|test| !test.is_skipped()).any(|test| test.words.has_hash(word)))
}
