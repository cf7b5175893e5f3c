//! Counts over the commits of an audit. Pure.

use std::collections::BTreeMap;

use super::model::{Audited, Outcome};
use crate::verdict::{Action, Report, Verdict};

/// What an audit adds up to.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    pub passed: usize,
    pub warned: usize,
    pub blocked: usize,
    pub unknown: usize,
    /// Of the commits that were judged, in seconds since 1970.
    pub oldest: Option<i64>,
    pub newest: Option<i64>,
    rules: BTreeMap<String, RuleCount>,
    types: BTreeMap<String, TypeCount>,
}

/// How often one rule spoke up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleCount {
    pub kind: String,
    /// All of them, also those that are only logged.
    pub findings: usize,
    /// Those of them that a person accepted.
    pub waived: usize,
    /// Commits with such a finding.
    pub commits: usize,
    /// Commits that it would have blocked.
    pub blocked: usize,
    /// Commits that it would have warned about, and not blocked.
    pub warned: usize,
    /// Commits of which all that it found was accepted.
    pub accepted: usize,
}

/// How often one of the seven types came up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypeCount {
    pub findings: usize,
    pub waived: usize,
    pub blocked: usize,
    pub warned: usize,
}

impl Summary {
    pub fn add(&mut self, audited: &Audited) {
        let Outcome::Judged(report) = &audited.outcome else {
            self.unknown += 1;
            return;
        };
        match report.verdict {
            Verdict::Pass => self.passed += 1,
            Verdict::Warn => self.warned += 1,
            Verdict::Block => self.blocked += 1,
        }
        let time = audited.commit.time;
        self.oldest = Some(self.oldest.map_or(time, |oldest| oldest.min(time)));
        self.newest = Some(self.newest.map_or(time, |newest| newest.max(time)));
        self.count(report);
    }

    fn count(&mut self, report: &Report) {
        let mut rules: BTreeMap<&str, Action> = BTreeMap::new();
        let mut types: BTreeMap<&str, Action> = BTreeMap::new();
        for judged in &report.findings {
            let (rule, kind) = (judged.finding.rule.name.as_ref(), judged.finding.rule.kind.name());
            for (worst, name) in [(&mut rules, rule), (&mut types, kind)] {
                let worst = worst.entry(name).or_insert(judged.action);
                *worst = (*worst).max(judged.action);
            }
            let count = self.rules.entry(rule.to_owned()).or_default();
            let waived = usize::from(judged.action == Action::Waived);
            count.findings += 1;
            count.waived += waived;
            kind.clone_into(&mut count.kind);
            let count = self.types.entry(kind.to_owned()).or_default();
            count.findings += 1;
            count.waived += waived;
        }
        for (name, worst) in rules {
            let count = self.rules.entry(name.to_owned()).or_default();
            count.commits += 1;
            count.blocked += usize::from(worst == Action::Block);
            count.warned += usize::from(worst == Action::Warn);
            count.accepted += usize::from(worst == Action::Waived);
        }
        for (name, worst) in types {
            let count = self.types.entry(name.to_owned()).or_default();
            count.blocked += usize::from(worst == Action::Block);
            count.warned += usize::from(worst == Action::Warn);
        }
    }

    pub fn judged(&self) -> usize {
        self.passed + self.warned + self.blocked
    }

    /// Those that spoke up most first.
    pub fn rules(&self) -> Vec<(&str, &RuleCount)> {
        let mut rules: Vec<(&str, &RuleCount)> =
            self.rules.iter().map(|(name, count)| (name.as_str(), count)).collect();
        rules.sort_by_key(|(_, count)| std::cmp::Reverse((count.blocked + count.warned, count.findings)));
        rules
    }

    pub fn types(&self) -> Vec<(&str, &TypeCount)> {
        let mut types: Vec<(&str, &TypeCount)> =
            self.types.iter().map(|(name, count)| (name.as_str(), count)).collect();
        types.sort_by_key(|(_, count)| std::cmp::Reverse((count.blocked + count.warned, count.findings)));
        types
    }

    /// A part of the commits that were judged, in percent.
    pub fn share(&self, commits: usize) -> f64 {
        if self.judged() == 0 { 0.0 } else { 100.0 * commits as f64 / self.judged() as f64 }
    }
}
