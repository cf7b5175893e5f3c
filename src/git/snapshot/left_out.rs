//! What is on disk beside the content of a snapshot and could decide what tests do all the same.

use std::fs;
use std::path::Path;

use super::MAX_UNTRACKED;
use crate::git::object::RepoPath;
use crate::git::repository::Repository;

/// Entries of one folder tree that are looked at, and paths that are kept of what was found.
const MAX_LOOKED_AT: usize = 5_000;
const MAX_KEPT: usize = 50;

/// Something on disk that is not part of the content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub path: RepoPath,
    pub kind: LeftOutKind,
    /// Files in it, from the root of the working tree, that would count.
    pub files: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeftOutKind {
    /// An untracked repository.
    Repository,
    /// An untracked link to a folder elsewhere.
    Link,
    /// An untracked file.
    Large,
    /// A submodule with changes that its commit does not have.
    Submodule,
}

/// An untracked path that was not taken in; `None` where it cannot matter.
pub fn untracked(root: &Path, path: &RepoPath, counts: &dyn Fn(&str) -> bool) -> Option<LeftOut> {
    let name = path.text().trim_end_matches('/').to_owned();
    let full = root.join(path.to_os_path()?);
    let found = |kind, files: Vec<String>| {
        let path = RepoPath::new(name.as_bytes());
        (!files.is_empty()).then_some(LeftOut { path, kind, files })
    };
    // git ends the name of a folder with a slash, and names only those that it does not look into.
    if path.as_bytes().ends_with(b"/") {
        return found(LeftOutKind::Repository, files_below(&full, &name, counts));
    }
    let metadata = fs::symlink_metadata(&full).ok()?;
    if metadata.is_symlink() {
        let target = fs::canonicalize(&full).ok()?;
        let inside = fs::canonicalize(root).is_ok_and(|root| target.starts_with(root));
        let folder = target.is_dir() && !inside;
        return if folder { found(LeftOutKind::Link, files_below(&target, &name, counts)) } else { None };
    }
    let large = metadata.is_file() && metadata.len() > MAX_UNTRACKED && counts(&name);
    found(LeftOutKind::Large, if large { vec![name.clone()] } else { Vec::new() })
}

/// Code below a folder that would count if it were a part of the repository. Links in it are not followed.
fn files_below(folder: &Path, name: &str, counts: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut folders = vec![(folder.to_owned(), name.to_owned())];
    let (mut found, mut looked_at) = (Vec::new(), 0);
    while let Some((folder, name)) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            looked_at += 1;
            if looked_at > MAX_LOOKED_AT || found.len() >= MAX_KEPT {
                return found;
            }
            let path = format!("{name}/{}", entry.file_name().to_string_lossy());
            match entry.file_type() {
                Ok(kind) if kind.is_dir() && entry.file_name() != ".git" => {
                    folders.push((entry.path(), path))
                }
                Ok(kind) if kind.is_file() && crate::paths::is_source(&path) && counts(&path) => {
                    found.push(path)
                }
                _ => {}
            }
        }
    }
    found
}

/// A submodule whose files are not those of its commit.
pub fn submodule(
    repository: &Repository,
    root: &Path,
    path: RepoPath,
    counts: &dyn Fn(&str) -> bool,
) -> Option<LeftOut> {
    let changed = repository.changed_in_submodule(&root.join(path.to_os_path()?));
    let name = path.text().into_owned();
    let files = changed.into_iter().filter_map(|(inner, tracked)| {
        let path = format!("{name}/{inner}");
        (tracked || counts(&path)).then_some(path)
    });
    let files: Vec<String> = files.take(MAX_KEPT).collect();
    (!files.is_empty()).then_some(LeftOut { path, kind: LeftOutKind::Submodule, files })
}
