//! Rows of a test's table that are gone while the test stays: each was a test of its own, without a name.

use super::ID;
use crate::assertions::split;
use crate::collections::HashSet;
use crate::comparison::{At, Comparison};
use crate::detectors::evidence;
use crate::detectors::relation::{self, About};
use crate::detectors::report::{Draft, excerpt, show_before};
use crate::facts::Test;
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::similarity::hash;
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
    let (had, has) = rows(old, new)?;
    if has >= had || new.is_skipped() || loses_named_parts(comparison, before) {
        return None;
    }
    let said = match old.rows.is_empty() || new.rows.is_empty() {
        true => says_as_much(comparison, before, after),
        false => rows_live_on(comparison, old, new),
    };
    if said {
        return None;
    }
    let gone = had - has;
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
        let lost: Vec<&str> =
            old.rows.iter().filter(|row| !new.rows.contains(row)).map(String::as_str).collect();
        let about = About { side, test: Some(old), text: &lost.join(" ") };
        relation::lower(comparison, &mut finding, Severity::Low, about);
    }
    Some(finding)
}

/// How many rows the table of a test had and has: as they are written, or else as they are counted.
fn rows(old: &Test, new: &Test) -> Option<(usize, usize)> {
    if !old.rows.is_empty() && !new.rows.is_empty() {
        return Some((old.rows.len(), new.rows.len()));
    }
    Some((old.cases? as usize, new.cases? as usize))
}

/// Whether what the lost rows say is said by new rows, by new words of the test, or in a new test.
fn rows_live_on(comparison: &Comparison, old: &Test, new: &Test) -> bool {
    let less = |rows: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<&String> = others.iter().collect();
        rows.iter().filter(|row| !others.contains(row)).cloned().collect()
    };
    let words = |rows: &[String]| -> HashSet<u64> {
        rows.iter().flat_map(|row| split(row)).map(|word| hash(word.as_bytes())).collect()
    };
    let (lost, fresh) = (words(&less(&old.rows, &new.rows)), words(&less(&new.rows, &old.rows)));
    let added = || comparison.pairing.added.iter().map(|&at| comparison.after(at).1);
    let mut open: HashSet<u64> = lost.difference(&fresh).copied().collect();
    open.retain(|&word| !new.words.has_hash(word) || old.words.has_hash(word));
    for test in added().filter(|test| !test.is_skipped()).take(NEARBY) {
        open.retain(|&word| !test.words.has_hash(word));
    }
    open.is_empty()
}

/// So many new tests are looked at for what rows said.
const NEARBY: usize = 500;

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
