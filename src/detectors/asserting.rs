//! What the rules about assertions share: one finding for each test, with evidence from the code it is about.

use super::evidence;
use super::relation::{self, About};
use super::report::{Draft, excerpt};
use crate::assertions::{Changed, How, Unit, View};
use crate::comparison::Comparison;
use crate::facts::Span;
use crate::finding::{Finding, RuleId, Severity, Side};

/// The changes of some kinds in one test or helper.
pub struct Group<'a> {
    pub unit: Unit,
    pub before: View<'a>,
    pub after: View<'a>,
    pub changes: Vec<&'a Changed>,
}

/// The changes of these kinds, together for each test, in the order of the before side.
pub fn groups<'a>(comparison: &'a Comparison, kinds: &[How]) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'a>> = Vec::new();
    for changed in comparison.changed_assertions().iter().filter(|changed| kinds.contains(&changed.how)) {
        match groups.last_mut().filter(|group| group.unit == changed.unit) {
            Some(group) => group.changes.push(changed),
            None => groups.extend(Group::new(comparison, changed)),
        }
    }
    groups
}

/// How a finding about a group reads.
pub struct Words {
    pub message: String,
    pub help: String,
    /// What to say at the line of each side.
    pub labels: [&'static str; 2],
}

impl<'a> Group<'a> {
    fn new(comparison: &'a Comparison, changed: &'a Changed) -> Option<Self> {
        let before = View::before(comparison, changed.unit.before)?;
        let after = View::after(comparison, changed.unit.after)?;
        Some(Self { unit: changed.unit, before, after, changes: vec![changed] })
    }

    /// `the test X` or `the helper X`.
    pub fn name(&self) -> String {
        let kind = if self.before.test.is_some() { "test" } else { "helper" };
        format!("the {kind} {}", self.before.name)
    }

    /// The first change, which the finding points at.
    pub fn first(&self) -> &'a Changed {
        self.changes[0]
    }

    /// Lowers a finding where something speaks for the change, and says what speaks against it.
    pub fn weigh(&self, comparison: &Comparison, finding: &mut Finding, with_code: Severity) {
        if let Some(reason) = self.before.test.and_then(evidence::checked_nothing) {
            return finding.lower(Severity::Low, reason);
        }
        if let Some(name) = self.removed_subject(comparison) {
            let why = format!("`{name}`, which it speaks of, leaves the production code in the same change");
            return finding.lower(Severity::Low, why);
        }
        let text: Vec<&str> = self.changes.iter().map(|changed| changed.before.text.as_str()).collect();
        if comparison.production.changed {
            let about = About { side: self.before.file, test: self.before.test, text: &text.join(" ") };
            match self.is_made_up_for() {
                true => finding.lower(with_code, relation::EXPLAINS),
                false => relation::lower(comparison, finding, with_code, about),
            }
        } else if relation::is_built_otherwise(comparison, &text.join(" ")) {
            finding
                .lower(with_code.max(Severity::Medium), "the build that changes with it speaks of the same");
        } else {
            finding.evidence.push("no production code changes with it".to_owned());
        }
    }

    /// Whether assertions went, and as many came: maybe they ask for the same in another way.
    fn is_made_up_for(&self) -> bool {
        let removed = self.changes.iter().all(|changed| changed.how == How::Removed);
        removed && self.after.assertions.len() >= self.before.assertions.len()
    }

    /// A name in the changed assertions that the change takes out of the production code.
    fn removed_subject(&self, comparison: &Comparison) -> Option<String> {
        let texts: Vec<_> = self.changes.iter().map(|changed| changed.before.text.as_str()).collect();
        evidence::removed_name(comparison, &texts)
    }

    pub fn finding(&self, rule: RuleId, severity: Severity, confidence: f64, words: Words) -> Finding {
        let first = self.first();
        let draft = Draft { rule, severity, confidence, message: words.message, help: words.help };
        let line = |line: u32| Span { start: line, end: line };
        let (side, file, at) = match &first.after {
            Some(after) => (Side::After, self.after.file, after.line),
            None => (Side::Before, self.before.file, first.before.line),
        };
        let mut finding = draft.on(side, file, at, self.symbol());
        finding.before =
            excerpt(self.before.file, line(first.before.line), first.before.line, words.labels[0]);
        finding.after = match &first.after {
            Some(after) => excerpt(self.after.file, line(after.line), after.line, words.labels[1]),
            None => None,
        };
        finding.detail = self.texts();
        finding
    }

    /// All that changes, as it is written: who accepts one change has not accepted the next one of the same test.
    fn texts(&self) -> String {
        let text = |changed: &&Changed| {
            let after = changed.after.as_ref().map_or("", |after| after.text.as_str());
            format!("{} -> {after}\n", changed.before.text)
        };
        self.changes.iter().map(text).collect()
    }

    /// A test keeps its name in findings, whichever side they point at.
    fn symbol(&self) -> String {
        self.after.symbol()
    }
}
