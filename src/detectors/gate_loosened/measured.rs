//! Commands and uploads that measure coverage: gone, or no longer started by pull requests. The rule about coverage
//! reports them.

use super::broken::is_broken;
use super::checks::{label, line_of, symbol};
use super::gone::{self, Asked};
use super::matching::{Matched, Whole, counts};
use super::triggers;
use crate::comparison::Comparison;
use crate::detectors::ground::{GroundPair, Pool};
use crate::detectors::report::Draft;
use crate::facts::{Check, CheckClass, Trigger};
use crate::finding::{Finding, RuleId, Severity, Side};

pub fn detect(
    comparison: &Comparison,
    pairs: &[GroundPair<'_>],
    pool: &Pool<'_>,
    rule: &RuleId,
) -> Vec<Finding> {
    let matched: Vec<Matched<'_>> = pairs.iter().map(Matched::of).collect();
    let whole = Whole::of(pairs, &matched);
    let asked = Asked { rule: rule.clone(), is_ours: |check| check.class == CheckClass::Coverage };
    let mut findings = Vec::new();
    for (pair, matched) in pairs.iter().zip(&matched) {
        let found = gone::detect(comparison, pair, matched, &whole, pool, &asked);
        if !found.is_empty() && !is_broken(pair) {
            findings.extend(found);
        }
    }
    // Where the tests are no longer started either, that is told by itself.
    if triggers::detect(pairs).is_empty() {
        findings.extend(pairs.iter().filter_map(|pair| untriggered(pair, rule)));
    }
    findings
}

/// A workflow that measured what was asked to be merged, and no longer does.
fn untriggered(pair: &GroundPair<'_>, rule: &RuleId) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let measures = |check: &&Check| check.class == CheckClass::Coverage && counts(check);
    let check = after.facts.checks.iter().find(measures)?;
    let pulls = |triggers: &[Trigger]| triggers.iter().any(Trigger::is_of_pulls);
    if !pulls(&before.facts.triggers)
        || pulls(&after.facts.triggers)
        || before.facts.on_pulls_elsewhere.contains(&check.signature)
    {
        return None;
    }
    let line = after.facts.triggers.first().map_or(1, |trigger| trigger.line);
    let draft = Draft {
        rule: rule.clone(),
        severity: Severity::Medium,
        confidence: 0.85,
        message: format!(
            "{} no longer runs on pull requests, so `{}` does not measure them",
            after.file.path,
            label(check)
        ),
        help: format!("list pull_request under `on` again in {}:{line}", after.file.path),
    };
    let mut finding = draft.on(Side::After, after.file, line, symbol(after.file, "on"));
    finding.after = line_of(after.file, line, "pull requests no longer start it");
    Some(finding)
}
