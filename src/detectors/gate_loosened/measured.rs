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
use crate::facts::{Check, CheckClass, Mark, Trigger};
use crate::finding::{Finding, RuleId, Severity, Side};
use crate::project::is_narrower;
use crate::text::clipped;

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
    for (pair, matched) in pairs.iter().zip(&matched) {
        findings.extend(conditioned(pair, matched, rule));
    }
    // Where the tests are no longer started either, that is told by itself.
    if triggers::detect(pairs).is_empty() {
        findings.extend(pairs.iter().filter_map(|pair| untriggered(pair, rule)));
    }
    findings
}

/// What measures, or hands on what was measured, in fewer rows of the matrix than before.
fn conditioned(pair: &GroundPair<'_>, matched: &Matched<'_>, rule: &RuleId) -> Option<Finding> {
    let (before, after) = (pair.before?, pair.after?);
    let speaks = |check: &Check| {
        let text = format!("{} {}", check.place, check.text).to_lowercase();
        ["coverage", "codecov", "coveralls"].iter().any(|word| text.contains(word))
    };
    let measures = |check: &Check| {
        check.class == CheckClass::Coverage || check.class == CheckClass::Test && speaks(check)
    };
    let (old, new) = matched.kept.iter().find(|(old, new)| {
        let was = old.around.condition.as_ref().map(|mark| mark.text.as_str());
        let narrows = |mark: &Mark| is_narrower(was, &mark.text);
        measures(new) && counts(old) && new.around.condition.as_ref().is_some_and(narrows)
    })?;
    let mark = new.around.condition.as_ref()?;
    let draft = Draft {
        rule: rule.clone(),
        severity: Severity::High,
        confidence: 0.8,
        message: format!(
            "`{}` measures in fewer cases than before: {}",
            label(new),
            clipped(&mark.text, 120)
        ),
        help: format!("let it run as often as before at {}:{}", after.file.path, mark.line),
    };
    let mut finding = draft.on(Side::After, after.file, mark.line, symbol(after.file, &new.place));
    let was = old.around.condition.as_ref().map_or(old.line, |mark| mark.line);
    finding.before = line_of(before.file, was, "it ran here");
    finding.after = line_of(after.file, mark.line, "now it runs in fewer cases");
    finding.lower(Severity::Medium, "other cases are still measured");
    Some(finding)
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
