//! Throw-away checkouts: exactly the index, or exactly a commit, in a folder that is removed again.
//!
//! Ignored folders of the working tree that tests need (`node_modules`, `.venv`, `target`) are borrowed, mostly by links.
//! Where such a link would lead back into the working tree, it leads to the same place in the checkout instead;
//! where that cannot be done there is a doubt, and a run in the checkout proves nothing.

mod borrow;
mod cargo;
mod ground;
mod node;
mod python;
mod slot;
mod submodules;
#[cfg(test)]
mod tests;
mod variables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::process::Interrupts;
use crate::git::{CheckedOut, Listed, ObjectId, Repository};
use ground::Ground;
use slot::Slot;

/// What is checked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CheckoutContent {
    /// The index; inside of a hook, the one that is being committed.
    Index,
    /// What an index held at one moment, and the commit that it stands on.
    Tree {
        tree: ObjectId,
        head: Option<ObjectId>,
    },
    Commit(ObjectId),
}

/// A checkout with all that was borrowed for it. Removed when it is dropped.
pub struct Checkout {
    root: PathBuf,
    written: CheckedOut,
    ground: Option<Ground>,
    doubts: Vec<String>,
    builds: Vec<cargo::Build>,
    python: Option<PathBuf>,
    // Dropped last, in this order: what is in the folder goes before a signal may end the program.
    slot: Slot,
    interrupts: Interrupts,
}

impl Checkout {
    /// `link` names what is borrowed, at the root and in `directories`, the folders of the suites.
    pub fn make(
        repository: &Repository,
        content: &CheckoutContent,
        link: &[String],
        directories: &[String],
    ) -> Result<Self> {
        let interrupts = Interrupts::watch()?;
        let slot = Slot::take(repository)?;
        let root = slot.root().to_owned();
        let (entries, head) = match content {
            CheckoutContent::Index => (repository.list_index()?, repository.head()?),
            CheckoutContent::Tree { tree, head } => (repository.list_commit(tree)?, head.clone()),
            CheckoutContent::Commit(commit) => (repository.list_commit(commit)?, Some(commit.clone())),
        };
        interrupts.check()?;
        // A signal from a terminal ends git too; then it is no failure.
        let written = repository.check_out(&entries, head.as_ref(), &root, &slot.place().join("index"));
        interrupts.check()?;
        let written = written.context("cannot make a throw-away checkout")?;
        let ground = repository.work_dir().map(|work| Ground::new(work, &root)).transpose()?;
        let mut checkout = Self {
            root,
            written,
            ground,
            doubts: Vec::new(),
            builds: Vec::new(),
            python: None,
            slot,
            interrupts,
        };
        checkout.furnish(repository, &entries, link, directories)?;
        Ok(checkout)
    }

    fn furnish(
        &mut self,
        repository: &Repository,
        entries: &[Listed],
        link: &[String],
        directories: &[String],
    ) -> Result<()> {
        let Some(mut ground) = self.ground.take() else { return Ok(()) };
        ground.doubt_tracked_links(entries);
        submodules::fill(&mut ground, repository, entries)?;
        let folders = borrow::folders(entries, directories);
        borrow::all(&mut ground, link, &folders)?;
        let reuse = link.iter().any(|name| name == "target");
        self.builds = cargo::prepare(&ground, &self.slot, entries, &folders, reuse)?;
        self.interrupts.check()?;
        if python::is_used(&ground, entries) {
            self.python = Some(python::write(&ground, self.slot.place())?);
        }
        ground.hide_borrowed()?;
        self.doubts = std::mem::take(&mut ground.doubts);
        self.ground = Some(ground);
        Ok(())
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What to set for a command in the folder of a suite: `set`, and what leads tools to the checkout.
    pub fn environment(&self, directory: &str, set: &[(String, String)]) -> Vec<(String, String)> {
        let inherited = std::env::vars_os().filter_map(|(name, value)| {
            // What is no text names nothing that could be mapped.
            Some((name.into_string().ok()?, value.into_string().ok()?))
        });
        let known = variables::Known { set, inherited: inherited.collect() };
        let target = cargo::target_of(&self.builds, directory);
        variables::environment(known, self.ground.as_ref(), self.python.as_deref(), target)
    }

    /// Paths of what was checked out that are no longer the same.
    pub fn modified(&self) -> Result<Vec<String>> {
        let modified = self.written.modified().context("cannot compare the throw-away checkout")?;
        Ok(modified.iter().map(|path| path.text().into_owned()).collect())
    }

    /// Why a run in it is weak. Complete only after the run: interpreters add to it when they start.
    pub fn doubts(&self) -> Vec<String> {
        let mut doubts = self.doubts.clone();
        doubts.extend(self.python.as_deref().map(python::doubts).unwrap_or_default());
        doubts.sort();
        doubts.dedup();
        doubts
    }
}
