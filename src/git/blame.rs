//! Which paths a merge itself is to blame for.
//!
//! A path that one parent left alone and that the merge took from the other is that parent's work, judged when it was
//! committed. Everything else is the merge's own: content that no parent has, and work of one parent that the merge
//! left out.

use std::collections::{BTreeSet, HashMap, HashSet};

use anyhow::Result;

use super::object::{ObjectId, RawChange, RepoPath};
use super::repository::Repository;

/// The paths to judge, given each parent with the list from it to the result.
pub fn own_paths(
    repository: &Repository,
    parents: &[(ObjectId, Vec<RawChange>)],
) -> Result<BTreeSet<RepoPath>> {
    let differing: Vec<HashSet<&RepoPath>> =
        parents.iter().map(|(_, raw)| raw.iter().map(|change| &change.path).collect()).collect();
    let all: BTreeSet<&RepoPath> = differing.iter().flatten().copied().collect();
    let mut work = Work { repository, parents, known: HashMap::new() };
    let mut own = BTreeSet::new();
    for path in all {
        if !is_taken_over(&mut work, &differing, path)? {
            own.insert(path.clone());
        }
    }
    Ok(own)
}

/// Whether the result has the path from one parent and no other parent did anything else to it.
fn is_taken_over(work: &mut Work<'_>, differing: &[HashSet<&RepoPath>], path: &RepoPath) -> Result<bool> {
    for (source, _) in differing.iter().enumerate().filter(|(_, differs)| !differs.contains(path)) {
        let mut ignored = false;
        for (other, _) in differing.iter().enumerate().filter(|(_, differs)| differs.contains(path)) {
            ignored |= work.touched(source, other, path)?;
        }
        if !ignored {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What each parent did since it parted from another one, found out when it is asked for.
struct Work<'a> {
    repository: &'a Repository,
    parents: &'a [(ObjectId, Vec<RawChange>)],
    known: HashMap<(usize, usize), HashSet<RepoPath>>,
}

impl Work<'_> {
    /// Whether the second parent has the path unlike every place where the two parted.
    fn touched(&mut self, from: usize, by: usize, path: &RepoPath) -> Result<bool> {
        if !self.known.contains_key(&(from, by)) {
            let touched = self.paths(&self.parents[from].0, &self.parents[by].0)?;
            self.known.insert((from, by), touched);
        }
        Ok(self.known[&(from, by)].contains(path))
    }

    fn paths(&self, from: &ObjectId, by: &ObjectId) -> Result<HashSet<RepoPath>> {
        let list = |fork: Option<&ObjectId>| -> Result<HashSet<RepoPath>> {
            Ok(self.repository.diff(fork, by)?.into_iter().map(|change| change.path).collect())
        };
        let forks = self.repository.merge_bases(from, by)?;
        let Some((first, rest)) = forks.split_first() else { return list(None) };
        let mut touched = list(Some(first))?;
        for fork in rest {
            let since = list(Some(fork))?;
            touched.retain(|path| since.contains(path));
        }
        Ok(touched)
    }
}
