//! The one table of rules.

use super::{
    code_commented_out, feature_disabled, special_cases, suite_disabled, suppression_added, symbol_removed,
    test_commented_out, test_recognised, test_removed, test_skipped, test_unreadable, todo_accumulation,
};
use crate::comparison::Comparison;
use crate::finding::{Finding, FindingType, RuleId, Severity};

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
        id: code_commented_out::ID,
        severity: Severity::High,
        why: "What this code did no longer happens, and no test or report will say so.",
        source: include_str!("code_commented_out.rs"),
        detect: code_commented_out::detect,
    },
    Rule {
        id: feature_disabled::ID,
        severity: Severity::Medium,
        why: "The code is still there, but users no longer get what it does.",
        source: include_str!("feature_disabled.rs"),
        detect: feature_disabled::detect,
    },
    Rule {
        id: test_recognised::ID,
        severity: Severity::Critical,
        why: "The tests check a path that no user takes.",
        source: include_str!("test_recognised.rs"),
        detect: test_recognised::detect,
    },
    Rule {
        id: special_cases::ID,
        severity: Severity::Medium,
        why: "The listed answers pass the tests, and nothing else is solved.",
        source: include_str!("special_cases.rs"),
        detect: special_cases::detect,
    },
    Rule {
        id: todo_accumulation::ID,
        severity: Severity::Medium,
        why: "Every note is something that does not work yet.",
        source: include_str!("todo_accumulation.rs"),
        detect: todo_accumulation::detect,
    },
    Rule {
        id: symbol_removed::ID,
        severity: Severity::High,
        why: "Whoever still uses the name breaks.",
        source: include_str!("symbol_removed.rs"),
        detect: symbol_removed::detect,
    },
    Rule {
        id: suppression_added::ID,
        severity: Severity::Low,
        why: "The tool saw something, and from now on keeps quiet about it.",
        source: include_str!("suppression_added.rs"),
        detect: suppression_added::detect,
    },
];

/// Runs every rule. The order of findings depends on the change alone.
pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let mut findings: Vec<Finding> = RULES.iter().flat_map(|rule| (rule.detect)(comparison)).collect();
    findings.sort_by(|a, b| {
        let key = |finding: &Finding| {
            (finding.path.clone(), finding.line, finding.rule.name, finding.symbol.clone())
        };
        b.severity.cmp(&a.severity).then_with(|| key(a).cmp(&key(b)))
    });
    findings
}

/// A rule by name or pattern id, in any case.
pub fn find(name: &str) -> Option<&'static Rule> {
    let same = |other: &str| other.eq_ignore_ascii_case(name);
    RULES.iter().find(|rule| same(rule.id.name) || same(rule.id.pattern_id))
}

/// The names that a policy may mention.
pub fn names() -> Vec<&'static str> {
    RULES.iter().map(|rule| rule.id.name).collect()
}

/// A row's identity, written once in the rule's file.
pub(super) const fn id(name: &'static str, pattern_id: &'static str, kind: FindingType) -> RuleId {
    RuleId { name, pattern_id, kind }
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
