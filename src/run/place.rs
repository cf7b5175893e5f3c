//! Where a run happens, and what is there before and after it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::selecting::selecting;
use crate::git::{Attributes, Repository, Snapshot};
use crate::memory::Mode;
use crate::paths::{Classifier, is_source};
use crate::policy::Policy;
use crate::proof::Delta;
use crate::runner::{Checkout, CheckoutContent, Suite};

pub struct Place {
    mode: Mode,
    root: PathBuf,
    /// Removed with the value.
    checkout: Option<Checkout>,
    before: Snapshot,
}

impl Place {
    pub fn prepare(repository: &Repository, mode: Mode, policy: &Policy, suites: &[Suite]) -> Result<Self> {
        let work_dir = repository.work_dir().context("a bare repository has no working tree")?;
        let folders: Vec<String> = suites.iter().map(|suite| suite.directory.clone()).collect();
        let checkout = |content| Checkout::make(repository, &content, &policy.proof.link, &folders);
        Ok(match mode {
            Mode::Worktree => Self {
                mode,
                root: std::path::absolute(work_dir)?,
                checkout: None,
                before: on_disk(repository, policy)?,
            },
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
        Self { mode, root: checkout.root().to_owned(), checkout: Some(checkout), before }
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
    pub fn doubts(&self) -> Vec<String> {
        self.checkout.as_ref().map(Checkout::doubts).unwrap_or_default()
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
            return Ok(After { changed, created: Delta::new() });
        }
        let after = on_disk(repository, policy)?;
        let mut found = After::default();
        for change in repository.diff(Some(&self.before.tree), &after.tree)? {
            let path = change.path.text().into_owned();
            if !counts(&path) {
                continue;
            }
            // Lock files, snapshots and reports are products of a run; code is something else.
            if change.before.is_some() || is_source(&path) {
                found.changed.push(path);
            } else {
                found.created.insert(change.path, change.after);
            }
        }
        Ok(found)
    }
}

/// What differs after a run.
#[derive(Default)]
pub struct After {
    /// Files that are no longer what was tested.
    pub changed: Vec<String>,
    /// Files that the run brought forth.
    pub created: Delta,
}

fn on_disk(repository: &Repository, policy: &Policy) -> Result<Snapshot> {
    let classifier = Classifier::new(policy, Attributes::default())?;
    repository.snapshot_worktree(|path| classifier.counts_untracked(path))
}
