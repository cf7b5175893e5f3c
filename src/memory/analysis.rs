//! What is said about a failed attempt afterwards: why it failed, and what was changed.

use anyhow::{Context, Result, bail, ensure};
use chrono::{DateTime, Utc};

use super::continuation::own;
use super::format::{Analysis, Execution, FixApplied, Session, SimilarIssue, Status, Verification};
use super::index::Index;
use super::store::Store;
use super::{RootCauseCategory, analysis_after, limits, patterns, similar};
use crate::git::{Difference, ObjectId, Repository};
use crate::text::{one_line, plural};

/// Shorter texts explain nothing.
pub const MIN_CHARS: usize = 20;

/// The session that is meant.
#[derive(Clone, Debug, Default)]
pub struct Which {
    /// An id or the beginning of one; without it the newest session under way.
    pub session: Option<String>,
    /// The working tree that asks: its sessions come first.
    pub worktree: Option<String>,
}

/// Why an attempt failed, as somebody says it.
#[derive(Clone, Debug, Default)]
pub struct Said {
    pub root_cause: String,
    pub strategy: String,
    pub category: Option<RootCauseCategory>,
    pub confidence: Option<f64>,
    pub related: Vec<String>,
}

/// What was written down.
#[derive(Clone, Debug)]
pub struct Noted {
    pub session: Session,
    /// Where the attempt stands in the session.
    pub at: usize,
    /// Whether something was noted there before.
    pub replaced: bool,
    /// Why a fix has no diff.
    pub no_diff: Option<&'static str>,
}

impl Noted {
    pub fn execution(&self) -> &Execution {
        &self.session.executions[self.at]
    }
}

/// Notes the cause of the last failed attempt, with what memory knows of the like.
pub fn analyze(store: &Store, which: &Which, said: &Said, now: DateTime<Utc>) -> Result<Noted> {
    check("--root-cause", &said.root_cause)?;
    check("--strategy", &said.strategy)?;
    if let Some(confidence) = said.confidence {
        ensure!((0.0..=1.0).contains(&confidence), "--confidence is a number from 0 to 1, not {confidence}");
    }
    let locked = store.lock()?;
    let index = locked.index()?;
    let (mut session, at) = target(&locked, &index, which)?;
    let execution = &session.executions[at];
    let issue = |found: similar::Similar| SimilarIssue {
        resolution: found.resolution(),
        session_id: found.session_id,
        file: Some(found.file),
    };
    // Patterns that cannot be read must not cost an analysis.
    let learned = locked.read_patterns().unwrap_or_default();
    let matched = patterns::matching(execution, &learned);
    let mut analysis = Analysis {
        root_cause: said.root_cause.trim().to_owned(),
        root_cause_category: said.category,
        fix_strategy: said.strategy.trim().to_owned(),
        confidence: said.confidence,
        related_failures: related(execution, &said.related)?,
        similar_past_issues: similar::find(&locked, &index, execution)?.into_iter().map(issue).collect(),
        patterns_matched: matched.into_iter().map(|pattern| pattern.pattern_id.clone()).collect(),
    };
    limits::cut_analysis(&mut analysis);
    let replaced = session.executions[at].analysis.replace(analysis).is_some();
    session.updated_at = Some(now);
    locked.write(&session)?;
    Ok(Noted { session, at, replaced, no_diff: None })
}

fn check(option: &str, text: &str) -> Result<()> {
    let count = text.trim().chars().count();
    ensure!(
        count >= MIN_CHARS,
        "{option} needs at least {MIN_CHARS} characters, this has {count}: say what happens and why"
    );
    Ok(())
}

/// Full names of the failures that parts of names stand for.
fn related(execution: &Execution, parts: &[String]) -> Result<Vec<String>> {
    let names: Vec<&str> = execution.failures.iter().map(|failure| failure.test_name.as_str()).collect();
    let full = |part: &String| {
        let exact = names.iter().find(|name| **name == part.as_str());
        let found = exact.or_else(|| names.iter().find(|name| name.contains(part.as_str())));
        found.map(|name| (*name).to_owned()).with_context(|| {
            let few: Vec<String> = names.iter().take(5).map(|name| one_line(name)).collect();
            format!(
                "--related {}: no such test failed in attempt {}; these did: {}",
                one_line(part),
                execution.attempt,
                few.join(", ")
            )
        })
    };
    parts.iter().map(full).collect()
}

/// Notes what was changed since the last failed attempt. Whether it worked, the next run tells, or has told already.
pub fn fix(
    repository: &Repository,
    store: &Store,
    which: &Which,
    description: &str,
    now: DateTime<Utc>,
) -> Result<Noted> {
    ensure!(!description.trim().is_empty(), "--description is empty: say what was changed");
    let locked = store.lock()?;
    let index = locked.index()?;
    let (mut session, at) = fix_target(&locked, &index, which)?;
    let passed = analysis_after::passed_after(&session, at, &index);
    let (mut fix, no_diff) = match passed {
        Some(passed) => {
            (analysis_after::described(repository, &session, at, passed, description.trim()), None)
        }
        None => new_fix(repository, &session.executions[at], description.trim()),
    };
    limits::cut_fix(&mut fix);
    let replaced = session.executions[at].fix_applied.replace(fix).is_some();
    match passed {
        // What is said of a session afterwards does not make it newer than the runs since.
        Some(passed) => analysis_after::learn(&locked, &mut session, at, passed, &index, now)?,
        None => session.updated_at = Some(now),
    }
    locked.write(&session)?;
    Ok(Noted { session, at, replaced, no_diff })
}

fn new_fix(
    repository: &Repository,
    execution: &Execution,
    description: &str,
) -> (FixApplied, Option<&'static str>) {
    let (difference, no_diff) = difference(repository, execution);
    let fix = FixApplied {
        description: description.to_owned(),
        diff_summary: difference.as_ref().map(Difference::summary),
        files_changed: difference.as_ref().map(Difference::paths).unwrap_or_default(),
        diff: difference.map(|difference| difference.text),
        verification: Some(Verification::Pending),
    };
    (fix, no_diff)
}

/// The attempt that a fix is about: of a session under way here, else of the one that was solved last here.
fn fix_target(store: &Store, index: &Index, which: &Which) -> Result<(Session, usize)> {
    if which.session.is_some() {
        return target(store, index, which);
    }
    if let Some(session) = under_way_here(store, index, which)?
        && let Some(at) = analysis_after::last_failed(&session, index)
    {
        return Ok((session, at));
    }
    match analysis_after::solved_last(store, index, which.worktree.as_ref())? {
        Some(solved) => Ok(solved),
        None => target(store, index, which),
    }
}

fn under_way_here(store: &Store, index: &Index, which: &Which) -> Result<Option<Session>> {
    let mut open = index.summaries().filter(|summary| summary.status == Status::InProgress);
    match open.find(|summary| summary.worktree.is_some() && summary.worktree == which.worktree) {
        Some(summary) => own(store, &summary.session_id),
        None => Ok(None),
    }
}

fn difference(repository: &Repository, execution: &Execution) -> (Option<Difference>, Option<&'static str>) {
    let tree = execution.proof.as_ref().and_then(|proof| ObjectId::parse(&proof.tree));
    let Some(tree) = tree else { return (None, Some("the attempt keeps no tree to compare with")) };
    match repository.worktree_difference(&tree) {
        Ok(difference) if difference.total == 0 => (None, Some("no file differs from what was tested")),
        Ok(difference) => (Some(difference), None),
        Err(_) => (None, Some("the tree of the attempt is not in this repository")),
    }
}

/// The session that is meant, and where its last failed attempt stands.
fn target(store: &Store, index: &Index, which: &Which) -> Result<(Session, usize)> {
    let session = match &which.session {
        Some(id) => named(store, id)?,
        None => under_way(store, index, which)?,
    };
    let at = analysis_after::last_failed(&session, index).with_context(|| {
        format!("no attempt of session {} failed: there is nothing to explain", session.session_id)
    })?;
    Ok((session, at))
}

fn named(store: &Store, id: &str) -> Result<Session> {
    let found = store.session(id.trim())?.with_context(|| not_found(id))?;
    own(store, &found.session_id)?.with_context(|| {
        format!("session {} was written by another tool: it is left as it is", one_line(&found.session_id))
    })
}

/// The message for an id that no session has.
pub fn not_found(id: &str) -> String {
    format!("there is no session `{}`: `aiwg-gate memory query` lists the newest", one_line(id))
}

fn under_way(store: &Store, index: &Index, which: &Which) -> Result<Session> {
    if let Some(session) = under_way_here(store, index, which)? {
        return Ok(session);
    }
    if let Some(summary) = index.summaries().find(|summary| summary.status == Status::InProgress)
        && let Some(session) = own(store, &summary.session_id)?
    {
        return Ok(session);
    }
    let newest = index.summaries().find(|summary| summary.status == Status::Escalated);
    match newest {
        Some(escalated) => bail!(
            "no session is under way. The newest escalated one is named with --session {} ({})",
            one_line(&escalated.session_id),
            plural(escalated.attempt_numbers.len(), "attempt")
        ),
        None => {
            bail!("no session is under way: `aiwg-gate run` starts one, `--session ID` names an older one")
        }
    }
}

#[cfg(test)]
#[path = "analysis_tests.rs"]
mod tests;
