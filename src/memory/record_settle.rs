//! What an attempt says about the hunt it is part of: the fix before it, regressions, lessons, status, escalation.

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::escalation::{self, Escalation, Reason};
use super::format::{Execution, FixApplied, Session, Status, Verification};
use super::hunt::{self, KnownFailures, Outcome};
use super::index::Index;
use super::learned::LearnedPatterns;
use super::patterns::{self, End};
use super::record::{self, Attempt, Recorded};
use super::regression::{self, Regression};
use super::similar::{self, Similar};
use super::store::{Beside, Locked};
use crate::collections::HashSet;
use crate::git::{ObjectId, Repository};
use crate::policy::{FeedbackSettings, RequireAnalysis};

/// Everything that the steps of one recording share.
pub struct Flow<'r> {
    pub repository: &'r Repository,
    pub locked: &'r Locked<'r>,
    pub index: &'r Index,
    pub known: &'r KnownFailures,
    pub settings: &'r FeedbackSettings,
    pub now: DateTime<Utc>,
}

/// What was seen before.
#[derive(Default)]
struct Seen {
    similar: Vec<Similar>,
    regressions: Vec<Regression>,
    restore: Option<String>,
    warning: Option<String>,
}

/// What was learned.
#[derive(Default)]
struct Lessons {
    /// For whoever ran the tests.
    told: Vec<String>,
    /// Of all sessions; absent where they cannot be read.
    patterns: Option<LearnedPatterns>,
    warning: Option<String>,
}

impl Flow<'_> {
    /// Draws every conclusion from the attempt at the end of `session`, and writes all of it.
    pub fn settle(
        &self,
        mut session: Session,
        number: u32,
        continued: bool,
        attempt: &Attempt,
    ) -> Result<Recorded> {
        let last = session.executions.len() - 1;
        let suite = hunt::suite_of(&session.executions[last]).to_owned();
        let outcome = hunt::outcome(&session.executions[last], self.known);
        let analysis_missing = self.analysis_missing(&session, &suite, attempt.counted);
        let fix_verified = self.verify_fix(&mut session, &suite, outcome);
        let seen = match outcome {
            Outcome::Failed => self.look_back(&session, attempt),
            _ => Seen::default(),
        };
        let failed_in_a_row = hunt::failed_in_a_row(&session, &suite, self.known);
        let limited = outcome == Outcome::Failed && attempt.counted;
        let reason = self.escalation_reason(limited, failed_in_a_row, &seen.regressions);
        let end = match outcome {
            Outcome::Passed => Some(End::Solved),
            // Once: a session that goes on after it was escalated teaches nothing new by failing again.
            _ if reason.is_some() && session.status != Status::Escalated => Some(End::GivenUp),
            _ => None,
        };
        let lessons = self.learn(&mut session, &suite, end);
        mark(&mut session, number, &seen.regressions);
        session.status = self.status(&session, outcome, reason.is_some());

        record::write_run(self.locked, &session, number, attempt)?;
        let escalation = match reason {
            Some(reason) => Some(self.escalate(&session, &suite, reason, &seen, &lessons)?),
            None => None,
        };
        self.locked.write(&session)?;
        let mut warnings: Vec<String> = seen.warning.into_iter().chain(lessons.warning).collect();
        let mut learned = lessons.told;
        if let Some(patterns) = lessons.patterns.filter(|_| !learned.is_empty())
            && let Err(error) = self.locked.write_patterns(&patterns)
        {
            warnings.push(format!("nothing was learned from this run: {error:#}"));
            learned.clear();
        }
        Ok(Recorded {
            session,
            attempt: number,
            outcome,
            continued,
            failed_in_a_row,
            max_attempts: self.settings.max_attempts,
            counted: attempt.counted,
            similar: seen.similar,
            regressions: seen.regressions,
            restore: seen.restore,
            escalation,
            analysis_missing,
            fix_verified,
            learned,
            warnings,
        })
    }

    /// What earlier attempts and earlier sessions say about a failed attempt.
    fn look_back(&self, session: &Session, attempt: &Attempt) -> Seen {
        let Some(now) = session.executions.last() else { return Seen::default() };
        let regressions = regression::find(self.locked, session, now, &attempt.failing(self.known));
        let restore = self.restore(&regressions, now);
        let (similar, warning) = match similar::find(self.locked, self.index, now) {
            Ok(similar) => (similar, None),
            Err(error) => (Vec::new(), Some(format!("similar failures could not be looked up: {error:#}"))),
        };
        Seen { similar, regressions, restore, warning }
    }

    fn escalate(
        &self,
        session: &Session,
        suite: &str,
        reason: Reason,
        seen: &Seen,
        lessons: &Lessons,
    ) -> Result<Escalation> {
        let facts = escalation::Facts {
            suite,
            known: self.known,
            similar: &seen.similar,
            regressions: &seen.regressions,
            restore: seen.restore.as_deref(),
            patterns: lessons.patterns.as_ref(),
            max_attempts: self.settings.max_attempts,
        };
        let markdown = escalation::report(self.repository, session, reason, &facts);
        let path = self.locked.write_beside(&session.session_id, Beside::Escalation, markdown.as_bytes())?;
        Ok(Escalation { reason, path, markdown })
    }

    /// Whether the failed attempt before the last one was never explained.
    fn analysis_missing(&self, session: &Session, suite: &str, counted: bool) -> bool {
        let wanted = counted && self.settings.require_analysis != RequireAnalysis::Off;
        wanted
            && before_last(session, suite, self.known)
                .is_some_and(|at| session.executions[at].analysis.is_none())
    }

    /// Says of the fix before this attempt whether it worked; derives one where none was told.
    fn verify_fix(&self, session: &mut Session, suite: &str, outcome: Outcome) -> bool {
        let verification = match outcome {
            Outcome::Passed => Verification::Passed,
            Outcome::Failed => Verification::Failed,
            Outcome::Open => return false,
        };
        let Some(at) = before_last(session, suite, self.known) else { return false };
        if outcome == Outcome::Passed && fails_alike(&session.executions[at], session.executions.last()) {
            return false;
        }
        if session.executions[at].fix_applied.is_none() {
            session.executions[at].fix_applied =
                self.derive_fix(&session.executions[at], session.executions.last());
        }
        match &mut session.executions[at].fix_applied {
            Some(fix) => {
                fix.verification = Some(verification);
                verification == Verification::Passed
            }
            None => false,
        }
    }

    /// What changed between two attempts, where nobody described it.
    fn derive_fix(&self, before: &Execution, after: Option<&Execution>) -> Option<FixApplied> {
        let tree = |execution: &Execution| ObjectId::parse(&execution.proof.as_ref()?.tree);
        let after = after?;
        let difference = self.repository.tree_difference(&tree(before)?, &tree(after)?).ok()?;
        let first: Vec<&str> = difference.files.iter().take(3).map(|file| file.path.as_str()).collect();
        let rest = match difference.total.saturating_sub(first.len()) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let attempts = format!("between attempts {} and {}", before.attempt, after.attempt);
        let description = format!("{}changed {}{rest} {attempts}", patterns::DERIVED, first.join(", "));
        (difference.total > 0).then(|| FixApplied {
            description,
            diff_summary: Some(difference.summary()),
            files_changed: difference.paths(),
            diff: Some(difference.text).filter(|text| !text.is_empty()),
            verification: None,
        })
    }

    fn restore(&self, regressions: &[Regression], now: &Execution) -> Option<String> {
        let newest = regressions.iter().max_by_key(|regression| regression.passed_in_attempt)?;
        let now = now.proof.as_ref().map(|proof| proof.tree.as_str());
        Some(regression::restore_command(self.repository, &newest.tree, now))
    }

    fn escalation_reason(
        &self,
        applies: bool,
        failed_in_a_row: u32,
        regressions: &[Regression],
    ) -> Option<Reason> {
        if !applies {
            None
        } else if self.settings.abort_on_regression && !regressions.is_empty() {
            Some(Reason::RegressionDetected)
        } else {
            (failed_in_a_row >= self.settings.max_attempts).then_some(Reason::MaxAttemptsReached)
        }
    }

    fn status(&self, session: &Session, outcome: Outcome, escalated: bool) -> Status {
        match (outcome, session.status) {
            _ if escalated => Status::Escalated,
            (Outcome::Passed, _) if hunt::all_passed(session, self.known) => Status::Passed,
            // A pass of one suite does not take back what a person has to look at in another.
            (_, Status::Escalated) => Status::Escalated,
            _ => Status::InProgress,
        }
    }

    /// Notes down what the hunt taught so far, and in the patterns of all sessions once it has ended.
    fn learn(&self, session: &mut Session, suite: &str, end: Option<End>) -> Lessons {
        let attempts: Vec<Execution> = hunt::hunt(session, suite, self.known).into_iter().cloned().collect();
        let attempts: Vec<&Execution> = attempts.iter().collect();
        if attempts.iter().all(|execution| execution.failures.is_empty()) {
            return Lessons::default();
        }
        // A file of patterns that cannot be read is left alone, and must not cost the record of a run.
        let (mut patterns, warning) = match self.locked.read_patterns() {
            Ok(patterns) => (Some(patterns), None),
            Err(error) => (None, Some(format!("the learned patterns cannot be read: {error:#}"))),
        };
        let ids = match (&mut patterns, end) {
            (Some(patterns), Some(end)) => patterns::learn(patterns, &attempts, self.known, end, self.now),
            _ => Vec::new(),
        };
        let empty = LearnedPatterns::default();
        let table = patterns.as_ref().unwrap_or(&empty);
        let mut learnings = session.learnings.take().unwrap_or_default();
        patterns::note(&mut learnings, &attempts, self.known, end, table);
        session.learnings = (learnings != Default::default()).then_some(learnings);
        let told = table.patterns.iter().filter(|pattern| ids.contains(&pattern.pattern_id));
        let told = told.map(|pattern| pattern.error_type.before(&pattern.error_pattern));
        Lessons { told: told.collect(), patterns, warning }
    }
}

/// So many regressions of one attempt are noted; the list of its tests has them all.
const MAX_MARKED: usize = 20;

/// Notes in the session what an attempt broke.
fn mark(session: &mut Session, number: u32, regressions: &[Regression]) {
    let note = |regression: &Regression| {
        let passed = regression.passed_in_attempt;
        format!("Regression in attempt {number}: {} passed in attempt {passed}", regression.test)
    };
    if !regressions.is_empty() {
        let learnings = session.learnings.get_or_insert_default();
        learnings.code_quality_issues.extend(regressions.iter().take(MAX_MARKED).map(note));
    }
}

/// Whether a test of an attempt still fails: that it failed at the base, too, makes no fix of what was changed.
fn fails_alike(before: &Execution, after: Option<&Execution>) -> bool {
    let after: HashSet<&str> =
        after.iter().flat_map(|after| &after.failures).map(|failure| failure.test_name.as_str()).collect();
    before.failures.iter().any(|failure| after.contains(failure.test_name.as_str()))
}

/// Where the failed attempt stands that the last one tries to solve.
fn before_last(session: &Session, suite: &str, known: &KnownFailures) -> Option<usize> {
    let (last, earlier) = session.executions.split_last()?;
    let decided = |execution: &&Execution| hunt::outcome(execution, known) != Outcome::Open;
    let before = earlier.iter().filter(|one| hunt::suite_of(one) == suite).rfind(decided)?;
    let failed = hunt::outcome(before, known) == Outcome::Failed && before.attempt < last.attempt;
    failed.then(|| earlier.iter().position(|one| one.attempt == before.attempt)).flatten()
}
