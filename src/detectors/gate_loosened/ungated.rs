//! Jobs that others waited for, and no longer do: one that stands for all of them, or one that hands the result on.

use super::ID;
use super::checks::{line_of, symbol};
use super::matching::counts;
use crate::detectors::ground::GroundPair;
use crate::detectors::report::Draft;
use crate::finding::{Finding, Severity, Side};

/// Jobs that a job which stands for the others no longer waits for.
pub fn ungated(pair: &GroundPair<'_>) -> Vec<Finding> {
    let (Some(before), Some(after)) = (pair.before, pair.after) else { return Vec::new() };
    let mut findings = Vec::new();
    // A job that waits for one other only comes behind it, unless it hands on what that looked at.
    for old in before.facts.gates.iter().filter(|gate| gate.ships || gate.needs.len() > 1) {
        let Some(new) = after.facts.gates.iter().find(|gate| gate.name == old.name) else { continue };
        let checks = |job: &str| {
            after.facts.checks.iter().any(|check| counts(check) && check.place.split('/').next() == Some(job))
        };
        let dropped =
            old.needs.iter().filter(|job| !new.needs.contains(job) && after.facts.jobs.contains(job));
        for job in dropped.filter(|job| checks(job)) {
            let draft = Draft {
                rule: ID,
                severity: Severity::High,
                confidence: 0.85,
                message: format!(
                    "`{}` no longer waits for the job `{job}`, so it passes when that fails",
                    new.name
                ),
                help: format!(
                    "list {job} under `needs` of {} again ({}:{})",
                    new.name, after.file.path, new.line
                ),
            };
            let mut finding = draft.on(
                Side::After,
                after.file,
                new.line,
                symbol(after.file, &format!("{}/{job}", new.name)),
            );
            finding.after = line_of(after.file, new.line, "this stands for all jobs");
            if new.ships {
                finding.message = format!(
                    "`{}` no longer waits for the job `{job}`, so what that finds does not stop it",
                    new.name
                );
                finding.lower(Severity::Medium, "the job itself still runs");
            }
            findings.push(finding);
        }
    }
    findings
}
