//! The gate around one commit: judge before, bind the verdict after.

use anyhow::Result;
use chrono::Utc;

use super::{Ask, check};
use crate::git::{ChangeSet, ObjectId, Repository, Selection};
use crate::intent::Intent;
use crate::ledger::{Entry, Judged, Key, Waiting};
use crate::policy::Required;
use crate::verdict::{Action, Report, Verdict};

/// Judges what is about to be committed and keeps the verdict for [`bind`].
pub fn judge_staged(repository: &Repository, selection: &Selection) -> Result<Report> {
    let change = ChangeSet::gather(repository, selection)?;
    let report = check(repository, &change, Some(Ask { by: Required::Commit, with_hash: false }))?;
    if report.verdict != Verdict::Block {
        Waiting::of(repository).put(&change, &Entry::of(&report, Judged::BeforeCommit, Utc::now()))?;
    }
    Ok(report)
}

/// What is known about a commit that was just made.
pub enum Bound {
    /// Its verdict was waiting.
    Waiting(Entry),
    /// The same, and its message says more about it than the change alone did.
    Admitted(Box<Report>),
    /// It was judged only now: an amended commit was seen as a change to the one it replaces, and git asks no hook
    /// before it rebases or picks.
    Now(Box<Report>),
    /// Nobody judged it: the hooks were bypassed.
    Bypassed,
}

/// Puts the verdict on the newest commit as a note.
pub fn bind(repository: &Repository) -> Result<Option<Bound>> {
    let Some(head) = repository.head()? else { return Ok(None) };
    let parents = repository.parents(&head)?;
    bind_merges(repository, &parents)?;
    let waiting = Waiting::of(repository);
    if let Some(entry) = waiting.take(&Key::of_commit(repository, &head, &parents)?) {
        // First of all: should the second look fail, the verdict must not be lost with it.
        repository.set_note(&head, &entry.to_line()?)?;
        let Some(report) = admitted(repository, &head)? else { return Ok(Some(Bound::Waiting(entry))) };
        let judged = Entry::of(&report, Judged::BeforeCommit, Utc::now());
        repository.set_note(&head, &Entry { proofs: entry.proofs, ..judged }.to_line()?)?;
        return Ok(Some(Bound::Admitted(Box::new(report))));
    }
    if !amends(repository, &waiting, &head, &parents)? && !rewrites(repository, &head) {
        return Ok(Some(Bound::Bypassed));
    }
    let change = ChangeSet::gather(repository, &Selection::Commit(head.to_string()))?;
    // Whether it was run was asked before the commit.
    let report = check(repository, &change, None)?;
    repository.set_note(&head, &Entry::of(&report, Judged::AfterCommit, Utc::now()).to_line()?)?;
    Ok(Some(Bound::Now(Box::new(report))))
}

/// What the change looks like by the words of its author, where those say anything: before the commit there were none.
fn admitted(repository: &Repository, head: &ObjectId) -> Result<Option<Report>> {
    let message = repository.commit_head(head)?.subject;
    if !Intent::of(&message).is_some_and(|intent| intent.is_telling()) {
        return Ok(None);
    }
    let change = ChangeSet::gather(repository, &Selection::Commit(head.to_string()))?;
    let report = check(repository, &change, None)?;
    let is_told = report.findings.iter().any(|judged| judged.finding.admitted && judged.action > Action::Log);
    Ok(is_told.then_some(report))
}

/// Whether the commit replaces one on top of which its content was judged.
fn amends(repository: &Repository, waiting: &Waiting, head: &ObjectId, parents: &[ObjectId]) -> Result<bool> {
    for old in waiting.heads() {
        // A commit that is no longer here was not just amended.
        let same_parents = repository.parents(&old).is_ok_and(|of_old| of_old == parents);
        if same_parents && waiting.take(&Key::of_amending(repository, &old, head)?).is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the commit is the work of a command that asks no pre-commit hook, so far as git says.
fn rewrites(repository: &Repository, head: &ObjectId) -> bool {
    repository.head_action(head).is_none_or(|action| !action.starts_with("commit"))
}

/// The verdict on a commit, `None` where it was never judged.
///
/// git runs no post-commit hook after a merge: its verdict may still be waiting.
pub fn verdict_on(repository: &Repository, commit: &ObjectId, note: Option<&str>) -> Result<Option<Entry>> {
    let waiting = Waiting::of(repository);
    if note.is_some() || waiting.is_empty() {
        return Ok(note.and_then(Entry::parse));
    }
    match repository.parents(commit) {
        Ok(parents) if parents.len() > 1 => Ok(waiting.get(&Key::of_commit(repository, commit, &parents)?)),
        _ => Ok(None),
    }
}

/// Puts verdicts that wait for merges on them as notes.
pub fn bind_merges<'c>(
    repository: &Repository,
    commits: impl IntoIterator<Item = &'c ObjectId>,
) -> Result<()> {
    let waiting = Waiting::of(repository);
    if waiting.is_empty() {
        return Ok(());
    }
    for commit in commits {
        let Ok(parents) = repository.parents(commit) else { continue };
        if parents.len() > 1
            && let Some(entry) = waiting.take(&Key::of_commit(repository, commit, &parents)?)
        {
            repository.set_note(commit, &entry.to_line()?)?;
        }
    }
    Ok(())
}
