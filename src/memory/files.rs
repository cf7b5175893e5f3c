//! Which files hold sessions: ours, and where other tools put theirs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::{Store, Unreadable};

/// A file that may hold a session.
#[derive(Clone, Debug)]
pub struct Found {
    pub path: PathBuf,
    /// From the home of the memory, with forward slashes.
    pub name: String,
    pub stamp: Stamp,
}

/// By what a file that changed is told from one that did not. Writers that replace a file give it another number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Nanoseconds since 1970.
    pub time: i128,
    pub size: u64,
    pub number: u64,
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> Self {
        let modified = metadata.modified().ok();
        let time = modified.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        let time = time.map_or(0, |time| time.as_nanos() as i128);
        Self { time, size: metadata.len(), number: number(metadata) }
    }
}

#[cfg(unix)]
fn number(metadata: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(metadata)
}

#[cfg(not(unix))]
fn number(_metadata: &fs::Metadata) -> u64 {
    0
}

/// Every file that may hold a session, in no order, and what cannot be looked at.
pub fn list(store: &Store) -> (Vec<Found>, Vec<Unreadable>) {
    let mut list = List { home: store.home(), found: Vec::new(), unreadable: Vec::new() };
    list.memory(store.directory());
    for entry in list.entries(&store.home().join("loops")) {
        list.memory(&entry.path().join("debug-memory"));
    }
    (list.found, list.unreadable)
}

struct List<'l> {
    home: &'l Path,
    found: Vec<Found>,
    unreadable: Vec<Unreadable>,
}

impl List<'_> {
    fn memory(&mut self, folder: &Path) {
        self.folder(folder);
        self.folder(&folder.join("sessions"));
    }

    fn folder(&mut self, folder: &Path) {
        for entry in self.entries(folder) {
            let path = entry.path();
            if !is_candidate(&path) {
                continue;
            }
            // One that is gone by now is no file.
            let Ok(metadata) = entry.metadata() else { continue };
            match path.strip_prefix(self.home).ok().and_then(Path::to_str) {
                Some(name) if !name.contains(char::is_control) => {
                    let name = name.replace(std::path::MAIN_SEPARATOR, "/");
                    self.found.push(Found { path, name, stamp: Stamp::of(&metadata) });
                }
                _ => {
                    let reason = "its name has characters that cannot be written down".to_owned();
                    self.unreadable.push(Unreadable { path, reason });
                }
            }
        }
    }

    /// What is in a folder; nothing where there is no such folder.
    fn entries(&mut self, folder: &Path) -> Vec<fs::DirEntry> {
        match fs::read_dir(folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>()) {
            Ok(entries) => return entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => {
                self.unreadable.push(Unreadable { path: folder.to_owned(), reason: error.to_string() });
            }
        }
        Vec::new()
    }
}

fn is_candidate(path: &Path) -> bool {
    let hidden = path.file_name().is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
    let extension = path.extension().and_then(|extension| extension.to_str());
    !hidden && matches!(extension, Some("yaml" | "yml" | "json"))
}
