//! The content of a moment as a tree object: what was tested, to compare with and to go back to.
//!
//! Works on a copy of the index. Writes objects, and references of its own; never the index or the working tree.

mod index_copy;
mod left_out;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::attempts::ATTEMPTS_REF;
use super::object::{ObjectId, RawChange, RepoPath};
use super::repository::Repository;
use index_copy::IndexCopy;
pub use left_out::{LeftOut, LeftOutKind};

/// Untracked files larger than this are not taken in.
const MAX_UNTRACKED: u64 = 32 * 1024 * 1024;

#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The commit that HEAD was, and its tree; `None` before the first commit.
    pub base: Option<Base>,
    pub tree: ObjectId,
    /// From the tree of the base to `tree`, all paths.
    pub delta: Vec<RawChange>,
    /// Paths of `delta` that git does not track.
    pub untracked: BTreeSet<RepoPath>,
    /// What is on disk and no part of `tree`, but could matter.
    pub left_out: Vec<LeftOut>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Base {
    pub commit: ObjectId,
    pub tree: ObjectId,
}

impl Repository {
    /// The files on disk: tracked ones as they are, and the untracked, unignored ones that `counts` wants.
    pub fn snapshot_worktree(&self, counts: impl Fn(&str) -> bool) -> Result<Snapshot> {
        let root = self.work_dir().context("a bare repository has no files to run")?;
        let index = IndexCopy::of(self)?;
        let submodules = index.unhide()?;
        let found = index.git(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"])?;
        let paths = found.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(RepoPath::new);
        let (untracked, others): (BTreeSet<RepoPath>, BTreeSet<RepoPath>) =
            paths.partition(|path| counts(&path.text()) && is_small_file(root, path));
        // Without a path, because git finds none in an empty index.
        index.git(&["add", "--update"])?;
        index.add(&untracked)?;
        let mut snapshot = self.snapshot(&index, untracked)?;
        let beside = others.iter().filter_map(|path| left_out::untracked(root, path, &counts));
        let within = submodules.into_iter();
        let within = within.filter_map(|path| left_out::submodule(self, root, path, &counts));
        snapshot.left_out = beside.chain(within).collect();
        Ok(snapshot)
    }

    /// The index that is being committed.
    pub fn snapshot_index(&self) -> Result<Snapshot> {
        self.snapshot(&IndexCopy::of(self)?, BTreeSet::new())
    }

    /// HEAD itself.
    pub fn snapshot_head(&self) -> Result<Snapshot> {
        let base = self.base()?.context("there is no commit yet: make the first one, then try again")?;
        let tree = base.tree.clone();
        Ok(Snapshot {
            base: Some(base),
            tree,
            delta: Vec::new(),
            untracked: BTreeSet::new(),
            left_out: Vec::new(),
        })
    }

    fn snapshot(&self, index: &IndexCopy, untracked: BTreeSet<RepoPath>) -> Result<Snapshot> {
        // Blobs that a partial clone left out are where they were.
        let written = index.git(&["write-tree", "--missing-ok"])?;
        let tree = ObjectId::parse(String::from_utf8_lossy(&written).trim()).context("git gave no tree")?;
        let base = self.base()?;
        let delta = self.diff(base.as_ref().map(|base| &base.tree), &tree)?;
        Ok(Snapshot { base, tree, delta, untracked, left_out: Vec::new() })
    }

    /// HEAD with its tree.
    pub fn base(&self) -> Result<Option<Base>> {
        let Some(commit) = self.head()? else { return Ok(None) };
        let tree = self.tree_of(&commit)?;
        Ok(Some(Base { commit, tree }))
    }

    /// Keeps the tree of an attempt from being collected.
    pub fn keep_tree(&self, session: &str, attempt: u32, tree: &ObjectId) -> Result<()> {
        let name = format!("{ATTEMPTS_REF}/{session}/{attempt}");
        self.git().output(&["update-ref", "--no-deref", &name, tree.as_str()])?;
        Ok(())
    }
}

fn is_small_file(root: &Path, path: &RepoPath) -> bool {
    let Some(relative) = path.to_os_path() else { return false };
    fs::symlink_metadata(root.join(relative)).is_ok_and(|data| !data.is_dir() && data.len() <= MAX_UNTRACKED)
}
