//! Where a run happens, and what is there before and after it.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::git::{Attributes, Repository, Snapshot};
use crate::memory::Mode;
use crate::paths::{Classifier, is_source};
use crate::policy::Policy;
use crate::runner::{Checkout, CheckoutContent, Suite};

pub struct Place {
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
                root: std::path::absolute(work_dir)?,
                checkout: None,
                before: on_disk(repository, policy)?,
            },
            Mode::Staged => {
                let before = repository.snapshot_index()?;
                Self::in_checkout(checkout(CheckoutContent::Index)?, before)
            }
            Mode::Base => {
                let before = repository.snapshot_head()?;
                let head = before.base.as_ref().context("there is no commit yet")?.commit.clone();
                Self::in_checkout(checkout(CheckoutContent::Commit(head))?, before)
            }
        })
    }

    fn in_checkout(checkout: Checkout, before: Snapshot) -> Self {
        Self { root: checkout.root().to_owned(), checkout: Some(checkout), before }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is tested.
    pub fn content(&self) -> &Snapshot {
        &self.before
    }

    /// Variables that make the borrowed folders work here.
    pub fn environment(&self) -> &[(String, String)] {
        self.checkout.as_ref().map_or(&[], Checkout::environment)
    }

    /// Why a run here may have tested something else.
    pub fn doubts(&self) -> &[String] {
        self.checkout.as_ref().map_or(&[], Checkout::doubts)
    }

    /// The paths that are no longer what they were before the run, among those that count.
    pub fn changed(
        &self,
        repository: &Repository,
        policy: &Policy,
        counts: &dyn Fn(&str) -> bool,
    ) -> Result<Vec<String>> {
        if let Some(checkout) = &self.checkout {
            return Ok(checkout.modified()?.into_iter().filter(|path| counts(path)).collect());
        }
        let after = on_disk(repository, policy)?;
        let changes = repository.diff(Some(&self.before.tree), &after.tree)?;
        let meant = changes.iter().filter(|change| {
            // Reports and other products of a run come and go; new code is something else.
            change.before.is_some() || is_source(&change.path.text())
        });
        Ok(meant.map(|change| change.path.text().into_owned()).filter(|path| counts(path)).collect())
    }
}

fn on_disk(repository: &Repository, policy: &Policy) -> Result<Snapshot> {
    let classifier = Classifier::new(policy, Attributes::default())?;
    repository.snapshot_worktree(|path| classifier.counts_untracked(path))
}
