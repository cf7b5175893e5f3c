//! The tree of a commit, read one folder at a time.

use std::cell::RefCell;
use std::rc::Rc;

use super::{MAX_BYTES, Tree, split};
use crate::collections::HashMap;
use crate::git::{Entry, ObjectId, Repository};

/// The entries of one folder by name, sorted.
#[derive(Debug, Default)]
pub struct Folder(Vec<(String, Entry)>);

impl Folder {
    pub fn new(mut entries: Vec<(String, Entry)>) -> Self {
        entries.sort();
        Self(entries)
    }

    pub fn find(&self, name: &str) -> Option<&Entry> {
        let at = self.0.binary_search_by(|(known, _)| known.as_str().cmp(name)).ok()?;
        Some(&self.0[at].1)
    }

    pub fn entries(&self) -> &[(String, Entry)] {
        &self.0
    }

    pub fn names(&self) -> Vec<String> {
        let name = |(name, entry): &(String, Entry)| {
            if entry.is_folder() { format!("{name}/") } else { name.clone() }
        };
        self.0.iter().map(name).collect()
    }
}

/// A commit, or a tree object by itself.
pub struct CommitTree<'r> {
    repository: &'r Repository,
    root: Option<ObjectId>,
    folders: RefCell<HashMap<String, Rc<Folder>>>,
}

impl<'r> CommitTree<'r> {
    /// No commit is the empty tree.
    pub fn new(repository: &'r Repository, commit_or_tree: Option<&ObjectId>) -> Self {
        Self { repository, root: commit_or_tree.cloned(), folders: RefCell::default() }
    }

    pub fn repository(&self) -> &'r Repository {
        self.repository
    }

    pub fn folder(&self, path: &str) -> Rc<Folder> {
        if let Some(known) = self.folders.borrow().get(path) {
            return known.clone();
        }
        let folder = Rc::new(self.tree_at(path).map(|tree| self.list(&tree)).unwrap_or_default());
        self.folders.borrow_mut().insert(path.to_owned(), folder.clone());
        folder
    }

    fn tree_at(&self, path: &str) -> Option<ObjectId> {
        if path.is_empty() {
            return self.root.clone();
        }
        self.entry(path).filter(Entry::is_folder).map(|entry| entry.id)
    }

    fn list(&self, tree: &ObjectId) -> Folder {
        let children = self.repository.children(tree).unwrap_or_default();
        Folder::new(children.into_iter().map(|(name, entry)| (name.into_text(), entry)).collect())
    }

    pub fn entry(&self, path: &str) -> Option<Entry> {
        let (folder, name) = split(path);
        self.folder(folder).find(name).cloned()
    }
}

impl Tree for CommitTree<'_> {
    fn exists(&self, path: &str) -> bool {
        let (folder, name) = split(path);
        self.folder(folder).find(name).is_some()
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let entry = self.entry(path).filter(Entry::is_file)?;
        self.repository.blob_up_to(&entry.id, MAX_BYTES).ok().flatten()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.folder(folder).names()
    }
}
