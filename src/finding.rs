//! What a rule found: where, how bad, how sure, and why.

use std::borrow::Cow;

use crate::collections::HashMap;

/// How bad a finding is, before anyone decides what to do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub const ALL: [Self; 4] = [Self::Low, Self::Medium, Self::High, Self::Critical];

    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// The seven ways in which a change can weaken the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingType {
    TestDeletion,
    TestSkipping,
    FeatureRemoval,
    CoverageRegression,
    ValidationBypass,
    AssertionWeakening,
    ErrorSuppression,
}

impl FindingType {
    pub const ALL: [Self; 7] = [
        Self::TestDeletion,
        Self::TestSkipping,
        Self::FeatureRemoval,
        Self::CoverageRegression,
        Self::ValidationBypass,
        Self::AssertionWeakening,
        Self::ErrorSuppression,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::TestDeletion => "test_deletion",
            Self::TestSkipping => "test_skipping",
            Self::FeatureRemoval => "feature_removal",
            Self::CoverageRegression => "coverage_regression",
            Self::ValidationBypass => "validation_bypass",
            Self::AssertionWeakening => "assertion_weakening",
            Self::ErrorSuppression => "error_suppression",
        }
    }
}

/// One of the two states that a change leads between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    Before,
    After,
}

impl Side {
    pub fn name(self) -> &'static str {
        match self {
            Self::Before => "before",
            Self::After => "after",
        }
    }
}

/// Lines of one side that show what a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    pub path: String,
    /// The number of the first line.
    pub start: u32,
    pub lines: Vec<String>,
    /// The line to point at.
    pub line: u32,
    /// What to say at that line.
    pub label: String,
}

impl Excerpt {
    /// The line pointed at, without the white space around it.
    pub fn main_line(&self) -> &str {
        self.lines.get((self.line - self.start) as usize).map_or("", |line| line.trim())
    }
}

/// The identity of a rule: one of [`crate::detectors::RULES`], or one that a policy adds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleId {
    pub name: Cow<'static, str>,
    pub pattern_id: Cow<'static, str>,
    pub kind: FindingType,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    pub rule: RuleId,
    pub severity: Severity,
    /// From 0 to 1.
    pub confidence: f64,
    /// Whether evidence made it less severe than its rule says.
    pub lowered: bool,
    /// Whether it is told because the message of the commit says so.
    pub admitted: bool,
    pub side: Side,
    pub path: String,
    pub line: u32,
    /// What it is about: `path::Suite::name`, or the path.
    pub symbol: String,
    /// What of the symbol it is about, where the lines that are shown do not say all of it: the texts of several
    /// assertions. White space in it does not count.
    pub detail: String,
    /// What changed, in one sentence.
    pub message: String,
    /// What to do about it.
    pub help: String,
    pub before: Option<Excerpt>,
    pub after: Option<Excerpt>,
    /// Why the rule is sure, or why the severity was raised or lowered.
    pub evidence: Vec<String>,
}

impl Finding {
    /// Makes the finding less severe, and says why.
    pub fn lower(&mut self, severity: Severity, why: impl Into<String>) {
        if severity < self.severity {
            (self.severity, self.lowered) = (severity, true);
        }
        self.evidence.push(why.into());
    }

    /// Has the author's own words for it.
    pub fn admit(&mut self, words: String) {
        self.admitted = true;
        self.evidence.push(words);
    }

    /// The same for the same thing, wherever its lines have moved to, and another one for what is next done to the same
    /// symbol: a waiver accepts this, and no more.
    pub fn fingerprint(&self) -> String {
        let mut digest = crate::digest::Hasher::default();
        digest.part(self.rule.name.as_bytes()).part(&self.path).part(&self.symbol);
        let shown = |excerpt: &Option<Excerpt>| excerpt.as_ref().map_or("", Excerpt::main_line).to_owned();
        for text in [&self.detail, &shown(&self.before), &shown(&self.after)] {
            digest.part(text.split_whitespace().collect::<String>());
        }
        digest.named()
    }
}

/// So much of a fingerprint as people see and type.
pub fn short(fingerprint: &str) -> &str {
    let digits = fingerprint.strip_prefix("sha256:").unwrap_or(fingerprint);
    digits.get(..SHOWN_DIGITS).unwrap_or(digits)
}

const SHOWN_DIGITS: usize = 12;

/// Tells findings apart that are about the same words at several places, in the order given.
pub fn number_repeats(findings: &mut [Finding]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for finding in findings {
        let count = seen.entry(finding.fingerprint()).or_default();
        *count += 1;
        if *count > 1 {
            finding.detail.push_str(&format!(" #{count}"));
        }
    }
}

#[cfg(test)]
#[path = "finding_tests.rs"]
mod tests;
