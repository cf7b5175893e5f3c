//! What a repository still needs of its memory: runs that prove the content of a commit, or say what fails there.

use std::collections::BTreeSet;

use anyhow::Result;
use chrono::{DateTime, Utc};

use super::format::{Mode, ProofEnd};
use super::index::Record;
use super::retention::{Pruned, prune};
use super::store::Store;
use crate::git::Repository;

/// How many commits of local branches are looked at.
const REACHED_COMMITS: usize = 10_000;

/// Removes sessions whose time is over and that no commit of a local branch needs, with what git keeps for them.
pub fn prune_unneeded(
    repository: &Repository,
    store: &Store,
    now: DateTime<Utc>,
    dry_run: bool,
) -> Result<Pruned> {
    let trees = repository.branch_trees(REACHED_COMMITS)?;
    let pruned = prune(&store.lock()?, now, |record| proves(record, &trees), dry_run)?;
    if !dry_run {
        for session in &pruned.sessions {
            repository.forget_attempts(&session.session_id)?;
        }
    }
    Ok(pruned)
}

/// The tree that a run proves something about, if it is one of `trees`.
fn proves(record: &Record, trees: &BTreeSet<String>) -> Option<String> {
    let proof = &record.proof;
    let failing = record.test_results.failed + record.test_results.errors;
    // Failures that are named can be known ones, and a run of the base is there to name them.
    let tells = match failing {
        0 => proof.exit_code == Some(0),
        _ => record.failed.len() as u64 == failing,
    };
    let side = if proof.mode == Mode::Base { "base " } else { "" };
    let counts = proof.ended == ProofEnd::Exited && proof.weak.is_empty() && tells;
    (counts && trees.contains(&proof.tree)).then(|| format!("{side}{}", proof.tree))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::samples::{failing, passing};
    use crate::memory::{Execution, Store};

    fn record(execution: Execution) -> Record {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::at(folder.path(), &folder.path().join("state"));
        store.lock().unwrap().write(&crate::memory::samples::session(vec![execution])).unwrap();
        store.index().unwrap().all_records().next().unwrap()
    }

    fn proved(execution: Execution) -> Option<String> {
        proves(&record(execution), &BTreeSet::from(["tree1".to_owned()]))
    }

    #[test]
    fn runs_of_committed_content_are_needed() {
        assert_eq!(proved(passing(1)).as_deref(), Some("tree1"));
        assert_eq!(proved(passing(2)), None, "of a tree that no branch reaches");
        let mut base = failing(1, "a");
        base.proof.as_mut().unwrap().mode = Mode::Base;
        assert_eq!(proved(base).as_deref(), Some("base tree1"));
    }

    #[test]
    fn quiet_where_a_run_proves_nothing() {
        let mut weak = passing(1);
        weak.proof.as_mut().unwrap().weak.push("1 of 2 ran".into());
        assert_eq!(proved(weak), None);
        let mut stopped = passing(1);
        stopped.proof.as_mut().unwrap().ended = ProofEnd::Interrupted;
        assert_eq!(proved(stopped), None);
        let mut unnamed = failing(1, "a");
        unnamed.test_results.failed = 3;
        assert_eq!(proved(unnamed), None);
    }
}
