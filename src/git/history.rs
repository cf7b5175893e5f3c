//! Recent history: where HEAD was, which commits lead somewhere.

use anyhow::Result;

use super::object::ObjectId;
use super::repository::Repository;

/// A commit as lists show it.
pub struct CommitLine {
    pub id: ObjectId,
    pub subject: String,
}

impl Repository {
    /// What last moved HEAD, in git's words: `commit: ...`, `commit (amend): ...`, `rebase (pick): ...`.
    pub fn last_head_action(&self) -> Option<String> {
        self.git().line(&["log", "--walk-reflogs", "--max-count=1", "--format=%gs", "HEAD"])
    }

    /// Where HEAD was before that.
    pub fn previous_head(&self) -> Option<ObjectId> {
        ObjectId::parse(&self.git().line(&["rev-parse", "--verify", "--quiet", "HEAD@{1}"])?)
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
