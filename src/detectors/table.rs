//! The one table of rules.

use std::borrow::Cow;

use super::{
    project, suite_disabled, test_commented_out, test_removed, test_skipped, test_unreadable,
    weakened_and_uncovered,
};
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId, Severity, number_repeats};
use crate::policy::Pattern;

pub struct Rule {
    pub id: RuleId,
    /// The severity it usually reports; evidence moves it.
    pub severity: Severity,
    /// Why anyone should care, in one sentence.
    pub why: &'static str,
    /// The source of its file; the header is its documentation.
    source: &'static str,
    detect: fn(&Comparison) -> Vec<Finding>,
}

impl Rule {
    /// The user documentation: Markdown from the `//!` lines of the rule's file.
    pub fn documentation(&self) -> String {
        let header = self.source.lines().take_while(|line| line.starts_with("//!"));
        let text = header
            .map(|line| line.trim_start_matches("//!"))
            .map(|line| line.strip_prefix(' ').unwrap_or(line));
        text.collect::<Vec<_>>().join("\n") + "\n"
    }
}

pub static RULES: &[Rule] = &[
    Rule {
        id: test_removed::ID,
        severity: Severity::High,
        why: "A check of this code no longer exists, so the next mistake there goes unseen.",
        source: include_str!("test_removed.rs"),
        detect: test_removed::detect,
    },
    Rule {
        id: suite_disabled::ID,
        severity: Severity::High,
        why: "Every test under the mark stops running, also those that would have failed.",
        source: include_str!("suite_disabled.rs"),
        detect: suite_disabled::detect,
    },
    Rule {
        id: test_skipped::ID,
        severity: Severity::High,
        why: "The run stays green whatever this test would have said.",
        source: include_str!("test_skipped.rs"),
        detect: test_skipped::detect,
    },
    Rule {
        id: test_commented_out::ID,
        severity: Severity::High,
        why: "It still looks like a test, but nothing runs it.",
        source: include_str!("test_commented_out.rs"),
        detect: test_commented_out::detect,
    },
    Rule {
        id: test_unreadable::ID,
        severity: Severity::High,
        why: "Tests that cannot be read cannot be compared, and most likely no longer run.",
        source: include_str!("test_unreadable.rs"),
        detect: test_unreadable::detect,
    },
    Rule {
        id: weakened_and_uncovered::ID,
        severity: Severity::Critical,
        why: "Less is checked, and the number that would have shown it is no longer looked at.",
        source: include_str!("weakened_and_uncovered.rs"),
        // It looks at what the others found.
        detect: |_| Vec::new(),
    },
];

/// Runs every rule. The order of findings depends on the change alone.
pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| (rule.detect)(comparison)).collect();
    sort(&mut findings);
    findings.extend(weakened_and_uncovered::detect(&findings));
    arrange(&mut findings);
    findings
}

/// The same with the rules of the project.
pub fn detect_with(comparison: &Comparison, patterns: &[Pattern]) -> Vec<Finding> {
    let mut findings = detect(comparison);
    if !patterns.is_empty() {
        findings.extend(project::detect(comparison, patterns));
        arrange(&mut findings);
    }
    findings
}

/// Puts findings in their order, and tells repeats apart.
fn arrange(findings: &mut [Finding]) {
    sort(findings);
    number_repeats(findings);
}

fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| {
            let Finding { path, line, rule, symbol, detail, .. } = finding;
            (path.clone(), *line, rule.name.clone(), symbol.clone(), detail.clone())
        };
        b.severity.cmp(&a.severity).then_with(|| key(a).cmp(&key(b)))
    });
}

/// A rule by name or pattern id, in any case.
pub fn find(name: &str) -> Option<&'static Rule> {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    RULES.iter().find(|rule| same(&rule.id.name) || same(&rule.id.pattern_id))
}

/// The names that a policy may mention.
pub fn names() -> Vec<&'static str> {
    RULES.iter().map(|rule| &*rule.id.name).collect()
}

/// A row's identity, written once in the rule's file.
pub(super) const fn id(name: &'static str, pattern_id: &'static str, kind: FindingType) -> RuleId {
    RuleId { name: Cow::Borrowed(name), pattern_id: Cow::Borrowed(pattern_id), kind }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_pattern_ids_are_unique() {
        for (index, rule) in RULES.iter().enumerate() {
            for other in &RULES[index + 1..] {
                assert_ne!(rule.id.name, other.id.name);
                assert_ne!(rule.id.pattern_id, other.id.pattern_id);
            }
        }
    }

    #[test]
    fn every_rule_documents_what_why_example_and_remedy() {
        for rule in RULES {
            let text = rule.documentation();
            assert!(text.starts_with(&format!("# {} ({})\n", rule.id.name, rule.id.pattern_id)), "{text}");
            for part in ["## Why it matters", "## Example", "## What is not reported", "## What to do"] {
                assert!(text.contains(part), "{} lacks {part}", rule.id.name);
            }
        }
    }

    #[test]
    fn names_are_kebab_case() {
        for rule in RULES {
            assert!(rule.id.name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'));
        }
    }
}
