//! A fix that is described after the run it led to has passed: which session is meant, and what changes in what was
//! learned.

use anyhow::{Result, bail};
use chrono::{DateTime, Utc};

use super::continuation::own;
use super::format::{Execution, FixApplied, Session, Status, Verification};
use super::hunt::{self, KnownFailures, Outcome};
use super::index::Index;
use super::patterns;
use super::store::{Locked, Store};
use crate::git::{Difference, ObjectId, Repository};
use crate::text::one_line;

/// So many solved sessions are looked through for one that had failed before.
const LOOKED_AT: usize = 10;

/// The session of this working tree that was solved last.
pub fn solved_last(
    store: &Store,
    index: &Index,
    worktree: Option<&String>,
) -> Result<Option<(Session, usize)>> {
    let here = |path: Option<&String>| worktree.is_some() && path == worktree;
    let solved = index.summaries().filter(|one| one.own && one.status == Status::Passed);
    for summary in solved.filter(|one| here(one.worktree.as_ref())).take(LOOKED_AT) {
        let Some(session) = own(store, &summary.session_id)? else { continue };
        let Some(at) = last_failed(&session, index) else { continue };
        let told = session.executions[at].fix_applied.as_ref();
        if told.is_some_and(|fix| !patterns::is_derived(&fix.description)) {
            let id = one_line(&session.session_id);
            bail!(
                "no session is under way, and session {id} has a described fix already: --session {id} replaces it"
            );
        }
        return Ok(Some((session, at)));
    }
    Ok(None)
}

/// Where the last failed attempt of a session stands.
pub fn last_failed(session: &Session, index: &Index) -> Option<usize> {
    let failed = |execution: &Execution| {
        let known = KnownFailures::of(index, hunt::suite_of(execution));
        hunt::outcome(execution, &known) == Outcome::Failed
    };
    session.executions.iter().rposition(failed)
}

/// Where the attempt stands that passed after a failed one.
pub fn passed_after(session: &Session, at: usize, index: &Index) -> Option<usize> {
    let suite = hunt::suite_of(&session.executions[at]);
    let known = KnownFailures::of(index, suite);
    let passed =
        |one: &Execution| hunt::suite_of(one) == suite && hunt::outcome(one, &known) == Outcome::Passed;
    session.executions[at + 1..].iter().position(passed).map(|later| at + 1 + later)
}

/// The fix with its new description. What it changed lies between the two attempts, whatever is on disk by now.
pub fn described(
    repository: &Repository,
    session: &Session,
    at: usize,
    passed: usize,
    text: &str,
) -> FixApplied {
    let tree = |at: usize| ObjectId::parse(&session.executions[at].proof.as_ref()?.tree);
    let measured = || {
        let difference = repository.tree_difference(&tree(at)?, &tree(passed)?).ok()?;
        Some(difference).filter(|difference| difference.total > 0)
    };
    let before = session.executions[at].fix_applied.clone().unwrap_or_else(|| {
        let difference = measured();
        FixApplied {
            diff_summary: difference.as_ref().map(Difference::summary),
            files_changed: difference.as_ref().map(Difference::paths).unwrap_or_default(),
            diff: difference.map(|difference| difference.text).filter(|text| !text.is_empty()),
            ..FixApplied::default()
        }
    });
    FixApplied { description: text.to_owned(), verification: Some(Verification::Passed), ..before }
}

/// Takes the description into what the session and all sessions learned when the run passed.
pub fn learn(
    locked: &Locked<'_>,
    session: &mut Session,
    at: usize,
    passed: usize,
    index: &Index,
    now: DateTime<Utc>,
) -> Result<()> {
    let suite = hunt::suite_of(&session.executions[at]).to_owned();
    let known = KnownFailures::of(index, &suite);
    let until = Session { executions: session.executions[..=passed].to_vec(), ..session.clone() };
    let hunt = hunt::hunt(&until, &suite, &known);
    patterns::tell_again(session.learnings.as_mut(), &hunt, &known, &session.executions[at]);
    // Patterns that cannot be read are left alone.
    let Ok(mut learned) = locked.read_patterns() else { return Ok(()) };
    match patterns::learn_again(&mut learned, &hunt, &known, &session.executions[at], now) {
        true => locked.write_patterns(&learned),
        false => Ok(()),
    }
}
