//! Which paths a merge itself is to blame for.
//!
//! A path that one parent left alone and that the merge took from the other is that parent's work, judged when it was
//! committed. So is one to which both did the same, as where fixes are copied between branches, and a file in which the
//! work of both stands together just as git puts it. Everything else is the merge's own: content that nobody but the
//! merger wrote, and work of one parent that the merge left out.

use std::collections::BTreeSet;

use anyhow::Result;

use super::copied::has_changes;
use super::library;
use super::object::{Entry, ObjectId, RawChange, RepoPath};
use super::repository::Repository;
use crate::collections::{HashMap, HashSet};

/// Larger files are not compared line by line: to find their common lines takes too long.
const MAX_BYTES: usize = 1024 * 1024;

/// The paths to judge, given each parent with the list from it to the result; and those that git put together.
pub fn own_paths(
    repository: &Repository,
    parents: &[(ObjectId, Vec<RawChange>)],
) -> Result<(BTreeSet<RepoPath>, BTreeSet<RepoPath>)> {
    let differing: Vec<HashSet<&RepoPath>> =
        parents.iter().map(|(_, raw)| raw.iter().map(|change| &change.path).collect()).collect();
    let all: BTreeSet<&RepoPath> = differing.iter().flatten().copied().collect();
    let mut work = Work { repository, parents, known: HashMap::new() };
    let (mut own, mut put_together) = (BTreeSet::new(), BTreeSet::new());
    for path in all {
        if is_taken_over(&mut work, &differing, path)? {
            continue;
        }
        let paths = if work.is_put_together(path)? { &mut put_together } else { &mut own };
        paths.insert(path.clone());
    }
    Ok((own, put_together))
}

/// Whether the result has the path from one parent and no other parent did anything else to it.
fn is_taken_over(work: &mut Work<'_>, differing: &[HashSet<&RepoPath>], path: &RepoPath) -> Result<bool> {
    for (source, _) in differing.iter().enumerate().filter(|(_, differs)| !differs.contains(path)) {
        let mut ignored = false;
        for (other, _) in differing.iter().enumerate().filter(|(_, differs)| differs.contains(path)) {
            ignored |= work.touched(source, other, path)? && !work.is_copied(source, other, path)?;
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
    /// Whether the result has at the path what git makes of the work of both parents, without anybody's help.
    fn is_put_together(&self, path: &RepoPath) -> Result<bool> {
        let [(ours, since_ours), (theirs, since_theirs)] = self.parents else { return Ok(false) };
        let find = |list: &[RawChange]| list.iter().find(|change| change.path == *path).cloned();
        let (Some(ours_to), Some(theirs_to)) = (find(since_ours), find(since_theirs)) else {
            return Ok(false);
        };
        let forks = self.repository.merge_bases(ours, theirs)?;
        let [fork] = &forks[..] else { return Ok(false) };
        let fork = self.repository.entry(fork, path)?;
        let texts =
            [fork, ours_to.before, theirs_to.before, ours_to.after].map(|entry| self.text(entry.as_ref()));
        let [Some(fork), Some(ours), Some(theirs), Some(result)] = texts else { return Ok(false) };
        Ok(library::merged(&fork, &ours, &theirs).is_some_and(|merged| merged == result))
    }

    /// Whether the result, which is the first parent's, has all that the second one did to the file since they parted.
    fn is_copied(&self, from: usize, by: usize, path: &RepoPath) -> Result<bool> {
        let parents = [from, by].map(|parent| &self.parents[parent].0);
        let [Some(result), Some(theirs)] = [self.text_at(parents[0], path)?, self.text_at(parents[1], path)?]
        else {
            return Ok(false);
        };
        for fork in self.repository.merge_bases(parents[0], parents[1])? {
            if let Some(fork) = self.text_at(&fork, path)?
                && has_changes(&result, &fork, &theirs)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn text_at(&self, commit: &ObjectId, path: &RepoPath) -> Result<Option<Vec<u8>>> {
        Ok(self.text(self.repository.entry(commit, path)?.as_ref()))
    }

    /// The text of a file that is not too large to be put together line by line.
    fn text(&self, entry: Option<&Entry>) -> Option<Vec<u8>> {
        let entry = entry.filter(|entry| entry.is_file())?;
        self.repository.blob_here(&entry.id).filter(|text| text.len() <= MAX_BYTES)
    }

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
