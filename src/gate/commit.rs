//! The gate around one commit: judge before, bind the verdict after.

use anyhow::Result;

use super::check;
use crate::git::{ChangeSet, ObjectId, Repository, Selection};
use crate::ledger::{Entry, Judged, Key, Waiting};
use crate::verdict::{Report, Verdict};

/// Judges what is about to be committed and keeps the verdict for [`bind`].
pub fn judge_staged(repository: &Repository, selection: &Selection) -> Result<Report> {
    let change = ChangeSet::gather(repository, selection)?;
    let report = check(repository, &change)?;
    if report.verdict != Verdict::Block {
        Waiting::of(repository).put(&Key::of(&change), &Entry::of(&report, Judged::BeforeCommit))?;
    }
    Ok(report)
}

/// What is known about a commit that was just made.
pub enum Bound {
    /// Its verdict was waiting.
    Waiting(Entry),
    /// Its content was judged only now, because git asks no hook before amending, rebasing or picking.
    Now(Box<Report>),
    /// Nobody judged it: the hooks were bypassed.
    Bypassed,
}

/// Puts the verdict on the newest commit as a note.
pub fn bind(repository: &Repository) -> Result<Option<Bound>> {
    let Some(head) = repository.head()? else { return Ok(None) };
    let change = ChangeSet::gather(repository, &Selection::Commit(head.to_string()))?;
    if let Some(entry) = Waiting::of(repository).take(&Key::of(&change)) {
        repository.set_note(&head, &entry.to_line()?)?;
        return Ok(Some(Bound::Waiting(entry)));
    }
    if !rewritten(repository, &head)? {
        return Ok(Some(Bound::Bypassed));
    }
    let report = check(repository, &change)?;
    repository.set_note(&head, &Entry::of(&report, Judged::AfterCommit).to_line()?)?;
    Ok(Some(Bound::Now(Box::new(report))))
}

/// Whether the commit is the work of a command that asks no pre-commit hook, or amends what one has seen.
fn rewritten(repository: &Repository, head: &ObjectId) -> Result<bool> {
    let Some(action) = repository.last_head_action() else { return Ok(false) };
    if action.starts_with("commit (amend)") {
        let Some(old) = repository.previous_head() else { return Ok(false) };
        let key = Key::of_amending(repository, &old, head)?;
        return Ok(Waiting::of(repository).take(&key).is_some());
    }
    Ok(!action.starts_with("commit"))
}
