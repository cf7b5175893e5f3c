//! Whether tests go back to what they were after an earlier commit had taken their code back: a revert in two steps.

use std::collections::BTreeSet;

use anyhow::Result;

use crate::collections::HashMap;
use crate::git::{ChangeSet, ObjectId, RepoPath, Repository};
use crate::languages::language_of;
use crate::paths::{PathClass, class_by_name};

/// So many commits back tests may go, ...
const BACK: usize = 64;
/// ... and so many before the change the code may have been taken back.
const STEPS: usize = 8;
/// So many files of one commit are looked at.
const MAX_FILES: usize = 40;

/// The commit that took the code back, for each path that goes back to what it was before that code.
pub fn find(
    repository: &Repository,
    change: &ChangeSet,
    after: &HashMap<String, Option<ObjectId>>,
    wanted: &BTreeSet<String>,
) -> HashMap<String, ObjectId> {
    let mut found = HashMap::new();
    let Some(base) = &change.base else { return found };
    let mut chain = vec![base.clone()];
    while let Some(parent) =
        chain.last().and_then(|commit| repository.parents(commit).ok()?.into_iter().next())
    {
        chain.push(parent);
        if chain.len() > BACK {
            break;
        }
    }
    for path in wanted {
        let Some(Some(content)) = after.get(path) else { continue };
        let is_there =
            |commit: &ObjectId| id_at(repository, commit, path).is_ok_and(|id| id.as_ref() == Some(content));
        let Some(origin) = chain.iter().skip(1).position(is_there).map(|at| at + 1) else { continue };
        let mut steps = (0..STEPS.min(origin)).filter(|&at| {
            takes_back(repository, &chain[at], &chain[at + 1], &chain[origin]).unwrap_or(false)
        });
        if let Some(step) = steps.next() {
            found.insert(path.clone(), chain[step].clone());
        }
    }
    found
}

/// Whether a commit makes production code what it was at an earlier one.
fn takes_back(
    repository: &Repository,
    commit: &ObjectId,
    parent: &ObjectId,
    origin: &ObjectId,
) -> Result<bool> {
    let raw = repository.diff(Some(parent), commit)?;
    let is_code = |path: &RepoPath| {
        let path = path.text();
        language_of(&path).is_some() && class_by_name(&path) == PathClass::Production
    };
    for change in raw.iter().filter(|change| is_code(&change.path)).take(MAX_FILES) {
        let now = change.after.as_ref().map(|entry| entry.id.clone());
        if id_at(repository, origin, &change.path.text())? == now {
            return Ok(true);
        }
    }
    Ok(false)
}

fn id_at(repository: &Repository, commit: &ObjectId, path: &str) -> Result<Option<ObjectId>> {
    Ok(repository.entry(commit, &RepoPath::new(path))?.map(|entry| entry.id))
}
