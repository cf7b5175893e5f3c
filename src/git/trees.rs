//! Where two trees differ.
//!
//! libgit2 has an answer of its own, for which it goes through all folders of both trees. Here those that are equal are
//! not opened: a commit touches few of them.

use anyhow::Result;
use git2::{ObjectType, Oid, Repository, Tree, TreeEntry};

use super::library::id;
use super::object::{Entry, RawChange, RepoPath};

/// A folder that differs: its path, empty or ending with a slash, and its trees.
struct Folder {
    path: Vec<u8>,
    before: Option<Oid>,
    after: Option<Oid>,
}

/// The files and links that differ, in the order of their paths; no `before` means the empty tree.
pub fn differing(repository: &Repository, before: Option<Oid>, after: Oid) -> Result<Vec<RawChange>> {
    let mut changes = Vec::new();
    let mut pending = vec![Folder { path: Vec::new(), before, after: Some(after) }];
    while let Some(folder) = pending.pop() {
        let open = |tree: Option<Oid>| tree.map(|tree| repository.find_tree(tree)).transpose();
        let (before, after) = (open(folder.before)?, open(folder.after)?);
        for entry in before.iter().flat_map(Tree::iter) {
            let other = after.as_ref().and_then(|after| after.get_name_bytes(entry.name_bytes()));
            compare(&folder.path, Some(&entry), other.as_ref(), &mut changes, &mut pending);
        }
        let is_new = |entry: &TreeEntry<'_>| {
            !before.iter().any(|tree| tree.get_name_bytes(entry.name_bytes()).is_some())
        };
        for entry in after.iter().flat_map(Tree::iter).filter(is_new) {
            compare(&folder.path, None, Some(&entry), &mut changes, &mut pending);
        }
    }
    changes.sort();
    Ok(changes)
}

/// What one name stands for on both sides. A file may become a folder.
fn compare(
    folder: &[u8],
    old: Option<&TreeEntry<'_>>,
    new: Option<&TreeEntry<'_>>,
    changes: &mut Vec<RawChange>,
    pending: &mut Vec<Folder>,
) {
    let content = |entry: &TreeEntry<'_>| (entry.id(), entry.filemode());
    if old.map(content) == new.map(content) {
        return;
    }
    let name = old.or(new).map_or(&b""[..], TreeEntry::name_bytes);
    let path = [folder, name].concat();
    let is_folder = |entry: &&TreeEntry<'_>| entry.kind() == Some(ObjectType::Tree);
    let file = |entry: Option<&TreeEntry<'_>>| {
        let entry = entry.filter(|entry| !is_folder(entry))?;
        Some(Entry { mode: entry.filemode().cast_unsigned(), id: id(entry.id()) })
    };
    let (before, after) = (file(old), file(new));
    if before.is_some() || after.is_some() {
        changes.push(RawChange { path: RepoPath::new(path.clone()), before, after });
    }
    let tree = |entry: Option<&TreeEntry<'_>>| entry.filter(is_folder).map(TreeEntry::id);
    let (before, after) = (tree(old), tree(new));
    if before.is_some() || after.is_some() {
        pending.push(Folder { path: [&path[..], b"/"].concat(), before, after });
    }
}
