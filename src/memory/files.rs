//! Which files hold sessions: ours, and where other tools put theirs.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::store::{Store, Unreadable};

/// A file that may hold a session.
#[derive(Clone, Debug)]
pub struct Found {
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
    list.memory("debug-memory");
    for entry in list.entries("loops") {
        match entry.file_name().to_str() {
            Some(name) => list.memory(&format!("loops/{name}/debug-memory")),
            None => list.refuse(entry.path()),
        }
    }
    (list.found, list.unreadable)
}

struct List<'l> {
    home: &'l Path,
    found: Vec<Found>,
    unreadable: Vec<Unreadable>,
}

impl List<'_> {
    fn memory(&mut self, folder: &str) {
        self.folder(folder);
        self.folder(&format!("{folder}/sessions"));
    }

    /// A thousand files are looked at on each commit: no more is done for each than must be.
    fn folder(&mut self, folder: &str) {
        for entry in self.entries(folder) {
            let file_name = entry.file_name();
            if !is_candidate(file_name.as_encoded_bytes()) {
                continue;
            }
            // One that is gone by now is no file.
            let Ok(metadata) = entry.metadata() else { continue };
            match file_name.to_str().map(|name| [folder, "/", name].concat()) {
                Some(name) if !name.contains(char::is_control) => {
                    self.found.push(Found { name, stamp: Stamp::of(&metadata) });
                }
                _ => self.refuse(entry.path()),
            }
        }
    }

    fn refuse(&mut self, path: PathBuf) {
        let reason = "its name has characters that cannot be written down".to_owned();
        self.unreadable.push(Unreadable { path, reason });
    }

    /// What is in a folder; nothing where there is no such folder, or where a link leads there.
    fn entries(&mut self, folder: &str) -> Vec<fs::DirEntry> {
        let name = folder;
        let folder = self.home.join(folder);
        let depth = name.split('/').count() + 2;
        if let Some(link) = folder.ancestors().take(depth).find(|folder| is_link(folder)) {
            let reason = "it is a symbolic link, which is not followed".to_owned();
            let told = Unreadable { path: link.to_owned(), reason };
            if !self.unreadable.contains(&told) {
                self.unreadable.push(told);
            }
            return Vec::new();
        }
        match fs::read_dir(&folder).and_then(|entries| entries.collect::<io::Result<Vec<_>>>()) {
            Ok(entries) => return entries,
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {}
            Err(error) => self.unreadable.push(Unreadable { path: folder, reason: error.to_string() }),
        }
        Vec::new()
    }
}

pub fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink())
}

fn is_candidate(name: &[u8]) -> bool {
    let known = [&b".yaml"[..], b".yml", b".json"];
    !name.starts_with(b".") && known.iter().any(|ending| name.ends_with(ending))
}
