//! What hunts teach: the patterns behind their failures, what fixed them, and how well that works.
//!
//! Pure. `occurrences` counts hunts that met a pattern, `success_rate` is the share of them that got rid of it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use super::format::{ErrorType, Execution, Failure, FixApplied, Learnings, Pattern, RecurringFailure};
use super::hunt::{self, KnownFailures};
use super::learned::{LearnedPattern, LearnedPatterns};
use super::patterns_normal::error_pattern;
use crate::digest;

/// What a fix begins with that nobody described.
pub const DERIVED: &str = "Derived: ";

/// A template that worked less often is not recommended.
pub const MIN_EFFECTIVENESS: f64 = 0.7;

/// So many different failures of one hunt are learned from; more have one cause that these show too.
const MAX_OF_HUNT: usize = 20;

/// So many patterns are kept; those not seen for longest go first.
const MAX_KEPT: usize = 500;

/// Longer templates are cut.
const MAX_TEMPLATE: usize = 500;

/// How a hunt ended, or that it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Solved,
    GivenUp,
}

/// One pattern of one hunt.
pub struct Met<'h> {
    pub id: String,
    pub failure: &'h Failure,
    pub pattern: String,
    /// In how many attempts.
    pub frequency: u32,
    pub last: &'h Execution,
}

impl Met<'_> {
    fn text(&self) -> String {
        self.failure.error_type.before(&self.pattern)
    }

    /// What got rid of it: what was planned and done after the last attempt that had it.
    fn template(&self) -> Option<String> {
        let strategy = self.last.analysis.as_ref().map(|analysis| analysis.fix_strategy.trim());
        let fix = self.last.fix_applied.as_ref().map(|fix| fix.description.trim());
        let text = strategy.filter(|text| !text.is_empty()).or(fix.filter(|text| !text.is_empty()))?;
        Some(text.chars().take(MAX_TEMPLATE).collect())
    }
}

/// The id of a pattern: the same in every repository.
pub fn pattern_id(failure: &Failure) -> String {
    id_of(failure.error_type, &error_pattern(&failure.error_message))
}

pub fn id_of(error_type: ErrorType, pattern: &str) -> String {
    let text = format!("{}\n{pattern}", error_type.name());
    let digest = digest::hex(text.as_bytes());
    format!("pattern-{}", &digest[..12])
}

/// The failures of an attempt that the hunt is about: those that are excused at its end were never solved.
fn worked_on<'h>(execution: &'h Execution, hunt: &[&Execution], known: &KnownFailures) -> Vec<&'h Failure> {
    let excused =
        |failure: &&Failure| hunt.last().is_some_and(|last| known.contains(last, &failure.test_name));
    hunt::new_failures(execution, known).into_iter().filter(|failure| !excused(failure)).collect()
}

/// The different failures of a hunt, most frequent first.
pub fn met<'h>(hunt: &[&'h Execution], known: &KnownFailures) -> Vec<Met<'h>> {
    let mut all: BTreeMap<String, Met<'h>> = BTreeMap::new();
    for execution in hunt {
        let mut here: BTreeMap<String, &'h Failure> = BTreeMap::new();
        // A failure without a message could be anything.
        let telling = |failure: &&Failure| !error_pattern(&failure.error_message).is_empty();
        for failure in worked_on(execution, hunt, known).into_iter().filter(telling) {
            here.entry(pattern_id(failure)).or_insert(failure);
        }
        for (id, failure) in here {
            let entry = all.entry(id.clone()).or_insert_with(|| {
                let pattern = error_pattern(&failure.error_message);
                Met { id, failure, pattern, frequency: 0, last: execution }
            });
            entry.frequency += 1;
            entry.last = execution;
        }
    }
    let mut found: Vec<Met<'h>> = all.into_values().collect();
    found.sort_by_key(|met| std::cmp::Reverse(met.frequency));
    found.truncate(MAX_OF_HUNT);
    found
}

/// Takes what a hunt taught into the patterns of all sessions; gives the ids that changed.
pub fn learn(
    learned: &mut LearnedPatterns,
    hunt: &[&Execution],
    known: &KnownFailures,
    end: End,
    now: DateTime<Utc>,
) -> Vec<String> {
    let mut changed = Vec::new();
    for met in met(hunt, known) {
        let at = learned.patterns.iter().position(|pattern| pattern.pattern_id == met.id);
        match (at, met.template()) {
            (Some(at), template) => count(&mut learned.patterns[at], end, template, now),
            (None, Some(template)) if end == End::Solved => {
                learned.patterns.push(first(&met, template, now));
            }
            // Nothing is known yet that would help.
            _ => continue,
        }
        changed.push(met.id);
    }
    keep_newest(learned);
    changed
}

/// Takes a description that came after the pass into the patterns that its attempt met; tells whether any changed.
pub fn learn_again(
    learned: &mut LearnedPatterns,
    hunt: &[&Execution],
    known: &KnownFailures,
    told: &Execution,
    now: DateTime<Utc>,
) -> bool {
    let mut changed = false;
    for met in met(hunt, known).iter().filter(|met| met.last.attempt == told.attempt) {
        let Some(template) = met.template() else { continue };
        match learned.patterns.iter_mut().find(|pattern| pattern.pattern_id == met.id) {
            // The pass has been counted; only a better word for it is new.
            Some(pattern) => pattern.fix_template = template,
            None => learned.patterns.push(first(met, template, now)),
        }
        changed = true;
    }
    keep_newest(learned);
    changed
}

/// The same for what the session itself noted down.
pub fn tell_again(
    learnings: Option<&mut Learnings>,
    hunt: &[&Execution],
    known: &KnownFailures,
    told: &Execution,
) {
    let Some(learnings) = learnings else { return };
    for met in met(hunt, known).iter().filter(|met| met.last.attempt == told.attempt) {
        let text = met.text();
        let noted = learnings.patterns_identified.iter_mut().filter(|noted| noted.pattern == text);
        noted.for_each(|noted| noted.fix_template = met.template());
    }
    for failure in &told.failures {
        let again = learnings.recurring_failures.iter_mut().filter(|noted| noted.test == failure.test_name);
        again.for_each(|noted| {
            noted.resolution = Some(resolution(told.fix_applied.as_ref(), Some(End::Solved)));
        });
    }
}

fn first(met: &Met<'_>, template: String, now: DateTime<Utc>) -> LearnedPattern {
    LearnedPattern {
        pattern_id: met.id.clone(),
        error_type: met.failure.error_type,
        error_pattern: met.pattern.clone(),
        fix_template: template,
        occurrences: 1,
        success_rate: 1.0,
        last_seen: now,
    }
}

fn count(pattern: &mut LearnedPattern, end: End, template: Option<String>, now: DateTime<Utc>) {
    let before = f64::from(pattern.occurrences);
    let solved = if end == End::Solved { 1.0 } else { 0.0 };
    let rate = (pattern.success_rate * before + solved) / (before + 1.0);
    // Four digits, so that a file stays readable and the same on every machine.
    pattern.success_rate = (rate.clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0;
    pattern.occurrences = pattern.occurrences.saturating_add(1);
    pattern.last_seen = now;
    let better = |template: &String| !is_derived(template) || is_derived(&pattern.fix_template);
    if let Some(template) = template.filter(|_| end == End::Solved).filter(better) {
        pattern.fix_template = template;
    }
}

pub fn is_derived(template: &str) -> bool {
    template.is_empty() || template.starts_with(DERIVED)
}

fn keep_newest(learned: &mut LearnedPatterns) {
    // What others wrote without an id or a pattern can help nobody, and could not be written again.
    learned.patterns.retain(|pattern| !pattern.pattern_id.is_empty() && !pattern.error_pattern.is_empty());
    if learned.patterns.len() > MAX_KEPT {
        learned.patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.last_seen));
        learned.patterns.truncate(MAX_KEPT);
    }
    let key = |pattern: &LearnedPattern| (std::cmp::Reverse(pattern.occurrences), pattern.pattern_id.clone());
    learned.patterns.sort_by_key(key);
}

/// The learned patterns that a failed attempt is an instance of.
pub fn matching<'p>(execution: &Execution, learned: &'p LearnedPatterns) -> Vec<&'p LearnedPattern> {
    let ids: std::collections::BTreeSet<String> = execution.failures.iter().map(pattern_id).collect();
    learned.patterns.iter().filter(|pattern| ids.contains(&pattern.pattern_id)).collect()
}

/// What a session itself notes down: patterns of the hunt, and tests that failed more than once.
pub fn note(
    learnings: &mut Learnings,
    hunt: &[&Execution],
    known: &KnownFailures,
    end: Option<End>,
    learned: &LearnedPatterns,
) {
    if end.is_some() {
        for met in met(hunt, known) {
            note_pattern(learnings, &met, learned);
        }
    }
    let mut failed: BTreeMap<&str, (u32, &Execution)> = BTreeMap::new();
    for execution in hunt {
        for failure in worked_on(execution, hunt, known) {
            let entry = failed.entry(&failure.test_name).or_insert((0, execution));
            *entry = (entry.0 + 1, execution);
        }
    }
    let often = failed.into_iter().filter(|(_, (count, _))| *count > 1).take(MAX_OF_HUNT);
    for (test, (occurrences, last)) in often {
        note_recurring(learnings, test, occurrences, resolution(last.fix_applied.as_ref(), end));
    }
}

fn note_pattern(learnings: &mut Learnings, met: &Met<'_>, learned: &LearnedPatterns) {
    let known = learned.patterns.iter().find(|pattern| pattern.pattern_id == met.id);
    let text = met.text();
    let category = met.last.analysis.as_ref().and_then(|analysis| analysis.root_cause_category);
    let pattern = Pattern {
        pattern: text.clone(),
        frequency: Some(met.frequency),
        category: category.map(|category| category.name().to_owned()),
        fix_template: met.template(),
        effectiveness: known.map(|pattern| pattern.success_rate),
    };
    match learnings.patterns_identified.iter_mut().find(|noted| noted.pattern == text) {
        // The session has met it in an earlier hunt.
        Some(noted) => {
            let frequency = noted.frequency.unwrap_or_default() + met.frequency;
            *noted = Pattern { frequency: Some(frequency), ..pattern };
        }
        None => learnings.patterns_identified.push(pattern),
    }
}

fn resolution(fix: Option<&FixApplied>, end: Option<End>) -> String {
    match (end, fix) {
        (Some(End::Solved), Some(fix)) => fix.description.clone(),
        (Some(End::Solved), None) => "passed again".to_owned(),
        (Some(End::GivenUp), _) => "escalated".to_owned(),
        (None, _) => "pending".to_owned(),
    }
}

fn note_recurring(learnings: &mut Learnings, test: &str, occurrences: u32, resolution: String) {
    let at = learnings.recurring_failures.iter().position(|noted| noted.test == test);
    let notes = at.and_then(|at| learnings.recurring_failures[at].notes.clone());
    let noted = RecurringFailure { test: test.to_owned(), occurrences, resolution: Some(resolution), notes };
    match at {
        Some(at) => learnings.recurring_failures[at] = noted,
        None => learnings.recurring_failures.push(noted),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Verification;
    use crate::memory::samples::{analysis, failing, failure, fix, minute, passing};

    fn none() -> KnownFailures {
        KnownFailures::default()
    }

    fn learn_from(learned: &mut LearnedPatterns, executions: &[Execution], end: End) -> Vec<String> {
        learn(learned, &executions.iter().collect::<Vec<_>>(), &none(), end, minute(9))
    }

    #[test]
    fn a_solved_hunt_teaches_its_strategy() {
        let mut first = failing(1, "a");
        first.analysis = Some(analysis());
        let mut learned = LearnedPatterns::default();
        let ids = learn_from(&mut learned, &[first, passing(2)], End::Solved);
        let pattern = &learned.patterns[0];
        assert_eq!(ids, [pattern.pattern_id.as_str()]);
        assert_eq!(pattern.error_pattern, "assert <number> == <number>");
        assert_eq!(pattern.fix_template, "Add the tax of every item to the total");
        assert_eq!((pattern.occurrences, pattern.success_rate), (1, 1.0));
    }

    #[test]
    fn hunts_that_were_given_up_lower_the_rate() {
        let mut solved = failing(1, "a");
        solved.fix_applied = Some(fix("Round before the comparison", Verification::Passed));
        let mut learned = LearnedPatterns::default();
        learn_from(&mut learned, &[solved, passing(2)], End::Solved);
        learn_from(&mut learned, &[failing(1, "b"), failing(2, "b")], End::GivenUp);
        learn_from(&mut learned, &[failing(1, "b")], End::GivenUp);
        let pattern = &learned.patterns[0];
        assert_eq!((pattern.occurrences, pattern.success_rate), (3, 0.3333));
        assert_eq!(pattern.fix_template, "Round before the comparison");
    }

    #[test]
    fn a_failure_that_nobody_solved_teaches_nothing() {
        let mut learned = LearnedPatterns::default();
        assert!(learn_from(&mut learned, &[failing(1, "a")], End::GivenUp).is_empty());
        assert!(learned.patterns.is_empty());
    }

    #[test]
    fn a_failure_without_a_message_teaches_nothing() {
        for message in ["", " \n", "---"] {
            let mut first = failing(1, "a");
            first.failures[0] = failure("a", message);
            first.fix_applied = Some(fix("Round the sum", Verification::Passed));
            let mut learned = LearnedPatterns::default();
            assert!(learn_from(&mut learned, &[first, passing(2)], End::Solved).is_empty(), "{message:?}");
            assert!(learned.patterns.is_empty(), "{message:?}");
        }
    }

    #[test]
    fn a_described_fix_is_not_replaced_by_a_derived_one() {
        let hunt = |description: &str| {
            let mut first = failing(1, "a");
            first.fix_applied = Some(fix(description, Verification::Passed));
            [first, passing(2)]
        };
        let mut learned = LearnedPatterns::default();
        learn_from(&mut learned, &hunt("Derived: changed src/cart.py"), End::Solved);
        learn_from(&mut learned, &hunt("Round the sum"), End::Solved);
        learn_from(&mut learned, &hunt("Derived: changed src/tax.py"), End::Solved);
        assert_eq!(learned.patterns[0].fix_template, "Round the sum");
    }

    #[test]
    fn each_failure_learns_from_the_attempt_that_ended_it() {
        let mut one = failing(1, "a");
        one.failures.push(failure("b", "boom in the parser"));
        one.fix_applied = Some(fix("Parse twice", Verification::Failed));
        let mut two = failing(2, "a");
        two.fix_applied = Some(fix("Round the sum", Verification::Passed));
        let mut learned = LearnedPatterns::default();
        learn_from(&mut learned, &[one, two, passing(3)], End::Solved);
        let template = |pattern: &str| {
            let found = learned.patterns.iter().find(|learned| learned.error_pattern == pattern);
            found.map(|learned| learned.fix_template.clone())
        };
        assert_eq!(template("boom in the parser").as_deref(), Some("Parse twice"));
        assert_eq!(template("assert <number> == <number>").as_deref(), Some("Round the sum"));
    }

    #[test]
    fn a_session_notes_patterns_and_tests_that_failed_again() {
        let mut two = failing(2, "a");
        two.fix_applied = Some(fix("Round the sum", Verification::Passed));
        let attempts = [failing(1, "a"), two, passing(3)];
        let hunt: Vec<&Execution> = attempts.iter().collect();
        let mut learnings = Learnings::default();
        note(&mut learnings, &hunt[..2], &none(), None, &LearnedPatterns::default());
        assert!(learnings.patterns_identified.is_empty());
        assert_eq!(learnings.recurring_failures[0].resolution.as_deref(), Some("pending"));
        note(&mut learnings, &hunt, &none(), Some(End::Solved), &LearnedPatterns::default());
        assert_eq!(learnings.patterns_identified[0].frequency, Some(2));
        assert_eq!(learnings.recurring_failures.len(), 1);
        assert_eq!(learnings.recurring_failures[0].occurrences, 2);
        assert_eq!(learnings.recurring_failures[0].resolution.as_deref(), Some("Round the sum"));
    }
}
