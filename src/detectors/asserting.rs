//! What the rules about assertions share: one finding for each test, with evidence from the code it is about.

use super::evidence;
use super::relation::{self, About};
use super::report::{Draft, excerpt};
use crate::assertions::{Changed, How, Unit, View, expression_key as key};
use crate::comparison::Comparison;
use crate::facts::{Assertion, Span};
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
        let apart = apart(first);
        let was_at = place(&self.before, &first.before, apart.map(|[was, _]| was));
        let is_at = first.after.as_ref().map(|after| place(&self.after, after, apart.map(|[_, is]| is)));
        let (side, file, at) = match is_at {
            Some(at) => (Side::After, self.after.file, at),
            None => (Side::Before, self.before.file, was_at),
        };
        let mut finding = draft.on(side, file, at, self.symbol());
        finding.before = excerpt(self.before.file, line(was_at), was_at, words.labels[0]);
        finding.after = is_at.and_then(|at| excerpt(self.after.file, line(at), at, words.labels[1]));
        finding.detail = self.texts();
        finding
    }

    /// All that changes, as it is written: who accepts one change has not accepted the next one of the same test.
    fn texts(&self) -> String {
        let text = |changed: &&Changed| {
            let after = changed.after.as_ref().map_or("", |after| after.text.as_str());
            let [was, is] = apart(changed).unwrap_or([changed.before.text.as_str(), after]);
            format!("{was} -> {is}\n")
        };
        self.changes.iter().map(text).collect()
    }

    /// A test keeps its name in findings, whichever side they point at.
    fn symbol(&self) -> String {
        self.after.symbol()
    }
}

/// What a changed assertion said before, to be put back.
pub fn was(changed: &Changed) -> &str {
    apart(changed).map_or(&changed.before.text, |[was, _]| was)
}

/// What an assertion compares on each side, where it reads the same on both: what differs stands in a variable, a constant or
/// a row.
fn apart(changed: &Changed) -> Option<[&str; 2]> {
    let after = changed.after.as_ref().filter(|after| key(&after.text) == key(&changed.before.text))?;
    let (was, is) = (&changed.before.claim, &after.claim);
    let both = [(&was.expected, &is.expected), (&was.pattern, &is.pattern)];
    let both = both.map(|(was, is)| (was.as_deref(), is.as_deref()));
    let all = both.into_iter().chain([(Some(was.subject.as_str()), Some(is.subject.as_str()))]);
    let mut told = all.filter_map(|(was, is)| Some([was?, is?]));
    told.find(|[was, is]| key(was) != key(is))
}

/// The line to look at: that of the assertion, or of what it compares, where this stands apart.
fn place(view: &View<'_>, assertion: &Assertion, apart: Option<&str>) -> u32 {
    let start = apart.and_then(|value| value.lines().map(str::trim).find(|line| !line.is_empty()));
    let Some(start) = start else { return assertion.line };
    let above = Span { start: view.span.start, end: assertion.line };
    let lines = view.file.lines(above).zip(above.start..);
    lines.filter(|(line, _)| line.contains(start)).last().map_or(assertion.line, |(_, line)| line)
}
