//! A commit with a list of changes on top: the index, without listing it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::commit::{CommitTree, Folder};
use super::{MAX_BYTES, Tree, split};
use crate::collections::HashMap;
use crate::git::{Entry, ObjectId, RawChange, Repository};

/// What the changes do to one folder.
#[derive(Default)]
struct Edits {
    /// `None` for entries that go.
    files: BTreeMap<String, Option<Entry>>,
    /// Folders with changes below, and whether anything is left there for certain.
    folders: BTreeMap<String, bool>,
}

pub struct StagedTree<'r> {
    base: CommitTree<'r>,
    edits: HashMap<String, Edits>,
    folders: RefCell<HashMap<String, Rc<Folder>>>,
}

impl<'r> StagedTree<'r> {
    /// No commit is the empty tree, as before the first commit.
    pub fn new(repository: &'r Repository, base: Option<&ObjectId>, changes: &[RawChange]) -> Self {
        let mut edits = HashMap::new();
        for change in changes {
            add(&mut edits, &change.path.text(), change.after.as_ref());
        }
        Self { base: CommitTree::new(repository, base), edits, folders: RefCell::default() }
    }

    fn folder(&self, path: &str) -> Rc<Folder> {
        let Some(edits) = self.edits.get(path) else { return self.base.folder(path) };
        if let Some(known) = self.folders.borrow().get(path) {
            return known.clone();
        }
        let folder = Rc::new(self.edited(path, edits));
        self.folders.borrow_mut().insert(path.to_owned(), folder.clone());
        folder
    }

    fn edited(&self, path: &str, edits: &Edits) -> Folder {
        let mut entries: BTreeMap<String, Entry> = self.base.folder(path).entries().iter().cloned().collect();
        for (name, after) in &edits.files {
            match after {
                Some(entry) => entries.insert(name.clone(), entry.clone()),
                None => entries.remove(name),
            };
        }
        for (name, kept) in &edits.folders {
            let below = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
            let file = entries.get(name).is_some_and(|entry| !entry.is_folder());
            if *kept || (!file && !self.folder(&below).entries().is_empty()) {
                entries.insert(name.clone(), folder_entry());
            } else if !file {
                entries.remove(name);
            }
        }
        Folder::new(entries.into_iter().collect())
    }

    fn entry(&self, path: &str) -> Option<Entry> {
        let (folder, name) = split(path);
        self.folder(folder).find(name).cloned()
    }
}

/// Only its kind is ever asked for: what is in it comes from the base and the changes.
fn folder_entry() -> Entry {
    let id = ObjectId::parse(&"0".repeat(40)).unwrap_or_else(|| unreachable!("forty zeroes are an id"));
    Entry { mode: 0o040_000, id }
}

fn add(edits: &mut HashMap<String, Edits>, path: &str, after: Option<&Entry>) {
    let (mut folder, name) = split(path);
    edits.entry(folder.to_owned()).or_default().files.insert(name.to_owned(), after.cloned());
    while !folder.is_empty() {
        let (above, name) = split(folder);
        let kept = edits.entry(above.to_owned()).or_default().folders.entry(name.to_owned()).or_default();
        *kept |= after.is_some();
        folder = above;
    }
}

impl Tree for StagedTree<'_> {
    fn exists(&self, path: &str) -> bool {
        self.entry(path).is_some()
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let entry = self.entry(path).filter(Entry::is_file)?;
        self.base.repository().blob_up_to(&entry.id, MAX_BYTES).ok().flatten()
    }

    fn names(&self, folder: &str) -> Vec<String> {
        self.folder(folder).names()
    }
}
