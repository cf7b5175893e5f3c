//! Tests that are set aside rather than switched off: a half that becomes a skipped test of its own, a place for what
//! nobody trusts, a focus that leaves out other files.

use super::ID;
use crate::collections::{HashMap, HashSet};
use crate::comparison::{At, Comparison, FileSide};
use crate::detectors::report::{Draft, excerpt};
use crate::facts::{SkipKind, Span, Test};
use crate::finding::{Finding, Severity, Side};
use crate::pairing::Fate;
use crate::text::name_words;

pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings = focused(comparison);
    findings.extend(put_away(comparison));
    findings
}

/// Files in which something is focused now that nothing beside it is left out of: the focus may hold for the whole run.
fn focused(comparison: &Comparison) -> Vec<Finding> {
    let of_file = |file: &crate::comparison::FileComparison| {
        let side = file.after.as_ref()?;
        let line = side.facts.collection.focused?;
        let was = file.before.as_ref().and_then(|before| before.facts.collection.focused);
        let leaves_out = |test: &Test| test.skip.as_ref().is_some_and(|skip| skip.kind == SkipKind::Focus);
        let known = file.before.as_ref().map_or(0, |before| before.facts.tests.len());
        let told = known > 0 && side.facts.tests.iter().any(leaves_out);
        if was.is_some() || told {
            return None;
        }
        let draft = Draft {
            rule: ID,
            severity: Severity::Medium,
            confidence: 0.85,
            message: format!("a focus in {} may leave out the tests of all other files", side.path),
            help: format!("take the focus off at {}:{line}, so that all tests run", side.path),
        };
        let mut finding = draft.on(Side::After, side, line, side.path.clone());
        finding.after = excerpt(side, Span { start: line, end: line }, line, "only this runs");
        Some(finding)
    };
    comparison.files.iter().filter_map(of_file).collect()
}

/// Words of places for tests that are not to be trusted, and so often not run.
const DISTRUSTED: &[&str] = &["flaky", "quarantine", "quarantined", "unstable", "disabled", "broken"];

/// Tests that moved to such a place.
fn put_away(comparison: &Comparison) -> Vec<Finding> {
    let moved = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } => Some((*before, *after)),
        _ => None,
    });
    let finding = |(before, after): (At, At)| {
        let ((old_side, old), (side, new)) = (comparison.before(before), comparison.after(after));
        if old.suite == new.suite && old_side.path == side.path || new.is_skipped() {
            return None;
        }
        let word = distrust(side, new).filter(|_| distrust(old_side, old).is_none())?;
        let name = old.qualified_name();
        let draft = Draft {
            rule: ID,
            severity: Severity::Medium,
            confidence: 0.8,
            message: format!(
                "the test {name} moved to what is called {word}, and may not run with the others"
            ),
            help: "mend it where it was, or make sure that what is there runs".to_owned(),
        };
        let mut finding = draft.on_test(Side::After, side, new);
        finding.before = excerpt(old_side, old.span, old.line, "it ran here");
        finding.after = excerpt(side, new.span, new.line, "it is here now");
        Some(finding)
    };
    moved.filter_map(finding).take(MOST).collect()
}

/// More tests at once are moved for another reason.
const MOST: usize = 5;

fn distrust(side: &FileSide, test: &Test) -> Option<&'static str> {
    let names = side.path.split('/').chain(test.suite.iter().map(String::as_str));
    let words: HashSet<String> = names.flat_map(name_words).collect();
    DISTRUSTED.iter().copied().find(|word| words.contains(*word))
}

/// Why a new test that starts out skipped takes something away: lines of a kept test of its file that are gone there stand
/// in it.
pub fn taken_from(comparison: &Comparison, at: At) -> Option<String> {
    let (side, test) = comparison.after(at);
    let old_side = comparison.files[at.file].before.as_ref()?;
    let mut own = counts(side, test);
    let kept = comparison.pairing.fates.iter().filter_map(|(before, fate)| match fate {
        Fate::Same { after, .. } if before.file == at.file && after.file == at.file => {
            Some((*before, *after))
        }
        _ => None,
    });
    for (before, after) in kept {
        let (old, new) = (comparison.before(before).1, comparison.after(after).1);
        if old.body == new.body || new.is_skipped() || old.assertions.len() <= new.assertions.len() {
            continue;
        }
        let (was, is) = (counts(old_side, old), counts(side, new));
        let lost: Vec<(&String, usize)> = was
            .iter()
            .map(|(line, count)| (line, count.saturating_sub(is.get(line).copied().unwrap_or(0))))
            .filter(|(_, count)| *count > 0)
            .collect();
        let total: usize = lost.iter().map(|(_, count)| count).sum();
        let found: usize = lost.iter().map(|(line, count)| own.remove(*line).unwrap_or(0).min(*count)).sum();
        let is_long = || lost.iter().all(|(line, _)| line.len() >= LONG_LINE);
        if (total >= FEW_LINES || total == 1 && is_long()) && found * 4 >= total * 3 {
            return Some(old.qualified_name());
        }
    }
    None
}

/// Fewer lines are found again by chance, unless one has much to say.
const FEW_LINES: usize = 2;
const LONG_LINE: usize = 30;

/// How often each line of a test stands there, those that say nothing aside.
fn counts(side: &FileSide, test: &Test) -> HashMap<String, usize> {
    let mut counts = HashMap::new();
    for line in side.lines(test.span) {
        let line = line.trim();
        let comment = line.starts_with("//") || line.starts_with('#') || line.starts_with('*');
        if line.len() >= SHORTEST && !comment {
            *counts.entry(line.to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Shorter lines are brackets and the like.
const SHORTEST: usize = 8;
