//! The one way an attempt gets into memory.
//!
//! Under one lock: which session it continues, its number and its place in the chain, what it says about the fix
//! before it, what was learned, and whether a person has to look.

use std::collections::BTreeSet;

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::chain;
use super::continuation::{self, Belongs, Work};
use super::escalation::Escalation;
use super::format::{Execution, Metadata, Mode, Session, Status};
use super::hunt::{self, KnownFailures, Outcome};
use super::index::Index;
use super::record_settle::Flow;
use super::regression::{self, Regression};
use super::similar::Similar;
use super::store::{Beside, Locked, Store};
use crate::git::Repository;
use crate::policy::FeedbackSettings;

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
    /// What could not be looked up or learned. It costs no run and no record.
    pub warnings: Vec<String>,
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
    flow.settle(session, number, continued, &attempt)
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
    pub(super) fn failing(&self, known: &KnownFailures) -> BTreeSet<String> {
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
        warnings: Vec::new(),
    })
}

pub(super) fn write_run(
    locked: &Locked<'_>,
    session: &Session,
    number: u32,
    attempt: &Attempt,
) -> Result<()> {
    let id = &session.session_id;
    let tests = regression::tests_to_text(&attempt.tests);
    locked.write_beside(id, Beside::Log(number), &attempt.log)?;
    locked.write_beside(id, Beside::Tests(number), tests.as_bytes())?;
    Ok(())
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
