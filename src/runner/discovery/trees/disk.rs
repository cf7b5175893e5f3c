//! The files on disk below one folder. Never looks outside of it: links are not followed.

use std::cell::RefCell;
use std::fs::{self, Metadata};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::{MAX_BYTES, Tree, split};
use crate::collections::HashMap;

pub struct DiskTree {
    root: PathBuf,
    /// Whether a path is a folder, reached through folders alone.
    folders: RefCell<HashMap<String, bool>>,
}

impl DiskTree {
    pub fn new(root: &Path) -> Self {
        Self { root: root.to_owned(), folders: RefCell::default() }
    }

    fn is_folder(&self, path: &str) -> bool {
        if path.is_empty() {
            return true;
        }
        if let Some(&known) = self.folders.borrow().get(path) {
            return known;
        }
        let answer = self.metadata(path).is_some_and(|metadata| metadata.is_dir());
        self.folders.borrow_mut().insert(path.to_owned(), answer);
        answer
    }

    /// `None` for what is not there, lies behind a link, or is no path of a repository.
    fn metadata(&self, path: &str) -> Option<Metadata> {
        let (folder, name) = split(path);
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        let plain = inside && !matches!(name, "" | "." | "..") && name != ".git";
        (plain && self.is_folder(folder)).then_some(())?;
        fs::symlink_metadata(self.root.join(path)).ok()
    }
}

impl Tree for DiskTree {
    fn exists(&self, path: &str) -> bool {
        self.metadata(path).is_some()
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let metadata = self.metadata(path).filter(Metadata::is_file)?;
        if metadata.len() > MAX_BYTES {
            return None;
        }
        let mut bytes = Vec::new();
        // The file may have grown since.
        fs::File::open(self.root.join(path)).ok()?.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    fn names(&self, folder: &str) -> Vec<String> {
        if !self.is_folder(folder) {
            return Vec::new();
        }
        let Ok(entries) = fs::read_dir(self.root.join(folder)) else { return Vec::new() };
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok().filter(|name| name != ".git")?;
            let folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            Some(if folder { name + "/" } else { name })
        };
        let mut names: Vec<String> = entries.flatten().filter_map(name).collect();
        names.sort_by(|a, b| a.trim_end_matches('/').cmp(b.trim_end_matches('/')));
        names
    }
}
