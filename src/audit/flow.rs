//! The walk: lists the commits, judges each, tells them in order.

use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};

use super::model::{Audited, Outcome};
use super::order::{REORDERED, in_order};
use super::record;
use super::store::Store;
use crate::collections::HashMap;
use crate::faults;
use crate::gate;
use crate::git::{ChangeSet, CommitHead, ObjectId, RepoPath, Repository, Selection, Step, Walk};
use crate::verdict::Report;

/// Who follows an audit.
pub trait Watch {
    /// The next commit, newest first.
    fn audited(&mut self, audited: Audited) -> Result<()>;

    /// Called often: how far the audit is. An error ends it.
    fn progress(&mut self, done: usize, total: usize) -> Result<()>;
}

/// Judges the commits of a walk; with `keep`, what earlier audits found out is used and added to.
pub fn audit(directory: &Path, walk: &Walk, keep: bool, watch: &mut dyn Watch) -> Result<()> {
    let repository = Repository::open(directory)?;
    let steps = repository.walk(walk)?;
    let store = if keep { Store::open(&repository) } else { Store::none() };
    gate::memo::switch_on();
    let total = steps.len();
    watch.progress(0, total)?;
    let (mut done, mut fresh) = (0, Vec::new());
    let told = in_order(
        &line_by_line(&steps),
        || Repository::open(directory).map_err(|error| format!("{error:#}")),
        |repository, item| judge(repository.as_ref().map_err(String::as_str), &store, &steps[item].commit),
        |judged| {
            if let Some((audited, line)) = judged {
                done += 1;
                fresh.extend(line.map(|line| (audited.commit.id.clone(), line)));
                watch.audited(audited)?;
            }
            if fresh.len() >= FLUSH {
                store.add(&std::mem::take(&mut fresh));
            }
            watch.progress(done, total)
        },
    );
    // Also where it was broken off: the next one goes on from there.
    store.add(&fresh);
    told
}

/// The order in which to judge commits: each with the one it was made on, though commits of other branches were made in
/// between. They have the most in common, and what is known of the last version of a file helps to read the next.
fn line_by_line(steps: &[Step]) -> Vec<usize> {
    let mut order = Vec::with_capacity(steps.len());
    for first in (0..steps.len()).step_by(REORDERED) {
        let near = first..steps.len().min(first + REORDERED);
        let places: HashMap<&ObjectId, usize> = near.clone().map(|at| (&steps[at].commit, at)).collect();
        let mut is_done = vec![false; near.len()];
        for start in near {
            let mut next = Some(start);
            while let Some(at) = next.filter(|at| !std::mem::replace(&mut is_done[at - first], true)) {
                order.push(at);
                next = steps[at].parent.as_ref().and_then(|parent| places.get(parent).copied());
            }
        }
    }
    order
}

/// So many new reports are kept together.
const FLUSH: usize = 2000;

/// A commit, and its line for the store where it is new there.
fn judge(repository: Result<&Repository, &str>, store: &Store, id: &ObjectId) -> (Audited, Option<String>) {
    let start = Instant::now();
    let unread = CommitHead { id: id.clone(), author: String::new(), time: 0, subject: String::new() };
    let (commit, (outcome, line)) = match repository {
        Err(error) => (unread, (Outcome::Unknown(error.to_owned()), None)),
        Ok(repository) => match repository.commit_head(id) {
            Err(error) => (unread, (Outcome::Unknown(format!("{error:#}")), None)),
            Ok(head) => (head, outcome(repository, store, id)),
        },
    };
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    (Audited { commit, outcome, milliseconds }, line)
}

/// A commit that cannot be judged is no reason to end an audit.
fn outcome(repository: &Repository, store: &Store, id: &ObjectId) -> (Outcome, Option<String>) {
    if let Some(report) = store.get(id) {
        return (Outcome::Judged(Box::new(report)), None);
    }
    match report(repository, id) {
        Ok(report) => {
            let line = if lasts(repository, &report) { record::write(&report) } else { None };
            (Outcome::Judged(Box::new(report)), line)
        }
        Err(error) => (Outcome::Unknown(format!("{error:#}")), None),
    }
}

/// Waivers end some day, and with them what they waive is judged otherwise.
fn lasts(repository: &Repository, report: &Report) -> bool {
    let Some(base) = &report.change.base else { return true };
    matches!(repository.entry(base, &RepoPath::new(WAIVERS)), Ok(None))
}

const WAIVERS: &str = "aiwg-gate.waivers.yaml";

fn report(repository: &Repository, id: &ObjectId) -> Result<Report> {
    let change = ChangeSet::gather(repository, &Selection::Commit(id.as_str().to_owned()))?;
    if change.files() > MOST_FILES {
        bail!("it changes {} files, too many to look at in passing: `check --commit` does", change.files());
    }
    faults::caught(|| gate::check(repository, &change, None))
}

/// All files of a change are in memory at once.
const MOST_FILES: usize = 20_000;

#[cfg(test)]
mod tests {
    use super::*;

    fn id(commit: usize) -> ObjectId {
        ObjectId::parse(&format!("{commit:040x}")).expect("an id")
    }

    /// Commits by their numbers, each with that of its first parent.
    fn order(steps: &[(usize, usize)]) -> Vec<usize> {
        let step = |&(commit, parent): &(usize, usize)| Step { commit: id(commit), parent: Some(id(parent)) };
        line_by_line(&steps.iter().map(step).collect::<Vec<_>>())
    }

    #[test]
    fn branches_are_gone_through_one_after_the_other() {
        assert_eq!(order(&[(9, 7), (8, 6), (7, 5), (6, 4), (5, 3), (4, 3), (3, 2)]), [0, 2, 4, 6, 1, 3, 5]);
    }

    #[test]
    fn every_commit_is_judged_once_and_near_its_place() {
        let steps: Vec<(usize, usize)> = (1..1000).rev().map(|commit| (commit + 7, commit)).collect();
        let order = order(&steps);
        assert!(order.iter().enumerate().all(|(at, item)| at / REORDERED == item / REORDERED));
        let mut sorted = order;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..steps.len()).collect::<Vec<_>>());
    }
}
