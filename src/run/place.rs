//! Where a run happens, and what is there before and after it.

use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result};

use super::selecting::selecting;
use crate::files;
use crate::git::{Attributes, LeftOut, LeftOutKind, Repository, Snapshot};
use crate::memory::Mode;
use crate::paths::{Classifier, PathClass, is_in_artifacts, is_product_of_runs, is_source};
use crate::policy::Policy;
use crate::proof::Delta;
use crate::runner::{Checkout, CheckoutContent, Suite};
use crate::text::one_line;

pub struct Place {
    mode: Mode,
    root: PathBuf,
    /// Removed with the value.
    checkout: Option<Checkout>,
    before: Snapshot,
    /// When all of the content was on disk, in the user's working tree.
    started: Option<SystemTime>,
}

impl Place {
    pub fn prepare(repository: &Repository, mode: Mode, policy: &Policy, suites: &[Suite]) -> Result<Self> {
        let work_dir = repository.work_dir().context("a bare repository has no working tree")?;
        let folders: Vec<String> = suites.iter().map(|suite| suite.directory.clone()).collect();
        let checkout = |content| Checkout::make(repository, &content, &policy.proof.link, &folders);
        Ok(match mode {
            Mode::Worktree => {
                let before = on_disk(repository, policy)?;
                let started = disk_time(repository);
                Self { mode, root: std::path::absolute(work_dir)?, checkout: None, before, started }
            }
            Mode::Staged => {
                let before = repository.snapshot_index()?;
                // Not the index once more, which may be another one by now.
                let head = before.base.as_ref().map(|base| base.commit.clone());
                let content = CheckoutContent::Tree { tree: before.tree.clone(), head };
                Self::in_checkout(mode, checkout(content)?, before)
            }
            Mode::Base => {
                let before = repository.snapshot_head()?;
                let head = before.base.as_ref().context("there is no commit yet")?.commit.clone();
                Self::in_checkout(mode, checkout(CheckoutContent::Commit(head))?, before)
            }
        })
    }

    fn in_checkout(mode: Mode, checkout: Checkout, before: Snapshot) -> Self {
        Self { mode, root: checkout.root().to_owned(), checkout: Some(checkout), before, started: None }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is tested.
    pub fn content(&self) -> &Snapshot {
        &self.before
    }

    /// The variables to set for a suite: its own, and those that make the borrowed folders work here.
    pub fn environment(&self, suite: &Suite) -> Vec<(String, String)> {
        let mut own: Vec<(String, String)> = suite.environment.clone().into_iter().collect();
        if self.mode == Mode::Base {
            // What the base leaves out is excused from then on, so nobody else may choose here.
            let chosen = selecting(|name| std::env::var(name).ok());
            own.extend(chosen.into_iter().map(|name| (name.to_owned(), String::new())));
        }
        match &self.checkout {
            Some(checkout) => checkout.environment(&suite.directory, &own),
            None => own,
        }
    }

    /// Why a run here may have tested something else. Asked after the run, in which some of it comes to light.
    pub fn doubts(&self, counts: &dyn Fn(&str) -> bool) -> Vec<String> {
        match &self.checkout {
            Some(checkout) => checkout.doubts(),
            None => self.before.left_out.iter().filter_map(|left| doubt(left, counts)).collect(),
        }
    }

    /// What the run left behind.
    pub fn after(
        &self,
        repository: &Repository,
        policy: &Policy,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<After> {
        if let Some(checkout) = &self.checkout {
            let changed = checkout.modified()?.into_iter().filter(|path| counts(path)).collect();
            return Ok(After { changed, ..After::default() });
        }
        let after = on_disk(repository, policy)?;
        let mut found = After::default();
        for change in repository.diff(Some(&self.before.tree), &after.tree)? {
            let path = change.path.text().into_owned();
            if !counts(&path) {
                continue;
            }
            let new = change.before.is_none();
            if new && is_product_of_runs(&path) {
                found.created.insert(change.path, change.after);
            // Other data that is new came of the run, and code where tools build. Who commits it commits something
            // that the tests did not start from.
            } else if !new || (is_source(&path) && !is_in_artifacts(&path)) {
                found.changed.push(path);
            }
        }
        found.written = self.written(repository, policy, counts)?;
        found.written.retain(|path| !found.changed.contains(path));
        Ok(found)
    }

    /// Code that was written since the start, whatever it holds now.
    fn written(
        &self,
        repository: &Repository,
        policy: &Policy,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        let Some(started) = self.started else { return Ok(Vec::new()) };
        let classifier = Classifier::new(policy, Attributes::default())?;
        let mut written = Vec::new();
        for (path, entry) in repository.list(&self.before.tree)? {
            let (name, place) = (path.text(), path.to_os_path());
            let Some(place) = place.filter(|_| entry.is_file() && is_source(&name)) else { continue };
            let newest =
                std::fs::symlink_metadata(self.root.join(place)).ok().and_then(|data| changed_at(&data));
            if newest.is_some_and(|newest| newest > started)
                && counts(&name)
                && classifier.class_of(&name) != PathClass::Vendored
            {
                written.push(name.into_owned());
            }
        }
        Ok(written)
    }
}

/// What is left out, in words; `None` where it is not the suite's.
fn doubt(left: &LeftOut, counts: &dyn Fn(&str) -> bool) -> Option<String> {
    left.files.iter().any(|file| counts(file)).then(|| {
        let path = one_line(&left.path.text());
        match left.kind {
            LeftOutKind::Repository => {
                format!(
                    "{path} is an untracked repository of its own: what it holds is not part of the proof"
                )
            }
            LeftOutKind::Link => {
                format!(
                    "{path} is an untracked link to another folder: what that holds is not part of the proof"
                )
            }
            LeftOutKind::Large => format!("{path} is untracked and too large to be part of the proof"),
            LeftOutKind::Submodule => {
                format!("the submodule {path} has changes that are not committed in it")
            }
        }
    })
}

/// When a file was last written. Its times can be set back, but not without a trace in this one.
#[cfg(unix)]
fn changed_at(data: &std::fs::Metadata) -> Option<SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = Duration::from_secs(u64::try_from(data.ctime()).ok()?);
    let rest = Duration::from_nanos(u64::try_from(data.ctime_nsec()).ok()?);
    Some(SystemTime::UNIX_EPOCH + seconds + rest)
}

#[cfg(not(unix))]
fn changed_at(data: &std::fs::Metadata) -> Option<SystemTime> {
    data.modified().ok()
}

/// The time by the clock of the disk, which may not be this machine's. Without it nothing can be told.
fn disk_time(repository: &Repository) -> Option<SystemTime> {
    let folder = files::state_folder(repository.common_dir());
    std::fs::create_dir_all(&folder).ok()?;
    let probe = tempfile::Builder::new().prefix(".aiwg-gate-").suffix(".tmp").tempfile_in(folder).ok()?;
    changed_at(&probe.as_file().metadata().ok()?)
}

/// What differs after a run.
#[derive(Default)]
pub struct After {
    /// Files that are no longer what was tested.
    pub changed: Vec<String>,
    /// Code that holds what was tested, but was written in between.
    pub written: Vec<String>,
    /// Files that the run brought forth.
    pub created: Delta,
}

fn on_disk(repository: &Repository, policy: &Policy) -> Result<Snapshot> {
    let classifier = Classifier::new(policy, Attributes::default())?;
    repository.snapshot_worktree(|path| classifier.counts_untracked(path))
}
