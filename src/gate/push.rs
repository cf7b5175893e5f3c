//! What a push would send that nobody judged.

use std::collections::HashSet;

use anyhow::Result;

use super::commit::bind_merges;
use crate::git::{CommitLine, ObjectId, Repository};
use crate::ledger::Entry;

/// Commits that are about to leave and carry no verdict. `refs` is what git writes to a pre-push hook:
/// `<local ref> <local id> <remote ref> <remote id>` on each line.
pub fn never_judged(repository: &Repository, remote: &str, refs: &str) -> Result<Vec<CommitLine>> {
    let mut found = Vec::new();
    for line in refs.lines() {
        let mut fields = line.split_whitespace().filter_map(ObjectId::parse);
        let (Some(local), Some(there)) = (fields.next(), fields.next()) else { continue };
        if local.is_null() {
            continue;
        }
        // Whatever the remote is known to have, under any name, is not news to it.
        let known = format!("--remotes={remote}");
        let mut args = vec![local.as_str(), "--not", &known];
        if !there.is_null() && repository.resolve(there.as_str()).is_ok() {
            args.push(there.as_str());
        }
        found.extend(repository.commits(&args)?);
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
