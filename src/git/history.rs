//! Recent history: where HEAD was, which commits lead somewhere.

use anyhow::{Result, bail};

use super::object::ObjectId;
use super::repository::Repository;
use crate::collections::HashSet;

/// A commit as lists show it.
pub struct CommitLine {
    pub id: ObjectId,
    pub subject: String,
}

/// Commits one above the other.
pub struct Stretch {
    pub is_empty: bool,
    /// A commit just below them, where there is one.
    pub start: Option<ObjectId>,
}

impl Repository {
    /// What moved HEAD to this commit, in git's words: `commit: ...`, `commit (amend): ...`, `rebase (pick): ...`.
    /// `None` where that was not written down.
    pub fn head_action(&self, head: &ObjectId) -> Option<String> {
        let args =
            ["log", "--walk-reflogs", "--max-count=1", "--format=%H %gs", "--no-show-signature", "HEAD"];
        let last = self.git().line(&args)?;
        let (commit, action) = last.split_once(' ')?;
        (commit == head.as_str()).then(|| action.to_owned())
    }

    /// Refuses two commits where a shallow clone cuts off what only one of them has: they may have parted elsewhere
    /// than it looks, and each would seem to have lost what the other one has always had.
    pub(super) fn see_parting(&self, one: &ObjectId, two: &ObjectId) -> Result<()> {
        let ends = self.shallow_ends();
        if ends.is_empty() {
            return Ok(());
        }
        let ends: HashSet<&str> = ends.lines().collect();
        let apart = self.git().output(&["rev-list", &format!("{one}...{two}"), "--"])?;
        if String::from_utf8_lossy(&apart).lines().any(|commit| ends.contains(commit)) {
            bail!(
                "this shallow clone does not reach back to where {} and {} parted, so what a merge of them lost is not \
                 known here; run `git fetch --unshallow` and try again",
                one.short(),
                two.short()
            );
        }
        Ok(())
    }

    /// The commits that `args` of `git rev-list` select, by their ends.
    pub fn stretch(&self, args: &[String]) -> Result<Stretch> {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let listed = self.git().output(&[&["rev-list", "--boundary"], args.as_slice()].concat())?;
        let text = String::from_utf8_lossy(&listed);
        Ok(Stretch {
            is_empty: text.lines().all(|line| line.starts_with('-')),
            start: text.lines().filter_map(|line| line.strip_prefix('-')).find_map(ObjectId::parse),
        })
    }

    /// The newest commits that `args` of `git rev-list` select.
    pub fn commits(&self, args: &[&str]) -> Result<Vec<CommitLine>> {
        let output =
            self.git().output(&[&["log", "--format=%H %s", "--no-show-signature"], args].concat())?;
        let line = |line: &str| {
            let (id, subject) = line.split_once(' ').unwrap_or((line, ""));
            Some(CommitLine { id: ObjectId::parse(id)?, subject: subject.to_owned() })
        };
        Ok(String::from_utf8_lossy(&output).lines().filter_map(line).collect())
    }
}
