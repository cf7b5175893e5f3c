//! Workflows that were fine before and that no tool can read any more: nothing in them runs.

use super::ID;
use super::checks::{line_of, names, symbol};
use super::matching::counts;
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::Draft;
use crate::facts::{Check, Ground};
use crate::finding::{Finding, Severity, Side};
use crate::project::broken_at;

pub fn detect(pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    pairs.iter().filter_map(broken).collect()
}

/// Whether a file can no longer be read, so that there is nothing to compare in it.
pub fn is_broken(pair: &GroundPair<'_>) -> bool {
    let broken = |side: Option<GroundSide<'_>>| side.is_some_and(|side| place(&side).is_some());
    broken(pair.after) && !broken(pair.before)
}

/// Where a workflow stops being readable; a whole parser is needed for that.
fn place(side: &GroundSide<'_>) -> Option<u32> {
    let is_pipeline = side.facts.ground == Ground::Pipeline;
    is_pipeline.then(|| broken_at(&side.file.path, &side.file.text)).flatten()
}

fn broken(pair: &GroundPair<'_>) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let checks: Vec<&Check> = before.facts.checks.iter().filter(|check| counts(check)).collect();
    if checks.is_empty() {
        return None;
    }
    let line = place(&after).filter(|_| place(&before).is_none())?;
    let path = &after.file.path;
    let draft = Draft {
        rule: ID,
        severity: Severity::High,
        confidence: 0.85,
        message: format!("{path} is no valid YAML any more, so nothing runs {}", names(&checks)),
        help: format!("mend the file at {path}:{line}"),
    };
    let mut finding = draft.on(Side::After, after.file, line, symbol(after.file, ""));
    finding.after = line_of(after.file, line, "here a parser gives up");
    Some(finding)
}
