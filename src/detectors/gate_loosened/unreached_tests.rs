//! Lists of what a runner looks at that were replaced by others, which leave out tests that are still there.

use super::ID;
use super::checks::{line_of, symbol};
use crate::detectors::ground::{GroundPair, settings_of};
use crate::detectors::report::Draft;
use crate::facts::{Setting, SettingValue};
use crate::finding::{Finding, Severity, Side};
use crate::text::plural;

/// `told` has what is known of settings already: a list that only lost some of its patterns is told of by these.
pub fn detect(pairs: &[GroundPair<'_>], told: &[Finding]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for pair in pairs {
        let (Some(before), Some(after)) = (pair.before, pair.after) else { continue };
        for unreached in &after.facts.unreached {
            let is_of_list = |setting: &&Setting| {
                setting.key == unreached.key && matches!(setting.value, SettingValue::Selects(_))
            };
            let lines = |side| settings_of(side).filter(is_of_list).map(|setting| setting.line);
            let is_told = told.iter().any(|finding| match finding.side {
                _ if finding.rule != ID => false,
                Side::Before => {
                    finding.path == before.file.path && lines(before).any(|line| line == finding.line)
                }
                Side::After => {
                    finding.path == after.file.path && lines(after).any(|line| line == finding.line)
                }
            });
            let Some(first) = &unreached.first else { continue };
            let Some(line) = lines(after).next().filter(|_| !is_told) else { continue };
            let name = unreached.key.rsplit('.').next().unwrap_or(&unreached.key);
            let draft = Draft {
                rule: ID,
                severity: Severity::High,
                confidence: 0.85,
                message: format!(
                    "{} of tests {} no longer reached by {name}, the first of them {}",
                    plural(unreached.files, "file"),
                    if unreached.files == 1 { "is" } else { "are" },
                    first
                ),
                help: format!("let the list reach them again ({}:{line})", after.file.path),
            };
            let mut finding = draft.on(Side::After, after.file, line, symbol(after.file, &unreached.key));
            finding.before =
                lines(before).next().and_then(|line| line_of(before.file, line, "these were looked at"));
            finding.after = line_of(after.file, line, "these are looked at");
            finding.lower(Severity::Medium, "the tests may be found another way");
            findings.push(finding);
        }
    }
    findings
}
