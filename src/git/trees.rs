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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: i32 = 0o100_644;
    const PROGRAM: i32 = 0o100_755;
    const LINK: i32 = 0o120_000;
    const FOLDER: i32 = 0o040_000;

    /// A path, what it holds, and its mode.
    type Files<'f> = [(&'f str, &'f str, i32)];

    fn tree(repository: &Repository, files: &Files<'_>) -> Oid {
        let mut builder = repository.treebuilder(None).unwrap();
        for (path, content, mode) in files {
            let (name, object, mode) = match path.split_once('/') {
                None => (*path, repository.blob(content.as_bytes()).unwrap(), *mode),
                Some((folder, _)) => {
                    let inside = files.iter().filter_map(|(path, content, mode)| {
                        Some((path.strip_prefix(folder)?.strip_prefix('/')?, *content, *mode))
                    });
                    (folder, tree(repository, &inside.collect::<Vec<_>>()), FOLDER)
                }
            };
            builder.insert(name, object, mode).unwrap();
        }
        builder.write().unwrap()
    }

    #[test]
    fn what_differs_is_told_file_by_file() {
        let folder = tempfile::tempdir().unwrap();
        let repository = Repository::init(folder.path()).unwrap();
        let before = [
            ("same", "1", FILE),
            ("changed", "1", FILE),
            ("runs", "1", FILE),
            ("gone", "1", FILE),
            ("was_file", "1", FILE),
            ("was_folder/a", "1", FILE),
            ("was_folder/b/c", "1", FILE),
            ("equal/a", "1", FILE),
            ("deep/er/a", "1", FILE),
            ("deep/er/b", "1", FILE),
            ("points", "same", FILE),
        ];
        let after = [
            ("same", "1", FILE),
            ("changed", "2", FILE),
            ("runs", "1", PROGRAM),
            ("was_file/a", "1", FILE),
            ("was_folder", "1", FILE),
            ("equal/a", "1", FILE),
            ("deep/er/a", "2", FILE),
            ("deep/er/b", "1", FILE),
            ("deep.txt", "new", FILE),
            ("points", "same", LINK),
        ];
        let (before, after) = (tree(&repository, &before), tree(&repository, &after));
        let told: Vec<String> = differing(&repository, Some(before), after)
            .unwrap()
            .iter()
            .map(|change| {
                let mode = |entry: &Option<Entry>| entry.as_ref().map_or(0, |entry| entry.mode);
                format!("{} {:o} {:o}", change.path.text(), mode(&change.before), mode(&change.after))
            })
            .collect();
        assert_eq!(
            told,
            [
                "changed 100644 100644",
                "deep.txt 0 100644",
                "deep/er/a 100644 100644",
                "gone 100644 0",
                "points 100644 120000",
                "runs 100644 100755",
                "was_file 100644 0",
                "was_file/a 0 100644",
                "was_folder 0 100644",
                "was_folder/a 100644 0",
                "was_folder/b/c 100644 0",
            ]
        );
        assert_eq!(differing(&repository, Some(after), after).unwrap(), []);
        let all = differing(&repository, None, after).unwrap();
        assert!(all.len() == 10 && all.iter().all(|change| change.before.is_none()));
    }
}
