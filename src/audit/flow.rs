//! The walk: lists the commits, judges each, tells them in order.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;

use super::model::{Audited, Outcome};
use super::order::in_order;
use crate::gate;
use crate::git::{ChangeSet, CommitHead, ObjectId, Repository, Selection, Walk};
use crate::verdict::Report;

/// Who follows an audit.
pub trait Watch {
    /// The next commit, newest first.
    fn audited(&mut self, audited: Audited) -> Result<()>;

    /// Called often: how far the audit is. An error ends it.
    fn progress(&mut self, done: usize, total: usize) -> Result<()>;
}

/// Judges the commits of a walk; with `keep`, what earlier audits found out is used and added to.
pub fn audit(directory: &Path, walk: &Walk, _keep: bool, watch: &mut dyn Watch) -> Result<()> {
    let commits = Repository::open(directory)?.walk(walk)?;
    let total = commits.len();
    watch.progress(0, total)?;
    let mut done = 0;
    in_order(
        total,
        || Repository::open(directory).map_err(|error| format!("{error:#}")),
        |repository, item| judge(repository.as_ref().map_err(String::as_str), &commits[item]),
        |audited| {
            if let Some(audited) = audited {
                done += 1;
                watch.audited(audited)?;
            }
            watch.progress(done, total)
        },
    )
}

fn judge(repository: Result<&Repository, &str>, id: &ObjectId) -> Audited {
    let start = Instant::now();
    let unread = CommitHead { id: id.clone(), author: String::new(), time: 0, subject: String::new() };
    let (commit, outcome) = match repository {
        Err(error) => (unread, Outcome::Unknown(error.to_owned())),
        Ok(repository) => match repository.commit_head(id) {
            Err(error) => (unread, Outcome::Unknown(format!("{error:#}"))),
            Ok(head) => (head, outcome(repository, id)),
        },
    };
    let milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Audited { commit, outcome, milliseconds }
}

/// A commit that cannot be judged is no reason to end an audit.
fn outcome(repository: &Repository, id: &ObjectId) -> Outcome {
    match report(repository, id) {
        Ok(report) => Outcome::Judged(Box::new(report)),
        Err(error) => Outcome::Unknown(format!("{error:#}")),
    }
}

fn report(repository: &Repository, id: &ObjectId) -> Result<Report> {
    let change = ChangeSet::gather(repository, &Selection::Commit(id.as_str().to_owned()))?;
    gate::check(repository, &change, None)
}
