//! The one table of rules.

use std::borrow::Cow;

use super::{admitted, project};
use crate::collections::HashSet;
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
    detect: Detect,
}

/// What a rule looks at.
enum Detect {
    Facts(fn(&Comparison) -> Vec<Finding>),
    /// What the other rules found.
    Findings(fn(&[Finding]) -> Vec<Finding>),
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

/// The row of the rule in the file of this name.
macro_rules! rule {
    ($file:ident, $severity:ident, $why:literal) => {
        rule!($file, $severity, $why, Facts)
    };
    ($file:ident, $severity:ident, $why:literal, $looks_at:ident) => {
        Rule {
            id: super::$file::ID,
            severity: Severity::$severity,
            why: $why,
            source: include_str!(concat!(stringify!($file), ".rs")),
            detect: Detect::$looks_at(super::$file::detect),
        }
    };
}

pub static RULES: &[Rule] = &[
    rule!(
        test_removed,
        High,
        "A check of this code no longer exists, so the next mistake there goes unseen."
    ),
    rule!(
        suite_disabled,
        High,
        "Every test under the mark stops running, also those that would have failed."
    ),
    rule!(test_skipped, High, "The run stays green whatever this test would have said."),
    rule!(test_commented_out, High, "It still looks like a test, but nothing runs it."),
    rule!(
        test_unreadable,
        High,
        "Tests that cannot be read cannot be compared, and most likely no longer run."
    ),
    rule!(assertion_trivial, Critical, "The test is green whatever the code does."),
    rule!(assertion_weakened, High, "What the test no longer asks for can break without anybody noticing."),
    rule!(mocked_away, High, "Stand-ins do what the test tells them; the real code is no longer tried."),
    rule!(circular_test, High, "The test expects whatever the code computes."),
    rule!(
        expectation_rewritten,
        Medium,
        "Code that did not change cannot have made the old expectation wrong."
    ),
    rule!(tolerance_widened, High, "Results that would have failed the test now pass it."),
    rule!(assertion_unreachable, High, "It looks like a check and checks nothing."),
    rule!(guard_removed, Critical, "What the check kept out now reaches the code behind it."),
    rule!(
        error_handling_removed,
        High,
        "The code goes on with a result that is not there, and nobody is told."
    ),
    rule!(error_swallowed, High, "A failure now looks like a success."),
    rule!(error_to_default, Medium, "The caller can no longer tell a failure from a result."),
    rule!(stub, High, "The function can still be called, but the feature is gone."),
    rule!(
        code_commented_out,
        High,
        "What this code did no longer happens, and no test or report will say so."
    ),
    rule!(feature_disabled, Medium, "The code is still there, but users no longer get what it does."),
    rule!(test_recognised, Critical, "The tests check a path that no user takes."),
    rule!(special_cases, Medium, "The listed answers pass the tests, and nothing else is solved."),
    rule!(todo_accumulation, Medium, "Every note is something that does not work yet."),
    rule!(symbol_removed, High, "Whoever still uses the name breaks."),
    rule!(suppression_added, Low, "The tool saw something, and from now on keeps quiet about it."),
    rule!(gate_loosened, High, "Checks that do not run, or whose failure nobody minds, protect nothing."),
    rule!(coverage_loosened, High, "The promise that new code comes with tests is worth less from here on."),
    rule!(
        weakened_and_uncovered,
        Critical,
        "Less is checked, and the number that would have shown it is no longer looked at.",
        Findings
    ),
];

/// Runs every rule. The order of findings depends on the change alone.
pub fn detect(comparison: &Comparison) -> Vec<Finding> {
    let of_facts = RULES.iter().filter_map(|rule| match rule.detect {
        Detect::Facts(detect) => Some(detect(comparison)),
        Detect::Findings(_) => None,
    });
    let mut findings: Vec<Finding> = of_facts.flatten().collect();
    note_generated(comparison, &mut findings);
    admitted::detect(comparison, &mut findings);
    sort(&mut findings);
    let of_findings = RULES.iter().filter_map(|rule| match rule.detect {
        Detect::Findings(detect) => Some(detect(&findings)),
        Detect::Facts(_) => None,
    });
    let compound: Vec<Finding> = of_findings.flatten().collect();
    findings.extend(compound);
    arrange(&mut findings);
    findings
}

/// What a program writes is what its input says: that is the place to look.
fn note_generated(comparison: &Comparison, findings: &mut [Finding]) {
    let named: HashSet<&str> = findings.iter().map(|finding| finding.path.as_str()).collect();
    let mut generated: HashSet<String> = HashSet::new();
    for file in &comparison.files {
        let paths = || file.before.iter().chain(&file.after).map(|side| &side.path);
        if paths().any(|path| named.contains(path.as_str())) && file.is_generated() {
            generated.extend(paths().cloned());
        }
    }
    drop(named);
    for finding in findings.iter_mut().filter(|finding| generated.contains(&finding.path)) {
        finding.lower(Severity::Low, "a program wrote this file");
    }
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
