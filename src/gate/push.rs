//! What a push would send that nobody judged.

use anyhow::Result;

use super::check::base_policy;
use super::commit::bind_merges;
use super::prove::{Ask, prove};
use crate::collections::HashSet;
use crate::git::{ChangeSet, CommitLine, ObjectId, Repository};
use crate::ledger::Entry;
use crate::policy::{OnMissing, Required};
use crate::proof::SuiteProof;

/// One reference that is about to change on the other side.
struct Pushed {
    local: ObjectId,
    /// What the other side has there, as far as this side knows it too.
    there: Option<ObjectId>,
}

impl Pushed {
    /// Arguments of `git rev-list` for what is news to the remote: whatever it has, under any name, is not.
    fn news(&self, remote: &str) -> Vec<String> {
        let mut args = vec![self.local.to_string(), "--not".to_owned(), format!("--remotes={remote}")];
        args.extend(self.there.iter().map(ToString::to_string));
        args
    }
}

fn pushed(repository: &Repository, refs: &str) -> Vec<Pushed> {
    let read = |line: &str| {
        let mut fields = line.split_whitespace().filter_map(ObjectId::parse);
        let (local, there) = (fields.next()?, fields.next()?);
        let there = (!there.is_null() && repository.resolve(there.as_str()).is_ok()).then_some(there);
        (!local.is_null()).then_some(Pushed { local, there })
    };
    refs.lines().filter_map(read).collect()
}

/// Suites that must have passed before a push and have not, for what is about to leave.
pub fn unproved(repository: &Repository, remote: &str, refs: &str) -> Result<Vec<SuiteProof>> {
    let mut open: Vec<SuiteProof> = Vec::new();
    for pushed in pushed(repository, refs) {
        // A tag may name anything, and a branch what the remote has already.
        let Ok(head) = repository.resolve(pushed.local.as_str()) else { continue };
        let news = repository.stretch(&pushed.news(remote))?;
        if news.is_empty {
            continue;
        }
        let change = ChangeSet::between(repository, news.start, head)?;
        let mut unreadable = Vec::new();
        let policy = base_policy(repository, &change, &mut unreadable)?;
        if !policy.profile.may_block() || policy.proof.on_missing == OnMissing::Warn {
            continue;
        }
        let proofs = prove(repository, &policy, &change, Ask { by: Required::Push, with_hash: false })?;
        open.extend(proofs.suites.into_iter().filter(|proof| !proof.status.is_good()));
    }
    open.dedup();
    Ok(open)
}

/// Commits that are about to leave and carry no verdict. `refs` is what git writes to a pre-push hook:
/// `<local ref> <local id> <remote ref> <remote id>` on each line.
pub fn never_judged(repository: &Repository, remote: &str, refs: &str) -> Result<Vec<CommitLine>> {
    let mut found = Vec::new();
    for pushed in pushed(repository, refs) {
        found
            .extend(repository.commits(&pushed.news(remote).iter().map(String::as_str).collect::<Vec<_>>())?);
    }
    let mut seen = HashSet::new();
    found.retain(|commit| seen.insert(commit.id.clone()));
    bind_merges(repository, found.iter().map(|commit| &commit.id))?;
    let ids: Vec<&ObjectId> = found.iter().map(|commit| &commit.id).collect();
    let notes = repository.notes(&ids)?;
    // A note that cannot be read as a verdict is none.
    let judged = |note: &Option<String>| note.as_deref().and_then(Entry::parse).is_some();
    Ok(found.into_iter().zip(notes).filter(|(_, note)| !judged(note)).map(|(commit, _)| commit).collect())
}
