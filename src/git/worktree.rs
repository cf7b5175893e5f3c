//! The files on disk against HEAD, as `check --worktree` sees them.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};

use super::change_set::{Change, ChangeKind, ChangeSet, Content, File};
use super::object::{ObjectId, RawChange, RepoPath};
use super::plumbing;
use super::repository::Repository;

/// Larger files on disk are not read; a language pack would refuse them anyway.
const MAX_BYTES: u64 = 8 * 1024 * 1024;

pub fn gather(repository: &Repository) -> Result<ChangeSet> {
    let root =
        repository.work_dir().context("a bare repository has no working tree: use --commit or --range")?;
    let base = repository.head()?;
    let mut changes = Vec::new();
    let raw = tracked(repository, base.as_ref())?;
    for change in &raw {
        let before = change.before.as_ref().map(|entry| super::change_set::file(&change.path, entry));
        let after = change.after.as_ref().map(|_| on_disk(root, &change.path)).transpose()?.flatten();
        match (before, after) {
            (Some(before), Some(after)) => changes.push(Change::Modified { before, after }),
            (Some(before), None) => changes.push(Change::Deleted(before)),
            (None, Some(after)) => changes.push(Change::Added(after)),
            (None, None) => {}
        }
    }
    let mut changes = without_untouched(repository, changes)?;
    for path in untracked(repository)? {
        changes.extend(on_disk(root, &path)?.map(Change::Added));
    }
    let (merge, message) = (None, None);
    Ok(ChangeSet { kind: ChangeKind::Worktree, base, head: None, changes, raw, merge, message })
}

impl Repository {
    /// Every source file of the working tree that git tracks or does not ignore, as it is on disk.
    pub fn files_on_disk(&self) -> Result<Vec<File>> {
        let root =
            self.work_dir().context("a bare repository has no working tree: name a commit with --rev")?;
        let paths = self.paths_on_disk()?;
        let known = paths.iter().filter(|path| crate::languages::language_of(&path.text()).is_some());
        known.filter_map(|path| on_disk(root, path).transpose()).collect()
    }
}

impl Repository {
    /// Every path that git tracks or does not ignore.
    pub fn paths_on_disk(&self) -> Result<Vec<RepoPath>> {
        self.paths_listed(&[
            "ls-files",
            "--cached",
            "--others",
            "--exclude-standard",
            "--full-name",
            "-z",
            ":/",
        ])
    }

    /// Every path of the index.
    pub fn paths_in_index(&self) -> Result<Vec<RepoPath>> {
        self.paths_listed(&["ls-files", "--cached", "--full-name", "-z", ":/"])
    }

    fn paths_listed(&self, args: &[&str]) -> Result<Vec<RepoPath>> {
        let listed = self.git().output(args)?;
        let mut paths: Vec<RepoPath> =
            listed.split(|&byte| byte == 0).filter(|path| !path.is_empty()).map(RepoPath::new).collect();
        paths.sort();
        paths.dedup();
        Ok(paths)
    }
}

/// Tracked files that differ from HEAD, or all of them before the first commit.
fn tracked(repository: &Repository, base: Option<&ObjectId>) -> Result<Vec<RawChange>> {
    let base = match base {
        Some(base) => base.as_str().to_owned(),
        None => repository.empty_tree()?,
    };
    let args = ["diff-index", "--raw", "-z", "--no-renames", "--no-abbrev", plumbing::ALL, &base];
    plumbing::raw_changes(&repository.git().output(&args)?)
}

/// git also lists files that were written again with the content they had.
fn without_untouched(repository: &Repository, mut changes: Vec<Change>) -> Result<Vec<Change>> {
    fn contents(change: &Change) -> Option<(&ObjectId, &[u8])> {
        match (&change.before()?.content, &change.after()?.content) {
            (Content::Blob(old), Content::Bytes(new)) => Some((old, new)),
            _ => None,
        }
    }
    let wanted: Vec<&ObjectId> = changes.iter().filter_map(contents).map(|(old, _)| old).collect();
    let mut blobs = repository.blobs(&wanted)?.into_iter();
    changes.retain(|change| contents(change).is_none_or(|(_, new)| blobs.next().as_deref() != Some(new)));
    Ok(changes)
}

fn untracked(repository: &Repository) -> Result<Vec<RepoPath>> {
    repository.paths_listed(&["ls-files", "--others", "--exclude-standard", "--full-name", "-z", ":/"])
}

/// The file as it is on disk; links are not followed. `None` where it is gone.
fn on_disk(root: &Path, path: &RepoPath) -> Result<Option<File>> {
    let Some(relative) = path.to_os_path() else { return Ok(None) };
    let full = root.join(relative);
    let metadata = match std::fs::symlink_metadata(&full) {
        Ok(metadata) => metadata,
        Err(error)
            if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) =>
        {
            return Ok(None);
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read {}", full.display())),
    };
    let content = if metadata.is_file() {
        let file = std::fs::File::open(&full).with_context(|| format!("cannot read {}", full.display()))?;
        let mut bytes = Vec::new();
        file.take(MAX_BYTES)
            .read_to_end(&mut bytes)
            .with_context(|| format!("cannot read {}", full.display()))?;
        Content::Bytes(Arc::from(bytes))
    } else {
        Content::Opaque
    };
    Ok(Some(File { path: path.clone(), content }))
}

impl Repository {
    /// The ids that files on disk would have if they were added now; `None` for those that are not there.
    pub fn hash_on_disk(&self, paths: &[&RepoPath]) -> Result<Vec<Option<ObjectId>>> {
        let Some(root) = self.work_dir() else { return Ok(vec![None; paths.len()]) };
        let there = |path: &RepoPath| {
            let metadata = std::fs::symlink_metadata(root.join(path.to_os_path()?)).ok()?;
            (metadata.is_file() && !path.as_bytes().contains(&b'\n')).then_some(())
        };
        let present: Vec<&RepoPath> = paths.iter().copied().filter(|path| there(path).is_some()).collect();
        let listed: Vec<u8> = present.iter().flat_map(|path| [path.as_bytes(), b"\n"].concat()).collect();
        let hashed = if present.is_empty() {
            Vec::new()
        } else {
            super::program::Git::at(root).filter(&["hash-object", "--stdin-paths"], &listed)?
        };
        let text = String::from_utf8_lossy(&hashed).into_owned();
        let mut ids = text.lines().map(ObjectId::parse);
        Ok(paths.iter().map(|path| there(path).and_then(|()| ids.next().flatten())).collect())
    }
}
