//! Hooks in the tree, of git or of coding agents, that no longer check anything.

use super::ID;
use crate::comparison::{Comparison, FileSide};
use crate::detectors::ground::{GroundPair, GroundSide};
use crate::detectors::report::{Draft, excerpt, restore};
use crate::facts::{CheckClass, Ground, Span};
use crate::finding::{Finding, Severity, Side};

pub fn detect(comparison: &Comparison, pairs: &[GroundPair<'_>]) -> Vec<Finding> {
    // One manager of hooks replaced by another keeps what they check.
    let gains = pairs.iter().any(|pair| {
        let count = |side: Option<GroundSide<'_>>| side.map_or(0, |side| hooked(&side));
        count(pair.after) > count(pair.before)
    });
    if gains {
        return Vec::new();
    }
    pairs.iter().filter_map(|pair| emptied(comparison, pair)).collect()
}

/// How many checks hooks run.
fn hooked(side: &GroundSide<'_>) -> usize {
    let is_hook = side.facts.ground == Ground::Hooks;
    let in_package = |place: &str| {
        ["lint-staged", "simple-git-hooks", "husky", "pre-commit"]
            .iter()
            .any(|start| place.starts_with(start))
    };
    side.facts.checks.iter().filter(|check| is_hook || in_package(&check.place)).count()
        + usize::from(calls_gate(side.file))
}

/// Hooks that call this gate count whatever else they do.
fn calls_gate(file: &FileSide) -> bool {
    crate::text::contains(&file.text, b"aiwg-gate") || crate::text::contains(&file.text, b"lint-staged")
}

fn emptied(comparison: &Comparison, pair: &GroundPair<'_>) -> Option<Finding> {
    let before = pair.before.filter(|side| side.facts.ground == Ground::Hooks)?;
    let after = pair.after.map_or(0, |side| hooked(&side));
    let mattered =
        before.facts.checks.iter().any(|check| check.class != CheckClass::Format) || calls_gate(before.file);
    if !mattered || after > 0 {
        return None;
    }
    let what = if pair.after.is_some() { "no longer checks anything" } else { "was deleted" };
    let line = before.facts.checks.first().map_or(1, |check| check.line);
    let draft = Draft {
        rule: ID,
        severity: Severity::Critical,
        confidence: 0.85,
        message: format!("the hooks of {} went: the file {what}", before.file.path),
        help: format!("bring it back: {}", restore(comparison, before.file)),
    };
    let mut finding = draft.on(Side::Before, before.file, line, before.file.path.clone());
    finding.before = excerpt(before.file, Span { start: line, end: line }, line, "this ran before a commit");
    let runs_in_ci = before
        .facts
        .elsewhere
        .iter()
        .any(|check| before.facts.checks.iter().any(|own| own.class == check.class));
    if runs_in_ci && !crate::text::contains(&before.file.text, b"aiwg-gate") {
        finding.lower(Severity::Medium, "checks of the same kind still run in CI");
    }
    Some(finding)
}
