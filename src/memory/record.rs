//! The one way an attempt gets into memory.
//!
//! Under one lock: which session it continues, its number and its place in the chain, what it says about the fix
//! before it, what was learned, and whether a person has to look.

use std::collections::BTreeSet;

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::continuation::{self, Belongs, Work};
use super::escalation::{self, Escalation};
use super::format::{Execution, FixApplied, Metadata, Mode, Session, Status, Verification};
use super::hunt::{self, KnownFailures, Outcome};
use super::index::Index;
use super::patterns::{self, End};
use super::regression::{self, Regression};
use super::similar::{self, Similar};
use super::store::{Beside, Locked, Store};
use super::{chain, learned::LearnedPatterns};
use crate::git::{ObjectId, Repository};
use crate::policy::{FeedbackSettings, RequireAnalysis};

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// Number and chain are still open.
    pub execution: Execution,
    /// The file the work is about.
    pub file_path: String,
    /// Files that differ from HEAD.
    pub changed: Vec<String>,
    /// Outcome and id of each test: passed, failed, errored or skipped.
    pub tests: Vec<(String, String)>,
    /// What the run printed, bounded.
    pub log: Vec<u8>,
    /// `--session`, or the variable `AIWG_SESSION_ID`.
    pub session: Option<String>,
    pub agent: Option<String>,
    /// An agent's run, or one in a loop: limits and escalation apply.
    pub counted: bool,
    /// The root of the working tree.
    pub worktree: String,
    pub task_id: Option<String>,
    pub iteration: Option<u32>,
}

/// What memory makes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Recorded {
    pub session: Session,
    pub attempt: u32,
    pub outcome: Outcome,
    /// Whether the session had attempts before.
    pub continued: bool,
    /// Failed attempts of the hunt, this one included.
    pub failed_in_a_row: u32,
    pub max_attempts: u32,
    /// Whether limits apply to this run.
    pub counted: bool,
    pub similar: Vec<Similar>,
    pub regressions: Vec<Regression>,
    /// What restores the files of the newest attempt that a regression names.
    pub restore: Option<String>,
    pub escalation: Option<Escalation>,
    /// The attempt before failed, and nobody said why before trying again.
    pub analysis_missing: bool,
    /// What was changed since the attempt before solved it.
    pub fix_verified: bool,
    /// The patterns that this run taught something about.
    pub learned: Vec<String>,
}

pub fn record(
    repository: &Repository,
    store: &Store,
    attempt: Attempt,
    settings: &FeedbackSettings,
    now: DateTime<Utc>,
) -> Result<Recorded> {
    let locked = store.lock()?;
    let index = locked.index()?;
    let known = KnownFailures::of(&index, hunt::suite_of(&attempt.execution));
    if attempt.execution.proof.as_ref().is_some_and(|proof| proof.mode == Mode::Base) {
        return record_base(&locked, attempt, settings, now);
    }
    let (mut session, continued) = place(&locked, &index, &attempt, now)?;
    let number = append(&mut session, &attempt, now);
    let flow = Flow { repository, locked: &locked, index: &index, known: &known, settings, now };
    let recorded = flow.settle(session, number, continued, &attempt)?;
    Ok(recorded)
}

/// The session of the attempt, and whether it had attempts before. Hunts that were left are closed.
fn place(
    locked: &Locked<'_>,
    index: &Index,
    attempt: &Attempt,
    now: DateTime<Utc>,
) -> Result<(Session, bool)> {
    let place = continuation::choose(locked, index, &attempt.work())?;
    for mut left in place.left {
        left.status = Status::Failed;
        left.updated_at = Some(now);
        locked.write(&left)?;
    }
    Ok(match place.session {
        Belongs::To(session) => (*session, true),
        Belongs::ToNew { id } => (attempt.new_session(id, now), false),
    })
}

impl Attempt {
    fn work(&self) -> Work {
        let proof = self.execution.proof.as_ref();
        Work {
            suite: hunt::suite_of(&self.execution).to_owned(),
            worktree: self.worktree.clone(),
            agent: self.agent.clone(),
            base_commit: proof.and_then(|proof| proof.base_commit.clone()),
            changed: self.changed.clone(),
            failing: self.execution.failures.iter().map(|failure| failure.test_name.clone()).collect(),
            session: self.session.clone(),
        }
    }

    fn new_session(&self, session_id: String, now: DateTime<Utc>) -> Session {
        Session {
            session_id,
            file_path: self.file_path.clone(),
            created_at: Some(now),
            updated_at: Some(now),
            status: Status::InProgress,
            executions: Vec::new(),
            learnings: None,
            metadata: Some(Metadata {
                agent: self.agent.clone(),
                task_id: self.task_id.clone(),
                ralph_iteration: self.iteration,
                worktree: Some(self.worktree.clone()),
            }),
            foreign: Vec::new(),
        }
    }

    /// Ids of tests that failed, as the list of tests has them.
    fn failing(&self, known: &KnownFailures) -> BTreeSet<String> {
        let failed =
            self.tests.iter().filter(|(outcome, _)| matches!(outcome.as_str(), "failed" | "errored"));
        let own = failed.filter(|(_, id)| !known.contains(&self.execution, id));
        own.map(|(_, id)| regression::flat(id)).collect()
    }
}

/// Numbers and seals the attempt and puts it at the end of the session.
fn append(session: &mut Session, attempt: &Attempt, now: DateTime<Utc>) -> u32 {
    let mut execution = attempt.execution.clone();
    execution.attempt = session.executions.iter().map(|one| one.attempt).max().unwrap_or_default() + 1;
    chain::seal(&mut execution, chain::last_digest(session));
    let number = execution.attempt;
    session.executions.push(execution);
    session.updated_at = Some(now);
    if let (Some(metadata), Some(iteration)) = (&mut session.metadata, attempt.iteration) {
        metadata.ralph_iteration = Some(iteration);
    }
    number
}

/// A run of the base tells what fails already. It is no attempt at anything.
fn record_base(
    locked: &Locked<'_>,
    attempt: Attempt,
    settings: &FeedbackSettings,
    now: DateTime<Utc>,
) -> Result<Recorded> {
    let mut session = attempt.new_session(uuid::Uuid::new_v4().to_string(), now);
    let number = append(&mut session, &attempt, now);
    let outcome = hunt::outcome(&session.executions[0], &KnownFailures::default());
    session.status = if outcome == Outcome::Passed { Status::Passed } else { Status::Failed };
    write_run(locked, &session, number, &attempt)?;
    locked.write(&session)?;
    Ok(Recorded {
        session,
        attempt: number,
        outcome,
        continued: false,
        failed_in_a_row: 0,
        max_attempts: settings.max_attempts,
        counted: false,
        similar: Vec::new(),
        regressions: Vec::new(),
        restore: None,
        escalation: None,
        analysis_missing: false,
        fix_verified: false,
        learned: Vec::new(),
    })
}

fn write_run(locked: &Locked<'_>, session: &Session, number: u32, attempt: &Attempt) -> Result<()> {
    let id = &session.session_id;
    let tests = regression::tests_to_text(&attempt.tests);
    locked.write_beside(id, Beside::Log(number), &attempt.log)?;
    locked.write_beside(id, Beside::Tests(number), tests.as_bytes())?;
    Ok(())
}

/// Everything that the steps of one recording share.
struct Flow<'r> {
    repository: &'r Repository,
    locked: &'r Locked<'r>,
    index: &'r Index,
    known: &'r KnownFailures,
    settings: &'r FeedbackSettings,
    now: DateTime<Utc>,
}

impl Flow<'_> {
    fn settle(
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
        write_run(self.locked, &session, number, attempt)?;

        let failed = outcome == Outcome::Failed;
        let now = &session.executions[last];
        let regressions = match failed {
            true => regression::find(self.locked, &session, now, &attempt.failing(self.known)),
            false => Vec::new(),
        };
        let similar = if failed { similar::find(self.locked, self.index, now)? } else { Vec::new() };
        let restore = self.restore(&regressions, now);
        let failed_in_a_row = hunt::failed_in_a_row(&session, &suite, self.known);

        let reason = self.escalation_reason(failed && attempt.counted, failed_in_a_row, &regressions);
        let end = match outcome {
            Outcome::Passed => Some(End::Solved),
            // Once: a session that goes on after it was escalated teaches nothing new by failing again.
            _ if reason.is_some() && session.status != Status::Escalated => Some(End::GivenUp),
            _ => None,
        };
        let (learned, patterns) = self.learn(&mut session, &suite, end)?;
        session.status = self.status(&session, outcome, reason.is_some());
        let escalation = match reason {
            Some(reason) => {
                let facts = escalation::Facts {
                    suite: &suite,
                    known: self.known,
                    similar: &similar,
                    regressions: &regressions,
                    restore: restore.as_deref(),
                    patterns: patterns.as_ref(),
                    max_attempts: self.settings.max_attempts,
                };
                let markdown = escalation::report(self.repository, &session, reason, &facts);
                let id = &session.session_id;
                let path = self.locked.write_beside(id, Beside::Escalation, markdown.as_bytes())?;
                Some(Escalation { reason, path, markdown })
            }
            None => None,
        };
        self.locked.write(&session)?;
        if let Some(patterns) = patterns.filter(|_| !learned.is_empty()) {
            self.locked.write_patterns(&patterns)?;
        }
        Ok(Recorded {
            session,
            attempt: number,
            outcome,
            continued,
            failed_in_a_row,
            max_attempts: self.settings.max_attempts,
            counted: attempt.counted,
            similar,
            regressions,
            restore,
            escalation,
            analysis_missing,
            fix_verified,
            learned,
        })
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
    ) -> Option<escalation::Reason> {
        if !applies {
            None
        } else if self.settings.abort_on_regression && !regressions.is_empty() {
            Some(escalation::Reason::RegressionDetected)
        } else {
            (failed_in_a_row >= self.settings.max_attempts).then_some(escalation::Reason::MaxAttemptsReached)
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
    fn learn(
        &self,
        session: &mut Session,
        suite: &str,
        end: Option<End>,
    ) -> Result<(Vec<String>, Option<LearnedPatterns>)> {
        let attempts: Vec<Execution> = hunt::hunt(session, suite, self.known).into_iter().cloned().collect();
        let attempts: Vec<&Execution> = attempts.iter().collect();
        if attempts.iter().all(|execution| execution.failures.is_empty()) {
            return Ok((Vec::new(), None));
        }
        // A file of patterns that cannot be read is left alone, and must not cost the record of a run.
        let mut known = self.locked.read_patterns().ok();
        let ids = match (&mut known, end) {
            (Some(known), Some(end)) => patterns::learn(known, &attempts, self.known, end, self.now),
            _ => Vec::new(),
        };
        let mut learnings = session.learnings.clone().unwrap_or_default();
        let empty = LearnedPatterns::default();
        let table = known.as_ref().unwrap_or(&empty);
        patterns::note(&mut learnings, &attempts, self.known, end, table);
        session.learnings = (learnings != Default::default()).then_some(learnings);
        let told = table.patterns.iter().filter(|pattern| ids.contains(&pattern.pattern_id));
        let told = told.map(|pattern| format!("{}: {}", pattern.error_type.name(), pattern.error_pattern));
        Ok((told.collect(), known))
    }
}

/// Where the failed attempt stands that the last one tries to solve.
fn before_last(session: &Session, suite: &str, known: &KnownFailures) -> Option<usize> {
    let (last, earlier) = session.executions.split_last()?;
    let decided = |execution: &&Execution| hunt::outcome(execution, known) != Outcome::Open;
    let before = earlier.iter().filter(|one| hunt::suite_of(one) == suite).rfind(decided)?;
    let failed = hunt::outcome(before, known) == Outcome::Failed && before.attempt < last.attempt;
    failed.then(|| earlier.iter().position(|one| one.attempt == before.attempt)).flatten()
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
