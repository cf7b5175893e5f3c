//! Jobs that a pipeline no longer has, though another one runs the same tool: their system, features or set-up is no
//! longer tried.

use super::ID;
use super::checks::{line_of, names, symbol};
use super::matching::{Matched, Whole, counts};
use crate::comparison::Comparison;
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::{Draft, show_before};
use crate::facts::{About, Check, CheckClass, Ground, Span};
use crate::finding::{Finding, Severity, Side};
use crate::project::is_named;
use crate::text::clipped;

pub fn detect(
    comparison: &Comparison,
    pairs: &[GroundPair<'_>],
    pair: &GroundPair<'_>,
    matched: &Matched<'_>,
    whole: &Whole<'_>,
) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let is_pipeline = before.facts.ground == Ground::Pipeline && !after.facts.jobs.is_empty();
    // Tests that are new anywhere, and rows or whole files, may be where the job went.
    let has_grown = whole.added.contains(&CheckClass::Test)
        || pairs.iter().any(|pair| pair.before.is_none())
        || has_more_rows(&before, &after)
        || after.facts.jobs.iter().any(|job| !before.facts.jobs.contains(job));
    if !is_pipeline || has_grown || before.facts.on_changes == Some(false) {
        return Vec::new();
    }
    let gone = before.facts.jobs.iter().filter(|job| !after.facts.jobs.contains(job));
    let jobs = gone.filter_map(|job| finding(comparison, &before, whole, job));
    let is_kept = |check: &&Check| {
        check.place.split('/').next().is_some_and(|job| after.facts.jobs.iter().any(|it| it == job))
    };
    let steps = matched.gone.iter().copied().filter(|check| check.class == CheckClass::Test && counts(check));
    let steps = steps.filter(is_kept).filter_map(|check| otherwise(comparison, &before, whole, &[check]));
    jobs.chain(steps).collect()
}

/// Tests that are still run, but no longer with what they were given here.
fn otherwise(
    comparison: &Comparison,
    before: &GroundSide<'_>,
    whole: &Whole<'_>,
    tests: &[&Check],
) -> Option<Finding> {
    let check = *tests.iter().find(|check| whole.has_text(check) && !whole.has_given(check))?;
    let given: Vec<&str> = check.around.given.iter().map(String::as_str).take(3).collect();
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("{} is no longer run with {}", names(&[check]), clipped(&given.join(", "), 120)),
        help: format!(
            "put it back; this prints it: {}",
            show_before(comparison, before.file, Span { start: check.line, end: check.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, check.line, symbol(before.file, &check.place));
    finding.before = line_of(before.file, check.line, "this ran");
    finding.lower(Severity::Medium, "the same command still runs without that");
    Some(finding)
}

/// Whether a matrix has a row that it did not have.
fn has_more_rows(before: &GroundSide<'_>, after: &GroundSide<'_>) -> bool {
    let mut rows = after.facts.settings.iter().filter(|setting| setting.about == About::Rows);
    rows.any(|new| !before.facts.settings.iter().any(|old| (&old.key, &old.value) == (&new.key, &new.value)))
}

fn finding(
    comparison: &Comparison,
    before: &GroundSide<'_>,
    whole: &Whole<'_>,
    job: &str,
) -> Option<Finding> {
    let of_job = |check: &&Check| check.place.split('/').next() == Some(job);
    let tests: Vec<&Check> = before
        .facts
        .checks
        .iter()
        .filter(of_job)
        .filter(|check| check.class == CheckClass::Test && counts(check))
        .collect();
    let first = *tests.iter().find(|check| !is_named(check))?;
    // What nothing runs any more is told by itself; the same command in another job is not lost.
    let is_told = tests.iter().any(|check| !whole.runs(check));
    if is_told {
        return None;
    }
    if tests.iter().all(|check| whole.has_text(check)) {
        return otherwise(comparison, before, whole, &tests);
    }
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.8,
        message: format!("the job {job}, which ran {}, was removed", names(&tests)),
        help: format!(
            "put it back; this prints where it started: {}",
            show_before(comparison, before.file, Span { start: first.line, end: first.line })
        ),
    };
    let mut finding = draft.on(Side::Before, before.file, first.line, symbol(before.file, job));
    finding.before = line_of(before.file, first.line, "this ran");
    finding.lower(Severity::Medium, "other jobs still run the same tool");
    Some(finding)
}
